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
    let (mut count, mut x_sum, mut y_sum) = (0u32, 0f64, 0f64);
    for (x, y, pixel) in picture.enumerate_pixels() {
        let in_viewport = (LEFT..RIGHT).contains(&(x as i32)) && (40..HEIGHT as i32 - 100).contains(&(y as i32));
        if in_viewport && is(pixel.0) {
            count += 1;
            x_sum += f64::from(x);
            y_sum += f64::from(y);
        }
    }
    (count > 50).then(|| (x_sum / f64::from(count), y_sum / f64::from(count)))
}
