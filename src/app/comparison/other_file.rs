//! Loads the file that the open one is compared with, and follows its changes on disk.

use std::path::{Path, PathBuf};

use crate::app::App;
use crate::app::documents::load_job::{LoadReason, Source};
use crate::app::documents::{borrowed_animations, listed_files};
use crate::app::worker_events::{LoadedOther, ReloadRequest};
use crate::app::workers::analysis::comparison::OtherContext;
use crate::app::workers::files::file_watcher::WatchMessage;
use crate::compare::pairing;
use crate::paths::file_name;
use crate::session::file::reload_policy;
use crate::ui::context::app_status::Failure;
use crate::ui::context::comparison::{CompareChoices, OtherAnimation, OtherKind};

use super::open_comparison::{LoadedComparison, NextComparison};

impl App {
    /// Starts loading a file to compare the open document with. If no document is open yet, the file is loaded after the next one opens.
    pub(crate) fn compare_with(&mut self, source: Source) {
        if self.open.is_none() || self.window.is_none() {
            self.compare_next = Some(NextComparison::new(source));
            return;
        }
        self.start_comparing(source, self.new_choices(OtherAnimation::Counterpart));
    }

    /// Compares the open document with the first model of the files that were dropped.
    pub(crate) fn compare_dropped(&mut self, files: &[PathBuf]) {
        match listed_files::file_list(files) {
            Ok(list) => {
                if let Some(path) = list.current().cloned() {
                    self.compare_with(Source::File { path, opened_together: list.opened_together });
                }
            }
            Err(message) => self.show_failure(Failure::new("Cannot compare", message)),
        }
    }

    /// Starts loading a file to compare the open document with.
    pub(super) fn start_comparing(&mut self, source: Source, choices: CompareChoices) {
        self.cancel_other();
        self.ui.status.failure = None;
        self.load_other(source, LoadReason::Opened, choices);
    }

    /// Starts loading a file to compare with. If the file is read again, the user's current choices stay.
    fn load_other(&mut self, source: Source, reason: LoadReason, choices: CompareChoices) {
        let (Some(open), Some(window)) = (&self.open, &self.window) else { return };
        let current = self.comparison.as_ref().map(|comparison| &comparison.status).filter(|_| reason != LoadReason::Opened);
        let borrowed = match self.comparison.as_ref().and_then(|comparison| comparison.other.source.as_ref()) {
            Some(known) if reason != LoadReason::Opened => borrowed_animations::to_reload(&known.borrowed.files, &known.borrowed.choices),
            _ => self.remembered_animations(&source),
        };
        let context = OtherContext {
            borrowed,
            open: open.document.clone(),
            view: self.view.clone(),
            gpu: window.gpu.clone(),
            device: window.device,
            image_limit: self.workers.load.image_limit(),
            choices: current.map_or(choices, |status| status.choices),
            previous: current.map(|status| status.model.clone()),
        };
        self.workers.comparison.load(source, reason, context, self.proxy.clone());
    }

    /// Shows a loaded file beside the open one, or the error of loading it. If a changed file cannot be read, the watcher tries again.
    pub(crate) fn other_loaded(&mut self, loaded: LoadedOther) {
        let Some(loading) = self.workers.comparison.finish_loading(loaded.job) else { return };
        self.ui.status.loading = None;
        if self.window.as_ref().is_none_or(|window| window.device != loaded.device) {
            // The device that the model was uploaded to was lost in the meantime.
            return self.load_other(loading.source, loading.reason, loading.choices);
        }
        match (loaded.loaded, loading.reason) {
            (Ok(loaded), LoadReason::Changed { last }) => self.replace_other(loaded, last),
            (Ok(LoadedComparison { other, found, borrow_failure }), _) => {
                self.start_comparison(OtherKind::File, other, loading.choices, Some(found));
                self.show_borrow_failure(borrow_failure);
            }
            (Err(message), LoadReason::Changed { .. }) => self.workers.other_watcher.send(WatchMessage::Failed(message)),
            (Err(message), _) => {
                let message = format!("The file cannot be compared: {message}");
                let path = loading.source.path().map(Path::to_owned);
                self.show_failure(Failure { name: loading.source.name(), path, message });
            }
        }
    }

    /// Replaces B by its new version. The display of the comparison stays.
    fn replace_other(&mut self, loaded: LoadedComparison, last: bool) {
        let Some(comparison) = &mut self.comparison else { return };
        let LoadedComparison { other, found, borrow_failure } = loaded;
        if !last && reload_policy::lost_images(&comparison.other.document.findings, &other.document.findings) {
            return self.workers.other_watcher.send(WatchMessage::Failed("one of its images cannot be decoded".into()));
        }
        // The user may have chosen another animation while the new version was loaded.
        if let OtherAnimation::Chosen(chosen) = comparison.status.choices.animation {
            let chosen = pairing::animation(&comparison.status.model, &other.document.model, chosen);
            comparison.status.choices.animation = chosen.map_or(OtherAnimation::Counterpart, OtherAnimation::Chosen);
        }
        let (name, path) = (other.document.name.clone(), other.document.path.clone());
        // The open document may have been replaced while B was measured with it.
        let found = Some(found).filter(|(key, _)| self.open.as_ref().is_some_and(|open| open.document.id == key.documents[0]));
        comparison.replace(other, found);
        self.clear_failure(path.as_deref());
        self.show_message(format!("Reloaded {name}"));
        self.show_borrow_failure(borrow_failure);
    }

    /// Shows an error about a file whose animations could not be read for B.
    fn show_borrow_failure(&mut self, failure: Option<(PathBuf, String)>) {
        if let Some((path, message)) = failure {
            let message = format!("Its animations cannot be read for the comparison: {message}");
            self.show_failure(Failure { name: file_name(&path), path: Some(path), message });
        }
    }

    /// Handles a request of the file watcher about file B, which changed on disk.
    pub(crate) fn other_file_changed(&mut self, request: ReloadRequest) {
        let Some(other) = self.comparison.as_ref().map(|comparison| &comparison.other) else { return };
        let Some(source) = other.source.as_ref().filter(|source| source.job == request.job()) else { return };
        let (name, source) = (other.document.name.clone(), source.source.clone());
        match request {
            // A load that the user requested has priority.
            ReloadRequest::Read { .. } if self.workers.comparison.loading().is_some() => {
                self.workers.other_watcher.send(WatchMessage::Later);
            }
            ReloadRequest::Read { last, .. } => self.load_other(source, LoadReason::Changed { last }, CompareChoices::default()),
            ReloadRequest::ReportFailed { message, .. } => {
                let problem = "The compared file changed on disk and cannot be read";
                let message = format!("{problem}: {message}. The comparison goes on with the previous version.");
                self.show_failure(Failure { name, path: source.path().map(Path::to_owned), message });
            }
            ReloadRequest::ReportGone { .. } => self.show_message(format!("{name} was deleted from disk. The comparison goes on.")),
        }
    }

    /// Cancels the load of a file to compare with. An automatic reload is tried again later, unless another file replaces B.
    pub(crate) fn cancel_other(&mut self) {
        if self.workers.comparison.stop_loading().is_some_and(|loading| loading.reason.is_automatic()) {
            self.workers.other_watcher.send(WatchMessage::Later);
        }
    }
}
