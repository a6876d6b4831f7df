//! The errors of drawing a picture.

use thiserror::Error;

use crate::render::device::readback::ReadbackError;

/// Maximum width and height of a picture, in pixels.
pub const MAX_SIDE: u32 = 16384;

/// An error that occurred while drawing a picture. The messages are shown to the user.
#[derive(Debug, Error)]
pub enum ExportError {
    #[error("a picture of {width} x {height} pixels is out of range: both sides must be from 1 to {MAX_SIDE}")]
    Size { width: u32, height: u32 },
    #[error("{width} x {height} pixels are too small for {columns} x {rows} tiles: each tile needs at least one pixel")]
    Tiles { width: u32, height: u32, columns: u32, rows: u32 },
    #[error("not enough memory for a picture of {width} x {height} pixels")]
    Memory { width: u32, height: u32 },
    #[error("a crowd of {count} instances needs too much memory: at most {capacity} are possible")]
    Crowd { count: usize, capacity: usize },
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    #[error("the graphics driver could not draw the picture: {0}")]
    Draw(String),
    #[error("canceled: nothing was written")]
    Canceled,
}
