//! The trait of all clip encoders, the properties of a clip, and progress with cancellation.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use image::RgbaImage;

use crate::cancel::Cancel;
use crate::export::error::WriteError;

/// Encodes the pictures of a clip in order. If it is dropped before it has finished, it leaves no files behind.
pub trait Encoder: Send {
    /// Encodes the next picture, which has the size of the clip.
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError>;
    /// Completes the clip and moves it to its final path.
    fn finish(self: Box<Self>) -> Result<(), WriteError>;
}

/// The properties of a clip.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Whether the background is transparent.
    pub transparent: bool,
    /// Number of frames.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// Whether players should repeat the clip.
    pub is_endless: bool,
}

/// The progress of drawing and writing pictures, and its cancellation. Shared between threads.
#[derive(Debug, Default)]
pub struct ExportProgress {
    /// Number of frames written.
    written: AtomicUsize,
    /// Number of tiles of the current picture, and how many of them are drawn.
    tiles: AtomicUsize,
    tiles_drawn: AtomicUsize,
    /// Whether the pictures of a sequence are moved to their final paths.
    moves_files: AtomicBool,
    cancel: Cancel,
}

impl ExportProgress {
    /// The number of frames written.
    pub fn written(&self) -> usize {
        self.written.load(Ordering::Relaxed)
    }

    /// How many tiles of the current picture are drawn, and how many it has.
    pub fn tiles(&self) -> [usize; 2] {
        [&self.tiles_drawn, &self.tiles].map(|count| count.load(Ordering::Relaxed))
    }

    /// Cancels the export, which checks for this at each tile.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Returns whether the export was canceled.
    pub fn is_canceled(&self) -> bool {
        self.cancel.is_canceled()
    }

    /// Returns whether a sequence moves its pictures to their final paths. Ending the process now would leave old and new pictures mixed.
    pub fn moves_files(&self) -> bool {
        self.moves_files.load(Ordering::Relaxed)
    }

    /// Notes that a sequence starts to move its pictures to their final paths.
    pub(in crate::export) fn start_moving_files(&self) {
        self.moves_files.store(true, Ordering::Relaxed);
    }

    /// Counts a written frame.
    pub(in crate::export) fn count_frame(&self) {
        self.written.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a picture with this number of tiles begins.
    pub(in crate::export) fn start_tiles(&self, tiles: usize) {
        self.tiles_drawn.store(0, Ordering::Relaxed);
        self.tiles.store(tiles, Ordering::Relaxed);
    }

    /// Counts a drawn tile.
    pub(in crate::export) fn count_tile(&self) {
        self.tiles_drawn.fetch_add(1, Ordering::Relaxed);
    }

    /// A copy of the cancel flag, for an encoder that waits for another process.
    pub(in crate::export) fn cancel_flag(&self) -> Cancel {
        self.cancel.clone()
    }
}
