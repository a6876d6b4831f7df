//! Values of wrong types: elements of arrays, missing values, extensions, and numbers beyond the range of f64.

use serde_json::json;

use crate::cases::Case;
use crate::common::gltf_builder::Gltf;
use crate::sound::*;

const UNUSED_LIGHT: (&str, &str) = ("UNUSED_OBJECT", "/extensions/KHR_lights_punctual/lights/0");

pub const TYPES: &[Case] = &[
    (|f| set(f, "/asset/generator", json!(null)), &[("TYPE_MISMATCH", "/asset/generator")]),
    (
        |f| set(f, "/cameras/0/perspective/znear", json!(null)),
        &[("TYPE_MISMATCH", "/cameras/0/perspective/znear"), ("UNDEFINED_PROPERTY", "/cameras/0/perspective")],
    ),
    (|f| set(f, "/nodes/1/translation", json!([])), &[("EMPTY_ENTITY", "/nodes/1/translation")]),
    (|f| set(f, "/scenes/0/nodes/-", json!("hip")), &[("INVALID_INDEX", "/scenes/0/nodes/4")]),
    (|f| set(f, "/scenes/0/nodes/-", json!(-1)), &[("INVALID_INDEX", "/scenes/0/nodes/4")]),
    (|f| set(f, "/scenes/0/nodes/-", json!(1e300)), &[("UNRESOLVED_REFERENCE", "/scenes/0/nodes/4")]),
    (
        |f| set(f, "/meshes/0/primitives/0/attributes/_COUNTER", json!(null)),
        &[("INVALID_INDEX", "/meshes/0/primitives/0/attributes/_COUNTER")],
    ),
    (|f| set(f, "/animations/0/channels/-", json!(7)), &[("ARRAY_TYPE_MISMATCH", "/animations/0/channels")]),
    (
        |f| set(f, "/extensions/KHR_lights_punctual/lights/-", json!("sun")),
        &[("ARRAY_TYPE_MISMATCH", "/extensions/KHR_lights_punctual/lights")],
    ),
    (
        |f| {
            set(f, "/meshes/0/primitives/0/targets/-", json!(7));
            remove(f, "/meshes/0/weights");
            set(f, "/animations/0/channels/2", json!({"sampler": 2, "target": {"path": "weights"}}));
        },
        &[("ARRAY_TYPE_MISMATCH", "/meshes/0/primitives/0/targets")],
    ),
    // For an array at the top level of the document, the element is reported.
    (|f| set(f, "/materials/-", json!(7)), &[("TYPE_MISMATCH", "/materials/1")]),
    (|f| set(f, "/extensionsUsed/-", json!(7)), &[("ARRAY_TYPE_MISMATCH", "/extensionsUsed/1")]),
    (|f| set(f, "/samplers/0/wrapS", json!(-1)), &[("VALUE_NOT_IN_LIST", "/samplers/0/wrapS")]),
    (|f| set(f, "/samplers/0/wrapS", json!(0.5)), &[("TYPE_MISMATCH", "/samplers/0/wrapS")]),
];

/// Faults of values that depend on other values.
pub const DEPENDENCIES: &[Case] = &[
    (|f| remove(f, "/extensions"), &[("UNSATISFIED_DEPENDENCY", "/nodes/3/extensions/KHR_lights_punctual")]),
    (
        |f| {
            let mappings = json!({"mappings": [{"material": 0, "variants": [0]}]});
            set(f, "/meshes/0/primitives/0/extensions", json!({"KHR_materials_variants": mappings}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_variants"));
        },
        &[("UNSATISFIED_DEPENDENCY", "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/0")],
    ),
    (
        |f| {
            let mappings = json!({"mappings": [{"material": 0, "variants": [0, 1]}]});
            set(f, "/extensions/KHR_materials_variants", json!({"variants": [{"name": "red"}]}));
            set(f, "/meshes/0/primitives/0/extensions", json!({"KHR_materials_variants": mappings}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_variants"));
        },
        &[("UNRESOLVED_REFERENCE", "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/0/variants/1")],
    ),
    (
        |f| set(f, "/images/0/mimeType", json!(7)),
        &[("TYPE_MISMATCH", "/images/0/mimeType"), ("UNSATISFIED_DEPENDENCY", "/images/0/bufferView")],
    ),
    (
        |f| set(f, "/images/0", json!({"uri": 7})),
        &[("TYPE_MISMATCH", "/images/0/uri"), ("ONE_OF_MISMATCH", "/images/0"), ("UNUSED_OBJECT", "/bufferViews/14")],
    ),
    (
        |f| set(f, "/images/0/mimeType", json!("image/gif")),
        &[
            ("VALUE_NOT_IN_LIST", "/images/0/mimeType"),
            ("IMAGE_MIME_TYPE_INVALID", "/images/0/bufferView"),
            ("TEXTURE_INVALID_IMAGE_MIME_TYPE", "/textures/0/source"),
        ],
    ),
    (
        |f| {
            set(f, "/skins/0/joints", json!(["hip"]));
            remove(f, "/skins/0/skeleton");
        },
        &[
            ("INVALID_INDEX", "/skins/0/joints/0"),
            ("SKIN_NO_COMMON_ROOT", "/skins/0/joints"),
            ("NODE_EMPTY", "/nodes/2"),
            ("ACCESSOR_JOINTS_INDEX_OOB", "/meshes/0/primitives/0/attributes/JOINTS_0"),
            ("ACCESSOR_WEIGHTS_NON_NORMALIZED", "/meshes/0/primitives/0/attributes/WEIGHTS_0"),
        ],
    ),
    (
        |f| set(f, "/extensions/KHR_lights_punctual/lights/0/type", json!(7)),
        &[
            ("TYPE_MISMATCH", "/extensions/KHR_lights_punctual/lights/0/type"),
            ("EXTRA_PROPERTY", "/extensions/KHR_lights_punctual/lights/0/spot"),
        ],
    ),
];

pub const EXTENSIONS: &[Case] = &[
    (
        |f| {
            let diffuse = json!({"diffuseTransmissionFactor": 2, "diffuseTransmissionColorFactor": [1, 1], "thickness": 1});
            set(f, "/materials/0/extensions", json!({"KHR_materials_diffuse_transmission": diffuse}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_diffuse_transmission"));
        },
        &[
            ("ARRAY_LENGTH_NOT_IN_LIST", "/materials/0/extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor"),
            ("UNEXPECTED_PROPERTY", "/materials/0/extensions/KHR_materials_diffuse_transmission/thickness"),
            ("VALUE_NOT_IN_RANGE", "/materials/0/extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor"),
        ],
    ),
    (
        |f| {
            set(f, "/nodes/3/extensions/EXT_mesh_gpu_instancing", json!({"attributes": {"TRANSLATION": 99}}));
            set(f, "/extensionsUsed/-", json!("EXT_mesh_gpu_instancing"));
        },
        &[("UNRESOLVED_REFERENCE", "/nodes/3/extensions/EXT_mesh_gpu_instancing/attributes/TRANSLATION")],
    ),
    (
        |f| set(f, "/nodes/3/extensions/KHR_lights_punctual", json!(7)),
        &[
            ("TYPE_MISMATCH", "/nodes/3/extensions/KHR_lights_punctual"),
            ("UNDEFINED_PROPERTY", "/nodes/3/extensions/KHR_lights_punctual"),
            UNUSED_LIGHT,
        ],
    ),
    (
        |f| {
            set(f, "/extensions/ACME_anvil", json!("heavy"));
            set(f, "/extensionsUsed/-", json!("ACME_anvil"));
        },
        &[("TYPE_MISMATCH", "/extensions/ACME_anvil")],
    ),
    (
        |f| set(f, "/cameras/0/extensions", json!({"KHR_lights_punctual": 7})),
        &[
            ("TYPE_MISMATCH", "/cameras/0/extensions/KHR_lights_punctual"),
            ("UNEXPECTED_EXTENSION_OBJECT", "/cameras/0/extensions/KHR_lights_punctual"),
        ],
    ),
    (
        |f| {
            set(f, "/extensions/KHR_mesh_quantization", json!({}));
            set(f, "/extensionsUsed/-", json!("KHR_mesh_quantization"));
            set(f, "/extensionsRequired", json!(["KHR_mesh_quantization"]));
        },
        &[("UNEXPECTED_EXTENSION_OBJECT", "/extensions/KHR_mesh_quantization")],
    ),
];

pub const POINTERS: &[Case] = &[
    (|f| point(f, "nodes/1/rotation"), &[("PATTERN_MISMATCH", POINTER)]),
    (|f| point(f, "/nodes/1/rotation~2"), &[("PATTERN_MISMATCH", POINTER)]),
    (|f| point(f, "/nodes/1~0~1/rotation"), &[]),
];
const POINTER: &str = "/animations/0/channels/0/target/extensions/KHR_animation_pointer/pointer";

/// Makes a channel follow a JSON pointer.
fn point(file: &mut Gltf, pointer: &str) {
    let extensions = json!({"KHR_animation_pointer": {"pointer": pointer}});
    set(file, "/animations/0/channels/0/target", json!({"path": "pointer", "extensions": extensions}));
    set(file, "/extensionsUsed/-", json!("KHR_animation_pointer"));
}

/// A fault that is made by editing the text of the document: the text to replace, its replacement, and the expected findings.
type TextCase = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Faults of numbers and strings that `serde_json` cannot write. The text to replace occurs once in the document that the builder writes.
pub const UNWRITABLE: &[TextCase] = &[
    (r#""znear":0.125"#, r#""znear":1e999"#, &[("VALUE_NOT_IN_RANGE", "/cameras/0/perspective/znear")]),
    (r#""znear":0.125"#, r#""znear":-1E+400"#, &[("VALUE_NOT_IN_RANGE", "/cameras/0/perspective/znear")]),
    (r#""znear":0.125"#, r#""znear":1e-999"#, &[("VALUE_NOT_IN_RANGE", "/cameras/0/perspective/znear")]),
    (
        r#""translation":[0.0,1.0,0.0]"#,
        r#""translation":[1e309,-1e309,0.0]"#,
        &[("VALUE_NOT_IN_RANGE", "/nodes/1/translation/0"), ("VALUE_NOT_IN_RANGE", "/nodes/1/translation/1")],
    ),
    // Strings are no numbers, and numbers are no strings.
    (r#""znear":0.125"#, r#""znear":"1e999""#, &[("TYPE_MISMATCH", "/cameras/0/perspective/znear")]),
    (r#""version":"2.0""#, r#""version":"2.0","generator":1e999"#, &[("TYPE_MISMATCH", "/asset/generator")]),
    (r#""nodes":[0,1,3,4]"#, r#""nodes":[0,1,3,4,1e999]"#, &[("INVALID_INDEX", "/scenes/0/nodes/4")]),
    (
        r#""extensionsUsed":["KHR_lights_punctual"]"#,
        r#""extensionsUsed":["KHR_lights_punctual",1e999],"extensionsRequired":[2e999]"#,
        &[("ARRAY_TYPE_MISMATCH", "/extensionsRequired/0"), ("ARRAY_TYPE_MISMATCH", "/extensionsUsed/1")],
    ),
    (r#""skeleton":1"#, r#""skeleton":1,"extras":{"price":1e999}"#, &[]),
    (r#""skeleton":1"#, r#""skeleton":1,"name":"1e999 \" 1e999""#, &[]),
    (r#""skeleton":1"#, r#""skeleton":1,"extras":{"price":1.e999}"#, &[("INVALID_JSON", "")]),
    (r#""skeleton":1"#, r#""skeleton":1e999"#, &[("TYPE_MISMATCH", "/skins/0/skeleton")]),
    // Half of a surrogate pair is replaced, and the rest is still checked.
    (r#""skeleton":1"#, r#""skeleton":"1","name":"\ud800""#, &[("INVALID_JSON", ""), ("TYPE_MISMATCH", "/skins/0/skeleton")]),
];
