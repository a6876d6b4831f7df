//! The KHR_materials extensions of a material, read from raw JSON by the tables of
//! [`crate::asset::animation::material_pointer`]. A faulty value is ignored, with a finding, and keeps its default.

use serde_json::{Map, Value};

use crate::asset::animation::material_pointer::{DRAWN_PROPERTIES, DRAWN_TEXTURES};
use crate::asset::error::Location;
use crate::asset::json::integer;
use crate::model::material::Material;
use crate::model::material_layers::SpecularGlossiness;
use crate::model::texture::Texture;

use super::factors;
use super::texture::{TextureInfo, Textures};

const UNLIT: &str = "KHR_materials_unlit";
const SPECULAR_GLOSSINESS: &str = "KHR_materials_pbrSpecularGlossiness";
const ANISOTROPY: &str = "KHR_materials_anisotropy";
const VOLUME: &str = "KHR_materials_volume";
/// Extensions that let light into a volume. KHR_materials_volume has no effect without one of them.
const TRANSMISSIONS: [&str; 2] = ["KHR_materials_transmission", "KHR_materials_diffuse_transmission"];
/// This extension applies to every kind of material.
const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";

/// Reads `extensions` into a material whose core properties are already set. Each extension without effect causes a finding.
pub fn read(textures: &mut Textures, extensions: &Map<String, Value>, material: &mut Material, location: &Location) {
    material.unlit = extensions.get(UNLIT).is_some_and(Value::is_object);
    let location_of = |name: &str| Location { pointer: format!("{}/extensions/{name}", location.pointer), ..location.clone() };
    // Select the extensions that have an effect before any is read, because some exclude others.
    let mut effective = Vec::new();
    for (name, json) in extensions {
        match (json, ignored_reason(name, extensions)) {
            (Value::Object(json), None) => effective.push((name, json, location_of(name))),
            (Value::Object(_), Some((code, reason))) => {
                let message = format!("{}: {name} is ignored: {reason}.", location.words);
                // Use the location at which validation reports the same fault.
                let location = location_of(if material.unlit { UNLIT } else { name });
                textures.findings.warning(code, &location.pointer, message);
            }
            _ => report_mismatch(textures, "an object", &location_of(name)),
        }
    }
    if effective.iter().any(|(name, ..)| *name == SPECULAR_GLOSSINESS) {
        // A specular-glossiness material does not use the metallic-roughness properties.
        (material.base_color_texture, material.metallic_roughness_texture) = (None, None);
        material.base_color_factor = Material::default().base_color_factor;
        material.specular_glossiness = Some(SpecularGlossiness::default());
    }
    for (name, json, location) in effective {
        MaterialExtension { textures, json, location }.read(name, material);
    }
}

/// If an extension has no effect, returns the code of the finding and the reason. `None` if the extension has an effect.
fn ignored_reason(name: &str, extensions: &Map<String, Value>) -> Option<(&'static str, &'static str)> {
    let has = |name: &str| extensions.get(name).is_some_and(Value::is_object);
    match name {
        UNLIT | EMISSIVE_STRENGTH => None,
        _ if has(UNLIT) => Some(("MULTIPLE_EXTENSIONS", "the material is unlit")),
        SPECULAR_GLOSSINESS => None,
        _ if has(SPECULAR_GLOSSINESS) => Some(("MULTIPLE_EXTENSIONS", "it has no effect on a specular-glossiness material")),
        VOLUME if !TRANSMISSIONS.into_iter().any(has) => {
            Some(("KHR_MATERIALS_VOLUME_NO_TRANSMISSION", "no light enters the surface without a transmission extension"))
        }
        _ => None,
    }
}

/// Adds a finding for a value of the wrong type. `wanted` completes "expected ...".
fn report_mismatch(textures: &mut Textures, wanted: &str, location: &Location) {
    let message = format!("{}: expected {wanted}; the value is ignored.", location.words);
    textures.findings.error("TYPE_MISMATCH", &location.pointer, message);
}

/// One extension of a material in the JSON.
struct MaterialExtension<'l, 'a> {
    textures: &'l mut Textures<'a>,
    json: &'l Map<String, Value>,
    location: Location,
}

impl<'l> MaterialExtension<'l, '_> {
    /// Reads the textures and numbers that the tables list for the extension `name`.
    fn read(&mut self, name: &str, material: &mut Material) {
        material.anisotropy.is_used |= name == ANISOTROPY;
        // The part of a table's path below this extension. `None` for paths of other extensions.
        let below = |path: &'static str| path.strip_prefix("extensions/")?.strip_prefix(name)?.strip_prefix('/');
        for (path, slot) in DRAWN_TEXTURES.iter().filter_map(|(path, slot)| Some((below(path)?, *slot))) {
            let texture = self.texture(path);
            if let Some(slot) = material.slot_mut(slot).filter(|_| texture.is_some()) {
                *slot = texture;
            }
        }
        for (path, property, default) in DRAWN_PROPERTIES {
            let Some(path) = below(path) else { continue };
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
    fn value(&self, path: &str) -> Option<&'l Value> {
        match path.split_once('/') {
            Some((outer, inner)) => self.json.get(outer)?.get(inner),
            None => self.json.get(path),
        }
    }

    /// The `count` numbers at a path. `None` if there is no value, or, with a finding, if it has another type.
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
            report_mismatch(self.textures, &wanted, &self.location(path));
        }
        numbers
    }

    /// The texture at a path. `None` if there is none, or, with a finding, if it cannot be resolved.
    fn texture(&mut self, path: &str) -> Option<Texture> {
        let value = self.value(path)?;
        let location = self.location(path);
        let index = |key| value.get(key).and_then(integer);
        let Some(source) = index("index") else {
            report_mismatch(self.textures, "a texture with an index", &location);
            return None;
        };
        // A set above 32 bits becomes the largest number of 32 bits, so that it is not taken for a low one. No file has that many sets.
        let tex_coord = u32::try_from(index("texCoord").unwrap_or(0)).unwrap_or(u32::MAX);
        let extensions = value.get("extensions").and_then(Value::as_object);
        let info = TextureInfo { source: source as usize, tex_coord, transform: None };
        let info = info.with_transform(extensions, &location, self.textures.findings);
        self.textures.texture(&info).map(Some).unwrap_or_else(|problem| {
            let message = format!("{}: {problem}; the texture is ignored.", location.words);
            self.textures.findings.error("UNRESOLVED_REFERENCE", &format!("{}/index", location.pointer), message);
            None
        })
    }
}
