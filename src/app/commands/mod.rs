//! Does what the panels request but cannot do themselves: files, dialogs, exports, the clipboard, the window. Each request has
//! one method; those that take long only start a worker.

mod checks;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use winit::event_loop::ActiveEventLoop;
use winit::window::Fullscreen;

use crate::camera::Orbit;
use crate::export::atomic_file;
use crate::export::formats::video;
use crate::export::still::{self, StillOptions};
use crate::render::annotations::line::Theme;
use crate::render::device::gpu;
use crate::render::picture::Background;
use crate::session::bounds;
use crate::session::camera::{orbit_controls, view_camera};
use crate::session::file::output_name::{clip_name, picture_name};
use crate::session::file::render_command::{self, RenderCommand};
use crate::session::time::clip::{Clip, ClipFormat, ClipOptions};
use crate::session::view::ViewCamera;
use crate::ui::context::image_previews::PreviewOrder;
use crate::ui::context::preferences::ScreenshotOptions;
use crate::ui::context::request::Request;
use crate::ui::context::window_state::Dialog;
use crate::ui::dialogs::screenshot;

use super::documents::load_job::{LoadReason, Source};
use super::documents::open_document::OpenDocument;
use super::frame::draw;
use super::window::AppWindow;
use super::window::dialogs;
use super::worker_events::{AppEvent, SaveKind, SaveOutcome};
use super::workers::ExportScene;
use super::workers::clip_export::{ClipJob, SEQUENCE_NAMES};
use super::workers::file_watcher::WatchMessage;
use super::workers::screenshot::ScreenshotTarget;
use super::{App, system_folders};

/// Highest number that is appended to a default file name whose plain form is taken.
const MAX_NAME_NUMBER: usize = 9_999;

impl App {
    /// Performs what the panels requested in a frame, in order.
    pub(crate) fn perform_requests(&mut self, event_loop: &ActiveEventLoop, requests: Vec<Request>) {
        for request in requests {
            self.perform_request(event_loop, request);
            self.request_frame();
        }
    }

    /// Passes a request to its method.
    fn perform_request(&mut self, event_loop: &ActiveEventLoop, request: Request) {
        match request {
            Request::OpenDialog => self.show_open_dialog(),
            Request::EnvironmentDialog => self.show_environment_dialog(),
            Request::Environment(path) => self.choose_environment(path),
            Request::Open(path) => self.open_source(Source::File { path, beside: Vec::new() }),
            Request::AnimationsDialog => self.show_animations_dialog(),
            Request::AddAnimations(paths) => self.add_animations(paths),
            Request::RemoveAnimations(file) => self.remove_animations(file),
            Request::OpenSample => self.open_source(Source::Sample),
            Request::StepFile(by) => self.step_file(by),
            Request::Reload => self.read_again(LoadReason::Again),
            Request::CancelLoading => self.cancel_loading(),
            Request::CompareDialog => self.show_compare_dialog(),
            Request::Compare(path) => self.compare_with(path),
            Request::CompareVersionBefore => self.compare_version_before(),
            Request::CompareAnimation(animation) => self.compare_animation(animation),
            Request::SwapCompared => self.swap_compared(),
            Request::StopComparing => self.stop_comparing(),
            Request::OpenDropped(files) => self.open_dropped(&files),
            Request::SaveScreenshot { options, path: None, .. } => self.show_save_dialog(SaveKind::Screenshot(options)),
            Request::SaveScreenshot { options, path: Some(path), overwrite } => self.save_screenshot(options, path, overwrite),
            Request::SaveScreenshotNow => self.save_screenshot_now(),
            Request::CopyPicture => self.copy_picture(),
            Request::ScreenshotFolderDialog => self.show_folder_dialog(),
            Request::ShowInFolder(path) => self.show_in_folder(&path),
            Request::SaveView { path: None } => self.show_save_dialog(SaveKind::View),
            Request::SaveView { path: Some(path) } => self.save_view(path, false),
            Request::ExportClip { options, path: None, .. } => self.show_save_dialog(SaveKind::Clip(options)),
            Request::ExportClip { options, path: Some(path), overwrite } => self.export_clip(options, path, overwrite),
            Request::CancelExport => self.workers.clip_export.cancel(),
            Request::ListAdapters => self.list_adapters(),
            Request::LookForFfmpeg => self.ui.status.ffmpeg = video::is_possible(),
            Request::CopyCommand { clip } => self.copy_command(clip),
            Request::Fit { nodes } => self.fit_camera(&nodes),
            Request::RunChecks => self.workers.checks.request(),
            Request::CancelChecks => self.cancel_checks(),
            Request::Validate => self.validate(),
            Request::CancelValidation => self.cancel_validation(),
            Request::CopyText(text) => self.copy_text(text),
            Request::PreviewImage(order) => self.preview_image(order),
            Request::FindFonts(missing) => self.find_fonts(missing),
            Request::Undo => self.undo(),
            Request::Redo => self.redo(),
            Request::ToggleFullScreen => self.toggle_full_screen(),
            Request::ClearRecentFiles => self.clear_recent_files(),
            Request::Quit => self.quit(event_loop),
        }
    }

    /// Ends the program. The running load is cancelled; exports end in `exiting`.
    pub(crate) fn quit(&mut self, event_loop: &ActiveEventLoop) {
        self.cancel_load(WatchMessage::Dropped);
        event_loop.exit();
    }

    /// Shows the dialog for a model. The answer comes as an event.
    fn show_open_dialog(&self) {
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

    /// Shows the dialog that asks where to save. The answer comes as an event.
    fn show_save_dialog(&self, kind: SaveKind) {
        let Some(path) = self.default_path(kind) else { return };
        let (Some(window), Some(folder), Some(name)) = (&self.window, path.parent(), path.file_name()) else { return };
        dialogs::save(&window.handle, folder, &name.to_string_lossy(), kind, self.proxy.clone());
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
            self.fail("Show in folder".into(), message);
        }
    }

    /// Lights the model with a panorama. `None` chooses the studio, and drops the panorama that is being read.
    fn choose_environment(&mut self, path: Option<PathBuf>) {
        match path {
            Some(path) => self.read_environment(path),
            None => {
                self.workers.environment.stop();
                self.view.display.environment.file = None;
            }
        }
    }

    /// Cancels the running load. The open model stays.
    fn cancel_loading(&mut self) {
        // A file to compare with is cancelled first: it was asked for last.
        if self.workers.comparison.stop_loading() {
            self.ui.status.loading = None;
            return self.show_message("Cancelled".into());
        }
        self.cancel_load(WatchMessage::Dropped);
        self.return_to_open();
        self.reload_lost_textures();
        self.show_message("Cancelled".into());
    }

    /// Decodes an image of the open document for the panels.
    fn preview_image(&mut self, order: PreviewOrder) {
        let open = self.open.as_ref().filter(|open| open.document.id == order.document);
        if let Some(source) = open.and_then(|open| open.images.get(order.image)) {
            self.workers.previews.start(order, source.clone(), self.proxy.clone());
        }
    }

    /// Copies a text to the clipboard, and says how much it was.
    fn copy_text(&mut self, text: String) {
        let Some(window) = &mut self.window else { return };
        // Count before the text moves to the clipboard.
        let lines = text.lines().count();
        window.input.set_clipboard_text(text);
        self.show_message(if lines > 1 { format!("Copied {lines} lines") } else { "Copied".into() });
    }

    /// Starts the search for fonts that have these characters.
    fn find_fonts(&self, missing: BTreeSet<char>) {
        self.workers.fonts.start(missing, self.proxy.clone());
    }

    /// Lists the graphics adapters in the background.
    fn list_adapters(&self) {
        let proxy = self.proxy.clone();
        std::thread::spawn(move || {
            // The window may be closed by now.
            let _ = proxy.send_event(AppEvent::AdaptersListed(gpu::adapter_names()));
        });
    }

    /// Undoes the last change of the view.
    fn undo(&mut self) {
        if let Some(label) = self.undo.undo(&mut self.view) {
            self.show_message(format!("Undo: {label}"));
        }
    }

    /// Redoes the change that was undone last.
    fn redo(&mut self) {
        if let Some(label) = self.undo.redo(&mut self.view) {
            self.show_message(format!("Redo: {label}"));
        }
    }

    /// Switches between full screen and a normal window.
    fn toggle_full_screen(&self) {
        if let Some(window) = &self.window {
            let is_full = window.handle.fullscreen().is_some();
            window.handle.set_fullscreen((!is_full).then_some(Fullscreen::Borderless(None)));
        }
    }

    /// Clears the list of recent files, also on disk. Nothing is merged, or the files of another window would return.
    fn clear_recent_files(&mut self) {
        self.ui.preferences.recent_files.clear();
        self.settings.current.preferences.recent_files.clear();
        self.settings.write(false);
    }

    /// Fits the camera to these nodes (the file's indices), or to everything that the animation shows. The direction of view stays.
    fn fit_camera(&mut self, nodes: &[usize]) {
        let Some(open) = &self.open else { return };
        let model = &open.document.model;
        let nodes: Vec<_> = nodes.iter().filter_map(|&source| model.node_from_source(source)).collect();
        let size = self.ui.status.statistics.viewport;
        let aspect = f64::from((size[0] / size[1].max(1.0)).max(0.01));
        let orbit = orbit_controls::orbit(open.subject(&self.view), &open.posed, aspect);
        let fitted = if nodes.is_empty() {
            view_camera::fitted(&open.analyses, &self.view, &orbit, aspect)
        } else {
            let bounds = bounds::nodes_bounds(model, &open.document.mesh_bounds, &open.posed, &nodes, &open.analyses.bounds);
            orbit.fitted(&bounds, aspect)
        };
        // The orbit of the view is relative to what the camera follows.
        let followed = view_camera::followed(&open.document, self.view.follow, &open.posed);
        self.view.camera = ViewCamera::Orbit(Orbit { focus: fitted.focus - followed, ..fitted });
    }

    /// Saves to a path that the user chose. `overwrite` says that the user agreed to replace a file of that name.
    pub(crate) fn save(&mut self, kind: SaveKind, path: PathBuf, overwrite: bool) {
        match kind {
            SaveKind::Screenshot(options) => self.save_screenshot(options, path, overwrite),
            SaveKind::Clip(options) => self.export_clip(options, path, overwrite),
            SaveKind::View => self.save_view(path, overwrite),
        }
    }

    /// Writes the view as JSON, which `--state` reads.
    fn save_view(&mut self, path: PathBuf, overwrite: bool) {
        let text = serde_json::to_string_pretty(&self.view).map_err(|error| format!("cannot write {}: {error}", path.display()));
        let written = text.and_then(|text| atomic_file::write(&path, text.as_bytes(), overwrite).map_err(|error| error.to_string()));
        self.save_finished(match written {
            Ok(()) => SaveOutcome::Written(path),
            Err(message) => SaveOutcome::Failed(message),
        });
    }

    /// Saves a screenshot without asking, with the last options, to the folder that the settings name.
    fn save_screenshot_now(&mut self) {
        let options = self.ui.preferences.screenshot;
        let Some(folder) = self.screenshot_folder() else {
            return self.show_message("There is no folder to save to: choose one in Settings".into());
        };
        if !folder.is_absolute() || !folder.is_dir() {
            return self.fail("Quick screenshot".into(), format!("{} is no folder: choose another one in Settings", folder.display()));
        }
        match self.free_path(SaveKind::Screenshot(options), &folder) {
            Some(path) => self.save_screenshot(options, path, false),
            None => self.show_message(format!("There is no free name in {}", folder.display())),
        }
    }

    /// The folder of quick screenshots: the user's choice, else the system's folder for pictures.
    fn screenshot_folder(&self) -> Option<PathBuf> {
        self.ui.preferences.screenshot_folder.clone().or_else(|| self.ui.status.pictures_folder.clone())
    }

    /// Starts drawing and writing a screenshot.
    fn save_screenshot(&mut self, options: ScreenshotOptions, path: PathBuf, overwrite: bool) {
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        let size = screenshot::size([options.width, options.height], &self.ui.status.statistics);
        let picture =
            PictureOptions { size, supersample: options.supersample, is_transparent: options.transparent, overlays: options.overlays };
        let scene = self.export_scene(window, open, &picture);
        let target = ScreenshotTarget { options, path, overwrite };
        self.workers.screenshots.start(scene, self.transport.moment(), target, self.proxy.clone());
        self.show_message("Saving screenshot...".into());
    }

    /// Starts drawing what the viewport shows, for the clipboard. Its background is that of screenshots.
    fn copy_picture(&mut self) {
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        let ScreenshotOptions { transparent, .. } = self.ui.preferences.screenshot;
        let size = screenshot::size([0; 2], &self.ui.status.statistics);
        let picture = PictureOptions { size, supersample: 1, is_transparent: transparent, overlays: true };
        let scene = self.export_scene(window, open, &picture);
        self.workers.screenshots.start_copy(scene, self.transport.moment(), self.proxy.clone());
    }

    /// Starts drawing and encoding a clip, unless one is being exported already.
    fn export_clip(&mut self, options: ClipOptions, path: PathBuf, overwrite: bool) {
        if self.workers.clip_export.is_running() {
            return self.show_message("A clip is already being exported. Wait for it to finish, or cancel it.".into());
        }
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        let rate = options.rate(&open.document, &self.view);
        let clip = match Clip::new(&open.document.model, &options.view(&self.view), rate, options.turntable) {
            Ok(clip) => clip,
            Err(error) => return self.fail("Export failed".into(), error.to_string()),
        };
        let size = options.format.size(screenshot::size([options.width, options.height], &self.ui.status.statistics));
        let picture = PictureOptions { size, supersample: 1, is_transparent: options.is_transparent(), overlays: options.overlays };
        let scene = self.export_scene(window, open, &picture);
        self.workers.clip_export.start(clip, scene, ClipJob { options, path, overwrite }, self.proxy.clone());
    }

    /// A copy of what the window shows, to be drawn in the background.
    fn export_scene(&self, window: &AppWindow, open: &OpenDocument, picture: &PictureOptions) -> ExportScene {
        let theme = draw::picture_theme(&window.egui).clone();
        let background =
            if picture.is_transparent { Background::Transparent } else { still::picture_background(&self.view.display, &theme) };
        let [width, height] = picture.size;
        let options = StillOptions {
            width,
            height,
            supersample: picture.supersample,
            background,
            overlays: picture.overlays,
            theme,
            names: self.ui.preferences.names,
            // Lines and names are as large relative to the model as in the window.
            pixels_per_point: (height as f32 / self.ui.status.statistics.viewport[1].max(1.0)).max(0.5),
            camera: None,
        };
        ExportScene {
            gpu: window.gpu.clone(),
            gpu_model: open.gpu_model.clone(),
            light: self.workers.environment.light().cloned(),
            document: open.document.clone(),
            analyses: open.analyses.clone(),
            view: self.view.clone(),
            options,
        }
    }

    /// The path that is suggested for saving. It lies in the folder of the last picture, else beside the model, else in the user's
    /// pictures. A view prefers the model's folder. `None` if there is no such folder or no free name.
    pub(crate) fn default_path(&self, kind: SaveKind) -> Option<PathBuf> {
        self.free_path(kind, &self.default_folder(kind, self.open.as_ref()?)?)
    }

    /// A path in the folder that no file has. It is named after file, animation and frame (`fox-walk-0012.png`). If the name is
    /// taken, a number is appended. `None` if there is no free name.
    fn free_path(&self, kind: SaveKind, folder: &Path) -> Option<PathBuf> {
        let open = self.open.as_ref()?;
        let name = match kind {
            SaveKind::Clip(options) => clip_name(&open.document, &self.view, &options),
            SaveKind::Screenshot(_) | SaveKind::View => picture_name(&open.document, &self.view, self.transport.time()),
        };
        // The name of a still ends in `.png`, whatever is saved under it.
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let extension = if kind.extension().is_empty() { String::new() } else { format!(".{}", kind.extension()) };
        let numbered = (2..=MAX_NAME_NUMBER).map(|number| folder.join(format!("{stem}-{number}{extension}")));
        std::iter::once(folder.join(format!("{stem}{extension}")))
            .chain(numbered)
            .find(|path| !path.exists() && !self.workers.screenshots.is_writing(path))
    }

    /// The folder that is suggested for saving. `None` if the system names none.
    fn default_folder(&self, kind: SaveKind, open: &OpenDocument) -> Option<PathBuf> {
        let beside = || open.document.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let last = || self.settings.current.save_folder.clone().filter(|folder| folder.is_dir());
        let folder = match kind {
            SaveKind::View => beside().or_else(last),
            SaveKind::Screenshot(_) | SaveKind::Clip(_) => last().or_else(beside),
        };
        folder.or_else(|| self.ui.status.pictures_folder.clone())
    }

    /// Copies the `sinew render` command that draws the window's picture, or the clip. If no flags can express the view, offers to
    /// save it to a file that the command names.
    fn copy_command(&mut self, clip: Option<ClipOptions>) {
        let view_path = self.default_path(SaveKind::View);
        let (Some(window), Some(open), Some(view_path)) = (&mut self.window, &self.open, view_path) else { return };
        let Some(file) = &open.document.path else { return };
        let (document, view) = (&open.document, &self.view);
        let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        let time = self.transport.time();
        // A sequence is a folder with numbered files.
        let output = match &clip {
            Some(options) => match clip_name(document, view, options) {
                folder if options.format == ClipFormat::Sequence => format!("{folder}/{SEQUENCE_NAMES}"),
                name => name,
            },
            None => picture_name(document, view, time),
        };
        let wanted = clip.map_or([0; 2], |options| [options.width, options.height]);
        let theme = draw::picture_theme(&window.egui);
        let shot = RenderCommand {
            file: &file,
            document,
            view,
            time,
            clip: clip.as_ref().map(|options| (options, options.rate(document, view))),
            size: screenshot::size(wanted, &self.ui.status.statistics),
            // The command draws on the dark theme's background unless it names another one.
            background: (*theme != Theme::DARK).then_some(theme.background),
            state: &view_path,
            output: &output,
        };
        let line = render_command::command_line(&shot);
        let beyond_flags = render_command::beyond_flags(view);
        window.input.set_clipboard_text(line);
        if beyond_flags.is_empty() {
            self.show_message("Copied the sinew render command for this view".into());
        } else {
            self.ui.window.dialog = Some(Dialog::SaveForCommand { beyond_flags, path: view_path });
        }
    }
}

/// The picture options that screenshots and clips share.
struct PictureOptions {
    /// Width and height in pixels.
    size: [u32; 2],
    /// Samples per pixel in each direction.
    supersample: u32,
    is_transparent: bool,
    /// Whether overlays such as the skeleton are drawn as the view shows them.
    overlays: bool,
}
