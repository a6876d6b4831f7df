//! The system's file dialogs. A background thread waits for each dialog and sends the answer as an event, so that the window continues to
//! draw.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use crate::asset::file::panorama;

use crate::app::App;
use crate::app::worker_events::{AppEvent, NoDialog};
use crate::ui::context::request::SaveKind;

/// A dialog that ends sooner than this was not shown, because no user can close it so fast. Usually, the desktop portal is missing.
const MIN_DIALOG_TIME: Duration = Duration::from_millis(250);
/// The start of the message about a system without file dialogs.
const NO_DIALOG: &str = if cfg!(target_os = "linux") {
    "No file dialog available on this system (install xdg-desktop-portal or zenity)"
} else {
    "No file dialog available on this system"
};

/// A dialog over the window. `folder` is where it starts.
fn dialog(window: &Window, title: &str, folder: Option<&Path>) -> rfd::AsyncFileDialog {
    let dialog = rfd::AsyncFileDialog::new().set_parent(window).set_title(title);
    if let Some(folder) = folder { dialog.set_directory(folder) } else { dialog }
}

/// A dialog that offers glTF files.
fn gltf_dialog(window: &Window, title: &str, folder: Option<&Path>) -> rfd::AsyncFileDialog {
    dialog(window, title, folder).add_filter("glTF files", &["glb", "gltf", "vrm", "zip"]).add_filter("All files", &["*"])
}

/// Waits for a dialog on a thread. Sends the event of its answer, which is `None` if the user canceled, or `unavailable` if the system
/// shows no dialogs.
fn send_answer<T: 'static>(
    chosen: impl Future<Output = Option<T>> + Send + 'static,
    unavailable: NoDialog,
    proxy: EventLoopProxy<AppEvent>,
    event: impl FnOnce(Option<T>) -> Option<AppEvent> + Send + 'static,
) {
    let start = Instant::now();
    std::thread::spawn(move || {
        let answer = pollster::block_on(chosen);
        let is_unavailable = answer.is_none() && start.elapsed() < MIN_DIALOG_TIME;
        let event = if is_unavailable { Some(AppEvent::NoDialog(unavailable)) } else { event(answer) };
        if let Some(event) = event {
            event.send(&proxy);
        }
    });
}

/// Asks for a model to open. `folder` is where the dialog starts.
pub fn open(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = gltf_dialog(window, "Open glTF file", folder).pick_file();
    send_answer(chosen, NoDialog::Open, proxy, |file| Some(AppEvent::FileChosen(file?.path().to_owned())));
}

/// Asks for a model to compare the open one with. `folder` is where the dialog starts.
pub fn compare(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = gltf_dialog(window, "Compare with", folder).pick_file();
    send_answer(chosen, NoDialog::Compare, proxy, |file| Some(AppEvent::CompareChosen(file?.path().to_owned())));
}

/// Asks for files whose animations the open model is to play. `folder` is where the dialog starts.
pub fn animations(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = gltf_dialog(window, "Add animations from", folder).pick_files();
    send_answer(chosen, NoDialog::Animations, proxy, |files| {
        Some(AppEvent::AnimationsChosen(files?.iter().map(|file| file.path().to_owned()).collect()))
    });
}

/// Asks for a panorama that lights the model.
pub fn environment(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = dialog(window, "Open environment", folder).add_filter("Panoramas", &panorama::FILE_EXTENSIONS).pick_file();
    send_answer(chosen, NoDialog::Environment, proxy, |file| Some(AppEvent::EnvironmentChosen(file?.path().to_owned())));
}

/// Asks for the folder of quick screenshots.
pub fn folder(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = dialog(window, "Folder for quick screenshots", folder).pick_folder();
    send_answer(chosen, NoDialog::ScreenshotFolder, proxy, |folder| Some(AppEvent::ScreenshotFolderChosen(folder?.path().to_owned())));
}

/// Asks where to save a file of this kind. `folder` and `name` are the suggestion.
pub fn save(window: &Window, folder: &Path, name: &str, kind: SaveKind, proxy: EventLoopProxy<AppEvent>) {
    let (title, filter) = match kind {
        SaveKind::Screenshot(_) => ("Save screenshot", "PNG image"),
        SaveKind::Clip(options) => ("Export clip", options.format.label()),
        SaveKind::ContactSheet(_) => ("Export contact sheet", "PNG image"),
        SaveKind::View => ("Save view file", "View file"),
    };
    let dialog = dialog(window, title, Some(folder)).set_file_name(name);
    let dialog = if kind.extension().is_empty() { dialog } else { dialog.add_filter(filter, &[kind.extension()]) };
    send_answer(dialog.save_file(), NoDialog::Save(kind), proxy, move |file| {
        let chosen = file.map(|file| file.path().to_owned());
        let path = chosen.as_deref().map(|path| with_extension(path, kind.extension()));
        // The user agreed to replace a file only if the dialog asked about exactly this name: not if an extension was added, and not for a
        // folder, whose files the dialog does not know.
        let overwrite = path == chosen && !kind.extension().is_empty();
        Some(AppEvent::SavePathChosen { kind, path, overwrite })
    });
}

impl App {
    /// Handles a system without file dialogs: a message says so and names another way, if there is one. Saving needs no dialog.
    pub(crate) fn dialog_unavailable(&mut self, dialog: NoDialog) {
        let can_drop = self.ui.status.can_drop;
        let start = if can_drop { "Drop the file on this window, or start" } else { "Start" };
        let other_way = match dialog {
            NoDialog::Open => format!(" {start} sinew with the file name."),
            NoDialog::Compare => format!(" {start} sinew with --compare and the file name."),
            NoDialog::Animations => " Start sinew with --animations and the file names.".into(),
            NoDialog::Environment if can_drop => " Drop the .hdr or .exr on this window.".into(),
            NoDialog::Environment => String::new(),
            NoDialog::ScreenshotFolder => " Type the path of the folder.".into(),
            NoDialog::Save(kind) => return self.save_without_dialog(kind),
        };
        self.show_message(format!("{NO_DIALOG}.{other_way}"));
    }

    /// Saves to the default path, if there is one.
    fn save_without_dialog(&mut self, kind: SaveKind) {
        match self.default_path(kind) {
            Ok(path) => self.save(kind, path, false),
            Err(reason) => self.show_message(format!("{NO_DIALOG}, and {reason}")),
        }
        self.end_path_choice(kind);
    }
}

/// Adds the extension if the user left it out. For a folder, `extension` is empty.
fn with_extension(path: &Path, extension: &str) -> PathBuf {
    if extension.is_empty() || path.extension().is_some_and(|existing| existing.eq_ignore_ascii_case(extension)) {
        return path.to_owned();
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(extension);
    path.with_file_name(name)
}
