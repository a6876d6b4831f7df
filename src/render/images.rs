//! A model's images from bytes to what is uploaded, on all cores.

use std::sync::{Mutex, PoisonError};

use crate::asset::image::{self, ImageError, ImageSource};
use crate::model::Model;

use super::mipmap::{self, PreparedImage};

/// Decodes every image and makes its levels, several at once, and hands each over as it is ready, in no order; stops when
/// `take` says no. An image's bytes are let go of when it is decoded. `largest`: the longest side that the device can hold.
pub fn prepare(
    model: &Model,
    images: Vec<ImageSource>,
    largest: u32,
    take: impl Fn(usize, Result<PreparedImage, ImageError>) -> bool + Sync,
) {
    let uses = mipmap::image_uses(&model.materials, images.len());
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(images.len());
    let waiting = Mutex::new(images.into_iter().enumerate());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, source)) = next() {
                    let decoded = image::decode(&source);
                    drop(source);
                    let prepared = decoded.map(|image| PreparedImage::new(uses[index], image.width, image.height, image.rgba, largest));
                    if !take(index, prepared) {
                        return;
                    }
                }
            });
        }
    });
}
