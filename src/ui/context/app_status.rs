//! The application's messages to the panels: the file being read, the export in progress, errors, statistics and timings. The application
//! writes them, and the panels show them.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::borrowed::report::BindingReport;
use crate::session::file::file_list::{ListPosition, ListedModel};

use super::check_status::CheckStatus;
use super::image_previews::ImagePreviews;
use super::per_document::PerDocument;
use super::thumbnails::Thumbnails;

/// How far back [`Performance::history`] goes, in seconds.
pub const HISTORY_SECONDS: f64 = 5.0;

/// The reason why nothing can be exported while an export runs.
pub const ALREADY_EXPORTING: &str = "An export is already running. Wait for it to finish, or cancel it.";

/// The messages of the application to the panels.
#[derive(Debug, Clone, Default)]
pub struct AppStatus {
    /// The file being read. A line under the menu bar shows the progress, and the status bar has a button that cancels.
    pub loading: Option<Loading>,
    /// The binding reports of the files whose animations the open model plays, in the order of [`crate::model::Model::borrowed`].
    pub borrowed: Arc<Vec<BindingReport>>,
    /// The clip, contact sheet or screenshot being exported. A line under the menu bar shows the progress, and the status bar has a button
    /// that cancels.
    pub exporting: Option<Exporting>,
    /// Whether ffmpeg is available to write videos.
    pub has_ffmpeg: bool,
    /// Version, operating system and processor, for bug reports.
    pub system: String,
    /// Names of the graphics adapters. Empty until they are listed.
    pub adapters: Vec<String>,
    /// The report of a panic in an earlier run, shown above the viewport until the user closes it.
    pub crash_report: Option<CrashReport>,
    /// The last error about a file, shown above the viewport until the user closes it.
    pub failure: Option<Failure>,
    /// The message in the status bar. The application removes it when its time is over.
    pub message: Option<StatusMessage>,
    /// Default folder of quick screenshots. `None` if the system does not have such a folder.
    pub pictures_folder: Option<PathBuf>,
    /// Names of files dragged over the window.
    pub hovered_files: Vec<String>,
    /// Whether files can be dropped on the window. On native Wayland they cannot, so the texts in the window do not mention dropping.
    pub can_drop: bool,
    pub statistics: Statistics,
    pub performance: Performance,
    /// The models that the user can step through: the files that were opened together, or the models of a folder. The open file is not
    /// always one of them.
    pub files: Arc<Vec<ListedModel>>,
    /// Index in `files` of the model that was requested last.
    pub requested_file: usize,
    /// Name of the open file, with its folder if another known file has the same name. `None` before a file is open.
    pub file_label: Option<String>,
    /// Position of the open file in the list of files. `None` if the file is not in the list, or is the only one.
    pub list_position: Option<ListPosition>,
    /// Number of ghosts drawn, if drawing all of them takes too long for one frame. `None` if all are drawn.
    pub ghosts_drawn: Option<usize>,
    /// Whether the environment has no sun that could cast a shadow.
    pub is_environment_sunless: bool,
    /// Whether the version from before the last reload is kept, so that the open file can be compared with it.
    pub has_previous_version: bool,
    /// The checks of the document that run in the background.
    pub checks: PerDocument<CheckStatus>,
    /// Previews of the document's images.
    pub previews: PerDocument<ImagePreviews>,
    /// Thumbnails of the files in the file strip.
    pub thumbnails: Thumbnails,
}

/// A file that is being read.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// Name of the file, with its position in the list of files, if there are several.
    pub name: String,
    /// "Reading", "Decoding geometry"...
    pub stage: String,
    /// Fraction that is done, from 0 to 1. `None` if it is not known.
    pub fraction: Option<f32>,
}

/// A clip, a contact sheet or a screenshot being exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exporting {
    /// Name of the file that is written.
    pub name: String,
    /// The parts that are counted, in the singular: "frame" or "tile".
    pub part: &'static str,
    /// Number of parts done so far.
    pub done: usize,
    /// Total number of parts; 0 while it is not known.
    pub parts: usize,
    /// Whether the export has just begun. Then the panels do not show it yet: it may end so soon that it would only flash.
    pub is_new: bool,
}

impl std::fmt::Display for Exporting {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self { name, part, done, parts, .. } = self;
        if *parts == 0 { write!(f, "{name}") } else { write!(f, "{name}: {part} {done} of {parts}") }
    }
}

/// A short message in the status bar ("Saved fox-walk-0012.png").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusMessage {
    pub text: String,
    /// The file that the message reports as saved. The user can show it in its folder.
    pub saved: Option<PathBuf>,
    /// When the message disappears.
    pub until: Instant,
}

/// An error about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Name of the file.
    pub name: String,
    /// The file that cannot be read. `None` for other errors, which stay until the user closes them.
    pub path: Option<PathBuf>,
    /// The reason for the error, and its location in the file.
    pub message: String,
}

impl Failure {
    /// An error that stays until the user closes it. `name` is the name of the file, or of what failed.
    pub fn new(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), path: None, message: message.into() }
    }
}

/// The report of a panic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrashReport {
    pub path: PathBuf,
    pub text: String,
}

/// Measurements of the window and of the open model on the GPU.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    /// CPU time of the last frame, in milliseconds.
    pub frame_ms: f32,
    /// Name of the graphics device. Empty while there is none.
    pub adapter: String,
    /// Device memory by purpose, in bytes.
    pub memory: Vec<(&'static str, u64)>,
    /// Average device memory per vertex. `None` if it is not known.
    pub bytes_per_vertex: Option<f64>,
    /// Size of the viewport, in points. If two models are shown side by side, the size of one half.
    pub viewport: [f32; 2],
    /// Size of the whole picture, in points. It includes both halves.
    pub picture: [f32; 2],
    /// Pixels per point. The value includes the user's scale.
    pub pixels_per_point: f32,
}

/// Timings of the last frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Performance {
    /// Time for the panels, in milliseconds.
    pub ui_ms: f32,
    /// Time for posing the model or the crowd, in milliseconds.
    pub pose_ms: f32,
    /// Time for writing buffers and recording draws, in milliseconds.
    pub draw_ms: f32,
    /// Number of joints posed: the number of joints of the model (of nodes if it has no joints) times the number of members of the crowd.
    pub joints: usize,
    /// Number of members of the crowd.
    pub instances: usize,
    /// Bytes uploaded to the GPU.
    pub upload_bytes: u64,
    /// GPU time of a recent frame, in milliseconds. `None` if the GPU does not report it.
    pub gpu_ms: Option<f64>,
    /// The frames of the last [`HISTORY_SECONDS`], oldest first.
    pub history: VecDeque<FrameSample>,
}

/// A frame of the performance graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameSample {
    /// Start of the frame, in seconds since an arbitrary fixed time.
    pub start: f64,
    /// CPU time of the frame, in milliseconds.
    pub ms: f32,
}

impl Performance {
    /// CPU time of the whole frame, in milliseconds.
    pub fn total_ms(&self) -> f32 {
        self.ui_ms + self.pose_ms + self.draw_ms
    }

    /// Adds the last frame to the history and drops frames that are too old. `start` is when the frame began, in seconds.
    pub fn remember(&mut self, start: f64) {
        self.history.push_back(FrameSample { start, ms: self.total_ms() });
        while self.history.front().is_some_and(|sample| sample.start < start - HISTORY_SECONDS) {
            self.history.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Performance;

    #[test]
    fn the_graph_keeps_the_last_five_seconds() {
        let mut performance = Performance { pose_ms: 2.0, draw_ms: 1.0, ..Performance::default() };
        for second in 0..20 {
            performance.remember(f64::from(second));
        }
        let kept: Vec<_> = performance.history.iter().map(|sample| (sample.start, sample.ms)).collect();
        assert_eq!(kept, [14.0, 15.0, 16.0, 17.0, 18.0, 19.0].map(|start| (start, 3.0)));
    }
}
