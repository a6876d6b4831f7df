//! Limits the images of a file: first the work of decoding them, then the pixels that are kept. The result depends only on the file and the
//! limit, not on the device.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::asset::error::Location;
use crate::asset::file::bytes::{Bytes, distinct_bytes};
use crate::asset::findings::Findings;
use crate::codec::texels::Texels;
use crate::model::texture::Image;

use super::{ImageSource, MAX_IMAGE_BYTES};

/// Minimum of the limit on the pixels that the decoders of a file produce, in bytes.
const MIN_DECODING_LIMIT_BYTES: u64 = 512 << 20;
/// The decoders may produce this many times the limit for all images. An image is decoded in full before it is halved.
const MAX_DECODING_FACTOR: u64 = 8;
/// Decoded bytes allowed in addition, for each encoded byte of images with readable headers.
const MAX_EXPANSION: u64 = 64;

/// An image that counts against the limit.
pub(super) struct LimitedImage {
    /// Index among the images of the file.
    pub image: usize,
    /// Number of times it can be halved.
    pub max_dropped: u32,
    /// The texel format on a device that supports BC.
    pub texels: Texels,
    /// Bytes that a decoder produces at least.
    pub min_bytes: u64,
}

/// Leaves out images, with a finding for each, so that decoding the others takes limited time. An image of a few bytes can have hundreds of
/// megapixels. `limit` is in bytes of decoded pixels that are kept.
pub(super) fn leave_out(
    images: &mut [Image],
    sources: &mut [ImageSource],
    limited: &mut Vec<LimitedImage>,
    limit: u64,
    findings: &mut Findings,
) {
    let encoded = distinct_bytes(limited.iter().map(|limited| &sources[limited.image].bytes));
    let min = MIN_DECODING_LIMIT_BYTES.max(limit.saturating_mul(MAX_DECODING_FACTOR));
    let max = min.saturating_add(encoded.saturating_mul(MAX_EXPANSION));
    let mut decoded = 0;
    limited.retain(|&LimitedImage { image: index, min_bytes, .. }| {
        if min_bytes <= max - decoded {
            decoded += min_bytes;
            return true;
        }
        let image = &mut images[index];
        let location = Location::image(index, image);
        let message = format!(
            "{}: with its {} x {} pixels, the decoded images of this file exceed {} MiB; shown as a checkerboard.",
            location.words,
            image.width,
            image.height,
            max >> 20
        );
        findings.error("IMAGE_DECODING_LIMIT_EXCEEDED", &location.pointer, message);
        (image.width, image.height) = (0, 0);
        sources[index].bytes = Bytes::default();
        false
    });
}

/// Sets `dropped_levels` of images that are too large, with a finding for each. `limit` is in bytes for all images together.
pub(super) fn drop_levels(images: &mut [Image], limited: &[LimitedImage], limit: u64, findings: &mut Findings) {
    // Count four bytes per pixel for every format, so that the result does not depend on the device.
    let bytes_of = |image: &Image| {
        let [width, height] = image.kept_size();
        u64::from(width) * u64::from(height) * 4
    };
    let full_bytes: u64 = limited.iter().map(|limited| bytes_of(&images[limited.image])).fold(0, u64::saturating_add);
    let mut kept_bytes = full_bytes;
    // A heap with the largest image on top; `Reverse` puts the lower index first among equally large ones.
    let mut by_size: BinaryHeap<_> =
        limited.iter().map(|limited| (bytes_of(&images[limited.image]), Reverse(limited.image), limited.max_dropped)).collect();
    while let Some((bytes, Reverse(index), max_dropped)) = by_size.pop() {
        if kept_bytes <= limit && bytes <= MAX_IMAGE_BYTES {
            break;
        }
        let image = &mut images[index];
        // An image that cannot shrink further leaves the heap.
        if image.dropped_levels >= max_dropped || bytes <= 4 {
            continue;
        }
        image.dropped_levels += 1;
        let halved_bytes = bytes_of(image);
        kept_bytes -= bytes - halved_bytes;
        by_size.push((halved_bytes, Reverse(index), max_dropped));
    }
    for (index, image) in images.iter().enumerate().filter(|(_, image)| image.dropped_levels > 0) {
        let location = Location::image(index, image);
        let ([width, height], mib) = (image.kept_size(), |bytes: u64| bytes.div_ceil(1 << 20));
        let reason = match full_bytes > limit {
            true => format!("all images take {} MiB decoded, but the limit is {} MiB (--image-limit)", mib(full_bytes), mib(limit)),
            false => format!("the limit for one decoded image is {} MiB", mib(MAX_IMAGE_BYTES)),
        };
        let message =
            format!("{} is reduced to {width} x {height} pixels from {} x {}: {reason}.", location.words, image.width, image.height);
        findings.warning("IMAGE_LIMIT_EXCEEDED", &location.pointer, message);
    }
}
