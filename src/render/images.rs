//! A model's images from bytes to what is uploaded, on all cores.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::asset::image::{self, ImageError, ImageSource};
use crate::model::Model;

use super::mipmap::{self, PreparedImage};

/// Decodes every image and makes its levels, several at once, and hands each over as it is ready, in no order; stops when
/// `take` says no. `largest`: the longest side that the device can hold.
pub fn prepare(
    model: &Model,
    images: &[ImageSource],
    largest: u32,
    take: impl Fn(usize, Result<PreparedImage, ImageError>) -> bool + Sync,
) {
    let uses = mipmap::image_uses(&model.materials, images.len());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(images.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, source)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, images.get(i)?))) {
                    // One that makes its decoder panic must not take the others with it.
                    let prepared = panic::catch_unwind(|| {
                        image::decode(source).map(|image| PreparedImage::new(uses[index], image.width, image.height, image.rgba, largest))
                    });
                    if !take(index, prepared.unwrap_or(Err(ImageError::Panicked))) {
                        return;
                    }
                }
            });
        }
    });
}
