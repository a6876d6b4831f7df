//! Which of a file's sets of texture coordinates are drawn. It may have any number, and a vertex carries two: a material says
//! which ones its textures' 0 and 1 are, and a primitive has those that its materials name.

use gltf::json;

use crate::asset::animation::material_pointer;
use crate::asset::error::Place;
use crate::asset::findings::Findings;
use crate::model::material::Material;
use crate::model::texture::{Texture, TextureSlot};

use super::variants::{self, MaterialContext};

const UNSUPPORTED: &str = "MATERIAL_TEXCOORD_UNSUPPORTED";

/// Gives the material its two sets, those of its most visible textures, and each texture its place among them, where it had
/// the file's number. TEXCOORD_0 and TEXCOORD_1 keep their places where they can, so that what shows one primitive agrees.
pub fn place(findings: &mut Findings, material: &mut Material, place: &Place) {
    let used = TextureSlot::ALL.into_iter().filter_map(|slot| Some((slot, material.texture(slot)?.tex_coord)));
    let used: Vec<(TextureSlot, usize)> = used.collect();
    let mut sets: Vec<usize> = Vec::new();
    for &(_, set) in &used {
        if sets.len() < 2 && !sets.contains(&set) {
            sets.push(set);
        }
    }
    let mut beyond = sets.iter().copied().filter(|set| *set > 1);
    material.tex_coords = match (beyond.next(), beyond.next()) {
        (Some(first), Some(second)) => [first, second],
        (Some(first), None) if sets.contains(&1) => [first, 1],
        (Some(first), None) => [0, first],
        (None, _) => [0, 1],
    };
    for (slot, set) in used {
        let at = material.tex_coords.iter().position(|&known| known == set);
        let Some(texture) = material.slot_mut(slot) else { continue };
        *texture = texture.take().zip(at).map(|(texture, at)| Texture { tex_coord: at, ..texture });
        if at.is_none() {
            let name = material_pointer::texture_name(slot).unwrap_or_default();
            let message = format!(
                "{}: {name} uses TEXCOORD_{set}, and its other textures two sets already; more cannot be drawn. The texture is ignored.",
                place.words
            );
            findings.warning(UNSUPPORTED, &place.pointer, message);
        }
    }
}

/// The two sets of a primitive, whichever of its materials it has: where these differ, as the first one has it.
pub fn of_primitive(json: &json::mesh::Primitive, looks: &MaterialContext) -> [usize; 2] {
    [0, 1].map(|at| sets_at(json, looks, at).next().unwrap_or(at))
}

/// Says so where a variant's material asks for another set.
pub fn check(findings: &mut Findings, json: &json::mesh::Primitive, looks: &MaterialContext, place: &Place) {
    for (at, shown) in of_primitive(json, looks).into_iter().enumerate() {
        if let Some(other) = sets_at(json, looks, at).find(|&set| set != shown) {
            let message = format!("{}: one of its materials uses TEXCOORD_{other}; it is drawn with TEXCOORD_{shown} there.", place.words);
            findings.warning(UNSUPPORTED, &place.pointer, message);
        }
    }
}

/// What each material of the primitive has at this place, if one of its textures is there.
fn sets_at<'l>(json: &'l json::mesh::Primitive, looks: &'l MaterialContext, at: usize) -> impl Iterator<Item = usize> + 'l {
    let named = json.material.map(|material| material.value()).into_iter().chain(variants::materials(json));
    let materials = named.filter_map(|material| looks.materials.get(material));
    let is_at = move |material: &Material, slot| material.texture(slot).is_some_and(|texture| texture.tex_coord == at);
    materials.filter(move |material| TextureSlot::ALL.into_iter().any(|slot| is_at(material, slot))).map(move |m| m.tex_coords[at])
}
