//! Opens files and replaces the open document. A job reads the file in the background, and the open model stays until the new one
//! is ready. Files come from the command line, the panels, drops and, when they change on disk, the file watcher.

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use crate::app::comparison::open_comparison::OtherDocument;
use crate::app::documents::load_job::{LoadJob, LoadReason, PreviousModel, ReadFile, ReadyFile, Source, UploadTarget};
use crate::app::documents::open_document::OpenDocument;
use crate::app::documents::{borrowed_animations, recent_files};
use crate::app::frame::pacing::UNNOTICED_DELAY;
use crate::app::frame::progressive_ghosts::ProgressiveGhosts;
use crate::app::worker_events::ReloadRequest;
use crate::app::{App, Options, crash_report};
use crate::model::Model;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::bounds::key::BoundsKey;
use crate::session::document::Document;
use crate::session::file::file_list::{FileList, Place};
use crate::session::file::{file_list, next_file, reload_policy, remap};
use crate::session::pose::crowd::Crowd;
use crate::session::pose::in_place::Roots;
use crate::session::pose::onion_skin::GhostPoses;
use crate::session::view::selector::{self, SelectError};
use crate::session::view::undo::Undo;
use crate::session::view::{View, ViewCamera};
use crate::ui::context::app_status::Failure;

use crate::app::workers::file_watcher::WatchMessage;
use crate::app::workers::load::LoadRequest;

impl App {
    /// Opens the files of the command line with its flags. Without files, opens the sample model.
    pub(crate) fn open_first(&mut self, options: Options) {
        let list = match &options.files[..] {
            [] => Ok(FileList::default()),
            files => file_list(files),
        };
        self.transport.head.playing = !options.paused;
        self.transport.head.time = options.time.unwrap_or(0.0);
        match list {
            Ok(list) => {
                self.file_list = list;
                let source = self.listed_source().unwrap_or(Source::Sample);
                let place = self.file_list.place(source.path());
                let request = LoadRequest { borrowed: borrowed_animations::wanted_animations(&options), ..opened(source, place) };
                self.start_load(request, move |model| first_view(model, &options));
            }
            Err(message) => self.fail("Cannot open".into(), message),
        }
    }

    /// Opens the first model of the files that were dropped. The others can be stepped to.
    pub(crate) fn open_dropped(&mut self, files: &[PathBuf]) {
        match file_list(files) {
            Ok(list) if list.models.len() > 1 => {
                self.file_list = list;
                self.open_listed(false);
            }
            Ok(list) => {
                if let Some(path) = list.models.into_iter().next() {
                    self.open_source(Source::File { path, beside: list.beside });
                }
            }
            Err(message) => self.fail("Cannot open".into(), message),
        }
    }

    /// Opens the next (1) or the previous (-1) file of the list.
    pub(crate) fn step_file(&mut self, by: isize) {
        self.file_list.step(by);
        self.open_listed(true);
    }

    /// Moves the list back to the open file, after a load was cancelled.
    pub(crate) fn return_to_open(&mut self) {
        let path = self.open.as_ref().and_then(|open| open.source.path());
        if let Some(place) = self.file_list.place(path) {
            self.file_list.at = place.number - 1;
        }
    }

    /// Opens the current file of the list.
    fn open_listed(&mut self, stepped: bool) {
        let Some(source) = self.listed_source() else { return };
        let place = self.file_list.place(source.path());
        self.open_request(LoadRequest { stepped, ..opened(source, place) });
    }

    /// The current file of the list.
    fn listed_source(&self) -> Option<Source> {
        let path = self.file_list.current()?.clone();
        Some(Source::File { path, beside: self.file_list.beside.clone() })
    }

    /// Opens a file that belongs to no list.
    pub(crate) fn open_source(&mut self, source: Source) {
        self.open_request(opened(source, None));
    }

    /// Opens a file in place of the open one, with its camera, time and selection.
    pub(crate) fn open_beside(&mut self, source: Source) {
        self.open_request(LoadRequest { stepped: true, ..opened(source, None) });
    }

    /// Opens another file. How models are drawn stays; when stepping, also camera, selection and animation as far as they fit.
    fn open_request(&mut self, request: LoadRequest) {
        let view = self.view.clone();
        match self.open.as_ref().filter(|_| request.stepped).map(|open| open.document.model.clone()) {
            // Whether the camera suits the new model is known when it is measured.
            Some(before) => self.start_load(request, move |model| next_file::stepped(&view, &before, model, true)),
            None => self.start_load(request, move |model| next_file::opened(&view, model)),
        }
    }

    /// Reads the open file again. The view stays, as far as the file still has what it names.
    pub(crate) fn read_again(&mut self, reason: LoadReason) {
        let Some(open) = &self.open else { return };
        let (source, model, view) = (open.source.clone(), open.document.model.clone(), self.view.clone());
        let place = self.file_list.place(source.path());
        let request = LoadRequest { source, place, reason, stepped: false, borrowed: self.borrowed_again() };
        self.start_load(request, move |new| remap::remap_view(view, &model, new));
    }

    /// Starts a load in place of the running one. `view` makes the view of the new model.
    fn start_load(&mut self, mut request: LoadRequest, view: impl FnOnce(&Model) -> View + Send + 'static) {
        self.cancel_load(WatchMessage::Later);
        // A file may make its reader panic, too.
        crash_report::describe_file(&request.source.name(), &[]);
        // A reload that the user did not ask for keeps the last message, and shows its own progress only if it takes long.
        let is_automatic = matches!(request.reason, LoadReason::Changed { .. });
        if !is_automatic {
            self.ui.status.failure = None;
        }
        if request.reason == LoadReason::Opened && request.borrowed.is_empty() {
            request.borrowed = self.remembered_animations(&request.source);
        }
        self.workers.load.start(request, self.proxy.clone(), view);
        self.pacing.request(Instant::now(), if is_automatic { UNNOTICED_DELAY } else { Duration::ZERO });
    }

    /// Cancels the running load. `message` answers the file watcher, if it asked for this load.
    pub(crate) fn cancel_load(&mut self, message: WatchMessage) {
        if self.workers.load.stop().is_some_and(|job| job.is_automatic()) {
            self.workers.watcher.send(message);
        }
        self.ui.status.loading = None;
    }

    /// Uploads a file that was read. Without a window it waits.
    pub(crate) fn upload(&mut self, read: Box<ReadFile>) {
        let target = self.window.as_ref().map(|window| UploadTarget {
            gpu: window.gpu.clone(),
            device: window.device,
            previous: self.open.as_ref().map(|open| PreviousModel {
                model: open.document.model.clone(),
                gpu_model: open.gpu_model.clone(),
                fingerprints: open.fingerprints.clone(),
            }),
        });
        self.workers.load.receive(read, target, self.proxy.clone());
    }

    /// Replaces the open document by a file that is ready.
    pub(crate) fn replace_document(&mut self, ready: ReadyFile) {
        let Some(device) = self.window.as_ref().map(|window| window.device) else { return };
        if ready.device != device {
            // The device that it was uploaded to was lost in the meantime.
            return self.upload(ready.read);
        }
        let Some(job) = self.workers.load.finish(ready.read.job) else { return };
        self.ui.status.loading = None;
        // A file that is still being written may lack images. Keep the open model and try again.
        if self.would_lose_images(&job, &ready.read.document) {
            return self.workers.watcher.send(WatchMessage::Failed("one of its images cannot be decoded".into()));
        }
        self.workers.previews.stop();
        let measured = BoundsKey::new(&ready.read.view);
        self.adopt_view(&job, &ready.read);
        self.show_opened(&job, &ready.read.document);
        crash_report::describe_file(&job.source.name(), &ready.read.document.findings);
        let is_reload = job.reason != LoadReason::Opened;
        let opened = self.open_document(job, ready, measured);
        let before = self.open.replace(opened).map(|before| OtherDocument {
            document: before.document,
            analyses: before.analyses,
            gpu_model: before.gpu_model,
            path: None,
            files: Vec::new(),
        });
        self.follow_document(is_reload, before);
        self.show_borrowed();
        self.watch_files();
    }

    /// Returns whether a file that is still being written lost images that the open document has. Then the watcher tries again.
    fn would_lose_images(&self, job: &LoadJob, document: &Document) -> bool {
        let open = self.open.as_ref().filter(|_| job.reason == (LoadReason::Changed { last: false }));
        open.is_some_and(|open| reload_policy::lost_images(&open.document.findings, &document.findings))
    }

    /// Sets view and transport for a new document.
    fn adopt_view(&mut self, job: &LoadJob, read: &ReadFile) {
        let model = &read.document.model;
        let reloaded = self.open.as_ref().filter(|_| job.reason != LoadReason::Opened).map(|open| open.document.model.clone());
        let has_same_names = reloaded.as_ref().is_some_and(|before| remap::is_same(before, model));
        // Changes made while the file was being read stay.
        let (view, time) = match (reloaded, &self.open) {
            (Some(before), _) => self.remap_view(&before, model),
            (None, Some(open)) if job.stepped => {
                let alike = next_file::is_alike(&open.analyses.bounds, &read.analyses.bounds);
                (next_file::stepped(&self.view, &open.document.model, model, alike), None)
            }
            (None, Some(_)) => (next_file::opened(&self.view, model), None),
            // The view of the very first file comes from the command line.
            (None, None) => (read.view.clone(), None),
        };
        self.view = view;
        self.adopt_retarget(job, &read.borrowed);
        if job.reason == LoadReason::Opened {
            self.lost_animations = None;
            self.remember_file(job);
            if self.open.is_some() && !job.stepped {
                self.transport.restart();
                self.transport.head.playing = true;
            }
        } else {
            self.report_reloaded(job);
        }
        // Undo steps name nodes and animations by index, so they are kept only if these are the same.
        if !has_same_names {
            self.undo = Undo::new(&self.view);
            self.transport.fade = None;
        }
        self.transport.seek(model, &self.view, time.unwrap_or(self.transport.time()));
    }

    /// Shows in the window what is open now, in its title and in the status bar.
    fn show_opened(&mut self, job: &LoadJob, document: &Document) {
        let name = job.source.path().map_or_else(|| job.source.name(), |path| self.distinct_name(path));
        if let Some(window) = &self.window {
            window.handle.set_title(&format!("{} - Sinew", file_list::with_place(&name, job.place)));
        }
        self.ui.status.file_label = Some(name);
        self.ui.status.listed = job.place;
        log::info!("{} shown after {:.0?}", document.name, job.started.elapsed());
        if job.reason == LoadReason::Opened && job.place.is_none() && job.source.path().is_some() {
            // A file opened by itself ends the list.
            self.file_list = FileList::default();
        }
    }

    /// The name of a file, with its folder if another file of the list or of the recent files has the same name.
    fn distinct_name(&self, path: &Path) -> String {
        file_list::distinct_name(path, self.file_list.models.iter().chain(&self.ui.preferences.recent_files))
    }

    /// The new open document. Ends the decoding of the previous one's images.
    fn open_document(&self, job: LoadJob, ready: ReadyFile, measured: BoundsKey) -> OpenDocument {
        let ReadFile { mut document, analyses, images, borrowed, files, progress, .. } = *ready.read;
        if let Some(previous) = &self.open {
            previous.progress.cancel();
            document.mark_reload_of(&previous.document);
        }
        // A reload does not interrupt the user's stay.
        let stepped = self.open.as_ref().filter(|_| job.reason != LoadReason::Opened).and_then(|open| open.stepped);
        OpenDocument {
            stepped: stepped.or_else(|| job.stepped.then(Instant::now)),
            progress,
            textures_lost: false,
            job: job.id,
            source: job.source,
            files,
            fingerprints: images.fingerprints,
            images: images.sources,
            posed: document.rig().posed(),
            roots: Roots::default(),
            document,
            borrowed,
            analyses,
            gpu_model: Arc::new(RwLock::new(ready.gpu_model)),
            crowd: Crowd::default(),
            ghosts: GhostPoses::default(),
            progressive_ghosts: ProgressiveGhosts::default(),
            measured,
        }
    }

    /// Remembers a file that the user opened, and the open file if the user stayed on it.
    fn remember_file(&mut self, job: &LoadJob) {
        let recent = &mut self.ui.preferences.recent_files;
        recent_files::remember_stayed(recent, self.open.as_mut());
        let Some(path) = job.source.path() else { return };
        if !job.stepped {
            recent_files::remember(recent, path);
        }
        self.settings.current.open_folder = path.parent().map(PathBuf::from);
    }

    /// Handles a file that could not be read or uploaded.
    pub(crate) fn load_failed(&mut self, job: u64, message: String) {
        if let Some(job) = self.workers.load.finish(job) {
            self.ui.status.loading = None;
            match job.reason {
                LoadReason::Changed { .. } => self.workers.watcher.send(WatchMessage::Failed(message)),
                LoadReason::Opened | LoadReason::Again => self.fail(job.label(), message),
            }
            self.reload_lost_textures();
        }
    }

    /// Shows an error. If nothing is open or loading, the sample model opens below it.
    pub(crate) fn fail(&mut self, name: String, message: String) {
        if self.open.is_none() && self.workers.load.job().is_none() {
            self.open_source(Source::Sample);
        }
        if self.open.is_some() {
            self.clear_message();
        }
        self.ui.status.failure = Some(Failure { name, message });
    }

    /// Watches the open model's files, if the user wants that.
    pub(crate) fn watch_files(&mut self) {
        self.workers.watcher.update(self.open.as_ref(), self.ui.preferences.reload_on_change);
    }

    /// Handles a request of the file watcher: the open file changed on disk.
    pub(crate) fn file_changed(&mut self, request: ReloadRequest) {
        let id = request.id();
        let Some(name) = self.open.as_ref().filter(|open| open.job == id).map(|open| open.document.name.clone()) else { return };
        match request {
            // A load that the user asked for goes first.
            ReloadRequest::Read { .. } if self.workers.load.job().is_some() => self.workers.watcher.send(WatchMessage::Later),
            ReloadRequest::Read { last, .. } => self.read_again(LoadReason::Changed { last }),
            ReloadRequest::ReportFailed { message, .. } => {
                let what = "The file changed on disk and cannot be read";
                let message = format!("{what}: {message}. The previous version stays open. Sinew tries again when the file changes.");
                self.clear_message();
                self.ui.status.failure = Some(Failure { name, message });
            }
            ReloadRequest::ReportGone { .. } => self.show_message(format!("{name} was deleted from disk. The model stays open.")),
        }
    }

    /// The view for a reloaded model. Also returns the time to seek to, if an animation is back that the last reload lacked.
    fn remap_view(&mut self, before: &Model, after: &Model) -> (View, Option<f64>) {
        let lost = self.lost_animations.take();
        let time = lost.as_ref().map(|lost| lost.time);
        let (view, lost) = remap::remap_and_restore(lost, &self.view, self.transport.time(), before, after);
        self.lost_animations = lost;
        let is_back = self.view.animation.is_none() && view.animation.is_some();
        (view, time.filter(|_| is_back))
    }

    /// Removes an older error about this file, and reports an automatic reload.
    fn report_reloaded(&mut self, job: &LoadJob) {
        let name = job.source.name();
        if self.ui.status.failure.as_ref().is_some_and(|failure| failure.name == name) {
            self.ui.status.failure = None;
        }
        if job.is_automatic() {
            self.show_message("Reloaded".into());
        }
    }
}

/// A request to open a file that the user chose.
fn opened(source: Source, place: Option<Place>) -> LoadRequest {
    LoadRequest { source, place, reason: LoadReason::Opened, stepped: false, borrowed: Vec::new() }
}

/// The list of these files, as absolute paths: the settings remember them.
fn file_list(files: &[PathBuf]) -> Result<FileList, String> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    FileList::new(&files.iter().map(absolute).collect::<Vec<_>>())
}

/// The view of the first file: the saved view, then the flags, otherwise the first animation.
fn first_view(model: &Model, options: &Options) -> View {
    let mut view = match &options.view {
        Some(view) => remap::drop_missing(view.clone(), model),
        None => View { animation: next_file::first_animation(model), ..View::default() },
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
    view
}

/// Prints an error about a flag that does not stop the program.
fn print_note(error: &SelectError) {
    eprintln!("note: {}", terminal::escape(&error.to_string(), MAX_MESSAGE_CHARS));
}
