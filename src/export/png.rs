//! Writing a picture to a file: whole to a temporary name beside it, then renamed, so that nobody ever sees half of one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IntoInnerError};
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageError, RgbaImage};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum WriteError {
    #[error("{} is there already", path.display())]
    Exists { path: PathBuf },
    #[error("{} cannot be written: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} cannot be encoded: {source}", path.display())]
    Encode { path: PathBuf, source: ImageError },
}

/// Writes a PNG. Without `overwrite` a file that is there already stays as it is.
pub fn write_png(picture: &RgbaImage, path: &Path, overwrite: bool) -> Result<(), WriteError> {
    let fail = |source| WriteError::Io { path: path.to_owned(), source };
    if !overwrite {
        // Claims the name, so that of two who ask for it at once only one gets it.
        OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists { path: path.to_owned() },
            _ => fail(error),
        })?;
    }
    let temporary = temporary_path(path);
    let written = encode(picture, path, &temporary).and_then(|()| fs::rename(&temporary, path).map_err(fail));
    if written.is_err() {
        // The first error is the one to tell; what is left behind is ours.
        let _ = fs::remove_file(&temporary);
        if !overwrite {
            let _ = fs::remove_file(path);
        }
    }
    written
}

fn encode(picture: &RgbaImage, path: &Path, temporary: &Path) -> Result<(), WriteError> {
    let fail = |source| WriteError::Io { path: path.to_owned(), source };
    let mut file = BufWriter::new(File::create(temporary).map_err(fail)?);
    let (width, height) = picture.dimensions();
    PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Adaptive)
        .write_image(picture.as_raw(), width, height, ExtendedColorType::Rgba8)
        .map_err(|source| match source {
            ImageError::IoError(source) => fail(source),
            source => WriteError::Encode { path: path.to_owned(), source },
        })?;
    // Some file systems only find here that there is no room.
    file.into_inner().map_err(IntoInnerError::into_error).and_then(|file| file.sync_all()).map_err(fail)
}

/// In the same folder, since a rename does not cross file systems.
fn temporary_path(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}
