//! Opens files and replaces the open document. A job reads the file in the background, and the open model stays until the new one
//! is ready. Files come from the command line, the panels, drops and, when they change on disk, the file watcher.

use std::path::Path;
use std::sync::TryLockError;
use std::time::{Duration, Instant};

use crate::app::comparison::open_comparison::NextComparison;
use crate::app::frame::pacing::UNNOTICED_DELAY;
use crate::app::ids::LoadJobId;
use crate::app::startup_timings::Step;
use crate::app::window::device_loss;
use crate::app::worker_events::{PreviewedImage, ReloadRequest};
use crate::app::workers::files::file_watcher::WatchMessage;
use crate::app::workers::files::load::{Adopted, LoadRequest};
use crate::app::{App, Options, crash_report};
use crate::model::Model;
use crate::paths;
use crate::render::material::mipmap::PreparedImage;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::file::file_list::FileList;
use crate::session::file::next_file;
use crate::session::file::remap;
use crate::session::view::display::Display;
use crate::session::view::selector::{self, SelectError};
use crate::session::view::{View, ViewCamera};
use crate::ui::context::app_status::Failure;

use super::load_job::{LoadJob, LoadReason, PreviousModel, ReadFile, ReadyFile, Source, UploadTarget};
use super::open_document::ReadyImage;
use super::{borrowed_animations, listed_files};

/// Delay before another try to upload images while a screenshot uses the textures.
const UPLOAD_RETRY_DELAY: Duration = Duration::from_millis(100);

impl App {
    /// Opens the files that the command line names, with its flags. Without files, opens the sample model.
    pub(crate) fn open_first(&mut self, options: Options) {
        let list = match &options.files[..] {
            [] => Ok(FileList::default()),
            files => listed_files::file_list(files),
        };
        self.show_strip_of_folder(&options.files, &list);
        self.transport.head.playing = !options.paused;
        self.transport.head.time = options.time.unwrap_or(0.0);
        match list {
            Ok(list) => {
                self.file_list = list;
                self.list_folder();
                let source = self.listed_source().unwrap_or(Source::Sample);
                let list_position = self.file_list.list_position(source.path());
                let request =
                    LoadRequest { borrowed: borrowed_animations::wanted_animations(&options), ..LoadRequest::open(source, list_position) };
                let display = self.view.display.clone();
                self.start_load(request, move |model| first_view(model, &options, display));
            }
            Err(message) => self.show_failure(Failure::new("Cannot open", message)),
        }
    }

    /// Opens a file that belongs to no list.
    pub(crate) fn open_source(&mut self, source: Source) {
        self.start_open(LoadRequest::open(source, None), None);
    }

    /// Starts opening another file, which takes over a part of the view. `compared` is the file to compare it with once it is open.
    /// Drops a comparison that was waiting for another load.
    pub(crate) fn start_open(&mut self, request: LoadRequest, compared: Option<NextComparison>) {
        // A file that was loaded ahead opens at once, so set this before.
        self.compare_next = compared;
        let (view, animation) = (self.view.clone(), self.compared_animation());
        let previous = self.open.as_ref().map(|open| open.document.model.clone());
        let (Some(previous), Some(kept)) = (previous, request.reason.kept_view()) else {
            return self.start_load(request, move |model| next_file::opened(&view, model));
        };
        // Keep the camera for now: whether it suits the new model is decided after the model is measured.
        self.start_load(request, move |model| kept.view(&view, &previous, model, animation));
    }

    /// Reads the open file again. The view stays, except for nodes and animations that the file no longer has.
    pub(crate) fn read_again(&mut self, reason: LoadReason) {
        let Some(open) = &self.open else { return };
        let (source, model, view) = (open.source.clone(), open.document.model.clone(), self.view.clone());
        if self.workers.load.job().is_some_and(|job| job.source != source) {
            // This cancels a step to another file of the list.
            self.return_to_open();
        }
        let list_position = self.file_list.list_position(source.path());
        let request = LoadRequest { source, list_position, reason, borrowed: self.borrowed_for_reload() };
        self.start_load(request, move |new| remap::remap_view(view, &model, new));
    }

    /// Starts a load in place of the running one. `view` builds the view of the new model.
    fn start_load(&mut self, mut request: LoadRequest, view: impl FnOnce(&Model) -> View + Send + 'static) {
        if let (Some(open), Some(stopped)) = (&mut self.open, self.workers.load.job()) {
            open.textures_lost |= device_loss::cancels_texture_reload(stopped.reason, request.reason, &open.document.image_states);
        }
        self.cancel_load(WatchMessage::Later);
        // The reader may panic.
        crash_report::describe_loading(Some(&request.source.name()));
        // An automatic reload keeps the last error, and shows its progress only if it takes long.
        let is_automatic = request.reason.is_automatic();
        if !is_automatic {
            self.ui.status.failure = None;
        }
        if !request.reason.is_reload() && request.borrowed.is_empty() {
            request.borrowed = self.remembered_animations(&request.source);
        }
        match self.workers.load.adopt_ahead(request) {
            Adopted::Ready(ready) => {
                self.replace_document(*ready);
                return self.request_frame();
            }
            Adopted::Uploading => {}
            Adopted::No(request) => self.workers.load.start(request, self.proxy.clone(), view),
        }
        self.pacing.request(Instant::now(), if is_automatic { UNNOTICED_DELAY } else { Duration::ZERO });
    }

    /// Cancels the running load. If the file watcher requested the load, it gets `message` as the answer.
    pub(crate) fn cancel_load(&mut self, message: WatchMessage) {
        if self.workers.load.stop().is_some_and(|job| job.reason.is_automatic()) {
            self.workers.watcher.send(message);
        }
        self.ui.status.loading = None;
        crash_report::describe_loading(None);
    }

    /// Uploads a file that was read. If there is no window yet, the upload waits for it.
    pub(crate) fn upload(&mut self, read: Box<ReadFile>) {
        let target = self.window.as_ref().map(|window| UploadTarget {
            gpu: window.gpu.clone(),
            device: window.device,
            previous: self.open.as_ref().map(|open| PreviousModel {
                model: open.document.model.clone(),
                gpu_model: open.gpu_model.clone(),
                fingerprints: open.fingerprints.clone(),
            }),
            with_images: false,
        });
        self.workers.load.receive(read, target, self.proxy.clone());
    }

    /// Shows a file that is ready. A file that was loaded ahead is kept until the user steps to it.
    pub(crate) fn file_ready(&mut self, ready: Box<ReadyFile>) {
        if let Some(ready) = self.workers.load.keep_ahead(ready) {
            self.replace_document(*ready);
        }
    }

    /// Handles a file that could not be read or uploaded.
    pub(crate) fn load_failed(&mut self, job: LoadJobId, message: String) {
        self.workers.load.give_up_ahead(job);
        if let Some(job) = self.workers.load.finish(job) {
            self.give_up_load(&job, message);
        }
    }

    /// Ends a load whose file is not shown. The user sees the message, or the watcher tries again.
    pub(crate) fn give_up_load(&mut self, job: &LoadJob, message: String) {
        self.ui.status.loading = None;
        crash_report::describe_loading(None);
        match job.reason {
            LoadReason::Changed { .. } => self.workers.watcher.send(WatchMessage::Failed(message)),
            // The sample model would fail again. If it was to open in place of a file, the error of that file stays.
            _ if self.open.is_none() && job.source == Source::Sample => {
                self.ui.status.failure.get_or_insert(Failure::new(job.label(), message));
            }
            _ => {
                self.show_failure(Failure { name: job.label(), path: job.source.path().map(Path::to_owned), message });
            }
        }
        self.reload_lost_textures();
    }

    /// Shows an error. If nothing is open or loading, the sample model opens.
    pub(crate) fn show_failure(&mut self, failure: Failure) {
        if self.open.is_none() && self.workers.load.job().is_none() {
            self.open_source(Source::Sample);
        }
        if self.open.is_some() {
            self.ui.status.message = None;
        }
        self.ui.status.failure = Some(failure);
    }

    /// Removes the error about this file, because it can be read again.
    pub(crate) fn clear_failure(&mut self, path: Option<&Path>) {
        self.ui.status.failure.take_if(|failure| path.is_some() && failure.path.as_deref() == path);
    }

    /// Watches the files of the open model and of the model that it is compared with, if automatic reloading is on.
    pub(crate) fn watch_files(&mut self) {
        let is_wanted = self.ui.preferences.reload_on_change;
        let open = self.open.as_ref().filter(|open| is_wanted && open.source != Source::Sample);
        self.workers.watcher.update(open.map(|open| (open.job, open.document.id)), || {
            let own = open.iter().flat_map(|open| &open.files);
            own.chain(open.iter().flat_map(|open| &open.borrowed.files).flat_map(|file| &file.files)).cloned().collect()
        });
        let other = self.comparison.as_ref().map(|comparison| &comparison.other).filter(|_| is_wanted);
        let other = other.and_then(|other| Some((other.document.id, other.source.as_ref()?)));
        self.workers.other_watcher.update(other.map(|(id, source)| (source.job, id)), || {
            let own = other.iter().flat_map(|(_, source)| &source.files);
            own.chain(other.iter().flat_map(|(_, source)| &source.borrowed.files).flat_map(|file| &file.files)).cloned().collect()
        });
    }

    /// Handles a request of the file watcher: the open file changed on disk.
    pub(crate) fn file_changed(&mut self, request: ReloadRequest) {
        let Some(open) = self.open.as_ref().filter(|open| open.job == request.job()) else { return };
        let (name, path) = (open.document.name.clone(), open.source.path().map(Path::to_owned));
        match request {
            // A load that the user requested has priority.
            ReloadRequest::Read { .. } if self.workers.load.job().is_some() => self.workers.watcher.send(WatchMessage::Later),
            ReloadRequest::Read { last, .. } => self.read_again(LoadReason::Changed { last }),
            ReloadRequest::ReportFailed { message, .. } => {
                let problem = "The file changed on disk and cannot be read";
                let message = format!("{problem}: {message}. The previous version stays open. Sinew tries again when the file changes.");
                self.show_failure(Failure { name, path, message });
            }
            ReloadRequest::ReportGone { .. } => self.show_message(format!("{name} was deleted from disk. The model stays open.")),
        }
    }

    /// Receives a decoded image of the open model, or its error. `job` is the load that it belongs to, and `decoding` a step of the start.
    pub(crate) fn image_decoded(&mut self, job: LoadJobId, index: usize, image: Result<PreparedImage, String>, decoding: Step) {
        let Some(open) = self.open.as_mut().filter(|open| open.job == job) else { return };
        open.decoded_images.push(ReadyImage { index, image });
        if let Some(timings) = &mut self.startup_timings {
            timings.add_part(decoding);
        }
        self.upload_decoded_images();
    }

    /// Uploads the decoded images of the open model. They wait while a screenshot, which is drawn in the background, uses the textures.
    pub(crate) fn upload_decoded_images(&mut self) {
        let (Some(open), Some(window)) = (&mut self.open, &self.window) else { return };
        if open.decoded_images.is_empty() {
            return;
        }
        let start = Instant::now();
        let mut gpu_model = match open.gpu_model.try_write() {
            Ok(gpu_model) => gpu_model,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return self.pacing.request(start, UPLOAD_RETRY_DELAY),
        };
        for ReadyImage { index, image } in open.decoded_images.drain(..) {
            open.document.image_done(index, gpu_model.receive_image(&window.gpu, index, image));
        }
        // A new texture changes the picture.
        open.moving.stillness.forget();
        if let Some(timings) = &mut self.startup_timings {
            timings.add_part(Step::since("upload images", start));
        }
    }

    /// Receives an image that was decoded for the panels, or its error.
    pub(crate) fn image_previewed(&mut self, answer: PreviewedImage) {
        self.workers.previews.receive(self.proxy.clone());
        let (Some(open), Some(window)) = (&self.open, &self.window) else { return };
        if open.document.id == answer.order.document {
            self.ui.status.previews.get(&open.document).receive(&window.egui, &answer.order, answer.decoded);
        }
    }
}

/// The view of the first file, from the view file if there is one, or else of the first animation with these display settings. Flags change
/// it.
fn first_view(model: &Model, options: &Options, display: Display) -> View {
    let mut view = match &options.view {
        Some(view) => remap::drop_missing(view.clone(), model),
        None => View { animation: next_file::first_animation(model), display, ..View::default() },
    };
    if let Some(selector) = &options.animation {
        match selector::animation(model, selector) {
            Ok(selected) => view.choose_animation(Some(selected.index)),
            Err(error) => print_note(&error),
        }
    }
    if let Some(selector) = &options.camera {
        match selector::camera(model, selector) {
            Ok(selected) => view.camera = ViewCamera::File(selected.index),
            Err(error) => print_note(&error),
        }
    }
    if let Some(speed) = options.speed.filter(|speed| speed.is_finite()) {
        view.speed = speed;
    }
    // The path must stay valid if the view is saved in another folder.
    let panorama = &mut view.display.environment.file;
    *panorama = panorama.as_deref().map(paths::absolute);
    view
}

/// Prints an error about a flag. The program continues.
fn print_note(error: &SelectError) {
    terminal::print_message(format_args!("note: {}", terminal::escape(&error.to_string(), MAX_MESSAGE_CHARS)));
}
