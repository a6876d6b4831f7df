//! Decodes a model's images and prepares them for upload, on all cores.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use crate::asset::image::{self, ImageError, ImageSource};
use crate::codec::texels::{BlockFormats, DecodeOptions, Encoding};
use crate::model::Model;

use super::mipmap::{self, ImageUse, PreparedImage};

/// Images with more pixels than this are decoded one at a time, to limit memory.
const MAX_PARALLEL_PIXELS: u64 = 64 << 20;

/// The image sizes and formats that a device supports.
#[derive(Debug, Clone, Copy)]
pub struct ImageSupport {
    /// Largest side of a texture, in texels.
    pub max_size: u32,
    /// The compressed formats that textures may have.
    pub blocks: BlockFormats,
}

/// Decodes all images and their mip levels in parallel, and passes each to `take` as soon as it is ready, in any order. Stops when `take`
/// returns false. An error is passed in place of an image that cannot be decoded. The encoded bytes of an image are freed once it is
/// decoded. Of images with the same bytes and uses, the first is decoded, and the others refer to it.
pub fn prepare(
    model: &Model,
    images: Vec<ImageSource>,
    support: ImageSupport,
    take: impl Fn(usize, Result<PreparedImage, ImageError>) -> bool + Sync,
) {
    let uses = mipmap::image_uses(model, images.len());
    let distinct = distinct(images, &uses);
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(distinct.len());
    let (queue, large_images) = (Mutex::new(distinct.into_iter()), Mutex::new(()));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let decode = |index: usize, source: ImageSource| {
        let is_large = model.images.get(index).is_some_and(|image| u64::from(image.width) * u64::from(image.height) > MAX_PARALLEL_PIXELS);
        let _one_at_a_time = is_large.then(|| large_images.lock());
        let usage = uses[index];
        let encoding = Encoding::new(usage.color);
        let options = DecodeOptions { encoding, mipmaps: usage.mipmaps, blocks: support.blocks, max_size: support.max_size };
        let decoded = image::decode(&source, &options);
        drop(source);
        decoded.map(|image| PreparedImage::new(usage, image))
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(DistinctImage { first, others, source }) = next() {
                    // If the decoder of one image panics, the other images must not be lost.
                    let prepared = panic::catch_unwind(AssertUnwindSafe(|| decode(first, source))).unwrap_or(Err(ImageError::Panicked));
                    let is_decoded = prepared.is_ok();
                    let same = || match is_decoded {
                        true => Ok(PreparedImage { same_as: Some(first), ..PreparedImage::default() }),
                        false => Err(ImageError::SameAs(first)),
                    };
                    if !take(first, prepared) || !others.into_iter().all(|index| take(index, same())) {
                        return;
                    }
                }
            });
        }
    });
}

/// An image to decode, with the indices of all images that show it.
struct DistinctImage {
    first: usize,
    others: Vec<usize>,
    source: ImageSource,
}

/// Groups images with the same bytes and uses, in the order of the first of each group.
fn distinct(images: Vec<ImageSource>, uses: &[ImageUse]) -> Vec<DistinctImage> {
    let (mut distinct, mut by_key) = (Vec::<DistinctImage>::new(), HashMap::new());
    for (index, source) in images.into_iter().enumerate() {
        let key = source.key().map(|key| (key, uses[index]));
        if let Some(&known) = key.as_ref().and_then(|key| by_key.get(key)) {
            let image: &mut DistinctImage = &mut distinct[known];
            image.others.push(index);
            continue;
        }
        by_key.extend(key.map(|key| (key, distinct.len())));
        distinct.push(DistinctImage { first: index, others: Vec::new(), source });
    }
    distinct
}
