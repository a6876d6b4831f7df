//! Pictures pixel by pixel: how many pixels have a colour, and how far two pictures are apart.

use image::RgbaImage;

/// How many pixels are of a colour or a byte beside it: drivers round what they encode as sRGB in their own way.
pub fn count_near(picture: &RgbaImage, color: [u8; 4]) -> usize {
    picture.pixels().filter(|pixel| is_near(pixel.0, color)).count()
}

pub fn is_near(pixel: [u8; 4], color: [u8; 4]) -> bool {
    pixel.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 1)
}

pub fn count(picture: &RgbaImage, color: [u8; 4]) -> usize {
    picture.pixels().filter(|pixel| pixel.0 == color).count()
}

/// The largest difference of any byte of two pictures of the same size.
pub fn difference(a: &RgbaImage, b: &RgbaImage) -> u8 {
    assert_eq!(a.dimensions(), b.dimensions());
    a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// How many pixels differ visibly, by more than 12 in red, green or blue. All of them where the sizes differ.
pub fn differ(a: &RgbaImage, b: &RgbaImage) -> usize {
    if a.dimensions() != b.dimensions() {
        return usize::MAX;
    }
    a.pixels().zip(b.pixels()).filter(|(a, b)| (0..3).any(|i| a.0[i].abs_diff(b.0[i]) > 12)).count()
}
