//! Metallic-roughness materials (glTF 2.0, 3.9) with the layers of the KHR_materials extensions. A layer that the file does not
//! use has neutral values.

use glam::{Vec3, Vec4};

use super::material_layers::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, Specular, SpecularGlossiness, Transmission, Volume,
};
use super::texture::{Texture, TextureSlot, TextureTransform};

/// Largest number of textures of a material. Every device can bind 16 textures per shader stage, and the frame needs four of them.
pub const MAX_TEXTURES: usize = 12;

/// A material of the file. Color factors are linear RGB.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// The name in the file.
    pub name: Option<String>,
    /// The two texture coordinate sets (TEXCOORD_n) that its textures refer to as 0 and 1.
    pub tex_coords: [usize; 2],
    /// Base color and alpha. Linear RGBA.
    pub base_color_factor: Vec4,
    /// Multiplies the factor; sRGB with linear alpha.
    pub base_color_texture: Option<Texture>,
    /// Metalness, from 0 (dielectric) to 1 (metal).
    pub metallic_factor: f32,
    /// Perceptual roughness, from 0 (smooth) to 1 (rough).
    pub roughness_factor: f32,
    /// Multiplies both factors: roughness in green, metalness in blue, linear.
    pub metallic_roughness_texture: Option<Texture>,
    /// Normals in tangent space, linear.
    pub normal_texture: Option<Texture>,
    /// Multiplies x and y of these normals.
    pub normal_scale: f32,
    /// Occlusion of indirect light in red, linear.
    pub occlusion_texture: Option<Texture>,
    /// Strength of the occlusion, from 0 (none) to 1 (as in the texture).
    pub occlusion_strength: f32,
    /// Color of the emitted light. Linear RGB.
    pub emissive_factor: Vec3,
    /// KHR_materials_emissive_strength: multiplies the emissive factor and texture.
    pub emissive_strength: f32,
    /// Multiplies the factor; sRGB.
    pub emissive_texture: Option<Texture>,
    /// How the alpha of the base color is used.
    pub alpha_mode: AlphaMode,
    /// Whether back faces are drawn, with reversed normals.
    pub double_sided: bool,
    /// KHR_materials_unlit: the base color is shown without lighting.
    pub unlit: bool,
    /// Index of refraction (KHR_materials_ior).
    pub ior: f32,
    pub specular: Specular,
    pub clearcoat: Clearcoat,
    pub sheen: Sheen,
    pub transmission: Transmission,
    pub volume: Volume,
    /// KHR_materials_dispersion: 0 for none.
    pub dispersion: f32,
    pub iridescence: Iridescence,
    pub anisotropy: Anisotropy,
    pub diffuse_transmission: DiffuseTransmission,
    /// If set, base color factor and texture hold the diffuse color; metalness and roughness are unused.
    pub specular_glossiness: Option<SpecularGlossiness>,
}

impl Default for Material {
    /// The default material of the specification, for primitives without one.
    fn default() -> Self {
        Self {
            name: None,
            tex_coords: [0, 1],
            base_color_factor: Vec4::ONE,
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive_factor: Vec3::ZERO,
            emissive_strength: 1.0,
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            ior: 1.5,
            specular: Specular::default(),
            clearcoat: Clearcoat::default(),
            sheen: Sheen::default(),
            transmission: Transmission::default(),
            volume: Volume::default(),
            dispersion: 0.0,
            iridescence: Iridescence::default(),
            anisotropy: Anisotropy::default(),
            diffuse_transmission: DiffuseTransmission::default(),
            specular_glossiness: None,
        }
    }
}

/// How the alpha of the base color is used (glTF 2.0, 3.9.4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Drawn where alpha is at least `cutoff`, and not at all elsewhere.
    Mask { cutoff: f32 },
    /// Alpha is coverage.
    Blend,
}

/// Largest emission per channel. The specification sets no limit, but larger products could overflow.
pub const MAX_EMISSION: f32 = 1e6;

impl Material {
    /// Emissive factor times strength, limited. Linear RGB.
    pub fn emission(&self) -> Vec3 {
        (self.emissive_factor * self.emissive_strength).min(Vec3::splat(MAX_EMISSION))
    }

    /// Returns whether the file gives the reflection a color or strength: by KHR_materials_pbrSpecularGlossiness, or by
    /// KHR_materials_specular with values that are animated or differ from the defaults.
    pub fn has_specular(&self) -> bool {
        self.specular_glossiness.is_some() || self.specular != Specular::default()
    }

    /// The texture coordinates along which the surface needs tangents: their set (0 or 1) and transform. `None` if it needs none.
    pub fn tangent_tex_coord(&self) -> Option<(usize, TextureTransform)> {
        let textures = [&self.normal_texture, &self.clearcoat.normal_texture, &self.anisotropy.texture];
        let tex_coord = textures.into_iter().flatten().map(|texture| (texture.tex_coord, texture.transform)).next();
        tex_coord.or(self.anisotropy.is_used.then_some((0, TextureTransform::IDENTITY)))
    }

    /// The texture in a slot, if any.
    pub fn texture(&self, slot: TextureSlot) -> Option<&Texture> {
        match slot {
            TextureSlot::BaseColor => self.base_color_texture.as_ref(),
            TextureSlot::MetallicRoughness => self.metallic_roughness_texture.as_ref(),
            TextureSlot::Normal => self.normal_texture.as_ref(),
            TextureSlot::Occlusion => self.occlusion_texture.as_ref(),
            TextureSlot::Emissive => self.emissive_texture.as_ref(),
            TextureSlot::Clearcoat => self.clearcoat.texture.as_ref(),
            TextureSlot::ClearcoatRoughness => self.clearcoat.roughness_texture.as_ref(),
            TextureSlot::ClearcoatNormal => self.clearcoat.normal_texture.as_ref(),
            TextureSlot::SheenColor => self.sheen.color_texture.as_ref(),
            TextureSlot::SheenRoughness => self.sheen.roughness_texture.as_ref(),
            TextureSlot::Transmission => self.transmission.texture.as_ref(),
            TextureSlot::Thickness => self.volume.thickness_texture.as_ref(),
            TextureSlot::Specular => self.specular.texture.as_ref(),
            TextureSlot::SpecularColor => self.specular.color_texture.as_ref(),
            TextureSlot::Iridescence => self.iridescence.texture.as_ref(),
            TextureSlot::IridescenceThickness => self.iridescence.thickness_texture.as_ref(),
            TextureSlot::Anisotropy => self.anisotropy.texture.as_ref(),
            TextureSlot::DiffuseTransmission => self.diffuse_transmission.texture.as_ref(),
            TextureSlot::DiffuseTransmissionColor => self.diffuse_transmission.color_texture.as_ref(),
            TextureSlot::SpecularGlossiness => self.specular_glossiness.as_ref().and_then(|model| model.texture.as_ref()),
        }
    }

    /// The texture in a slot, to change it. `None` only for [`TextureSlot::SpecularGlossiness`] in a material without that extension.
    pub fn slot_mut(&mut self, slot: TextureSlot) -> Option<&mut Option<Texture>> {
        Some(match slot {
            TextureSlot::BaseColor => &mut self.base_color_texture,
            TextureSlot::MetallicRoughness => &mut self.metallic_roughness_texture,
            TextureSlot::Normal => &mut self.normal_texture,
            TextureSlot::Occlusion => &mut self.occlusion_texture,
            TextureSlot::Emissive => &mut self.emissive_texture,
            TextureSlot::Clearcoat => &mut self.clearcoat.texture,
            TextureSlot::ClearcoatRoughness => &mut self.clearcoat.roughness_texture,
            TextureSlot::ClearcoatNormal => &mut self.clearcoat.normal_texture,
            TextureSlot::SheenColor => &mut self.sheen.color_texture,
            TextureSlot::SheenRoughness => &mut self.sheen.roughness_texture,
            TextureSlot::Transmission => &mut self.transmission.texture,
            TextureSlot::Thickness => &mut self.volume.thickness_texture,
            TextureSlot::Specular => &mut self.specular.texture,
            TextureSlot::SpecularColor => &mut self.specular.color_texture,
            TextureSlot::Iridescence => &mut self.iridescence.texture,
            TextureSlot::IridescenceThickness => &mut self.iridescence.thickness_texture,
            TextureSlot::Anisotropy => &mut self.anisotropy.texture,
            TextureSlot::DiffuseTransmission => &mut self.diffuse_transmission.texture,
            TextureSlot::DiffuseTransmissionColor => &mut self.diffuse_transmission.color_texture,
            TextureSlot::SpecularGlossiness => &mut self.specular_glossiness.as_mut()?.texture,
        })
    }
}
