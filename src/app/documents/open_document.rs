//! The document that the window shows, with the data for drawing it: its analyses, its model on the GPU, and the pose of the current frame.

use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::asset::file::progress::Progress;
use crate::asset::file::stamp::SourceFile;
use crate::asset::image::ImageSource;
use crate::borrowed::Borrowed;
use crate::render::material::mipmap::PreparedImage;
use crate::render::model::GpuModel;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::pose::posed_document::PosedDocument;
use crate::session::view::View;

use crate::app::frame::moving_picture::MovingPicture;
use crate::app::ids::LoadJobId;

use super::load_job::{Fingerprints, Source};

/// The open document. It is replaced as a whole when another file is opened.
pub struct OpenDocument {
    /// Id of the load job that read the document.
    pub job: LoadJobId,
    pub source: Source,
    /// The files that the document was read from.
    pub files: Vec<SourceFile>,
    /// Hashes of the images, to share textures with a reload.
    pub fingerprints: Fingerprints,
    /// The encoded images, one per image of the model, for the previews of the panels.
    pub images: Vec<ImageSource>,
    pub document: Document,
    /// The files that the document borrows animations from.
    pub borrowed: Borrowed,
    /// Cached analyses of the document, for example its bounds.
    pub analyses: Analyses,
    /// Shared with background exports, and with the thread that simplifies the meshes, which adds them under the lock for reading. Locked
    /// for writing when a texture arrives, and when the animations of other files change.
    pub gpu_model: Arc<RwLock<GpuModel>>,
    /// The pose of the last drawn frame.
    pub pose: PosedDocument,
    /// What is remembered about the last pictures.
    pub moving: MovingPicture,
    /// Progress of the document's load job. The job is canceled when the document is dropped, so that no more images are decoded and no
    /// more meshes are simplified.
    pub progress: Arc<Progress>,
    /// The thread that simplifies the meshes.
    pub simplifying: Option<JoinHandle<()>>,
    /// The images that were decoded but are not uploaded yet.
    pub decoded_images: Vec<ReadyImage>,
    /// Whether the textures were lost with the device and have not been read again yet.
    pub textures_lost: bool,
    /// When the user stepped to the file. `None` if it is in the list of recent files already.
    pub stepped_at: Option<Instant>,
}

/// A decoded image of the open model, or its error.
pub struct ReadyImage {
    pub index: usize,
    pub image: Result<PreparedImage, String>,
}

impl Drop for OpenDocument {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

impl OpenDocument {
    /// The document with its analyses, as `view` shows it.
    pub fn subject<'a>(&'a self, view: &'a View) -> Subject<'a> {
        Subject { document: &self.document, analyses: &self.analyses, view }
    }
}
