//! Replaces the open document by a file that is ready, and carries the view, the time and the undo steps over to it.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};
use std::time::Instant;

use crate::app::comparison::open_comparison::OtherDocument;
use crate::app::frame::moving_picture::MovingPicture;
use crate::app::{App, crash_report};
use crate::compare::counterpart;
use crate::model::Model;
use crate::session::document::{Document, ImageState};
use crate::session::file::next_file;
use crate::session::file::reload_policy;
use crate::session::file::remap::{self, ViewRemap};
use crate::session::pose::posed_document::PosedDocument;
use crate::session::time::transport;
use crate::session::view::View;
use crate::session::view::undo::Undo;

use super::load_job::{LoadJob, LoadReason, MeasuredDocument, Measuring, ReadFile, ReadyFile};
use super::open_document::OpenDocument;
use super::recent_files;

impl App {
    /// Replaces the open document by a file that is ready.
    pub(crate) fn replace_document(&mut self, mut ready: ReadyFile) {
        let Some(device) = self.window.as_ref().map(|window| window.device) else { return };
        if ready.device != device {
            // The device that the model and its images were uploaded to was lost in the meantime.
            ready.measured.document.image_states.fill(ImageState::Pending);
            return self.upload(Box::new(ReadFile { measuring: Measuring::done(ready.measured), ..*ready.read }));
        }
        let Some(job) = self.workers.load.finish(ready.read.job) else { return };
        self.startup_timings.iter_mut().for_each(|timings| timings.add(&ready.read.steps));
        // A file that is still being written may lack images. Keep the open model and try again.
        if self.would_lose_images(&job, &ready.measured.document) {
            return self.give_up_load(&job, "one of its images cannot be decoded".into());
        }
        self.ui.status.loading = None;
        let is_reload = job.reason.is_reload();
        if let Some(window) = self.window.as_mut().filter(|_| !is_reload) {
            window.renderer.forget_picture();
        }
        self.workers.previews.stop();
        self.adopt_view(&job, &ready);
        self.list_neighbors(&job);
        log::info!("{} shown after {:.0?}", ready.measured.document.name, job.started.elapsed());
        crash_report::describe_file(&job.source.name(), &ready.measured.document.findings);
        let opened = self.open_document(job, ready);
        // A version whose textures are not decoded yet, or were lost with a device, would be compared without them.
        let previous = self.open.replace(opened).filter(|previous| !previous.document.image_states.contains(&ImageState::Pending));
        let previous = previous.map(|previous| OtherDocument::in_memory(&previous));
        self.show_name();
        self.follow_document(is_reload, previous);
        self.show_borrowed();
        self.watch_files();
    }

    /// Returns whether a changed file lacks images that the open document has. Another program may still be writing the file, so the
    /// watcher tries again.
    fn would_lose_images(&self, job: &LoadJob, document: &Document) -> bool {
        let open = self.open.as_ref().filter(|_| job.reason == (LoadReason::Changed { last: false }));
        open.is_some_and(|open| reload_policy::lost_images(&open.document.findings, &document.findings))
    }

    /// Sets view and transport for a new document.
    fn adopt_view(&mut self, job: &LoadJob, ready: &ReadyFile) {
        let ReadyFile { read, measured, .. } = ready;
        let model = &read.model;
        let old_model = self.open.as_ref().filter(|_| job.reason.is_reload()).map(|open| open.document.model.clone());
        let has_same_names = old_model.as_ref().is_some_and(|old_model| remap::is_same(old_model, model));
        let was_incomplete = self.lost_animations.is_some();
        // After a swap, the file continues at the time that it had while it was compared.
        let swap_time_map = self.compared_time_map().filter(|_| job.reason == LoadReason::Swapped);
        // Derive the view from the current one, to keep changes that the user made while the file was being read.
        let (view, time) = match (&old_model, &self.open, job.reason.kept_view()) {
            (Some(old_model), ..) => self.remap_view(old_model, model),
            (None, Some(open), Some(kept)) => {
                let mut view = kept.view(&self.view, &open.document.model, model, self.compared_animation());
                next_file::fit_unless_alike(&mut view, &open.analyses.bounds, &measured.analyses.bounds);
                let range = swap_time_map.map_or(view.range, |times| counterpart::range(view.range, &times));
                (View { range, ..view }, None)
            }
            // The view of the very first file comes from the command line, and so does the time, if one is given.
            _ => {
                let begins = self.transport.is_playing() && self.transport.time() == 0.0;
                (read.view.clone(), begins.then(|| transport::beginning(model, &read.view)))
            }
        };
        self.view = view;
        self.adopt_retarget(job, &read.borrowed);
        if job.reason.is_reload() {
            self.report_reloaded(job);
        } else {
            self.lost_animations = None;
            self.remember_file(job);
            if self.open.is_some() && job.reason == LoadReason::Opened {
                self.transport.restart();
                self.transport.head.playing = true;
            }
        }
        if !has_same_names {
            match &old_model {
                Some(old_model) => {
                    let is_complete = !was_incomplete && self.lost_animations.is_none();
                    ViewRemap::new(old_model, model).apply_to_history(&mut self.undo, &self.view, is_complete);
                }
                None => self.undo = Undo::new(&self.view),
            }
            self.transport.fade = None;
        }
        match (time, swap_time_map) {
            (_, Some(times)) => self.transport.jump(model, &self.view, &counterpart::moment(&self.transport.moment(), &times)),
            (None, _) if job.reason.is_reload() => self.transport.keep_within(model, &self.view),
            _ => self.transport.seek(model, &self.view, time.unwrap_or(self.transport.time())),
        }
    }

    /// Makes the new open document.
    fn open_document(&self, job: LoadJob, ready: ReadyFile) -> OpenDocument {
        let ReadFile { images, borrowed, files, progress, .. } = *ready.read;
        let MeasuredDocument { mut document, analyses, .. } = ready.measured;
        if let Some(previous) = &self.open {
            document.mark_reload_of(&previous.document);
        }
        // A reload does not restart the time that the user has stayed on the file.
        let stepped_at = self.open.as_ref().filter(|_| job.reason.is_reload()).and_then(|open| open.stepped_at);
        OpenDocument {
            stepped_at: stepped_at.or_else(|| matches!(job.reason, LoadReason::Stepped | LoadReason::Swapped).then(Instant::now)),
            progress,
            simplifying: None,
            decoded_images: Vec::new(),
            textures_lost: false,
            job: job.id,
            source: job.source,
            files,
            fingerprints: images.fingerprints,
            images: images.sources,
            pose: PosedDocument::new(&document),
            document,
            borrowed,
            analyses,
            gpu_model: Arc::new(RwLock::new(ready.gpu_model)),
            moving: MovingPicture::default(),
        }
    }

    /// Remembers a file that the user opened, and the open file if the user stayed on it.
    fn remember_file(&mut self, job: &LoadJob) {
        let recent = &mut self.ui.preferences.recent_files;
        recent_files::remember_stayed(recent, self.open.as_mut());
        let Some(path) = job.source.path() else { return };
        if job.reason == LoadReason::Opened {
            recent_files::remember(recent, path);
        }
        self.settings.current.open_folder = path.parent().map(PathBuf::from);
    }

    /// The view for a reloaded model. If an earlier reload lost the selected animation and the file has it again, selects that animation
    /// and also returns the time to seek to.
    fn remap_view(&mut self, before: &Model, after: &Model) -> (View, Option<f64>) {
        let lost = self.lost_animations.take();
        let time = lost.as_ref().map(|lost| lost.time);
        let (view, lost) = remap::remap_and_restore(lost, &self.view, self.transport.time(), before, after);
        self.lost_animations = lost;
        let is_restored = self.view.animation.is_none() && view.animation.is_some();
        (view, time.filter(|_| is_restored))
    }

    /// Removes an earlier error about this file, and shows a message after an automatic reload.
    fn report_reloaded(&mut self, job: &LoadJob) {
        self.clear_failure(job.source.path());
        if job.reason.is_automatic() {
            self.show_message("Reloaded".into());
        }
    }
}
