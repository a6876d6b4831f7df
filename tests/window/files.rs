//! Tests several files at once, and archives, in the real window.

use std::io::Write;
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;

use crate::common::pixels::differ;

use super::desktop::{App, wait_for};
use super::drag::Drag;
use super::{fixture, green, red};

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn titled(app: &App, title: &str) {
    wait_for(title, || app.desktop.find_window(title));
}

#[test]
fn stepping_through_dropped_files_passes_a_broken_one() {
    let Some(app) = App::start(&[Path::new("--paused")], "Sample model") else { return };
    let folder = tempfile::tempdir().unwrap();
    let first = write(folder.path(), "first.gltf", &fixture::metronome());
    let broken = write(folder.path(), "broken.gltf", "{ \"asset\": {} }");
    let last = write(folder.path(), "last.gltf", &fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]"));
    Drag::over(&app, &[&first, &broken, &last]).drop();
    titled(&app, "first.gltf (1 of 3)");
    let whole = app.wait_until("the first model", |picture| red(picture).is_some());
    app.key(&["Next"]);
    app.wait_until("the message", |picture| differ(picture, &whole) > 500 && red(picture).is_some());
    titled(&app, "first.gltf (1 of 3)");
    app.key(&["Next"]);
    titled(&app, "last.gltf (3 of 3)");
    app.wait_until("the last model", |picture| red(picture).is_none() && green(picture).is_some());
    app.key(&["Next"]);
    titled(&app, "first.gltf (1 of 3)");
    app.key(&["Prior"]);
    titled(&app, "last.gltf (3 of 3)");
    let recent = || std::fs::read_to_string(app.folder.path().join("config/settings.json")).unwrap_or_default();
    wait_for("what was dropped among the recent files", || recent().contains("first.gltf").then_some(()));
    assert!(!recent().contains("last.gltf"), "who steps past a file has not opened it");
    // A file that is opened alone has no neighbors.
    Drag::over(&app, &[&first]).drop();
    titled(&app, "first.gltf - Sinew");
    app.key(&["Next"]);
    app.settle();
    titled(&app, "first.gltf - Sinew");
}

#[test]
fn if_the_first_of_several_files_is_broken_the_next_one_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let broken = write(folder.path(), "broken.gltf", "{ \"asset\": {} }");
    let good = write(folder.path(), "good.gltf", &fixture::metronome());
    let Some(app) = App::start(&[&broken, &good], "Sample model") else { return };
    app.key(&["Next"]);
    titled(&app, "good.gltf (2 of 2)");
    app.wait_until("the model", |picture| red(picture).is_some());
}

#[test]
fn a_dropped_archive_opens_and_is_reloaded() {
    let Some(app) = App::start(&[Path::new("--paused")], "Sample model") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("métronome.zip");
    let pack = |gltf: &str| {
        let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
        archive.start_file("in/metronome.gltf", SimpleFileOptions::default()).unwrap();
        archive.write_all(gltf.as_bytes()).unwrap();
        archive.finish().unwrap();
    };
    pack(&fixture::metronome());
    Drag::over(&app, &[&path]).drop();
    titled(&app, "métronome.zip - Sinew");
    app.wait_until("the model of the archive", |picture| red(picture).is_some() && green(picture).is_some());
    pack(&fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]"));
    app.key(&["F5"]);
    app.wait_until("the changed model", |picture| red(picture).is_none() && green(picture).is_some());
    titled(&app, "métronome.zip - Sinew");
}
