//! Tests what the window remembers between starts.

use std::path::Path;

use crate::harness::colors::red;
use crate::harness::desktop::{App, wait_for};
use crate::harness::open_metronome;

#[test]
fn display_settings_are_remembered_and_a_view_from_the_command_line_replaces_them() {
    let Some((app, folder)) = open_metronome(true) else { return };
    app.key(&["3"]);
    app.wait_until("clay", |picture| red(picture).is_none());
    let path = app.folder.path().join("config/settings.json");
    let settings = wait_for("the settings", || std::fs::read_to_string(&path).ok().filter(|text| text.contains("\"clay\"")));
    drop(app);
    let start = |args: &[&Path]| {
        let file = folder.path().join("metronome.gltf");
        App::with_settings(&settings, &[&[Path::new("--paused"), &file], args].concat(), "metronome.gltf").unwrap()
    };
    // The model is in the picture once the skeleton of the loaded file can be seen, so wait until the picture stands still.
    let app = start(&[]);
    assert!(red(&app.wait_until_still()).is_none(), "clay again");
    drop(app);
    let view = folder.path().join("view.json");
    std::fs::write(&view, "{}").unwrap();
    let app = start(&[Path::new("--state"), &view]);
    app.wait_until("the colors of the file", |picture| red(picture).is_some());
    let kept = std::fs::read_to_string(app.folder.path().join("config/settings.json")).unwrap();
    assert!(kept.contains("\"clay\""), "{kept}");
}

#[test]
fn recent_files_are_remembered() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let settings = app.folder.path().join("config/settings.json");
    // The settings may have been written before, because of the size of the window.
    wait_for("the file in the settings", || std::fs::read_to_string(&settings).ok().filter(|text| text.contains("metronome.gltf")));
}

#[test]
fn broken_settings_are_set_aside_and_the_window_opens() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config");
    std::fs::create_dir(&config).unwrap();
    std::fs::write(config.join("settings.json"), "{ \"preferences\": 7").unwrap();
    let Some(app) = App::start_in(folder, &[], "Sample model") else { return };
    assert_eq!(std::fs::read_to_string(config.join("settings.json.broken")).unwrap(), "{ \"preferences\": 7");
    assert_eq!(app.close().code(), Some(0));
}
