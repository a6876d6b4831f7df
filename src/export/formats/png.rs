//! Writes a picture as a PNG file, with fast compression. It is encoded in memory first, so that a program that is ended while it encodes
//! a large picture leaves no partial file.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageResult, RgbaImage};

use crate::export::atomic_file;
use crate::export::error::WriteError;

/// Writes a picture as a PNG file. Returns an error if the file exists and `overwrite` is false, or if writing fails.
pub fn write_png(picture: &RgbaImage, path: &Path, overwrite: bool) -> Result<(), WriteError> {
    atomic_file::write(path, &encoded(picture, path)?, overwrite)
}

/// Writes a picture as a PNG file. An existing file is overwritten in place instead of being replaced, so that programs that have it open
/// see the picture. If writing fails, a new file is removed and an existing one is emptied: nobody takes half a picture for a whole one.
pub fn write_png_in_place(picture: &RgbaImage, path: &Path) -> Result<(), WriteError> {
    let (bytes, is_new) = (encoded(picture, path)?, !path.exists());
    fs::write(path, bytes).map_err(|reason| {
        // The error is reported, so a failed cleanup is ignored.
        let _ = if is_new { fs::remove_file(path) } else { OpenOptions::new().write(true).truncate(true).open(path).map(drop) };
        WriteError::Io { path: path.to_owned(), reason }
    })
}

/// The PNG file of a picture. `path` is for errors.
fn encoded(picture: &RgbaImage, path: &Path) -> Result<Vec<u8>, WriteError> {
    let mut bytes = Vec::new();
    encode(picture, &mut bytes).map_err(|source| WriteError::Encode { path: path.to_owned(), source: Box::new(source) })?;
    Ok(bytes)
}

/// Encodes a picture as PNG.
pub fn encode(picture: &RgbaImage, output: impl Write) -> ImageResult<()> {
    let (width, height) = picture.dimensions();
    let encoder = PngEncoder::new_with_quality(output, CompressionType::Fast, FilterType::Adaptive);
    encoder.write_image(picture.as_raw(), width, height, ExtendedColorType::Rgba8)
}
