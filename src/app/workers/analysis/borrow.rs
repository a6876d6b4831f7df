//! Reads files and carries their animations over to the open model, one task at a time on a background thread. Meanwhile, the open model
//! continues to play.

use std::path::PathBuf;
use std::sync::Arc;

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, BorrowResult};
use crate::asset::file::progress::Progress;
use crate::borrowed::{self, FileRequest};
use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::file::remap;
use crate::session::view::View;
use crate::session::view::retarget::Retarget;

use crate::app::workers::{catch_panic, send};

/// A change of the list of borrowed files that the user requested.
pub enum BorrowChange {
    /// Adds these files, or reads them again.
    Add(Vec<PathBuf>),
    /// Removes the file with this path.
    Remove(PathBuf),
}

/// Runs one task at a time. Changes wait until the task has ended.
#[derive(Default)]
pub struct BorrowWorker {
    is_running: bool,
    waiting: Vec<BorrowChange>,
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
        self.is_running
    }

    /// Queues a change for the next task.
    pub fn change(&mut self, change: BorrowChange) {
        self.waiting.push(change);
    }

    /// Takes the queued changes.
    pub fn take_changes(&mut self) -> Vec<BorrowChange> {
        std::mem::take(&mut self.waiting)
    }

    /// Starts a task. No other task may be running.
    pub fn start(&mut self, task: BorrowTask, proxy: EventLoopProxy<AppEvent>) {
        self.is_running = true;
        std::thread::spawn(move || {
            let job = task.job;
            let choices = task.wanted.iter().map(|(_, choice)| choice.clone()).collect();
            let result = catch_panic(|| run(task)).unwrap_or_else(|message| BorrowResult::failed(job, choices, message));
            send(&proxy, AppEvent::Borrowed(Box::new(result)));
        });
    }

    /// Records that the running task has ended.
    pub fn finish(&mut self) {
        self.is_running = false;
    }
}

/// Reads the files and builds the document of the model with their animations.
fn run(task: BorrowTask) -> BorrowResult {
    let BorrowTask { job, document, analyses, view, wanted } = task;
    let old_model = document.model.clone();
    let (model, borrowed) = borrowed::apply((*old_model).clone(), wanted, &Progress::default());
    let document = document.with_animations(Arc::new(model));
    let view = remap::remap_view(view, &old_model, &document.model);
    let analyses = Analyses::new(&document, &view).with_weight_checks_of(&analyses);
    BorrowResult { job, updated: Ok((document, analyses)), measured: view, borrowed }
}
