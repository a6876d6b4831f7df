//! Progress of loading. The loading thread writes it; the window reads it and can cancel. Atomic numbers suffice, because no value
//! depends on another.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crate::asset::error::LoadError;
use crate::cancel::Cancel;

/// The stages of loading, in order.
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
    /// Each stage, its label, and the fraction of all work that is done when it begins.
    const ALL: [(Self, &'static str, f32); 6] = [
        (Self::File, "Reading file", 0.0),
        (Self::Document, "Parsing", 0.15),
        (Self::Buffers, "Reading buffers", 0.25),
        (Self::Images, "Reading image headers", 0.4),
        (Self::Meshes, "Decoding meshes", 0.45),
        (Self::Animations, "Decoding animations", 0.85),
    ];
}

/// The progress of loading. The threads share it by reference.
#[derive(Debug, Default)]
pub struct Progress {
    /// The current stage, as its index in [`Stage::ALL`].
    stage: AtomicUsize,
    /// Part of the current stage that is done, in thousandths.
    done: AtomicU32,
    cancel: Cancel,
}

impl Progress {
    /// The label of the current stage.
    pub fn stage(&self) -> &'static str {
        self.entry().1
    }

    /// The fraction of all work that is done, 0 to 1. `None` while the file is being read, because the time for reading says nothing about
    /// the time for the other stages.
    pub fn fraction(&self) -> Option<f32> {
        let (stage, _, start) = self.entry();
        if stage == Stage::File {
            return None;
        }
        let end = Stage::ALL.get(stage as usize + 1).map_or(1.0, |&(.., start)| start);
        Some(start + (end - start) * self.done.load(Ordering::Relaxed) as f32 / 1000.0)
    }

    /// Asks loading to stop with [`LoadError::Canceled`].
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Returns whether [`Progress::cancel`] was called.
    pub fn is_canceled(&self) -> bool {
        self.cancel.is_canceled()
    }

    /// The current stage with its label and start.
    fn entry(&self) -> (Stage, &'static str, f32) {
        Stage::ALL[self.stage.load(Ordering::Relaxed).min(Stage::ALL.len() - 1)]
    }

    /// Starts a stage. Returns an error if loading was canceled.
    pub(crate) fn start(&self, stage: Stage) -> Result<(), LoadError> {
        self.stage.store(stage as usize, Ordering::Relaxed);
        self.step(0, 1)
    }

    /// Records that `done` of `total` parts of the stage are done. Returns an error if loading was canceled.
    pub(crate) fn step(&self, done: usize, total: usize) -> Result<(), LoadError> {
        self.done.store((done * 1000 / total.max(1)) as u32, Ordering::Relaxed);
        self.check()
    }

    /// Returns an error if loading was canceled.
    pub(crate) fn check(&self) -> Result<(), LoadError> {
        if self.is_canceled() { Err(LoadError::Canceled) } else { Ok(()) }
    }
}
