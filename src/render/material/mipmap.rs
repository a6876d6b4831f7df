//! Prepares decoded images for the GPU, on any thread: makes one mip chain for each use, as color or as data, unless the file contains mip
//! levels.

use crate::codec::halving::{half_size, halve_rgba, halve_weighted_by_alpha};
use crate::codec::texels::{DecodedImage, Encoding, Texels};
use crate::model::Model;
use crate::model::material::{AlphaMode, Material};
use crate::model::material_property::MaterialProperty;
use crate::model::texture::TextureSlot;

use super::{animated_properties, texture_set};

/// How a model's materials use an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ImageUse {
    /// Whether the image is used as sRGB color. An image that is used both as color and as data needs two textures.
    pub color: bool,
    /// Whether the image is used as linear data.
    pub data: bool,
    /// Whether any of its samplers uses mip levels.
    pub mipmaps: bool,
    /// How the alpha channel affects the visibility of the color.
    pub alpha: Alpha,
    /// The alpha bytes at which materials with an alpha mask cut the image. `None` if there is no such material.
    pub cutoffs: Option<Cutoffs>,
}

/// How the alpha channel of an image affects its color, over all uses as color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Alpha {
    /// No use as color is known yet.
    #[default]
    Unknown,
    /// At least one use shows the color regardless of alpha.
    Ignored,
    /// At least one use blends the color by alpha. The others blend or cut it.
    Blended,
    /// All uses cut the color by an alpha mask.
    Cut,
}

impl Alpha {
    /// Adds a use by a material with this alpha mode.
    fn with(self, mode: AlphaMode) -> Self {
        match (self, mode) {
            (Self::Ignored, _) | (_, AlphaMode::Opaque) => Self::Ignored,
            (Self::Blended, _) | (_, AlphaMode::Blend) => Self::Blended,
            (Self::Unknown | Self::Cut, AlphaMode::Mask { .. }) => Self::Cut,
        }
    }
}

/// A range of cutoffs as alpha bytes of an image. A texel is visible if its byte is at least the cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cutoffs {
    /// At least 1, because a cutoff of 0 hides nothing.
    pub lowest: u8,
    pub highest: u8,
}

impl Cutoffs {
    /// Returns the range that contains both ranges.
    fn union(self, other: Option<Self>) -> Self {
        let other = other.unwrap_or(self);
        Self { lowest: self.lowest.min(other.lowest), highest: self.highest.max(other.highest) }
    }
}

/// Returns how the model uses each of its images.
pub fn image_uses(model: &Model, image_count: usize) -> Vec<ImageUse> {
    let mut uses = vec![ImageUse::default(); image_count];
    for (material, cutoffs) in model.materials.iter().zip(mask_cutoffs(model)) {
        for (slot, texture) in texture_set::shown(material) {
            let Some(usage) = texture.image.and_then(|image| uses.get_mut(image)) else { continue };
            let color = slot.is_color();
            usage.color |= color;
            usage.data |= !color;
            if slot == TextureSlot::BaseColor {
                usage.alpha = usage.alpha.with(material.alpha_mode);
                usage.cutoffs = cutoffs.map_or(usage.cutoffs, |cutoffs| Some(cutoffs.union(usage.cutoffs)));
            } else if color {
                usage.alpha = usage.alpha.with(AlphaMode::Opaque);
            }
            usage.mipmaps |= texture.sampler.mip_linear.is_some();
        }
    }
    uses
}

/// Returns the cutoffs of each material, converted to apply to the alpha of its texture alone. `None` for materials that have no alpha
/// mask, or whose mask hides nothing.
fn mask_cutoffs(model: &Model) -> Vec<Option<Cutoffs>> {
    let count = model.materials.len();
    if !model.materials.iter().any(|material| matches!(material.alpha_mode, AlphaMode::Mask { .. })) {
        return vec![None; count];
    }
    let materials = model.materials.iter().zip(vertex_alphas(model)).zip(animated_properties(model));
    let changes_cutoff =
        |property: &MaterialProperty| matches!(property, MaterialProperty::BaseColorFactor | MaterialProperty::AlphaCutoff);
    materials
        .map(|((material, alphas), animated)| match animated.iter().any(changes_cutoff) {
            true => any_cutoff(material),
            false => cutoffs(material, alphas),
        })
        .collect()
}

/// Returns the cutoffs of a material whose factor or cutoff is animated, which is the range of all possible cutoffs.
fn any_cutoff(material: &Material) -> Option<Cutoffs> {
    matches!(material.alpha_mode, AlphaMode::Mask { .. }).then_some(Cutoffs { lowest: 1, highest: 255 })
}

/// Returns the cutoffs of a material. The vertex alphas of its primitives lie between `min` and `max`. The mask compares the product of
/// factor, vertex alpha and texture alpha with the material's cutoff. `None` if the texture makes no difference.
fn cutoffs(material: &Material, [min, max]: [f32; 2]) -> Option<Cutoffs> {
    let AlphaMode::Mask { cutoff } = material.alpha_mode else { return None };
    // The lowest visible alpha byte of the texture, computed in the same way as in the shader.
    let visible_from = |vertex: f32| (0..=255u8).find(|&byte| material.base_color_factor.w * vertex * (f32::from(byte) / 255.0) >= cutoff);
    let lowest = visible_from(max).filter(|&byte| byte > 0)?;
    Some(Cutoffs { lowest, highest: visible_from(min).unwrap_or(255).max(lowest) })
}

/// Returns, for each material, the smallest and the largest vertex alpha of the primitives that use it.
fn vertex_alphas(model: &Model) -> Vec<[f32; 2]> {
    let mut alphas: Vec<Option<[f32; 2]>> = vec![None; model.materials.len()];
    for primitive in model.primitives() {
        let colors = primitive.indices.iter().filter_map(|&vertex| primitive.vertices.colors.get(vertex as usize));
        let range = colors.fold(None, |range, color| Some(union(range, [color.w.clamp(0.0, 1.0); 2]))).unwrap_or([1.0; 2]);
        for material in primitive.materials() {
            if let Some(alphas) = alphas.get_mut(material) {
                *alphas = Some(union(*alphas, range));
            }
        }
    }
    alphas.into_iter().map(|alphas| alphas.unwrap_or([1.0; 2])).collect()
}

/// Returns the range that contains both ranges.
fn union(range: Option<[f32; 2]>, [min, max]: [f32; 2]) -> [f32; 2] {
    range.map_or([min, max], |range| [range[0].min(min), range[1].max(max)])
}

/// An image that is ready to upload. All fields are `None` for an incomplete or unused image.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreparedImage {
    /// For uses as sRGB color.
    pub color: Option<DecodedImage>,
    /// For uses as linear data.
    pub data: Option<DecodedImage>,
    /// The image whose textures this image shares, because it has the same data and uses. That image is uploaded before.
    pub same_as: Option<usize>,
}

impl PreparedImage {
    /// Builds the mip chains that an image needs. Builds none for an incomplete image.
    pub fn new(usage: ImageUse, image: DecodedImage) -> Self {
        if !image.is_complete() {
            return Self::default();
        }
        let levels = |image, encoding| match (usage.mipmaps, encoding) {
            (true, Encoding::Srgb) => color_chain(image, usage),
            (true, Encoding::Linear) => chain(image, Encoding::Linear),
            (false, _) => first_level(image),
        };
        let (color, data) = match (usage.color, usage.data) {
            (true, true) => (Some(levels(image.clone(), Encoding::Srgb)), Some(levels(image, Encoding::Linear))),
            (true, false) => (Some(levels(image, Encoding::Srgb)), None),
            (false, true) => (None, Some(levels(image, Encoding::Linear))),
            (false, false) => (None, None),
        };
        Self { color, data, same_as: None }
    }
}

/// Removes all mip levels but the first.
fn first_level(mut image: DecodedImage) -> DecodedImage {
    image.levels.truncate(1);
    image
}

/// Builds a mip chain of colors, which are weighted by alpha if alpha hides them. In alpha-masked images, each level keeps the coverage of
/// the first level. Otherwise foliage would thin out with distance.
fn color_chain(mut image: DecodedImage, usage: ImageUse) -> DecodedImage {
    if image.texels != Texels::Rgba8 || image.levels.len() != 1 {
        return image;
    }
    if matches!(usage.alpha, Alpha::Blended | Alpha::Cut) {
        let (mut width, mut height) = (image.width, image.height);
        while width > 1 || height > 1 {
            let smaller = halve_weighted_by_alpha(width, height, &image.levels[image.levels.len() - 1]);
            image.levels.push(smaller);
            (width, height) = (half_size(width), half_size(height));
        }
    } else {
        image = chain(image, Encoding::Srgb);
    }
    // A blended use shows the alpha itself, which must not be changed.
    let cutoffs = usage.cutoffs.filter(|_| usage.alpha != Alpha::Blended);
    if let (Some(cutoffs), [first, smaller @ ..]) = (cutoffs, &mut image.levels[..]) {
        let coverage = Coverage::new(first);
        smaller.iter_mut().for_each(|level| keep_coverage(level, &coverage, cutoffs));
    }
    image
}

/// For each alpha byte, the number of texels with at least this alpha. The last entry is 0.
struct Coverage([u64; 257]);

impl Coverage {
    /// Counts the texels of an RGBA level.
    fn new(level: &[u8]) -> Self {
        let mut counts = [0; 257];
        level.as_chunks::<4>().0.iter().for_each(|texel| counts[usize::from(texel[3])] += 1);
        (0..256).rev().for_each(|alpha| counts[alpha] += counts[alpha + 1]);
        Self(counts)
    }
}

/// Changes the alpha of a level so that each cutoff leaves the same fraction of texels visible as in the first level, as nearly as the
/// number of texels allows. The order of the alphas does not change.
fn keep_coverage(level: &mut [u8], first: &Coverage, cutoffs: Cutoffs) {
    let counts = Coverage::new(level).0;
    // Pairs of an alpha and the alpha that replaces it, in ascending order.
    let mut points = vec![(0, 0)];
    let mut from = 0;
    for cutoff in (cutoffs.lowest..=cutoffs.highest).map(usize::from) {
        let target = first.0[cutoff] * counts[0];
        // Among equally good matches, choose the alpha that changes least.
        let mismatch = |&alpha: &usize| {
            let count = counts[alpha] * first.0[0];
            (count.abs_diff(target), count < target, alpha.abs_diff(cutoff))
        };
        from = (from..=256).min_by_key(mismatch).unwrap_or(256);
        points.push((from, cutoff));
    }
    points.push((256, 256));
    let replaced: [u8; 256] = std::array::from_fn(|alpha| {
        // The first point is at 0, and the last point is beyond every alpha.
        let next = points.partition_point(|point| point.0 <= alpha);
        let ((start, low), (end, high)) = (points[next - 1], points[next]);
        (low + (alpha - start) * (high - low) / (end - start)) as u8
    });
    level.as_chunks_mut::<4>().0.iter_mut().for_each(|texel| texel[3] = replaced[usize::from(texel[3])]);
}

/// Returns the image with all mip levels. An uncompressed image with one level gets a chain down to a single texel. Other images are not
/// changed.
pub(crate) fn chain(mut image: DecodedImage, encoding: Encoding) -> DecodedImage {
    let (mut width, mut height) = (image.width, image.height);
    if image.texels == Texels::Rgba8 && image.levels.len() == 1 {
        while width > 1 || height > 1 {
            let smaller = halve_rgba(width, height, &image.levels[image.levels.len() - 1], encoding);
            image.levels.push(smaller);
            (width, height) = (half_size(width), half_size(height));
        }
    }
    image
}
