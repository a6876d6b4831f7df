//! Saves and exports what the window shows: screenshots, clips, contact sheets and view files. Shows how that ended.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use egui::ColorImage;
use image::RgbaImage;
use winit::event_loop::ActiveEventLoop;

use crate::app::comparison::open_comparison::shown_analyses;
use crate::app::documents::open_document::OpenDocument;
use crate::app::window::AppWindow;
use crate::app::worker_events::SaveOutcome;
use crate::app::workers::exports::clip_export::ClipJob;
use crate::app::workers::exports::export_scene::{ComparedScene, ExportScene};
use crate::app::workers::exports::picture_file::PictureFile;
use crate::app::workers::exports::screenshot::ScreenshotJob;
use crate::app::workers::exports::sheet_export::SheetJob;
use crate::app::{App, SAVED_MESSAGE_DURATION};
use crate::camera::Orbit;
use crate::export::atomic_file;
use crate::export::picture::picture_background;
use crate::export::still::compared::ComparedModel;
use crate::export::still::options::StillOptions;
use crate::paths::{self, file_name};
use crate::render::picture::Background;
use crate::session::analyses::Subject;
use crate::session::contact_sheet::{Grid, SheetOptions};
use crate::session::document::ImageState;
use crate::session::time::clip::{Clip, ClipOptions};
use crate::session::view::{View, ViewCamera, playback_range};
use crate::ui::context::app_status::{ALREADY_EXPORTING, Failure, StatusMessage};
use crate::ui::context::preferences::ScreenshotOptions;
use crate::ui::context::request::SaveKind;
use crate::ui::context::window_state::Dialog;
use crate::ui::dialogs::picture_size;
use crate::ui::style::theme;

impl App {
    /// Saves to a path that the user chose. `overwrite` is true if the user agreed to replace a file of that name.
    pub(crate) fn save(&mut self, kind: SaveKind, path: PathBuf, overwrite: bool) {
        match kind {
            SaveKind::Screenshot(options) => self.save_screenshot(options, path, overwrite),
            SaveKind::Clip(options) => self.export_clip(options, path, overwrite),
            SaveKind::ContactSheet(options) => self.export_sheet(options, path, overwrite),
            SaveKind::View if !overwrite && path.exists() => self.ui.window.ask(Dialog::Overwrite { kind, path }),
            SaveKind::View => self.save_view(&self.view.clone(), path, overwrite),
        }
    }

    /// Writes a view as JSON, in the form that `--state` reads. Without `overwrite`, it fails if the file exists.
    pub(super) fn save_view(&mut self, view: &View, path: PathBuf, overwrite: bool) {
        let view =
            self.open.as_ref().map_or_else(|| view.clone(), |open| playback_range::without_lost_ranges(&open.document.model, view.clone()));
        let text = serde_json::to_string_pretty(&view).map_err(|error| format!("cannot write {}: {error}", path.display()));
        let written = text.and_then(|text| atomic_file::write(&path, text.as_bytes(), overwrite).map_err(|error| error.to_string()));
        self.save_finished(match written {
            Ok(()) => SaveOutcome::Written(path),
            Err(message) => SaveOutcome::Failed(message),
        });
    }

    /// Saves a screenshot without a dialog, with the last options, to the folder that the settings name.
    pub(super) fn save_screenshot_now(&mut self) {
        let options = self.ui.preferences.screenshot;
        let Some(folder) = self.screenshot_folder() else {
            return self.show_message("No folder for quick screenshots: choose one in Settings".into());
        };
        if !folder.is_absolute() || !folder.is_dir() {
            let message = format!("{} is not a folder: choose another one in Settings", folder.display());
            return self.show_failure(Failure::new("Quick screenshot", message));
        }
        match self.free_path(SaveKind::Screenshot(options), &folder) {
            Ok(path) => self.save_screenshot(options, path, false),
            Err(reason) => self.show_message(format!("Cannot save: {reason}")),
        }
    }

    /// Starts drawing and writing a screenshot.
    fn save_screenshot(&mut self, options: ScreenshotOptions, path: PathBuf, overwrite: bool) {
        // The question is asked before time goes on, so that a picture that replaces the file shows the same moment.
        if !overwrite && path.exists() {
            self.ui.window.ask(Dialog::Overwrite { kind: SaveKind::Screenshot(options), path });
            return;
        }
        if self.workers.screenshots.is_full() {
            return self
                .show_message("Not saved: several screenshots are still being drawn. Wait for one to be saved, or cancel them.".into());
        }
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        let size = picture_size::size([options.width, options.height], &self.ui.status.statistics);
        let picture =
            PictureOptions { size, supersample: options.supersample, is_transparent: options.transparent, overlays: options.overlays };
        let scene = self.export_scene(window, open, &self.view, &picture);
        let file = PictureFile { kind: SaveKind::Screenshot(options), path, overwrite };
        self.workers.screenshots.start(ScreenshotJob { scene, moment: self.transport.moment(), file }, &self.proxy);
        self.show_message("Saving screenshot...".into());
    }

    /// Starts drawing a picture of the viewport for the clipboard. It has the background of screenshots.
    pub(super) fn copy_picture(&mut self) {
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        let ScreenshotOptions { transparent, .. } = self.ui.preferences.screenshot;
        let size = picture_size::size([0; 2], &self.ui.status.statistics);
        let picture = PictureOptions { size, supersample: 1, is_transparent: transparent, overlays: true };
        let scene = self.export_scene(window, open, &self.view, &picture);
        self.workers.screenshots.start_copy(scene, self.transport.moment(), self.proxy.clone());
    }

    /// Returns whether a clip or a contact sheet can be exported now. If not, shows the reason.
    pub(super) fn may_export(&mut self) -> bool {
        let images = self.open.as_ref().map_or(&[][..], |open| &open.document.image_states);
        let obstacle = export_obstacle(self.workers.is_exporting(), images);
        if let Some(obstacle) = obstacle {
            self.show_message(obstacle.into());
        }
        obstacle.is_none()
    }

    /// Cancels the export or, if there is none, all screenshots. The status bar shows the one that is canceled.
    pub(super) fn cancel_export(&mut self) {
        if self.workers.exports.is_running() {
            self.workers.exports.cancel();
        } else {
            self.workers.screenshots.cancel();
        }
    }

    /// Starts drawing and encoding a clip, unless [`export_obstacle`] gives a reason.
    fn export_clip(&mut self, options: ClipOptions, path: PathBuf, overwrite: bool) {
        if !self.may_export() {
            return;
        }
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        // Crowds, ghosts, trails and foot contacts also depend on the loop mode.
        let view = options.view(&self.view);
        let rate = options.rate(&open.document, &view);
        let clip = match Clip::new(&open.document.model, &view, rate, options.length()) {
            Ok(clip) => clip,
            Err(error) => return self.show_failure(Failure::new("Export failed", error.to_string())),
        };
        let size = options.format.size(picture_size::size([options.width, options.height], &self.ui.status.statistics));
        let picture = PictureOptions { size, supersample: 1, is_transparent: options.is_transparent(), overlays: options.overlays };
        let scene = self.export_scene(window, open, &view, &picture);
        self.workers.exports.start_clip(clip, scene, ClipJob { options, path, overwrite }, self.proxy.clone());
    }

    /// Starts drawing a contact sheet, unless [`export_obstacle`] gives a reason. The tiles show the model from the direction of the
    /// viewport's camera.
    fn export_sheet(&mut self, options: SheetOptions, path: PathBuf, overwrite: bool) {
        if !self.may_export() {
            return;
        }
        // The question is asked before the tiles are drawn, because that takes long, and the view may change meanwhile.
        if !overwrite && path.exists() {
            self.ui.window.ask(Dialog::Overwrite { kind: SaveKind::ContactSheet(options), path });
            return;
        }
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        let size = picture_size::size([options.width, options.height], &self.ui.status.statistics);
        let picture = PictureOptions { size, supersample: 1, is_transparent: options.transparent, overlays: options.overlays };
        let mut scene = self.export_scene(window, open, &self.view, &picture);
        let tile_height = Grid::fitting(options.tile_count(&open.document.model, &self.view), size).tile_size(size)[1];
        scene.options.pixels_per_point = self.pixels_per_point(tile_height).max(1.0);
        let direction = if let ViewCamera::Orbit(orbit) = self.view.camera { orbit } else { Orbit::default() };
        let job = SheetJob { options, direction, path, overwrite };
        self.workers.exports.start_sheet(scene, job, self.proxy.clone());
    }

    /// Scale of lines and names in a picture of this height in pixels. Relative to the model, lines and names are as large as in the
    /// window.
    fn pixels_per_point(&self, height: u32) -> f32 {
        height as f32 / self.ui.status.statistics.viewport[1].max(1.0)
    }

    /// Copies everything that a picture of the model in this view depends on, so that a background thread can draw it.
    fn export_scene(&self, window: &AppWindow, open: &OpenDocument, view: &View, picture: &PictureOptions) -> ExportScene {
        let theme = *theme::picture_colors(&window.egui);
        let background = if picture.is_transparent { Background::Transparent } else { picture_background(&view.display, &theme) };
        let [width, height] = picture.size;
        let options = StillOptions {
            width,
            height,
            supersample: picture.supersample,
            background,
            overlays: picture.overlays,
            theme,
            names: self.ui.preferences.names,
            units: self.ui.preferences.units,
            pixels_per_point: self.pixels_per_point(height).max(0.5),
            camera: None,
        };
        ExportScene {
            gpu: window.gpu.clone(),
            gpu_model: open.gpu_model.clone(),
            light: self.workers.environment.light().cloned(),
            document: open.document.clone(),
            analyses: shown_analyses(&open.analyses, self.comparison.as_ref()).into_owned(),
            view: view.clone(),
            compared: self.compared_scene(open, view),
            options,
        }
    }

    /// The comparison that the window shows, with the loop mode of `view`. `None` without a comparison, or before its first result.
    fn compared_scene(&self, open: &OpenDocument, view: &View) -> Option<ComparedScene> {
        let comparison = self.comparison.as_ref()?;
        let status = &comparison.status;
        let found = status.found.clone()?;
        let Subject { document, analyses, view: other } = comparison.subject();
        let model = ComparedModel {
            document: document.clone(),
            analyses: analyses.clone(),
            view: View { repeat: view.repeat, ..other.clone() },
            time_map: status.time_map(&open.document.model, view),
            max_distance: found.largest_distance(),
            comparison: found,
            layout: status.choices.layout,
            side_names: status.side_names.clone(),
        };
        let is_same = Arc::ptr_eq(&open.gpu_model, &comparison.other.gpu_model);
        Some(ComparedScene { model, timing: status.choices.timing, gpu_model: (!is_same).then(|| comparison.other.gpu_model.clone()) })
    }

    /// Shows how an export or a screenshot ended. If the user has asked to quit meanwhile, the program ends after the last one, unless the
    /// user has to see an error or to answer a question about a file.
    pub(crate) fn export_finished(&mut self, event_loop: &ActiveEventLoop, outcome: SaveOutcome) {
        let needs_user = matches!(outcome, SaveOutcome::Exists { .. } | SaveOutcome::Failed(_));
        self.save_finished(outcome);
        if self.ui.window.dialog == Some(Dialog::Quit) {
            if needs_user {
                self.ui.window.dialog = None;
            } else if !self.workers.is_exporting() {
                event_loop.exit();
            }
        }
    }

    /// Shows how saving or exporting ended, or asks whether an existing file may be replaced.
    fn save_finished(&mut self, outcome: SaveOutcome) {
        match outcome {
            SaveOutcome::Written(path) => self.show_saved(path, None),
            SaveOutcome::WrittenWithOlderFrames { path, older } => self.show_saved(path, Some(older)),
            SaveOutcome::Exists { kind, path } => self.ui.window.ask(Dialog::Overwrite { kind, path }),
            SaveOutcome::Canceled => self.show_message("Export canceled, no file written".into()),
            SaveOutcome::Failed(message) => self.show_failure(Failure::new("Save failed", message)),
        }
    }

    /// Shows that a file was saved. `older` are the first and the last of the older frames that follow a sequence.
    fn show_saved(&mut self, path: PathBuf, older: Option<[PathBuf; 2]>) {
        let path = paths::absolute(&path);
        let text = saved_message(&path, older);
        self.show_status_message(StatusMessage { text, saved: Some(path), until: Instant::now() + SAVED_MESSAGE_DURATION });
    }

    /// Copies the picture that was drawn for the clipboard, or shows why it could not be drawn.
    pub(crate) fn picture_drawn(&mut self, drawn: Result<RgbaImage, String>) {
        match drawn {
            Ok(picture) => self.copy_to_clipboard(&picture),
            Err(message) => self.show_failure(Failure::new("Copy failed", message)),
        }
    }

    /// Copies a picture to the clipboard.
    fn copy_to_clipboard(&mut self, picture: &RgbaImage) {
        let Some(window) = &self.window else { return };
        let [width, height] = [picture.width(), picture.height()];
        window.egui.copy_image(ColorImage::from_rgba_unmultiplied([width as usize, height as usize], picture));
        self.show_message(format!("Copied a picture of {width} \u{D7} {height} pixels"));
    }
}

/// The message about a saved file. The folder, which may be long, comes last.
fn saved_message(path: &Path, older: Option<[PathBuf; 2]>) -> String {
    let name = file_name(path);
    let older = older.map_or(String::new(), |older| {
        let [first, last] = older.map(|path| file_name(&path));
        format!(" (older frames remain after the last one, from {first} to {last})")
    });
    let folder = path.parent().map_or(String::new(), |folder| format!(" in {}", folder.display()));
    format!("Saved {name}{older}{folder}")
}

/// The reason why no clip or contact sheet can be exported now. The pictures of an export have the textures of the window, which must not
/// change between them.
fn export_obstacle(is_exporting: bool, images: &[ImageState]) -> Option<&'static str> {
    match is_exporting {
        true => Some(ALREADY_EXPORTING),
        false if images.contains(&ImageState::Pending) => {
            Some("Some textures are not loaded yet. Export again in a moment, or reload the file.")
        }
        false => None,
    }
}

/// The picture options that screenshots, clips and contact sheets share.
struct PictureOptions {
    /// Width and height in pixels.
    size: [u32; 2],
    /// Samples per pixel in each direction.
    supersample: u32,
    is_transparent: bool,
    /// Whether overlays such as the skeleton are drawn as the view shows them.
    overlays: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_about_a_saved_sequence_names_the_older_frames_after_it() {
        let (path, older) = (Path::new("/clips/walk"), ["/clips/walk/0007.png", "/clips/walk/0009.png"].map(PathBuf::from));
        assert_eq!(saved_message(path, None), "Saved walk in /clips");
        let told = "Saved walk (older frames remain after the last one, from 0007.png to 0009.png) in /clips";
        assert_eq!(saved_message(path, Some(older)), told);
    }

    #[test]
    fn an_export_needs_all_textures_and_the_end_of_another_export() {
        let done = [ImageState::Ready, ImageState::Failed];
        assert_eq!((export_obstacle(false, &[]), export_obstacle(false, &done)), (None, None));
        assert!(export_obstacle(true, &done).is_some_and(|reason| reason.contains("already running")));
        assert!(export_obstacle(false, &[ImageState::Ready, ImageState::Pending]).is_some_and(|reason| reason.contains("textures")));
    }
}
