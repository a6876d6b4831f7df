//! Keeps track of the load jobs: the job that the user requested, and the file that is loaded ahead because the user will probably step to
//! it next, so that it can be shown at once. The memory of that file is limited, and every load that the user requests takes precedence.
//! [`super::load_steps`] does the work on threads and sends events. `app/documents/loading.rs` receives them and calls this worker.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use winit::event_loop::EventLoopProxy;

use crate::animation::compiled::key_bytes;
use crate::app::documents::load_job::{LoadJob, LoadLimits, LoadReason, ReadFile, ReadyFile, Source, UploadTarget};
use crate::app::ids::LoadJobId;
use crate::app::worker_events::AppEvent;
use crate::app::workers::DeviceThreads;
use crate::asset::file::stamp::Stamp;
use crate::borrowed::FileRequest;
use crate::model::Model;
use crate::render::model::GpuModel;
use crate::session::file::file_list::ListPosition;
use crate::session::view::View;
use crate::session::view::retarget::Retarget;

use super::load_steps::{spawn_read, spawn_upload};

/// Memory that a file loaded ahead may take, in bytes: its geometry in main memory and on the device, and its textures.
const MAX_AHEAD_BYTES: u64 = 256 << 20;
/// Maximum number of files that a model loaded ahead may be read from. All of them are checked for changes before the model is shown.
const MAX_AHEAD_FILES: usize = 100;

/// Loads one file at a time. A new job replaces the running one.
pub struct LoadWorker {
    job: Option<LoadJob>,
    /// The file that is loaded ahead, before the user requests it.
    ahead: Option<AheadLoad>,
    /// A file that was read before there was a GPU to upload it to.
    waiting: Option<Box<ReadFile>>,
    /// The threads that upload files.
    uploads: DeviceThreads,
    /// Limit on decoded pixels per file, in bytes; `None` is the default limit.
    image_limit: Option<u64>,
}

/// A job's input: the file to load, and why.
pub struct LoadRequest {
    pub source: Source,
    pub list_position: Option<ListPosition>,
    pub reason: LoadReason,
    /// The files whose animations the model is to borrow, with the user's choices.
    pub borrowed: Vec<(FileRequest, Retarget)>,
}

/// A file that is loaded ahead.
struct AheadLoad {
    job: LoadJob,
    stage: AheadStage,
}

/// The progress of a file that is loaded ahead.
enum AheadStage {
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

impl LoadRequest {
    /// A request to open a file that the user chose.
    pub fn open(source: Source, list_position: Option<ListPosition>) -> Self {
        Self { source, list_position, reason: LoadReason::Opened, borrowed: Vec::new() }
    }
}

impl LoadWorker {
    /// Makes a worker without a job. `image_limit` is the limit on decoded pixels per file, in bytes; `None` is the default limit.
    pub fn new(image_limit: Option<u64>) -> Self {
        Self { job: None, ahead: None, waiting: None, uploads: DeviceThreads::default(), image_limit }
    }

    /// Limit on decoded pixels per file, in bytes; `None` is the default limit.
    pub fn image_limit(&self) -> Option<u64> {
        self.image_limit
    }

    /// The running job.
    pub fn job(&self) -> Option<&LoadJob> {
        self.job.as_ref()
    }

    /// Starts reading. `view` builds the view of the new model. The previous job must have been stopped.
    pub fn start(&mut self, request: LoadRequest, proxy: EventLoopProxy<AppEvent>, view: impl FnOnce(&Model) -> View + Send + 'static) {
        let (job, borrowed) = self.new_job(request);
        spawn_read(&job, borrowed, proxy, view);
        self.job = Some(job);
    }

    /// Makes the job of a request. Also returns the files whose animations the model borrows.
    fn new_job(&self, request: LoadRequest) -> (LoadJob, Vec<(FileRequest, Retarget)>) {
        let LoadRequest { source, list_position, reason, borrowed } = request;
        let (progress, started) = (Arc::default(), Instant::now());
        let limits = LoadLimits { image_limit: self.image_limit, byte_limit: None };
        (LoadJob { id: LoadJobId::next(), source, list_position, reason, limits, progress, started }, borrowed)
    }

    /// Cancels the running job and returns it.
    pub fn stop(&mut self) -> Option<LoadJob> {
        self.job.take().inspect(|job| job.progress.cancel())
    }

    /// Cancels all jobs, and waits until nothing of them uses the device.
    pub fn join(&mut self) {
        self.stop();
        self.stop_ahead();
        self.uploads.join();
    }

    /// Removes and returns the current job if it has this id. Called when the job with this id has ended.
    pub fn finish(&mut self, id: LoadJobId) -> Option<LoadJob> {
        self.job.take_if(|job| job.id == id)
    }

    /// Uploads a file that was read, unless its job is no longer current. Without a `target` the file waits for one.
    pub fn receive(&mut self, read: Box<ReadFile>, target: Option<UploadTarget>, proxy: EventLoopProxy<AppEvent>) {
        if self.ahead.as_ref().is_some_and(|ahead| ahead.job.id == read.job) {
            return self.receive_ahead(read, target, proxy);
        }
        if self.job.as_ref().is_none_or(|job| job.id != read.job) {
            return;
        }
        match target {
            Some(target) => self.uploads.add(spawn_upload(read, target, proxy)),
            None => self.waiting = Some(read),
        }
    }

    /// The file that waits for a GPU.
    pub fn take_waiting(&mut self) -> Option<Box<ReadFile>> {
        self.waiting.take()
    }

    /// Returns whether this file, opened together with these files, is loaded ahead, or whether loading it ahead was given up.
    pub fn is_ahead(&self, path: &Path, opened_together: &[PathBuf]) -> bool {
        let wanted = Source::File { path: path.to_owned(), opened_together: opened_together.to_vec() };
        self.ahead.as_ref().is_some_and(|ahead| ahead.job.source == wanted)
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
        job.limits.byte_limit = Some(MAX_AHEAD_BYTES);
        spawn_read(&job, borrowed, proxy, view);
        self.ahead = Some(AheadLoad { job, stage: AheadStage::Reading });
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
            _ if ahead.job.source != request.source || request.reason.is_reload() => false,
            AheadStage::Ready(ready) => is_unchanged(&ready.read),
            AheadStage::Uploading => true,
            // Reading starts again, because the limit of loading ahead may have left out images.
            AheadStage::Reading | AheadStage::GivenUp => false,
        };
        match self.ahead.take_if(|ahead| is_adopted(ahead)) {
            Some(AheadLoad { job, stage }) => {
                let started = Instant::now();
                self.job = Some(LoadJob { list_position: request.list_position, reason: request.reason, started, ..job });
                if let AheadStage::Ready(ready) = stage { Adopted::Ready(ready) } else { Adopted::Uploading }
            }
            None => {
                self.stop_ahead();
                Adopted::No(request)
            }
        }
    }

    /// Uploads the file that was read ahead, with its images, or gives it up.
    fn receive_ahead(&mut self, read: Box<ReadFile>, target: Option<UploadTarget>, proxy: EventLoopProxy<AppEvent>) {
        let Some(ahead) = &mut self.ahead else { return };
        // Images and borrowed files beyond the limit of loading ahead are missing. They are loaded if the user opens the file.
        let lacks_image = read.model.findings.iter().any(|finding| finding.code == "IMAGE_UNAVAILABLE");
        let is_complete = !lacks_image && read.borrowed.failures.is_empty();
        match target.filter(|_| is_complete && bytes(&read, None) <= MAX_AHEAD_BYTES) {
            Some(target) => {
                ahead.stage = AheadStage::Uploading;
                let target = UploadTarget { previous: None, with_images: true, ..target };
                self.uploads.add(spawn_upload(read, target, proxy));
            }
            None => ahead.stage = AheadStage::GivenUp,
        }
    }

    /// Keeps a file that was loaded ahead, or gives it up. If the file belongs to another job, returns it.
    pub fn keep_ahead(&mut self, ready: Box<ReadyFile>) -> Option<Box<ReadyFile>> {
        let Some(ahead) = self.ahead.as_mut().filter(|ahead| ahead.job.id == ready.read.job) else { return Some(ready) };
        let is_small = bytes(&ready.read, Some(&ready.gpu_model)) <= MAX_AHEAD_BYTES;
        ahead.stage = if is_small { AheadStage::Ready(ready) } else { AheadStage::GivenUp };
        None
    }

    /// Gives up a file that could not be loaded ahead.
    pub fn give_up_ahead(&mut self, job: LoadJobId) {
        if let Some(ahead) = self.ahead.as_mut().filter(|ahead| ahead.job.id == job) {
            ahead.stage = AheadStage::GivenUp;
        }
    }
}

/// The memory that a model and its borrowed animations take, in bytes. Before the upload, it is an estimate.
fn bytes(read: &ReadFile, gpu_model: Option<&GpuModel>) -> u64 {
    let model = &*read.model;
    let carried = model.borrowed.iter().flat_map(|file| &model.animations[file.animations.clone()]);
    let borrowed = carried.map(|animation| key_bytes(animation) as u64).fold(read.borrowed.bytes(), u64::saturating_add);
    let textures = model.images.iter().map(|image| image.gpu_bytes).fold(borrowed, u64::saturating_add);
    let Some(gpu_model) = gpu_model else { return textures.saturating_add(model.asset.bytes) };
    let memory = gpu_model.memory();
    // Main memory holds about as much geometry as the device.
    borrowed + memory.textures + 2 * (memory.vertices + memory.indices + memory.morphs + memory.instances)
}

/// Returns whether the files that a model and its borrowed animations were read from are still the same.
fn is_unchanged(read: &ReadFile) -> bool {
    let files = || read.files.iter().chain(read.borrowed.files.iter().flat_map(|file| &file.files));
    files().count() <= MAX_AHEAD_FILES && files().all(|file| file.stamp == Stamp::at(&file.path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::documents::load_job::{Fingerprints, Images, Measuring};
    use crate::asset::file::stamp::SourceFile;
    use crate::borrowed::{Borrowed, BorrowedFile};
    use crate::model::animation::{Animation, Channel, Interpolation, Target};
    use crate::model::node::NodeIndex;
    use crate::model::{AnimationFile, AssetInfo};

    /// A model of 1,000 bytes, read from `own`, with an animation of a file of 2,000 bytes.
    fn read(own: &Path, borrowed: &Path) -> ReadFile {
        let keys = Channel {
            source: 0,
            target: Target::Translation(NodeIndex(0)),
            key_times: 0,
            interpolation: Interpolation::Linear,
            output: vec![0.0; 6],
            components: 3,
        };
        let animation = Animation { key_times: vec![vec![0.0, 1.0]], channels: vec![keys], ..Animation::default() };
        let sized = |bytes| Model { asset: AssetInfo { bytes, ..AssetInfo::default() }, ..Model::default() };
        let model = Model {
            animations: vec![Animation::default(), animation],
            borrowed: vec![AnimationFile { animations: 1..2, ..AnimationFile::default() }],
            ..sized(1000)
        };
        let file = BorrowedFile { path: borrowed.to_owned(), model: Arc::new(sized(2000)), files: vec![SourceFile::now(borrowed)] };
        ReadFile {
            job: LoadJobId::next(),
            reason: LoadReason::Opened,
            model: Arc::new(model),
            measuring: Measuring::channel().1,
            view: View::default(),
            images: Images { sources: Vec::new(), fingerprints: Fingerprints::default() },
            borrowed: Borrowed { files: vec![Arc::new(file)], ..Borrowed::default() },
            files: vec![SourceFile::now(own)],
            steps: Vec::new(),
            progress: Arc::default(),
        }
    }

    #[test]
    fn a_file_loaded_ahead_counts_and_checks_the_files_that_it_borrows_from() {
        let folder = tempfile::tempdir().unwrap();
        let [own, borrowed] = ["hero.glb", "walk.glb"].map(|name| folder.path().join(name));
        [&own, &borrowed].iter().for_each(|path| std::fs::write(path, "1").unwrap());
        let read = read(&own, &borrowed);
        // Two key times and six values of four bytes.
        assert_eq!(bytes(&read, None), 1000 + 2000 + 8 * 4);
        assert!(is_unchanged(&read));
        std::fs::write(&borrowed, "changed").unwrap();
        assert!(!is_unchanged(&read));
    }
}
