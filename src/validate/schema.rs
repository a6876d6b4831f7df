//! The shape of a glTF 2.0 document as tables: which properties an object may have, of which kind, and what they refer to.
//! [`super::shape`] holds a document against them.

use super::schema_extensions as extension;

/// An object of the document.
#[derive(Debug)]
pub struct Table {
    pub properties: &'static [Property],
    /// The extensions that have their place here.
    pub extensions: &'static [(&'static str, &'static Table)],
}

#[derive(Debug)]
pub struct Property {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
}

#[derive(Debug)]
pub enum Kind {
    /// Of an element of this array of the root; of none that is known here if it is empty.
    Index(&'static str),
    /// Different ones.
    Indices(&'static str),
    /// Accessors by attribute.
    Attributes,
    /// The same, in an array.
    Targets,
    Integer(u64, u64),
    Code(&'static [u64]),
    Number(f64, f64),
    /// A number above this one.
    Above(f64),
    /// So many numbers (none given: any but 0), each between these.
    Numbers(&'static [usize], f64, f64),
    Bool,
    Text,
    Word(&'static [&'static str]),
    /// Different strings.
    Words,
    Object(&'static Table),
    Objects(&'static Table),
    Anything,
}

pub const ALL: f64 = f64::INFINITY;
const MOST: u64 = u64::MAX;

pub const fn may(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: false }
}

pub const fn must(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: true }
}

pub const fn table(properties: &'static [Property]) -> Table {
    Table { properties, extensions: &[] }
}

pub static ROOT: Table = Table {
    properties: &[
        must("asset", Kind::Object(&ASSET)),
        may("accessors", Kind::Objects(&ACCESSOR)),
        may("animations", Kind::Objects(&ANIMATION)),
        may("buffers", Kind::Objects(&BUFFER)),
        may("bufferViews", Kind::Objects(&BUFFER_VIEW)),
        may("cameras", Kind::Objects(&CAMERA)),
        may("extensionsRequired", Kind::Words),
        may("extensionsUsed", Kind::Words),
        may("images", Kind::Objects(&IMAGE)),
        may("materials", Kind::Objects(&MATERIAL)),
        may("meshes", Kind::Objects(&MESH)),
        may("nodes", Kind::Objects(&NODE)),
        may("samplers", Kind::Objects(&SAMPLER)),
        may("scene", Kind::Index("scenes")),
        may("scenes", Kind::Objects(&SCENE)),
        may("skins", Kind::Objects(&SKIN)),
        may("textures", Kind::Objects(&TEXTURE)),
    ],
    extensions: &[("KHR_lights_punctual", &extension::LIGHTS), ("KHR_materials_variants", &extension::VARIANTS)],
};

static ASSET: Table =
    table(&[must("version", Kind::Text), may("minVersion", Kind::Text), may("generator", Kind::Text), may("copyright", Kind::Text)]);

const COMPONENT_TYPES: &[u64] = &[5120, 5121, 5122, 5123, 5125, 5126];

static ACCESSOR: Table = table(&[
    may("name", Kind::Text),
    may("bufferView", Kind::Index("bufferViews")),
    may("byteOffset", Kind::Integer(0, MOST)),
    must("componentType", Kind::Code(COMPONENT_TYPES)),
    must("count", Kind::Integer(1, MOST)),
    must("type", Kind::Word(&["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"])),
    may("normalized", Kind::Bool),
    may("min", Kind::Numbers(&[], -ALL, ALL)),
    may("max", Kind::Numbers(&[], -ALL, ALL)),
    may("sparse", Kind::Object(&SPARSE)),
]);
static SPARSE: Table = table(&[
    must("count", Kind::Integer(1, MOST)),
    must("indices", Kind::Object(&SPARSE_INDICES)),
    must("values", Kind::Object(&SPARSE_VALUES)),
]);
static SPARSE_INDICES: Table = table(&[
    must("bufferView", Kind::Index("bufferViews")),
    may("byteOffset", Kind::Integer(0, MOST)),
    must("componentType", Kind::Code(&[5121, 5123, 5125])),
]);
static SPARSE_VALUES: Table = table(&[must("bufferView", Kind::Index("bufferViews")), may("byteOffset", Kind::Integer(0, MOST))]);

static ANIMATION: Table =
    table(&[may("name", Kind::Text), must("channels", Kind::Objects(&CHANNEL)), must("samplers", Kind::Objects(&ANIMATION_SAMPLER))]);
static CHANNEL: Table = table(&[must("sampler", Kind::Index("")), must("target", Kind::Object(&TARGET))]);
static TARGET: Table = Table {
    properties: &[may("node", Kind::Index("nodes")), must("path", Kind::Word(&["translation", "rotation", "scale", "weights", "pointer"]))],
    extensions: &[("KHR_animation_pointer", &extension::ANIMATION_POINTER)],
};
static ANIMATION_SAMPLER: Table = table(&[
    must("input", Kind::Index("accessors")),
    may("interpolation", Kind::Word(&["LINEAR", "STEP", "CUBICSPLINE"])),
    must("output", Kind::Index("accessors")),
]);

static BUFFER: Table = Table {
    properties: &[may("name", Kind::Text), may("uri", Kind::Text), must("byteLength", Kind::Integer(1, MOST))],
    extensions: &[("EXT_meshopt_compression", &extension::MESHOPT_BUFFER), ("KHR_meshopt_compression", &extension::MESHOPT_BUFFER)],
};
static BUFFER_VIEW: Table = Table {
    properties: &[
        may("name", Kind::Text),
        must("buffer", Kind::Index("buffers")),
        may("byteOffset", Kind::Integer(0, MOST)),
        must("byteLength", Kind::Integer(1, MOST)),
        may("byteStride", Kind::Integer(4, 252)),
        may("target", Kind::Code(&[34962, 34963])),
    ],
    extensions: &[("EXT_meshopt_compression", &extension::MESHOPT), ("KHR_meshopt_compression", &extension::MESHOPT)],
};

static CAMERA: Table = table(&[
    may("name", Kind::Text),
    must("type", Kind::Word(&["perspective", "orthographic"])),
    may("perspective", Kind::Object(&PERSPECTIVE)),
    may("orthographic", Kind::Object(&ORTHOGRAPHIC)),
]);
static PERSPECTIVE: Table = table(&[
    may("aspectRatio", Kind::Above(0.0)),
    must("yfov", Kind::Above(0.0)),
    may("zfar", Kind::Above(0.0)),
    must("znear", Kind::Above(0.0)),
]);
static ORTHOGRAPHIC: Table = table(&[
    must("xmag", Kind::Number(-ALL, ALL)),
    must("ymag", Kind::Number(-ALL, ALL)),
    must("zfar", Kind::Above(0.0)),
    must("znear", Kind::Number(0.0, ALL)),
]);

static IMAGE: Table =
    table(&[may("name", Kind::Text), may("uri", Kind::Text), may("mimeType", Kind::Text), may("bufferView", Kind::Index("bufferViews"))]);
static TEXTURE: Table = Table {
    properties: &[may("name", Kind::Text), may("sampler", Kind::Index("samplers")), may("source", Kind::Index("images"))],
    extensions: &[("EXT_texture_webp", &extension::TEXTURE_SOURCE), ("KHR_texture_basisu", &extension::TEXTURE_SOURCE)],
};
static SAMPLER: Table = table(&[
    may("name", Kind::Text),
    may("magFilter", Kind::Code(&[9728, 9729])),
    may("minFilter", Kind::Code(&[9728, 9729, 9984, 9985, 9986, 9987])),
    may("wrapS", Kind::Code(&[33071, 33648, 10497])),
    may("wrapT", Kind::Code(&[33071, 33648, 10497])),
]);

static MATERIAL: Table = Table {
    properties: &[
        may("name", Kind::Text),
        may("pbrMetallicRoughness", Kind::Object(&METALLIC_ROUGHNESS)),
        may("normalTexture", Kind::Object(&NORMAL_TEXTURE)),
        may("occlusionTexture", Kind::Object(&OCCLUSION_TEXTURE)),
        may("emissiveTexture", Kind::Object(&TEXTURE_INFO)),
        may("emissiveFactor", Kind::Numbers(&[3], 0.0, 1.0)),
        may("alphaMode", Kind::Word(&["OPAQUE", "MASK", "BLEND"])),
        may("alphaCutoff", Kind::Number(0.0, ALL)),
        may("doubleSided", Kind::Bool),
    ],
    extensions: extension::MATERIAL,
};
static METALLIC_ROUGHNESS: Table = table(&[
    may("baseColorFactor", Kind::Numbers(&[4], 0.0, 1.0)),
    may("baseColorTexture", Kind::Object(&TEXTURE_INFO)),
    may("metallicFactor", Kind::Number(0.0, 1.0)),
    may("roughnessFactor", Kind::Number(0.0, 1.0)),
    may("metallicRoughnessTexture", Kind::Object(&TEXTURE_INFO)),
]);
const TEXTURE_TRANSFORM: &[(&str, &Table)] = &[("KHR_texture_transform", &extension::TEXTURE_TRANSFORM)];
pub static TEXTURE_INFO: Table =
    Table { properties: &[must("index", Kind::Index("textures")), may("texCoord", Kind::Integer(0, MOST))], extensions: TEXTURE_TRANSFORM };
pub static NORMAL_TEXTURE: Table = Table {
    properties: &[must("index", Kind::Index("textures")), may("texCoord", Kind::Integer(0, MOST)), may("scale", Kind::Number(-ALL, ALL))],
    extensions: TEXTURE_TRANSFORM,
};
static OCCLUSION_TEXTURE: Table = Table {
    properties: &[must("index", Kind::Index("textures")), may("texCoord", Kind::Integer(0, MOST)), may("strength", Kind::Number(0.0, 1.0))],
    extensions: TEXTURE_TRANSFORM,
};

static MESH: Table =
    table(&[may("name", Kind::Text), must("primitives", Kind::Objects(&PRIMITIVE)), may("weights", Kind::Numbers(&[], -ALL, ALL))]);
static PRIMITIVE: Table = Table {
    properties: &[
        must("attributes", Kind::Attributes),
        may("indices", Kind::Index("accessors")),
        may("material", Kind::Index("materials")),
        may("mode", Kind::Integer(0, 6)),
        may("targets", Kind::Targets),
    ],
    extensions: &[("KHR_draco_mesh_compression", &extension::DRACO), ("KHR_materials_variants", &extension::VARIANT_MAPPINGS)],
};

static NODE: Table = Table {
    properties: &[
        may("name", Kind::Text),
        may("camera", Kind::Index("cameras")),
        may("children", Kind::Indices("nodes")),
        may("skin", Kind::Index("skins")),
        may("matrix", Kind::Numbers(&[16], -ALL, ALL)),
        may("mesh", Kind::Index("meshes")),
        may("rotation", Kind::Numbers(&[4], -1.0, 1.0)),
        may("scale", Kind::Numbers(&[3], -ALL, ALL)),
        may("translation", Kind::Numbers(&[3], -ALL, ALL)),
        may("weights", Kind::Numbers(&[], -ALL, ALL)),
    ],
    extensions: &[("KHR_lights_punctual", &extension::NODE_LIGHT), ("KHR_node_visibility", &extension::VISIBILITY)],
};
static SCENE: Table = table(&[may("name", Kind::Text), may("nodes", Kind::Indices("nodes"))]);
static SKIN: Table = table(&[
    may("name", Kind::Text),
    may("inverseBindMatrices", Kind::Index("accessors")),
    may("skeleton", Kind::Index("nodes")),
    must("joints", Kind::Indices("nodes")),
]);
