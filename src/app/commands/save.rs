//! Saves and exports what the window shows: screenshots, clips, contact sheets, view files, and the render command for the clipboard.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use crate::app::App;
use crate::app::comparison::open_comparison::shown_analyses;
use crate::app::documents::open_document::OpenDocument;
use crate::app::window::AppWindow;
use crate::app::worker_events::{SaveKind, SaveOutcome};
use crate::app::workers::exports::clip_export::{ClipJob, SEQUENCE_NAMES};
use crate::app::workers::exports::export_scene::{ComparedScene, ExportScene};
use crate::app::workers::exports::screenshot::ScreenshotTarget;
use crate::app::workers::exports::sheet_export::SheetJob;
use crate::camera::Orbit;
use crate::colors;
use crate::compare::pairing;
use crate::export::atomic_file;
use crate::export::still::compared::ComparedModel;
use crate::export::still::options::{StillOptions, picture_background};
use crate::render::picture::Background;
use crate::session::analyses::Subject;
use crate::session::contact_sheet::{Grid, SheetOptions};
use crate::session::document::ImageState;
use crate::session::file::output_name::{clip_name, picture_name, sheet_name};
use crate::session::file::render_command::{self, ComparedFlags, RenderCommand};
use crate::session::time::clip::{Clip, ClipFormat, ClipOptions};
use crate::session::view::{View, ViewCamera};
use crate::ui::context::app_status::ALREADY_EXPORTING;
use crate::ui::context::comparison::OtherKind;
use crate::ui::context::preferences::ScreenshotOptions;
use crate::ui::context::window_state::Dialog;
use crate::ui::dialogs::picture_size;
use crate::ui::style::theme;

/// Highest number that is appended to a default file name if files with the lower numbers exist.
const MAX_NAME_NUMBER: usize = 9_999;
/// Why nothing can be saved before the first model is open.
const NO_MODEL: &str = "no model is open";

impl App {
    /// Saves to a path that the user chose. `overwrite` is true if the user agreed to replace a file of that name.
    pub(crate) fn save(&mut self, kind: SaveKind, path: PathBuf, overwrite: bool) {
        match kind {
            SaveKind::Screenshot(options) => self.save_screenshot(options, path, overwrite),
            SaveKind::Clip(options) => self.export_clip(options, path, overwrite),
            SaveKind::Sheet(options) => self.export_sheet(options, path, overwrite),
            SaveKind::View => self.save_view(&self.view.clone(), path, overwrite),
        }
    }

    /// Writes a view as JSON, in the form that `--state` reads.
    pub(super) fn save_view(&mut self, view: &View, path: PathBuf, overwrite: bool) {
        let text = serde_json::to_string_pretty(view).map_err(|error| format!("cannot write {}: {error}", path.display()));
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
            return self.fail("Quick screenshot".into(), format!("{} is not a folder: choose another one in Settings", folder.display()));
        }
        match self.free_path(SaveKind::Screenshot(options), &folder) {
            Ok(path) => self.save_screenshot(options, path, false),
            Err(reason) => self.show_message(format!("Cannot save: {reason}")),
        }
    }

    /// The folder of quick screenshots: the folder that the user chose, or the system's pictures folder by default.
    pub(super) fn screenshot_folder(&self) -> Option<PathBuf> {
        self.ui.preferences.screenshot_folder.clone().or_else(|| self.ui.status.pictures_folder.clone())
    }

    /// Starts drawing and writing a screenshot.
    pub(super) fn save_screenshot(&mut self, options: ScreenshotOptions, path: PathBuf, overwrite: bool) {
        // The question is asked before time goes on, so that a picture that replaces the file shows the same moment.
        if !overwrite && path.exists() {
            self.ui.window.ask(Dialog::Overwrite { options, path });
            return;
        }
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        let size = picture_size::size([options.width, options.height], &self.ui.status.statistics);
        let picture =
            PictureOptions { size, supersample: options.supersample, is_transparent: options.transparent, overlays: options.overlays };
        let scene = self.export_scene(window, open, &self.view, &picture);
        let target = ScreenshotTarget { options, path, overwrite };
        self.workers.screenshots.start(scene, self.transport.moment(), target, self.proxy.clone());
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
        let obstacle = export_obstacle(self.workers.exports.is_running(), images);
        if let Some(obstacle) = obstacle {
            self.show_message(obstacle.into());
        }
        obstacle.is_none()
    }

    /// Starts drawing and encoding a clip, unless [`export_obstacle`] gives a reason.
    pub(super) fn export_clip(&mut self, options: ClipOptions, path: PathBuf, overwrite: bool) {
        if !self.may_export() {
            return;
        }
        let (Some(window), Some(open)) = (&self.window, &self.open) else { return };
        // Crowds, ghosts, trails and foot contacts also depend on the loop mode.
        let view = options.view(&self.view);
        let rate = options.rate(&open.document, &view);
        let clip = match Clip::new(&open.document.model, &view, rate, options.length()) {
            Ok(clip) => clip,
            Err(error) => return self.fail("Export failed".into(), error.to_string()),
        };
        let size = options.format.size(picture_size::size([options.width, options.height], &self.ui.status.statistics));
        let picture = PictureOptions { size, supersample: 1, is_transparent: options.is_transparent(), overlays: options.overlays };
        let scene = self.export_scene(window, open, &view, &picture);
        self.workers.exports.start_clip(clip, scene, ClipJob { options, path, overwrite }, self.proxy.clone());
    }

    /// Starts drawing a contact sheet, unless [`export_obstacle`] gives a reason. The tiles show the model from the direction of the
    /// viewport's camera.
    pub(super) fn export_sheet(&mut self, options: SheetOptions, path: PathBuf, overwrite: bool) {
        if !self.may_export() {
            return;
        }
        // The question is asked before the tiles are drawn, because that takes long, and the view may change meanwhile.
        if !overwrite && path.exists() {
            self.ui.window.ask(Dialog::OverwriteSheet { options, path });
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
            analyses: shown_analyses(open, self.comparison.as_ref(), &self.ui.status).into_owned(),
            view: view.clone(),
            compared: self.compared_scene(open, view),
            options,
        }
    }

    /// The comparison that the window shows, with the loop mode of `view`. `None` without a comparison, or before its first result.
    fn compared_scene(&self, open: &OpenDocument, view: &View) -> Option<ComparedScene> {
        let (comparison, status) = (self.comparison.as_ref()?, self.ui.status.comparison.as_ref()?);
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
            titles: status.titles.clone(),
        };
        let is_same = Arc::ptr_eq(&open.gpu_model, &comparison.other.gpu_model);
        Some(ComparedScene { model, timing: status.choices.timing, gpu_model: (!is_same).then(|| comparison.other.gpu_model.clone()) })
    }

    /// The path that is suggested for saving, see [`Self::default_folder`] and [`Self::free_path`]. An error is the reason for a message.
    pub(crate) fn default_path(&self, kind: SaveKind) -> Result<PathBuf, String> {
        let open = self.open.as_ref().ok_or(NO_MODEL)?;
        self.free_path(kind, &self.default_folder(kind, open).ok_or("no folder to save to")?)
    }

    /// A path in the folder that no file has yet. It is named after file, animation and frame (`fox-walk-0012.png`). If the name is
    /// taken, a number is appended. If all of these names are taken, returns the reason for a message.
    fn free_path(&self, kind: SaveKind, folder: &Path) -> Result<PathBuf, String> {
        let open = self.open.as_ref().ok_or(NO_MODEL)?;
        let name = match kind {
            SaveKind::Clip(options) => clip_name(&open.document, &self.view, &options),
            SaveKind::Sheet(options) => sheet_name(&open.document, &self.view, &options),
            SaveKind::Screenshot(_) | SaveKind::View => picture_name(&open.document, &self.view, self.transport.time()),
        };
        // The name may have the extension of a picture. Replace it: a view has another extension, and a sequence has none.
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let extension = if kind.extension().is_empty() { String::new() } else { format!(".{}", kind.extension()) };
        let numbered = (2..=MAX_NAME_NUMBER).map(|number| folder.join(format!("{stem}-{number}{extension}")));
        std::iter::once(folder.join(format!("{stem}{extension}")))
            .chain(numbered)
            .find(|path| !path.exists() && !self.workers.screenshots.is_writing(path))
            .ok_or_else(|| format!("all default file names are taken in {}", folder.display()))
    }

    /// The folder that is suggested for saving. It is the first of these that is known: the folder of the last save, the model's folder,
    /// the pictures folder. For a view, the model's folder comes first. `None` if there is no such folder.
    fn default_folder(&self, kind: SaveKind, open: &OpenDocument) -> Option<PathBuf> {
        let model_folder = || open.document.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        let last_folder = || self.settings.current.save_folder.clone().filter(|folder| folder.is_dir());
        let folder = match kind {
            SaveKind::View => model_folder().or_else(last_folder),
            SaveKind::Screenshot(_) | SaveKind::Clip(_) | SaveKind::Sheet(_) => last_folder().or_else(model_folder),
        };
        folder.or_else(|| self.ui.status.pictures_folder.clone())
    }

    /// The flags that draw the comparison. `None` if nothing is compared, or if B is an earlier version, which is no longer a file.
    fn compared_flags(&self) -> Option<ComparedFlags> {
        let (open, comparison, status) = (self.open.as_ref()?, self.comparison.as_ref()?, self.ui.status.comparison.as_ref()?);
        let file = match comparison.kind {
            OtherKind::File => comparison.other.path.as_ref()?,
            OtherKind::SameFile => open.document.path.as_ref()?,
            OtherKind::PreviousVersion => return None,
        };
        let model = &open.document.model;
        let chosen = status.other_animation(model, &self.view);
        let counterpart = self.view.animation.and_then(|played| pairing::counterpart(model, &status.model, played).ok());
        let layout = status.choices.layout.to_possible_value()?;
        Some(ComparedFlags {
            file: std::path::absolute(file).unwrap_or_else(|_| file.clone()),
            view: layout.get_name().to_owned(),
            animation: chosen.filter(|_| chosen != counterpart),
            stretch: status.choices.timing.stretch,
            offset: status.choices.timing.offset,
        })
    }

    /// Copies the `sinew render` command that draws the picture of the window, or exports `clip`. If flags alone cannot describe the view,
    /// offers to save the view to the file that the command names.
    pub(super) fn copy_command(&mut self, clip: Option<ClipOptions>) {
        let view_path = match self.default_path(SaveKind::View) {
            Ok(path) => path,
            Err(reason) => return self.show_message(format!("Cannot copy the render command: {reason}")),
        };
        let compared = self.compared_flags();
        let (Some(window), Some(open)) = (&mut self.window, &self.open) else { return };
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
        let chosen_size = clip.map_or([0; 2], |options| [options.width, options.height]);
        let theme = theme::picture_colors(&window.egui);
        let command = RenderCommand {
            file: &file,
            document,
            view,
            compared: compared.as_ref(),
            time,
            clip: clip.as_ref().map(|options| (options, options.rate(document, view))),
            size: picture_size::size(chosen_size, &self.ui.status.statistics),
            // By default, the command draws on the background of the dark theme.
            background: (*theme != colors::DARK).then_some(theme.background),
            state: &view_path,
            output: &output,
        };
        let line = render_command::command_line(&command);
        let beyond_flags = render_command::beyond_flags(view, clip.is_some());
        let differences = render_command::differences(&command, self.ui.preferences.names, self.ui.preferences.units.length);
        window.input.set_clipboard_text(line);
        let differences = [differences, self.left_out(clip.is_some())].concat();
        if beyond_flags.is_empty() {
            let differences: String = differences.iter().map(|difference| format!(", {difference}")).collect();
            self.show_message(format!("Copied the sinew render command for this view{differences}"));
        } else {
            // A clip begins with a clock of its own.
            let view = if clip.is_some() { self.view.clone() } else { render_command::saved_view(&self.view, &self.transport.moment()) };
            self.ui.window.ask(Dialog::SaveForCommand { beyond_flags, differences, path: view_path, view: Box::new(view) });
        }
    }

    /// Names the parts of the picture that a render command cannot draw.
    fn left_out(&self, is_clip: bool) -> Vec<&'static str> {
        let is_in_memory = self.ui.status.comparison.as_ref().is_some_and(|status| status.kind == OtherKind::PreviousVersion);
        let parts = [
            (!is_clip && self.transport.moment().fade.is_some(), "without the cross-fade"),
            (is_in_memory, "without the comparison: the previous version is no longer a file"),
        ];
        parts.into_iter().filter_map(|(is_there, part)| is_there.then_some(part)).collect()
    }
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
    fn an_export_needs_all_textures_and_the_end_of_another_export() {
        let done = [ImageState::Ready, ImageState::Failed];
        assert_eq!((export_obstacle(false, &[]), export_obstacle(false, &done)), (None, None));
        assert!(export_obstacle(true, &done).is_some_and(|reason| reason.contains("already being exported")));
        assert!(export_obstacle(false, &[ImageState::Ready, ImageState::Pending]).is_some_and(|reason| reason.contains("textures")));
    }
}
