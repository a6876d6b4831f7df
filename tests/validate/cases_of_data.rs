//! Documents with one fault each in numbers, images, materials, cameras or lights.

use serde_json::json;

use crate::cases::Case;
use crate::sound::*;

const HALF: [u8; 4] = 0.5f32.to_le_bytes();
const MINUS_ONE: [u8; 4] = (-1.0f32).to_le_bytes();

/// Faults of numbers that are not valid for their use.
pub const DATA: &[Case] = &[
    (|f| write(f, NORMAL, 0, &f32::NAN.to_le_bytes()), &[("ACCESSOR_INVALID_FLOAT", "/accessors/1")]),
    (|f| set(f, "/accessors/0/min/0", json!(-1.0)), &[("ACCESSOR_MIN_MISMATCH", "/accessors/0/min/0")]),
    (|f| set(f, "/accessors/0/max/1", json!(3.0)), &[("ACCESSOR_MAX_MISMATCH", "/accessors/0/max/1")]),
    (
        |f| write(f, POSITION, 0, &MINUS_ONE),
        &[("ACCESSOR_MIN_MISMATCH", "/accessors/0/min/0"), ("ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", "/accessors/0/min/0")],
    ),
    (
        |f| write(f, POSITION, 3, &2.0f32.to_le_bytes()),
        &[("ACCESSOR_MAX_MISMATCH", "/accessors/0/max/0"), ("ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", "/accessors/0/max/0")],
    ),
    (|f| write(f, NORMAL, 2, &HALF), &[("ACCESSOR_VECTOR3_NON_UNIT", "/meshes/0/primitives/0/attributes/NORMAL")]),
    (|f| write(f, TANGENT, 3, &HALF), &[("ACCESSOR_INVALID_SIGN", "/meshes/0/primitives/0/attributes/TANGENT")]),
    (|f| write(f, COLOR, 1, &2.0f32.to_le_bytes()), &[("ACCESSOR_NON_CLAMPED", "/meshes/0/primitives/0/attributes/COLOR_0")]),
    (|f| write(f, INDICES, 1, &3u16.to_le_bytes()), &[("ACCESSOR_INDEX_OOB", "/meshes/0/primitives/0/indices")]),
    (
        |f| write(f, INDICES, 1, &u16::MAX.to_le_bytes()),
        &[("ACCESSOR_INDEX_OOB", "/meshes/0/primitives/0/indices"), ("ACCESSOR_INDEX_PRIMITIVE_RESTART", "/meshes/0/primitives/0/indices")],
    ),
    (|f| write(f, INDICES, 1, &0u16.to_le_bytes()), &[("ACCESSOR_INDEX_TRIANGLE_DEGENERATE", "/meshes/0/primitives/0/indices")]),
    (
        |f| write(f, JOINTS, 0, &[2]),
        &[
            ("ACCESSOR_JOINTS_INDEX_OOB", "/meshes/0/primitives/0/attributes/JOINTS_0"),
            ("ACCESSOR_WEIGHTS_NON_NORMALIZED", "/meshes/0/primitives/0/attributes/WEIGHTS_0"),
        ],
    ),
    (|f| write(f, JOINTS, 2, &[1]), &[("ACCESSOR_JOINTS_USED_ZERO_WEIGHT", "/meshes/0/primitives/0/attributes/JOINTS_0")]),
    (
        |f| write(f, JOINTS, 0, &[1]),
        &[
            ("ACCESSOR_JOINTS_INDEX_DUPLICATE", "/meshes/0/primitives/0/attributes/JOINTS_0"),
            ("ACCESSOR_WEIGHTS_NON_NORMALIZED", "/meshes/0/primitives/0/attributes/WEIGHTS_0"),
        ],
    ),
    (
        |f| write(f, WEIGHTS, 0, &1.0f32.to_le_bytes()),
        &[("ACCESSOR_WEIGHTS_NON_NORMALIZED", "/meshes/0/primitives/0/attributes/WEIGHTS_0")],
    ),
    (
        |f| write(f, WEIGHTS, 0, &MINUS_ONE),
        &[
            ("ACCESSOR_WEIGHTS_NEGATIVE", "/meshes/0/primitives/0/attributes/WEIGHTS_0"),
            ("ACCESSOR_WEIGHTS_NON_NORMALIZED", "/meshes/0/primitives/0/attributes/WEIGHTS_0"),
        ],
    ),
    (|f| write(f, MATRICES, 15, &HALF), &[("ACCESSOR_INVALID_IBM", "/skins/0/inverseBindMatrices")]),
    (
        |f| {
            write(f, TIMES, 0, &MINUS_ONE);
            set(f, "/accessors/10/min/0", json!(-1.0));
        },
        &[
            ("ACCESSOR_ANIMATION_INPUT_NEGATIVE", "/animations/0/samplers/0/input"),
            ("ACCESSOR_ANIMATION_INPUT_NEGATIVE", "/animations/0/samplers/1/input"),
            ("ACCESSOR_ANIMATION_INPUT_NEGATIVE", "/animations/0/samplers/2/input"),
        ],
    ),
    (
        |f| write(f, TIMES, 1, &1.0f32.to_le_bytes()),
        &[
            ("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "/animations/0/samplers/0/input"),
            ("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "/animations/0/samplers/1/input"),
            ("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "/animations/0/samplers/2/input"),
        ],
    ),
    (
        |f| write(f, ROTATIONS, 3, &HALF),
        &[("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", "/animations/0/channels/0/sampler")],
    ),
];

/// Faults of images, materials, cameras and lights.
pub const LOOKS: &[Case] = &[
    (|f| set(f, "/images/0/mimeType", json!("image/jpeg")), &[("IMAGE_MIME_TYPE_INVALID", "/images/0/bufferView")]),
    (|f| set(f, "/bufferViews/14/byteLength", json!(4)), &[("IMAGE_UNRECOGNIZED_FORMAT", "/images/0")]),
    (
        |f| {
            let webp = f.view(&picture(image::ImageFormat::WebP));
            set(f, "/images/0", json!({"bufferView": webp, "mimeType": "image/webp"}));
            set(f, "/extensionsUsed/-", json!("EXT_texture_webp"));
        },
        &[("TEXTURE_INVALID_IMAGE_MIME_TYPE", "/textures/0/source"), ("UNUSED_OBJECT", "/bufferViews/14")],
    ),
    (
        |f| {
            let webp = f.view(&picture(image::ImageFormat::WebP));
            set(f, "/images/0", json!({"bufferView": webp, "mimeType": "image/webp"}));
        },
        &[
            ("IMAGE_NON_ENABLED_MIME_TYPE", "/images/0"),
            ("VALUE_NOT_IN_LIST", "/images/0/mimeType"),
            ("TEXTURE_INVALID_IMAGE_MIME_TYPE", "/textures/0/source"),
            ("UNUSED_OBJECT", "/bufferViews/14"),
        ],
    ),
    (
        |f| {
            // After the header, insert a chunk that makes pixels twice as dense in one direction.
            let mut png = picture(image::ImageFormat::Png);
            let density = [&[0, 0, 0, 9][..], b"pHYs", &[0, 0, 1, 0, 0, 0, 2, 0, 1], &[0, 0, 0, 0]].concat();
            png.splice(33..33, density);
            let view = f.view(&png);
            set(f, "/images/0/bufferView", json!(view));
        },
        &[("IMAGE_FEATURES_UNSUPPORTED", "/images/0"), ("UNUSED_OBJECT", "/bufferViews/14")],
    ),
    (
        |f| {
            // A color profile that is longer than the part of the image that is read.
            let mut png = picture(image::ImageFormat::Png);
            let profile = [&70_000u32.to_be_bytes()[..], b"iCCP", &[1; 70_000 + 4]].concat();
            png.splice(33..33, profile);
            let view = f.view(&png);
            set(f, "/images/0", json!({"bufferView": view, "mimeType": "image/jpeg"}));
        },
        &[
            ("IMAGE_MIME_TYPE_INVALID", "/images/0/bufferView"),
            ("IMAGE_FEATURES_UNSUPPORTED", "/images/0"),
            ("UNUSED_OBJECT", "/bufferViews/14"),
        ],
    ),
    (
        |f| set(f, "/images/0", json!({"uri": "data:image/png;base64,@"})),
        &[("INVALID_URI", "/images/0/uri"), ("UNUSED_OBJECT", "/bufferViews/14")],
    ),
    (|f| set(f, "/materials/0/alphaCutoff", json!(0.5)), &[("MATERIAL_ALPHA_CUTOFF_INVALID_MODE", "/materials/0/alphaCutoff")]),
    (
        |f| {
            set(f, "/materials/0/extensions", json!({"KHR_materials_emissive_strength": {"emissiveStrength": 2.0}}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_emissive_strength"));
        },
        &[("KHR_MATERIALS_EMISSIVE_STRENGTH_ZERO_FACTOR", "/materials/0/extensions/KHR_materials_emissive_strength")],
    ),
    (
        |f| {
            set(f, "/materials/0/extensions", json!({"KHR_materials_unlit": {}, "KHR_materials_ior": {"ior": 1.4}}));
            set(f, "/extensionsUsed", json!(["KHR_lights_punctual", "KHR_materials_unlit", "KHR_materials_ior"]));
        },
        &[("MULTIPLE_EXTENSIONS", "/materials/0/extensions/KHR_materials_unlit")],
    ),
    (
        |f| {
            set(f, "/materials/0/extensions", json!({"KHR_materials_volume": {"thicknessFactor": 1.0}}));
            set(f, "/materials/0/doubleSided", json!(true));
            set(f, "/extensionsUsed/-", json!("KHR_materials_volume"));
        },
        &[
            ("KHR_MATERIALS_VOLUME_DOUBLE_SIDED", "/materials/0/extensions/KHR_materials_volume"),
            ("KHR_MATERIALS_VOLUME_NO_TRANSMISSION", "/materials/0/extensions/KHR_materials_volume"),
        ],
    ),
    (
        |f| {
            set(f, "/materials/0/extensions", json!({"KHR_materials_dispersion": {"dispersion": 1.0}}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_dispersion"));
        },
        &[("KHR_MATERIALS_DISPERSION_NO_VOLUME", "/materials/0/extensions/KHR_materials_dispersion")],
    ),
    (
        |f| {
            set(f, "/materials/0/extensions", json!({"KHR_materials_iridescence": {"iridescenceThicknessMinimum": 200.0}}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_iridescence"));
        },
        &[(
            "KHR_MATERIALS_IRIDESCENCE_THICKNESS_RANGE_WITHOUT_TEXTURE",
            "/materials/0/extensions/KHR_materials_iridescence/iridescenceThicknessMinimum",
        )],
    ),
    (
        |f| {
            let film = json!({"iridescenceThicknessMinimum": 400.0, "iridescenceThicknessTexture": {"index": 0}});
            set(f, "/materials/0/extensions", json!({"KHR_materials_iridescence": film}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_iridescence"));
        },
        &[(
            "KHR_MATERIALS_IRIDESCENCE_THICKNESS_TEXTURE_UNUSED",
            "/materials/0/extensions/KHR_materials_iridescence/iridescenceThicknessTexture",
        )],
    ),
    (|f| remove(f, "/cameras/0/perspective"), &[("UNDEFINED_PROPERTY", "/cameras/0")]),
    (|f| set(f, "/cameras/0/type", json!("orthographic")), &[("UNDEFINED_PROPERTY", "/cameras/0")]),
    (|f| set(f, "/cameras/1/orthographic/xmag", json!(0.0)), &[("CAMERA_XMAG_YMAG_ZERO", "/cameras/1/orthographic/xmag")]),
    (|f| set(f, "/cameras/1/orthographic/ymag", json!(-1.0)), &[("CAMERA_XMAG_YMAG_NEGATIVE", "/cameras/1/orthographic/ymag")]),
    (|f| set(f, "/cameras/0/perspective/yfov", json!(4.0)), &[("CAMERA_YFOV_GEQUAL_PI", "/cameras/0/perspective")]),
    (|f| set(f, "/cameras/0/perspective/zfar", json!(0.1)), &[("CAMERA_ZFAR_LEQUAL_ZNEAR", "/cameras/0/perspective")]),
    (
        |f| set(f, "/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle", json!(1.0)),
        &[("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES", "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle")],
    ),
    (
        |f| set(f, "/extensions/KHR_lights_punctual/lights/0/type", json!("point")),
        &[("EXTRA_PROPERTY", "/extensions/KHR_lights_punctual/lights/0/spot")],
    ),
];
