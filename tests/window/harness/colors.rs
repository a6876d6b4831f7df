//! Finds the colored squares of the metronome in a picture of the window.

use image::RgbaImage;

use super::desktop::HEIGHT;
use super::{LEFT, RIGHT};

pub fn is_red([r, g, b, _]: [u8; 4]) -> bool {
    r > 180 && g < 60 && b < 60
}

pub fn is_blue([r, g, b, _]: [u8; 4]) -> bool {
    b > 180 && r < 60 && g < 60
}

pub fn red(picture: &RgbaImage) -> Option<(f64, f64)> {
    middle(picture, is_red)
}

pub fn green(picture: &RgbaImage) -> Option<(f64, f64)> {
    middle(picture, |[r, g, b, _]| g > 180 && r < 60 && b < 60)
}

pub fn blue(picture: &RgbaImage) -> Option<(f64, f64)> {
    middle(picture, is_blue)
}

pub fn magenta(picture: &RgbaImage) -> Option<(f64, f64)> {
    middle(picture, |[r, g, b, _]| b > 180 && r > 180 && g < 60)
}

/// Returns the center of the pixels in the viewport for which `is` returns true, if there are enough of them.
fn middle(picture: &RgbaImage, is: impl Fn([u8; 4]) -> bool) -> Option<(f64, f64)> {
    let (pixels, width) = (picture.as_raw().as_chunks::<4>().0, picture.width() as usize);
    let (left, right) = (LEFT as usize, width.min(RIGHT as usize));
    let (mut count, mut x_sum, mut y_sum) = (0, 0, 0);
    for (y, row) in pixels.chunks(width).enumerate().take(HEIGHT as usize - 100).skip(40) {
        for (x, pixel) in row.iter().enumerate().take(right).skip(left) {
            if is(*pixel) {
                (count, x_sum, y_sum) = (count + 1, x_sum + x, y_sum + y);
            }
        }
    }
    (count > 50).then(|| (x_sum as f64 / f64::from(count), y_sum as f64 / f64::from(count)))
}
