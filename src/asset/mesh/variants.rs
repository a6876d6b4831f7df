//! Reads KHR_materials_variants: the names of a file's variants, and the material that each variant assigns to a primitive. An
//! invalid mapping is ignored, with a finding.

use std::collections::BTreeMap;

use gltf::json;
use serde_json::Value;

use crate::asset::error::Location;
use crate::asset::findings::Findings;
use crate::asset::json::integer;
use crate::model::Variant;
use crate::model::material::Material;

/// The name of the extension.
pub const NAME: &str = "KHR_materials_variants";

/// The materials and variants that primitives refer to.
pub struct MaterialContext<'a> {
    pub materials: &'a [Material],
    pub variants: &'a [Variant],
}

/// Reads every variant of the file. Empty if it has none.
pub fn read(root: &json::Root, findings: &mut Findings) -> Vec<Variant> {
    let Some(json) = root.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME)) else { return Vec::new() };
    let Some(variants) = json.get("variants").and_then(Value::as_array) else {
        findings.error("UNDEFINED_PROPERTY", &format!("/extensions/{NAME}"), "`variants` is missing; the file has no variants.");
        return Vec::new();
    };
    let name = |variant: &Value| variant.get("name").and_then(Value::as_str).map(str::to_owned);
    variants.iter().map(|variant| Variant { name: name(variant) }).collect()
}

/// The indices of all materials that variants assign to a primitive. The file may lack a material with such an index.
pub fn materials(json: &json::mesh::Primitive) -> impl Iterator<Item = usize> {
    let extension = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
    let mappings = extension.and_then(|extension| extension.get("mappings")).and_then(Value::as_array);
    let materials = mappings.into_iter().flatten().filter_map(|mapping| integer(mapping.get("material")?));
    materials.filter_map(|material| usize::try_from(material).ok())
}

/// Reads the mappings of a primitive: pairs of a variant and the material that it assigns, in ascending order of variants. Both are
/// indices of the model.
pub fn mappings(
    json: &json::mesh::Primitive,
    context: &MaterialContext,
    findings: &mut Findings,
    location: &Location,
) -> Vec<(usize, usize)> {
    let Some(json) = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME)) else { return Vec::new() };
    let pointer = format!("{}/extensions/{NAME}/mappings", location.pointer);
    let mut material_by_variant = BTreeMap::new();
    for (index, mapping) in json.get("mappings").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let mut report = |code, property: &str, message: String| {
            findings.error(code, &format!("{pointer}/{index}/{property}"), format!("{}: {message}", location.words));
        };
        let as_index = |value: &Value| integer(value).and_then(|number| usize::try_from(number).ok());
        let material = mapping.get("material").and_then(as_index);
        let Some(material) = material.filter(|&material| material < context.materials.len()) else {
            report("UNRESOLVED_REFERENCE", "material", "the material of this variant does not exist.".into());
            continue;
        };
        for (position, variant) in mapping.get("variants").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let property = format!("variants/{position}");
            match as_index(variant).filter(|&variant| variant < context.variants.len()) {
                None => report("UNRESOLVED_REFERENCE", &property, "the variant does not exist.".into()),
                // The extension forbids two materials for one variant.
                Some(variant) if material_by_variant.contains_key(&variant) => {
                    let message = format!("variant {variant} already has a material here; the first one is used.");
                    report("KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT", &property, message);
                }
                Some(variant) => _ = material_by_variant.insert(variant, material),
            }
        }
    }
    material_by_variant.into_iter().collect()
}
