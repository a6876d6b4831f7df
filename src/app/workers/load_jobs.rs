//! What is opened and what becomes of it: a job reads a file on another thread, and the open model gives way only when the
//! new one is ready.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use crate::app::open_document::OpenDocument;
use crate::app::progressive_ghosts::Stillness;
use crate::app::{App, Options, frame};
use crate::model::Model;
use crate::session::bounds::key::BoundsKey;
use crate::session::file::file_list::{FileList, Place};
use crate::session::file::{reload_policy, remap};
use crate::session::pose::crowd::Crowd;
use crate::session::pose::in_place::Roots;
use crate::session::pose::onion_skin::GhostPoses;
use crate::session::view::display::Display;
use crate::session::view::undo::Undo;
use crate::session::view::{View, ViewCamera, selector};
use crate::ui::app_status::Failure;

use super::file_watcher::WatchMessage;
use super::load::{self, Job, LoadReason, Source};

impl App {
    /// The file of the command line with what its flags say, else the sample model.
    pub(crate) fn open_first(&mut self) {
        let list = match &self.options.files[..] {
            [] => Ok(FileList::default()),
            files => given(files),
        };
        let options = std::mem::take(&mut self.options);
        self.transport.head.playing = !options.paused;
        self.transport.head.time = options.time.unwrap_or(0.0);
        match list {
            Ok(list) => {
                self.list = list;
                let source = self.listed().unwrap_or(Source::Sample);
                let place = self.list.place(source.path());
                self.start_job(source, place, LoadReason::Opened, move |model| first_view(model, &options));
            }
            Err(message) => self.fail("Open".into(), message),
        }
    }

    /// Opens the first model of what was dropped; others can be stepped to.
    pub(crate) fn open_given(&mut self, files: &[PathBuf]) {
        match given(files) {
            Ok(list) if list.models.len() > 1 => {
                self.list = list;
                self.open_listed();
            }
            Ok(list) => {
                if let Some(path) = list.models.into_iter().next() {
                    self.show(Source::File { path, beside: list.beside });
                }
            }
            Err(message) => self.fail("Drop".into(), message),
        }
    }

    /// The next file of the list, or the previous one.
    pub(crate) fn step_file(&mut self, by: isize) {
        self.list.step(by);
        if let Some(job) = self.open_listed() {
            job.stepped = true;
        }
    }

    /// Where loading was given up: the list stands where the window is again.
    pub(crate) fn return_to_open(&mut self) {
        let path = self.open.as_ref().and_then(|open| open.source.path());
        if let Some(place) = self.list.place(path) {
            self.list.at = place.number - 1;
        }
    }

    fn open_listed(&mut self) -> Option<&mut Job> {
        let source = self.listed()?;
        let place = self.list.place(source.path());
        self.show_at(source, place);
        self.job.as_mut()
    }

    /// The file of the list that is asked for.
    fn listed(&self) -> Option<Source> {
        let path = self.list.current()?.clone();
        Some(Source::File { path, beside: self.list.beside.clone() })
    }

    /// Opens another file, by itself.
    pub(crate) fn show(&mut self, source: Source) {
        self.show_at(source, None);
    }

    /// Opens another file: a person's habits stay, the rest begins anew. It stands alone: who had a crowd of a light model does
    /// not want one of a heavy model unasked.
    fn show_at(&mut self, source: Source, place: Option<Place>) {
        let kept = habits(&self.view, View::default());
        self.start_job(source, place, LoadReason::Opened, move |model| View { animation: first_animation(model), ..kept });
    }

    /// The open file once more, with the view as it is as far as the file still has what it names.
    pub(crate) fn reload(&mut self) {
        self.read_again(LoadReason::Again);
    }

    pub(crate) fn read_again(&mut self, why: LoadReason) {
        let Some(open) = &self.open else { return };
        let (source, model, view) = (open.source.clone(), open.document.model.clone(), self.view.clone());
        let place = self.list.place(source.path());
        self.start_job(source, place, why, move |new| remap::carried(view, &model, new));
    }

    fn start_job(&mut self, source: Source, place: Option<Place>, why: LoadReason, view: impl FnOnce(&Model) -> View + Send + 'static) {
        self.cancel_job(WatchMessage::Later);
        self.jobs_started += 1;
        // What nobody asked for takes no message away.
        if !matches!(why, LoadReason::Changed { .. }) {
            self.ui.status.failure = None;
        }
        let job = Job { place, image_limit: self.image_limit, ..Job::new(self.jobs_started, source, why) };
        load::start(&job, self.proxy.clone(), view);
        self.job = Some(job);
        // How far it is with what nobody asked for is not said at once.
        self.pacing.ask(Instant::now(), if matches!(why, LoadReason::Changed { .. }) { frame::UNNOTICED } else { Duration::ZERO });
    }

    /// `word`: for the watching thread, should it wait for this.
    pub(crate) fn cancel_job(&mut self, word: WatchMessage) {
        if let Some(job) = self.job.take() {
            job.progress.cancel();
            if matches!(job.why, LoadReason::Changed { .. }) {
                self.watching.tell(word);
            }
        }
        self.ui.status.loading = None;
    }

    pub(crate) fn is_current(&self, job: u64) -> bool {
        self.job.as_ref().is_some_and(|current| current.id == job)
    }

    pub(crate) fn read(&mut self, read: Box<load::Read>) {
        match &self.shell {
            Some(shell) if self.is_current(read.job) => {
                let before = self.open.as_ref().map(|open| load::PreviousModel {
                    model: open.document.model.clone(),
                    gpu_model: open.gpu_model.clone(),
                    fingerprints: open.fingerprints.clone(),
                });
                let target = load::Target { gpu: shell.gpu.clone(), device: shell.device, before };
                load::upload(read, target, self.proxy.clone());
            }
            Some(_) => {}
            None => self.waiting = Some(read),
        }
    }

    /// The new model takes the old one's place.
    pub(crate) fn ready(&mut self, ready: load::Ready) {
        let Some(device) = self.shell.as_ref().map(|shell| shell.device) else { return };
        if ready.device != device {
            // Uploaded to a device that was lost meanwhile.
            return self.read(ready.read);
        }
        let Some(job) = self.job.take_if(|job| job.id == ready.read.job) else { return };
        self.ui.status.loading = None;
        let load::Read { mut document, analyses, view, images, files, progress, .. } = *ready.read;
        let before = self.open.as_ref().map(|open| &open.document);
        if job.why == (LoadReason::Changed { last: false })
            && before.is_some_and(|before| reload_policy::lost_images(&before.findings, &document.findings))
        {
            return self.watching.tell(WatchMessage::Failed("an image of it cannot be shown".into()));
        }
        let measured = BoundsKey::new(&view);
        if let Some(before) = before {
            document.mark_reload_of(before);
        }
        let before = before.filter(|_| job.why != LoadReason::Opened).map(|before| before.model.clone());
        let same = before.as_ref().is_some_and(|before| remap::is_same(before, &document.model));
        let (view, time) = match before {
            // What was changed while the file was read again stays, too.
            Some(before) => self.carried(&before, &document.model),
            None if self.open.is_some() => (habits(&self.view, view), None),
            // Of the very first file the command line may have said where to start.
            None => (view, None),
        };
        self.start_anew(&job, view, same);
        self.transport.seek(&document.model, &self.view, time.unwrap_or(self.transport.time()));
        let posed = document.rig().posed();
        let fingerprints = images.fingerprints.clone();
        if let Some(shell) = &self.shell {
            shell.window.set_title(&format!("{} - Sinew", job.label()));
        }
        self.ui.status.listed = job.place;
        log::info!("{} shown after {:.0?}", document.name, job.started.elapsed());
        let gpu_model = Arc::new(RwLock::new(ready.gpu_model));
        if job.why == LoadReason::Opened && job.place.is_none() && job.source.path().is_some() {
            // Opened by itself: what is stepped through no longer holds it.
            self.list = FileList::default();
        }
        if let Some(before) = &self.open {
            before.progress.cancel();
        }
        let stepped = self.open.as_ref().filter(|_| job.why != LoadReason::Opened).and_then(|open| open.stepped);
        self.open = Some(OpenDocument {
            stepped: stepped.or_else(|| job.stepped.then(Instant::now)),
            progress,
            textures_lost: false,
            job: job.id,
            source: job.source,
            files,
            fingerprints,
            document,
            analyses,
            gpu_model,
            posed,
            roots: Roots::default(),
            crowd: Crowd::default(),
            ghosts: GhostPoses::default(),
            stillness: Stillness::default(),
            measured,
        });
        self.follow_files();
    }

    /// What belongs to the file before: the time, and what can be undone. `same`: its nodes and animations have the same names.
    fn start_anew(&mut self, job: &load::Job, view: View, same: bool) {
        self.view = view;
        if job.why == LoadReason::Opened {
            self.missed = None;
            self.remember(job);
            if self.open.is_some() {
                self.transport.restart();
                self.transport.head.playing = true;
            }
        } else {
            self.reloaded(job);
        }
        if !same {
            self.undo = Undo::new(&self.view);
            self.transport.fade = None;
        }
    }

    pub(crate) fn failed(&mut self, job: u64, message: String) {
        if let Some(job) = self.job.take_if(|current| current.id == job) {
            self.ui.status.loading = None;
            match job.why {
                LoadReason::Changed { .. } => self.watching.tell(WatchMessage::Failed(message)),
                LoadReason::Opened | LoadReason::Again => self.fail(job.label(), message),
            }
            self.fetch_lost_textures();
        }
    }

    /// Says what went wrong. With nothing open and nothing on its way the sample model is shown below the message.
    pub(crate) fn fail(&mut self, name: String, message: String) {
        if self.open.is_none() && self.job.is_none() {
            self.show(Source::Sample);
        }
        if self.open.is_some() {
            self.drop_note();
        }
        self.ui.status.failure = Some(Failure { name, message });
    }
}

/// The list of these files, to be found from any other folder, too: they are remembered.
fn given(files: &[PathBuf]) -> Result<FileList, String> {
    let whole = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    FileList::new(&files.iter().map(whole).collect::<Vec<_>>())
}

/// The view of the first file: what was saved, then what the flags say, else its first animation.
fn first_view(model: &Model, options: &Options) -> View {
    let mut view = match &options.view {
        Some(view) => remap::still_there(view.clone(), model),
        None => View { animation: first_animation(model), ..View::default() },
    };
    if let Some(selector) = &options.animation {
        match selector::animation(model, selector) {
            Ok(selected) => view.choose_animation(Some(selected.index)),
            Err(error) => eprintln!("note: {error}"),
        }
    }
    if let Some(selector) = &options.camera {
        match selector::camera(model, selector) {
            Ok(selected) => view.camera = ViewCamera::File(selected.index),
            Err(error) => eprintln!("note: {error}"),
        }
    }
    if let Some(speed) = options.speed.filter(|speed| speed.is_finite()) {
        view.speed = speed;
    }
    view
}

/// A view of another file, with what belongs to the person rather than to the file.
fn habits(from: &View, view: View) -> View {
    let display = Display { crowd: 1, variant: None, ..from.display.clone() };
    View { speed: from.speed, repeat: from.repeat, cross_fade: from.cross_fade, display, ..view }
}

fn first_animation(model: &Model) -> Option<usize> {
    (!model.animations.is_empty()).then_some(0)
}
