//! The material properties of the glTF 2.0 Asset Object Model: core properties, KHR_texture_transform of every texture, and
//! material extensions. The tables resolve animation pointers, and tell `asset::material::extensions` which values to read.

use crate::model::material::Material;
use crate::model::material_property::{MaterialProperty, TransformPart};
use crate::model::pointer::Property;
use crate::model::texture::TextureSlot;

use super::object_property::ObjectProperty;

/// Properties that affect the picture. Each entry is the path below the material, the property, and the default of the specification.
pub const DRAWN_PROPERTIES: [(&str, MaterialProperty, &[f32]); 32] = [
    ("pbrMetallicRoughness/baseColorFactor", MaterialProperty::BaseColorFactor, &[1.0; 4]),
    ("pbrMetallicRoughness/metallicFactor", MaterialProperty::MetallicFactor, &[1.0]),
    ("pbrMetallicRoughness/roughnessFactor", MaterialProperty::RoughnessFactor, &[1.0]),
    ("normalTexture/scale", MaterialProperty::NormalScale, &[1.0]),
    ("occlusionTexture/strength", MaterialProperty::OcclusionStrength, &[1.0]),
    ("emissiveFactor", MaterialProperty::EmissiveFactor, &[0.0; 3]),
    ("alphaCutoff", MaterialProperty::AlphaCutoff, &[0.5]),
    ("extensions/KHR_materials_anisotropy/anisotropyStrength", MaterialProperty::AnisotropyStrength, &[0.0]),
    ("extensions/KHR_materials_anisotropy/anisotropyRotation", MaterialProperty::AnisotropyRotation, &[0.0]),
    ("extensions/KHR_materials_clearcoat/clearcoatFactor", MaterialProperty::ClearcoatFactor, &[0.0]),
    ("extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor", MaterialProperty::ClearcoatRoughnessFactor, &[0.0]),
    ("extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale", MaterialProperty::ClearcoatNormalScale, &[1.0]),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor", MaterialProperty::DiffuseTransmissionFactor, &[0.0]),
    (
        "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor",
        MaterialProperty::DiffuseTransmissionColorFactor,
        &[1.0; 3],
    ),
    ("extensions/KHR_materials_dispersion/dispersion", MaterialProperty::Dispersion, &[0.0]),
    ("extensions/KHR_materials_emissive_strength/emissiveStrength", MaterialProperty::EmissiveStrength, &[1.0]),
    ("extensions/KHR_materials_ior/ior", MaterialProperty::Ior, &[1.5]),
    ("extensions/KHR_materials_iridescence/iridescenceFactor", MaterialProperty::IridescenceFactor, &[0.0]),
    ("extensions/KHR_materials_iridescence/iridescenceIor", MaterialProperty::IridescenceIor, &[1.3]),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessMinimum", MaterialProperty::IridescenceThicknessMinimum, &[100.0]),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessMaximum", MaterialProperty::IridescenceThicknessMaximum, &[400.0]),
    ("extensions/KHR_materials_pbrSpecularGlossiness/diffuseFactor", MaterialProperty::BaseColorFactor, &[1.0; 4]),
    ("extensions/KHR_materials_pbrSpecularGlossiness/specularFactor", MaterialProperty::GlossySpecularFactor, &[1.0; 3]),
    ("extensions/KHR_materials_pbrSpecularGlossiness/glossinessFactor", MaterialProperty::GlossinessFactor, &[1.0]),
    ("extensions/KHR_materials_sheen/sheenColorFactor", MaterialProperty::SheenColorFactor, &[0.0; 3]),
    ("extensions/KHR_materials_sheen/sheenRoughnessFactor", MaterialProperty::SheenRoughnessFactor, &[0.0]),
    ("extensions/KHR_materials_specular/specularFactor", MaterialProperty::SpecularFactor, &[1.0]),
    ("extensions/KHR_materials_specular/specularColorFactor", MaterialProperty::SpecularColorFactor, &[1.0; 3]),
    ("extensions/KHR_materials_transmission/transmissionFactor", MaterialProperty::TransmissionFactor, &[0.0]),
    ("extensions/KHR_materials_volume/thicknessFactor", MaterialProperty::ThicknessFactor, &[0.0]),
    ("extensions/KHR_materials_volume/attenuationDistance", MaterialProperty::AttenuationDistance, &[f32::INFINITY]),
    ("extensions/KHR_materials_volume/attenuationColor", MaterialProperty::AttenuationColor, &[1.0; 3]),
];

/// Textures that affect the picture. Each entry is the path below the material, and the slot.
pub const DRAWN_TEXTURES: [(&str, TextureSlot); 21] = [
    ("pbrMetallicRoughness/baseColorTexture", TextureSlot::BaseColor),
    ("pbrMetallicRoughness/metallicRoughnessTexture", TextureSlot::MetallicRoughness),
    ("normalTexture", TextureSlot::Normal),
    ("occlusionTexture", TextureSlot::Occlusion),
    ("emissiveTexture", TextureSlot::Emissive),
    ("extensions/KHR_materials_anisotropy/anisotropyTexture", TextureSlot::Anisotropy),
    ("extensions/KHR_materials_clearcoat/clearcoatTexture", TextureSlot::Clearcoat),
    ("extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture", TextureSlot::ClearcoatRoughness),
    ("extensions/KHR_materials_clearcoat/clearcoatNormalTexture", TextureSlot::ClearcoatNormal),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionTexture", TextureSlot::DiffuseTransmission),
    ("extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture", TextureSlot::DiffuseTransmissionColor),
    ("extensions/KHR_materials_iridescence/iridescenceTexture", TextureSlot::Iridescence),
    ("extensions/KHR_materials_iridescence/iridescenceThicknessTexture", TextureSlot::IridescenceThickness),
    ("extensions/KHR_materials_pbrSpecularGlossiness/diffuseTexture", TextureSlot::BaseColor),
    ("extensions/KHR_materials_pbrSpecularGlossiness/specularGlossinessTexture", TextureSlot::SpecularGlossiness),
    ("extensions/KHR_materials_sheen/sheenColorTexture", TextureSlot::SheenColor),
    ("extensions/KHR_materials_sheen/sheenRoughnessTexture", TextureSlot::SheenRoughness),
    ("extensions/KHR_materials_specular/specularTexture", TextureSlot::Specular),
    ("extensions/KHR_materials_specular/specularColorTexture", TextureSlot::SpecularColor),
    ("extensions/KHR_materials_transmission/transmissionTexture", TextureSlot::Transmission),
    ("extensions/KHR_materials_volume/thicknessTexture", TextureSlot::Thickness),
];

/// Properties of KHR_texture_transform, with their defaults.
const TRANSFORM_PROPERTIES: [(&str, TransformPart, &[f32]); 3] = [
    ("offset", TransformPart::Offset, &[0.0; 2]),
    ("rotation", TransformPart::Rotation, &[0.0]),
    ("scale", TransformPart::Scale, &[1.0; 2]),
];

/// Properties that can be animated but do not affect the picture, with their defaults.
const UNDRAWN_PROPERTIES: [(&str, &[f32]); 5] = [
    ("extensions/KHR_materials_volume_scatter/multiscatterColor", &[0.0; 3]),
    ("extensions/KHR_materials_volume_scatter/scatterAnisotropy", &[0.0]),
    ("extensions/ADOBE_materials_clearcoat_specular/clearcoatIor", &[1.5]),
    ("extensions/ADOBE_materials_clearcoat_specular/clearcoatSpecularFactor", &[1.0]),
    ("extensions/ADOBE_materials_clearcoat_tint/clearcoatTintFactor", &[1.0; 3]),
];

/// Textures of extensions that do not affect the picture.
const UNDRAWN_TEXTURES: [&str; 2] = [
    "extensions/ADOBE_materials_clearcoat_specular/clearcoatSpecularTexture",
    "extensions/ADOBE_materials_clearcoat_tint/clearcoatTintTexture",
];

/// The name of a texture in the file, for messages: `normalTexture`.
pub fn texture_name(slot: TextureSlot) -> Option<&'static str> {
    let (path, _) = DRAWN_TEXTURES.iter().find(|(_, drawn)| *drawn == slot)?;
    path.rsplit('/').next()
}

/// The property at `path` below the material with this index. `None` if the object model has no such property.
pub fn property(index: usize, material: &Material, path: &str) -> Option<ObjectProperty> {
    let drawn = |property, default: &[f32], implied: bool| {
        let property = Property::Material { material: index, property };
        let property = if affects_appearance(material, path) { property } else { Property::Other };
        ObjectProperty { implied, ..ObjectProperty::new(property, default) }
    };
    // Core properties and `emissiveStrength` have a value even if the file lacks the enclosing object. Properties of textures and of other
    // extensions need the object.
    if let Some((_, property, default)) = DRAWN_PROPERTIES.iter().find(|(drawn_path, ..)| *drawn_path == path) {
        let implied = match property {
            MaterialProperty::NormalScale => material.normal_texture.is_some(),
            MaterialProperty::OcclusionStrength => material.occlusion_texture.is_some(),
            MaterialProperty::EmissiveStrength => true,
            _ => !path.starts_with("extensions/"),
        };
        return Some(drawn(*property, default, implied));
    }
    // Any texture can have a transform, even one that does not affect the picture.
    if let Some((texture, part)) = path.split_once("/extensions/KHR_texture_transform/") {
        let (_, part, default) = TRANSFORM_PROPERTIES.iter().find(|(name, ..)| *name == part)?;
        if let Some((_, slot)) = DRAWN_TEXTURES.iter().find(|(drawn_path, _)| *drawn_path == texture) {
            let property = MaterialProperty::Transform { texture: *slot, part: *part };
            return Some(drawn(property, default, material.texture(*slot).is_some()));
        }
        return UNDRAWN_TEXTURES.contains(&texture).then(|| ObjectProperty::new(Property::Other, default));
    }
    let undrawn = UNDRAWN_PROPERTIES.iter().find(|(undrawn_path, _)| *undrawn_path == path);
    undrawn.map(|(_, default)| ObjectProperty::new(Property::Other, default))
}

/// Returns whether a property affects how the material looks. An unlit material has no extension layers. A specular-glossiness
/// material has neither extension layers nor metallic-roughness factors.
fn affects_appearance(material: &Material, path: &str) -> bool {
    let glossy = material.specular_glossiness.is_some();
    match path.strip_prefix("extensions/") {
        None => !(glossy && path.starts_with("pbrMetallicRoughness/")),
        Some(layer) if layer.starts_with("KHR_materials_pbrSpecularGlossiness/") => glossy,
        Some(layer) => layer.starts_with("KHR_materials_emissive_strength/") || !(glossy || material.unlit),
    }
}
