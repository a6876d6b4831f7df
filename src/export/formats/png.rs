//! Writes a picture as a PNG file, with fast compression. It is encoded in memory first, so that a program that is ended while it encodes
//! a large picture leaves no partial file.

use std::fs::{self, File};
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
    let error = |reason| WriteError::Io { path: path.to_owned(), reason };
    let mut file = File::create(path).map_err(error)?;
    file.write_all(&bytes).map_err(|reason| {
        // The error is reported, so a failed cleanup is ignored.
        let _ = if is_new { fs::remove_file(path) } else { file.set_len(0) };
        error(reason)
    })
}

/// The PNG file of a picture. `path` is for errors.
pub fn encoded(picture: &RgbaImage, path: &Path) -> Result<Vec<u8>, WriteError> {
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

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Opening the pipe a second time would wait for another reader.
    #[test]
    fn a_pipe_whose_reader_leaves_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe.png");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || drop(File::open(path).unwrap())
        });
        // Noise, so that the picture is larger than the buffer of a pipe, and writing it waits for the reader.
        let noise = |x: u32, y: u32| image::Rgba((y * 512 + x).wrapping_mul(2_654_435_761).wrapping_pow(3).to_le_bytes());
        let error = write_png_in_place(&RgbaImage::from_fn(512, 512, noise), &path).unwrap_err();
        assert!(matches!(error, WriteError::Io { reason, .. } if reason.kind() == std::io::ErrorKind::BrokenPipe));
        reader.join().unwrap();
    }
}
