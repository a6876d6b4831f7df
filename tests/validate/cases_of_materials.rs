//! Documents whose primitives lack texture coordinates or tangents that their material needs, documents whose material needs no tangents,
//! and indices of refraction.

use serde_json::{Value, json};

use crate::cases::Case;
use crate::common::gltf_builder::Gltf;
use crate::sound::*;

const ATTRIBUTES: &str = "/meshes/0/primitives/0/attributes";
const MATERIAL: &str = "/meshes/0/primitives/0/material";
const UNUSED_TANGENTS: (&str, &str) = ("UNUSED_OBJECT", "/accessors/2");

/// Gives the material one extension, and lists it.
fn extend(file: &mut Gltf, name: &str, extension: Value) {
    set(file, "/materials/0/extensions", json!({ name: extension }));
    set(file, "/extensionsUsed/-", json!(name));
}

/// Removes the tangents and the normal texture. With a normal texture, tangents can be generated.
fn strip_tangent_space(file: &mut Gltf) {
    remove(file, &format!("{ATTRIBUTES}/TANGENT"));
    remove(file, "/materials/0/normalTexture");
}

pub const TEXTURES: &[Case] = &[
    (
        |f| extend(f, "KHR_materials_anisotropy", json!({"anisotropyTexture": {"index": 0, "texCoord": 1}})),
        &[
            ("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", MATERIAL),
            ("KHR_MATERIALS_ANISOTROPY_ANISOTROPY_TEXTURE_TEXCOORD", "/materials/0/extensions/KHR_materials_anisotropy/anisotropyTexture"),
        ],
    ),
    (
        |f| extend(f, "KHR_materials_clearcoat", json!({"clearcoatNormalTexture": {"index": 0, "texCoord": 1}})),
        &[
            ("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", MATERIAL),
            (
                "KHR_MATERIALS_CLEARCOAT_CLEARCOAT_NORMAL_TEXTURE_TEXCOORD",
                "/materials/0/extensions/KHR_materials_clearcoat/clearcoatNormalTexture",
            ),
        ],
    ),
    (
        |f| extend(f, "KHR_materials_clearcoat", json!({"clearcoatTexture": {"index": 0, "texCoord": 1}})),
        &[("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", MATERIAL)],
    ),
    (
        |f| extend(f, "KHR_materials_sheen", json!({"sheenColorTexture": {"index": 0, "texCoord": 1}})),
        &[("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", MATERIAL)],
    ),
    // A texture transform may name other coordinates than its texture does. The primitive needs both, because programs without the
    // extension use those of the texture.
    (
        |f| {
            let transform = json!({"KHR_texture_transform": {"texCoord": 1}});
            set(f, "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions", transform);
            set(f, "/extensionsUsed/-", json!("KHR_texture_transform"));
        },
        &[("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", MATERIAL)],
    ),
    (
        |f| {
            let transform = json!({"KHR_texture_transform": {"texCoord": 0}});
            let texture = json!({"index": 0, "texCoord": 1, "extensions": transform});
            set(f, "/materials/0/pbrMetallicRoughness/baseColorTexture", texture);
            set(f, "/extensionsUsed/-", json!("KHR_texture_transform"));
        },
        &[("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", MATERIAL)],
    ),
    (
        |f| {
            f.push("materials", json!({"emissiveTexture": {"index": 0, "texCoord": 1}}));
            set(f, "/extensions/KHR_materials_variants", json!({"variants": [{"name": "lit"}]}));
            let mappings = json!({"mappings": [{"material": 1, "variants": [0]}]});
            set(f, "/meshes/0/primitives/0/extensions", json!({"KHR_materials_variants": mappings}));
            set(f, "/extensionsUsed/-", json!("KHR_materials_variants"));
        },
        &[("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/0/material")],
    ),
    (
        |f| {
            strip_tangent_space(f);
            extend(f, "KHR_materials_anisotropy", json!({"anisotropyTexture": {"index": 0}}));
        },
        &[("MESH_PRIMITIVE_NO_TANGENT_SPACE", MATERIAL), UNUSED_TANGENTS],
    ),
    (
        |f| {
            strip_tangent_space(f);
            extend(f, "KHR_materials_clearcoat", json!({"clearcoatNormalTexture": {"index": 0}}));
        },
        &[("MESH_PRIMITIVE_NO_TANGENT_SPACE", MATERIAL), UNUSED_TANGENTS],
    ),
    (
        |f| extend(f, "KHR_materials_pbrSpecularGlossiness", json!({"diffuseTexture": {"index": 0, "texCoord": 1}})),
        &[("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", MATERIAL)],
    ),
    (|f| extend(f, "KHR_materials_ior", json!({"ior": 0.5})), &[("VALUE_NOT_IN_RANGE", "/materials/0/extensions/KHR_materials_ior/ior")]),
    (|f| extend(f, "KHR_materials_ior", json!({"ior": 0.0})), &[]),
    // Only a texture of the extension needs tangents. A strength without a texture does not.
    (
        |f| {
            strip_tangent_space(f);
            extend(f, "KHR_materials_anisotropy", json!({"anisotropyStrength": 0.5}));
        },
        &[UNUSED_TANGENTS],
    ),
];
