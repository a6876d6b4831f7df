//! Numeric properties of materials: their allowed ranges, and the function that sets them in a [`Material`]. It sets the file's
//! values and animated values alike, so both have the same bounds.

use glam::{Vec2, Vec3};

use super::material::{AlphaMode, MAX_EMISSION, Material};
use super::texture::TextureSlot;

/// Limit for properties without an upper bound in the specification. Products of larger values could overflow.
const MAX_VALUE: f32 = 1e6;
/// Limit for the thickness of a volume.
const MAX_THICKNESS_METERS: f32 = 1e12;

/// A numeric property of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaterialProperty {
    BaseColorFactor,
    MetallicFactor,
    RoughnessFactor,
    NormalScale,
    OcclusionStrength,
    EmissiveFactor,
    /// KHR_materials_emissive_strength.
    EmissiveStrength,
    AlphaCutoff,
    /// KHR_texture_transform.
    Transform {
        texture: TextureSlot,
        part: TransformPart,
    },
    /// KHR_materials_ior.
    Ior,
    /// KHR_materials_specular.
    SpecularFactor,
    SpecularColorFactor,
    /// KHR_materials_clearcoat.
    ClearcoatFactor,
    ClearcoatRoughnessFactor,
    ClearcoatNormalScale,
    /// KHR_materials_sheen.
    SheenColorFactor,
    SheenRoughnessFactor,
    /// KHR_materials_transmission.
    TransmissionFactor,
    /// KHR_materials_volume.
    ThicknessFactor,
    AttenuationDistance,
    AttenuationColor,
    /// KHR_materials_dispersion.
    Dispersion,
    /// KHR_materials_iridescence.
    IridescenceFactor,
    IridescenceIor,
    IridescenceThicknessMinimum,
    IridescenceThicknessMaximum,
    /// KHR_materials_anisotropy.
    AnisotropyStrength,
    AnisotropyRotation,
    /// KHR_materials_diffuse_transmission.
    DiffuseTransmissionFactor,
    DiffuseTransmissionColorFactor,
    /// KHR_materials_pbrSpecularGlossiness. Its diffuse factor is the base color factor.
    GlossySpecularFactor,
    GlossinessFactor,
}

/// A component of KHR_texture_transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransformPart {
    Offset,
    Rotation,
    Scale,
}

impl MaterialProperty {
    /// The allowed range of each number. In addition, [`Self::Ior`] may be 0.
    pub fn range(self) -> [f32; 2] {
        match self {
            Self::EmissiveFactor | Self::EmissiveStrength => [0.0, MAX_EMISSION],
            Self::AlphaCutoff => [0.0, f32::MAX],
            Self::Transform { .. } | Self::AnisotropyRotation => [f32::MIN, f32::MAX],
            Self::NormalScale | Self::ClearcoatNormalScale => [-MAX_VALUE, MAX_VALUE],
            Self::Ior | Self::IridescenceIor => [1.0, MAX_VALUE],
            Self::SpecularColorFactor | Self::Dispersion => [0.0, MAX_VALUE],
            Self::IridescenceThicknessMinimum | Self::IridescenceThicknessMaximum => [0.0, MAX_VALUE],
            Self::ThicknessFactor => [0.0, MAX_THICKNESS_METERS],
            Self::AttenuationDistance => [f32::MIN_POSITIVE, f32::INFINITY],
            _ => [0.0, 1.0],
        }
    }

    /// The allowed number nearest to `value`. For NaN, a default.
    pub fn nearest(self, value: f32) -> f32 {
        let [min, max] = self.range();
        match self {
            // With an index of refraction of 0, a surface reflects all light.
            Self::Ior if value == 0.0 => 0.0,
            // Exporters that cannot write infinity write 0.
            Self::AttenuationDistance if value.is_nan() || value <= 0.0 => f32::INFINITY,
            Self::NormalScale | Self::ClearcoatNormalScale | Self::Transform { part: TransformPart::Scale, .. } if value.is_nan() => 1.0,
            _ if value.is_nan() => min.max(0.0),
            _ => value.clamp(min, max),
        }
    }
}

impl Material {
    /// Sets a property, one number per component, and limits each number to its range. Does nothing if the material does not have the
    /// property.
    pub fn set(&mut self, property: MaterialProperty, values: &[f32]) {
        let number = |i: usize| property.nearest(values.get(i).copied().unwrap_or(f32::NAN));
        let scalar = number(0);
        let color = || Vec3::new(scalar, number(1), number(2));
        match property {
            MaterialProperty::BaseColorFactor => self.base_color_factor = color().extend(number(3)),
            MaterialProperty::MetallicFactor => self.metallic_factor = scalar,
            MaterialProperty::RoughnessFactor => self.roughness_factor = scalar,
            MaterialProperty::NormalScale => self.normal_scale = scalar,
            MaterialProperty::OcclusionStrength => self.occlusion_strength = scalar,
            MaterialProperty::EmissiveFactor => self.emissive_factor = color(),
            MaterialProperty::EmissiveStrength => self.emissive_strength = scalar,
            MaterialProperty::AlphaCutoff => {
                if let AlphaMode::Mask { cutoff } = &mut self.alpha_mode {
                    *cutoff = scalar;
                }
            }
            MaterialProperty::Transform { texture, part } => {
                let Some(texture) = self.slot_mut(texture).and_then(Option::as_mut) else { return };
                match part {
                    TransformPart::Offset => texture.transform.offset = Vec2::new(scalar, number(1)),
                    TransformPart::Rotation => texture.transform.rotation = scalar,
                    TransformPart::Scale => texture.transform.scale = Vec2::new(scalar, number(1)),
                }
            }
            MaterialProperty::Ior => self.ior = scalar,
            MaterialProperty::SpecularFactor => self.specular.factor = scalar,
            MaterialProperty::SpecularColorFactor => self.specular.color_factor = color(),
            MaterialProperty::ClearcoatFactor => self.clearcoat.factor = scalar,
            MaterialProperty::ClearcoatRoughnessFactor => self.clearcoat.roughness_factor = scalar,
            MaterialProperty::ClearcoatNormalScale => self.clearcoat.normal_scale = scalar,
            MaterialProperty::SheenColorFactor => self.sheen.color_factor = color(),
            MaterialProperty::SheenRoughnessFactor => self.sheen.roughness_factor = scalar,
            MaterialProperty::TransmissionFactor => self.transmission.factor = scalar,
            MaterialProperty::ThicknessFactor => self.volume.thickness_factor = scalar,
            MaterialProperty::AttenuationDistance => self.volume.attenuation_distance = scalar,
            MaterialProperty::AttenuationColor => self.volume.attenuation_color = color(),
            MaterialProperty::Dispersion => self.dispersion = scalar,
            MaterialProperty::IridescenceFactor => self.iridescence.factor = scalar,
            MaterialProperty::IridescenceIor => self.iridescence.ior = scalar,
            MaterialProperty::IridescenceThicknessMinimum => self.iridescence.thickness_minimum = scalar,
            MaterialProperty::IridescenceThicknessMaximum => self.iridescence.thickness_maximum = scalar,
            MaterialProperty::AnisotropyStrength => self.anisotropy.strength = scalar,
            MaterialProperty::AnisotropyRotation => self.anisotropy.rotation = scalar,
            MaterialProperty::DiffuseTransmissionFactor => self.diffuse_transmission.factor = scalar,
            MaterialProperty::DiffuseTransmissionColorFactor => self.diffuse_transmission.color_factor = color(),
            MaterialProperty::GlossySpecularFactor | MaterialProperty::GlossinessFactor => {
                let Some(glossy) = &mut self.specular_glossiness else { return };
                match property {
                    MaterialProperty::GlossinessFactor => glossy.glossiness_factor = scalar,
                    _ => glossy.specular_factor = color(),
                }
            }
        }
    }
}
