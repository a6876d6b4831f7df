//! Exports a clip: draws each frame as a still, and encodes it on another thread while the next one is drawn.
//!
//! A clip that fails or is canceled leaves no files behind.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc;

use image::RgbaImage;
use thiserror::Error;

use crate::session::time::clip::{Clip, ClipFormat, Frame};

use super::atomic_file::{self, AtomicFile};
use super::error::{ExportError, WriteError};
use super::formats::apng::Apng;
use super::formats::encoder::{Encoder, ExportProgress, Shape};
use super::formats::gif::Gif;
use super::formats::sequence::{Numbered, Sequence};
use super::formats::video::Video;

/// The file or files that a clip is written to.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipTarget {
    pub format: ClipFormat,
    /// Path of the file. For a sequence it is a pattern such as `DIR/%04d.png`.
    pub path: PathBuf,
    /// Whether existing files are replaced.
    pub overwrite: bool,
}

/// An error that occurred while writing a clip. The messages are shown to the user.
#[derive(Debug, Error)]
pub enum ClipError {
    #[error("canceled: nothing was written")]
    Canceled,
    #[error(transparent)]
    Draw(#[from] ExportError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("the encoder failed: this is a bug in Sinew, please report it with the file")]
    Encoder,
}

/// Draws each frame of `clip` with `draw` and writes it to `target`. `size` is in pixels. Returns an error if drawing or writing fails, or
/// if `progress` is canceled.
pub fn write(
    clip: &Clip,
    size: [u32; 2],
    transparent: bool,
    target: &ClipTarget,
    progress: &ExportProgress,
    mut draw: impl FnMut(&Frame) -> Result<RgbaImage, ExportError>,
) -> Result<(), ClipError> {
    let shape = Shape { size, transparent, frames: clip.frames.len(), fps: clip.fps, is_endless: clip.is_endless };
    let mut encoder = encoder(target, &shape, progress)?;
    let (encoded, drawn) = std::thread::scope(|scope| {
        // The channel holds one frame, so drawing is at most two frames ahead of encoding and memory stays bounded.
        let (sender, receiver) = mpsc::sync_channel::<RgbaImage>(1);
        let encoding = scope.spawn(move || {
            for picture in receiver {
                encoder.add(&picture)?;
                progress.count_frame();
            }
            Ok::<_, WriteError>(encoder)
        });
        let drawn = clip.frames.iter().try_for_each(|frame| {
            if progress.is_canceled() {
                return Err(ClipError::Canceled);
            }
            // Sending fails only if encoding has failed. That error is reported below.
            sender.send(draw(frame)?).map_err(|_| ClipError::Encoder)
        });
        drop(sender);
        (encoding.join(), drawn)
    });
    // Canceling also makes the encoder fail, so check for cancellation first.
    if progress.is_canceled() {
        return Err(ClipError::Canceled);
    }
    // An error of the encoder also ends the drawing, so the encoder's error is reported first.
    let encoder = encoded.map_err(|_| ClipError::Encoder)??;
    drawn?;
    if target.format == ClipFormat::Sequence {
        progress.start_moving_files();
    }
    match encoder.finish() {
        Err(_) if progress.is_canceled() => Err(ClipError::Canceled),
        finished => Ok(finished?),
    }
}

/// The files that a clip leaves incomplete if the process ends without dropping its encoder.
pub struct PartialFiles {
    /// Temporary file of a clip, or temporary folder of a sequence. `None` if the clip is written to a device or pipe.
    temporary: Option<PathBuf>,
    /// Folder of a sequence, if the export creates it.
    folder: Option<PathBuf>,
}

impl PartialFiles {
    /// The files of a clip whose export has not started.
    pub fn from_target(target: &ClipTarget) -> Self {
        match Numbered::parse(&target.path).filter(|_| target.format == ClipFormat::Sequence) {
            Some(names) => Self {
                temporary: Some(names.temporary_folder()),
                folder: Some(names.folder().to_owned()).filter(|folder| !folder.exists()),
            },
            None => Self { temporary: atomic_file::path_until_complete(&target.path), folder: None },
        }
    }

    /// Removes those files that exist. A folder that is not empty is kept. The export has already failed, so a failed cleanup is ignored.
    pub fn remove(&self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary).or_else(|_| fs::remove_dir_all(temporary));
        }
        if let Some(folder) = &self.folder {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Makes the encoder for the target's format. Returns an error if the file exists and must not be replaced, or cannot be created.
fn encoder(target: &ClipTarget, shape: &Shape, progress: &ExportProgress) -> Result<Box<dyn Encoder>, WriteError> {
    let output = || AtomicFile::new(&target.path, target.overwrite);
    Ok(match target.format {
        ClipFormat::Sequence => {
            let unnumbered = || WriteError::Io { path: target.path.clone(), reason: std::io::ErrorKind::InvalidFilename.into() };
            let names = Numbered::parse(&target.path).ok_or_else(unnumbered)?;
            Box::new(Sequence::new(names, shape.frames, target.overwrite)?)
        }
        ClipFormat::Gif => Box::new(Gif::new(output()?, shape)?),
        ClipFormat::Apng => Box::new(Apng::new(output()?, shape)?),
        ClipFormat::Mp4 | ClipFormat::Webm => Box::new(Video::new(output()?, target.format, shape, progress.cancel_flag())?),
    })
}
