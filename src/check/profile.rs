//! What engines support, as one table, and the checks against it. `docs/checks.md` names the sources for people.

use std::collections::HashMap;

use crate::model::finding::Severity;
use crate::model::label;
use crate::numbers::counted;

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings, Worst};
use super::rule::{Limit, Rule};

/// The target of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// No particular engine: no check of this file applies.
    #[default]
    Generic,
    Unreal,
    Unity,
    Godot,
    Three,
}

/// What a profile supports. `None` stands for no limit.
#[derive(Debug, Clone, Copy)]
pub struct ProfileEntry {
    pub profile: Profile,
    /// The name in configurations and reports.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// Joints per vertex: 4 or 8.
    pub influences: Option<usize>,
    /// Joints of a skin.
    pub joints: Option<usize>,
    /// Characters that the import removes from node names, or replaces.
    pub forbidden: &'static str,
    /// Whether nodes are found by name, so that equal names of joints collide.
    pub unique_names: bool,
    /// Length of its unit in meters.
    pub unit: f64,
    /// Extensions that a file may require. Empty for all.
    pub extensions: &'static [&'static str],
}

/// All profiles. The sources were read in November 2026.
pub const PROFILES: [ProfileEntry; 5] = [
    ProfileEntry {
        profile: Profile::Generic,
        name: "generic",
        label: "Generic",
        influences: None,
        joints: None,
        forbidden: "",
        unique_names: false,
        unit: 1.0,
        extensions: &[],
    },
    ProfileEntry {
        profile: Profile::Unreal,
        name: "unreal",
        label: "Unreal Engine",
        // 8 influences: https://gist.github.com/donmccurdy/4cad2039360fbd7cd55d18b3f0428581. Project settings can raise it.
        influences: Some(8),
        // 8-bit bone indices by default, 256 bones a section:
        // https://dev.epicgames.com/documentation/en-us/unreal-engine/skeletal-mesh-rendering-paths-in-unreal-engine/
        joints: Some(256),
        forbidden: "",
        unique_names: true,
        // The unit is a centimeter, and the import scales meters by 100.
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
        influences: Some(4),
        joints: None,
        // Animation bindings are paths of names, separated by slashes.
        forbidden: "/",
        unique_names: true,
        unit: 1.0,
        // https://docs.unity3d.com/Packages/com.unity.cloud.gltfast@7.0/api/Unity.Cloud.Gltfast.Extension.html
        extensions: &[
            "KHR_draco_mesh_compression",
            "KHR_lights_punctual",
            "KHR_materials_clearcoat",
            "KHR_materials_ior",
            "KHR_materials_pbrSpecularGlossiness",
            "KHR_materials_sheen",
            "KHR_materials_specular",
            "KHR_materials_transmission",
            "KHR_materials_unlit",
            "KHR_materials_variants",
            "EXT_mesh_gpu_instancing",
            "KHR_mesh_quantization",
            "EXT_meshopt_compression",
            "KHR_texture_basisu",
            "KHR_texture_transform",
            "EXT_texture_webp",
        ],
    },
    ProfileEntry {
        profile: Profile::Godot,
        name: "godot",
        label: "Godot",
        // 8 bone weights: Mesh.ARRAY_FLAG_USE_8_BONE_WEIGHTS, https://docs.godotengine.org/en/stable/classes/class_mesh.html
        influences: Some(8),
        joints: None,
        // String::validate_node_name: https://docs.godotengine.org/en/stable/classes/class_string.html
        forbidden: ".:@/\"%",
        unique_names: true,
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
        // 4 influences, as vertex attributes: https://github.com/mrdoob/three.js/pull/26222
        influences: Some(4),
        joints: None,
        // PropertyBinding.sanitizeNodeName: https://github.com/mrdoob/three.js/blob/master/src/animation/PropertyBinding.js
        forbidden: "[].:/ ",
        // GLTFLoader makes equal names unique by itself.
        unique_names: false,
        unit: 1.0,
        // https://github.com/mrdoob/three.js/blob/master/examples/jsm/loaders/GLTFLoader.js
        extensions: &[
            "KHR_draco_mesh_compression",
            "KHR_lights_punctual",
            "KHR_materials_anisotropy",
            "KHR_materials_clearcoat",
            "KHR_materials_emissive_strength",
            "KHR_materials_ior",
            "KHR_materials_iridescence",
            "KHR_materials_sheen",
            "KHR_materials_specular",
            "KHR_materials_transmission",
            "KHR_materials_unlit",
            "KHR_materials_volume",
            "KHR_mesh_quantization",
            "KHR_texture_basisu",
            "KHR_texture_transform",
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

/// Compares the file with what the profile supports.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let entry = context.settings.profile.entry();
    influences(context, entry, findings);
    joints(context, entry, findings);
    names(context, entry, findings);
    unit(context, entry, findings);
    extensions(context, entry, findings);
}

/// Vertices with too many joints.
fn influences(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(limit) = entry.influences else { return };
    let faults = context.weights;
    let count = if limit < 8 { faults.many.count } else { faults.over_8 };
    if count == 0 {
        return;
    }
    let most = faults.most.map_or(0, |(_, most)| most);
    let message = format!("Vertices follow up to {most} joints, {count} of them more than {limit}; {} drops the lightest.", entry.label);
    let node = faults.most.map(|(vertex, _)| context.source(vertex.node));
    let finding = CheckFinding {
        node,
        value: Some(most as f64),
        threshold: Some(limit as f64),
        ..CheckFinding::new(Rule::ProfileInfluences, message)
    };
    findings.add(finding);
}

/// Skins with too many joints.
fn joints(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(limit) = entry.joints else { return };
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

/// Names of nodes that the import changes, and joints that it cannot tell apart.
fn names(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let named = || context.model.nodes.iter().enumerate().filter_map(|(index, node)| Some((index, node.name.as_deref()?)));
    let mut changed = Worst::default();
    for (index, name) in named().filter(|(_, name)| name.contains(|char| entry.forbidden.contains(char))) {
        changed.add(0.0, (index, label::clean(name)));
    }
    if let Some((_, (index, _))) = changed.first() {
        let characters: Vec<String> =
            entry.forbidden.chars().map(|char| if char == ' ' { "space".to_owned() } else { char.to_string() }).collect();
        let message = format!(
            "{} changes {} on import, because it does not keep {} in names: {}.",
            entry.label,
            counted(changed.count, "node name"),
            characters.join(" "),
            changed.words(|_, (_, name)| name.to_string())
        );
        let node = Some(context.model.nodes[*index].source);
        findings.add(CheckFinding { node, severity: Severity::Info, ..CheckFinding::new(Rule::ProfileNames, message) });
    }
    if !entry.unique_names {
        return;
    }
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut equal = Worst::default();
    for (index, name) in named().filter(|(index, _)| context.document.joints[*index]) {
        if first.insert(name, index).is_some() {
            equal.add(0.0, (index, label::clean(name)));
        }
    }
    if let Some((_, (index, _))) = equal.first() {
        let message = format!(
            "{} with a name that another joint has: {}. {} finds joints by name.",
            counted(equal.count, "joint"),
            equal.words(|_, (_, name)| name.to_string()),
            entry.label
        );
        let node = Some(context.model.nodes[*index].source);
        findings.add(CheckFinding { node, ..CheckFinding::new(Rule::ProfileNames, message) });
    }
}

/// A rig in the unit of the profile, which the import scales once more.
fn unit(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(height) = context.height().filter(|_| entry.unit != 1.0) else { return };
    let most = context.settings.limit(Limit::MaxHeight);
    if height > most {
        let message = format!(
            "The rig is {height:.1} m high, as if its numbers were centimeters. {} multiplies them by {:.0} on import.",
            entry.label,
            1.0 / entry.unit
        );
        findings.add(CheckFinding { value: Some(height), threshold: Some(most), ..CheckFinding::new(Rule::ProfileUnit, message) });
    }
}

/// Required extensions that the profile lacks.
fn extensions(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
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
