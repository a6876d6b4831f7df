//! Exports a clip: drawn frame by frame by the same function as `sinew render`, on a background thread. Only one clip is exported
//! at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, SaveOutcome};
use crate::export::atomic_file::WriteError;
use crate::export::clip::{self, ClipError, ClipTarget};
use crate::export::formats::encoder::Progress;
use crate::session::camera::orbit_controls;
use crate::session::file::file_list::file_name;
use crate::session::time::clip::{Clip, ClipFormat, ClipOptions};
use crate::ui::context::app_status::Exporting;

use super::{ExportScene, catch_panic, send};

/// File names of a sequence, inside its folder.
pub const SEQUENCE_NAMES: &str = "%04d.png";

/// The clip that is being exported.
#[derive(Default)]
pub struct ClipExportWorker {
    running: Option<RunningExport>,
}

/// An export in progress.
struct RunningExport {
    /// The file's name, for the status bar.
    name: String,
    frames: usize,
    progress: Arc<Progress>,
    thread: JoinHandle<()>,
}

/// The options and the destination of a clip.
pub struct ClipJob {
    /// The user's options, returned with the event if a file of that name exists.
    pub options: ClipOptions,
    /// The file; the folder of a sequence.
    pub path: PathBuf,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

impl ClipExportWorker {
    /// Returns whether a clip is being exported.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Progress for the status bar; `None` if no clip is being exported.
    pub fn progress(&self) -> Option<Exporting> {
        let RunningExport { name, frames, progress, .. } = self.running.as_ref()?;
        Some(Exporting { name: name.clone(), written: progress.written(), frames: *frames })
    }

    /// Starts drawing and writing `clip`. No other export may be running.
    pub fn start(&mut self, clip: Clip, scene: ExportScene, job: ClipJob, proxy: EventLoopProxy<AppEvent>) {
        let (name, frames, progress) = (file_name(&job.path), clip.frames.len(), Arc::new(Progress::default()));
        let shared = progress.clone();
        let thread = std::thread::spawn(move || {
            let written = catch_panic(|| draw_and_write(&clip, &scene, &job, &shared));
            let ClipJob { options, path, .. } = job;
            let outcome = match written {
                Ok(Ok(())) => SaveOutcome::Written(path),
                Ok(Err(ClipError::Cancelled)) => SaveOutcome::Cancelled,
                Ok(Err(ClipError::Write(WriteError::Exists { .. }))) => SaveOutcome::ClipExists { options, path },
                Ok(Err(error)) => SaveOutcome::Failed(error.to_string()),
                Err(message) => SaveOutcome::Failed(message),
            };
            send(&proxy, AppEvent::Exported(outcome));
        });
        self.running = Some(RunningExport { name, frames, progress, thread });
    }

    /// Asks the export to end. Its event still comes.
    pub fn cancel(&self) {
        if let Some(running) = &self.running {
            running.progress.cancel();
        }
    }

    /// Forgets the export, whose event has arrived.
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

/// Draws and writes all frames. A sequence, a video or an image is a matter of `clip::write`.
fn draw_and_write(clip: &Clip, scene: &ExportScene, job: &ClipJob, progress: &Progress) -> Result<(), ClipError> {
    let subject = scene.subject();
    let ClipJob { options, path, overwrite } = job;
    let size = [scene.options.width, scene.options.height];
    let mut renderer = scene.renderer();
    let first = clip.frames.first().map_or(0.0, |frame| frame.time);
    // A turntable turns around the model's position in the first frame.
    let orbit = options.turntable.map(|_| orbit_controls::turntable(subject, &subject.posed(first), scene.aspect()));
    let mut stills = scene.stills(&mut renderer);
    let target = file_target(options.format, path, *overwrite);
    clip::write(clip, size, options.is_transparent(), &target, progress, |frame| {
        stills.orbit = orbit.map(|orbit| orbit_controls::turned(&orbit, frame.turn));
        scene.draw(&mut stills, frame.moment())
    })
}

/// The target of the encoder. A sequence is a folder of numbered files.
fn file_target(format: ClipFormat, path: &Path, overwrite: bool) -> ClipTarget {
    let path = if format == ClipFormat::Sequence { path.join(SEQUENCE_NAMES) } else { path.to_owned() };
    ClipTarget { format, path, overwrite }
}
