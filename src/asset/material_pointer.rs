//! The properties of materials in the glTF 2.0 Asset Object Model: core, KHR_texture_transform of every texture, and those of
//! material extensions, drawn or not.

use crate::model::material::Material;
use crate::model::pointer::{MaterialProperty, Property, TransformPart};
use crate::model::texture::TextureSlot;

use super::pointer::Known;

/// Drawn: the property below the material, what it is, and the specification's default.
const DRAWN: [(&str, MaterialProperty, &[f32]); 8] = [
    ("pbrMetallicRoughness/baseColorFactor", MaterialProperty::BaseColorFactor, &[1.0; 4]),
    ("pbrMetallicRoughness/metallicFactor", MaterialProperty::MetallicFactor, &[1.0]),
    ("pbrMetallicRoughness/roughnessFactor", MaterialProperty::RoughnessFactor, &[1.0]),
    ("normalTexture/scale", MaterialProperty::NormalScale, &[1.0]),
    ("occlusionTexture/strength", MaterialProperty::OcclusionStrength, &[1.0]),
    ("emissiveFactor", MaterialProperty::EmissiveFactor, &[0.0; 3]),
    ("extensions/KHR_materials_emissive_strength/emissiveStrength", MaterialProperty::EmissiveStrength, &[1.0]),
    ("alphaCutoff", MaterialProperty::AlphaCutoff, &[0.5]),
];

const TEXTURES: [(&str, TextureSlot); 5] = [
    ("pbrMetallicRoughness/baseColorTexture", TextureSlot::BaseColor),
    ("pbrMetallicRoughness/metallicRoughnessTexture", TextureSlot::MetallicRoughness),
    ("normalTexture", TextureSlot::Normal),
    ("occlusionTexture", TextureSlot::Occlusion),
    ("emissiveTexture", TextureSlot::Emissive),
];

/// Below a texture's KHR_texture_transform.
const TRANSFORM: [(&str, TransformPart, &[f32]); 3] = [
    ("offset", TransformPart::Offset, &[0.0; 2]),
    ("rotation", TransformPart::Rotation, &[0.0]),
    ("scale", TransformPart::Scale, &[1.0; 2]),
];

/// Not drawn, below the material's extensions.
const OTHERS: [(&str, &[f32]); 29] = [
    ("KHR_materials_anisotropy/anisotropyStrength", &[0.0]),
    ("KHR_materials_anisotropy/anisotropyRotation", &[0.0]),
    ("KHR_materials_clearcoat/clearcoatFactor", &[0.0]),
    ("KHR_materials_clearcoat/clearcoatRoughnessFactor", &[0.0]),
    ("KHR_materials_clearcoat/clearcoatNormalTexture/scale", &[1.0]),
    ("KHR_materials_diffuse_transmission/diffuseTransmissionFactor", &[0.0]),
    ("KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor", &[1.0; 3]),
    ("KHR_materials_dispersion/dispersion", &[0.0]),
    ("KHR_materials_ior/ior", &[1.5]),
    ("KHR_materials_iridescence/iridescenceFactor", &[0.0]),
    ("KHR_materials_iridescence/iridescenceIor", &[1.3]),
    ("KHR_materials_iridescence/iridescenceThicknessMinimum", &[100.0]),
    ("KHR_materials_iridescence/iridescenceThicknessMaximum", &[400.0]),
    ("KHR_materials_pbrSpecularGlossiness/diffuseFactor", &[1.0; 4]),
    ("KHR_materials_pbrSpecularGlossiness/specularFactor", &[1.0; 3]),
    ("KHR_materials_pbrSpecularGlossiness/glossinessFactor", &[1.0]),
    ("KHR_materials_sheen/sheenColorFactor", &[0.0; 3]),
    ("KHR_materials_sheen/sheenRoughnessFactor", &[0.0]),
    ("KHR_materials_specular/specularFactor", &[1.0]),
    ("KHR_materials_specular/specularColorFactor", &[1.0; 3]),
    ("KHR_materials_transmission/transmissionFactor", &[0.0]),
    ("KHR_materials_volume/thicknessFactor", &[0.0]),
    ("KHR_materials_volume/attenuationDistance", &[f32::INFINITY]),
    ("KHR_materials_volume/attenuationColor", &[1.0; 3]),
    ("KHR_materials_volume_scatter/multiscatterColor", &[0.0; 3]),
    ("KHR_materials_volume_scatter/scatterAnisotropy", &[0.0]),
    ("ADOBE_materials_clearcoat_specular/clearcoatIor", &[1.5]),
    ("ADOBE_materials_clearcoat_specular/clearcoatSpecularFactor", &[1.0]),
    ("ADOBE_materials_clearcoat_tint/clearcoatTintFactor", &[1.0; 3]),
];

/// Textures of those extensions.
const OTHER_TEXTURES: [&str; 18] = [
    "KHR_materials_anisotropy/anisotropyTexture",
    "KHR_materials_clearcoat/clearcoatTexture",
    "KHR_materials_clearcoat/clearcoatRoughnessTexture",
    "KHR_materials_clearcoat/clearcoatNormalTexture",
    "KHR_materials_diffuse_transmission/diffuseTransmissionTexture",
    "KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture",
    "KHR_materials_iridescence/iridescenceTexture",
    "KHR_materials_iridescence/iridescenceThicknessTexture",
    "KHR_materials_pbrSpecularGlossiness/diffuseTexture",
    "KHR_materials_pbrSpecularGlossiness/specularGlossinessTexture",
    "KHR_materials_sheen/sheenColorTexture",
    "KHR_materials_sheen/sheenRoughnessTexture",
    "KHR_materials_specular/specularTexture",
    "KHR_materials_specular/specularColorTexture",
    "KHR_materials_transmission/transmissionTexture",
    "KHR_materials_volume/thicknessTexture",
    "ADOBE_materials_clearcoat_specular/clearcoatSpecularTexture",
    "ADOBE_materials_clearcoat_tint/clearcoatTintTexture",
];

/// The property that `path`, from the material on, names.
pub fn property(index: usize, material: &Material, path: &str) -> Option<Known> {
    let drawn = |property, default: &[f32], implied: bool| {
        let property = Property::Material { material: index, property };
        Known { implied, ..Known::new(property, default) }
    };
    if let Some((_, property, default)) = DRAWN.iter().find(|(known, ..)| *known == path) {
        let implied = match property {
            MaterialProperty::NormalScale => material.normal_texture.is_some(),
            MaterialProperty::OcclusionStrength => material.occlusion_texture.is_some(),
            _ => true,
        };
        return Some(drawn(*property, default, implied));
    }
    if let Some((texture, part)) = path.split_once("/extensions/KHR_texture_transform/") {
        let (_, part, default) = TRANSFORM.iter().find(|(known, ..)| *known == part)?;
        if let Some((_, slot)) = TEXTURES.iter().find(|(known, _)| *known == texture) {
            let property = MaterialProperty::Transform { texture: *slot, part: *part };
            return Some(drawn(property, default, material.texture(*slot).is_some()));
        }
        let extension = texture.strip_prefix("extensions/")?;
        return OTHER_TEXTURES.contains(&extension).then(|| Known::new(Property::Other, default));
    }
    let extension = path.strip_prefix("extensions/")?;
    OTHERS.iter().find(|(known, _)| *known == extension).map(|(_, default)| Known::new(Property::Other, default))
}
