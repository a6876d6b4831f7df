//! Draws screenshots with the same function as `sinew render`, and then encodes and writes them. All of this happens on a background
//! thread. The window receives the outcome as an event.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use image::RgbaImage;
use winit::event_loop::EventLoopProxy;

use crate::app::frame::pacing::UNNOTICED_DELAY;
use crate::app::worker_events::{AppEvent, SaveOutcome};
use crate::app::workers::catch_panic;
use crate::export::error::ExportError;
use crate::export::formats::encoder::ExportProgress;
use crate::paths::file_name;
use crate::session::time::moment::Moment;
use crate::ui::context::app_status::Exporting;

use super::export_scene::ExportScene;
use super::picture_file::PictureFile;

/// Maximum number of screenshots that wait while another one is drawn. Each holds a copy of its scene.
const MAX_WAITING: usize = 4;

/// The screenshots that are being drawn and written, one after the other.
#[derive(Default)]
pub struct ScreenshotWorker {
    running: Option<RunningScreenshot>,
    waiting: VecDeque<ScreenshotJob>,
    /// The picture for the clipboard.
    copy: Option<RunningCopy>,
}

/// The screenshot in progress.
struct RunningScreenshot {
    path: PathBuf,
    progress: Arc<ExportProgress>,
    /// When the first of the screenshots started that follow each other without a pause.
    started: Instant,
    thread: JoinHandle<()>,
}

/// The picture for the clipboard, which is being drawn.
struct RunningCopy {
    progress: Arc<ExportProgress>,
    thread: JoinHandle<()>,
}

/// A screenshot to draw and write.
pub struct ScreenshotJob {
    pub scene: ExportScene,
    pub moment: Moment,
    pub file: PictureFile,
}

impl ScreenshotWorker {
    /// Returns whether a screenshot is being drawn and written.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Returns whether no more screenshots can wait.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= MAX_WAITING
    }

    /// Progress for the status bar; `None` if there is no screenshot.
    pub fn progress(&self) -> Option<Exporting> {
        let RunningScreenshot { path, progress, started, .. } = self.running.as_ref()?;
        let [done, parts] = progress.tiles();
        Some(Exporting { name: file_name(path), part: "tile", done, parts, is_new: started.elapsed() < UNNOTICED_DELAY })
    }

    /// Draws and writes a screenshot, after those that were requested before it. [`Self::is_full`] must be false.
    pub fn start(&mut self, job: ScreenshotJob, proxy: &EventLoopProxy<AppEvent>) {
        self.waiting.push_back(job);
        if self.running.is_none() {
            self.start_next(proxy);
        }
    }

    /// Starts the next screenshot after the event of the previous one has arrived.
    pub fn start_next(&mut self, proxy: &EventLoopProxy<AppEvent>) {
        let started = self.running.take().map_or_else(Instant::now, |previous| previous.started);
        self.running = self.waiting.pop_front().map(|ScreenshotJob { scene, moment, file }| {
            let (path, progress, proxy) = (file.path.clone(), Arc::<ExportProgress>::default(), proxy.clone());
            let shared = progress.clone();
            let thread = std::thread::spawn(move || {
                let outcome = catch_panic(|| file.write(draw(&scene, moment, &shared), &shared)).unwrap_or_else(SaveOutcome::Failed);
                AppEvent::Saved(outcome).send(&proxy);
            });
            RunningScreenshot { path, progress, started, thread }
        });
    }

    /// Starts drawing a picture of `scene` for the clipboard. A picture that is still being drawn is canceled.
    pub fn start_copy(&mut self, scene: ExportScene, moment: Moment, proxy: EventLoopProxy<AppEvent>) {
        let previous = self.copy.take().map(|copy| {
            copy.progress.cancel();
            copy.thread
        });
        let progress = Arc::<ExportProgress>::default();
        let shared = progress.clone();
        let thread = std::thread::spawn(move || {
            // Wait for the canceled picture, so that whoever waits for this thread waits for both.
            let _ = previous.map(JoinHandle::join);
            let drawn = catch_panic(|| draw(&scene, moment, &shared).map_err(|error| error.to_string()));
            if !shared.is_canceled() {
                AppEvent::PictureDrawn(drawn.and_then(|drawn| drawn)).send(&proxy);
            }
        });
        self.copy = Some(RunningCopy { progress, thread });
    }

    /// Returns whether a screenshot with this path is being written or waits for it.
    pub fn is_writing(&self, path: &Path) -> bool {
        let waiting = self.waiting.iter().map(|job| &job.file.path);
        self.running.iter().map(|running| &running.path).chain(waiting).any(|written| written == path)
    }

    /// Cancels all screenshots. The event of the running one is still sent.
    pub fn cancel(&mut self) {
        self.waiting.clear();
        if let Some(running) = &self.running {
            running.progress.cancel();
        }
    }

    /// Cancels all pictures and waits for the threads, before the program ends: a driver must not draw while the program exits.
    pub fn stop(&mut self) {
        self.cancel();
        let running = self.running.take().map(|running| running.thread);
        let copy = self.copy.take().map(|copy| {
            copy.progress.cancel();
            copy.thread
        });
        for thread in running.into_iter().chain(copy) {
            let _ = thread.join();
        }
    }
}

/// Draws the picture.
fn draw(scene: &ExportScene, moment: Moment, progress: &ExportProgress) -> Result<RgbaImage, ExportError> {
    let mut renderer = scene.renderer();
    scene.draw(&mut scene.stills(&mut renderer, progress), moment, &scene.options)
}
