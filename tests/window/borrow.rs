//! Tests the animations of other files in the real window. They are dropped or chosen in a dialog, play on the open model, change with
//! their file on disk, are paired by hand, removed, and remembered with the model.

use std::path::{Path, PathBuf};
use std::time::Duration;

use image::RgbaImage;
use serde_json::{Value, json};

use crate::common::pixels::differ;
use crate::harness::colors::{green, is_red, red};
use crate::harness::commands::perform;
use crate::harness::desktop::{App, HEIGHT, WIDTH, wait_for};
use crate::harness::dialogs::Dialogs;
use crate::harness::drag::Drag;
use crate::harness::fixture;
use crate::harness::picture_parts::{Half, message_shown, only, status};

/// The heading of the first other file in the list of animations, if the model has one animation of its own, and the button that removes
/// the file.
const HEADING: (i32, i32) = (40, 155);
const REMOVE: (i32, i32) = (281, 155);

/// A button of the binding report: "Pair..." beside the only unpaired joint of the other file. After a click on it, "Pair" beside the only
/// unpaired joint of the model has the same position.
const PAIR: (i32, i32) = (WIDTH as i32 / 2 + 232, HEIGHT as i32 / 2);

/// Writes the metronome with an animation in which the red square stands still.
fn write_standing(folder: &Path) -> PathBuf {
    let moving = r#"{"sampler":0,"target":{"node":0,"path":"translation"}},"#;
    let standing = fixture::metronome().replace("Tick", "Stand").replace(moving, "");
    let path = folder.join("stand.gltf");
    std::fs::write(&path, standing).unwrap();
    path
}

/// Starts the window with these settings and a paused metronome. Returns `None` without a display.
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
    // The camera frames each animation separately, so the position of the square is compared only roughly.
    let is_standing = |picture: &image::RgbaImage| red(picture).is_some_and(|red| (red.0 - start.0).abs() < 100.0);
    app.key(&["End"]);
    app.wait_until("the end of its own animation", |picture| red(picture).is_some_and(|red| red.0 > start.0 + 100.0));

    // Without the other file, there is no animation in which the square stands still.
    app.key(&["Alt_L", "Down"]);
    app.key(&["End"]);
    app.settle();
    assert!(red(&app.wait_until_still()).is_some_and(|red| (red.0 - start.0).abs() >= 100.0));

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

    // A file that was deleted is forgotten, so that it is not missed at every opening.
    std::fs::remove_file(&standing).unwrap();
    let Some(app) = open(&first, &config) else { return };
    wait_for("the settings to forget the deleted file", || remembered(&config, "first.gltf").is_empty().then_some(()));
    assert!(app.close().success());
}

/// Returns the other files that the settings remember for a model: their names and the pairs made by hand.
fn remembered(config: &Path, model: &str) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(config.join("settings.json")).unwrap_or_default();
    let settings: Value = serde_json::from_str(&text).unwrap_or_default();
    let models = settings["preferences"]["borrowed"].as_array().cloned().unwrap_or_default();
    let files = models.iter().find(|of| of["model"].as_str().is_some_and(|path| path.ends_with(model)));
    let files = files.and_then(|of| of["files"].as_array()).cloned().unwrap_or_default();
    let name = |file: &Value| file["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    files.iter().map(|file| (name(file), file["retarget"]["pairs"].clone())).collect()
}

/// Waits until the settings remember these files of the first model.
fn wait_for_remembered(config: &Path, files: &[(&str, Value)]) {
    let expected: Vec<_> = files.iter().map(|(name, pairs)| ((*name).to_owned(), pairs.clone())).collect();
    wait_for("the settings", || (remembered(config, "first.gltf") == expected).then_some(()));
}

#[test]
fn files_chosen_in_the_dialog_are_added_removed_one_by_one_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let (first, config) = (folder.path().join("first.gltf"), folder.path().join("settings"));
    let lent = folder.path().join("lent.gltf");
    std::fs::write(&first, fixture::metronome()).unwrap();
    std::fs::write(&lent, fixture::metronome().replace("Tick", "Lent")).unwrap();
    let standing = write_standing(folder.path());
    let (dialogs, home) = (Dialogs::new(), tempfile::tempdir().unwrap());
    let programs = dialogs.programs();
    let variables = [("SINEW_CONFIG_DIR", config.as_path()), ("PATH", programs.as_path())];
    let Some(app) = App::start_with(home, &[Path::new("--paused"), &first], "first.gltf", &variables) else { return };
    let start = red(&app.wait_until("the model", |picture| red(picture).is_some())).unwrap();
    let is_standing = |picture: &RgbaImage| red(picture).is_some_and(|red| (red.0 - start.0).abs() < 100.0);
    dialogs.answer(&[&lent, &standing]);
    perform(&app, "add animations");
    wait_for_remembered(&config, &[("lent.gltf", json!({})), ("stand.gltf", json!({}))]);
    // The added animations are the second and the third in the list.
    for expected in [false, true] {
        app.key(&["Alt_L", "Down"]);
        app.key(&["End"]);
        app.wait_until("the added animation", |picture| red(picture).is_some() && is_standing(picture) == expected);
    }

    // After the first file is removed, the same animation is still chosen, although it is the second one now. Earlier steps can still be
    // undone.
    app.key(&["3"]);
    app.wait_until("clay", |picture| red(picture).is_none());
    app.click(REMOVE.0, REMOVE.1);
    wait_for_remembered(&config, &[("stand.gltf", json!({}))]);
    app.key(&["Control_L", "z"]);
    app.wait_until("undo", |picture| red(picture).is_some());
    assert!(is_standing(&app.wait_until_still()));
    app.key(&["Alt_L", "Up"]);
    app.key(&["End"]);
    app.wait_until("the model's own animation", |picture| red(picture).is_some() && !is_standing(picture));
    app.click(REMOVE.0, REMOVE.1);
    wait_for("the settings to forget the model", || remembered(&config, "first.gltf").is_empty().then_some(()));
    app.key(&["Alt_L", "Down"]);
    app.key(&["End"]);
    let end = red(&app.wait_until_still()).expect("the red square");
    assert!((end.0 - start.0).abs() >= 100.0, "its own animation is the only one");
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
    app.wait_until("the model", |picture| red(picture).is_some());
    app.key(&["End"]);
    // In the animation of the other file, the square stays at this position.
    let before = app.wait_until_still();
    let start = red(&before).unwrap();
    let is_moved = |picture: &RgbaImage| red(picture).is_some_and(|red| red.0 > start.0 + 100.0);
    // The camera frames each animation separately, so the position of the square is compared only roughly.
    let is_back = |picture: &RgbaImage| red(picture).is_some_and(|red| red.0 < start.0 + 50.0);
    // The animation that stands still is shorter, so its end is not the end of the changed one.
    let wait_for_end = |what: &str| {
        wait_for(what, || {
            app.key(&["End"]);
            is_moved(&app.screenshot()).then_some(())
        });
    };
    std::fs::write(&lent, &moving).unwrap();
    wait_for_end("the changed animation");
    std::fs::write(&lent, "{\"asset\":").unwrap();
    app.wait_until("the message", |picture| message_shown(picture, &before) && is_moved(picture));
    // The broken file is read once and not again until it changes, so the window comes to rest. Each new frame would change the frame time
    // in the status bar.
    wait_for("five seconds without a frame", || {
        let rested = app.wait_until_still();
        std::thread::sleep(Duration::from_secs(5));
        (differ(&app.screenshot(), &rested) == 0).then_some(())
    });
    app.key(&["Home"]);
    app.wait_until("the last good version to answer", is_back);
    app.key(&["End"]);
    app.wait_until("the last good version at its end", is_moved);

    std::fs::write(&lent, &standing).unwrap();
    app.wait_until("the repaired file, and no message", |picture| is_back(picture) && !message_shown(picture, &before));
    std::fs::write(&lent, &moving).unwrap();
    wait_for_end("the next version");
    let moved = app.wait_until_still();
    std::fs::remove_file(&lent).unwrap();
    app.wait_until("a word about the deleted file", |picture| {
        is_moved(picture) && (message_shown(picture, &before) || differ(&status(picture), &status(&moved)) > 100)
    });
    std::fs::write(&lent, &standing).unwrap();
    app.wait_until("the file that is back", |picture| is_back(picture) && !message_shown(picture, &before));
}

#[test]
fn a_comparison_of_two_animations_follows_the_added_files() {
    let folder = tempfile::tempdir().unwrap();
    let first = folder.path().join("first.gltf");
    std::fs::write(&first, fixture::metronome()).unwrap();
    let standing = write_standing(folder.path());
    let Some(app) = App::start(&[Path::new("--paused"), &first, Path::new("--animations"), &standing], "first.gltf") else { return };
    app.wait_until("the model", |picture| red(picture).is_some());
    perform(&app, "compare with another animation");
    // Both animations lift the green square. In the rest pose it is lower.
    let heights = |picture: &RgbaImage| Some([green(&only(&Half::Left, picture))?.1, green(&only(&Half::Right, picture))?.1]);
    app.wait_until("both animations", |picture| heights(picture).is_some_and(|[a, b]| (a - b).abs() < 3.0));
    app.click(REMOVE.0, REMOVE.1);
    app.wait_until("B without its animation", |picture| heights(picture).is_some_and(|[a, b]| b > a + 30.0));
}

/// Returns how far the green square is above the red one, in meters. The result is approximate, because the view is in perspective. Both
/// squares are 0.3 m wide.
fn lift(picture: &RgbaImage) -> Option<f64> {
    let (red_at, green_at) = (red(picture)?, green(picture)?);
    let side = (picture.pixels().filter(|pixel| is_red(pixel.0)).count() as f64).sqrt();
    Some((red_at.1 - green_at.1) / side * 0.3)
}

#[test]
fn a_pair_made_by_hand_is_undone_redone_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let (first, config) = (folder.path().join("first.gltf"), folder.path().join("settings"));
    let lent = folder.path().join("lent.gltf");
    std::fs::write(&first, fixture::metronome()).unwrap();
    // The joint that lifts the green square by a meter has a name that no rule pairs.
    std::fs::write(&lent, fixture::metronome().replace("\"Arm\"", "\"Limb\"").replace("Tick", "Lent")).unwrap();
    let (dialogs, home) = (Dialogs::new(), tempfile::tempdir().unwrap());
    let programs = dialogs.programs();
    let args = [Path::new("--paused"), &first, Path::new("--animation"), Path::new("1"), Path::new("--animations"), &lent];
    let variables = [("SINEW_CONFIG_DIR", config.as_path()), ("PATH", programs.as_path())];
    let Some(app) = App::start_with(home, &args, "first.gltf", &variables) else { return };
    let is_low = |picture: &RgbaImage| lift(picture).is_some_and(|lift| (0.3..1.0).contains(&lift));
    let is_high = |picture: &RgbaImage| lift(picture).is_some_and(|lift| (1.3..2.2).contains(&lift));
    app.wait_until("the joint without a counterpart", is_low);

    app.click(HEADING.0, HEADING.1);
    app.wait_until("the binding report", |picture| lift(picture).is_none());
    app.click(PAIR.0, PAIR.1);
    app.click(PAIR.0, PAIR.1);
    app.key(&["Escape"]);
    app.wait_until("the joint to follow", is_high);
    app.key(&["Control_L", "z"]);
    app.wait_until("undo", is_low);
    app.key(&["Control_L", "Shift_L", "z"]);
    app.wait_until("redo", is_high);
    wait_for_remembered(&config, &[("lent.gltf", json!({ "Limb": "Arm" }))]);

    // The pair also returns if the file is removed, perhaps by mistake, and added again.
    app.click(REMOVE.0, REMOVE.1);
    wait_for("the settings to forget the model", || remembered(&config, "first.gltf").is_empty().then_some(()));
    dialogs.answer(&[&lent]);
    perform(&app, "add animations");
    wait_for_remembered(&config, &[("lent.gltf", json!({ "Limb": "Arm" }))]);
    assert!(app.close().success());

    let args = [Path::new("--paused"), &first, Path::new("--animation"), Path::new("1")];
    let home = tempfile::tempdir().unwrap();
    let Some(app) = App::start_with(home, &args, "first.gltf", &[("SINEW_CONFIG_DIR", &config)]) else { return };
    app.wait_until("the remembered pair", is_high);
    assert!(app.close().success());
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
