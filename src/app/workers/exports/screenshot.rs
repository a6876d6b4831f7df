//! Draws screenshots with the same function as `sinew render`, and then encodes and writes them. All of this happens on a background
//! thread. The window receives the outcome as an event.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use image::RgbaImage;
use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, SaveOutcome};
use crate::app::workers::{catch_panic, send};
use crate::export::error::ExportError;
use crate::export::error::WriteError;
use crate::export::formats::png;
use crate::session::time::moment::Moment;
use crate::ui::context::preferences::ScreenshotOptions;

use super::export_scene::ExportScene;

/// The screenshots that are being drawn and written.
#[derive(Default)]
pub struct ScreenshotWorker {
    running: Vec<RunningScreenshot>,
    /// The picture for the clipboard.
    copy: Option<JoinHandle<()>>,
}

/// A screenshot in progress.
struct RunningScreenshot {
    path: PathBuf,
    thread: JoinHandle<()>,
}

/// The destination of a screenshot.
pub struct ScreenshotTarget {
    /// The user's options, returned with the event if a file of that name exists.
    pub options: ScreenshotOptions,
    pub path: PathBuf,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

impl ScreenshotWorker {
    /// Starts drawing and writing a picture of `scene`. Several can run at the same time.
    pub fn start(&mut self, scene: ExportScene, moment: Moment, target: ScreenshotTarget, proxy: EventLoopProxy<AppEvent>) {
        self.running.retain(|running| !running.thread.is_finished());
        let path = target.path.clone();
        let thread = std::thread::spawn(move || {
            let outcome = catch_panic(|| draw_and_write(&scene, moment, target)).unwrap_or_else(SaveOutcome::Failed);
            send(&proxy, AppEvent::Saved(outcome));
        });
        self.running.push(RunningScreenshot { path, thread });
    }

    /// Starts drawing a picture of `scene` for the clipboard, unless one is being drawn already.
    pub fn start_copy(&mut self, scene: ExportScene, moment: Moment, proxy: EventLoopProxy<AppEvent>) {
        if self.copy.as_ref().is_some_and(|copy| !copy.is_finished()) {
            return;
        }
        self.copy = Some(std::thread::spawn(move || {
            let drawn = catch_panic(|| draw(&scene, moment).map_err(|error| error.to_string())).and_then(|drawn| drawn);
            send(&proxy, AppEvent::Saved(drawn.map_or_else(SaveOutcome::Failed, SaveOutcome::Drawn)));
        }));
    }

    /// Returns whether a screenshot with this path is being written.
    pub fn is_writing(&self, path: &Path) -> bool {
        self.running.iter().any(|running| running.path == path)
    }

    /// Waits until every screenshot is written and the picture for the clipboard is drawn, before the program ends: a driver must not draw
    /// while the program exits.
    pub fn stop(&mut self) {
        for thread in self.running.drain(..).map(|running| running.thread).chain(self.copy.take()) {
            let _ = thread.join();
        }
    }
}

/// Draws and writes the picture. Errors are returned as an outcome, too.
fn draw_and_write(scene: &ExportScene, moment: Moment, target: ScreenshotTarget) -> SaveOutcome {
    let ScreenshotTarget { options, path, overwrite } = target;
    match draw(scene, moment).map(|picture| png::write_png(&picture, &path, overwrite)) {
        Ok(Ok(())) => SaveOutcome::Written(path),
        Ok(Err(WriteError::Exists { path })) => SaveOutcome::ScreenshotExists { options, path },
        Ok(Err(error)) => SaveOutcome::Failed(error.to_string()),
        Err(error) => SaveOutcome::Failed(error.to_string()),
    }
}

/// Draws the picture.
fn draw(scene: &ExportScene, moment: Moment) -> Result<RgbaImage, ExportError> {
    let mut renderer = scene.renderer();
    scene.draw(&mut scene.stills(&mut renderer), moment, &scene.options)
}
