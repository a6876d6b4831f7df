//! The errors of drawing a picture and of writing a file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::numbers::grouped;
use crate::render::device::readback::ReadbackError;
use crate::session::MAX_PICTURE_SIDE;

/// An error that occurred while drawing a picture. The messages are shown to the user.
#[derive(Debug, Error)]
pub enum ExportError {
    #[error("a picture of {width} x {height} pixels is out of range: both sides must be from 1 to {MAX_PICTURE_SIDE}")]
    Size { width: u32, height: u32 },
    #[error("{width} x {height} pixels are too small for {columns} x {rows} tiles: each tile needs at least one pixel")]
    Tiles { width: u32, height: u32, columns: u32, rows: u32 },
    #[error("not enough memory for a picture of {width} x {height} pixels")]
    Memory { width: u32, height: u32 },
    #[error("a crowd of {} instances needs too much memory: at most {} are possible", grouped(*count), grouped(*capacity))]
    Crowd { count: usize, capacity: usize },
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    #[error("the graphics driver could not draw the picture: {0}")]
    Draw(String),
    #[error("canceled: nothing was written")]
    Canceled,
}

/// An error that occurred while writing a file. The messages are shown to the user.
#[derive(Debug, Error)]
pub enum WriteError {
    #[error("{} already exists", path.display())]
    Exists { path: PathBuf },
    #[error("cannot write {}: {}", path.display(), write_reason(reason))]
    Io { path: PathBuf, reason: io::Error },
    #[error("cannot encode {}: {source}", path.display())]
    Encode { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error(
        "{} needs ffmpeg, which is not installed: install ffmpeg (https://ffmpeg.org), or use a GIF, an animated PNG or a PNG \
         sequence", path.display()
    )]
    NoFfmpeg { path: PathBuf },
    #[error("ffmpeg could not write {}: {message}", path.display())]
    Ffmpeg { path: PathBuf, message: String },
}

/// The reason why a file cannot be written, in plain words where the system's message has an error number.
fn write_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a folder".to_owned(),
        io::ErrorKind::NotFound => "its folder does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}
