//! The system's file dialogs. Each waits on a thread of its own, so that the window goes on moving.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use crate::asset::file::panorama;

use super::worker_events::{AppEvent, NoDialog, Saving};

/// A dialog that is closed sooner than a person can was never shown: no portal answered.
const NOBODY_ANSWERED: Duration = Duration::from_millis(250);

pub fn open(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let mut dialog = rfd::AsyncFileDialog::new()
        .set_parent(window)
        .set_title("Open a glTF file")
        .add_filter("glTF models", &["glb", "gltf", "vrm", "zip"])
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

/// A panorama for the light.
pub fn environment(window: &Window, folder: Option<&Path>, proxy: EventLoopProxy<AppEvent>) {
    let mut dialog =
        rfd::AsyncFileDialog::new().set_parent(window).set_title("Open an environment").add_filter("Panoramas", &panorama::ENDINGS);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let (asked, chosen) = (Instant::now(), dialog.pick_file());
    std::thread::spawn(move || {
        let event = match pollster::block_on(chosen) {
            Some(file) => AppEvent::EnvironmentChosen(file.path().to_owned()),
            None if asked.elapsed() < NOBODY_ANSWERED => AppEvent::NoDialog(NoDialog::Environment),
            None => return,
        };
        let _ = proxy.send_event(event);
    });
}

pub fn save(window: &Window, folder: &Path, name: &str, saving: Saving, proxy: EventLoopProxy<AppEvent>) {
    let (title, kind) = match saving {
        Saving::Picture(_) => ("Save the picture", "PNG picture"),
        Saving::Clip(options) => ("Export the clip", options.format.label()),
        Saving::View => ("Save the view", "View"),
    };
    let dialog = rfd::AsyncFileDialog::new().set_parent(window).set_title(title).set_directory(folder).set_file_name(name);
    let dialog = if saving.extension().is_empty() { dialog } else { dialog.add_filter(kind, &[saving.extension()]) };
    let (asked, chosen) = (Instant::now(), dialog.save_file());
    std::thread::spawn(move || {
        let chosen = pollster::block_on(chosen).map(|file| file.path().to_owned());
        let path = chosen.as_deref().map(|path| with_extension(path, saving.extension()));
        let event = if path.is_none() && asked.elapsed() < NOBODY_ANSWERED {
            AppEvent::NoDialog(NoDialog::Save(saving))
        } else {
            // Of a folder only its name was asked for, not whether its files may be replaced.
            let asked = path == chosen && !saving.extension().is_empty();
            AppEvent::PlaceChosen { saving, asked, path }
        };
        let _ = proxy.send_event(event);
    });
}

/// A name without an ending gets one; a folder needs none.
fn with_extension(path: &Path, wanted: &str) -> PathBuf {
    if wanted.is_empty() || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted)) {
        return path.to_owned();
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(wanted);
    path.with_file_name(name)
}
