//! Documents with one fault each, and the findings that are expected for them.

use serde_json::json;

use crate::common::gltf_builder::{self, Gltf};
use crate::sound::*;

/// A function that breaks the document, and the code and pointer of each expected finding.
pub type Case = (fn(&mut Gltf), &'static [(&'static str, &'static str)]);

pub const PRIMITIVE: &str = "/meshes/0/primitives/0";
const ATTRIBUTES: &str = "/meshes/0/primitives/0/attributes";

fn attribute(file: &mut Gltf, name: &str, value: serde_json::Value) {
    set(file, &format!("{ATTRIBUTES}/{name}"), value);
}

/// Faults in the structure of the document.
pub const SHAPE: &[Case] = &[
    (|f| set(f, "/nodes/1/translation", json!([0.0, 1.0])), &[("ARRAY_LENGTH_NOT_IN_LIST", "/nodes/1/translation")]),
    (|f| set(f, "/nodes/1/translation/1", json!("up")), &[("ARRAY_TYPE_MISMATCH", "/nodes/1/translation")]),
    (|f| set(f, "/scenes/0/nodes/-", json!(0)), &[("DUPLICATE_ELEMENTS", "/scenes/0/nodes/4")]),
    (|f| set(f, "/nodes/2/children", json!([])), &[("EMPTY_ENTITY", "/nodes/2/children")]),
    (
        |f| set(f, "/nodes/4/camera", json!(-1)),
        &[("INVALID_INDEX", "/nodes/4/camera"), ("NODE_EMPTY", "/nodes/4"), ("UNUSED_OBJECT", "/cameras/1")],
    ),
    (|f| set(f, "/images/0/uri", json!("other.png")), &[("ONE_OF_MISMATCH", "/images/0")]),
    (
        |f| set(f, "/cameras/0/orthographic", json!({"xmag": 1.0, "ymag": 1.0, "zfar": 1.0, "znear": 0.0})),
        &[("ONE_OF_MISMATCH", "/cameras/0")],
    ),
    (|f| set(f, "/asset/version", json!("2")), &[("PATTERN_MISMATCH", "/asset/version")]),
    (|f| set(f, "/nodes/1/name", json!(7)), &[("TYPE_MISMATCH", "/nodes/1/name")]),
    (|f| remove(f, "/cameras/0/perspective/znear"), &[("UNDEFINED_PROPERTY", "/cameras/0/perspective")]),
    (|f| set(f, "/nodes/1/color", json!("red")), &[("UNEXPECTED_PROPERTY", "/nodes/1/color")]),
    (|f| set(f, "/nodes/2/weights", json!([0.0])), &[("UNSATISFIED_DEPENDENCY", "/nodes/2/weights")]),
    (|f| remove(f, "/images/0/mimeType"), &[("UNSATISFIED_DEPENDENCY", "/images/0/bufferView")]),
    (
        |f| set(f, "/bufferViews/3/byteStride", json!(10)),
        &[("VALUE_MULTIPLE_OF", "/bufferViews/3/byteStride"), ("ACCESSOR_TOO_LONG", "/accessors/3")],
    ),
    (|f| set(f, "/samplers/0/wrapS", json!(1)), &[("VALUE_NOT_IN_LIST", "/samplers/0/wrapS")]),
    (|f| set(f, "/materials/0/alphaMode", json!("GLASS")), &[("VALUE_NOT_IN_LIST", "/materials/0/alphaMode")]),
    (|f| set(f, "/materials/0/alphaMode", json!("1e999")), &[("VALUE_NOT_IN_LIST", "/materials/0/alphaMode")]),
    (
        |f| set(f, "/animations/0/samplers/0/interpolation", json!("BOUNCY")),
        &[("VALUE_NOT_IN_LIST", "/animations/0/samplers/0/interpolation")],
    ),
    (|f| set(f, "/materials/0/emissiveFactor", json!([0.0, 2.0, 0.0])), &[("VALUE_NOT_IN_RANGE", "/materials/0/emissiveFactor/1")]),
    (|f| set(f, "/textures/0/sampler", json!(9)), &[("UNRESOLVED_REFERENCE", "/textures/0/sampler"), ("UNUSED_OBJECT", "/samplers/0")]),
    (|f| set(f, "/scene", json!(3)), &[("UNRESOLVED_REFERENCE", "/scene")]),
    (
        |f| set(f, "/animations/0/channels/0/sampler", json!(9)),
        &[("UNRESOLVED_REFERENCE", "/animations/0/channels/0/sampler"), ("UNUSED_OBJECT", "/animations/0/samplers/0")],
    ),
    (|f| set(f, "/nodes/1/extras", json!(7)), &[("NON_OBJECT_EXTRAS", "/nodes/1/extras")]),
    (|f| set(f, "/samplers/-", json!({"wrapT": 33071})), &[("UNUSED_OBJECT", "/samplers/1")]),
    (
        |f| remove(f, "/extensionsUsed"),
        &[("UNDECLARED_EXTENSION", "/extensions/KHR_lights_punctual"), ("UNDECLARED_EXTENSION", "/nodes/3/extensions/KHR_lights_punctual")],
    ),
    (
        |f| set(f, "/cameras/0/extensions", json!({"KHR_lights_punctual": {}})),
        &[("UNEXPECTED_EXTENSION_OBJECT", "/cameras/0/extensions/KHR_lights_punctual")],
    ),
    (|f| set(f, "/extensionsRequired", json!(["KHR_texture_transform"])), &[("UNUSED_EXTENSION_REQUIRED", "/extensionsRequired/0")]),
    (|f| set(f, "/extensionsUsed/-", json!("KHR_mesh_quantization")), &[("NON_REQUIRED_EXTENSION", "/extensionsUsed/1")]),
    (|f| set(f, "/extensionsUsed/-", json!("glow")), &[("INVALID_EXTENSION_NAME_FORMAT", "/extensionsUsed/1")]),
    (|f| set(f, "/asset", json!({"version": "3.0"})), &[("UNKNOWN_ASSET_MAJOR_VERSION", "/asset/version")]),
    (|f| set(f, "/asset", json!({"version": "2.1"})), &[("UNKNOWN_ASSET_MINOR_VERSION", "/asset/version")]),
    (|f| set(f, "/asset/minVersion", json!("2.1")), &[("ASSET_MIN_VERSION_GREATER_THAN_VERSION", "/asset/minVersion")]),
];

/// Faults of accessors and buffer views that are found without reading data.
pub const LAYOUT: &[Case] = &[
    (
        |f| set(f, "/accessors/9/byteOffset", json!(2)),
        &[
            ("ACCESSOR_MATRIX_ALIGNMENT", "/accessors/9/byteOffset"),
            ("ACCESSOR_OFFSET_ALIGNMENT", "/accessors/9/byteOffset"),
            ("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", "/accessors/9"),
            ("ACCESSOR_TOO_LONG", "/accessors/9"),
        ],
    ),
    (
        |f| set(f, "/accessors/0/normalized", json!(true)),
        &[
            ("ACCESSOR_NORMALIZED_INVALID", "/accessors/0/normalized"),
            ("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/attributes/POSITION"),
        ],
    ),
    (
        |f| set(f, "/accessors/7/byteOffset", json!(1)),
        &[
            ("ACCESSOR_OFFSET_ALIGNMENT", "/accessors/7/byteOffset"),
            ("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", "/accessors/7"),
            ("ACCESSOR_TOO_LONG", "/accessors/7"),
        ],
    ),
    (
        |f| {
            set(f, "/bufferViews/7/byteOffset", json!(f.json["bufferViews"][7]["byteOffset"].as_u64().unwrap() - 1));
        },
        &[("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", "/accessors/7"), ("ACCESSOR_INDEX_OOB", "/meshes/0/primitives/0/indices")],
    ),
    (
        |f| set(f, "/accessors/12/count", json!(4)),
        &[("ACCESSOR_TOO_LONG", "/accessors/12"), ("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", "/animations/0/channels/1/sampler")],
    ),
    (|f| set(f, "/bufferViews/1/byteStride", json!(8)), &[("ACCESSOR_SMALL_BYTESTRIDE", "/accessors/1")]),
    (
        |f| make_sparse(f, 3, &[0, 1, 2, 3]),
        &[("ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE", "/accessors/3/sparse/count"), ("ACCESSOR_SPARSE_INDEX_OOB", "/accessors/3/sparse")],
    ),
    (|f| make_sparse(f, 3, &[1, 0]), &[("ACCESSOR_SPARSE_INDICES_NON_INCREASING", "/accessors/3/sparse")]),
    (|f| make_sparse(f, 3, &[0, 7]), &[("ACCESSOR_SPARSE_INDEX_OOB", "/accessors/3/sparse")]),
    (
        |f| set(f, "/accessors/7/max", json!([70_000])),
        &[("INVALID_GL_VALUE", "/accessors/7/max"), ("ACCESSOR_MAX_MISMATCH", "/accessors/7/max/0")],
    ),
    (
        |f| set(f, "/accessors/0/min", json!([0.0])),
        &[
            ("ARRAY_LENGTH_NOT_IN_LIST", "/accessors/0/min"),
            ("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", "/meshes/0/primitives/0/attributes/POSITION"),
        ],
    ),
    (
        |f| set(f, "/bufferViews/3/byteStride", json!(28)),
        &[("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", "/bufferViews/3/byteStride"), ("ACCESSOR_TOO_LONG", "/accessors/3")],
    ),
    (
        |f| {
            set(f, "/bufferViews/7/byteStride", json!(4));
            set(f, "/bufferViews/7/byteLength", json!(12));
            set(f, "/bufferViews/7/target", json!(34963));
        },
        &[
            ("BUFFER_VIEW_INVALID_BYTE_STRIDE", "/bufferViews/7/byteStride"),
            ("MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE", "/meshes/0/primitives/0/indices"),
            ("ACCESSOR_INDEX_TRIANGLE_DEGENERATE", "/meshes/0/primitives/0/indices"),
        ],
    ),
    (|f| set(f, "/bufferViews/14/byteLength", json!(9_999)), &[("BUFFER_VIEW_TOO_LONG", "/bufferViews/14/byteLength")]),
    (|f| set(f, "/bufferViews/14/byteOffset", json!(99_999)), &[("BUFFER_VIEW_TOO_LONG", "/bufferViews/14/byteOffset")]),
    (|f| set(f, "/bufferViews/7/target", json!(34962)), &[("BUFFER_VIEW_TARGET_OVERRIDE", "/meshes/0/primitives/0/indices")]),
    (
        |f| set(f, "/animations/0/samplers/1/output", json!(8)),
        &[
            ("ACCESSOR_USAGE_OVERRIDE", "/animations/0/samplers/1/output"),
            ("BUFFER_VIEW_TARGET_OVERRIDE", "/animations/0/samplers/1/output"),
            ("UNUSED_OBJECT", "/accessors/12"),
        ],
    ),
    (|f| set(f, "/bufferViews/9/byteStride", json!(64)), &[("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", "/skins/0/inverseBindMatrices")]),
    (
        |f| set(f, "/bufferViews/12/byteStride", json!(12)),
        &[("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", "/animations/0/samplers/1/output")],
    ),
    (|f| set(f, "/bufferViews/14/byteStride", json!(4)), &[("IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE", "/images/0/bufferView")]),
    (
        |f| set(f, "/accessors/6/bufferView", json!(4)),
        &[
            ("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE", "/meshes/0/primitives/0/attributes/WEIGHTS_0"),
            ("UNUSED_OBJECT", "/bufferViews/6"),
            ("ACCESSOR_WEIGHTS_NON_NORMALIZED", "/meshes/0/primitives/0/attributes/WEIGHTS_0"),
            ("ACCESSOR_JOINTS_INDEX_DUPLICATE", "/meshes/0/primitives/0/attributes/JOINTS_0"),
        ],
    ),
];

/// Faults of meshes and of the objects that they use.
pub const MESH: &[Case] = &[
    (|f| set(f, "/meshes/0/weights", json!([0.0, 1.0])), &[("MESH_INVALID_WEIGHTS_COUNT", "/meshes/0/weights")]),
    (|f| set(f, &format!("{PRIMITIVE}/mode"), json!(9)), &[("VALUE_NOT_IN_RANGE", "/meshes/0/primitives/0/mode")]),
    (
        |f| {
            let second = json!({"attributes": {"POSITION": 0, "JOINTS_0": 5, "WEIGHTS_0": 6}});
            set(f, "/meshes/0/primitives/-", second);
        },
        &[("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", "/meshes/0/primitives/1")],
    ),
    (|f| attribute(f, "TEXCOORD_2", json!(3)), &[("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", ATTRIBUTES)]),
    (|f| attribute(f, "UV", json!(3)), &[("MESH_PRIMITIVE_INVALID_ATTRIBUTE", "/meshes/0/primitives/0/attributes/UV")]),
    (|f| attribute(f, "TEXCOORD", json!(3)), &[("MESH_PRIMITIVE_INVALID_ATTRIBUTE", "/meshes/0/primitives/0/attributes/TEXCOORD")]),
    (|f| attribute(f, "TEXCOORD_01", json!(3)), &[("MESH_PRIMITIVE_INVALID_ATTRIBUTE", "/meshes/0/primitives/0/attributes/TEXCOORD_01")]),
    (|f| attribute(f, "TEXCOORD_18446744073709551615", json!(3)), &[("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", ATTRIBUTES)]),
    (
        |f| remove(f, &format!("{ATTRIBUTES}/WEIGHTS_0")),
        &[
            ("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", ATTRIBUTES),
            ("NODE_SKIN_WITH_NON_SKINNED_MESH", "/nodes/0"),
            ("UNUSED_OBJECT", "/accessors/6"),
        ],
    ),
    (
        |f| {
            remove(f, &format!("{ATTRIBUTES}/POSITION"));
            remove(f, &format!("{PRIMITIVE}/targets"));
            remove(f, "/meshes/0/weights");
            set(f, "/animations/0/channels/2", json!({"sampler": 2, "target": {"path": "weights"}}));
        },
        &[("MESH_PRIMITIVE_NO_POSITION", ATTRIBUTES), ("UNUSED_OBJECT", "/accessors/0"), ("UNUSED_OBJECT", "/accessors/8")],
    ),
    (
        |f| {
            remove(f, &format!("{ATTRIBUTES}/NORMAL"));
            remove(f, "/materials/0/normalTexture");
        },
        &[
            ("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL", "/meshes/0/primitives/0/attributes/TANGENT"),
            ("UNUSED_MESH_TANGENT", "/meshes/0/primitives/0/attributes/TANGENT"),
            ("UNUSED_OBJECT", "/accessors/1"),
        ],
    ),
    (|f| remove(f, "/materials/0/normalTexture"), &[("UNUSED_MESH_TANGENT", "/meshes/0/primitives/0/attributes/TANGENT")]),
    (
        |f| remove(f, &format!("{ATTRIBUTES}/TANGENT")),
        &[("MESH_PRIMITIVE_GENERATED_TANGENT_SPACE", "/meshes/0/primitives/0/material"), ("UNUSED_OBJECT", "/accessors/2")],
    ),
    (
        |f| {
            remove(f, &format!("{ATTRIBUTES}/TANGENT"));
            remove(f, "/materials/0/normalTexture");
            set(f, "/materials/0/extensions", json!({"KHR_materials_clearcoat": {"clearcoatNormalTexture": {"index": 0}}}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_clearcoat"));
        },
        &[("MESH_PRIMITIVE_NO_TANGENT_SPACE", "/meshes/0/primitives/0/material"), ("UNUSED_OBJECT", "/accessors/2")],
    ),
    (
        |f| set(f, "/materials/0/normalTexture/texCoord", json!(1)),
        &[("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", "/meshes/0/primitives/0/material")],
    ),
    (|f| attribute(f, "COLOR_0", json!(1)), &[("UNUSED_OBJECT", "/accessors/4")]),
    (
        |f| attribute(f, "NORMAL", json!(4)),
        &[
            ("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/attributes/NORMAL"),
            ("UNUSED_OBJECT", "/accessors/1"),
        ],
    ),
    (
        |f| {
            let accessor = f.accessor(gltf_builder::UNSIGNED_INT, "SCALAR", 3, &[0; 12]);
            attribute(f, "_COUNTER", json!(accessor));
        },
        &[("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT", "/meshes/0/primitives/0/attributes/_COUNTER")],
    ),
    (
        |f| {
            let accessor = f.u8s("SCALAR", &[1, 2, 3]);
            attribute(f, "_COUNTER", json!(accessor));
        },
        &[("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", "/meshes/0/primitives/0/attributes/_COUNTER")],
    ),
    (
        |f| remove(f, "/accessors/0/min"),
        &[("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", "/meshes/0/primitives/0/attributes/POSITION")],
    ),
    (
        |f| set(f, "/accessors/3/count", json!(2)),
        &[("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", "/meshes/0/primitives/0/attributes/TEXCOORD_0")],
    ),
    (|f| set(f, "/accessors/7/count", json!(2)), &[("MESH_PRIMITIVE_INCOMPATIBLE_MODE", PRIMITIVE)]),
    (
        |f| set(f, "/accessors/7/componentType", json!(5122)),
        &[("MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT", "/meshes/0/primitives/0/indices")],
    ),
    (
        |f| set(f, "/accessors/8/count", json!(2)),
        &[("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", "/meshes/0/primitives/0/targets/0/POSITION")],
    ),
    (
        |f| {
            remove(f, &format!("{ATTRIBUTES}/COLOR_0"));
            set(f, &format!("{PRIMITIVE}/targets/0/COLOR_0"), json!(4));
        },
        &[("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", "/meshes/0/primitives/0/targets/0/COLOR_0")],
    ),
];

/// Faults of nodes, skins and animations.
pub const HIERARCHY: &[Case] = &[
    (|f| set(f, "/scenes/0/nodes/-", json!(2)), &[("SCENE_NON_ROOT_NODE", "/scenes/0/nodes/4")]),
    (
        |f| set(f, "/nodes/3/children", json!([2])),
        &[
            ("NODE_PARENT_OVERRIDE", "/nodes/3/children/0"),
            ("SKIN_NO_COMMON_ROOT", "/skins/0/joints"),
            ("SKIN_SKELETON_INVALID", "/skins/0/skeleton"),
        ],
    ),
    (
        |f| {
            set(f, "/nodes/-", json!({"children": [6]}));
            set(f, "/nodes/-", json!({"children": [5]}));
        },
        &[("NODE_LOOP", "/nodes/5"), ("NODE_LOOP", "/nodes/6")],
    ),
    (|f| set(f, "/nodes/2/rotation", json!([0.0, 0.0, 0.0, 0.5])), &[("ROTATION_NON_UNIT", "/nodes/2/rotation")]),
    (
        |f| set(f, "/nodes/2/matrix", json!(glam::Mat4::from_scale(glam::Vec3::splat(2.0)).to_cols_array())),
        &[("NODE_MATRIX_TRS", "/nodes/2/matrix")],
    ),
    (|f| set(f, "/nodes/4/matrix", json!(glam::Mat4::IDENTITY.to_cols_array())), &[("NODE_MATRIX_DEFAULT", "/nodes/4/matrix")]),
    (
        |f| {
            let mut matrix = glam::Mat4::IDENTITY.to_cols_array();
            matrix[4] = 1.0;
            set(f, "/nodes/4/matrix", json!(matrix));
        },
        &[("NODE_MATRIX_NON_TRS", "/nodes/4/matrix")],
    ),
    (
        |f| set(f, "/nodes/0/weights", json!([0.0, 1.0])),
        &[("NODE_WEIGHTS_INVALID", "/nodes/0/weights"), ("UNUSED_MESH_WEIGHTS", "/meshes/0/weights")],
    ),
    (
        |f| {
            set(f, "/nodes/-", json!({}));
            set(f, "/scenes/0/nodes/-", json!(5));
        },
        &[("NODE_EMPTY", "/nodes/5")],
    ),
    (|f| set(f, "/nodes/4/mesh", json!(0)), &[("NODE_SKINNED_MESH_WITHOUT_SKIN", "/nodes/4")]),
    (
        |f| {
            f.push("meshes", json!({"primitives": [{"attributes": {"POSITION": 0}}]}));
            set(f, "/nodes/4/mesh", json!(1));
            set(f, "/nodes/4/skin", json!(0));
        },
        &[("NODE_SKIN_WITH_NON_SKINNED_MESH", "/nodes/4")],
    ),
    (|f| set(f, "/nodes/0/translation", json!([1.0, 0.0, 0.0])), &[("NODE_SKINNED_MESH_LOCAL_TRANSFORMS", "/nodes/0")]),
    (
        |f| {
            set(f, "/nodes/4/children", json!([0]));
            set(f, "/scenes/0/nodes", json!([1, 3, 4]));
        },
        &[("NODE_SKINNED_MESH_NON_ROOT", "/nodes/0")],
    ),
    (|f| set(f, "/scenes/0/nodes", json!([0, 3, 4])), &[("NODE_SKIN_NO_SCENE", "/nodes/0")]),
    (
        |f| {
            remove(f, "/nodes/1/children");
            remove(f, "/skins/0/skeleton");
            set(f, "/scenes/0/nodes/-", json!(2));
        },
        &[("SKIN_NO_COMMON_ROOT", "/skins/0/joints")],
    ),
    (|f| set(f, "/skins/0/skeleton", json!(2)), &[("SKIN_SKELETON_INVALID", "/skins/0/skeleton")]),
    (
        |f| set(f, "/skins/0/inverseBindMatrices", json!(ROTATIONS)),
        &[
            ("SKIN_IBM_INVALID_FORMAT", "/skins/0/inverseBindMatrices"),
            ("ACCESSOR_USAGE_OVERRIDE", "/animations/0/samplers/0/output"),
            ("BUFFER_VIEW_TARGET_OVERRIDE", "/animations/0/samplers/0/output"),
            ("UNUSED_OBJECT", "/accessors/9"),
        ],
    ),
    (|f| set(f, "/accessors/9/count", json!(1)), &[("INVALID_IBM_ACCESSOR_COUNT", "/skins/0/inverseBindMatrices")]),
    (
        |f| {
            set(f, "/animations/0/channels/-", json!({"sampler": 0, "target": {"node": 1, "path": "rotation"}}));
        },
        &[("ANIMATION_DUPLICATE_TARGETS", "/animations/0/channels/0/target")],
    ),
    (
        |f| {
            remove(f, "/nodes/1/translation");
            set(f, "/nodes/1/matrix", json!(glam::Mat4::from_scale(glam::Vec3::splat(2.0)).to_cols_array()));
        },
        &[
            ("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", "/animations/0/channels/0/target"),
            ("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", "/animations/0/channels/1/target"),
        ],
    ),
    (
        |f| set(f, "/animations/0/channels/0/target/node", json!(0)),
        &[("ANIMATION_CHANNEL_TARGET_NODE_SKIN", "/animations/0/channels/0/target/path")],
    ),
    // A mesh without joints is drawn at its node, so the channel moves it.
    (
        |f| {
            set(f, "/animations/0/channels/0/target/node", json!(0));
            remove(f, &format!("{ATTRIBUTES}/JOINTS_0"));
            remove(f, &format!("{ATTRIBUTES}/WEIGHTS_0"));
        },
        &[("NODE_SKIN_WITH_NON_SKINNED_MESH", "/nodes/0"), ("UNUSED_OBJECT", "/accessors/5"), ("UNUSED_OBJECT", "/accessors/6")],
    ),
    (
        |f| set(f, "/animations/0/channels/2/target/node", json!(4)),
        &[("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", "/animations/0/channels/2/target")],
    ),
    (
        |f| {
            remove(f, "/accessors/10/min");
        },
        &[
            ("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", "/animations/0/samplers/0/input"),
            ("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", "/animations/0/samplers/1/input"),
            ("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", "/animations/0/samplers/2/input"),
        ],
    ),
    (
        |f| {
            let times = f.u16s("SCALAR", &[0, 1, 2]);
            set(f, &format!("/accessors/{times}/min"), json!([0]));
            set(f, &format!("/accessors/{times}/max"), json!([2]));
            set(f, "/animations/0/samplers/0/input", json!(times));
        },
        &[("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", "/animations/0/samplers/0/input")],
    ),
    (
        |f| {
            let times = f.floats("SCALAR", &[0.0]);
            set(f, &format!("/accessors/{times}/min"), json!([0.0]));
            set(f, &format!("/accessors/{times}/max"), json!([0.0]));
            set(f, "/animations/0/samplers/0/input", json!(times));
            set(f, "/animations/0/samplers/0/interpolation", json!("CUBICSPLINE"));
        },
        &[("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", "/animations/0/samplers/0/input")],
    ),
    (
        |f| set(f, "/animations/0/samplers/1/output", json!(ROTATIONS)),
        &[("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", "/animations/0/channels/1/sampler"), ("UNUSED_OBJECT", "/accessors/12")],
    ),
    (
        |f| set(f, "/accessors/12/count", json!(2)),
        &[("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", "/animations/0/channels/1/sampler")],
    ),
    (
        |f| {
            set(
                f,
                "/animations/0/channels/0/target",
                json!({"path": "rotation", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/1/rotation"}}}),
            );
            set(f, "/extensionsUsed/-", json!("KHR_animation_pointer"));
        },
        &[("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH", "/animations/0/channels/0/target/extensions/KHR_animation_pointer")],
    ),
    (
        |f| {
            set(
                f,
                "/animations/0/channels/0/target",
                json!({"path": "pointer", "node": 1, "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/1/rotation"}}}),
            );
            set(f, "/extensionsUsed/-", json!("KHR_animation_pointer"));
        },
        &[("KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE", "/animations/0/channels/0/target/extensions/KHR_animation_pointer")],
    ),
];
