//! The system's file dialogs. Each waits on a thread of its own, so that the window goes on moving.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use crate::ui::ScreenshotOptions;

use super::events::{AppEvent, NoDialog};

/// A dialog that is closed sooner than a person can was never shown: no portal answered.
const NOBODY_ANSWERED: Duration = Duration::from_millis(250);

pub fn open(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let mut dialog = rfd::AsyncFileDialog::new()
        .set_parent(window)
        .set_title("Open a glTF file")
        .add_filter("glTF models", &["glb", "gltf"])
        .add_filter("All files", &["*"]);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let (asked, chosen) = (Instant::now(), dialog.pick_file());
    std::thread::spawn(move || {
        let path = pollster::block_on(chosen).map(|file| file.path().to_owned());
        let event = if path.is_none() && asked.elapsed() < NOBODY_ANSWERED {
            AppEvent::NoDialog(NoDialog::Open)
        } else {
            AppEvent::FileChosen(path)
        };
        let _ = proxy.send_event(event);
    });
}

pub fn save(window: &Window, folder: &Path, name: &str, options: ScreenshotOptions, proxy: EventLoopProxy<AppEvent>) {
    let dialog = rfd::AsyncFileDialog::new()
        .set_parent(window)
        .set_title("Save the picture")
        .add_filter("PNG picture", &["png"])
        .set_directory(folder)
        .set_file_name(name);
    let (asked, chosen) = (Instant::now(), dialog.save_file());
    std::thread::spawn(move || {
        let path = pollster::block_on(chosen).map(|file| with_png(file.path()));
        let event = if path.is_none() && asked.elapsed() < NOBODY_ANSWERED {
            AppEvent::NoDialog(NoDialog::Save(options))
        } else {
            AppEvent::PlaceChosen { options, path }
        };
        let _ = proxy.send_event(event);
    });
}

/// A name without an ending gets one.
fn with_png(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
        return path.to_owned();
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".png");
    path.with_file_name(name)
}
