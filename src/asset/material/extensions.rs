//! The KHR_materials extensions of a material, read from raw JSON by the tables of
//! [`crate::asset::animation::material_pointer`]. A faulty value is ignored, with a finding, and keeps its default.

use serde_json::{Map, Value};

use crate::asset::animation::material_pointer::{DRAWN, TEXTURES};
use crate::asset::error::Location;
use crate::model::material::Material;
use crate::model::material_layers::SpecularGlossiness;
use crate::model::texture::Texture;

use super::factors;
use super::texture::{TextureInfo, Textures};

const UNLIT: &str = "KHR_materials_unlit";
const GLOSSY: &str = "KHR_materials_pbrSpecularGlossiness";
const VOLUME: &str = "KHR_materials_volume";
/// Extensions that let light into a volume. KHR_materials_volume has no effect without one.
const TRANSMISSIONS: [&str; 2] = ["KHR_materials_transmission", "KHR_materials_diffuse_transmission"];
/// This extension applies to every kind of material.
const EMISSIVE: &str = "KHR_materials_emissive_strength";

/// Reads `extensions` into a material whose core properties are set. Extensions without effect make findings.
pub fn read(textures: &mut Textures, extensions: &Map<String, Value>, material: &mut Material, location: &Location) {
    material.unlit = extensions.get(UNLIT).is_some_and(Value::is_object);
    let at = |name: &str| Location { pointer: format!("{}/extensions/{name}", location.pointer), ..location.clone() };
    // Sort out the extensions that count, before any is read: some exclude others.
    let mut layers = Vec::new();
    for (name, json) in extensions {
        match (json, ignored(name, extensions)) {
            (Value::Object(json), None) => layers.push((name, json, at(name))),
            (Value::Object(_), Some((code, reason))) => {
                let message = format!("{}: {name} is ignored: {reason}.", location.words);
                // Validation reports it at the same location.
                let location = at(if material.unlit { UNLIT } else { name });
                textures.findings.warning(code, &location.pointer, message);
            }
            _ => mismatch(textures, "an object", &at(name)),
        }
    }
    if layers.iter().any(|(name, ..)| *name == GLOSSY) {
        // The metallic-roughness model is not used with this one.
        (material.base_color_texture, material.metallic_roughness_texture) = (None, None);
        material.base_color_factor = Material::default().base_color_factor;
        material.specular_glossiness = Some(SpecularGlossiness::default());
    }
    for (name, json, location) in layers {
        MaterialExtension { textures, json, location }.read(name, material);
    }
}

/// The code and the reason of a finding if an extension has no effect.
fn ignored(name: &str, extensions: &Map<String, Value>) -> Option<(&'static str, &'static str)> {
    let has = |name: &str| extensions.get(name).is_some_and(Value::is_object);
    match name {
        UNLIT | EMISSIVE => None,
        _ if has(UNLIT) => Some(("MULTIPLE_EXTENSIONS", "the material is unlit")),
        GLOSSY => None,
        _ if has(GLOSSY) => Some(("MULTIPLE_EXTENSIONS", "it has no effect on a specular-glossiness material")),
        VOLUME if !TRANSMISSIONS.into_iter().any(has) => {
            Some(("KHR_MATERIALS_VOLUME_NO_TRANSMISSION", "no light enters the surface without a transmission extension"))
        }
        _ => None,
    }
}

/// Adds a finding for a value of the wrong type. `wanted` completes "expected ...".
fn mismatch(textures: &mut Textures, wanted: &str, location: &Location) {
    let message = format!("{}: expected {wanted}; the value is ignored.", location.words);
    textures.findings.error("TYPE_MISMATCH", &location.pointer, message);
}

/// One extension of a material in the JSON.
struct MaterialExtension<'l, 'a> {
    textures: &'l mut Textures<'a>,
    json: &'l Map<String, Value>,
    location: Location,
}

impl MaterialExtension<'_, '_> {
    /// Reads the textures and numbers that the tables list for the extension `name`.
    fn read(&mut self, name: &str, material: &mut Material) {
        // The rest of a table's path, if it is one of this extension.
        let own = |path: &'static str| path.strip_prefix("extensions/")?.strip_prefix(name)?.strip_prefix('/');
        for (path, slot) in TEXTURES.iter().filter_map(|(path, slot)| Some((own(path)?, *slot))) {
            let texture = self.texture(path);
            if let Some(slot) = material.slot_mut(slot).filter(|_| texture.is_some()) {
                *slot = texture;
            }
        }
        for (path, property, default) in DRAWN.iter().filter_map(|(path, property, default)| Some((own(path)?, *property, default))) {
            if let Some(values) = self.numbers(path, default.len()) {
                factors::set(self.textures.findings, material, property, &values, &self.location(path));
            }
        }
    }

    /// The location of a value below the extension.
    fn location(&self, path: &str) -> Location {
        Location { pointer: format!("{}/{path}", self.location.pointer), ..self.location.clone() }
    }

    /// The value at a path of one or two names below the extension.
    fn value(&self, path: &str) -> Option<&Value> {
        let (first, rest) = path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)));
        rest.map_or(self.json.get(first), |rest| self.json.get(first)?.get(rest))
    }

    /// The `count` numbers at a path. `None` if there is no value, or, with a finding, one of another type.
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
            mismatch(self.textures, &wanted, &self.location(path));
        }
        numbers
    }

    /// The texture at a path. `None` if there is none, or, with a finding, one that cannot be resolved.
    fn texture(&mut self, path: &str) -> Option<Texture> {
        let value = self.value(path)?;
        let location = self.location(path);
        let index = |key| value.get(key).and_then(Value::as_u64);
        let Some(source) = index("index") else {
            mismatch(self.textures, "a texture with an index", &location);
            return None;
        };
        // A set over 32 bits does not exist either. Saturate it, so that it is not taken for a low one.
        let tex_coord = u32::try_from(index("texCoord").unwrap_or(0)).unwrap_or(u32::MAX);
        let info = TextureInfo::with_extensions(source as usize, tex_coord, value.get("extensions").and_then(Value::as_object));
        let found = self.textures.texture(&info);
        found.map(Some).unwrap_or_else(|problem| {
            let message = format!("{}: {problem}; the texture is ignored.", location.words);
            self.textures.findings.error("UNRESOLVED_REFERENCE", &format!("{}/index", location.pointer), message);
            None
        })
    }
}
