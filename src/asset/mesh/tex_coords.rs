//! Chooses the texture coordinate sets that are drawn. A file may have any number of sets, but a vertex holds two, at the positions
//! 0 and 1. `Material::tex_coords` has the file's set at each position, and a primitive holds the sets of its materials.

use glam::Vec3;
use gltf::json;

use crate::asset::animation::material_pointer;
use crate::asset::error::Location;
use crate::asset::findings::Findings;
use crate::model::material::Material;
use crate::model::texture::{Texture, TextureSlot};

use super::variants::{self, MaterialContext};

/// The code of findings about sets that cannot be drawn.
const UNSUPPORTED: &str = "MATERIAL_TEXCOORD_UNSUPPORTED";

/// Chooses the two sets that the most visible textures of a material use, and replaces each texture's set by its position. TEXCOORD_0 and
/// TEXCOORD_1 keep their positions where possible, so that the materials of a primitive agree.
pub fn assign_sets(findings: &mut Findings, material: &mut Material, location: &Location) {
    let used = TextureSlot::ALL.into_iter().filter_map(|slot| Some((slot, material.texture(slot)?.tex_coord)));
    let used: Vec<(TextureSlot, usize)> = used.collect();
    // The first two distinct sets, in descending order of visibility of their textures.
    let mut sets: Vec<usize> = Vec::new();
    for &(_, set) in &used {
        if sets.len() < 2 && !sets.contains(&set) {
            sets.push(set);
        }
    }
    // Sets above 1 take a position that the others leave free.
    let mut high_sets = sets.iter().copied().filter(|set| *set > 1);
    material.tex_coords = match (high_sets.next(), high_sets.next()) {
        (Some(first), Some(second)) => [first, second],
        (Some(first), None) if sets.contains(&1) => [first, 1],
        (Some(first), None) => [0, first],
        (None, _) => [0, 1],
    };
    // Replace sets by positions. Textures with a third set are dropped.
    for (slot, set) in used {
        let position = material.tex_coords.iter().position(|&chosen| chosen == set);
        let Some(texture) = material.slot_mut(slot) else { continue };
        *texture = texture.take().zip(position).map(|(texture, position)| Texture { tex_coord: position, ..texture });
        if position.is_none() {
            // Most surfaces glow only where the texture is not black, so without it, they do not glow at all.
            if slot == TextureSlot::Emissive {
                material.emissive_factor = Vec3::ZERO;
            }
            let name = material_pointer::texture_name(slot).unwrap_or_default();
            let message = format!(
                "{}: {name} uses TEXCOORD_{set}, but the other textures use two sets already, the maximum. The texture is ignored.",
                location.words
            );
            findings.warning(UNSUPPORTED, &location.pointer, message);
        }
    }
}

/// The two sets that the vertices of a primitive hold. If its materials differ, the sets of the first one are used.
pub fn primitive_sets(json: &json::mesh::Primitive, context: &MaterialContext) -> [usize; 2] {
    [0, 1].map(|position| sets_at(json, context, position).next().unwrap_or(position))
}

/// Adds a finding if a variant gives the primitive a material that needs another set.
pub fn check(findings: &mut Findings, json: &json::mesh::Primitive, context: &MaterialContext, location: &Location) {
    for (position, used) in primitive_sets(json, context).into_iter().enumerate() {
        if let Some(other) = sets_at(json, context, position).find(|&set| set != used) {
            let message = format!("{}: a material uses TEXCOORD_{other}; TEXCOORD_{used} is used instead.", location.words);
            findings.warning(UNSUPPORTED, &location.pointer, message);
        }
    }
}

/// The set at this position (0 or 1) in each material of the primitive. Materials without a texture at this position are skipped.
fn sets_at<'l>(json: &'l json::mesh::Primitive, context: &'l MaterialContext, position: usize) -> impl Iterator<Item = usize> + 'l {
    let indices = json.material.map(|material| material.value()).into_iter().chain(variants::materials(json));
    let materials = indices.filter_map(|material| context.materials.get(material));
    let is_used = move |material: &Material, slot| material.texture(slot).is_some_and(|texture| texture.tex_coord == position);
    let used = materials.filter(move |material| TextureSlot::ALL.into_iter().any(|slot| is_used(material, slot)));
    used.map(move |material| material.tex_coords[position])
}
