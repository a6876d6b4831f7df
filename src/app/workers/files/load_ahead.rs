//! Loads the file that the user will probably step to next, with its images, so that it can be shown at once. Its memory is limited, and
//! every load that the user requests takes precedence.

use winit::event_loop::EventLoopProxy;

use crate::app::documents::load_job::{LoadJob, ReadFile, ReadyFile, Source, UploadTarget};
use crate::app::worker_events::AppEvent;
use crate::asset::file::stamp::Stamp;
use crate::model::Model;
use crate::render::model::GpuModel;
use crate::session::document::Document;
use crate::session::view::View;

use super::load::{self, LoadRequest, LoadWorker};

/// Memory that a file loaded ahead may take, in bytes: its geometry in main memory and on the device, and its textures.
pub const MAX_BYTES: u64 = 256 << 20;
/// Maximum number of files that a model loaded ahead may be read from. All of them are checked for changes before the model is shown.
const MAX_FILES: usize = 100;

/// A file that is loaded ahead.
pub struct AheadLoad {
    job: LoadJob,
    stage: Stage,
}

/// The progress of a file that is loaded ahead.
enum Stage {
    Reading,
    /// The file was read and is within the limit.
    Uploading,
    Ready(Box<ReadyFile>),
    /// The file is too large or cannot be read. If the user opens it, it is read again without the limit, and any error is shown.
    GivenUp,
}

/// The state of a file that the user stepped to.
pub enum Adopted {
    /// The file is ready to be shown. Its job is the current one now.
    Ready(Box<ReadyFile>),
    /// The file is being uploaded. Its job is the current one now.
    Uploading,
    /// The file was not loaded ahead, or has changed since. It has to be loaded.
    No(LoadRequest),
}

impl LoadWorker {
    /// Returns whether a file is loaded ahead, or whether loading it ahead was given up.
    pub fn is_ahead(&self, source: &Source) -> bool {
        self.ahead.as_ref().is_some_and(|ahead| ahead.job.source == *source)
    }

    /// Starts loading a file ahead, in place of the previous one. `view` builds the view of the new model.
    pub fn start_ahead(
        &mut self,
        request: LoadRequest,
        proxy: EventLoopProxy<AppEvent>,
        view: impl FnOnce(&Model) -> View + Send + 'static,
    ) {
        self.stop_ahead();
        let (mut job, borrowed) = self.new_job(request);
        job.byte_limit = Some(MAX_BYTES);
        load::spawn_read(&job, borrowed, proxy, view);
        self.ahead = Some(AheadLoad { job, stage: Stage::Reading });
    }

    /// Stops loading ahead, and frees what was loaded.
    pub fn stop_ahead(&mut self) {
        if let Some(ahead) = self.ahead.take() {
            ahead.job.progress.cancel();
        }
    }

    /// If the requested file was loaded ahead, and has not changed on disk since, makes its job the current one.
    pub fn adopt_ahead(&mut self, request: LoadRequest) -> Adopted {
        let is_adopted = |ahead: &AheadLoad| match &ahead.stage {
            _ if ahead.job.source != request.source || ahead.job.reason != request.reason => false,
            Stage::Ready(ready) => is_unchanged(&ready.read),
            Stage::Uploading => true,
            // Reading starts again, because the limit of loading ahead may have left out images.
            Stage::Reading | Stage::GivenUp => false,
        };
        match self.ahead.take_if(|ahead| is_adopted(ahead)) {
            Some(AheadLoad { job, stage }) => {
                let started = std::time::Instant::now();
                self.job = Some(LoadJob { list_position: request.list_position, stepped: request.stepped, started, ..job });
                if let Stage::Ready(ready) = stage { Adopted::Ready(ready) } else { Adopted::Uploading }
            }
            None => {
                self.stop_ahead();
                Adopted::No(request)
            }
        }
    }

    /// Uploads a file that was read ahead, with its images, or gives it up. If the file belongs to another job, returns it.
    pub fn receive_ahead(
        &mut self,
        read: Box<ReadFile>,
        target: Option<UploadTarget>,
        proxy: &EventLoopProxy<AppEvent>,
    ) -> Option<(Box<ReadFile>, Option<UploadTarget>)> {
        let Some(ahead) = self.ahead.as_mut().filter(|ahead| ahead.job.id == read.job) else { return Some((read, target)) };
        // Images beyond the limit of loading ahead are missing. They are loaded if the user opens the file.
        let is_complete = !read.document.findings.iter().any(|finding| finding.code == "IMAGE_UNAVAILABLE");
        match target.filter(|_| is_complete && bytes(&read.document, None) <= MAX_BYTES) {
            Some(target) => {
                ahead.stage = Stage::Uploading;
                let target = UploadTarget { previous: None, with_images: true, ..target };
                load::spawn_upload(read, target, proxy.clone());
            }
            None => ahead.stage = Stage::GivenUp,
        }
        None
    }

    /// Keeps a file that was loaded ahead, or gives it up. If the file belongs to another job, returns it.
    pub fn keep_ahead(&mut self, ready: Box<ReadyFile>) -> Option<Box<ReadyFile>> {
        let Some(ahead) = self.ahead.as_mut().filter(|ahead| ahead.job.id == ready.read.job) else { return Some(ready) };
        let is_small = bytes(&ready.read.document, Some(&ready.gpu_model)) <= MAX_BYTES;
        ahead.stage = if is_small { Stage::Ready(ready) } else { Stage::GivenUp };
        None
    }

    /// Gives up a file that could not be loaded ahead.
    pub fn give_up_ahead(&mut self, job: u64) {
        if let Some(ahead) = self.ahead.as_mut().filter(|ahead| ahead.job.id == job) {
            ahead.stage = Stage::GivenUp;
        }
    }
}

/// The memory that a model takes, in bytes. Before the upload, it is an estimate.
fn bytes(document: &Document, gpu_model: Option<&GpuModel>) -> u64 {
    let textures: u64 = document.model.images.iter().map(|image| image.gpu_bytes).fold(0, u64::saturating_add);
    let Some(gpu_model) = gpu_model else { return textures.saturating_add(document.model.asset.bytes) };
    let memory = gpu_model.memory();
    // Main memory holds about as much geometry as the device.
    memory.textures + 2 * (memory.vertices + memory.indices + memory.morphs + memory.instances)
}

/// Returns whether the files that a model was read from are still the same.
fn is_unchanged(read: &ReadFile) -> bool {
    read.files.len() <= MAX_FILES && read.files.iter().all(|file| file.stamp == Stamp::at(&file.path))
}
