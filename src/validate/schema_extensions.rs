//! The same tables for the extensions whose data is looked at, and for those of materials.

use super::schema::{ALL, Kind, NORMAL_TEXTURE, TEXTURE_INFO, Table, may, must, table};

const MOST: u64 = u64::MAX;
const EMPTY: Table = table(&[]);

pub static LIGHTS: Table = table(&[must("lights", Kind::Objects(&LIGHT))]);
static LIGHT: Table = table(&[
    may("name", Kind::Text),
    may("color", Kind::Numbers(&[3], 0.0, 1.0)),
    may("intensity", Kind::Number(0.0, ALL)),
    must("type", Kind::Word(&["directional", "point", "spot"])),
    may("range", Kind::Above(0.0)),
    may("spot", Kind::Object(&SPOT)),
]);
static SPOT: Table = table(&[
    may("innerConeAngle", Kind::Number(0.0, std::f64::consts::FRAC_PI_2)),
    may("outerConeAngle", Kind::Number(0.0, std::f64::consts::FRAC_PI_2)),
]);
pub static NODE_LIGHT: Table = table(&[must("light", Kind::Index("lights"))]);
pub static VISIBILITY: Table = table(&[may("visible", Kind::Bool)]);
pub static ANIMATION_POINTER: Table = table(&[must("pointer", Kind::Text)]);
pub static TEXTURE_SOURCE: Table = table(&[may("source", Kind::Index("images"))]);
pub static TEXTURE_TRANSFORM: Table = table(&[
    may("offset", Kind::Numbers(&[2], -ALL, ALL)),
    may("rotation", Kind::Number(-ALL, ALL)),
    may("scale", Kind::Numbers(&[2], -ALL, ALL)),
    may("texCoord", Kind::Integer(0, MOST)),
]);

pub static DRACO: Table = table(&[must("bufferView", Kind::Index("bufferViews")), must("attributes", Kind::Anything)]);
pub static MESHOPT_BUFFER: Table = table(&[may("fallback", Kind::Bool)]);
pub static MESHOPT: Table = table(&[
    must("buffer", Kind::Index("buffers")),
    may("byteOffset", Kind::Integer(0, MOST)),
    must("byteLength", Kind::Integer(1, MOST)),
    must("byteStride", Kind::Integer(1, 256)),
    must("count", Kind::Integer(1, MOST)),
    must("mode", Kind::Word(&["ATTRIBUTES", "TRIANGLES", "INDICES"])),
    may("filter", Kind::Word(&["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"])),
]);

pub static VARIANTS: Table = table(&[must("variants", Kind::Objects(&VARIANT))]);
static VARIANT: Table = table(&[must("name", Kind::Text)]);
pub static VARIANT_MAPPINGS: Table = table(&[must("mappings", Kind::Objects(&MAPPING))]);
static MAPPING: Table = table(&[may("name", Kind::Text), must("material", Kind::Index("materials")), must("variants", Kind::Indices(""))]);

/// Those of materials.
pub const MATERIAL: &[(&str, &Table)] = &[
    ("KHR_materials_anisotropy", &ANISOTROPY),
    ("KHR_materials_clearcoat", &CLEARCOAT),
    ("KHR_materials_dispersion", &DISPERSION),
    ("KHR_materials_emissive_strength", &EMISSIVE_STRENGTH),
    ("KHR_materials_ior", &IOR),
    ("KHR_materials_iridescence", &IRIDESCENCE),
    ("KHR_materials_sheen", &SHEEN),
    ("KHR_materials_specular", &SPECULAR),
    ("KHR_materials_transmission", &TRANSMISSION),
    ("KHR_materials_unlit", &EMPTY),
    ("KHR_materials_volume", &VOLUME),
];
static ANISOTROPY: Table = table(&[
    may("anisotropyStrength", Kind::Number(0.0, 1.0)),
    may("anisotropyRotation", Kind::Number(-ALL, ALL)),
    may("anisotropyTexture", Kind::Object(&TEXTURE_INFO)),
]);
static CLEARCOAT: Table = table(&[
    may("clearcoatFactor", Kind::Number(0.0, 1.0)),
    may("clearcoatTexture", Kind::Object(&TEXTURE_INFO)),
    may("clearcoatRoughnessFactor", Kind::Number(0.0, 1.0)),
    may("clearcoatRoughnessTexture", Kind::Object(&TEXTURE_INFO)),
    may("clearcoatNormalTexture", Kind::Object(&NORMAL_TEXTURE)),
]);
static DISPERSION: Table = table(&[may("dispersion", Kind::Number(0.0, ALL))]);
static EMISSIVE_STRENGTH: Table = table(&[may("emissiveStrength", Kind::Number(0.0, ALL))]);
static IOR: Table = table(&[may("ior", Kind::Number(0.0, ALL))]);
static IRIDESCENCE: Table = table(&[
    may("iridescenceFactor", Kind::Number(0.0, 1.0)),
    may("iridescenceTexture", Kind::Object(&TEXTURE_INFO)),
    may("iridescenceIor", Kind::Number(1.0, ALL)),
    may("iridescenceThicknessMinimum", Kind::Number(0.0, ALL)),
    may("iridescenceThicknessMaximum", Kind::Number(0.0, ALL)),
    may("iridescenceThicknessTexture", Kind::Object(&TEXTURE_INFO)),
]);
static SHEEN: Table = table(&[
    may("sheenColorFactor", Kind::Numbers(&[3], 0.0, 1.0)),
    may("sheenColorTexture", Kind::Object(&TEXTURE_INFO)),
    may("sheenRoughnessFactor", Kind::Number(0.0, 1.0)),
    may("sheenRoughnessTexture", Kind::Object(&TEXTURE_INFO)),
]);
static SPECULAR: Table = table(&[
    may("specularFactor", Kind::Number(0.0, 1.0)),
    may("specularTexture", Kind::Object(&TEXTURE_INFO)),
    may("specularColorFactor", Kind::Numbers(&[3], 0.0, ALL)),
    may("specularColorTexture", Kind::Object(&TEXTURE_INFO)),
]);
static TRANSMISSION: Table =
    table(&[may("transmissionFactor", Kind::Number(0.0, 1.0)), may("transmissionTexture", Kind::Object(&TEXTURE_INFO))]);
static VOLUME: Table = table(&[
    may("thicknessFactor", Kind::Number(0.0, ALL)),
    may("thicknessTexture", Kind::Object(&TEXTURE_INFO)),
    may("attenuationDistance", Kind::Above(0.0)),
    may("attenuationColor", Kind::Numbers(&[3], 0.0, 1.0)),
]);
