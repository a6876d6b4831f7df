//! Tests in the real window that the animations of a dropped file play on the open model, and that the window remembers them for this
//! model.

use std::path::{Path, PathBuf};

use super::desktop::{App, wait_for};
use super::drag::Drag;
use super::{fixture, red};

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
