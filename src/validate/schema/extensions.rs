//! Schema tables of supported extensions. [`crate::validate::schema`] lists them at the objects where they are allowed.

use crate::validate::schema::types::{ANY_INTEGER, ANY_NUMBER, ObjectSchema, PropertyKind, may, must, table};

/// An extension without properties.
const EMPTY: ObjectSchema = table(&[]);

/// KHR_lights_punctual at the root.
pub static LIGHTS: ObjectSchema = table(&[must("lights", PropertyKind::Objects(&LIGHT))]);
static LIGHT: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    may("color", PropertyKind::Numbers(&[3], 0.0, 1.0)),
    may("intensity", PropertyKind::Number(0.0, ANY_NUMBER)),
    must("type", PropertyKind::Word(&["directional", "point", "spot"])),
    may("range", PropertyKind::Above(0.0)),
    may("spot", PropertyKind::Object(&SPOT)),
]);
static SPOT: ObjectSchema = table(&[
    may("innerConeAngle", PropertyKind::Number(0.0, std::f64::consts::FRAC_PI_2)),
    may("outerConeAngle", PropertyKind::Number(0.0, std::f64::consts::FRAC_PI_2)),
]);
/// KHR_lights_punctual at a node.
pub static NODE_LIGHT: ObjectSchema = table(&[must("light", PropertyKind::Index("lights"))]);
/// KHR_node_visibility.
pub static VISIBILITY: ObjectSchema = table(&[may("visible", PropertyKind::Bool)]);
/// EXT_mesh_gpu_instancing: the translations, rotations and scales of the instances.
pub static INSTANCING: ObjectSchema = table(&[may("attributes", PropertyKind::Attributes)]);
/// KHR_animation_pointer at the target of a channel.
pub static ANIMATION_POINTER: ObjectSchema = table(&[must("pointer", PropertyKind::Pointer)]);
/// EXT_texture_webp and KHR_texture_basisu: an image in another format.
pub static TEXTURE_SOURCE: ObjectSchema = table(&[may("source", PropertyKind::Index("images"))]);
/// KHR_texture_transform. The rotation is in radians.
pub static TEXTURE_TRANSFORM: ObjectSchema = table(&[
    may("offset", PropertyKind::Numbers(&[2], -ANY_NUMBER, ANY_NUMBER)),
    may("rotation", PropertyKind::Number(-ANY_NUMBER, ANY_NUMBER)),
    may("scale", PropertyKind::Numbers(&[2], -ANY_NUMBER, ANY_NUMBER)),
    may("texCoord", PropertyKind::Integer(0, ANY_INTEGER)),
]);

/// Extensions of references to textures.
pub const TEXTURE_EXTENSIONS: &[(&str, &ObjectSchema)] = &[("KHR_texture_transform", &TEXTURE_TRANSFORM)];
/// A reference to a texture.
pub static TEXTURE_INFO: ObjectSchema = ObjectSchema {
    properties: &[must("index", PropertyKind::Index("textures")), may("texCoord", PropertyKind::Integer(0, ANY_INTEGER))],
    extensions: TEXTURE_EXTENSIONS,
};
/// A reference to a normal texture.
pub static NORMAL_TEXTURE: ObjectSchema = ObjectSchema {
    properties: &[
        must("index", PropertyKind::Index("textures")),
        may("texCoord", PropertyKind::Integer(0, ANY_INTEGER)),
        may("scale", PropertyKind::Number(-ANY_NUMBER, ANY_NUMBER)),
    ],
    extensions: TEXTURE_EXTENSIONS,
};

/// KHR_draco_mesh_compression. Its attributes are ids of the Draco data, not accessors.
pub static DRACO: ObjectSchema =
    table(&[must("bufferView", PropertyKind::Index("bufferViews")), must("attributes", PropertyKind::Anything)]);
/// The meshopt extensions at a buffer.
pub static MESHOPT_BUFFER: ObjectSchema = table(&[may("fallback", PropertyKind::Bool)]);
/// The meshopt extensions at a buffer view.
pub static MESHOPT: ObjectSchema = table(&[
    must("buffer", PropertyKind::Index("buffers")),
    may("byteOffset", PropertyKind::Integer(0, ANY_INTEGER)),
    must("byteLength", PropertyKind::Integer(1, ANY_INTEGER)),
    must("byteStride", PropertyKind::Integer(1, 256)),
    must("count", PropertyKind::Integer(1, ANY_INTEGER)),
    must("mode", PropertyKind::Word(&["ATTRIBUTES", "TRIANGLES", "INDICES"])),
    may("filter", PropertyKind::Word(&["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"])),
]);

/// KHR_materials_variants at the root.
pub static VARIANTS: ObjectSchema = table(&[must("variants", PropertyKind::Objects(&VARIANT))]);
static VARIANT: ObjectSchema = table(&[must("name", PropertyKind::Text)]);
/// KHR_materials_variants at a primitive.
pub static VARIANT_MAPPINGS: ObjectSchema = table(&[must("mappings", PropertyKind::Objects(&MAPPING))]);
static MAPPING: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    must("material", PropertyKind::Index("materials")),
    must("variants", PropertyKind::Indices("variants")),
]);

/// Extensions of materials.
pub const MATERIAL: &[(&str, &ObjectSchema)] = &[
    ("KHR_materials_anisotropy", &ANISOTROPY),
    ("KHR_materials_clearcoat", &CLEARCOAT),
    ("KHR_materials_diffuse_transmission", &DIFFUSE_TRANSMISSION),
    ("KHR_materials_dispersion", &DISPERSION),
    ("KHR_materials_emissive_strength", &EMISSIVE_STRENGTH),
    ("KHR_materials_ior", &IOR),
    ("KHR_materials_iridescence", &IRIDESCENCE),
    ("KHR_materials_pbrSpecularGlossiness", &SPECULAR_GLOSSINESS),
    ("KHR_materials_sheen", &SHEEN),
    ("KHR_materials_specular", &SPECULAR),
    ("KHR_materials_transmission", &TRANSMISSION),
    ("KHR_materials_unlit", &EMPTY),
    ("KHR_materials_volume", &VOLUME),
];
static ANISOTROPY: ObjectSchema = table(&[
    may("anisotropyStrength", PropertyKind::Number(0.0, 1.0)),
    may("anisotropyRotation", PropertyKind::Number(-ANY_NUMBER, ANY_NUMBER)),
    may("anisotropyTexture", PropertyKind::Object(&TEXTURE_INFO)),
]);
static CLEARCOAT: ObjectSchema = table(&[
    may("clearcoatFactor", PropertyKind::Number(0.0, 1.0)),
    may("clearcoatTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("clearcoatRoughnessFactor", PropertyKind::Number(0.0, 1.0)),
    may("clearcoatRoughnessTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("clearcoatNormalTexture", PropertyKind::Object(&NORMAL_TEXTURE)),
]);
static DIFFUSE_TRANSMISSION: ObjectSchema = table(&[
    may("diffuseTransmissionFactor", PropertyKind::Number(0.0, 1.0)),
    may("diffuseTransmissionTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("diffuseTransmissionColorFactor", PropertyKind::Numbers(&[3], 0.0, 1.0)),
    may("diffuseTransmissionColorTexture", PropertyKind::Object(&TEXTURE_INFO)),
]);
static DISPERSION: ObjectSchema = table(&[may("dispersion", PropertyKind::Number(0.0, ANY_NUMBER))]);
static EMISSIVE_STRENGTH: ObjectSchema = table(&[may("emissiveStrength", PropertyKind::Number(0.0, ANY_NUMBER))]);
static IOR: ObjectSchema = table(&[may("ior", PropertyKind::Number(0.0, ANY_NUMBER))]);
static IRIDESCENCE: ObjectSchema = table(&[
    may("iridescenceFactor", PropertyKind::Number(0.0, 1.0)),
    may("iridescenceTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("iridescenceIor", PropertyKind::Number(1.0, ANY_NUMBER)),
    may("iridescenceThicknessMinimum", PropertyKind::Number(0.0, ANY_NUMBER)),
    may("iridescenceThicknessMaximum", PropertyKind::Number(0.0, ANY_NUMBER)),
    may("iridescenceThicknessTexture", PropertyKind::Object(&TEXTURE_INFO)),
]);
static SHEEN: ObjectSchema = table(&[
    may("sheenColorFactor", PropertyKind::Numbers(&[3], 0.0, 1.0)),
    may("sheenColorTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("sheenRoughnessFactor", PropertyKind::Number(0.0, 1.0)),
    may("sheenRoughnessTexture", PropertyKind::Object(&TEXTURE_INFO)),
]);
static SPECULAR: ObjectSchema = table(&[
    may("specularFactor", PropertyKind::Number(0.0, 1.0)),
    may("specularTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("specularColorFactor", PropertyKind::Numbers(&[3], 0.0, ANY_NUMBER)),
    may("specularColorTexture", PropertyKind::Object(&TEXTURE_INFO)),
]);
static SPECULAR_GLOSSINESS: ObjectSchema = table(&[
    may("diffuseFactor", PropertyKind::Numbers(&[4], 0.0, 1.0)),
    may("diffuseTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("specularFactor", PropertyKind::Numbers(&[3], 0.0, 1.0)),
    may("glossinessFactor", PropertyKind::Number(0.0, 1.0)),
    may("specularGlossinessTexture", PropertyKind::Object(&TEXTURE_INFO)),
]);
static TRANSMISSION: ObjectSchema =
    table(&[may("transmissionFactor", PropertyKind::Number(0.0, 1.0)), may("transmissionTexture", PropertyKind::Object(&TEXTURE_INFO))]);
static VOLUME: ObjectSchema = table(&[
    may("thicknessFactor", PropertyKind::Number(0.0, ANY_NUMBER)),
    may("thicknessTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("attenuationDistance", PropertyKind::Above(0.0)),
    may("attenuationColor", PropertyKind::Numbers(&[3], 0.0, 1.0)),
]);
