//! Reads files and carries their animations over to the open model, one task at a time on a background thread. Meanwhile, the open model
//! continues to play.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use winit::event_loop::EventLoopProxy;

use crate::app::ids::LoadJobId;
use crate::app::worker_events::{AppEvent, BorrowResult};
use crate::asset::LoadOptions;
use crate::borrowed::{self, FileRequest};
use crate::session::analyses::Analyses;
use crate::session::document::{Document, DocumentId};
use crate::session::file::remap;
use crate::session::view::View;
use crate::session::view::retarget::{MAX_FILES, Retarget};

use crate::app::workers::catch_panic;

/// A change of the list of borrowed files that the user requested.
#[derive(Debug, PartialEq)]
pub enum BorrowChange {
    /// Adds these files, or reads them again.
    Add(Vec<PathBuf>),
    /// Removes the file with this path.
    Remove(PathBuf),
}

/// Runs one task at a time. Changes wait until the task has ended.
#[derive(Default)]
pub struct BorrowWorker {
    /// The changes that the running task makes. `None` if no task is running.
    running: Option<Vec<QueuedChange>>,
    waiting: Vec<QueuedChange>,
}

/// A change, and the model that it is for.
struct QueuedChange {
    /// The first reading of the model's file. A reload of this file gets the change, too.
    borrower: DocumentId,
    change: BorrowChange,
}

/// A task's input.
pub struct BorrowTask {
    /// Id of the load job that has read the document.
    pub job: LoadJobId,
    pub document: Document,
    pub analyses: Analyses,
    pub view: View,
    /// The files in their order, each with the user's choices of how its animations are carried over.
    pub wanted: Vec<(FileRequest, Retarget)>,
}

/// The files that a model borrows from after some changes, each with the user's choices.
#[derive(Default)]
pub struct RequestedFiles {
    pub wanted: Vec<(FileRequest, Retarget)>,
    /// The choices for the removed files, which they get again if the user adds them again.
    pub removed: BTreeMap<PathBuf, Retarget>,
    /// Whether files were left out, because a model borrows from at most [`MAX_FILES`].
    pub has_too_many: bool,
}

impl RequestedFiles {
    /// Makes changes to the files that a model borrows from now. `remembered` returns the choices that were made for a file before.
    pub fn after(changes: &[BorrowChange], current: Vec<(FileRequest, Retarget)>, remembered: impl Fn(&Path) -> Option<Retarget>) -> Self {
        let mut requested = Self { wanted: current, ..Self::default() };
        for change in changes {
            match change {
                BorrowChange::Remove(path) => requested.remove(path),
                BorrowChange::Add(paths) => paths.iter().for_each(|path| requested.add(path, &remembered)),
            }
        }
        requested
    }

    /// Removes a file and keeps its choices.
    fn remove(&mut self, path: &Path) {
        let removed = self.wanted.extract_if(.., |(file, _)| file.path() == path);
        self.removed.extend(removed.map(|(_, choice)| (path.to_owned(), choice)));
    }

    /// Adds a file, or requests that it is read again.
    fn add(&mut self, path: &Path, remembered: impl Fn(&Path) -> Option<Retarget>) {
        let request = FileRequest::Path(path.to_owned());
        if let Some((file, _)) = self.wanted.iter_mut().find(|(file, _)| file.path() == path) {
            *file = request;
        } else if self.wanted.len() < MAX_FILES {
            let choice = self.removed.get(path).cloned().or_else(|| remembered(path));
            self.wanted.push((request, choice.unwrap_or_default()));
        } else {
            self.has_too_many = true;
        }
    }
}

impl BorrowWorker {
    /// Returns whether a task is running.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Queues a change of the files that this document borrows from.
    pub fn change(&mut self, document: &Document, change: BorrowChange) {
        self.waiting.push(QueuedChange { borrower: document.first_reading(), change });
    }

    /// Takes the queued changes for this document. Drops those for other files.
    pub fn take_changes(&mut self, document: &Document) -> Vec<BorrowChange> {
        let own = std::mem::take(&mut self.waiting).into_iter().filter(|queued| queued.borrower == document.first_reading());
        own.map(|queued| queued.change).collect()
    }

    /// Starts a task that makes these changes. No other task may be running.
    pub fn start(&mut self, task: BorrowTask, changes: Vec<BorrowChange>, proxy: EventLoopProxy<AppEvent>) {
        let borrower = task.document.first_reading();
        self.running = Some(changes.into_iter().map(|change| QueuedChange { borrower, change }).collect());
        std::thread::spawn(move || {
            let job = task.job;
            let choices = task.wanted.iter().map(|(_, choice)| choice.clone()).collect();
            let result = catch_panic(|| run(task)).unwrap_or_else(|message| BorrowResult::failed(job, choices, message));
            AppEvent::Borrowed(Box::new(result)).send(&proxy);
        });
    }

    /// Records that the running task has ended.
    pub fn finish(&mut self) {
        self.running = None;
    }

    /// Records that the running task has ended, but that its result is out of date. Its changes are queued again.
    pub fn repeat(&mut self) {
        let changes = self.running.take().unwrap_or_default();
        self.waiting.splice(..0, changes);
    }
}

/// Reads the files and builds the document of the model with their animations.
fn run(task: BorrowTask) -> BorrowResult {
    let BorrowTask { job, document, analyses, view, wanted } = task;
    let old_model = document.model.clone();
    let (model, borrowed) = borrowed::apply((*old_model).clone(), wanted, &LoadOptions::default());
    let document = document.with_animations(Arc::new(model));
    let view = remap::remap_view(view, &old_model, &document.model);
    let analyses = Analyses::new(&document, &view).with_weight_faults_of(&analyses);
    BorrowResult { job, updated: Ok((document, analyses)), borrowed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::borrowed::BorrowedFile;
    use crate::model::Model;

    fn document(name: &str) -> Document {
        Document::new(Arc::default(), name.into(), Some(name.into()))
    }

    fn remove(name: &str) -> BorrowChange {
        BorrowChange::Remove(name.into())
    }

    #[test]
    fn a_queued_change_is_dropped_if_another_file_opens() {
        let (first, second) = (document("first.glb"), document("second.glb"));
        let mut worker = BorrowWorker::default();
        worker.change(&first, BorrowChange::Add(vec!["run.glb".into()]));
        assert_eq!(worker.take_changes(&second), []);
        assert_eq!(worker.take_changes(&first), []);
    }

    #[test]
    fn a_reload_gets_the_changes_of_an_outdated_task_before_later_ones() {
        let first = document("first.glb");
        let running = Some(vec![QueuedChange { borrower: first.id, change: remove("run.glb") }]);
        let mut worker = BorrowWorker { running, ..BorrowWorker::default() };
        worker.change(&first.with_animations(Arc::new(Model::default())), remove("walk.glb"));
        worker.repeat();
        assert!(!worker.is_running());
        let mut reloaded = document("first.glb");
        reloaded.mark_reload_of(&first);
        assert_eq!(worker.take_changes(&reloaded), [remove("run.glb"), remove("walk.glb")]);
    }

    /// Choices that differ by this number.
    fn choice(number: usize) -> Retarget {
        Retarget { pairs: [(number.to_string(), None)].into(), ..Retarget::default() }
    }

    fn loaded(name: &str) -> FileRequest {
        FileRequest::Loaded(Arc::new(BorrowedFile { path: name.into(), model: Arc::default(), files: Vec::new() }))
    }

    fn add(names: &[&str]) -> BorrowChange {
        BorrowChange::Add(names.iter().map(PathBuf::from).collect())
    }

    /// The names of the requested files, whether each is read, and their choices.
    fn wanted(requested: &RequestedFiles) -> Vec<(&str, bool, &Retarget)> {
        let files = requested.wanted.iter();
        files.map(|(file, choice)| (file.path().to_str().unwrap(), matches!(file, FileRequest::Path(_)), choice)).collect()
    }

    #[test]
    fn files_keep_their_order_and_choices_when_others_are_added_or_removed() {
        let current = vec![(loaded("walk.glb"), choice(1)), (loaded("run.glb"), choice(2)), (loaded("jump.glb"), choice(3))];
        let changes = [remove("walk.glb"), add(&["run.glb", "new.glb", "known.glb", "walk.glb"]), remove("missing.glb")];
        let remembered = |path: &Path| ["known.glb", "walk.glb"].iter().any(|known| path == Path::new(known)).then(|| choice(9));
        let requested = RequestedFiles::after(&changes, current, remembered);
        let expected = [
            ("run.glb", true, &choice(2)),
            ("jump.glb", false, &choice(3)),
            ("new.glb", true, &Retarget::default()),
            ("known.glb", true, &choice(9)),
            // Its last choice counts, not the one that was remembered before.
            ("walk.glb", true, &choice(1)),
        ];
        assert_eq!(wanted(&requested), expected);
        assert_eq!(requested.removed, BTreeMap::from([("walk.glb".into(), choice(1))]));
        assert!(!requested.has_too_many);
    }

    #[test]
    fn files_beyond_the_maximum_are_left_out_unless_others_are_removed_first() {
        let current = || (0..MAX_FILES).map(|file| (loaded(&format!("{file}.glb")), Retarget::default())).collect();
        for (changes, last, has_too_many) in [
            (vec![add(&["new.glb"])], "99.glb", true),
            (vec![add(&["5.glb"])], "99.glb", false),
            (vec![remove("3.glb"), add(&["new.glb"])], "new.glb", false),
        ] {
            let requested = RequestedFiles::after(&changes, current(), |_| None);
            assert_eq!((requested.wanted.len(), requested.has_too_many), (MAX_FILES, has_too_many));
            assert_eq!(wanted(&requested).last().unwrap().0, last);
        }
    }
}
