//! Textures of materials: image, sampler and transform (glTF 2.0, 3.8, and KHR_texture_transform).

use glam::{Mat2, Vec2};

/// A slot for a texture in a material. It is named after the property that refers to the texture.
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
    /// All slots, in descending order of visibility. A material with more textures than a device binds loses the last ones.
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

    /// Returns whether the texture holds sRGB colors. Alpha is always linear.
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

/// A material's use of a texture.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// The file's texture index.
    pub source: usize,
    /// `None` if the texture has no readable image; it is then shown as a checkerboard, with a finding.
    pub image: Option<usize>,
    /// Filtering and wrapping.
    pub sampler: Sampler,
    /// Position of the texture coordinate set in [`super::material::Material::tex_coords`]: 0 or 1.
    pub tex_coord: usize,
    /// Transform of the texture coordinates.
    pub transform: TextureTransform,
}

/// KHR_texture_transform: `uv' = translation * rotation * scale * uv`, with column vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureTransform {
    /// Translation in texture coordinates.
    pub offset: Vec2,
    /// Rotation in radians, counterclockwise.
    pub rotation: f32,
    /// Factors along u and v.
    pub scale: Vec2,
}

impl TextureTransform {
    /// The coordinates of the file, unchanged.
    pub const IDENTITY: Self = Self { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE };

    /// Transforms texture coordinates of the file to those at which the image is read.
    pub fn transformed(&self, uv: Vec2) -> Vec2 {
        self.linear() * uv + self.offset
    }

    /// Rotation and scale, without the offset.
    pub fn linear(&self) -> Mat2 {
        // The rotation is counterclockwise in the image, where v points down.
        Mat2::from_angle(-self.rotation) * Mat2::from_diagonal(self.scale)
    }
}

/// Filtering and wrapping of a texture (glTF 2.0, 3.8.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Whether magnification filters linearly.
    pub mag_linear: bool,
    /// Whether minification filters linearly within a mip level.
    pub min_linear: bool,
    /// Whether minification filters linearly between mip levels. `None` if it uses no mip maps.
    pub mip_linear: Option<bool>,
    /// Wrapping along u.
    pub wrap_s: Wrap,
    /// Wrapping along v.
    pub wrap_t: Wrap,
}

impl Sampler {
    /// The sampler of a texture that refers to none: linear filters with mip maps, repeating.
    pub const DEFAULT: Self =
        Self { mag_linear: true, min_linear: true, mip_linear: Some(true), wrap_s: Wrap::Repeat, wrap_t: Wrap::Repeat };
}

/// Wrapping of texture coordinates outside the range from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrap {
    Repeat,
    MirroredRepeat,
    ClampToEdge,
}

/// Metadata of an image before its pixels are decoded.
#[derive(Debug, Clone, Default)]
pub struct Image {
    /// The name in the file.
    pub name: Option<String>,
    /// The URI as written in the file. `None` for data in a buffer view or in the URI itself.
    pub uri: Option<String>,
    /// The kind of the image data, such as "png" or "webp". It is determined by the first bytes of the data, so the file may declare a
    /// different kind. Empty if unknown.
    pub kind: String,
    /// Width in pixels, from the header; 0 if it cannot be read.
    pub width: u32,
    /// Height in pixels, from the header; 0 if it cannot be read.
    pub height: u32,
    /// Encoded size, in bytes.
    pub bytes: u64,
    /// Number of times that it is halved to keep the file's images within the limit.
    pub dropped_levels: u32,
    /// Whether it can be shown only on devices that support its block format.
    pub needs_blocks: bool,
    /// Whether its data ends too early.
    pub is_truncated: bool,
    /// Size of the image with its mip maps on a graphics device that supports BC blocks, in bytes. BC1 that is unpacked to RGBA counts as
    /// BC1.
    pub gpu_bytes: u64,
}

impl Image {
    /// The name of the image in messages: its name in the file, or its URI if it has no name. `None` if it has neither.
    pub fn name_or_uri(&self) -> Option<&str> {
        self.name.as_deref().filter(|name| !name.is_empty()).or(self.uri.as_deref())
    }

    /// Width and height after halving, in pixels.
    pub fn kept_size(&self) -> [u32; 2] {
        let halve = |side: u32| if side == 0 { 0 } else { (side >> self.dropped_levels.min(31)).max(1) };
        [halve(self.width), halve(self.height)]
    }
}
