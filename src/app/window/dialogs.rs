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

/// A dialog over the window. `folder` is where it starts.
fn dialog(window: &Window, title: &str, folder: Option<&Path>) -> rfd::AsyncFileDialog {
    let dialog = rfd::AsyncFileDialog::new().set_parent(window).set_title(title);
    if let Some(folder) = folder { dialog.set_directory(folder) } else { dialog }
}

/// A dialog that offers glTF files.
fn gltf_dialog(window: &Window, title: &str, folder: Option<&Path>) -> rfd::AsyncFileDialog {
    dialog(window, title, folder).add_filter("glTF files", &["glb", "gltf", "vrm", "zip"]).add_filter("All files", &["*"])
}

/// Waits for a dialog on a thread. Sends the event of its answer, or `unavailable` if the system shows no dialogs. A canceled dialog sends
/// nothing.
fn send_answer<T: 'static>(
    chosen: impl Future<Output = Option<T>> + Send + 'static,
    unavailable: NoDialog,
    proxy: EventLoopProxy<AppEvent>,
    event: impl FnOnce(T) -> AppEvent + Send + 'static,
) {
    let start = Instant::now();
    std::thread::spawn(move || {
        let event = match pollster::block_on(chosen) {
            Some(answer) => event(answer),
            None if start.elapsed() < MIN_DIALOG_TIME => AppEvent::NoDialog(unavailable),
            None => return,
        };
        event.send(&proxy);
    });
}

/// Asks for a model to open. `folder` is where the dialog starts.
pub fn open(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = gltf_dialog(window, "Open glTF file", folder).pick_file();
    send_answer(chosen, NoDialog::Open, proxy, |file| AppEvent::FileChosen(file.path().to_owned()));
}

/// Asks for a model to compare the open one with. `folder` is where the dialog starts.
pub fn compare(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = gltf_dialog(window, "Compare with", folder).pick_file();
    send_answer(chosen, NoDialog::Compare, proxy, |file| AppEvent::CompareChosen(file.path().to_owned()));
}

/// Asks for files whose animations the open model is to play. `folder` is where the dialog starts.
pub fn animations(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = gltf_dialog(window, "Add animations from", folder).pick_files();
    let event = |files: Vec<rfd::FileHandle>| AppEvent::AnimationsChosen(files.iter().map(|file| file.path().to_owned()).collect());
    send_answer(chosen, NoDialog::Animations, proxy, event);
}

/// Asks for a panorama that lights the model.
pub fn environment(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = dialog(window, "Open environment", folder).add_filter("Panoramas", &panorama::FILE_EXTENSIONS).pick_file();
    send_answer(chosen, NoDialog::Environment, proxy, |file| AppEvent::EnvironmentChosen(file.path().to_owned()));
}

/// Asks for the folder of quick screenshots.
pub fn folder(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let chosen = dialog(window, "Folder of quick screenshots", folder).pick_folder();
    send_answer(chosen, NoDialog::ScreenshotFolder, proxy, |folder| AppEvent::ScreenshotFolderChosen(folder.path().to_owned()));
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
    let (start, chosen) = (Instant::now(), dialog.save_file());
    std::thread::spawn(move || {
        let chosen = pollster::block_on(chosen).map(|file| file.path().to_owned());
        let path = chosen.as_deref().map(|path| with_extension(path, kind.extension()));
        let event = if path.is_none() && start.elapsed() < MIN_DIALOG_TIME {
            AppEvent::NoDialog(NoDialog::Save(kind))
        } else {
            // The user agreed to replace a file only if the dialog asked about exactly this name: not if an extension was added, and not
            // for a folder, whose files the dialog does not know.
            let overwrite = path == chosen && !kind.extension().is_empty();
            AppEvent::SavePathChosen { kind, path, overwrite }
        };
        event.send(&proxy);
    });
}

impl App {
    /// Handles a system without file dialogs: a message says so and names another way, if there is one. Saving uses the
    /// default path, if there is one.
    pub(crate) fn dialog_unavailable(&mut self, dialog: NoDialog) {
        let start = if self.ui.status.can_drop { "Drop the file on this window, or start" } else { "Start" };
        match dialog {
            NoDialog::Open => {
                self.show_message(format!("No file dialog available on this system. {start} sinew with the file name."));
            }
            NoDialog::Compare => {
                self.show_message(format!("No file dialog available on this system. {start} sinew with --compare and the file name."));
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
