//! Borrows animations: adds and removes the files whose animations the open model plays, and applies the user's choices of how these
//! animations are carried over. `workers::analysis::borrow` does the work on a thread.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use crate::borrowed::report::BindingReport;
use crate::borrowed::{Borrowed, BorrowedFile, FileRequest};
use crate::model::Model;
use crate::numbers::counted;
use crate::paths::{self, file_name, folder_of};
use crate::session::document::Document;
use crate::session::file::borrowed_memory::RememberedFile;
use crate::session::file::remap::ViewRemap;
use crate::session::pose::posed_document::PosedDocument;
use crate::session::view::View;
use crate::session::view::retarget::{MAX_FILES, Retarget};
use crate::ui::context::app_status::Failure;

use crate::app::window::dialogs;
use crate::app::worker_events::BorrowResult;
use crate::app::workers::analysis::borrow::{BorrowChange, BorrowTask, RequestedFiles};
use crate::app::{App, Options};

use super::load_job::{LoadJob, Source};
use super::open_document::OpenDocument;

impl App {
    /// Adds the animations of these files to the open model. Files that were added before are read again.
    pub(crate) fn add_animations(&mut self, paths: Vec<PathBuf>) {
        let Some(open) = &self.open else { return };
        let paths: Vec<_> = paths.iter().map(|path| paths::absolute(path)).collect();
        let Some(first) = paths.first() else { return };
        let more = if paths.len() > 1 { format!(" and {} more", paths.len() - 1) } else { String::new() };
        let message = format!("Reading the animations of {}{more}...", file_name(first));
        self.workers.borrow.change(&open.document, BorrowChange::Add(paths));
        self.show_message(message);
    }

    /// Shows the dialog for files with animations. The answer comes as an event.
    pub(crate) fn show_animations_dialog(&self) {
        if let Some(window) = &self.window {
            dialogs::animations(&window.handle, self.settings.current.open_folder.as_deref(), self.proxy.clone());
        }
    }

    /// Removes the animations of a file, given by its index in the list of borrowed files.
    pub(crate) fn remove_animations(&mut self, file: usize) {
        let Some(open) = &self.open else { return };
        if let Some(file) = open.borrowed.files.get(file) {
            self.workers.borrow.change(&open.document, BorrowChange::Remove(file.path.clone()));
        }
    }

    /// Starts a task if files were added or removed, or if the user changed how animations are retargeted.
    pub(crate) fn update_borrowed(&mut self) {
        if self.workers.borrow.is_running() || self.workers.load.job().is_some() {
            return;
        }
        let Some(open) = &self.open else { return };
        let changes = self.workers.borrow.take_changes(&open.document);
        let choices = choices(&self.view.retarget, open.borrowed.files.len());
        if changes.is_empty() && choices.clone().eq(open.borrowed.choices.iter().map(Cow::Borrowed)) {
            return;
        }
        let current = open.borrowed.files.iter().cloned().map(FileRequest::Loaded).zip(choices.map(Cow::into_owned)).collect();
        // A file that was removed, or that could not be read earlier, gets the choices that were made for it before.
        let model = open.source.path().map(Path::to_owned);
        let in_settings = self.remembered_animations(&open.source);
        let remembered = |path: &Path| {
            let in_settings = || in_settings.iter().find(|(file, _)| file.path() == path).map(|(_, choice)| choice);
            self.removed_choices.get(&(model.clone(), path.to_owned())).or_else(in_settings).cloned()
        };
        let RequestedFiles { wanted, removed, has_too_many } = RequestedFiles::after(&changes, current, remembered);
        let task =
            BorrowTask { job: open.job, document: open.document.clone(), analyses: open.analyses.clone(), view: self.view.clone(), wanted };
        self.workers.borrow.start(task, changes, self.proxy.clone());
        self.removed_choices.extend(removed.into_iter().map(|(path, choice)| ((model.clone(), path), choice)));
        if has_too_many {
            let message = format!("A model plays the animations of at most {MAX_FILES} files");
            self.show_failure(Failure::new("Add animations", message));
        }
    }

    /// Gives the open model the animations that a task has read. The time and the view stay as far as they fit the new animations.
    pub(crate) fn animations_borrowed(&mut self, result: BorrowResult) {
        let BorrowResult { job, updated, borrowed } = result;
        // A reload started with the files that the model borrowed before this task. So if the task ends during the reload or after it, its
        // changes are made again, to the reloaded model.
        let loading = self.workers.load.job().map(|job| &job.source);
        let is_current = |open: &mut OpenDocument| open.job == job && loading != Some(&open.source);
        let Some(mut open) = self.open.take_if(is_current) else { return self.workers.borrow.repeat() };
        self.workers.borrow.finish();
        match updated {
            Ok((document, analyses)) => {
                let previous = std::mem::replace(&mut open.borrowed, borrowed);
                let old_model = open.document.model.clone();
                // The file itself is the same, so it is not validated again, and its images stay.
                let validation = self.ui.status.checks.get(&open.document).validation.clone();
                self.ui.status.checks.get(&document).validation = validation;
                self.workers.previews.stop();
                replace_animations(&mut open, document);
                open.analyses = analyses;
                let layers = self.view.layers.len();
                self.remap_borrowed(&open, &old_model, &previous);
                self.open = Some(open);
                self.renew_same_file();
                self.report_borrowed(&previous, layers - self.view.layers.len());
                self.remember_borrowed(&previous);
            }
            Err(message) => {
                // Mark the choices as applied, so that the failed task is not repeated in every frame.
                open.borrowed.choices = borrowed.choices;
                self.open = Some(open);
                self.show_failure(Failure::new("Animations", message));
            }
        }
    }

    /// Adapts the view to the new animations. `old` is the model with the previous ones.
    fn remap_borrowed(&mut self, open: &OpenDocument, old: &Model, previous: &Borrowed) {
        let model = &open.document.model;
        let old_numbers: Vec<_> =
            open.borrowed.files.iter().map(|file| previous.files.iter().position(|other| other.path == file.path)).collect();
        // The choices for added files are remembered or the default, so they are no step of the user.
        let retarget = |earlier: &[Retarget]| {
            let files = old_numbers.iter().zip(&open.borrowed.choices);
            trimmed(files.map(|(old, added)| old.map_or(added.clone(), |old| earlier.get(old).cloned().unwrap_or_default())).collect())
        };
        let views = ViewRemap::new(old, model);
        let remapped = |view: View| View { retarget: retarget(&view.retarget), ..views.apply(view) };
        let mut view = remapped(self.view.clone());
        // If the model had no animation, it was shown in its rest pose; now the first new animation plays.
        if view.animation.is_none() && old.animations.is_empty() && !model.animations.is_empty() {
            view.choose_animation(Some(0));
        }
        let keeps_numbers =
            old.borrowed.iter().zip(&model.borrowed).all(|(old, new)| old == new) && old.borrowed.len() <= model.borrowed.len();
        self.view = view;
        self.undo.amend(|view| *view = remapped(std::mem::take(view)));
        if !keeps_numbers {
            self.transport.fade = None;
        }
        self.transport.keep_within(model, &self.view);
        self.ui.status.borrowed = Arc::new(open.borrowed.reports.clone());
    }

    /// Shows a message about the files that were added, or that were removed together with layers, or an error about files that could not
    /// be read or bound.
    fn report_borrowed(&mut self, previous: &Borrowed, lost_layers: usize) {
        let Some(open) = &self.open else { return };
        let borrowed = &open.borrowed;
        let is_new = |report: &&BindingReport| !previous.files.iter().any(|file| Arc::ptr_eq(file, &report.file));
        let new: Vec<_> = borrowed.reports.iter().filter(is_new).collect();
        let unbound = new.iter().filter(|report| report.is_useless());
        let failures = borrowed.failures.iter().map(|(path, message)| (path.clone(), message.clone()));
        let failures: Vec<_> = failures.chain(unbound.map(|report| (report.file.path.clone(), report.notes().join(". ")))).collect();
        let added: usize = new.iter().map(|report| report.file.model.animations.len()).sum();
        let message = match &new[..] {
            [report] => format!("{}: added {}, {}", report.name, counted(added, "animation"), report.counterpart_text()),
            [] => String::new(),
            files => format!("Added {} of {} files", counted(added, "animation"), files.len()),
        };
        let removed = previous.files.len() > borrowed.files.len();
        match &failures[..] {
            [] if !message.is_empty() => self.show_message(message),
            [] if removed => {
                let layers = if lost_layers > 0 { format!(", and {} with them", counted(lost_layers, "layer")) } else { String::new() };
                self.show_message(format!("Removed the animations of the file{layers}"));
            }
            [] => {}
            [(path, message)] => {
                self.show_failure(Failure { name: file_name(path), path: Some(path.clone()), message: message.clone() });
            }
            several => {
                let messages: Vec<_> = several.iter().map(|(path, message)| format!("{}: {message}", file_name(path))).collect();
                self.show_failure(Failure::new("Add animations", format!("{} files: {}", several.len(), messages.join("; "))));
            }
        }
    }

    /// Remembers in the settings which files the open model borrows from instead of the previous ones.
    fn remember_borrowed(&mut self, previous: &Borrowed) {
        let Some(open) = &self.open else { return };
        let Some(model) = open.source.path() else { return };
        let name = |file: &Arc<BorrowedFile>| file.path.to_string_lossy().into_owned();
        let is_readable = |file: &&Arc<BorrowedFile>| !open.borrowed.failures.iter().any(|(path, _)| *path == file.path);
        let previous: Vec<_> = previous.files.iter().filter(is_readable).map(name).collect();
        let files = open.borrowed.files.iter().zip(&open.borrowed.choices);
        let files = files.map(|(file, retarget)| RememberedFile { file: name(file), retarget: retarget.clone() }).collect();
        self.ui.preferences.borrowed.replace(&model.to_string_lossy(), &previous, files);
    }

    /// Removes these files from those that the settings remember for the open model.
    fn forget_borrowed(&mut self, paths: &[PathBuf]) {
        let Some(model) = self.open.as_ref().and_then(|open| open.source.path()) else { return };
        let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        self.ui.preferences.borrowed.replace(&model.to_string_lossy(), &paths, Vec::new());
    }

    /// The files that a model borrowed from when it was open last.
    pub(crate) fn remembered_animations(&self, source: &Source) -> Vec<(FileRequest, Retarget)> {
        let Some(path) = source.path() else { return Vec::new() };
        let files = self.ui.preferences.borrowed.for_model(&path.to_string_lossy());
        files.iter().map(|file| (FileRequest::Path(PathBuf::from(&file.file)), file.retarget.clone())).collect()
    }

    /// The files that the open model borrows from, to be read again with it.
    pub(crate) fn borrowed_for_reload(&self) -> Vec<(FileRequest, Retarget)> {
        self.open.as_ref().map_or_else(Vec::new, |open| to_reload(&open.borrowed.files, &self.view.retarget))
    }

    /// Takes over the retargeting choices of a file that was opened. A reload keeps the user's choices, unless a borrowed file could not be
    /// read.
    pub(crate) fn adopt_retarget(&mut self, job: &LoadJob, read: &Borrowed) {
        let has_same_files = self.open.as_ref().is_some_and(|open| open.borrowed.files.len() == read.files.len());
        if !job.reason.is_reload() || !has_same_files {
            self.view.retarget = trimmed(read.choices.clone());
        }
    }

    /// Passes the reports of the borrowed files to the panels, and shows an error about the first file that could not be read. Removes an
    /// older error about a file that can be read again. Forgets files that were deleted.
    pub(crate) fn show_borrowed(&mut self) {
        let Some(open) = &self.open else { return };
        self.ui.status.borrowed = Arc::new(open.borrowed.reports.clone());
        let files = &open.borrowed.files;
        if let Some((path, message)) = open.borrowed.failures.first() {
            let is_kept = |path: &PathBuf| files.iter().any(|file| file.path == *path);
            let lost = open.borrowed.failures.iter().map(|(path, _)| path).filter(|path| !is_kept(path));
            let deleted: Vec<PathBuf> = lost.filter(|path| is_deleted(path)).cloned().collect();
            let (what, then) = if is_kept(path) {
                (
                    "The file changed on disk and its animations cannot be read",
                    ". The previous ones stay. Sinew tries again when the file changes.",
                )
            } else if deleted.contains(path) {
                ("Its animations cannot be read", ". Sinew will not look for it again.")
            } else {
                ("Its animations cannot be read", "")
            };
            let message = format!("{what}: {message}{then}");
            self.show_failure(Failure { name: file_name(path), path: Some(path.clone()), message });
            self.forget_borrowed(&deleted);
        } else {
            self.ui.status.failure.take_if(|failure| files.iter().any(|file| failure.path.as_ref() == Some(&file.path)));
        }
    }
}

/// The requests to read these files again.
pub(crate) fn to_reload(files: &[Arc<BorrowedFile>], retarget: &[Retarget]) -> Vec<(FileRequest, Retarget)> {
    files.iter().cloned().map(FileRequest::Reload).zip(choices(retarget, files.len()).map(Cow::into_owned)).collect()
}

/// Returns whether a file was deleted. If its folder is missing, too, its drive may only be disconnected.
fn is_deleted(path: &Path) -> bool {
    !path.exists() && folder_of(path).is_dir()
}

/// The files of `--animations`, with the choices of the view file.
pub(crate) fn wanted_animations(options: &Options) -> Vec<(FileRequest, Retarget)> {
    let choice = |index: usize| options.view.as_ref().and_then(|view| view.retarget.get(index)).cloned().unwrap_or_default();
    options.animations.iter().enumerate().map(|(index, path)| (FileRequest::Path(paths::absolute(path)), choice(index))).collect()
}

/// The choices for this many files. Files without a choice in the view get the default.
fn choices(retarget: &[Retarget], files: usize) -> impl Iterator<Item = Cow<'_, Retarget>> + Clone {
    (0..files).map(|file| retarget.get(file).map_or_else(|| Cow::Owned(Retarget::default()), Cow::Borrowed))
}

/// Removes default choices from the end, so that a view with only default choices equals a view without choices.
fn trimmed(mut retarget: Vec<Retarget>) -> Vec<Retarget> {
    while retarget.last().is_some_and(|last| *last == Retarget::default()) {
        retarget.pop();
    }
    retarget
}

/// Replaces the document by one of the same model with other animations. Meshes and textures on the device stay.
fn replace_animations(open: &mut OpenDocument, mut document: Document) {
    // Images may have been decoded since the task started.
    document.image_states.clone_from(&open.document.image_states);
    document.findings.clone_from(&open.document.findings);
    open.gpu_model.write().unwrap_or_else(PoisonError::into_inner).follow_animations(&document.model);
    open.pose = PosedDocument::new(&document);
    open.document = document;
    open.moving.stillness.forget();
}
