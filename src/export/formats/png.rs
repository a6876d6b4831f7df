//! Writes a picture as a PNG file, with fast compression.

use std::io::{BufWriter, IntoInnerError};
use std::path::Path;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageError, RgbaImage};

use crate::export::atomic_file::{AtomicFile, WriteError};

/// Writes a picture as a PNG file. Returns an error if the file exists and `overwrite` is false, or if writing fails.
pub fn write_png(picture: &RgbaImage, path: &Path, overwrite: bool) -> Result<(), WriteError> {
    let output = AtomicFile::new(path, overwrite)?;
    let mut file = BufWriter::new(output.create()?);
    let (width, height) = picture.dimensions();
    PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Adaptive)
        .write_image(picture.as_raw(), width, height, ExtendedColorType::Rgba8)
        .map_err(|source| match source {
            ImageError::IoError(source) => output.error(source),
            source => WriteError::Encode { path: path.to_owned(), source: Box::new(source) },
        })?;
    let file = file.into_inner().map_err(IntoInnerError::into_error).map_err(|source| output.error(source))?;
    output.commit(&file)
}
