//! Metallic-roughness materials (glTF 2.0, 3.9) with their textures, samplers and images.

use glam::{Vec2, Vec3, Vec4};

use super::pointer::TextureSlot;

#[derive(Debug, Clone)]
pub struct Material {
    pub name: Option<String>,
    /// Linear.
    pub base_color_factor: Vec4,
    pub base_color_texture: Option<Texture>,
    pub metallic_factor: f32,
    pub roughness_factor: f32,
    /// Roughness in green, metalness in blue, linear.
    pub metallic_roughness_texture: Option<Texture>,
    pub normal_texture: Option<Texture>,
    pub normal_scale: f32,
    pub occlusion_texture: Option<Texture>,
    pub occlusion_strength: f32,
    /// Linear.
    pub emissive_factor: Vec3,
    /// KHR_materials_emissive_strength: the emitted light is this many times the factor and its texture.
    pub emissive_strength: f32,
    pub emissive_texture: Option<Texture>,
    pub alpha_mode: AlphaMode,
    pub double_sided: bool,
    /// KHR_materials_unlit.
    pub unlit: bool,
}

impl Default for Material {
    /// The specification's default material, for primitives that name none.
    fn default() -> Self {
        Self {
            name: None,
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
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    Opaque,
    Mask { cutoff: f32 },
    Blend,
}

/// Emission has no upper bound; beyond this one, it would be no number any more once it is multiplied.
pub const BRIGHTEST: f32 = 1e6;

impl Material {
    /// Factor and strength together.
    pub fn emission(&self) -> Vec3 {
        (self.emissive_factor * self.emissive_strength).min(Vec3::splat(BRIGHTEST))
    }

    pub fn texture(&self, slot: TextureSlot) -> Option<&Texture> {
        match slot {
            TextureSlot::BaseColor => self.base_color_texture.as_ref(),
            TextureSlot::MetallicRoughness => self.metallic_roughness_texture.as_ref(),
            TextureSlot::Normal => self.normal_texture.as_ref(),
            TextureSlot::Occlusion => self.occlusion_texture.as_ref(),
            TextureSlot::Emissive => self.emissive_texture.as_ref(),
        }
    }

    /// A texture of it, to be changed.
    pub fn texture_mut(&mut self, slot: TextureSlot) -> Option<&mut Texture> {
        match slot {
            TextureSlot::BaseColor => self.base_color_texture.as_mut(),
            TextureSlot::MetallicRoughness => self.metallic_roughness_texture.as_mut(),
            TextureSlot::Normal => self.normal_texture.as_mut(),
            TextureSlot::Occlusion => self.occlusion_texture.as_mut(),
            TextureSlot::Emissive => self.emissive_texture.as_mut(),
        }
    }
}

/// A texture as a material uses it: the image, how it is sampled, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// The file's texture index.
    pub source: usize,
    /// None: the texture names no image that can be read; a checker stands in where it is a colour (a finding says so).
    pub image: Option<usize>,
    pub sampler: Sampler,
    /// 0 or 1.
    pub tex_coord: usize,
    pub transform: TextureTransform,
}

/// KHR_texture_transform: uv' = translation * rotation * scale * uv.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureTransform {
    pub offset: Vec2,
    /// Radians, counter-clockwise.
    pub rotation: f32,
    pub scale: Vec2,
}

impl TextureTransform {
    pub const IDENTITY: Self = Self { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sampler {
    pub mag_linear: bool,
    pub min_linear: bool,
    /// None: no mip maps.
    pub mip_linear: Option<bool>,
    pub wrap_s: Wrap,
    pub wrap_t: Wrap,
}

impl Sampler {
    /// Where the file names none: linear with mip maps, repeating.
    pub const DEFAULT: Self =
        Self { mag_linear: true, min_linear: true, mip_linear: Some(true), wrap_s: Wrap::Repeat, wrap_t: Wrap::Repeat };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrap {
    Repeat,
    MirroredRepeat,
    ClampToEdge,
}

/// What is known of an image before its pixels are decoded.
#[derive(Debug, Clone, Default)]
pub struct Image {
    pub name: Option<String>,
    /// "png", "jpeg", "webp"... by its bytes, not by what the file says; empty when unknown.
    pub kind: String,
    /// From the image's header; 0 when it could not be read.
    pub width: u32,
    pub height: u32,
    /// Encoded size.
    pub bytes: u64,
    /// How often it is halved before it is shown: the images of the file are too large together.
    pub dropped_levels: u32,
    /// The file has blocks that only some graphics devices read.
    pub needs_blocks: bool,
    /// What it takes on a graphics device that reads BC blocks, with its levels.
    pub gpu_bytes: u64,
}

impl Image {
    /// Width and height as it is shown.
    pub fn kept_size(&self) -> [u32; 2] {
        let halved = |side: u32| if side == 0 { 0 } else { (side >> self.dropped_levels.min(31)).max(1) };
        [halved(self.width), halved(self.height)]
    }
}
