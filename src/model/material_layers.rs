//! The layers that the KHR_materials extensions add to a material. Their defaults are neutral.

use glam::Vec3;

use super::texture::Texture;

/// KHR_materials_specular.
#[derive(Debug, Clone, PartialEq)]
pub struct Specular {
    pub factor: f32,
    /// Alpha, linear.
    pub texture: Option<Texture>,
    /// Linear; may be above 1.
    pub color_factor: Vec3,
    /// sRGB.
    pub color_texture: Option<Texture>,
}

/// KHR_materials_clearcoat.
#[derive(Debug, Clone, PartialEq)]
pub struct Clearcoat {
    pub factor: f32,
    /// Red, linear.
    pub texture: Option<Texture>,
    pub roughness_factor: f32,
    /// Green, linear.
    pub roughness_texture: Option<Texture>,
    pub normal_texture: Option<Texture>,
    pub normal_scale: f32,
}

/// KHR_materials_sheen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheen {
    /// Linear.
    pub color_factor: Vec3,
    /// sRGB.
    pub color_texture: Option<Texture>,
    pub roughness_factor: f32,
    /// Alpha, linear.
    pub roughness_texture: Option<Texture>,
}

/// KHR_materials_transmission.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transmission {
    pub factor: f32,
    /// Red, linear.
    pub texture: Option<Texture>,
}

/// KHR_materials_volume.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// In units of the mesh; 0 for a thin wall.
    pub thickness_factor: f32,
    /// Green, linear.
    pub thickness_texture: Option<Texture>,
    /// In metres; infinite if nothing is absorbed.
    pub attenuation_distance: f32,
    /// Colour of white light after that distance. Linear RGB.
    pub attenuation_color: Vec3,
}

/// KHR_materials_iridescence.
#[derive(Debug, Clone, PartialEq)]
pub struct Iridescence {
    pub factor: f32,
    /// Red, linear.
    pub texture: Option<Texture>,
    pub ior: f32,
    /// In nanometres, where the texture is 0.
    pub thickness_minimum: f32,
    /// In nanometres, where the texture is 1 or missing.
    pub thickness_maximum: f32,
    /// Green, linear.
    pub thickness_texture: Option<Texture>,
}

/// KHR_materials_anisotropy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Anisotropy {
    pub strength: f32,
    /// In radians, counter-clockwise from the tangent.
    pub rotation: f32,
    /// Direction in tangent space in red and green, strength in blue, linear.
    pub texture: Option<Texture>,
}

/// KHR_materials_diffuse_transmission.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffuseTransmission {
    pub factor: f32,
    /// Alpha, linear.
    pub texture: Option<Texture>,
    /// Linear.
    pub color_factor: Vec3,
    /// sRGB.
    pub color_texture: Option<Texture>,
}

/// KHR_materials_pbrSpecularGlossiness.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecularGlossiness {
    /// Reflectance at normal incidence. Linear RGB.
    pub specular_factor: Vec3,
    pub glossiness_factor: f32,
    /// Specular colour, sRGB; glossiness in alpha, linear.
    pub texture: Option<Texture>,
}

impl Default for Specular {
    fn default() -> Self {
        Self { factor: 1.0, texture: None, color_factor: Vec3::ONE, color_texture: None }
    }
}

impl Default for Clearcoat {
    fn default() -> Self {
        Self { factor: 0.0, texture: None, roughness_factor: 0.0, roughness_texture: None, normal_texture: None, normal_scale: 1.0 }
    }
}

impl Default for Volume {
    fn default() -> Self {
        Self { thickness_factor: 0.0, thickness_texture: None, attenuation_distance: f32::INFINITY, attenuation_color: Vec3::ONE }
    }
}

impl Default for Iridescence {
    fn default() -> Self {
        Self { factor: 0.0, texture: None, ior: 1.3, thickness_minimum: 100.0, thickness_maximum: 400.0, thickness_texture: None }
    }
}

impl Default for DiffuseTransmission {
    fn default() -> Self {
        Self { factor: 0.0, texture: None, color_factor: Vec3::ONE, color_texture: None }
    }
}

impl Default for SpecularGlossiness {
    fn default() -> Self {
        Self { specular_factor: Vec3::ONE, glossiness_factor: 1.0, texture: None }
    }
}
