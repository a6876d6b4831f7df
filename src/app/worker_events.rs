//! What other threads tell the window.

use std::path::PathBuf;

use crate::render::material::mipmap::PreparedImage;
use crate::session::time::clip::ClipOptions;
use crate::system_fonts::SystemFont;
use crate::ui::preferences::ScreenshotOptions;

use super::workers::bounds::Measured;
use super::workers::environment::ReadEnvironment;
use super::workers::file_watcher::Request;
use super::workers::load::{Read, Ready};
use super::workers::motions::Sampled;

pub enum AppEvent {
    /// A file was read; it waits for the GPU.
    Read(Box<Read>),
    /// A file can be shown.
    Ready(Box<Ready>),
    Failed {
        job: u64,
        message: String,
    },
    Image {
        job: u64,
        index: usize,
        image: Result<PreparedImage, String>,
    },
    /// The open file is another on the disk now.
    Changed(Request),
    /// The graphics device with this number is no more, and why.
    DeviceLost {
        device: u64,
        reason: String,
    },
    /// The picture may look as it was asked to now.
    PipelineMade,
    /// A panel can list what may be wrong with weights.
    WeightsLookedAt,
    /// From the open dialog; none: cancelled.
    FileChosen(Option<PathBuf>),
    /// From the dialog for environments.
    EnvironmentChosen(PathBuf),
    EnvironmentRead(ReadEnvironment),
    /// From the save dialog; none: cancelled. `asked`: the dialog asked whether a file of that very name may be replaced.
    PlaceChosen {
        saving: Saving,
        path: Option<PathBuf>,
        asked: bool,
    },
    /// No dialog could be shown.
    NoDialog(NoDialog),
    /// What became of a picture.
    Saved(Saved),
    /// What became of a clip.
    Exported(Saved),
    /// A motion that the window asked for.
    Sampled(Box<Sampled>),
    Measured(Box<Measured>),
    /// Of the system, for characters that had no glyph.
    Fonts(Vec<SystemFont>),
    /// From the screen reader.
    Access(egui_winit::accesskit_winit::Event),
}

pub enum Saved {
    Written(PathBuf),
    /// A file is there, and nobody said that it may be replaced.
    Exists {
        options: ScreenshotOptions,
        path: PathBuf,
    },
    /// The same of a clip.
    ClipExists {
        options: ClipOptions,
        path: PathBuf,
    },
    Cancelled,
    Failed(String),
}

/// Which dialog could not be shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoDialog {
    Open,
    Environment,
    Save(Saving),
}

/// What a place is wanted for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Saving {
    Picture(ScreenshotOptions),
    Clip(ClipOptions),
    View,
}

impl Saving {
    /// The ending of its files; empty for a folder.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Picture(_) => "png",
            Self::Clip(options) => options.format.extension(),
            Self::View => "json",
        }
    }
}

impl From<egui_winit::accesskit_winit::Event> for AppEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Access(event)
    }
}
