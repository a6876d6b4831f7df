//! Events that background threads send to the window, with their payloads as plain data. `winit_events` receives them.

use std::path::PathBuf;
use std::sync::Arc;

use image::RgbaImage;
use winit::event_loop::EventLoopProxy;

use crate::asset::file::stamp::Stamp;
use crate::borrowed::Borrowed;
use crate::cancel::Cancel;
use crate::check::finding::CheckFinding;
use crate::check::profile::Profile;
use crate::codec::texels::DecodedImage;
use crate::compare::Comparison;
use crate::model::finding::Finding;
use crate::model::node::NodeIndex;
use crate::render::environment::EnvironmentLight;
use crate::render::material::mipmap::PreparedImage;
use crate::session::analyses::Analyses;
use crate::session::bounds::AnimationBounds;
use crate::session::bounds::key::BoundsKey;
use crate::session::document::{Document, DocumentId};
use crate::session::file::file_list::FileList;
use crate::session::inspect::heat_map::VertexHeats;
use crate::session::motion::sampled::SampledMotion;
use crate::session::view::retarget::Retarget;
use crate::system_fonts::SystemFont;
use crate::ui::context::comparison::OtherPick;
use crate::ui::context::request::{PreviewOrder, SaveKind};

use super::comparison::open_comparison::{CompareKey, LoadedComparison};
use super::documents::load_job::{ReadFile, ReadyFile};
use super::ids::{DeviceNumber, LoadJobId};
use super::startup_timings::Step;

/// An event that wakes the window's event loop, in addition to winit's events. `job` is the id of the load job that it belongs to.
pub enum AppEvent {
    /// A file was read and has to be uploaded.
    FileRead(Box<ReadFile>),
    /// A file was uploaded and can be shown.
    FileReady(Box<ReadyFile>),
    /// A file could not be read or uploaded. The message is for the user.
    FileFailed { job: LoadJobId, message: String },
    /// Image number `index` of the model was decoded. `Err` is a message for the user. `decoding` lasts from the start of the first image.
    ImageDecoded { job: LoadJobId, index: usize, image: Result<PreparedImage, String>, decoding: Step },
    /// The thumbnail of a file was drawn, or could not be.
    ThumbnailDrawn(Box<DrawnThumbnail>),
    /// Decoding an image for the panels has ended.
    ImagePreviewed(Box<PreviewedImage>),
    /// The open file changed on disk.
    FileChanged(ReloadRequest),
    /// The graphics device with this number was lost.
    DeviceLost { device: DeviceNumber, reason: String },
    /// A render pipeline was compiled: the next frame can use it.
    PipelineMade,
    /// The skin weights of the open model were checked.
    WeightsChecked,
    /// The answer of the open dialog. It is not sent if the dialog was canceled.
    FileChosen(PathBuf),
    /// Files that Finder opens with the running program.
    #[cfg(target_os = "macos")]
    FilesOpened(Vec<PathBuf>),
    /// The answer of the dialog for a file to compare with. It is not sent if the dialog was canceled.
    CompareChosen(PathBuf),
    /// A file to compare with was loaded, or could not be.
    OtherLoaded(Box<LoadedOther>),
    /// The file to compare with changed on disk.
    OtherFileChanged(ReloadRequest),
    /// The nodes of B under a click or in a selection box were found.
    OtherPicked(Box<PickedOther>),
    /// A comparison was measured.
    Compared(Box<MeasuredComparison>),
    /// The distances of the vertices were measured for the difference view.
    HeatsMeasured(Box<MeasuredHeats>),
    /// The answer of the dialog for environments. It is not sent if the dialog was canceled.
    EnvironmentChosen(PathBuf),
    /// The answer of the dialog for the folder of quick screenshots. It is not sent if the dialog was canceled.
    ScreenshotFolderChosen(PathBuf),
    /// Reading an environment has ended.
    EnvironmentRead(ReadEnvironment),
    /// The answer of the save dialog. `path` is `None` if it was canceled. `overwrite` is true if the user agreed to replace an existing
    /// file of exactly this name.
    SavePathChosen { kind: SaveKind, path: Option<PathBuf>, overwrite: bool },
    /// The system has no file dialogs, so this one was not shown.
    NoDialog(NoDialog),
    /// Saving a screenshot has ended.
    Saved(SaveOutcome),
    /// Drawing a picture for the clipboard has ended. `Err` is a message for the user.
    PictureDrawn(Result<RgbaImage, String>),
    /// The export of a clip or a contact sheet has ended.
    Exported(SaveOutcome),
    /// Sampling a motion has ended.
    MotionSampled(Box<MotionResult>),
    /// Measuring the bounds of a model has ended.
    BoundsMeasured(Box<MeasuredBounds>),
    /// The graphics adapters were listed.
    AdaptersListed(Vec<String>),
    /// The open document was checked, or the check was canceled.
    Checked(Box<CheckOutcome>),
    /// The open file was validated, or the validation was canceled.
    Validated(Box<ValidationOutcome>),
    /// The answer of the dialog for files with animations. It is not sent if the dialog was canceled.
    AnimationsChosen(Vec<PathBuf>),
    /// The animations of other files were added to the open model or removed from it, or could not be.
    Borrowed(Box<BorrowResult>),
    /// The models of a folder were listed.
    FolderListed(Box<ListedFolder>),
    /// System fonts were found for characters that had no glyph.
    FontsFound(Vec<SystemFont>),
    /// The process was asked to end.
    Interrupted,
    /// The screen reader sent a request.
    Access(egui_winit::accesskit_winit::Event),
}

impl AppEvent {
    /// Sends the event to the window. If the window is closed, the event is dropped.
    pub fn send(self, proxy: &EventLoopProxy<Self>) {
        let _ = proxy.send_event(self);
    }
}

/// A request of the file watcher to the window. `job` is the load job of the watched document. Requests for a document that is no longer
/// open are ignored.
pub enum ReloadRequest {
    /// The files changed: read them. If `last` is set, they are not expected to change again, so errors in reading them are shown.
    Read { job: LoadJobId, last: bool },
    /// The files changed, but cannot be read.
    ReportFailed { job: LoadJobId, message: String },
    /// The file was deleted.
    ReportGone { job: LoadJobId },
}

impl ReloadRequest {
    /// The load job that the request is about.
    pub fn job(&self) -> LoadJobId {
        let (Self::Read { job, .. } | Self::ReportFailed { job, .. } | Self::ReportGone { job }) = self;
        *job
    }
}

/// The thumbnail of a file.
pub struct DrawnThumbnail {
    pub file: PathBuf,
    /// Side of the picture, in pixels.
    pub size: u32,
    /// The stamp of the file, taken before it was read.
    pub stamp: Option<Stamp>,
    /// The picture, or a message for the user.
    pub picture: Result<RgbaImage, String>,
}

/// The result of listing a folder and checking thumbnails.
pub struct ListedFolder {
    /// The models of the folder. `None` if only thumbnails were checked.
    pub list: Option<FileList>,
    /// The files that have changed since their thumbnails were drawn.
    pub changed: Vec<PathBuf>,
}

/// The image that the panels asked for.
pub struct PreviewedImage {
    pub order: PreviewOrder,
    /// The image, or a message for the user.
    pub decoded: Result<DecodedImage, String>,
}

/// A sampled motion of a document. `motion` is `None` if sampling failed or was canceled.
pub struct MotionResult {
    pub document: DocumentId,
    pub motion: Option<Arc<SampledMotion>>,
}

/// A file to compare with, or the reason why it could not be loaded.
pub struct LoadedOther {
    /// The job that loaded it.
    pub job: LoadJobId,
    /// The device that holds it.
    pub device: DeviceNumber,
    /// The document with its comparison, or a message for the user.
    pub loaded: Result<LoadedComparison, String>,
}

/// The nodes of B under a click (the nearest first), or in a selection box. `document` is B.
pub struct PickedOther {
    pub document: DocumentId,
    pub pick: OtherPick,
    pub nodes: Vec<NodeIndex>,
}

/// A measured comparison. `result` is `Ok(None)` if measuring was canceled. An error is a message for the user.
pub struct MeasuredComparison {
    pub key: CompareKey,
    pub result: Result<Option<Arc<Comparison>>, String>,
}

/// The colors of the vertices in the difference view. `documents` are A and B. `heats` is `None` if measuring failed or was canceled.
pub struct MeasuredHeats {
    pub documents: [DocumentId; 2],
    pub heats: Option<VertexHeats>,
}

/// The result of checking a document. `findings` is `Ok(None)` if the checks were canceled, and an error is a message for the user.
pub struct CheckOutcome {
    pub document: DocumentId,
    pub profile: Profile,
    pub findings: Result<Option<Vec<CheckFinding>>, String>,
}

/// The result of the full validation of the file that load job `job` has read. `findings` is as in [`CheckOutcome`].
pub struct ValidationOutcome {
    pub job: LoadJobId,
    pub findings: Result<Option<Vec<Finding>>, String>,
}

/// The document that load job `job` has read, now with other borrowed animations.
pub struct BorrowResult {
    pub job: LoadJobId,
    /// The new document and its analyses, or a message for the user.
    pub updated: Result<(Document, Analyses), String>,
    pub borrowed: Borrowed,
}

impl BorrowResult {
    /// The result of a task that failed for these choices.
    pub fn failed(job: LoadJobId, choices: Vec<Retarget>, message: String) -> Self {
        Self { job, updated: Err(message), borrowed: Borrowed { choices, ..Borrowed::default() } }
    }
}

/// Bounds of a document: the open one, or the one that it is compared with.
pub struct MeasuredBounds {
    pub document: DocumentId,
    /// The part of the view that was measured.
    pub key: BoundsKey,
    /// `None` if measuring failed. It is not tried again.
    pub bounds: Option<AnimationBounds>,
}

/// The light of an environment file, or the error of reading it.
pub struct ReadEnvironment {
    pub path: PathBuf,
    /// Canceled if the result is not wanted any more.
    pub cancel: Cancel,
    /// The device that holds the light.
    pub device: DeviceNumber,
    /// The light, or a message for the user.
    pub light: Result<EnvironmentLight, String>,
}

/// The result of saving.
pub enum SaveOutcome {
    /// The file was written.
    Written(PathBuf),
    /// A sequence was written. In its folder, older frames follow its last one, from the first to the second file.
    WrittenWithOlderFrames {
        path: PathBuf,
        older: [PathBuf; 2],
    },
    /// A file of this name exists, and the user did not agree to replace it. The window asks whether it may be replaced.
    Exists {
        kind: SaveKind,
        path: PathBuf,
    },
    Canceled,
    Failed(String),
}

/// A dialog that could not be shown. For `Save`, the window saves to a default path instead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NoDialog {
    Open,
    Compare,
    Animations,
    Environment,
    ScreenshotFolder,
    Save(SaveKind),
}

impl From<egui_winit::accesskit_winit::Event> for AppEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Access(event)
    }
}
