//! Tests stepping through a folder, loading ahead, and the file strip, with a real folder.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::event::{AccessKind, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::harness::colors::{green, is_blue, is_red, red};
use crate::harness::desktop::{App, wait_for};
use crate::harness::fixture;
use crate::harness::picture_parts::{STRIP, TILE, TILES, in_tile};

/// Writes a red or blue metronome.
fn model(folder: &Path, name: &str, is_red: bool) -> PathBuf {
    let text = fixture::metronome();
    let text = if is_red { text } else { text.replace("[1,0,0,1]", "[0,0,1,1]") };
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn from_a_single_file_the_keys_step_through_its_folder_in_natural_order() {
    let folder = tempfile::tempdir().unwrap();
    let second = model(folder.path(), "Walk9.gltf", true);
    model(folder.path(), "walk10.gltf", false);
    model(folder.path(), "idle.gltf", false);
    for other in ["notes.txt", ".hidden.glb", "pack.zip"] {
        std::fs::write(folder.path().join(other), "no model").unwrap();
    }
    let Some(app) = App::start(&[&second, Path::new("--paused")], "Walk9.gltf (2 of 3)") else { return };
    app.key(&["Next"]);
    app.wait_for_title("walk10.gltf (3 of 3)");
    app.wait_until("the blue model", |picture| red(picture).is_none() && green(picture).is_some());
    app.key(&["Next"]);
    app.wait_for_title("idle.gltf (1 of 3)");
    app.key(&["Prior"]);
    app.wait_for_title("walk10.gltf (3 of 3)");
}

#[test]
fn the_strip_shows_thumbnails_and_a_click_opens() {
    let folder = tempfile::tempdir().unwrap();
    let first = model(folder.path(), "a.gltf", true);
    model(folder.path(), "b.gltf", false);
    std::fs::write(folder.path().join("c.gltf"), "{ \"asset\": {} }").unwrap();
    let Some(app) = App::start(&[&first, Path::new("--paused")], "a.gltf (1 of 3)") else { return };
    app.key(&["F4"]);
    let is_error = |[r, g, b, _]: [u8; 4]| r > 220 && g.abs_diff(0x6B) < 40 && b.abs_diff(0x6B) < 40;
    app.wait_until("two pictures and a mark", |picture| {
        in_tile(picture, 0, is_red) > 20 && in_tile(picture, 1, is_blue) > 20 && in_tile(picture, 2, is_error) > 20
    });
    app.click(TILES + TILE + TILE / 2, STRIP + 40);
    app.wait_for_title("b.gltf (2 of 3)");
    app.wait_until("the blue model", |picture| red(picture).is_none() && green(picture).is_some());
    // Change the first file while its thumbnail is shown, and step to it.
    model(folder.path(), "a.gltf", false);
    app.key(&["Prior"]);
    app.wait_for_title("a.gltf (1 of 3)");
    let settings = || std::fs::read_to_string(app.folder.path().join("config/settings.json")).unwrap_or_default();
    wait_for("the strip among the settings", || settings().contains("\"file_strip\": true").then_some(()));
    app.key(&["F4"]);
    app.wait_until("the strip to go", |picture| in_tile(picture, 1, is_blue) == 0);
    assert_eq!(app.close().code(), Some(0));
}

/// Records which files of a folder are opened for reading.
struct Opened {
    _watcher: RecommendedWatcher,
    events: Receiver<notify::Result<notify::Event>>,
}

impl Opened {
    fn watch(folder: &Path) -> Self {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender).unwrap();
        watcher.watch(folder, RecursiveMode::NonRecursive).unwrap();
        Self { _watcher: watcher, events }
    }

    /// Returns the names of the files that were opened since the last call. Waits until no file has been opened for a second.
    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        while let Ok(event) = self.events.recv_timeout(Duration::from_secs(1)) {
            let event = event.unwrap();
            if matches!(event.kind, EventKind::Access(AccessKind::Open(_))) {
                let named = event.paths.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
                names.extend(named.filter(|name| name.ends_with(".gltf")));
            }
        }
        names.sort();
        names.dedup();
        names
    }
}

#[test]
fn the_next_file_is_loaded_ahead_and_read_again_only_if_it_changed() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a.gltf", "b.gltf", "c.gltf", "d.gltf"];
    let files = names.map(|name| model(folder.path(), name, true));
    let opened = Opened::watch(folder.path());
    let Some(app) = App::start(&[&files[0], Path::new("--paused")], "a.gltf (1 of 4)") else { return };
    assert_eq!(opened.names(), ["a.gltf"], "after a single file is opened, nothing is loaded ahead");
    app.key(&["Next"]);
    app.wait_for_title("b.gltf (2 of 4)");
    assert_eq!(opened.names(), ["b.gltf", "c.gltf"]);
    app.key(&["Next"]);
    app.wait_for_title("c.gltf (3 of 4)");
    assert_eq!(opened.names(), ["d.gltf"], "the third file was loaded ahead");
    // The file that was loaded ahead changes on disk.
    model(folder.path(), "d.gltf", false);
    opened.names();
    app.key(&["Next"]);
    app.wait_for_title("d.gltf (4 of 4)");
    app.wait_until("the changed model", |picture| red(picture).is_none() && green(picture).is_some());
    assert_eq!(opened.names(), ["a.gltf", "d.gltf"]);
    // After a step backward, the previous file is loaded ahead.
    app.key(&["Prior"]);
    app.wait_for_title("c.gltf (3 of 4)");
    assert_eq!(opened.names(), ["b.gltf", "c.gltf"]);
}
