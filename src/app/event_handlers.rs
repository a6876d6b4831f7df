//! Applies the results of background threads and dialogs to the window's state. `window::winit_events` calls one method per event.

use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::Instant;

use egui::ColorImage;
use egui_winit::accesskit_winit::WindowEvent as AccessEvent;

use image::RgbaImage;

use crate::render::material::mipmap::PreparedImage;
use crate::session::file::file_list::file_name;
use crate::session::view::View;
use crate::system_fonts::SystemFont;
use crate::ui::context::window_state::Dialog;

use super::documents::recent_files;
use super::startup_timings::Step;
use super::worker_events::{NoDialog, PreviewedImage, ReadEnvironment, SaveKind, SaveOutcome};
use super::workers::pictures::environment::{EnvironmentOutcome, EnvironmentUpdate, reading_message};
use super::{App, SAVED_MESSAGE_DURATION};

/// Maximum length of the list of recent environments.
const MAX_RECENT_ENVIRONMENTS: usize = 8;

impl App {
    /// Receives a decoded image of the open model, or its error. `job` is the load that it belongs to, and `decoding` a step of the start.
    pub(super) fn image_decoded(&mut self, job: u64, index: usize, image: Result<PreparedImage, String>, decoding: Step) {
        let (Some(open), Some(window)) = (&mut self.open, &self.window) else { return };
        if open.job != job {
            return;
        }
        // A new texture changes the picture.
        open.moving.stillness.forget();
        let start = Instant::now();
        let mut gpu_model = open.gpu_model.write().unwrap_or_else(PoisonError::into_inner);
        open.document.image_done(index, gpu_model.receive_image(&window.gpu, index, image));
        if let Some(timings) = &mut self.startup_timings {
            timings.add_part(decoding);
            timings.add_part(Step::since("upload images", start));
        }
    }

    /// Receives an image that was decoded for the panels, or its error.
    pub(super) fn image_previewed(&mut self, answer: PreviewedImage) {
        self.workers.previews.receive(self.proxy.clone());
        let (Some(open), Some(window)) = (&self.open, &self.window) else { return };
        if open.document.id == answer.order.document {
            self.ui.status.previews.get(&open.document).receive(&window.egui, &answer.order, answer.decoded);
        }
    }

    /// Starts reading an environment that the user chose. The view refers to it only after it was read.
    pub(super) fn read_environment(&mut self, path: PathBuf) {
        let path = std::path::absolute(&path).unwrap_or(path);
        let Some(window) = &self.window else { return };
        self.workers.environment.start(path.clone(), true, window, self.proxy.clone());
        self.show_message(reading_message(&path));
    }

    /// Starts reading the environment that the view names, if another one is in use.
    pub(super) fn update_environment(&mut self) {
        let Some(window) = &mut self.window else { return };
        match self.workers.environment.update(&self.view, window, &self.proxy) {
            EnvironmentUpdate::Unchanged => {}
            EnvironmentUpdate::Started(path) => self.show_message(reading_message(&path)),
            EnvironmentUpdate::Studio => self.request_frame(),
        }
    }

    /// Receives an environment that was read, or its error.
    pub(super) fn environment_read(&mut self, read: ReadEnvironment) {
        match self.workers.environment.receive(read, self.window.as_mut()) {
            EnvironmentOutcome::Ignored => {}
            EnvironmentOutcome::Lit { path, is_chosen } => {
                self.show_message(format!("Lighting from {}", file_name(&path)));
                if is_chosen {
                    let recent = &mut self.ui.preferences.recent_environments;
                    recent_files::remember(recent, &path);
                    recent.truncate(MAX_RECENT_ENVIRONMENTS);
                    self.settings.current.environment_folder = path.parent().map(PathBuf::from);
                    self.view.display.environment.file = Some(path);
                }
            }
            EnvironmentOutcome::Failed { path, message, current } => {
                // Where the view and its history name the failed file, they get the name of the environment in use.
                let replace = |view: &mut View| {
                    let file = &mut view.display.environment.file;
                    if file.as_ref() == Some(&path) {
                        file.clone_from(&current);
                    }
                };
                replace(&mut self.view);
                self.undo.amend(replace);
                self.fail(file_name(&path), message);
            }
        }
    }

    /// Handles a system without file dialogs: a message says so and names another way, if there is one. Saving uses the
    /// default path, if there is one.
    pub(super) fn dialog_unavailable(&mut self, dialog: NoDialog) {
        match dialog {
            NoDialog::Open => {
                let drop = if self.ui.status.can_drop { "Drop the file on this window, or start" } else { "Start" };
                self.show_message(format!("No file dialog available on this system. {drop} sinew with the file name."));
            }
            NoDialog::Compare => {
                let drop = if self.ui.status.can_drop { "Drop the file on this window, or start" } else { "Start" };
                self.show_message(format!("No file dialog available on this system. {drop} sinew with --compare and the file name."));
            }
            NoDialog::Animations => {
                self.show_message("No file dialog available on this system. Start sinew with --animations and the file names.".into());
            }
            NoDialog::Environment => {
                let drop = if self.ui.status.can_drop { " Drop the .hdr or .exr on this window." } else { "" };
                self.show_message(format!("No file dialog available on this system.{drop}"));
            }
            NoDialog::ScreenshotFolder => {
                self.show_message("No file dialog available on this system. Type the path of the folder.".into());
            }
            NoDialog::Save(kind) => {
                match self.default_path(kind) {
                    Ok(path) => self.save(kind, path, false),
                    Err(reason) => self.show_message(format!("No file dialog available on this system, and {reason}")),
                }
                self.end_path_choice(kind);
            }
        }
    }

    /// Saves to the path that the user chose, if any. The next save dialog starts in its folder.
    pub(super) fn save_path_chosen(&mut self, kind: SaveKind, path: Option<PathBuf>, overwrite: bool) {
        if let Some(path) = path {
            self.settings.current.save_folder = path.parent().map(PathBuf::from);
            self.settings.write_soon(Instant::now());
            self.save(kind, path, overwrite);
        }
        self.end_path_choice(kind);
    }

    /// Lets time go on after the system's dialog for the path of a screenshot has closed.
    fn end_path_choice(&mut self, kind: SaveKind) {
        if matches!(kind, SaveKind::Screenshot(_)) {
            self.is_choosing_picture_path = false;
            // No frames may have been drawn while the dialog was open.
            self.clock.skip();
            self.request_frame();
        }
    }

    /// Shows how saving or exporting ended, or asks whether an existing file may be replaced.
    pub(super) fn save_finished(&mut self, outcome: SaveOutcome) {
        match outcome {
            SaveOutcome::Written(path) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                let folder = path.parent().map_or(String::new(), |folder| format!(" in {}", folder.display()));
                self.show_message_for(SAVED_MESSAGE_DURATION, format!("Saved {}{folder}", file_name(&path)));
                self.ui.status.saved = Some(path);
            }
            SaveOutcome::Drawn(picture) => self.copy_to_clipboard(&picture),
            SaveOutcome::ScreenshotExists { options, path } => self.ui.window.ask(Dialog::Overwrite { options, path }),
            SaveOutcome::ClipExists { options, path } => self.ui.window.ask(Dialog::OverwriteClip { options, path }),
            SaveOutcome::SheetExists { options, path } => self.ui.window.ask(Dialog::OverwriteSheet { options, path }),
            SaveOutcome::Canceled => self.show_message("Export canceled, no file written".into()),
            SaveOutcome::Failed(message) => self.fail("Save failed".into(), message),
        }
    }

    /// Copies a picture to the clipboard.
    fn copy_to_clipboard(&mut self, picture: &RgbaImage) {
        let Some(window) = &self.window else { return };
        let [width, height] = [picture.width(), picture.height()];
        window.egui.copy_image(ColorImage::from_rgba_unmultiplied([width as usize, height as usize], picture));
        self.show_message(format!("Copied a picture of {width} \u{D7} {height} pixels"));
    }

    /// Receives system fonts with glyphs for missing characters.
    pub(super) fn fonts_found(&mut self, found: Vec<SystemFont>) {
        if let Some(window) = &self.window {
            self.workers.fonts.receive(found, &window.egui);
        }
    }

    /// Handles an event of the screen reader: it starts, stops, or performs an action on a control.
    pub(super) fn access_event(&mut self, event: egui_winit::accesskit_winit::Event) {
        let Some(window) = &mut self.window else { return };
        match event.window_event {
            AccessEvent::InitialTreeRequested => window.egui.enable_accesskit(),
            AccessEvent::ActionRequested(request) => window.input.on_accesskit_action_request(request),
            AccessEvent::AccessibilityDeactivated => window.egui.disable_accesskit(),
        }
    }
}
