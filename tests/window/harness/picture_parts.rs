//! Parts of the window's picture: the halves of the viewport, the message below the menu, the status bar, the tiles of the file strip.

use image::RgbaImage;

use super::desktop::{HEIGHT, WIDTH};
use super::{LEFT, RIGHT};
use crate::common::pixels::differ;

/// The top of the file strip, in points. It lies above the status bar.
pub const STRIP: i32 = HEIGHT as i32 - 24 - 112;
/// The left edge of the first tile, and the width of a tile.
pub const TILES: i32 = 200;
pub const TILE: i32 = 96;

/// A half of the viewport.
pub enum Half {
    Left,
    Right,
}

impl Half {
    pub fn columns(&self) -> std::ops::Range<i32> {
        let middle = (LEFT + RIGHT) / 2;
        match self {
            Self::Left => LEFT..middle,
            Self::Right => middle..RIGHT,
        }
    }
}

/// Returns the picture with nothing outside of a half of the viewport.
pub fn only(half: &Half, picture: &RgbaImage) -> RgbaImage {
    let columns = half.columns();
    let mut picture = picture.clone();
    picture.enumerate_pixels_mut().filter(|(x, ..)| !columns.contains(&(*x as i32))).for_each(|(.., pixel)| pixel.0 = [0; 4]);
    picture
}

/// Returns whether the error message below the menu is shown.
pub fn message_shown(picture: &RgbaImage, before: &RgbaImage) -> bool {
    let strip = |picture: &RgbaImage| image::imageops::crop_imm(picture, LEFT as u32 + 10, 32, 500, 50).to_image();
    differ(&strip(picture), &strip(before)) > 300
}

/// Returns the left half of the status bar.
pub fn status(picture: &RgbaImage) -> RgbaImage {
    image::imageops::crop_imm(picture, 0, HEIGHT - 24, WIDTH / 2, 24).to_image()
}

/// Counts the pixels of a tile for which `is` returns true.
pub fn in_tile(picture: &RgbaImage, tile: i32, is: impl Fn([u8; 4]) -> bool) -> usize {
    let left = TILES + tile * TILE;
    let pixels = (left..left + TILE).flat_map(|x| (STRIP..STRIP + 112).map(move |y| (x as u32, y as u32)));
    pixels.filter(|&(x, y)| is(picture.get_pixel(x, y).0)).count()
}
