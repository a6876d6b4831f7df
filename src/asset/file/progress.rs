//! How far loading is: written by the thread that loads, read by the window, which may also cancel.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use crate::asset::error::LoadError;

/// The parts of loading, in their order, and how much of the whole is done when each begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    File,
    Document,
    Buffers,
    Images,
    Meshes,
    Animations,
}

impl Stage {
    const ALL: [(Self, &'static str, f32); 6] = [
        (Self::File, "Reading the file", 0.0),
        (Self::Document, "Parsing", 0.15),
        (Self::Buffers, "Reading buffers", 0.25),
        (Self::Images, "Looking at images", 0.4),
        (Self::Meshes, "Decoding meshes", 0.45),
        (Self::Animations, "Decoding animations", 0.85),
    ];
}

#[derive(Debug, Default)]
pub struct Progress {
    stage: AtomicUsize,
    /// Of the stage, in thousandths.
    done: AtomicU32,
    cancelled: AtomicBool,
}

impl Progress {
    /// What is being done, in words.
    pub fn stage(&self) -> &'static str {
        self.entry().1
    }

    /// How much of the whole is done, 0 to 1; none before it is known.
    pub fn fraction(&self) -> Option<f32> {
        let (stage, _, start) = self.entry();
        if stage == Stage::File {
            return None;
        }
        let end = Stage::ALL.get(stage as usize + 1).map_or(1.0, |&(.., start)| start);
        Some(start + (end - start) * self.done.load(Ordering::Relaxed) as f32 / 1000.0)
    }

    /// Loading ends soon after with [`LoadError::Cancelled`].
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn entry(&self) -> (Stage, &'static str, f32) {
        Stage::ALL[self.stage.load(Ordering::Relaxed).min(Stage::ALL.len() - 1)]
    }

    /// Begins a stage, or ends loading if it was cancelled.
    pub(crate) fn begin(&self, stage: Stage) -> Result<(), LoadError> {
        self.stage.store(stage as usize, Ordering::Relaxed);
        self.step(0, 1)
    }

    /// `done` of `all` parts of the stage are done.
    pub(crate) fn step(&self, done: usize, all: usize) -> Result<(), LoadError> {
        self.done.store((done * 1000 / all.max(1)) as u32, Ordering::Relaxed);
        self.check()
    }

    /// Ends loading if it was cancelled.
    pub(crate) fn check(&self) -> Result<(), LoadError> {
        if self.is_cancelled() { Err(LoadError::Cancelled) } else { Ok(()) }
    }
}
