//! Sets numeric properties of materials. Values out of range are clamped, with a finding.

use crate::asset::error::Location;
use crate::asset::findings::Findings;
use crate::model::material::Material;
use crate::model::material_property::MaterialProperty;

/// Sets a property of the material. `values` has one number per component. `location` is the property's location in the file.
pub fn set(findings: &mut Findings, material: &mut Material, property: MaterialProperty, values: &[f32], location: &Location) {
    for (&value, nearest) in values.iter().zip(values.iter().map(|&value| property.nearest(value))) {
        if nearest != value {
            let expected = allowed_values(property);
            let message = format!("{}: {value} is out of range (expected {expected}); {nearest} is used.", location.words);
            findings.error("VALUE_NOT_IN_RANGE", &location.pointer, message);
        }
    }
    material.set(property, values);
}

/// The allowed values of a property, in words that complete "expected ...".
fn allowed_values(property: MaterialProperty) -> String {
    let [min, max] = property.range();
    match property {
        MaterialProperty::Ior => format!("0, or {min} to {max}"),
        MaterialProperty::AttenuationDistance => "above 0".into(),
        _ if max == f32::MAX && min == 0.0 => "at least 0".into(),
        _ if max == f32::MAX => "a finite number".into(),
        _ => format!("{min} to {max}"),
    }
}
