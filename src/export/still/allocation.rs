//! Allocates pictures. A picture may be so large that memory is short, which must not end the program.

use image::RgbaImage;

use crate::export::error::ExportError;
use crate::session::MAX_PICTURE_SIDE;

/// Returns a transparent picture, or an error if a side is out of range or memory is short.
pub fn empty_picture(width: u32, height: u32) -> Result<RgbaImage, ExportError> {
    if !(1..=MAX_PICTURE_SIDE).contains(&width) || !(1..=MAX_PICTURE_SIDE).contains(&height) {
        return Err(ExportError::Size { width, height });
    }
    let mut rgba = Vec::new();
    let length = width as usize * height as usize * 4;
    rgba.try_reserve_exact(length).map_err(|_| ExportError::Memory { width, height })?;
    rgba.resize(length, 0);
    RgbaImage::from_raw(width, height, rgba).ok_or(ExportError::Memory { width, height })
}
