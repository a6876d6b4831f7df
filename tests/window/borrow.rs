//! Tests the animations of other files in the real window: they are dropped or chosen in a dialog, play on the open model, follow their file
//! on disk, and are remembered with the model.

use std::path::{Path, PathBuf};
use std::time::Duration;

use image::RgbaImage;

use super::desktop::{App, wait_for};
use super::drag::Drag;
use super::reload::{message_shown, status};
use super::{fixture, red};
use crate::common::pixels::differ;

/// The metronome with an animation in which the red square stands still.
fn write_standing(folder: &Path) -> PathBuf {
    let moving = r#"{"sampler":0,"target":{"node":0,"path":"translation"}},"#;
    let standing = fixture::metronome().replace("Tick", "Stand").replace(moving, "");
    let path = folder.join("stand.gltf");
    std::fs::write(&path, standing).unwrap();
    path
}

/// Starts the window with these settings and a paused metronome. `None` without a display.
fn open(file: &Path, config: &Path) -> Option<App> {
    let home = tempfile::tempdir().unwrap();
    App::start_with(home, &[Path::new("--paused"), file], "first.gltf", &[("SINEW_CONFIG_DIR", config)])
}

#[test]
fn the_animations_of_a_dropped_file_play_on_the_open_model_and_are_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let (first, config) = (folder.path().join("first.gltf"), folder.path().join("settings"));
    std::fs::write(&first, fixture::metronome()).unwrap();
    let standing = write_standing(folder.path());
    let Some(app) = open(&first, &config) else { return };
    let start = red(&app.wait_until("the model", |picture| red(picture).is_some())).unwrap();
    // The camera frames each animation, so the square is only about where it was.
    let is_standing = |picture: &image::RgbaImage| red(picture).is_some_and(|red| (red.0 - start.0).abs() < 100.0);
    app.key(&["End"]);
    app.wait_until("the end of its own animation", |picture| red(picture).is_some_and(|red| red.0 > start.0 + 100.0));

    // Without the other file there is no next animation that stands still.
    app.key(&["Alt_L", "Down"]);
    app.key(&["End"]);
    app.settle();
    assert!(!is_standing(&app.still()));

    Drag::over(&app, &[&standing]).drop();
    // The question covers and dims the model.
    app.wait_until("the question", |picture| red(picture).is_none());
    app.key(&["a"]);
    app.wait_until("the model again", |picture| red(picture).is_some());
    // The added animation is the next one, once the file has been read.
    wait_for("the animation of the other file", || {
        app.key(&["Alt_L", "Down"]);
        app.key(&["End"]);
        app.settle();
        is_standing(&app.screenshot()).then_some(())
    });
    assert!(app.close().success());

    let Some(app) = open(&first, &config) else { return };
    app.wait_until("the model", |picture| red(picture).is_some());
    wait_for("the remembered animation", || {
        app.key(&["Alt_L", "Down"]);
        app.key(&["End"]);
        app.settle();
        is_standing(&app.screenshot()).then_some(())
    });
    assert!(app.close().success());
}

#[test]
fn added_animations_follow_their_file_and_keep_the_last_version_while_it_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    let (first, lent) = (folder.path().join("first.gltf"), folder.path().join("lent.gltf"));
    std::fs::write(&first, fixture::metronome()).unwrap();
    let standing = std::fs::read_to_string(write_standing(folder.path())).unwrap();
    let moving = fixture::metronome().replace("Tick", "Stand");
    std::fs::write(&lent, &standing).unwrap();
    let args = [Path::new("--paused"), &first, Path::new("--animation"), Path::new("1"), Path::new("--animations"), &lent];
    let Some(app) = App::start(&args, "first.gltf") else { return };
    app.key(&["End"]);
    let start = red(&app.wait_until("the model", |picture| red(picture).is_some())).unwrap();
    let is_moved = |picture: &RgbaImage| red(picture).is_some_and(|red| red.0 > start.0 + 100.0);
    let is_back = |picture: &RgbaImage| red(picture).is_some_and(|red| (red.0 - start.0).abs() < 2.0);
    let before = app.still();
    assert!(is_back(&before), "the animation of the other file holds the square");

    std::fs::write(&lent, &moving).unwrap();
    app.wait_until("the changed animation, at the same time", is_moved);
    std::fs::write(&lent, "{\"asset\":").unwrap();
    app.wait_until("the message", |picture| message_shown(picture, &before) && is_moved(picture));
    // The frame time in the status bar shows every frame that is drawn: nothing is read again until the file changes.
    let told = app.still();
    std::thread::sleep(Duration::from_secs(5));
    assert_eq!(differ(&app.screenshot(), &told), 0, "the broken file is read once");
    app.key(&["Home"]);
    app.wait_until("the last good version to answer", is_back);
    app.key(&["End"]);
    app.wait_until("the last good version at its end", is_moved);

    std::fs::write(&lent, &standing).unwrap();
    app.wait_until("the repaired file, and no message", |picture| is_back(picture) && !message_shown(picture, &before));
    std::fs::write(&lent, &moving).unwrap();
    let moved = app.wait_until("the next version", is_moved);
    std::fs::remove_file(&lent).unwrap();
    app.wait_until("a word about the deleted file", |picture| {
        is_moved(picture) && (message_shown(picture, &before) || differ(&status(picture), &status(&moved)) > 100)
    });
    std::fs::write(&lent, &standing).unwrap();
    app.wait_until("the file that is back", |picture| is_back(picture) && !message_shown(picture, &before));
}

#[test]
fn files_that_lend_nothing_are_named_in_a_message_and_the_model_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let (first, config) = (folder.path().join("first.gltf"), folder.path().join("settings"));
    std::fs::write(&first, fixture::metronome()).unwrap();
    let (broken, still) = (folder.path().join("broken.gltf"), folder.path().join("still.gltf"));
    std::fs::write(&broken, "{\"asset\":").unwrap();
    std::fs::write(&still, fixture::without_animations()).unwrap();
    for file in [&broken, &still] {
        let Some(app) = open(&first, &config) else { return };
        let before = app.wait_until("the model", |picture| red(picture).is_some());
        Drag::over(&app, &[file]).drop();
        app.wait_until("the question", |picture| red(picture).is_none());
        app.key(&["a"]);
        app.wait_until("the message", |picture| red(picture).is_some() && message_shown(picture, &before));
        app.key(&["End"]);
        app.wait_until("the model's own animation", |picture| red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 100.0));
        assert!(app.close().success());
    }
}
