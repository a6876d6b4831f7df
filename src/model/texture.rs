//! The textures of materials: which image, how it is sampled, and where (glTF 2.0, 3.8, and KHR_texture_transform).

use glam::Vec2;

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
    /// Which of the material's sets of texture coordinates: 0 or 1.
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
