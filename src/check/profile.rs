//! The features and limits of engines, as one table. `docs/checks.md` lists the sources.

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
    /// Whether the engine reads only the first set of joints and weights, JOINTS_0 and WEIGHTS_0.
    pub reads_first_set_only: bool,
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
        reads_first_set_only: false,
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
        reads_first_set_only: false,
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
        reads_first_set_only: false,
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
        reads_first_set_only: false,
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
        reads_first_set_only: true,
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
