//! Writes a picture as a PNG file, with fast compression.

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::Path;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageError, ImageResult, RgbaImage};

use crate::export::atomic_file::AtomicFile;
use crate::export::error::WriteError;

/// Writes a picture as a PNG file. Returns an error if the file exists and `overwrite` is false, or if writing fails.
pub fn write_png(picture: &RgbaImage, path: &Path, overwrite: bool) -> Result<(), WriteError> {
    let output = AtomicFile::new(path, overwrite)?;
    let mut file = BufWriter::new(output.create()?);
    encode(picture, &mut file).map_err(|error| write_error(path, error))?;
    let file = file.into_inner().map_err(IntoInnerError::into_error).map_err(|source| output.error(source))?;
    output.commit(&file)
}

/// Writes a picture as a PNG file. An existing file is overwritten in place instead of being replaced, so that programs that have it open
/// see the picture.
pub fn write_png_in_place(picture: &RgbaImage, path: &Path) -> Result<(), WriteError> {
    let mut bytes = Vec::new();
    encode(picture, &mut bytes).map_err(|error| write_error(path, error))?;
    std::fs::write(path, bytes).map_err(|reason| WriteError::Io { path: path.to_owned(), reason })
}

/// Encodes a picture as PNG.
pub fn encode(picture: &RgbaImage, output: impl Write) -> ImageResult<()> {
    let (width, height) = picture.dimensions();
    let encoder = PngEncoder::new_with_quality(output, CompressionType::Fast, FilterType::Adaptive);
    encoder.write_image(picture.as_raw(), width, height, ExtendedColorType::Rgba8)
}

fn write_error(path: &Path, error: ImageError) -> WriteError {
    match error {
        ImageError::IoError(reason) => WriteError::Io { path: path.to_owned(), reason },
        source => WriteError::Encode { path: path.to_owned(), source: Box::new(source) },
    }
}
