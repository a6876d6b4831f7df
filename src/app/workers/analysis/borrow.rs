//! Reads files and carries their animations over to the open model, one task at a time on a background thread. Meanwhile, the open model
//! continues to play.

use std::path::PathBuf;
use std::sync::Arc;

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, BorrowResult};
use crate::asset::LoadOptions;
use crate::borrowed::{self, FileRequest};
use crate::session::analyses::Analyses;
use crate::session::document::{Document, DocumentId};
use crate::session::file::remap;
use crate::session::view::View;
use crate::session::view::retarget::Retarget;

use crate::app::workers::{catch_panic, send};

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
    pub job: u64,
    pub document: Document,
    pub analyses: Analyses,
    pub view: View,
    /// The files in their order, each with the user's choices of how its animations are carried over.
    pub wanted: Vec<(FileRequest, Retarget)>,
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
            send(&proxy, AppEvent::Borrowed(Box::new(result)));
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
    BorrowResult { job, updated: Ok((document, analyses)), measured: view, borrowed }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
