//! The layers that the KHR_materials extensions add to a material. A layer with default values does not change the material,
//! except [`SpecularGlossiness`], which replaces metalness and roughness.

use glam::Vec3;

use super::texture::Texture;

/// KHR_materials_specular.
#[derive(Debug, Clone, PartialEq)]
pub struct Specular {
    /// Strength of the specular reflection, from 0 to 1.
    pub factor: f32,
    /// Multiplies the factor by its alpha, which is linear.
    pub texture: Option<Texture>,
    /// Color of the reflection at normal incidence, as a factor. Linear RGB; may be above 1.
    pub color_factor: Vec3,
    /// Multiplies the color factor; sRGB.
    pub color_texture: Option<Texture>,
    /// Whether an animation of the file changes a factor.
    pub is_animated: bool,
}

/// KHR_materials_clearcoat.
#[derive(Debug, Clone, PartialEq)]
pub struct Clearcoat {
    /// Strength of the coat, from 0 to 1.
    pub factor: f32,
    /// Multiplies the factor by its red channel, which is linear.
    pub texture: Option<Texture>,
    /// Perceptual roughness of the coat, from 0 to 1.
    pub roughness_factor: f32,
    /// Multiplies the roughness factor by its green channel, which is linear.
    pub roughness_texture: Option<Texture>,
    /// Normals of the coat in tangent space, linear.
    pub normal_texture: Option<Texture>,
    /// Multiplies x and y of these normals.
    pub normal_scale: f32,
}

/// KHR_materials_sheen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheen {
    /// Color of the sheen. Linear RGB.
    pub color_factor: Vec3,
    /// Multiplies the color factor; sRGB.
    pub color_texture: Option<Texture>,
    /// Perceptual roughness of the sheen, from 0 to 1.
    pub roughness_factor: f32,
    /// Multiplies the roughness factor by its alpha, which is linear.
    pub roughness_texture: Option<Texture>,
}

/// KHR_materials_transmission.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transmission {
    /// Fraction of light that passes through the surface, from 0 to 1.
    pub factor: f32,
    /// Multiplies the factor by its red channel, which is linear.
    pub texture: Option<Texture>,
}

/// KHR_materials_volume.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// Thickness of the volume below the surface, in units of the mesh; 0 for a thin wall.
    pub thickness_factor: f32,
    /// Multiplies the thickness by its green channel, which is linear.
    pub thickness_texture: Option<Texture>,
    /// Mean distance that light travels before it is absorbed, in meters; infinite if nothing is absorbed.
    pub attenuation_distance: f32,
    /// Color that white light has after that distance. Linear RGB.
    pub attenuation_color: Vec3,
}

/// KHR_materials_iridescence.
#[derive(Debug, Clone, PartialEq)]
pub struct Iridescence {
    /// Strength of the effect, from 0 to 1.
    pub factor: f32,
    /// Multiplies the factor by its red channel, which is linear.
    pub texture: Option<Texture>,
    /// Index of refraction of the thin film.
    pub ior: f32,
    /// Thickness of the film where the texture is 0, in nanometers.
    pub thickness_minimum: f32,
    /// Thickness of the film where the texture is 1 or missing, in nanometers.
    pub thickness_maximum: f32,
    /// The green channel, which is linear, interpolates between minimum and maximum thickness.
    pub thickness_texture: Option<Texture>,
}

/// KHR_materials_anisotropy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Anisotropy {
    /// Whether the file has the extension. The surface then needs tangents even with a strength of 0, because an animation may increase it.
    pub is_used: bool,
    /// Strength of the anisotropy, from 0 (isotropic) to 1.
    pub strength: f32,
    /// Direction of the anisotropy in radians, counterclockwise from the tangent.
    pub rotation: f32,
    /// Direction in tangent space in red and green, and a factor of the strength in blue; linear.
    pub texture: Option<Texture>,
}

/// KHR_materials_diffuse_transmission.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffuseTransmission {
    /// Fraction of light that passes through the surface diffusely, from 0 to 1.
    pub factor: f32,
    /// Multiplies the factor by its alpha, which is linear.
    pub texture: Option<Texture>,
    /// Color of the transmitted light. Linear RGB.
    pub color_factor: Vec3,
    /// Multiplies the color factor; sRGB.
    pub color_texture: Option<Texture>,
}

/// KHR_materials_pbrSpecularGlossiness.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecularGlossiness {
    /// Reflectance at normal incidence. Linear RGB.
    pub specular_factor: Vec3,
    /// Glossiness, from 0 (rough) to 1 (smooth).
    pub glossiness_factor: f32,
    /// Multiplies both factors: specular color in sRGB, glossiness in alpha, which is linear.
    pub texture: Option<Texture>,
}

impl Default for Specular {
    fn default() -> Self {
        Self { factor: 1.0, texture: None, color_factor: Vec3::ONE, color_texture: None, is_animated: false }
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
