//! Lists the extensions of a file, and decides which can be ignored and which prevent loading.

use std::collections::HashSet;

use gltf::json;

use crate::asset::error::LoadError;
use crate::asset::findings::Findings;
use crate::asset::mesh::{draco_primitive, variants};
use crate::asset::scene::instancing;
use crate::model::Extension;

/// Supported extensions.
const SUPPORTED: [&str; 25] = [
    instancing::NAME,
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    draco_primitive::NAME,
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    variants::NAME,
    "KHR_materials_volume",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
];

/// Extensions of VRM avatars, each with a message that says which of its data is ignored.
const VRM_EXTENSIONS: [(&str, &str); 5] = [
    (
        "VRM",
        "VRM 0 avatar, shown as plain glTF. Ignored: spring bones, expressions (blend shape groups), look-at, first person, MToon materials.",
    ),
    ("VRMC_vrm", "VRM 1 avatar, shown as plain glTF. Ignored: expressions, look-at, first person."),
    ("VRMC_springBone", "VRM spring bones are ignored: hair and clothes move only where an animation moves them."),
    ("VRMC_materials_mtoon", "VRM MToon materials are ignored: the model is drawn with its glTF materials."),
    ("VRMC_node_constraint", "VRM node constraints are ignored: constrained nodes move only where an animation moves them."),
];

/// Returns whether a required extension can be ignored, because it changes only how the model is shaded or described or
/// reacts to the pointer, not its pose.
fn is_harmless(name: &str) -> bool {
    let is_description = name.starts_with("KHR_materials_") || name.starts_with("KHR_xmp");
    let is_light = matches!(name, "EXT_lights_image_based" | "EXT_lights_ies");
    is_description || is_light || matches!(name, "KHR_node_selectability" | "KHR_node_hoverability")
}

/// Returns whether the data of this extension is read.
pub fn is_read(name: &str) -> bool {
    SUPPORTED.contains(&name)
}

/// Lists the extensions of a file, with a finding for each that is not supported. Returns an error if a required one cannot be
/// ignored.
pub fn list(root: &json::Root, findings: &mut Findings) -> Result<Vec<Extension>, LoadError> {
    let mut extensions: Vec<Extension> = Vec::new();
    let mut listed = HashSet::new();
    let mut indispensable = Vec::new();
    // Required extensions come first, so that a name in both lists counts as required.
    let required = root.extensions_required.iter().map(|name| (name, true));
    for (name, required) in required.chain(root.extensions_used.iter().map(|name| (name, false))) {
        if !listed.insert(name) {
            continue;
        }
        let supported = SUPPORTED.contains(&name.as_str());
        if let Some((_, message)) = VRM_EXTENSIONS.iter().find(|(vrm, _)| vrm == name) {
            findings.info("UNSUPPORTED_EXTENSION", "/extensionsUsed", *message);
            extensions.push(Extension { name: name.clone(), required, supported });
            continue;
        }
        match (supported, required) {
            (true, _) => {}
            (false, true) if is_harmless(name) => {
                let message = format!("Required but not supported: {name}. The model is drawn without it.");
                findings.warning("UNSUPPORTED_EXTENSION", "/extensionsRequired", message);
            }
            (false, true) => indispensable.push(name.clone()),
            (false, false) => {
                findings.info(
                    "UNSUPPORTED_EXTENSION",
                    "/extensionsUsed",
                    format!("The extension {name} is not supported; its data is ignored."),
                );
            }
        }
        extensions.push(Extension { name: name.clone(), required, supported });
    }
    if indispensable.is_empty() { Ok(extensions) } else { Err(LoadError::Extensions { names: indispensable }) }
}
