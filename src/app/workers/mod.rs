//! Background work of the window: one worker per kind of job, each with its own state. A worker starts a thread, and the thread sends
//! its result as an [`AppEvent`](super::worker_events::AppEvent). Workers use neither [`App`](super::App) nor each other.

pub(super) mod adapters;
pub(super) mod analysis;
pub(super) mod exports;
pub(super) mod files;
pub(super) mod fonts;
pub(super) mod other_pick;
pub(super) mod pictures;

use std::panic::{self, AssertUnwindSafe};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use winit::event_loop::EventLoopProxy;

use crate::ui::context::app_status::Exporting;

use super::worker_events::AppEvent;

/// Longest time that the end of the program is delayed by threads that use the device.
const MAX_EXIT_WAIT: Duration = Duration::from_secs(5);
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// All workers of the window.
pub(super) struct Workers {
    pub load: files::load::LoadWorker,
    /// Watches the open model.
    pub watcher: files::file_watcher::FileWatcher,
    /// Watches the file that the open model is compared with.
    pub other_watcher: files::file_watcher::FileWatcher,
    pub environment: pictures::environment::EnvironmentWorker,
    pub screenshots: exports::screenshot::ScreenshotWorker,
    pub exports: exports::export::ExportWorker,
    pub motions: analysis::motions::MotionWorker,
    pub bounds: analysis::bounds::BoundsWorker,
    pub checks: analysis::checks::CheckWorker,
    pub borrow: analysis::borrow::BorrowWorker,
    pub folder: files::folder::FolderWorker,
    pub fonts: fonts::FontWorker,
    pub previews: pictures::image_previews::PreviewWorker,
    pub thumbnails: pictures::thumbnails::ThumbnailWorker,
    pub comparison: analysis::comparison::ComparisonWorker,
    pub difference: analysis::difference::DifferenceWorker,
    pub other_pick: other_pick::OtherPickWorker,
}

impl Workers {
    /// Starts the file watchers, whose threads run all the time. The other workers start their threads with their jobs. `image_limit` is
    /// the limit on decoded pixels per file, in bytes; `None` is the default limit.
    pub fn start(proxy: &EventLoopProxy<AppEvent>, image_limit: Option<u64>) -> Self {
        Self {
            load: files::load::LoadWorker::new(image_limit),
            watcher: files::file_watcher::FileWatcher::start(proxy.clone(), AppEvent::FileChanged),
            other_watcher: files::file_watcher::FileWatcher::start(proxy.clone(), AppEvent::OtherFileChanged),
            environment: pictures::environment::EnvironmentWorker::default(),
            screenshots: exports::screenshot::ScreenshotWorker::default(),
            exports: exports::export::ExportWorker::default(),
            motions: analysis::motions::MotionWorker::default(),
            bounds: analysis::bounds::BoundsWorker::default(),
            checks: analysis::checks::CheckWorker::default(),
            borrow: analysis::borrow::BorrowWorker::default(),
            folder: files::folder::FolderWorker::default(),
            fonts: fonts::FontWorker::default(),
            previews: pictures::image_previews::PreviewWorker::default(),
            thumbnails: pictures::thumbnails::ThumbnailWorker::default(),
            comparison: analysis::comparison::ComparisonWorker::default(),
            difference: analysis::difference::DifferenceWorker::default(),
            other_pick: other_pick::OtherPickWorker::default(),
        }
    }

    /// Returns whether a clip, a contact sheet or a screenshot is being drawn and written.
    pub fn is_exporting(&self) -> bool {
        self.exports.is_running() || self.screenshots.is_running()
    }

    /// Progress of the export, or else of the screenshot, for the status bar. `None` if there is neither.
    pub fn export_progress(&self) -> Option<Exporting> {
        self.exports.progress().or_else(|| self.screenshots.progress())
    }
}

/// Threads that use the graphics device. They are waited for before the program ends, because a driver must not work while the program
/// exits.
#[derive(Debug, Default)]
pub(super) struct DeviceThreads(Vec<JoinHandle<()>>);

impl DeviceThreads {
    /// Adds a thread that was just started.
    pub fn add(&mut self, thread: JoinHandle<()>) {
        self.0.retain(|thread| !thread.is_finished());
        self.0.push(thread);
    }

    /// Waits for all threads, but not forever: a thread may be blocked by a disk that does not answer.
    pub fn join(&mut self) {
        let start = Instant::now();
        while self.0.iter().any(|thread| !thread.is_finished()) && start.elapsed() < MAX_EXIT_WAIT {
            std::thread::sleep(EXIT_POLL_INTERVAL);
        }
    }
}

/// Runs `work` and turns a panic into an error message. Without it, the window would wait for the thread forever.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
        format!("internal error in Sinew ({}). Please report it and attach the file", text.unwrap_or("no details"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_worker_becomes_a_message() {
        assert_eq!(catch_panic(|| 7), Ok(7));
        let empty: [u8; 0] = [];
        let message = catch_panic(|| empty[std::hint::black_box(0)]).unwrap_err();
        assert!(message.contains("index out of bounds") && message.contains("report"), "{message}");
    }
}
