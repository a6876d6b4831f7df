//! The glTF 2.0 schema as tables (glTF 2.0, section 5): the properties of each object, their types, and what they refer to.
//! [`crate::validate::schema::shape`] checks a document against them. `must` marks required properties, `may` optional ones.

pub mod declared;
pub mod extensions;
pub mod shape;
pub mod types;

use crate::validate::schema::extensions::{self as extension, NORMAL_TEXTURE, TEXTURE_EXTENSIONS, TEXTURE_INFO};
use crate::validate::schema::types::{ANY_INTEGER, ANY_NUMBER, ObjectSchema, PropertyKind, may, must, table};

/// The whole document. The other objects are reached from it.
pub static ROOT: ObjectSchema = ObjectSchema {
    properties: &[
        must("asset", PropertyKind::Object(&ASSET)),
        may("accessors", PropertyKind::Objects(&ACCESSOR)),
        may("animations", PropertyKind::Objects(&ANIMATION)),
        may("buffers", PropertyKind::Objects(&BUFFER)),
        may("bufferViews", PropertyKind::Objects(&BUFFER_VIEW)),
        may("cameras", PropertyKind::Objects(&CAMERA)),
        may("extensionsRequired", PropertyKind::Words),
        may("extensionsUsed", PropertyKind::Words),
        may("images", PropertyKind::Objects(&IMAGE)),
        may("materials", PropertyKind::Objects(&MATERIAL)),
        may("meshes", PropertyKind::Objects(&MESH)),
        may("nodes", PropertyKind::Objects(&NODE)),
        may("samplers", PropertyKind::Objects(&SAMPLER)),
        may("scene", PropertyKind::Index("scenes")),
        may("scenes", PropertyKind::Objects(&SCENE)),
        may("skins", PropertyKind::Objects(&SKIN)),
        may("textures", PropertyKind::Objects(&TEXTURE)),
    ],
    extensions: &[("KHR_lights_punctual", &extension::LIGHTS), ("KHR_materials_variants", &extension::VARIANTS)],
};

static ASSET: ObjectSchema = table(&[
    must("version", PropertyKind::Text),
    may("minVersion", PropertyKind::Text),
    may("generator", PropertyKind::Text),
    may("copyright", PropertyKind::Text),
]);

/// BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT and FLOAT.
const COMPONENT_TYPES: &[u64] = &[5120, 5121, 5122, 5123, 5125, 5126];

static ACCESSOR: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    may("bufferView", PropertyKind::Index("bufferViews")),
    may("byteOffset", PropertyKind::Integer(0, ANY_INTEGER)),
    must("componentType", PropertyKind::Code(COMPONENT_TYPES)),
    must("count", PropertyKind::Integer(1, ANY_INTEGER)),
    must("type", PropertyKind::Word(&["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"])),
    may("normalized", PropertyKind::Bool),
    may("min", PropertyKind::Numbers(&[], -ANY_NUMBER, ANY_NUMBER)),
    may("max", PropertyKind::Numbers(&[], -ANY_NUMBER, ANY_NUMBER)),
    may("sparse", PropertyKind::Object(&SPARSE)),
]);
static SPARSE: ObjectSchema = table(&[
    must("count", PropertyKind::Integer(1, ANY_INTEGER)),
    must("indices", PropertyKind::Object(&SPARSE_INDICES)),
    must("values", PropertyKind::Object(&SPARSE_VALUES)),
]);
static SPARSE_INDICES: ObjectSchema = table(&[
    must("bufferView", PropertyKind::Index("bufferViews")),
    may("byteOffset", PropertyKind::Integer(0, ANY_INTEGER)),
    must("componentType", PropertyKind::Code(&[5121, 5123, 5125])),
]);
static SPARSE_VALUES: ObjectSchema =
    table(&[must("bufferView", PropertyKind::Index("bufferViews")), may("byteOffset", PropertyKind::Integer(0, ANY_INTEGER))]);

static ANIMATION: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    must("channels", PropertyKind::Objects(&CHANNEL)),
    must("samplers", PropertyKind::Objects(&ANIMATION_SAMPLER)),
]);
// The index of a sampler refers to an array of the animation, so the check of animations looks it up.
static CHANNEL: ObjectSchema = table(&[must("sampler", PropertyKind::Index("")), must("target", PropertyKind::Object(&TARGET))]);
static TARGET: ObjectSchema = ObjectSchema {
    properties: &[
        may("node", PropertyKind::Index("nodes")),
        must("path", PropertyKind::Word(&["translation", "rotation", "scale", "weights", "pointer"])),
    ],
    extensions: &[("KHR_animation_pointer", &extension::ANIMATION_POINTER)],
};
static ANIMATION_SAMPLER: ObjectSchema = table(&[
    must("input", PropertyKind::Index("accessors")),
    may("interpolation", PropertyKind::Word(&["LINEAR", "STEP", "CUBICSPLINE"])),
    must("output", PropertyKind::Index("accessors")),
]);

static BUFFER: ObjectSchema = ObjectSchema {
    properties: &[
        may("name", PropertyKind::Text),
        may("uri", PropertyKind::Text),
        must("byteLength", PropertyKind::Integer(1, ANY_INTEGER)),
    ],
    extensions: &[("EXT_meshopt_compression", &extension::MESHOPT_BUFFER), ("KHR_meshopt_compression", &extension::MESHOPT_BUFFER)],
};
static BUFFER_VIEW: ObjectSchema = ObjectSchema {
    properties: &[
        may("name", PropertyKind::Text),
        must("buffer", PropertyKind::Index("buffers")),
        may("byteOffset", PropertyKind::Integer(0, ANY_INTEGER)),
        must("byteLength", PropertyKind::Integer(1, ANY_INTEGER)),
        may("byteStride", PropertyKind::Integer(4, 252)),
        // ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER.
        may("target", PropertyKind::Code(&[34962, 34963])),
    ],
    extensions: &[("EXT_meshopt_compression", &extension::MESHOPT), ("KHR_meshopt_compression", &extension::MESHOPT)],
};

static CAMERA: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    must("type", PropertyKind::Word(&["perspective", "orthographic"])),
    may("perspective", PropertyKind::Object(&PERSPECTIVE)),
    may("orthographic", PropertyKind::Object(&ORTHOGRAPHIC)),
]);
static PERSPECTIVE: ObjectSchema = table(&[
    may("aspectRatio", PropertyKind::Above(0.0)),
    must("yfov", PropertyKind::Above(0.0)),
    may("zfar", PropertyKind::Above(0.0)),
    must("znear", PropertyKind::Above(0.0)),
]);
static ORTHOGRAPHIC: ObjectSchema = table(&[
    must("xmag", PropertyKind::Number(-ANY_NUMBER, ANY_NUMBER)),
    must("ymag", PropertyKind::Number(-ANY_NUMBER, ANY_NUMBER)),
    must("zfar", PropertyKind::Above(0.0)),
    must("znear", PropertyKind::Number(0.0, ANY_NUMBER)),
]);

static IMAGE: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    may("uri", PropertyKind::Text),
    // Extensions allow more media types, so the check of images checks the value.
    may("mimeType", PropertyKind::Text),
    may("bufferView", PropertyKind::Index("bufferViews")),
]);
static TEXTURE: ObjectSchema = ObjectSchema {
    properties: &[
        may("name", PropertyKind::Text),
        may("sampler", PropertyKind::Index("samplers")),
        may("source", PropertyKind::Index("images")),
    ],
    extensions: &[("EXT_texture_webp", &extension::TEXTURE_SOURCE), ("KHR_texture_basisu", &extension::TEXTURE_SOURCE)],
};
static SAMPLER: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    // NEAREST, LINEAR; then the four filters with mipmaps.
    may("magFilter", PropertyKind::Code(&[9728, 9729])),
    may("minFilter", PropertyKind::Code(&[9728, 9729, 9984, 9985, 9986, 9987])),
    // CLAMP_TO_EDGE, MIRRORED_REPEAT, REPEAT.
    may("wrapS", PropertyKind::Code(&[33071, 33648, 10497])),
    may("wrapT", PropertyKind::Code(&[33071, 33648, 10497])),
]);

pub static MATERIAL: ObjectSchema = ObjectSchema {
    properties: &[
        may("name", PropertyKind::Text),
        may("pbrMetallicRoughness", PropertyKind::Object(&METALLIC_ROUGHNESS)),
        may("normalTexture", PropertyKind::Object(&NORMAL_TEXTURE)),
        may("occlusionTexture", PropertyKind::Object(&OCCLUSION_TEXTURE)),
        may("emissiveTexture", PropertyKind::Object(&TEXTURE_INFO)),
        may("emissiveFactor", PropertyKind::Numbers(&[3], 0.0, 1.0)),
        may("alphaMode", PropertyKind::Word(&["OPAQUE", "MASK", "BLEND"])),
        may("alphaCutoff", PropertyKind::Number(0.0, ANY_NUMBER)),
        may("doubleSided", PropertyKind::Bool),
    ],
    extensions: extension::MATERIAL,
};
static METALLIC_ROUGHNESS: ObjectSchema = table(&[
    may("baseColorFactor", PropertyKind::Numbers(&[4], 0.0, 1.0)),
    may("baseColorTexture", PropertyKind::Object(&TEXTURE_INFO)),
    may("metallicFactor", PropertyKind::Number(0.0, 1.0)),
    may("roughnessFactor", PropertyKind::Number(0.0, 1.0)),
    may("metallicRoughnessTexture", PropertyKind::Object(&TEXTURE_INFO)),
]);
static OCCLUSION_TEXTURE: ObjectSchema = ObjectSchema {
    properties: &[
        must("index", PropertyKind::Index("textures")),
        may("texCoord", PropertyKind::Integer(0, ANY_INTEGER)),
        may("strength", PropertyKind::Number(0.0, 1.0)),
    ],
    extensions: TEXTURE_EXTENSIONS,
};

static MESH: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    must("primitives", PropertyKind::Objects(&PRIMITIVE)),
    may("weights", PropertyKind::Numbers(&[], -ANY_NUMBER, ANY_NUMBER)),
]);
static PRIMITIVE: ObjectSchema = ObjectSchema {
    properties: &[
        must("attributes", PropertyKind::Attributes),
        may("indices", PropertyKind::Index("accessors")),
        may("material", PropertyKind::Index("materials")),
        may("mode", PropertyKind::Integer(0, 6)),
        may("targets", PropertyKind::Targets),
    ],
    extensions: &[("KHR_draco_mesh_compression", &extension::DRACO), ("KHR_materials_variants", &extension::VARIANT_MAPPINGS)],
};

static NODE: ObjectSchema = ObjectSchema {
    properties: &[
        may("name", PropertyKind::Text),
        may("camera", PropertyKind::Index("cameras")),
        may("children", PropertyKind::Indices("nodes")),
        may("skin", PropertyKind::Index("skins")),
        may("matrix", PropertyKind::Numbers(&[16], -ANY_NUMBER, ANY_NUMBER)),
        may("mesh", PropertyKind::Index("meshes")),
        may("rotation", PropertyKind::Numbers(&[4], -1.0, 1.0)),
        may("scale", PropertyKind::Numbers(&[3], -ANY_NUMBER, ANY_NUMBER)),
        may("translation", PropertyKind::Numbers(&[3], -ANY_NUMBER, ANY_NUMBER)),
        may("weights", PropertyKind::Numbers(&[], -ANY_NUMBER, ANY_NUMBER)),
    ],
    extensions: &[
        ("EXT_mesh_gpu_instancing", &extension::INSTANCING),
        ("KHR_lights_punctual", &extension::NODE_LIGHT),
        ("KHR_node_visibility", &extension::VISIBILITY),
    ],
};
static SCENE: ObjectSchema = table(&[may("name", PropertyKind::Text), may("nodes", PropertyKind::Indices("nodes"))]);
static SKIN: ObjectSchema = table(&[
    may("name", PropertyKind::Text),
    may("inverseBindMatrices", PropertyKind::Index("accessors")),
    may("skeleton", PropertyKind::Index("nodes")),
    must("joints", PropertyKind::Indices("nodes")),
]);
