//! Exports clips and contact sheets, drawn by the same functions as in `sinew render`, on a background thread. Only one export runs at a
//! time.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use winit::event_loop::EventLoopProxy;

use crate::app::frame::pacing::UNNOTICED_DELAY;
use crate::app::worker_events::{AppEvent, SaveOutcome};
use crate::app::workers::catch_panic;
use crate::export::formats::encoder::ExportProgress;
use crate::paths::file_name;
use crate::session::time::clip::Clip;
use crate::ui::context::app_status::Exporting;

use super::clip_export::{self, ClipJob};
use super::export_scene::ExportScene;
use super::sheet_export::{self, SheetJob};

/// The export in progress.
#[derive(Default)]
pub struct ExportWorker {
    running: Option<RunningExport>,
}

/// An export in progress.
struct RunningExport {
    /// The file's name, for the status bar.
    name: String,
    parts: ExportParts,
    progress: Arc<ExportProgress>,
    started: Instant,
    thread: JoinHandle<()>,
}

/// The parts that an export draws one after the other.
struct ExportParts {
    /// The word for a part, such as "frame".
    name: &'static str,
    count: usize,
}

impl ExportWorker {
    /// Returns whether something is being exported.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Progress for the status bar; `None` if nothing is being exported.
    pub fn progress(&self) -> Option<Exporting> {
        let RunningExport { name, parts, progress, started, .. } = self.running.as_ref()?;
        let is_new = started.elapsed() < UNNOTICED_DELAY;
        Some(Exporting { name: name.clone(), part: parts.name, done: progress.written(), parts: parts.count, is_new })
    }

    /// Starts drawing and writing a clip. No other export may be running.
    pub fn start_clip(&mut self, clip: Clip, scene: ExportScene, job: ClipJob, proxy: EventLoopProxy<AppEvent>) {
        let (path, parts) = (job.path.clone(), ExportParts { name: "frame", count: clip.frames.len() });
        self.start(&path, parts, proxy, move |progress| clip_export::export(&clip, &scene, job, progress));
    }

    /// Starts drawing and writing a contact sheet. No other export may be running.
    pub fn start_sheet(&mut self, scene: ExportScene, job: SheetJob, proxy: EventLoopProxy<AppEvent>) {
        let count = job.options.tile_count(&scene.document.model, &scene.view);
        let (path, parts) = (job.path.clone(), ExportParts { name: "tile", count });
        self.start(&path, parts, proxy, move |progress| sheet_export::export(&scene, job, progress));
    }

    /// Starts an export to `path`.
    fn start(
        &mut self,
        path: &Path,
        parts: ExportParts,
        proxy: EventLoopProxy<AppEvent>,
        export: impl FnOnce(&ExportProgress) -> SaveOutcome + Send + 'static,
    ) {
        let (name, progress) = (file_name(path), Arc::new(ExportProgress::default()));
        let shared = progress.clone();
        let thread = std::thread::spawn(move || {
            let outcome = catch_panic(|| export(&shared)).unwrap_or_else(SaveOutcome::Failed);
            AppEvent::Exported(outcome).send(&proxy);
        });
        self.running = Some(RunningExport { name, parts, progress, started: Instant::now(), thread });
    }

    /// Cancels the export. Its event is still sent.
    pub fn cancel(&self) {
        if let Some(running) = &self.running {
            running.progress.cancel();
        }
    }

    /// Forgets the export after its event has arrived.
    pub fn finish(&mut self) {
        self.running = None;
    }

    /// Cancels the export and waits until its partial files are removed.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.progress.cancel();
            let _ = running.thread.join();
        }
    }
}
