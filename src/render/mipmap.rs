//! Images prepared for the GPU, on whatever thread decoded them: a chain of halved levels for each way they are used, unless
//! the file has its own.

use crate::asset::halving::{half, halved_rgba};
use crate::asset::texels::{DecodedImage, Texels};
use crate::model::material::Material;

use super::texture_set;

/// How a model's materials use an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImageUse {
    /// As sRGB colour, as numbers. Both at once takes two textures.
    pub color: bool,
    pub data: bool,
    /// Some sampler asks for smaller levels.
    pub mipmaps: bool,
}

/// By image of the model.
pub fn image_uses(materials: &[Material], image_count: usize) -> Vec<ImageUse> {
    let mut uses = vec![ImageUse::default(); image_count];
    for material in materials {
        for (slot, texture) in texture_set::shown(material) {
            let Some(usage) = texture.image.and_then(|image| uses.get_mut(image)) else { continue };
            let color = slot.is_color();
            usage.color |= color;
            usage.data |= !color;
            usage.mipmaps |= texture.sampler.mip_linear.is_some();
        }
    }
    uses
}

/// An image ready to upload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreparedImage {
    pub color: Option<DecodedImage>,
    pub data: Option<DecodedImage>,
}

impl PreparedImage {
    /// Of an image that is not whole, nothing.
    pub fn new(usage: ImageUse, image: DecodedImage) -> Self {
        if !image.is_whole() {
            return Self::default();
        }
        let levels = |image, color| if usage.mipmaps { chain(image, color) } else { first(image) };
        match (usage.color, usage.data) {
            (true, true) => Self { color: Some(levels(image.clone(), true)), data: Some(levels(image, false)) },
            (true, false) => Self { color: Some(levels(image, true)), data: None },
            (false, true) => Self { color: None, data: Some(levels(image, false)) },
            (false, false) => Self::default(),
        }
    }
}

fn first(mut image: DecodedImage) -> DecodedImage {
    image.levels.truncate(1);
    image
}

/// The levels that the image has; of an image of one level all down to a single texel.
pub(super) fn chain(mut image: DecodedImage, color: bool) -> DecodedImage {
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
