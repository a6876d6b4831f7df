//! A clip: picture after picture, drawn as a still is, and written by the encoder of its format while the next one is drawn.
//! Cancelled or failed, it leaves nothing behind.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use image::RgbaImage;
use thiserror::Error;

use crate::session::time::clip::{Clip, ClipFormat, Frame};

use super::apng::Apng;
use super::atomic_file::{AtomicFile, WriteError, temporary_path};
use super::gif::Gif;
use super::sequence::{Numbered, Sequence};
use super::still::ExportError;
use super::video::Video;

/// Takes the pictures of a clip in their order. Dropped before it has finished, it leaves nothing behind.
pub trait Encoder: Send {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError>;
    /// All of it takes its place.
    fn finish(self: Box<Self>) -> Result<(), WriteError>;
}

/// What every picture of a clip has in common.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub size: [u32; 2],
    pub transparent: bool,
    pub frames: usize,
    pub fps: f64,
    pub loops: bool,
}

/// Where a clip goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    pub format: ClipFormat,
    /// The file; of a sequence `DIR/%04d.png`.
    pub path: PathBuf,
    pub overwrite: bool,
}

/// How far it is, for who waits for it; and a way to say that it is not waited for any longer.
#[derive(Debug, Default)]
pub struct Progress {
    written: AtomicUsize,
    cancel: Cancel,
}

impl Progress {
    pub fn written(&self) -> usize {
        self.written.load(Ordering::Relaxed)
    }

    pub fn cancel(&self) {
        self.cancel.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

/// Whether nobody waits for a clip any longer; every copy says the same.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Error)]
pub enum ClipError {
    #[error("cancelled: nothing was written")]
    Cancelled,
    #[error(transparent)]
    Draw(#[from] ExportError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("encoding failed by a mistake in Sinew itself")]
    Encoder,
}

/// Draws each frame by `draw` and writes it.
pub fn write(
    clip: &Clip,
    size: [u32; 2],
    transparent: bool,
    target: &Target,
    progress: &Progress,
    mut draw: impl FnMut(&Frame) -> Result<RgbaImage, ExportError>,
) -> Result<(), ClipError> {
    let shape = Shape { size, transparent, frames: clip.frames.len(), fps: clip.fps, loops: clip.loops };
    let mut encoder = begin(target, &shape, progress)?;
    let (encoded, drawn) = std::thread::scope(|scope| {
        // One waits while another is encoded.
        let (sender, receiver) = mpsc::sync_channel::<RgbaImage>(1);
        let encoding = scope.spawn(move || {
            for picture in receiver {
                encoder.add(&picture)?;
                progress.written.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, WriteError>(encoder)
        });
        let drawn = clip.frames.iter().try_for_each(|frame| {
            if progress.is_cancelled() {
                return Err(ClipError::Cancelled);
            }
            // Nobody takes it where encoding has failed; that is told below.
            sender.send(draw(frame)?).map_err(|_| ClipError::Encoder)
        });
        drop(sender);
        (encoding.join(), drawn)
    });
    // What was ended because of it may have failed at that.
    if progress.is_cancelled() {
        return Err(ClipError::Cancelled);
    }
    let encoder = encoded.map_err(|_| ClipError::Encoder)??;
    drawn?;
    match encoder.finish() {
        Err(_) if progress.is_cancelled() => Err(ClipError::Cancelled),
        finished => Ok(finished?),
    }
}

/// What a clip leaves half written where the process ends without dropping its encoder.
pub struct Remains {
    /// The file, or the folder where pictures wait for the others.
    temporary: PathBuf,
    /// Of a sequence, where it was not there before.
    folder: Option<PathBuf>,
}

impl Remains {
    /// Of a clip that has not begun yet.
    pub fn of(target: &Target) -> Self {
        match Numbered::parse(&target.path).filter(|_| target.format == ClipFormat::Sequence) {
            Some(names) => Self { temporary: names.waiting(), folder: Some(names.folder().to_owned()).filter(|folder| !folder.exists()) },
            None => Self { temporary: temporary_path(&target.path), folder: None },
        }
    }

    /// What is not there needs nothing, and a folder with something in it stays.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.temporary).or_else(|_| fs::remove_dir_all(&self.temporary));
        let _ = self.folder.as_ref().map(fs::remove_dir);
    }
}

fn begin(target: &Target, shape: &Shape, progress: &Progress) -> Result<Box<dyn Encoder>, WriteError> {
    let whole = || AtomicFile::begin(&target.path, target.overwrite);
    Ok(match target.format {
        ClipFormat::Sequence => {
            let unnumbered = || WriteError::Io { path: target.path.clone(), source: std::io::ErrorKind::InvalidFilename.into() };
            let names = Numbered::parse(&target.path).ok_or_else(unnumbered)?;
            Box::new(Sequence::begin(names, shape.frames, target.overwrite)?)
        }
        ClipFormat::Gif => Box::new(Gif::begin(whole()?, shape)?),
        ClipFormat::Apng => Box::new(Apng::begin(whole()?, shape)?),
        ClipFormat::Mp4 | ClipFormat::Webm => Box::new(Video::begin(whole()?, target.format, shape, progress.cancel.clone())?),
    })
}
