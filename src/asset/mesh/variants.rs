//! KHR_materials_variants: the names of a file's variants, and the material that each variant assigns to a primitive. An invalid
//! mapping is ignored, with a finding.

use std::collections::BTreeMap;

use gltf::json;
use serde_json::Value;

use crate::asset::error::Location;
use crate::asset::findings::Findings;
use crate::model::Variant;
use crate::model::material::Material;

/// The name of the extension.
pub const NAME: &str = "KHR_materials_variants";

/// The materials and variants that primitives refer to.
pub struct MaterialContext<'a> {
    pub materials: &'a [Material],
    pub variants: &'a [Variant],
}

/// Every variant of the file. Empty if it has none.
pub fn read(root: &json::Root, findings: &mut Findings) -> Vec<Variant> {
    let Some(json) = root.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME)) else { return Vec::new() };
    let Some(variants) = json.get("variants").and_then(Value::as_array) else {
        findings.error("UNDEFINED_PROPERTY", &format!("/extensions/{NAME}"), "`variants` is missing; the file has no variants.");
        return Vec::new();
    };
    let name = |variant: &Value| variant.get("name").and_then(Value::as_str).map(str::to_owned);
    variants.iter().map(|variant| Variant { name: name(variant) }).collect()
}

/// The indices of all materials that a variant may assign to a primitive. They are not checked: such a material may not exist.
pub fn materials(json: &json::mesh::Primitive) -> impl Iterator<Item = usize> {
    let extension = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
    let mappings = extension.and_then(|extension| extension.get("mappings")).and_then(Value::as_array);
    let named = mappings.into_iter().flatten().filter_map(|mapping| mapping.get("material")?.as_u64());
    named.filter_map(|material| usize::try_from(material).ok())
}

/// Pairs of a variant and the material that it assigns to a primitive, in ascending order of variants. Both are indices of the
/// model.
pub fn mappings(
    json: &json::mesh::Primitive,
    context: &MaterialContext,
    findings: &mut Findings,
    location: &Location,
) -> Vec<(usize, usize)> {
    let Some(json) = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME)) else { return Vec::new() };
    let pointer = format!("{}/extensions/{NAME}/mappings", location.pointer);
    let mut found = BTreeMap::new();
    for (index, mapping) in json.get("mappings").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let mut fault = |code, what: &str, declared: String| findings.error(code, &format!("{pointer}/{index}/{what}"), declared);
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let material = mapping.get("material").and_then(number);
        let Some(material) = material.filter(|&material| material < context.materials.len()) else {
            fault("UNRESOLVED_REFERENCE", "material", format!("{}: the material of this variant does not exist.", location.words));
            continue;
        };
        for (at, variant) in mapping.get("variants").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let known = number(variant).filter(|&variant| variant < context.variants.len());
            let what = format!("variants/{at}");
            match known {
                None => fault("UNRESOLVED_REFERENCE", &what, format!("{}: the variant does not exist.", location.words)),
                // The extension forbids two materials for one variant.
                Some(variant) if found.contains_key(&variant) => {
                    let message = format!("{}: variant {variant} already has a material here; the first one is used.", location.words);
                    fault("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", &what, message);
                }
                Some(variant) => _ = found.insert(variant, material),
            }
        }
    }
    found.into_iter().collect()
}
