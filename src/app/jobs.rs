//! What is opened and what becomes of it: a job reads a file on another thread, and the open model gives way only when the
//! new one is ready.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use crate::model::Model;
use crate::session::crowd::Crowd;
use crate::session::file_list::FileList;
use crate::session::posing::Posed;
use crate::session::select;
use crate::session::undo::Undo;
use crate::session::view::{Display, View, ViewCamera};
use crate::ui::Failure;

use super::opening::{self, Job, Source};
use super::{App, Open, Options, Shown, settings};

impl App {
    /// The file of the command line with what its flags say, else the sample model.
    pub(super) fn open_first(&mut self) {
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
                self.start_job(source, false, move |model| first_view(model, &options));
            }
            Err(message) => self.fail("Open".into(), message),
        }
    }

    /// Opens the first model of what was dropped; others can be stepped to.
    pub(super) fn open_given(&mut self, files: &[PathBuf]) {
        match given(files) {
            Ok(list) => {
                self.list = list;
                self.open_listed();
            }
            Err(message) => self.fail("Drop".into(), message),
        }
    }

    /// The next file of the list, or the previous one.
    pub(super) fn step_file(&mut self, by: isize) {
        self.list.step(by);
        self.open_listed();
    }

    /// Where loading was given up: the list stands where the window is again.
    pub(super) fn return_to_open(&mut self) {
        let path = self.open.as_ref().and_then(|open| open.source.path());
        if let Some(place) = self.list.place(path) {
            self.list.at = place.number - 1;
        }
    }

    fn open_listed(&mut self) {
        if let Some(source) = self.listed() {
            self.show(source);
        }
    }

    /// The file of the list that is asked for.
    fn listed(&self) -> Option<Source> {
        let path = self.list.current()?.clone();
        Some(Source::File { path, beside: self.list.beside.clone() })
    }

    /// Opens another file, by itself.
    pub(super) fn open_source(&mut self, source: Source) {
        self.list = FileList::default();
        self.show(source);
    }

    /// Shows another file: a person's habits stay, the rest begins anew. It stands alone: who had a crowd of a light model does
    /// not want one of a heavy model unasked.
    fn show(&mut self, source: Source) {
        let kept = habits(&self.view, View::default());
        self.start_job(source, false, move |model| View { animation: first_animation(model), ..kept });
    }

    /// The open file once more, with the view as it is as far as the file still has what it names.
    pub(super) fn reload(&mut self) {
        let Some(source) = self.open.as_ref().map(|open| open.source.clone()) else { return };
        let view = self.view.clone();
        self.start_job(source, true, move |model| still_there(view, model));
    }

    pub(super) fn start_job(&mut self, source: Source, reload: bool, view: impl FnOnce(&Model) -> View + Send + 'static) {
        self.cancel_job();
        self.jobs_started += 1;
        self.ui.failure = None;
        let place = self.list.place(source.path());
        let job = Job { place, image_limit: self.image_limit, ..Job::new(self.jobs_started, source, reload) };
        opening::start(&job, self.proxy.clone(), view);
        self.job = Some(job);
        self.ask_frame();
    }

    pub(super) fn cancel_job(&mut self) {
        if let Some(job) = self.job.take() {
            job.progress.cancel();
        }
        self.ui.loading = None;
    }

    pub(super) fn is_current(&self, job: u64) -> bool {
        self.job.as_ref().is_some_and(|current| current.id == job)
    }

    pub(super) fn read(&mut self, read: Box<opening::Read>) {
        match &self.shell {
            Some(shell) if self.is_current(read.job) => opening::upload(read, shell.gpu.clone(), self.proxy.clone()),
            Some(_) => {}
            None => self.waiting = Some(read),
        }
    }

    /// The new model takes the old one's place.
    pub(super) fn ready(&mut self, ready: opening::Ready) {
        let Some(job) = self.job.take_if(|job| job.id == ready.job) else { return };
        self.ui.loading = None;
        let opening::Ready { document, view, images, gpu_model, .. } = ready;
        if let Some(path) = &document.path {
            settings::remember(&mut self.ui.preferences.recent_files, path);
            self.settings.open_folder = path.parent().map(PathBuf::from);
        }
        // Of the very first file the command line may have said where to start.
        let first = self.open.is_none();
        if !job.reload && !first {
            self.transport.restart();
            self.transport.head.playing = true;
        }
        self.view = match () {
            // What was changed while the file was read again stays, too.
            () if job.reload => still_there(self.view.clone(), &document.model),
            () if first => view,
            () => habits(&self.view, view),
        };
        if !job.reload {
            self.undo = Undo::new(&self.view);
        }
        self.transport.seek(&document.model, &self.view, self.transport.time());
        let posed = Posed::with(&document.model, document.prepared.clone());
        if let Some(shell) = &self.shell {
            opening::decode_images(job.id, images, document.model.clone(), shell.gpu.holds(), self.proxy.clone());
            shell.window.set_title(&format!("{} - Sinew", job.label()));
        }
        self.ui.listed = job.place;
        log::info!("{} shown after {:.0?}", document.name, job.started.elapsed());
        let gpu_model = Arc::new(RwLock::new(gpu_model));
        let measured = Shown::of(&self.view);
        self.open = Some(Open { job: job.id, source: job.source, document, gpu_model, posed, crowd: Crowd::default(), measured });
    }

    pub(super) fn failed(&mut self, job: u64, message: String) {
        if let Some(job) = self.job.take_if(|current| current.id == job) {
            self.ui.loading = None;
            self.fail(job.label(), message);
        }
    }

    /// Says what went wrong. With nothing open yet the sample model is shown below the message.
    pub(super) fn fail(&mut self, name: String, message: String) {
        if self.open.is_none() {
            self.show(Source::Sample);
        }
        self.ui.failure = Some(Failure { name, message });
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
        Some(view) => still_there(view.clone(), model),
        None => View { animation: first_animation(model), ..View::default() },
    };
    if let Some(selector) = &options.animation {
        match select::animation(model, selector) {
            Ok(selected) => view.choose_animation(Some(selected.index)),
            Err(error) => eprintln!("note: {error}"),
        }
    }
    if let Some(selector) = &options.camera {
        match select::camera(model, selector) {
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
    let display = Display { crowd: 1, ..from.display.clone() };
    View { speed: from.speed, repeat: from.repeat, cross_fade: from.cross_fade, display, ..view }
}

fn first_animation(model: &Model) -> Option<usize> {
    (!model.animations.is_empty()).then_some(0)
}

/// The view without what the model does not have (any more).
fn still_there(mut view: View, model: &Model) -> View {
    view.animation = view.animation.filter(|&animation| animation < model.animations.len());
    view.layers.retain(|layer| layer.animation < model.animations.len());
    for mask in view.layers.iter_mut().filter_map(|layer| layer.mask.as_mut()) {
        mask.retain(|&node| node < model.nodes.len());
    }
    view.scene = view.scene.filter(|&scene| scene < model.scenes.len());
    view.selection.retain(|&node| node < model.nodes.len());
    view.switches.retain(|&node, _| node < model.nodes.len());
    if matches!(view.camera, ViewCamera::File(camera) if camera >= model.cameras.len()) {
        view.camera = ViewCamera::Fit;
    }
    view
}
