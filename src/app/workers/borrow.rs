//! Reads files for their animations and carries these over to the open model, one task at a time on a background thread. The open model
//! goes on playing.

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

use super::{catch_panic, send};

/// A change of the files that the user asked for.
pub enum BorrowChange {
    Add(Vec<PathBuf>),
    /// Removes the file with this path.
    Remove(PathBuf),
}

/// Runs one task at a time. Changes wait until it has ended.
#[derive(Default)]
pub struct BorrowWorker {
    is_running: bool,
    waiting: Vec<BorrowChange>,
}

/// A task's input.
pub struct BorrowTask {
    /// Load job of the document.
    pub job: u64,
    pub document: Document,
    pub analyses: Analyses,
    pub view: View,
    /// The files in their order, each with how its animations are carried over.
    pub wanted: Vec<(FileRequest, Retarget)>,
}

impl BorrowWorker {
    /// Whether a task is running.
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Queues a change for the next task.
    pub fn change(&mut self, change: BorrowChange) {
        self.waiting.push(change);
    }

    /// Takes the changes that wait.
    pub fn take_changes(&mut self) -> Vec<BorrowChange> {
        std::mem::take(&mut self.waiting)
    }

    /// Starts a task. None may be running.
    pub fn start(&mut self, task: BorrowTask, proxy: EventLoopProxy<AppEvent>) {
        self.is_running = true;
        std::thread::spawn(move || {
            let job = task.job;
            let choices = task.wanted.iter().map(|(_, choice)| choice.clone()).collect();
            let done = catch_panic(|| run(task)).unwrap_or_else(|message| BorrowResult::failed(job, choices, message));
            send(&proxy, AppEvent::Borrowed(Box::new(done)));
        });
    }

    /// The running task has ended.
    pub fn finish(&mut self) {
        self.is_running = false;
    }
}

/// Reads the files and builds the document of the model with their animations.
fn run(task: BorrowTask) -> BorrowResult {
    let BorrowTask { job, document, analyses, view, wanted } = task;
    let before = document.model.clone();
    let (model, borrowed) = borrowed::apply((*before).clone(), wanted, &Progress::default());
    let document = document.with_animations(Arc::new(model));
    let view = remap::remap_view(view, &before, &document.model);
    let analyses = Analyses::new(&document, &view).with_weight_checks_of(&analyses);
    BorrowResult { job, done: Ok((document, analyses)), measured: view, borrowed }
}
