//! Receives winit's events from the window, the keyboard, dropped files and background threads. Events change state and request frames;
//! drawing happens only on `RedrawRequested`.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Instant;

use egui_winit::accesskit_winit::WindowEvent as AccessEvent;
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

use crate::app::comparison::open_comparison::OpenComparison;
use crate::asset::file::panorama;
use crate::paths::file_name;
use crate::ui::context::window_state::Dialog;

use crate::render::device::gpu::AdapterChoice;

use crate::app::documents::listed_files::file_list;
use crate::app::documents::load_job::Source;
use crate::app::documents::recent_files;
use crate::app::frame::pacing::Pacing;
use crate::app::worker_events::{AppEvent, ReloadRequest};
use crate::app::workers::files::file_watcher::WatchMessage;
use crate::app::{App, crash_report};

use super::AppWindow;

impl ApplicationHandler<AppEvent> for App {
    /// Opens the window once the event loop runs. Some systems send this event several times.
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_some() {
            return;
        }
        let mut lap = |step| self.startup_timings.iter_mut().for_each(|timings| timings.lap(step));
        lap("event loop");
        let place = self.settings.current.window;
        let open = |adapter: &AdapterChoice| AppWindow::new(event_loop, place, adapter, self.proxy.clone(), &mut lap);
        match self.adapter.open(open) {
            Ok((window, missing)) => {
                self.pacing = Pacing::new(window.refresh_rate());
                self.ui.status.statistics.adapter = window.gpu.info.name.clone();
                crash_report::describe_adapter(&window.gpu.info);
                self.window = Some(window);
                self.note_missing_adapter(missing);
                // The first file may have been read before there was a GPU.
                if let Some(read) = self.workers.load.take_waiting() {
                    self.upload(read);
                }
                self.request_frame();
            }
            Err(error) => {
                self.fatal = Some(error);
                event_loop.exit();
            }
        }
    }

    /// Requests the frame that the control flow waited for.
    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. })
            && let Some(window) = &self.window
        {
            window.handle.request_redraw();
        }
    }

    /// Passes an event of a background thread to its handler.
    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: AppEvent) {
        // After these events nothing visible has changed, and drawing a heavy model would slow down the load.
        let is_invisible = matches!(
            event,
            AppEvent::FileRead(_)
                | AppEvent::FileChanged(ReloadRequest::Read { .. })
                | AppEvent::OtherFileChanged(ReloadRequest::Read { .. })
        );
        match event {
            AppEvent::FileChanged(request) => self.file_changed(request),
            AppEvent::DeviceLost { device, reason } => self.device_lost(event_loop, device, &reason),
            AppEvent::FileRead(read) => self.upload(read),
            AppEvent::FileReady(ready) => self.file_ready(ready),
            AppEvent::FileFailed { job, message } => self.load_failed(job, message),
            AppEvent::ImageDecoded { job, index, image, decoding } => self.image_decoded(job, index, image, decoding),
            AppEvent::ImagePreviewed(answer) => self.image_previewed(*answer),
            AppEvent::FileChosen(path) => self.open_source(Source::alone(path)),
            #[cfg(target_os = "macos")]
            AppEvent::FilesOpened(files) => self.open_dropped(&files),
            // These events only need the frame that is requested below.
            AppEvent::PipelineMade | AppEvent::WeightsChecked => {}
            AppEvent::SavePathChosen { kind, path, overwrite } => self.save_path_chosen(kind, path, overwrite),
            AppEvent::ScreenshotFolderChosen(folder) => self.ui.preferences.screenshot_folder = Some(folder),
            AppEvent::CompareChosen(path) => self.compare_with(Source::alone(path)),
            AppEvent::OtherLoaded(loaded) => self.other_loaded(*loaded),
            AppEvent::OtherFileChanged(request) => self.other_file_changed(request),
            AppEvent::OtherPicked(picked) => self.other_picked(*picked),
            AppEvent::Compared(measured) => self.compared(*measured),
            AppEvent::HeatsMeasured(measured) => self.workers.difference.receive(*measured, self.comparison.as_mut()),
            AppEvent::EnvironmentChosen(path) => self.read_environment(path),
            AppEvent::EnvironmentRead(read) => self.environment_read(read),
            AppEvent::NoDialog(dialog) => self.dialog_unavailable(dialog),
            AppEvent::Saved(outcome) => {
                self.workers.screenshots.start_next(&self.proxy);
                self.export_finished(event_loop, outcome);
            }
            AppEvent::PictureDrawn(drawn) => self.picture_drawn(drawn),
            AppEvent::Exported(outcome) => {
                self.workers.exports.finish();
                self.export_finished(event_loop, outcome);
            }
            AppEvent::MotionSampled(result) => {
                let open = self.open.iter().map(|open| open.subject(&self.view));
                self.workers.motions.receive(*result, open.chain(self.comparison.iter().map(OpenComparison::subject)));
            }
            AppEvent::BoundsMeasured(measured) => {
                self.workers.bounds.receive(*measured, self.open.as_mut(), &self.view, self.comparison.as_mut());
            }
            AppEvent::Checked(outcome) => self.checked(*outcome),
            AppEvent::Validated(outcome) => self.validated(*outcome),
            AppEvent::AnimationsChosen(paths) => self.add_animations(paths),
            AppEvent::Borrowed(result) => self.animations_borrowed(*result),
            AppEvent::FolderListed(listed) => self.folder_listed(*listed),
            AppEvent::ThumbnailDrawn(drawn) => self.thumbnail_drawn(*drawn),
            AppEvent::FontsFound(found) => {
                if let Some(window) = &self.window {
                    self.workers.fonts.receive(found, &window.egui);
                }
            }
            AppEvent::AdaptersListed(names) => self.ui.status.adapters = names,
            AppEvent::Interrupted => {
                self.is_interrupted = true;
                event_loop.exit();
            }
            AppEvent::Access(event) => self.access_event(event),
        }
        if !is_invisible {
            self.request_frame();
        }
    }

    /// Handles an event of the window.
    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => self.quit(event_loop),
            WindowEvent::RedrawRequested => {
                self.frame(event_loop);
                for kept in self.input.take_waiting_keys() {
                    self.input_event(kept);
                }
            }
            event => self.input_event(event),
        }
    }

    /// Decides how long to sleep: until the next frame, the next write of the settings, or the end of a message.
    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.open_dropped_files();
        let now = Instant::now();
        let message_end = self.ui.status.message.as_ref().map(|message| message.until);
        let due = [self.pacing.due(), self.settings.due(), message_end].into_iter().flatten().min();
        match due {
            Some(due) if due <= now => {
                if let Some(window) = &self.window {
                    window.handle.request_redraw();
                }
                // The frame itself sets the next time to wake up.
                event_loop.set_control_flow(ControlFlow::Wait);
            }
            Some(due) => event_loop.set_control_flow(ControlFlow::WaitUntil(due)),
            None => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }

    /// Writes the settings, cancels the background work, and waits until none of it uses the device.
    fn exiting(&mut self, _: &ActiveEventLoop) {
        recent_files::remember_stayed(&mut self.ui.preferences.recent_files, self.open.as_mut());
        self.update_settings(Instant::now());
        self.settings.flush();
        // A driver must not draw while the program exits, so all work that uses the device is ended.
        self.cancel_load(WatchMessage::Canceled);
        let simplifying = self.open.as_mut().and_then(|open| {
            open.progress.cancel();
            open.simplifying.take()
        });
        let _ = simplifying.map(JoinHandle::join);
        self.workers.load.join();
        self.workers.comparison.join();
        self.workers.environment.join();
        self.workers.thumbnails.stop();
        self.workers.exports.stop();
        self.workers.screenshots.stop();
    }
}

impl App {
    /// Handles an event that is not about closing or drawing the window. egui gets all of these events except keys that have an action.
    fn input_event(&mut self, mut event: WindowEvent) {
        if self.window.as_ref().is_some_and(|window| self.input.keep_for_later(&event, window, &self.ui.window)) {
            return self.request_frame();
        }
        match &event {
            WindowEvent::ModifiersChanged(modifiers) => self.input.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event: key, is_synthetic: false, .. }
                if self.window.as_ref().is_some_and(|window| self.input.take_key(key, window, &self.ui.window)) =>
            {
                if !self.input.actions.is_empty() {
                    self.request_frame();
                }
                return;
            }
            WindowEvent::HoveredFile(path) => self.file_hovered(path),
            // The system reports no pointer movement during a drag. A movement means that the drag has ended, even if no event says so.
            WindowEvent::HoveredFileCancelled | WindowEvent::CursorMoved { .. } => self.ui.status.hovered_files.clear(),
            WindowEvent::DroppedFile(path) => self.input.dropped_files.push(path.clone()),
            WindowEvent::Occluded(_) => self.request_frame(),
            // If the system does not report changes of files, they are found when the user returns to the window.
            WindowEvent::Focused(true) => {
                self.workers.watcher.send(WatchMessage::Check);
                self.workers.other_watcher.send(WatchMessage::Check);
                self.list_folder();
            }
            _ => {}
        }
        let Some(window) = &mut self.window else { return };
        match &mut event {
            WindowEvent::Resized(size) => window.resize(*size),
            WindowEvent::ScaleFactorChanged { scale_factor, inner_size_writer } => window.rescale(*scale_factor, inner_size_writer),
            WindowEvent::Occluded(occluded) => window.is_occluded = *occluded,
            WindowEvent::Moved(position) => window.position = Some([position.x, position.y]),
            _ => {}
        }
        if matches!(event, WindowEvent::Moved(_) | WindowEvent::ScaleFactorChanged { .. }) {
            self.pacing.set_rate(window.refresh_rate());
        }
        // egui gets the event after the window has its new size.
        let response = window.input.on_window_event(&window.handle, &event);
        let is_drag = matches!(event, WindowEvent::HoveredFile(_) | WindowEvent::HoveredFileCancelled | WindowEvent::DroppedFile(_));
        if response.repaint || is_drag {
            self.request_frame();
        }
    }

    /// Shows the name of a file that is dragged over the window. If a frame is slow, the system repeats the event.
    fn file_hovered(&mut self, path: &Path) {
        let name = file_name(path);
        if !self.ui.status.hovered_files.contains(&name) {
            self.ui.status.hovered_files.push(name);
        }
    }

    /// Returns whether to ask the user what to do with a dropped file: only if the user enabled that, and a file other than the sample is
    /// open.
    fn asks_about_drops(&self) -> bool {
        self.ui.preferences.ask_on_drop && self.open.as_ref().is_some_and(|open| open.source != Source::Sample)
    }

    /// Opens the dropped models. If panoramas were dropped, too, the last one becomes the environment.
    fn open_dropped_files(&mut self) {
        if self.input.dropped_files.is_empty() {
            return;
        }
        self.ui.status.hovered_files.clear();
        let dropped = std::mem::take(&mut self.input.dropped_files);
        let (mut panoramas, models): (Vec<_>, Vec<_>) = dropped.into_iter().partition(|path| panorama::is_panorama(path));
        if let Some(path) = panoramas.pop() {
            self.read_environment(path);
        }
        if models.is_empty() {
            return;
        }
        // A single model can be opened, compared, or used for its animations.
        match single_model(&models).filter(|_| self.asks_about_drops()) {
            Some(model) => {
                // A folder stands for its only model.
                let files = if models.iter().any(|path| path.is_dir()) { vec![model.clone()] } else { models };
                self.ui.window.ask(Dialog::Dropped { model, files });
            }
            None => self.open_dropped(&models),
        }
    }

    /// Handles an event of the screen reader: it starts, stops, or performs an action on a control.
    fn access_event(&mut self, event: egui_winit::accesskit_winit::Event) {
        let Some(window) = &mut self.window else { return };
        match event.window_event {
            AccessEvent::InitialTreeRequested => window.egui.enable_accesskit(),
            AccessEvent::ActionRequested(request) => window.input.on_accesskit_action_request(request),
            AccessEvent::AccessibilityDeactivated => window.egui.disable_accesskit(),
        }
    }
}

/// The absolute path of the model among dropped files, or in a dropped folder. `None` unless there is exactly one.
fn single_model(files: &[PathBuf]) -> Option<PathBuf> {
    let list = file_list(files).ok()?;
    let [model] = &list.models[..] else { return None };
    Some(model.path.clone())
}
