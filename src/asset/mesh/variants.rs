//! KHR_materials_variants: the names of a file's variants, and which material each puts on a primitive. A mistake costs no more than
//! its mapping.

use std::collections::BTreeMap;

use gltf::json;
use serde_json::Value;

use crate::asset::error::Place;
use crate::asset::findings::Findings;
use crate::model::Variant;
use crate::model::material::Material;

pub const NAME: &str = "KHR_materials_variants";

/// What primitives may look like.
pub struct MaterialContext<'a> {
    pub materials: &'a [Material],
    pub variants: &'a [Variant],
}

/// Every variant of the file.
pub fn read(root: &json::Root, findings: &mut Findings) -> Vec<Variant> {
    let Some(json) = root.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME)) else { return Vec::new() };
    let Some(variants) = json.get("variants").and_then(Value::as_array) else {
        findings.error("UNDEFINED_PROPERTY", &format!("/extensions/{NAME}"), "There is no list of variants here; the file has none.");
        return Vec::new();
    };
    let name = |variant: &Value| variant.get("name").and_then(Value::as_str).map(str::to_owned);
    variants.iter().map(|variant| Variant { name: name(variant) }).collect()
}

/// Every material that a variant may put on a primitive, be there one or not.
pub fn materials(json: &json::mesh::Primitive) -> impl Iterator<Item = usize> {
    let extension = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
    let mappings = extension.and_then(|extension| extension.get("mappings")).and_then(Value::as_array);
    let named = mappings.into_iter().flatten().filter_map(|mapping| mapping.get("material")?.as_u64());
    named.filter_map(|material| usize::try_from(material).ok())
}

/// By ascending variants, the material that each puts on a primitive.
pub fn mappings(json: &json::mesh::Primitive, looks: &MaterialContext, findings: &mut Findings, place: &Place) -> Vec<(usize, usize)> {
    let Some(json) = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME)) else { return Vec::new() };
    let pointer = format!("{}/extensions/{NAME}/mappings", place.pointer);
    let mut found = BTreeMap::new();
    for (index, mapping) in json.get("mappings").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let mut fault = |code, what: &str, said: String| findings.error(code, &format!("{pointer}/{index}/{what}"), said);
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let material = mapping.get("material").and_then(number);
        let Some(material) = material.filter(|&material| material < looks.materials.len()) else {
            fault("UNRESOLVED_REFERENCE", "material", format!("{}: a variant names a material that the file does not have.", place.words));
            continue;
        };
        for (at, variant) in mapping.get("variants").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let known = number(variant).filter(|&variant| variant < looks.variants.len());
            let what = format!("variants/{at}");
            match known {
                None => fault("UNRESOLVED_REFERENCE", &what, format!("{}: the file does not have this variant.", place.words)),
                Some(variant) if found.contains_key(&variant) => {
                    let message = format!("{}: variant {variant} has a material here already; that one is used.", place.words);
                    fault("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", &what, message);
                }
                Some(variant) => _ = found.insert(variant, material),
            }
        }
    }
    found.into_iter().collect()
}
