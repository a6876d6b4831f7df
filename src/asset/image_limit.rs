//! How many decoded pixels a file may have. Beyond that the largest image is halved, again and again, until all fit: of images
//! of one size the one that comes first in the file. What is halved depends on the file and the limit alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::texture::Image;

use super::error::Place;
use super::findings::Findings;

/// Four bytes a pixel, all images together, where nobody asks for another limit.
pub const DEFAULT_LIMIT: u64 = 512 << 20;
/// No image is kept larger than this, whatever the limit.
pub const MOST_OF_AN_IMAGE: u64 = 768 << 20;

/// An image as it counts.
pub struct Counted {
    /// Which of the file's.
    pub image: usize,
    /// How often it can be halved.
    pub most: u32,
}

/// Sets `dropped_levels` of the images that are too large, with a finding for each.
pub fn drop_levels(images: &mut [Image], counted: &[Counted], limit: u64, findings: &mut Findings) {
    let bytes_of = |image: &Image| {
        let [width, height] = image.kept_size();
        u64::from(width) * u64::from(height) * 4
    };
    let all: u64 = counted.iter().map(|counted| bytes_of(&images[counted.image])).fold(0, u64::saturating_add);
    let mut total = all;
    let mut by_size: BinaryHeap<_> =
        counted.iter().map(|counted| (bytes_of(&images[counted.image]), Reverse(counted.image), counted.most)).collect();
    while let Some((bytes, Reverse(index), most)) = by_size.pop() {
        if total <= limit && bytes <= MOST_OF_AN_IMAGE {
            break;
        }
        let image = &mut images[index];
        if image.dropped_levels >= most || bytes <= 4 {
            continue;
        }
        image.dropped_levels += 1;
        let smaller = bytes_of(image);
        total -= bytes - smaller;
        by_size.push((smaller, Reverse(index), most));
    }
    for (index, image) in images.iter().enumerate().filter(|(_, image)| image.dropped_levels > 0) {
        let place = Place::new("image", "images", index, image.name.as_deref());
        let ([width, height], mib) = (image.kept_size(), |bytes: u64| bytes.div_ceil(1 << 20));
        let why = match all > limit {
            true => format!("all images take {} MiB decoded, {} MiB are allowed (--image-limit)", mib(all), mib(limit)),
            false => format!("one image may take {} MiB decoded", mib(MOST_OF_AN_IMAGE)),
        };
        let message =
            format!("{} is shown with {width} x {height} pixels instead of {} x {}: {why}.", place.words, image.width, image.height);
        findings.warning("IMAGE_LIMIT_EXCEEDED", &place.pointer, message);
    }
}
