//! The data of a load: its source, its reason, and the result of each step. `workers::files::load` does the work: a [`LoadJob`] yields a
//! [`ReadFile`], which is measured while it is uploaded. It becomes a [`ReadyFile`] on the GPU, which becomes the open document.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::Instant;

use flate2::read::ZlibDecoder;

use crate::app::ids::{DeviceNumber, LoadJobId};
use crate::app::startup_timings::Step;
use crate::asset::error::LoadError;
use crate::asset::file::progress::Progress;
use crate::asset::file::stamp::SourceFile;
use crate::asset::image::ImageSource;
use crate::asset::{self, LoadOptions, Loaded};
use crate::borrowed::{self, Borrowed, FileRequest};
use crate::model::Model;
use crate::paths::file_name;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::file::file_list::{self, ListPosition};
use crate::session::file::next_file::KeptView;
use crate::session::view::View;
use crate::session::view::retarget::Retarget;

/// Name of the embedded model, shown in place of a file's name.
pub const SAMPLE_NAME: &str = "Sample model";

/// Returns the bytes of the embedded model, which a new user sees first. `build.rs` has compressed them.
pub fn sample() -> Vec<u8> {
    static COMPRESSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sample.glb.zlib"));
    let mut bytes = Vec::new();
    ZlibDecoder::new(COMPRESSED).read_to_end(&mut bytes).expect("the embedded file is complete");
    bytes
}

/// The source of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The embedded model.
    Sample,
    /// A file. `opened_together` are the files that were dropped or named with it; a .gltf also looks among them for its buffers and
    /// images.
    File { path: PathBuf, opened_together: Vec<PathBuf> },
}

impl Source {
    /// A file that was chosen without others.
    pub fn alone(path: PathBuf) -> Self {
        Self::File { path, opened_together: Vec::new() }
    }

    /// Reads the file or the embedded model, and the `wanted` files, whose animations it appends to those of the model.
    pub fn read(
        &self,
        wanted: Vec<(FileRequest, Retarget)>,
        limits: LoadLimits,
        progress: &Progress,
    ) -> Result<(Loaded, Borrowed), LoadError> {
        let LoadLimits { image_limit, byte_limit } = limits;
        let options = LoadOptions { progress: Some(progress), image_limit, byte_limit, ..LoadOptions::default() };
        let loaded = match self {
            Self::Sample => asset::load_bytes(sample(), SAMPLE_NAME)?,
            Self::File { path, opened_together } => asset::load(path, &LoadOptions { opened_together, ..options })?,
        };
        let (model, borrowed) = borrowed::apply(loaded.model, wanted, &options);
        Ok((Loaded { model, ..loaded }, borrowed))
    }

    /// Name for the title bar and for messages: the file name without its folder.
    pub fn name(&self) -> String {
        match self {
            Self::Sample => SAMPLE_NAME.into(),
            Self::File { path, .. } => file_name(path),
        }
    }

    /// Path of the file; `None` for the embedded model.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Sample => None,
            Self::File { path, .. } => Some(path),
        }
    }
}

/// Why a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadReason {
    /// The user opens it.
    Opened,
    /// The user steps to it in the list of files.
    Stepped,
    /// It takes the place of the open file, with which it was compared.
    Swapped,
    /// The open file is read again, because the user reloads it or its textures were lost. The view stays as it is.
    Again,
    /// The open file changed on disk. Errors are reported only on the `last` attempt, because another program may still be writing the
    /// file.
    Changed { last: bool },
}

impl LoadReason {
    /// Returns whether the open file is read again.
    pub fn is_reload(self) -> bool {
        self.kept_view().is_none()
    }

    /// Returns the part of the open file's view that the file takes over. `None` if it is the open file, whose view stays.
    pub fn kept_view(self) -> Option<KeptView> {
        match self {
            Self::Opened => Some(KeptView::Display),
            Self::Stepped => Some(KeptView::Place),
            Self::Swapped => Some(KeptView::All),
            Self::Again | Self::Changed { .. } => None,
        }
    }

    /// Returns whether this is an automatic reload, caused by a change on disk and not by the user.
    pub fn is_automatic(self) -> bool {
        matches!(self, Self::Changed { .. })
    }
}

/// Limits on the sizes of what a job loads.
#[derive(Debug, Clone, Copy)]
pub struct LoadLimits {
    /// Limit on decoded pixels, in bytes; `None` is the default limit.
    pub image_limit: Option<u64>,
    /// Limit on the total size of the file and the files that it refers to, in bytes. With `None`, only the limits of the loader apply.
    pub byte_limit: Option<u64>,
}

/// A load in progress. Every event of the job contains its id.
#[derive(Clone)]
pub struct LoadJob {
    pub id: LoadJobId,
    pub source: Source,
    /// Position in the list of files that were opened together.
    pub list_position: Option<ListPosition>,
    pub reason: LoadReason,
    pub limits: LoadLimits,
    /// Shared with the thread that reads the file.
    pub progress: Arc<Progress>,
    /// Start of the load: the log reports how long it took, and a progress bar appears only if it takes long.
    pub started: Instant,
}

impl LoadJob {
    /// Name for messages: "fox.glb", or "fox.glb (2 of 5)" in a list of files.
    pub fn label(&self) -> String {
        file_list::with_list_position(&self.source.name(), self.list_position)
    }

    /// Returns whether the first picture need not wait for bounds that take long to measure. For the next file of a list, the bounds decide
    /// whether the camera stays.
    pub fn may_estimate_bounds(&self) -> bool {
        self.reason == LoadReason::Opened
    }
}

/// A file that was read, but is not on the GPU yet.
pub struct ReadFile {
    /// The id of the load job.
    pub job: LoadJobId,
    pub reason: LoadReason,
    pub model: Arc<Model>,
    pub measuring: Measuring,
    /// The view for the new model.
    pub view: View,
    pub images: Images,
    /// The files that the document borrows animations from.
    pub borrowed: Borrowed,
    /// The files that the document was read from, for watching them.
    pub files: Vec<SourceFile>,
    /// The steps of reading and uploading.
    pub steps: Vec<Step>,
    /// The job's progress, which also stores whether the job was canceled.
    pub progress: Arc<Progress>,
}

/// The document of a model that was read, with its analyses.
pub struct MeasuredDocument {
    pub document: Document,
    pub analyses: Analyses,
    /// The step of measuring.
    pub step: Step,
}

/// Receives the measured document, or a message for the user.
pub struct Measuring(Receiver<Result<MeasuredDocument, String>>);

impl Measuring {
    /// The sender and the receiver of a measured document.
    pub fn channel() -> (Sender<Result<MeasuredDocument, String>>, Self) {
        let (sender, receiver) = mpsc::channel();
        (sender, Self(receiver))
    }

    /// A receiver that has the document already.
    pub fn done(measured: MeasuredDocument) -> Self {
        let (sender, measuring) = Self::channel();
        // The receiver exists, so sending cannot fail.
        let _ = sender.send(Ok(measured));
        measuring
    }

    /// Waits for the document. Call it once.
    pub fn wait(&self) -> Result<MeasuredDocument, String> {
        self.0.recv().unwrap_or_else(|_| Err("the load was canceled".into()))
    }
}

/// The encoded images of a model.
pub struct Images {
    /// One encoded image per image of the model, in the same order.
    pub sources: Vec<ImageSource>,
    pub fingerprints: Fingerprints,
}

/// One hash per image, computed while the images are decoded.
pub type Fingerprints = Arc<OnceLock<Vec<Option<u64>>>>;

/// The open model. A reloaded model can share its textures.
pub struct PreviousModel {
    pub model: Arc<Model>,
    pub gpu_model: Arc<RwLock<GpuModel>>,
    pub fingerprints: Fingerprints,
}

/// The device and resources that a model is uploaded to.
pub struct UploadTarget {
    pub gpu: Gpu,
    pub device: DeviceNumber,
    /// The open model, if there is one.
    pub previous: Option<PreviousModel>,
    /// Whether the images must be uploaded before the model counts as ready.
    pub with_images: bool,
}

/// A file that can be shown. A reloaded file has its textures already; the textures of other files follow as events.
pub struct ReadyFile {
    pub read: Box<ReadFile>,
    pub measured: MeasuredDocument,
    pub gpu_model: GpuModel,
    /// The device that holds the model.
    pub device: DeviceNumber,
}
