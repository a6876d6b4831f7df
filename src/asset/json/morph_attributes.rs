//! COLOR_n and TEXCOORD_n of morph targets, which Sinew does not draw. The types of `gltf::json` drop them, so their names
//! are read separately.

use std::collections::{BTreeMap, BTreeSet};

use gltf::json;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::asset::error::Location;
use crate::asset::findings::Findings;

/// The part of the root that has morph targets.
#[derive(Deserialize)]
struct Root {
    #[serde(default)]
    meshes: Vec<Mesh>,
}

#[derive(Deserialize)]
struct Mesh {
    #[serde(default)]
    primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
struct Primitive {
    #[serde(default)]
    targets: Vec<BTreeMap<String, IgnoredAny>>,
}

/// Adds a finding for each primitive with morph targets that change colors or texture coordinates. `root` was read from the same bytes.
pub fn report(bytes: &[u8], root: &json::Root, findings: &mut Findings) {
    let mut primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    // Most files have no morph targets, so they need not be read again.
    if !primitives.any(|primitive| primitive.targets.is_some()) {
        return;
    }
    let Ok(names) = serde_json::from_slice::<Root>(bytes) else { return };
    for (index, (mesh, named)) in names.meshes.iter().zip(&root.meshes).enumerate() {
        let location = Location::new("mesh", "meshes", index, named.name.as_deref());
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let attributes = primitive.targets.iter().flat_map(BTreeMap::keys).map(String::as_str);
            let ignored: BTreeSet<&str> = attributes.filter(|name| is_color_or_tex_coord(name)).collect();
            if !ignored.is_empty() {
                let location = location.child("primitive", "primitives", index);
                let names = ignored.into_iter().collect::<Vec<_>>().join(", ");
                let message = format!("{}: its morph targets change {names}; Sinew ignores these changes.", location.words);
                findings.warning("MORPH_TARGET_ATTRIBUTE_IGNORED", &format!("{}/targets", location.pointer), message);
            }
        }
    }
}

/// Returns whether this is the name of a color or texture coordinate attribute. Attributes of applications begin with an underscore.
fn is_color_or_tex_coord(name: &str) -> bool {
    let set = name.strip_prefix("COLOR_").or(name.strip_prefix("TEXCOORD_"));
    set.is_some_and(|set| set.parse::<u32>().is_ok())
}
