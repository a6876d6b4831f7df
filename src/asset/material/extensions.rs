//! The KHR_materials extensions of a material, read by the tables of [`crate::asset::animation::material_pointer`]. They are taken from the JSON as it is: a
//! mistake in one is said, and costs no more than what it is in.

use serde_json::{Map, Value};

use crate::asset::animation::material_pointer::{DRAWN, TEXTURES};
use crate::asset::error::Place;
use crate::asset::material;
use crate::model::material::Material;
use crate::model::material_layers::SpecularGlossiness;
use crate::model::texture::Texture;

use super::texture::{TextureInfo, Textures};

const UNLIT: &str = "KHR_materials_unlit";
const GLOSSY: &str = "KHR_materials_pbrSpecularGlossiness";
const VOLUME: &str = "KHR_materials_volume";
/// What lets light into a volume.
const TRANSMISSIONS: [&str; 2] = ["KHR_materials_transmission", "KHR_materials_diffuse_transmission"];
/// Of what glows whatever else it is.
const EMISSIVE: &str = "KHR_materials_emissive_strength";

/// Reads `extensions` into the material, of which the core is read already.
pub fn read(textures: &mut Textures, extensions: &Map<String, Value>, material: &mut Material, place: &Place) {
    material.unlit = extensions.get(UNLIT).is_some_and(Value::is_object);
    let at = |name: &str| Place { pointer: format!("{}/extensions/{name}", place.pointer), ..place.clone() };
    let mut layers = Vec::new();
    for (name, json) in extensions {
        match (json, ignored(name, extensions)) {
            (Value::Object(json), None) => layers.push((name, json, at(name))),
            (Value::Object(_), Some((code, reason))) => {
                let message = format!("{}: {name} is ignored, {reason}.", place.words);
                // Where the full check says it, too.
                let place = at(if material.unlit { UNLIT } else { name });
                textures.findings.warning(code, &place.pointer, message);
            }
            _ => mismatch(textures, "an object", &at(name)),
        }
    }
    if layers.iter().any(|(name, ..)| *name == GLOSSY) {
        // The other model of the same material has no part in this one.
        (material.base_color_texture, material.metallic_roughness_texture) = (None, None);
        material.base_color_factor = Material::default().base_color_factor;
        material.specular_glossiness = Some(SpecularGlossiness::default());
    }
    for (name, json, place) in layers {
        Layer { textures, json, place }.read(name, material);
    }
}

/// Why an extension does nothing, as a finding says it.
fn ignored(name: &str, extensions: &Map<String, Value>) -> Option<(&'static str, &'static str)> {
    let has = |name: &str| extensions.get(name).is_some_and(Value::is_object);
    match name {
        UNLIT | EMISSIVE => None,
        _ if has(UNLIT) => Some(("MULTIPLE_EXTENSIONS", "for the material is unlit")),
        GLOSSY => None,
        _ if has(GLOSSY) => Some(("MULTIPLE_EXTENSIONS", "for it means nothing to a specular-glossy material")),
        VOLUME if !TRANSMISSIONS.into_iter().any(has) => {
            Some(("KHR_MATERIALS_VOLUME_NO_TRANSMISSION", "for no light gets through the surface without a transmission extension"))
        }
        _ => None,
    }
}

fn mismatch(textures: &mut Textures, wanted: &str, place: &Place) {
    let message = format!("{}: what stands here is not {wanted}; it is ignored.", place.words);
    textures.findings.error("TYPE_MISMATCH", &place.pointer, message);
}

/// An extension of a material in the JSON.
struct Layer<'l, 'a> {
    textures: &'l mut Textures<'a>,
    json: &'l Map<String, Value>,
    place: Place,
}

impl Layer<'_, '_> {
    fn read(&mut self, name: &str, material: &mut Material) {
        let own = |path: &'static str| path.strip_prefix("extensions/")?.strip_prefix(name)?.strip_prefix('/');
        for (path, slot) in TEXTURES.iter().filter_map(|(path, slot)| Some((own(path)?, *slot))) {
            let texture = self.texture(path);
            if let Some(place) = material.slot_mut(slot).filter(|_| texture.is_some()) {
                *place = texture;
            }
        }
        for (path, property, default) in DRAWN.iter().filter_map(|(path, property, default)| Some((own(path)?, *property, default))) {
            if let Some(values) = self.numbers(path, default.len()) {
                material::set(self.textures.findings, material, property, &values, &self.place(path));
            }
        }
    }

    fn place(&self, path: &str) -> Place {
        Place { pointer: format!("{}/{path}", self.place.pointer), ..self.place.clone() }
    }

    /// What stands there, if anything does.
    fn value(&self, path: &str) -> Option<&Value> {
        let (first, rest) = path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)));
        rest.map_or(self.json.get(first), |rest| self.json.get(first)?.get(rest))
    }

    fn numbers(&mut self, path: &str, count: usize) -> Option<Vec<f32>> {
        let value = self.value(path)?;
        let numbers: Option<Vec<f32>> = match value {
            Value::Array(values) if count > 1 && values.len() == count => {
                values.iter().map(|value| value.as_f64().map(|number| number as f32)).collect()
            }
            _ if count > 1 => None,
            _ => value.as_f64().map(|number| vec![number as f32]),
        };
        if numbers.is_none() {
            let wanted = if count > 1 { format!("an array of {count} numbers") } else { "a number".into() };
            mismatch(self.textures, &wanted, &self.place(path));
        }
        numbers
    }

    fn texture(&mut self, path: &str) -> Option<Texture> {
        let value = self.value(path)?;
        let place = self.place(path);
        let index = |key| value.get(key).and_then(Value::as_u64);
        let Some(source) = index("index") else {
            mismatch(self.textures, "a texture, which has an index", &place);
            return None;
        };
        let tex_coord = u32::try_from(index("texCoord").unwrap_or(0)).unwrap_or(u32::MAX);
        let info = TextureInfo::with(source as usize, tex_coord, value.get("extensions").and_then(Value::as_object));
        let found = self.textures.texture(&info);
        found.map(Some).unwrap_or_else(|problem| {
            let message = format!("{}: {problem}; it is drawn without.", place.words);
            self.textures.findings.error("UNRESOLVED_REFERENCE", &format!("{}/index", place.pointer), message);
            None
        })
    }
}
