//! Metallic-roughness materials (glTF 2.0, 3.9) and the layers that the KHR_materials extensions put on them, with their
//! textures, samplers and images. An extension that a file does not use has the values that change nothing.

use glam::{Vec2, Vec3, Vec4};

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
    /// KHR_materials_ior.
    pub ior: f32,
    pub specular: Specular,
    pub clearcoat: Clearcoat,
    pub sheen: Sheen,
    pub transmission: Transmission,
    pub volume: Volume,
    /// KHR_materials_dispersion.
    pub dispersion: f32,
    pub iridescence: Iridescence,
    pub anisotropy: Anisotropy,
    pub diffuse_transmission: DiffuseTransmission,
    /// Then base colour factor and texture are the diffuse ones, and metalness and roughness do not count.
    pub specular_glossiness: Option<SpecularGlossiness>,
}

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
    /// In the mesh's space; 0: the surface is a thin wall.
    pub thickness_factor: f32,
    /// Green, linear.
    pub thickness_texture: Option<Texture>,
    /// Metres; infinite: nothing is absorbed.
    pub attenuation_distance: f32,
    /// Linear: what is left of white light after that distance.
    pub attenuation_color: Vec3,
}

/// KHR_materials_iridescence.
#[derive(Debug, Clone, PartialEq)]
pub struct Iridescence {
    pub factor: f32,
    /// Red, linear.
    pub texture: Option<Texture>,
    pub ior: f32,
    /// Nanometres, where the texture is 0.
    pub thickness_minimum: f32,
    /// Nanometres, where the texture is 1, and where there is none.
    pub thickness_maximum: f32,
    /// Green, linear.
    pub thickness_texture: Option<Texture>,
}

/// KHR_materials_anisotropy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Anisotropy {
    pub strength: f32,
    /// Radians, counter-clockwise from the tangent.
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
    /// Linear: the reflectance at normal incidence.
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

    /// A texture of it, to be changed.
    pub fn texture_mut(&mut self, slot: TextureSlot) -> Option<&mut Texture> {
        match slot {
            TextureSlot::BaseColor => self.base_color_texture.as_mut(),
            TextureSlot::MetallicRoughness => self.metallic_roughness_texture.as_mut(),
            TextureSlot::Normal => self.normal_texture.as_mut(),
            TextureSlot::Occlusion => self.occlusion_texture.as_mut(),
            TextureSlot::Emissive => self.emissive_texture.as_mut(),
            TextureSlot::Clearcoat => self.clearcoat.texture.as_mut(),
            TextureSlot::ClearcoatRoughness => self.clearcoat.roughness_texture.as_mut(),
            TextureSlot::ClearcoatNormal => self.clearcoat.normal_texture.as_mut(),
            TextureSlot::SheenColor => self.sheen.color_texture.as_mut(),
            TextureSlot::SheenRoughness => self.sheen.roughness_texture.as_mut(),
            TextureSlot::Transmission => self.transmission.texture.as_mut(),
            TextureSlot::Thickness => self.volume.thickness_texture.as_mut(),
            TextureSlot::Specular => self.specular.texture.as_mut(),
            TextureSlot::SpecularColor => self.specular.color_texture.as_mut(),
            TextureSlot::Iridescence => self.iridescence.texture.as_mut(),
            TextureSlot::IridescenceThickness => self.iridescence.thickness_texture.as_mut(),
            TextureSlot::Anisotropy => self.anisotropy.texture.as_mut(),
            TextureSlot::DiffuseTransmission => self.diffuse_transmission.texture.as_mut(),
            TextureSlot::DiffuseTransmissionColor => self.diffuse_transmission.color_texture.as_mut(),
            TextureSlot::SpecularGlossiness => self.specular_glossiness.as_mut().and_then(|model| model.texture.as_mut()),
        }
    }
}

/// The textures of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextureSlot {
    BaseColor,
    MetallicRoughness,
    Normal,
    Occlusion,
    Emissive,
    Clearcoat,
    ClearcoatRoughness,
    ClearcoatNormal,
    SheenColor,
    SheenRoughness,
    Transmission,
    Thickness,
    Specular,
    SpecularColor,
    Iridescence,
    IridescenceThickness,
    Anisotropy,
    DiffuseTransmission,
    DiffuseTransmissionColor,
    SpecularGlossiness,
}

impl TextureSlot {
    /// The most visible ones first: where a material has more than a device binds, it does without the last ones.
    pub const ALL: [Self; 20] = [
        Self::BaseColor,
        Self::Normal,
        Self::MetallicRoughness,
        Self::SpecularGlossiness,
        Self::Emissive,
        Self::Occlusion,
        Self::Transmission,
        Self::Clearcoat,
        Self::ClearcoatNormal,
        Self::SheenColor,
        Self::DiffuseTransmissionColor,
        Self::DiffuseTransmission,
        Self::Thickness,
        Self::SpecularColor,
        Self::Anisotropy,
        Self::Iridescence,
        Self::IridescenceThickness,
        Self::ClearcoatRoughness,
        Self::Specular,
        Self::SheenRoughness,
    ];

    /// sRGB, as opposed to numbers. (Alpha is linear always.)
    pub fn is_color(self) -> bool {
        matches!(
            self,
            Self::BaseColor
                | Self::Emissive
                | Self::SheenColor
                | Self::SpecularColor
                | Self::DiffuseTransmissionColor
                | Self::SpecularGlossiness
        )
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
