//! Compares pictures pixel by pixel: counts pixels of a color, and measures how much two pictures differ.

use image::RgbaImage;

/// Counts the pixels whose channels all differ from a color by at most 1, because drivers round sRGB encoding differently.
pub fn count_near(picture: &RgbaImage, color: [u8; 4]) -> usize {
    picture.pixels().filter(|pixel| is_near(pixel.0, color)).count()
}

/// Returns whether every channel differs by at most 1.
pub fn is_near(pixel: [u8; 4], color: [u8; 4]) -> bool {
    pixel.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 1)
}

/// Counts the pixels of exactly this color.
pub fn count(picture: &RgbaImage, color: [u8; 4]) -> usize {
    picture.pixels().filter(|pixel| pixel.0 == color).count()
}

/// Returns the largest difference between any bytes of two pictures of the same size.
pub fn difference(a: &RgbaImage, b: &RgbaImage) -> u8 {
    assert_eq!(a.dimensions(), b.dimensions());
    a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// Counts the pixels that differ by more than 12 in red, green or blue. Returns `usize::MAX` if the sizes differ.
pub fn differ(a: &RgbaImage, b: &RgbaImage) -> usize {
    if a.dimensions() != b.dimensions() {
        return usize::MAX;
    }
    let [a, b] = [a, b].map(|picture| picture.as_raw().as_chunks::<4>().0);
    a.iter().zip(b).filter(|(a, b)| a != b && (0..3).any(|i| a[i].abs_diff(b[i]) > 12)).count()
}
