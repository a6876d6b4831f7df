//! Performs those requests of the panels that need files, dialogs, the clipboard or the window. Each request has one method, and slow work
//! is started in a background thread.

mod checks;
mod copy_command;
mod save;
mod save_path;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use winit::event_loop::ActiveEventLoop;
use winit::window::Fullscreen;

use crate::camera;
use crate::export::formats::video;
use crate::numbers::counted;
use crate::session::analyses::Subject;
use crate::session::camera::orbit_controls;
use crate::ui::context::app_status::Failure;
use crate::ui::context::request::{PreviewOrder, Request, SaveKind};
use crate::ui::context::window_state::Dialog;

use super::comparison::open_comparison::shown_analyses;
use super::documents::load_job::{LoadReason, Source};
use super::frame::status::{ShownLoad, shown_load};
use super::window::dialogs;
use super::workers::adapters;
use super::workers::files::file_watcher::WatchMessage;
use super::{App, system_folders};

/// Minimum extent in view at the node of a finding, in height and in width, as a fraction of the model's size.
const MIN_SURROUNDINGS: f64 = 1.0 / 3.0;

impl App {
    /// Performs the requests that the panels made in a frame, in order.
    pub(crate) fn perform_requests(&mut self, event_loop: &ActiveEventLoop, requests: Vec<Request>) {
        for request in requests {
            self.perform_request(event_loop, request);
            self.request_frame();
        }
    }

    /// Performs one request.
    fn perform_request(&mut self, event_loop: &ActiveEventLoop, request: Request) {
        match request {
            Request::OpenDialog => self.show_open_dialog(),
            Request::EnvironmentDialog => self.show_environment_dialog(),
            Request::Environment(path) => self.choose_environment(path),
            Request::Open(path) => self.open_source(Source::alone(path)),
            Request::AnimationsDialog => self.show_animations_dialog(),
            Request::AddAnimations(paths) => self.add_animations(paths),
            Request::RemoveAnimations(file) => self.remove_animations(file),
            Request::OpenSample => self.open_source(Source::Sample),
            Request::StepFile(by) => self.step_file(by),
            Request::OpenListed(path) => self.open_listed_file(&path),
            Request::Reload => self.read_again(LoadReason::Again),
            Request::CancelLoading => self.cancel_loading(),
            Request::CompareDialog => self.show_compare_dialog(),
            Request::CompareDropped(files) => self.compare_dropped(&files),
            Request::ComparePreviousVersion => self.compare_previous_version(),
            Request::CompareAnimation(animation) => self.compare_animation(animation),
            Request::PickOther(pick) => self.pick_other(pick),
            Request::SwapCompared => self.swap_compared(),
            Request::StopComparing => self.stop_comparing(),
            Request::OpenDropped(files) => self.open_dropped(&files),
            Request::Save { kind, path: None, .. } => self.show_save_dialog(kind),
            Request::Save { kind, path: Some(path), overwrite } => self.save(kind, path, overwrite),
            Request::SaveScreenshotNow => self.save_screenshot_now(),
            Request::CopyPicture => self.copy_picture(),
            Request::ScreenshotFolderDialog => self.show_folder_dialog(),
            Request::ShowInFolder(path) => self.show_in_folder(&path),
            Request::SaveCommandView { view, path } => self.save_view(&view, path, false),
            Request::CancelExport => self.cancel_export(),
            Request::ListAdapters => adapters::list(self.proxy.clone()),
            Request::LookForFfmpeg => self.ui.status.has_ffmpeg = video::is_ffmpeg_installed(),
            Request::CopyCommand { clip } => self.copy_command(clip),
            Request::Fit { nodes } => self.fit_camera(&nodes, 0.0),
            Request::FitAround { node } => self.fit_camera(&[node], MIN_SURROUNDINGS),
            Request::RunChecks => self.workers.checks.request(),
            Request::CancelChecks => self.cancel_checks(),
            Request::Validate => self.validate(),
            Request::CancelValidation => self.cancel_validation(),
            Request::ShowMessage(text) => self.show_message(text),
            Request::CopyText(text) => {
                let lines = text.lines().count();
                self.copy_text(text, if lines > 1 { format!("Copied {}", counted(lines, "line")) } else { "Copied".into() });
            }
            Request::CopyKeys { text, count } => self.copy_text(text, format!("Copied {}", counted(count, "key"))),
            Request::PreviewImage(order) => self.preview_image(order),
            Request::DrawThumbnails { files, size } => self.draw_thumbnails(files, size),
            Request::FindFonts(missing) => self.find_fonts(missing),
            Request::ToggleFullScreen => self.toggle_full_screen(),
            Request::ClearRecentFiles => self.clear_recent_files(),
            Request::Quit => self.quit(event_loop),
            Request::QuitAnyway => event_loop.exit(),
        }
    }

    /// Ends the program, or asks the user first if an export or a screenshot is running.
    pub(crate) fn quit(&mut self, event_loop: &ActiveEventLoop) {
        if self.workers.is_exporting() {
            self.ui.window.ask_first(Dialog::Quit);
            self.request_frame();
        } else {
            event_loop.exit();
        }
    }

    /// Shows the dialog for a model. The answer comes as an event.
    pub(crate) fn show_open_dialog(&self) {
        if let Some(window) = &self.window {
            dialogs::open(&window.handle, self.settings.current.open_folder.as_deref(), self.proxy.clone());
        }
    }

    /// Shows the dialog for a panorama. The answer comes as an event.
    fn show_environment_dialog(&self) {
        if let Some(window) = &self.window {
            dialogs::environment(&window.handle, self.settings.current.environment_folder.as_deref(), self.proxy.clone());
        }
    }

    /// Shows the dialog that asks where to save, unless it is for an export that cannot start now. The answer comes as an event.
    fn show_save_dialog(&mut self, kind: SaveKind) {
        if matches!(kind, SaveKind::Clip(_) | SaveKind::ContactSheet(_)) && !self.may_export() {
            return;
        }
        let path = match self.default_path(kind) {
            Ok(path) => path,
            Err(reason) => return self.show_message(format!("Cannot save: {reason}")),
        };
        let (Some(window), Some(folder), Some(name)) = (&self.window, path.parent(), path.file_name()) else { return };
        dialogs::save(&window.handle, folder, &name.to_string_lossy(), kind, self.proxy.clone());
        self.is_choosing_picture_path |= matches!(kind, SaveKind::Screenshot(_));
    }

    /// Shows the dialog for the folder of quick screenshots. The answer comes as an event.
    fn show_folder_dialog(&self) {
        if let Some(window) = &self.window {
            dialogs::folder(&window.handle, self.screenshot_folder().as_deref(), self.proxy.clone());
        }
    }

    /// Shows a saved file in the system's file manager.
    fn show_in_folder(&mut self, path: &Path) {
        if let Err(message) = system_folders::show_file(path) {
            self.show_failure(Failure::new("Show in folder", message));
        }
    }

    /// Lights the model with a panorama. `None` returns to the studio light, and drops a panorama that is still being read.
    fn choose_environment(&mut self, path: Option<PathBuf>) {
        match path {
            Some(path) => self.read_environment(path),
            None => {
                self.workers.environment.stop();
                self.view.display.environment.file = None;
            }
        }
    }

    /// Cancels the load that the status bar shows. The open model stays.
    fn cancel_loading(&mut self) {
        match shown_load(self.workers.load.job(), self.workers.comparison.loading()) {
            Some(ShownLoad::Open(_)) => {
                self.cancel_load(WatchMessage::Canceled);
                self.return_to_open();
                self.reload_lost_textures();
            }
            Some(ShownLoad::Other(_)) => {
                self.cancel_other();
                self.ui.status.loading = None;
            }
            None => return,
        }
        self.show_message("Canceled".into());
    }

    /// Decodes an image of the open document for the panels.
    fn preview_image(&mut self, order: PreviewOrder) {
        let open = self.open.as_ref().filter(|open| open.document.id == order.document);
        if let Some(source) = open.and_then(|open| open.images.get(order.image)) {
            self.workers.previews.start(order, source.clone(), self.proxy.clone());
        }
    }

    /// Copies a text to the clipboard and shows a message.
    fn copy_text(&mut self, text: String, message: String) {
        let Some(window) = &mut self.window else { return };
        window.input.set_clipboard_text(text);
        self.show_message(message);
    }

    /// Starts the search for fonts that have these characters.
    fn find_fonts(&self, missing: BTreeSet<char>) {
        self.workers.fonts.start(missing, self.proxy.clone());
    }

    /// Switches between full screen and a normal window.
    fn toggle_full_screen(&self) {
        if let Some(window) = &self.window {
            let is_full = window.handle.fullscreen().is_some();
            window.handle.set_fullscreen((!is_full).then_some(Fullscreen::Borderless(None)));
        }
    }

    /// Clears the list of recent files, also on disk. The list on disk is overwritten: merging it would bring back files that another
    /// window has written.
    fn clear_recent_files(&mut self) {
        self.ui.preferences.recent_files.clear();
        self.settings.current.preferences.recent_files.clear();
        self.settings.write_without_merging();
        self.show_message("Cleared the list of recent files".into());
    }

    /// Fits the camera to these nodes (source indices), see [`orbit_controls::framing`].
    fn fit_camera(&mut self, nodes: &[usize], surroundings: f64) {
        let Some(open) = &self.open else { return };
        let nodes: Vec<_> = nodes.iter().filter_map(|&source| open.document.model.node_from_source(source)).collect();
        let aspect = camera::aspect(self.ui.status.statistics.viewport);
        let analyses = shown_analyses(&open.analyses, self.comparison.as_ref());
        let subject = Subject { analyses: &analyses, ..open.subject(&self.view) };
        // Pose the model again: the time may have changed since this frame was posed.
        let posed = subject.posed_with_known_roots(self.transport.moment());
        self.view.camera = orbit_controls::framing(subject, &posed, aspect, &nodes, surroundings);
    }
}
