//! Chooses the texture coordinate sets that are drawn. A file may have any number, but a vertex holds two. Each material says
//! which sets of the file its textures' 0 and 1 are, and a primitive holds those of its materials.

use gltf::json;

use crate::asset::animation::material_pointer;
use crate::asset::error::Location;
use crate::asset::findings::Findings;
use crate::model::material::Material;
use crate::model::texture::{Texture, TextureSlot};

use super::variants::{self, MaterialContext};

/// The code of findings about sets that cannot be drawn.
const UNSUPPORTED: &str = "MATERIAL_TEXCOORD_UNSUPPORTED";

/// Chooses the two sets of a material, those of its most visible textures, and replaces each texture's set number by its
/// position among them. TEXCOORD_0 and TEXCOORD_1 keep their positions where possible, so that materials agree.
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
    let mut beyond = sets.iter().copied().filter(|set| *set > 1);
    material.tex_coords = match (beyond.next(), beyond.next()) {
        (Some(first), Some(second)) => [first, second],
        (Some(first), None) if sets.contains(&1) => [first, 1],
        (Some(first), None) => [0, first],
        (None, _) => [0, 1],
    };
    // Replace the numbers of sets by positions; textures with a third set are dropped.
    for (slot, set) in used {
        let at = material.tex_coords.iter().position(|&known| known == set);
        let Some(texture) = material.slot_mut(slot) else { continue };
        *texture = texture.take().zip(at).map(|(texture, at)| Texture { tex_coord: at, ..texture });
        if at.is_none() {
            let name = material_pointer::texture_name(slot).unwrap_or_default();
            let message = format!(
                "{}: {name} uses TEXCOORD_{set}, but the other textures use two sets already, the maximum. The texture is ignored.",
                location.words
            );
            findings.warning(UNSUPPORTED, &location.pointer, message);
        }
    }
}

/// The two sets of a primitive that its vertices hold. Where its materials differ, the first one wins.
pub fn primitive_sets(json: &json::mesh::Primitive, context: &MaterialContext) -> [usize; 2] {
    [0, 1].map(|at| sets_at(json, context, at).next().unwrap_or(at))
}

/// Adds a finding if another material of the primitive, of a variant, needs another set.
pub fn check(findings: &mut Findings, json: &json::mesh::Primitive, context: &MaterialContext, location: &Location) {
    for (at, shown) in primitive_sets(json, context).into_iter().enumerate() {
        if let Some(other) = sets_at(json, context, at).find(|&set| set != shown) {
            let message = format!("{}: a material uses TEXCOORD_{other}; TEXCOORD_{shown} is used instead.", location.words);
            findings.warning(UNSUPPORTED, &location.pointer, message);
        }
    }
}

/// The set at this position (0 or 1) in each material of the primitive, as far as a texture uses it.
fn sets_at<'l>(json: &'l json::mesh::Primitive, context: &'l MaterialContext, at: usize) -> impl Iterator<Item = usize> + 'l {
    let named = json.material.map(|material| material.value()).into_iter().chain(variants::materials(json));
    let materials = named.filter_map(|material| context.materials.get(material));
    let is_at = move |material: &Material, slot| material.texture(slot).is_some_and(|texture| texture.tex_coord == at);
    materials.filter(move |material| TextureSlot::ALL.into_iter().any(|slot| is_at(material, slot))).map(move |m| m.tex_coords[at])
}
