//! What the encoders of all clip formats have in common: their trait, the shape of a clip, and progress with cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use image::RgbaImage;

use super::atomic_file::WriteError;

/// Takes the pictures of a clip in order. Dropped before it has finished, it leaves no files behind.
pub trait Encoder: Send {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError>;
    /// Completes the clip and moves it to its path.
    fn finish(self: Box<Self>) -> Result<(), WriteError>;
}

/// What every picture of a clip has in common.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub transparent: bool,
    pub frames: usize,
    pub fps: f64,
    pub loops: bool,
}

/// How many frames of a clip are written, and a way to cancel it. Shared between threads.
#[derive(Debug, Default)]
pub struct Progress {
    written: AtomicUsize,
    cancel: Cancel,
}

impl Progress {
    /// Number of frames written.
    pub fn written(&self) -> usize {
        self.written.load(Ordering::Relaxed)
    }

    /// Asks the export to end. It notices at its next frame.
    pub fn cancel(&self) {
        self.cancel.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    pub(super) fn count_frame(&self) {
        self.written.fetch_add(1, Ordering::Relaxed);
    }

    /// A copy of the flag, for an encoder that may have to stop waiting.
    pub(super) fn cancel_flag(&self) -> Cancel {
        self.cancel.clone()
    }
}

/// Whether a clip was cancelled. All copies share one flag.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
