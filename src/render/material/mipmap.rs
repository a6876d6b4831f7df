//! Prepares decoded images for the GPU, on any thread: one mip chain for each use, as color or as data. Mip levels of the file are kept.

use crate::codec::halving::{half, halved_by_alpha, halved_rgba};
use crate::codec::texels::{DecodedImage, Texels};
use crate::model::material::{AlphaMode, Material};
use crate::model::texture::TextureSlot;

use super::texture_set;

/// How a model's materials use an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImageUse {
    /// Used as sRGB color. An image that is used both as color and as data becomes two textures.
    pub color: bool,
    /// Used as linear data.
    pub data: bool,
    /// Whether any sampler reads mip levels.
    pub mipmaps: bool,
    /// How alpha affects where the color is seen.
    pub alpha: Alpha,
}

/// How materials use the alpha channel of a color image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alpha {
    /// Not used as color so far.
    #[default]
    Unknown,
    /// At least one use shows the color regardless of alpha.
    Ignored,
    /// Blended by alpha.
    Blended,
    /// Cut by alpha: texels with an alpha below this byte are invisible. If several uses differ, the first one counts.
    Cut(u8),
}

impl Alpha {
    /// Combines the uses so far with another one.
    fn with(self, mode: AlphaMode) -> Self {
        match (self, mode) {
            (Self::Ignored, _) | (_, AlphaMode::Opaque) => Self::Ignored,
            (Self::Unknown, AlphaMode::Mask { cutoff }) => Self::Cut((cutoff.clamp(0.0, 1.0) * 255.0).ceil() as u8),
            (Self::Unknown | Self::Blended, AlphaMode::Blend) | (Self::Blended, _) => Self::Blended,
            (Self::Cut(cutoff), _) => Self::Cut(cutoff),
        }
    }

    /// Returns whether texels may be invisible, so that their colors must not bleed into smaller levels.
    fn matters(self) -> bool {
        matches!(self, Self::Blended | Self::Cut(_))
    }
}

/// Returns the use of each image by the materials of a model.
pub fn image_uses(materials: &[Material], image_count: usize) -> Vec<ImageUse> {
    let mut uses = vec![ImageUse::default(); image_count];
    for material in materials {
        for (slot, texture) in texture_set::shown(material) {
            let Some(usage) = texture.image.and_then(|image| uses.get_mut(image)) else { continue };
            let color = slot.is_color();
            usage.color |= color;
            usage.data |= !color;
            if color {
                usage.alpha = usage.alpha.with(if slot == TextureSlot::BaseColor { material.alpha_mode } else { AlphaMode::Opaque });
            }
            usage.mipmaps |= texture.sampler.mip_linear.is_some();
        }
    }
    uses
}

/// An image ready to upload, with mip levels. `None` for a use that it does not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreparedImage {
    /// As sRGB color.
    pub color: Option<DecodedImage>,
    /// As linear data.
    pub data: Option<DecodedImage>,
}

impl PreparedImage {
    /// Builds the mip chains that an image needs. An incomplete image yields neither.
    pub fn new(usage: ImageUse, image: DecodedImage) -> Self {
        if !image.is_whole() {
            return Self::default();
        }
        let levels = |image, color| match usage.mipmaps {
            true if color && usage.alpha.matters() => cut_out_chain(image, usage.alpha),
            true => chain(image, color),
            false => first(image),
        };
        match (usage.color, usage.data) {
            (true, true) => Self { color: Some(levels(image.clone(), true)), data: Some(levels(image, false)) },
            (true, false) => Self { color: Some(levels(image, true)), data: None },
            (false, true) => Self { color: None, data: Some(levels(image, false)) },
            (false, false) => Self::default(),
        }
    }
}

/// Keeps the first level only.
fn first(mut image: DecodedImage) -> DecodedImage {
    image.levels.truncate(1);
    image
}

/// Builds a mip chain with alpha-weighted colors. For alpha-masked images each level keeps the coverage of the first; otherwise foliage
/// would thin out with distance.
fn cut_out_chain(mut image: DecodedImage, alpha: Alpha) -> DecodedImage {
    if image.texels != Texels::Rgba8 || image.levels.len() != 1 {
        return image;
    }
    let (mut width, mut height) = (image.width, image.height);
    while width > 1 || height > 1 {
        let smaller = halved_by_alpha(width, height, &image.levels[image.levels.len() - 1]);
        image.levels.push(smaller);
        (width, height) = (half(width), half(height));
    }
    if let (Alpha::Cut(cutoff @ 1..), [first, smaller @ ..]) = (alpha, &mut image.levels[..]) {
        let seen = first.as_chunks::<4>().0.iter().filter(|texel| texel[3] >= cutoff).count();
        let share = seen as f64 / (first.len() / 4).max(1) as f64;
        smaller.iter_mut().for_each(|level| keep_cover(level, cutoff, share));
    }
    image
}

/// Scales alpha so that about the fraction `share` of the texels reaches the cutoff.
fn keep_cover(level: &mut [u8], cutoff: u8, share: f64) {
    let texels = level.as_chunks_mut::<4>().0;
    let mut counts = [0usize; 256];
    texels.iter().for_each(|texel| counts[usize::from(texel[3])] += 1);
    // Find the alpha for which the number of texels at or above it is nearest to the wanted one.
    let (wanted, mut count, mut nearest) = (share * texels.len() as f64, 0, (f64::MAX, 255));
    for alpha in (1..256).rev().filter(|&alpha| counts[alpha] > 0) {
        count += counts[alpha];
        let off = (count as f64 - wanted).abs();
        if off < nearest.0 {
            nearest = (off, alpha);
        }
    }
    if wanted < 0.5 {
        return;
    }
    // The limits keep a level that is almost transparent almost transparent.
    let scale = (f32::from(cutoff) / nearest.1 as f32).clamp(0.25, 4.0);
    texels.iter_mut().for_each(|texel| texel[3] = (f32::from(texel[3]) * scale + 0.5).min(255.0) as u8);
}

/// Adds all missing mip levels. An uncompressed image with one level gets a chain down to a single texel; other images stay as they are.
pub(crate) fn chain(mut image: DecodedImage, color: bool) -> DecodedImage {
    let (mut width, mut height) = (image.width, image.height);
    if image.texels == Texels::Rgba8 && image.levels.len() == 1 {
        while width > 1 || height > 1 {
            let smaller = halved_rgba(width, height, &image.levels[image.levels.len() - 1], color);
            image.levels.push(smaller);
            (width, height) = (half(width), half(height));
        }
    }
    image
}
