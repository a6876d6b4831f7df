//! The features and limits of engines, as one table, and the checks against them. `docs/checks.md` lists the sources.

use std::collections::BTreeSet;

use crate::model::label;
use crate::numbers::{agreeing, counted};

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings, Worst};
use super::rule::{Limit, Rule};

/// The engine that a file is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// No particular engine
    #[default]
    Generic,
    Unreal,
    Unity,
    Godot,
    Three,
}

/// The features and limits of an engine. `None` stands for no limit.
#[derive(Debug, Clone, Copy)]
pub struct ProfileEntry {
    pub profile: Profile,
    /// The name in configurations and reports.
    pub name: &'static str,
    /// The name in messages.
    pub label: &'static str,
    /// Maximum number of joints per vertex: 4 or 8. `None` if the project decides.
    pub max_influences: Option<usize>,
    /// Maximum number of joints of a skin.
    pub max_joints: Option<usize>,
    /// Characters that the import removes or replaces in the names of joints, and of other nodes.
    pub forbidden_characters: [&'static str; 2],
    /// Unit of length, in meters.
    pub unit: f64,
    /// Extensions that a file may require. If empty, a file may require any.
    pub extensions: &'static [&'static str],
}

/// All profiles. The sources were read in November 2026.
pub const PROFILES: [ProfileEntry; 5] = [
    ProfileEntry {
        profile: Profile::Generic,
        name: "generic",
        label: "Generic",
        max_influences: None,
        max_joints: None,
        forbidden_characters: [""; 2],
        unit: 1.0,
        extensions: &[],
    },
    ProfileEntry {
        profile: Profile::Unreal,
        name: "unreal",
        label: "Unreal Engine",
        // Project settings decide: FGPUBaseSkinVertexFactory::GetBoneInfluenceLimitForAsset,
        // https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/FGPUBaseSkinVertexFactory
        max_influences: None,
        // 8-bit bone indices by default, which allow 256 bones per section:
        // https://dev.epicgames.com/documentation/en-us/unreal-engine/skeletal-mesh-rendering-paths-in-unreal-engine/
        max_joints: Some(256),
        forbidden_characters: [""; 2],
        // https://dev.epicgames.com/documentation/en-us/unreal-engine/units-of-measurement-in-unreal-engine
        unit: 0.01,
        // https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Plugins/GLTFCore/GLTF__EExtension
        extensions: &[
            "KHR_materials_pbrSpecularGlossiness",
            "KHR_materials_unlit",
            "KHR_materials_clearcoat",
            "KHR_materials_transmission",
            "KHR_materials_sheen",
            "KHR_materials_variants",
            "KHR_materials_ior",
            "KHR_materials_specular",
            "KHR_materials_emissive_strength",
            "KHR_materials_iridescence",
            "KHR_materials_anisotropy",
            "KHR_texture_transform",
            "KHR_draco_mesh_compression",
            "KHR_lights_punctual",
            "EXT_lights_ies",
            "MSFT_texture_dds",
            "MSFT_packing_normalRoughnessMetallic",
            "MSFT_packing_occlusionRoughnessMetallic",
            "KHR_mesh_quantization",
        ],
    },
    ProfileEntry {
        profile: Profile::Unity,
        name: "unity",
        label: "Unity (glTFast)",
        // "Joints (up to 4 per vertex)": https://docs.unity3d.com/Packages/com.unity.cloud.gltfast@7.0/manual/features.html
        max_influences: Some(4),
        max_joints: None,
        forbidden_characters: [""; 2],
        unit: 1.0,
        // The extensions that the features page marks as fully or partially supported.
        extensions: &[
            "KHR_draco_mesh_compression",
            "KHR_lights_punctual",
            "KHR_materials_clearcoat",
            "KHR_materials_pbrSpecularGlossiness",
            "KHR_materials_transmission",
            "KHR_materials_unlit",
            "KHR_materials_variants",
            "KHR_mesh_quantization",
            "KHR_texture_basisu",
            "KHR_texture_transform",
            "EXT_mesh_gpu_instancing",
            "EXT_meshopt_compression",
        ],
    },
    ProfileEntry {
        profile: Profile::Godot,
        name: "godot",
        label: "Godot",
        // 8 bone weights: Mesh.ARRAY_FLAG_USE_8_BONE_WEIGHTS, https://docs.godotengine.org/en/stable/classes/class_mesh.html
        max_influences: Some(8),
        max_joints: None,
        // Joints become bones: GLTFDocument::_sanitize_bone_name in the file below. Other nodes: String.validate_node_name,
        // https://docs.godotengine.org/en/stable/classes/class_string.html
        forbidden_characters: [":/", ".:@/\"%"],
        unit: 1.0,
        // get_supported_gltf_extensions_hashset: https://github.com/godotengine/godot/blob/master/modules/gltf/gltf_document.cpp
        extensions: &[
            "GODOT_single_root",
            "KHR_animation_pointer",
            "KHR_lights_punctual",
            "KHR_materials_emissive_strength",
            "KHR_materials_pbrSpecularGlossiness",
            "KHR_materials_unlit",
            "KHR_node_visibility",
            "KHR_texture_basisu",
            "KHR_texture_transform",
            "EXT_texture_webp",
            "OMI_collider",
            "OMI_physics_body",
            "OMI_physics_shape",
        ],
    },
    ProfileEntry {
        profile: Profile::Three,
        name: "three",
        label: "three.js",
        // GLTFLoader reads only the attributes JOINTS_0 and WEIGHTS_0 (ATTRIBUTES in the file below).
        max_influences: Some(4),
        max_joints: None,
        // PropertyBinding.sanitizeNodeName: https://github.com/mrdoob/three.js/blob/master/src/animation/PropertyBinding.js
        forbidden_characters: ["[].:/ "; 2],
        unit: 1.0,
        // https://github.com/mrdoob/three.js/blob/master/examples/jsm/loaders/GLTFLoader.js
        extensions: &[
            "KHR_draco_mesh_compression",
            "KHR_lights_punctual",
            "KHR_materials_anisotropy",
            "KHR_materials_clearcoat",
            "KHR_materials_dispersion",
            "KHR_materials_emissive_strength",
            "KHR_materials_ior",
            "KHR_materials_iridescence",
            "KHR_materials_sheen",
            "KHR_materials_specular",
            "KHR_materials_transmission",
            "KHR_materials_unlit",
            "KHR_materials_volume",
            "KHR_mesh_quantization",
            "KHR_meshopt_compression",
            "KHR_texture_basisu",
            "KHR_texture_transform",
            "EXT_materials_bump",
            "EXT_mesh_gpu_instancing",
            "EXT_meshopt_compression",
            "EXT_texture_avif",
            "EXT_texture_webp",
        ],
    },
];

impl Profile {
    /// All profiles, in the order of [`PROFILES`].
    pub const ALL: [Self; 5] = [Self::Generic, Self::Unreal, Self::Unity, Self::Godot, Self::Three];

    /// The row of the profile.
    pub fn entry(self) -> &'static ProfileEntry {
        &PROFILES[self as usize]
    }

    /// The name in configurations and reports.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The profile with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }
}

/// Compares the file with the features and limits of the profile.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let entry = context.settings.profile.entry();
    check_influences(context, entry, findings);
    check_joints(context, entry, findings);
    check_names(context, entry, findings);
    check_unit(context, entry, findings);
    check_extensions(context, entry, findings);
}

/// Reports vertices with too many joints.
fn check_influences(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(limit) = entry.max_influences else { return };
    let faults = context.weights;
    let count = if limit < 8 { faults.many.count } else { faults.over_8 };
    if count == 0 {
        return;
    }
    let largest = faults.max_joints.map_or(0, |(_, joints)| joints);
    let message = format!(
        "{} {} more than {limit} joints, up to {largest}; {} drops the joints with the smallest weights.",
        counted(count, "vertex"),
        agreeing(count, "follows", "follow"),
        entry.label
    );
    let node = faults.max_joints.map(|(vertex, _)| context.source(vertex.node));
    let finding = CheckFinding {
        node,
        value: Some(largest as f64),
        threshold: Some(limit as f64),
        ..CheckFinding::new(Rule::ProfileInfluences, message)
    };
    findings.add(finding);
}

/// Reports skins with too many joints.
fn check_joints(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(limit) = entry.max_joints else { return };
    for (index, skin) in context.model.skins.iter().enumerate().filter(|(_, skin)| skin.joints.len() > limit) {
        let count = skin.joints.len();
        let message = format!("Skin {index} has {count} joints; {} supports {limit} in one section of a mesh by default.", entry.label);
        findings.add(CheckFinding {
            node: skin.joints.first().map(|joint| context.source(*joint)),
            value: Some(count as f64),
            threshold: Some(limit as f64),
            pointer: format!("/skins/{index}/joints"),
            ..CheckFinding::new(Rule::ProfileJoints, message)
        });
    }
}

/// Reports nodes whose names the import changes.
fn check_names(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let named = context.model.nodes.iter().zip(&context.document.joints).enumerate();
    let named = named
        .filter_map(|(index, (node, is_joint))| Some((index, node.name.as_deref()?, entry.forbidden_characters[usize::from(!is_joint)])));
    let (mut changed, mut characters) = (Worst::default(), BTreeSet::new());
    for (index, name, forbidden) in named {
        let found: Vec<_> = name.chars().filter(|char| forbidden.contains(*char)).collect();
        if !found.is_empty() {
            changed.add(0.0, (index, label::clean(name)));
            characters.extend(found);
        }
    }
    let Some((_, (index, _))) = changed.first() else { return };
    let characters: Vec<String> = characters.iter().map(|char| if *char == ' ' { "spaces".to_owned() } else { char.to_string() }).collect();
    let message = format!(
        "{} changes {} on import, because it does not keep {} in {}: {}.",
        entry.label,
        counted(changed.count, "node name"),
        characters.join(" "),
        agreeing(changed.count, "it", "them"),
        changed.words(|_, (_, name)| name.to_string())
    );
    let node = Some(context.model.nodes[*index].source);
    findings.add(CheckFinding { node, ..CheckFinding::new(Rule::ProfileNames, message) });
}

/// Reports a rig that seems to be in the engine's unit of length already, so that the import would scale it twice.
fn check_unit(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(height) = context.height().filter(|_| entry.unit != 1.0) else { return };
    let max_height = context.settings.limit(Limit::MaxHeight);
    if height > max_height {
        let message = format!(
            "The rig is {height:.1} m large, as if its numbers were centimeters. {} multiplies them by {:.0} on import.",
            entry.label,
            1.0 / entry.unit
        );
        findings.add(CheckFinding { value: Some(height), threshold: Some(max_height), ..CheckFinding::new(Rule::ProfileUnit, message) });
    }
}

/// Reports required extensions that the engine does not support.
fn check_extensions(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    if entry.extensions.is_empty() {
        return;
    }
    for extension in context.model.asset.extensions.iter().filter(|extension| extension.required) {
        if !entry.extensions.contains(&extension.name.as_str()) {
            let message = format!("The file requires {}, which {} does not support.", label::clean(&extension.name), entry.label);
            findings.add(CheckFinding { pointer: "/extensionsRequired".to_owned(), ..CheckFinding::new(Rule::ProfileExtension, message) });
        }
    }
}
