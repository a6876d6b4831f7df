//! Tests two models side by side in the real window, and the question about a dropped file.

use std::path::{Path, PathBuf};

use image::RgbaImage;
use serde_json::json;

use crate::common::pixels::differ;
use crate::harness::colors::{blue, green, magenta, red};
use crate::harness::commands::{clipboard, clipboard_picture, perform, run};
use crate::harness::desktop::{App, lose_device, wait_for};
use crate::harness::dialogs::Dialogs;
use crate::harness::drag::Drag;
use crate::harness::picture_parts::{Half, message_shown, only, status};
use crate::harness::{LEFT, RIGHT, fixture, open_metronome};

/// The field "Offset of B" in the inspector.
const OFFSET: (i32, i32) = (970, 230);

/// Writes the metronome with a square of another color instead of the red one. "0,0,1" is blue.
fn write_colored(folder: &Path, name: &str, color: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, fixture::metronome().replace("[1,0,0,1]", &format!("[{color},1]"))).unwrap();
    path
}

/// Writes the metronome with a blue square instead of the red one.
fn write_blue(folder: &Path) -> PathBuf {
    write_colored(folder, "blue.gltf", "0,0,1")
}

/// Returns whether the red square is in the left half of the viewport, and the square at `other` at the same place in the right half.
fn is_beside_red(picture: &RgbaImage, other: Option<(f64, f64)>) -> bool {
    let half = f64::from(RIGHT - LEFT) / 2.0;
    match (red(picture), other) {
        (Some(red), Some(other)) => (other.0 - red.0 - half).abs() < 3.0 && (other.1 - red.1).abs() < 3.0,
        _ => false,
    }
}

/// Returns whether the red square is in the left half of the viewport, and the blue square at the same place in the right half.
fn is_side_by_side(picture: &RgbaImage) -> bool {
    is_beside_red(picture, blue(picture))
}

/// Returns the horizontal position of the red square in a half of the viewport.
fn red_in(picture: &RgbaImage, half: Half) -> Option<f64> {
    red(&only(&half, picture)).map(|at| at.0 - f64::from(half.columns().start))
}

#[test]
fn a_second_file_is_shown_beside_the_first_by_the_same_camera_and_clock() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.gltf"), write_blue(folder.path()));
    std::fs::write(&first, fixture::metronome()).unwrap();
    let Some(app) = App::start(&[Path::new("--paused"), &first, Path::new("--compare"), &second], "first.gltf") else { return };
    let before = red(&app.wait_until("both models", is_side_by_side)).unwrap();
    app.key(&["End"]);
    let after = red(&app.wait_until("both models at the end", |picture| {
        is_side_by_side(picture) && red(picture).is_some_and(|red| red.0 > before.0 + 20.0)
    }));
    let after = after.unwrap();
    app.key(&["-"]);
    app.wait_until("both models farther away", |picture| is_side_by_side(picture) && red(picture) != Some(after));
    // Esc does not end the comparison.
    app.key(&["Escape"]);
    app.settle();
    app.wait_until("both models still", is_side_by_side);
}

#[test]
fn a_file_dropped_on_an_open_one_can_be_opened_or_compared() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let second = write_blue(folder.path());
    Drag::over(&app, &[&second]).drop();
    // The question dims the model.
    app.wait_until("the question", |picture| red(picture).is_none());
    app.key(&["Escape"]);
    app.wait_until("the open file", |picture| red(picture).is_some() && blue(picture).is_none());
    Drag::over(&app, &[&second]).drop();
    // The question dims the model.
    app.wait_until("the question", |picture| red(picture).is_none());
    app.key(&["c"]);
    app.wait_until("the comparison", is_side_by_side);
    Drag::over(&app, &[&second]).drop();
    // The question dims the model.
    app.wait_until("the question", |picture| red(picture).is_none());
    app.key(&["Return"]);
    app.wait_until("the other file alone", |picture| red(picture).is_none() && blue(picture).is_some());
}

#[test]
fn a_file_dropped_with_its_parts_is_compared_with_them_also_after_swaps() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let (models, parts) = (folder.path().join("models"), folder.path().join("parts"));
    [&models, &parts].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    let model = fixture::in_parts(&models);
    fixture::color([0, 0, 255, 255], &models);
    let moved = [("metronome.bin", "metronome.bin"), ("textures/color.png", "color.png")].map(|(from, to)| {
        std::fs::rename(models.join(from), parts.join(to)).unwrap();
        parts.join(to)
    });
    Drag::over(&app, &[&model, &moved[0], &moved[1]]).drop();
    // The question dims the model.
    app.wait_until("the question", |picture| red(picture).is_none());
    app.key(&["c"]);
    app.wait_until("the comparison with all parts", is_side_by_side);
    perform(&app, "swap a and b");
    let is_swapped = |picture: &RgbaImage| red(picture).zip(blue(picture)).is_some_and(|(red, blue)| red.0 > blue.0 + 100.0);
    app.wait_until("the models swapped", is_swapped);
    perform(&app, "swap a and b");
    app.wait_until("the models swapped back", is_side_by_side);
}

#[test]
fn a_broken_second_file_leaves_the_first_one_open() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.gltf"), folder.path().join("broken.gltf"));
    std::fs::write(&first, fixture::metronome()).unwrap();
    std::fs::write(&second, "{}").unwrap();
    let Some(app) = App::start(&[Path::new("--paused"), &first, Path::new("--compare"), &second], "first.gltf") else { return };
    let whole = red(&app.wait_until("the first model", |picture| red(picture).is_some())).unwrap();
    app.key(&["End"]);
    app.wait_until("the first model at the end", |picture| red(picture).is_some_and(|red| red.0 > whole.0 + 20.0));
}

#[test]
fn a_second_file_without_animations_stands_beside_the_first_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.gltf"), folder.path().join("still.gltf"));
    std::fs::write(&first, fixture::metronome()).unwrap();
    std::fs::write(&second, fixture::without_animations().replace("[1,0,0,1]", "[0,0,1,1]")).unwrap();
    let Some(app) = App::start(&[Path::new("--paused"), &first, Path::new("--compare"), &second], "first.gltf") else { return };
    let before = app.wait_until("both models", is_side_by_side);
    app.key(&["End"]);
    let moved = |picture: &RgbaImage| red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 20.0);
    let after = app.wait_until("the first at its end", moved);
    assert_eq!(blue(&after), blue(&before));
}

#[test]
fn a_file_chosen_in_the_dialog_is_compared_until_the_comparison_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.gltf"), write_blue(folder.path()));
    std::fs::write(&first, fixture::metronome()).unwrap();
    let dialogs = Dialogs::new();
    let home = tempfile::tempdir().unwrap();
    let args = [Path::new("--paused"), &first];
    let Some(app) = App::start_with(home, &args, "first.gltf", &[("PATH", &dialogs.programs())]) else { return };
    app.wait_until("the first model", |picture| red(picture).is_some());
    let alone = app.wait_until_still();
    // A canceled dialog changes nothing.
    app.key(&["Control_L", "d"]);
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(red(&app.wait_until_still()), red(&alone));
    dialogs.answer(&[&second]);
    app.key(&["Control_L", "d"]);
    app.wait_until("the comparison", is_side_by_side);
    perform(&app, "stop comparing");
    app.wait_until("the first model alone", |picture| blue(picture).is_none() && red(picture).is_some_and(|red| red.0 > 400.0));
}

/// Opens the metronome and another file beside it, with these preferences and without overlays.
fn open_beside(second: &Path, folder: &Path, mut preferences: serde_json::Value) -> Option<App> {
    let first = folder.join("first.gltf");
    std::fs::write(&first, fixture::metronome()).unwrap();
    let state = folder.join("view.json");
    std::fs::write(&state, json!({"animation": 0, "display": {"grid": false, "shadow": "off"}}).to_string()).unwrap();
    // The hint for new users would change the status bar when it disappears.
    preferences["hint_seen"] = true.into();
    let args = [first.as_path(), Path::new("--paused"), Path::new("--state"), state.as_path(), Path::new("--compare"), second];
    App::with_settings(&json!({ "preferences": preferences }).to_string(), &args, "first.gltf")
}

#[test]
fn a_click_on_b_selects_its_counterpart_in_a() {
    let folder = tempfile::tempdir().unwrap();
    let second = write_blue(folder.path());
    let Some(app) = open_beside(&second, folder.path(), json!({})) else { return };
    let at = blue(&app.wait_until("both models", is_side_by_side)).unwrap();
    app.click(at.0 as i32, at.1 as i32);
    app.settle();
    // The switch of the selected node hides the node in both models.
    app.key(&["h"]);
    app.wait_until("both squares hidden", |picture| red(picture).is_none() && blue(picture).is_none());
    app.key(&["h"]);
    app.wait_until("both squares", is_side_by_side);
    // A click on the background selects nothing.
    app.click(at.0 as i32, 60);
    app.settle();
    app.key(&["h"]);
    app.settle();
    assert!(is_side_by_side(&app.wait_until_still()));
}

#[test]
fn a_click_on_the_ghost_selects_its_counterpart_or_says_that_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    // In B, the red square is above the middle instead of below it, and does not move.
    let higher =
        |text: String| text.replace("[-1,-0.6,0]", "[-1,0.6,0]").replace(r#"{"sampler":0,"target":{"node":0,"path":"translation"}},"#, "");
    let second = folder.path().join("second.gltf");
    let text = higher(fixture::metronome());
    std::fs::write(&second, &text).unwrap();
    let Some(app) = open_beside(&second, folder.path(), json!({})) else { return };
    app.wait_until("both models", |picture| red(picture).is_some());
    perform(&app, "comparison as overlay");
    // The ghost has a distinct color. It covers most of the green square.
    let ghost = |picture: &RgbaImage| {
        let at = red(picture)?;
        let above = |x: u32, y: u32| f64::from(y) < at.1 - 60.0 && (f64::from(x) - at.0).abs() < 20.0;
        let tinted =
            picture.enumerate_pixels().filter(|&(x, y, pixel)| above(x, y) && y > 40 && pixel.0[1] > pixel.0[2].saturating_add(40));
        tinted.map(|(x, y, _)| (x, y)).last()
    };
    let picture = app.wait_until("the ghost", |picture| ghost(picture).is_some());
    let at = ghost(&picture).unwrap();
    app.click(at.0 as i32, at.1 as i32 - 4);
    app.settle();
    app.key(&["h"]);
    app.wait_until("the counterpart hidden", |picture| red(picture).is_none());
    app.key(&["h"]);
    app.wait_until("the counterpart", |picture| red(picture).is_some());
    app.key(&["Control_L", "Shift_L", "a"]);

    // With one more node in one file, nodes are not matched by index, so the renamed node has no counterpart.
    let renamed = text.replace(r#"{"name":"Red""#, r#"{"name":"Other""#).replace(r#"{"name":"Arm"}"#, r#"{"name":"Arm"},{"name":"More"}"#);
    let before = status(&app.wait_until_still());
    std::fs::write(&second, renamed).unwrap();
    wait_for_note_to_come_and_go(&app, &before);
    app.click(at.0 as i32, at.1 as i32 - 4);
    app.wait_until("the message", |picture| differ(&status(picture), &before) > 100);
    app.key(&["h"]);
    assert!(red(&app.wait_until_still()).is_some(), "nothing is selected");
}

/// Waits for the note of a reload in the status bar, and until the bar is as it was before the note.
fn wait_for_note_to_come_and_go(app: &App, before: &RgbaImage) {
    app.wait_until("the note of the reload", |picture| differ(&status(picture), before) > 50);
    app.wait_until("the note to disappear", |picture| differ(&status(picture), before) == 0);
}

/// Returns the metronome with the red square as the root of everything that is drawn: it carries the green square.
fn traveling() -> String {
    fixture::metronome()
        .replace("\"nodes\":[0,1,2]", "\"nodes\":[0,2]")
        .replace("\"name\":\"Red\",", "\"name\":\"Red\",\"children\":[1],")
        .replace("\"mesh\":1,\"skin\":0", "\"mesh\":1,\"translation\":[0,0.6,0]")
        .replace("\"skins\":[{\"joints\":[2,3]}],", "")
}

#[test]
fn playing_in_place_the_motion_trail_and_the_onion_skin_reach_both_models_as_in_the_saved_picture() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.gltf"), folder.path().join("second.gltf"));
    std::fs::write(&first, traveling()).unwrap();
    std::fs::write(&second, traveling().replace("[1,0,0,1]", "[0,0,1,1]")).unwrap();
    let state = folder.path().join("view.json");
    let display = json!({"grid": false, "shadow": "off", "outline": false});
    std::fs::write(&state, json!({"animation": 0, "selection": [0], "display": display}).to_string()).unwrap();
    let args = [first.as_path(), Path::new("--paused"), Path::new("--state"), state.as_path(), Path::new("--compare"), second.as_path()];
    let settings = json!({"preferences": {"hint_seen": true}}).to_string();
    let Some(app) = App::with_settings(&settings, &args, "first.gltf") else { return };
    app.wait_until("both models", is_side_by_side);
    app.key(&["Alt_L", "1"]);
    let start = red(&app.wait_until_still()).unwrap();
    app.key(&["End"]);
    app.wait_until("both at their end", |picture| is_side_by_side(picture) && red(picture).is_some_and(|at| at.0 > start.0 + 40.0));

    let plain = app.wait_until_still();
    let drawn = |picture: &RgbaImage, half| differ(&only(&half, picture), &only(&half, &plain));
    for (overlay, keys) in [("the trail", &["t"][..]), ("the ghosts", &["Shift_L", "t"])] {
        app.key(keys);
        let both = format!("{overlay} in both halves");
        app.wait_until(&both, |picture| drawn(picture, Half::Left) > 200 && drawn(picture, Half::Right) > 200);
        app.key(keys);
    }

    app.key(&["q"]);
    app.wait_until("both at their start", |picture| {
        is_side_by_side(picture) && red(picture).is_some_and(|at| (at.0 - start.0).abs() < 3.0)
    });
    let shown = app.wait_until_still();
    app.key(&["Control_L", "Shift_L", "s"]);
    let saved = wait_for("the picture on the clipboard", || clipboard_picture(&app));
    let saved = image::load_from_memory(&saved).unwrap().to_rgba8();
    // The picture is as large as the viewport, which begins at the left panel, below the menu bar.
    let mut pasted = RgbaImage::new(shown.width(), shown.height());
    image::imageops::replace(&mut pasted, &saved, LEFT.into(), 40);
    let [shown, saved] = [&shown, &pasted].map(|picture| [red, blue].map(|find| find(picture).map(|at| at.0)));
    let is_near =
        |(shown, saved): (&Option<f64>, &Option<f64>)| shown.zip(*saved).is_some_and(|(shown, saved)| (shown - saved).abs() < 3.0);
    assert!(shown.iter().zip(&saved).all(is_near), "{shown:?} in the window, {saved:?} in the picture");
}

#[test]
fn swapping_keeps_the_layout_and_the_switches() {
    let folder = tempfile::tempdir().unwrap();
    let second = write_blue(folder.path());
    let Some(app) = open_beside(&second, folder.path(), json!({})) else { return };
    app.wait_until("both models", is_side_by_side);
    let height = |picture: &RgbaImage| green(picture).map(|at| at.1);
    // A camera that does not fit itself to the model.
    app.key(&["Alt_L", "1"]);
    // Overlay: B is a ghost, and the picture is not split.
    perform(&app, "comparison as overlay");
    app.wait_until("the overlay", |picture| blue(picture).is_none() && red(picture).is_some());
    let whole = height(&app.wait_until_still()).expect("the green square");
    app.key(&["Control_L", "f"]);
    app.text("arm");
    app.key(&["Return"]);
    app.key(&["e"]);
    let switched = app.wait_until("the green square to fall", |picture| height(picture).is_some_and(|y| y > whole + 30.0));
    let fallen = height(&switched).unwrap();
    perform(&app, "swap a and b");
    app.wait_until("the other file in the same layout, with the switch", |picture| {
        blue(picture).is_some() && red(picture).is_none() && height(picture).is_some_and(|y| (y - fallen).abs() < 3.0)
    });
}

#[test]
fn b_plays_the_animations_that_were_added_to_it_also_after_swaps() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, added] = ["first.gltf", "second.gltf", "added.gltf"].map(|name| folder.path().join(name));
    // The animation of A, in which the square moves, was added to B. In the other animation of B, the square stands still.
    [&first, &added].iter().for_each(|path| std::fs::write(path, fixture::metronome()).unwrap());
    let moving = r#"{"sampler":0,"target":{"node":0,"path":"translation"}},"#;
    std::fs::write(&second, fixture::metronome().replace("Tick", "Stand").replace(moving, "").replace("[1,0,0,1]", "[0,0,1,1]")).unwrap();
    let borrowed = json!([{"model": second, "files": [{"file": added}]}]);
    let settings = json!({"preferences": {"hint_seen": true, "borrowed": borrowed}}).to_string();
    let args = [Path::new("--paused"), &first, Path::new("--compare"), &second];
    let Some(app) = App::with_settings(&settings, &args, "first.gltf") else { return };
    let start = red(&app.wait_until("both models", is_side_by_side)).unwrap();
    let are_at_the_end = |picture: &RgbaImage| is_side_by_side(picture) && red(picture).is_some_and(|red| red.0 > start.0 + 20.0);
    app.key(&["End"]);
    app.wait_until("both squares at the end", are_at_the_end);
    perform(&app, "swap a and b");
    app.wait_until("the models swapped", |picture| blue(&only(&Half::Left, picture)).is_some());
    perform(&app, "swap a and b");
    app.wait_until("both squares at the end again", are_at_the_end);
}

#[test]
fn swapping_files_keeps_the_moments_of_both() {
    let folder = tempfile::tempdir().unwrap();
    let second = write_blue(folder.path());
    let Some(app) = open_beside(&second, folder.path(), json!({})) else { return };
    app.wait_until("both models", is_side_by_side);
    app.key(&["Alt_L", "1"]);
    // B is 0.3 s ahead, and A is moved to 0.5 s.
    app.click(OFFSET.0, OFFSET.1);
    for key in [".", "3", "Return"] {
        app.key(&[key]);
    }
    for _ in 0..5 {
        app.key(&["Right"]);
    }
    let left = |half: &Half| f64::from(half.columns().start);
    let place = |at: Option<(f64, f64)>, half: &Half| at.map(|at| at.0 - left(half));
    let before = app.wait_until_still();
    let (red_before, blue_before) = (place(red(&before), &Half::Left).unwrap(), place(blue(&before), &Half::Right).unwrap());
    assert!(blue_before > red_before + 10.0, "{blue_before}, {red_before}");
    perform(&app, "swap a and b");
    app.wait_until("both models at their places in the other half", |picture| {
        match (place(red(picture), &Half::Right), place(blue(picture), &Half::Left)) {
            (Some(red), Some(blue)) => (red - red_before).abs() < 3.0 && (blue - blue_before).abs() < 3.0,
            _ => false,
        }
    });
}

#[test]
fn a_comparison_with_a_file_keeps_its_layout_after_a_lost_device() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second, lose) = (folder.path().join("first.gltf"), write_blue(folder.path()), folder.path().join("lose"));
    std::fs::write(&first, fixture::metronome()).unwrap();
    let (home, args) = (tempfile::tempdir().unwrap(), [Path::new("--paused"), &first, Path::new("--compare"), &second]);
    let Some(app) = App::start_with(home, &args, "first.gltf", &[("SINEW_LOSE_DEVICE", &lose)]) else { return };
    app.wait_until("both models", is_side_by_side);
    perform(&app, "comparison as overlay");
    let before = app.wait_until("the overlay", |picture| blue(picture).is_none() && red(picture).is_some());
    lose_device(&app, &lose);
    app.key(&["End"]);
    app.wait_until("the model on the new device", |picture| red(picture).is_some_and(|at| at.0 > red(&before).unwrap().0 + 50.0));
    wait_for("the command of the same comparison", || {
        app.key(&["Control_L", "Shift_L", "c"]);
        app.settle();
        clipboard(&app, "UTF8_STRING").filter(|text| String::from_utf8_lossy(text).contains(" --compare-view overlay"))
    });
}

#[test]
fn swapping_with_a_file_that_was_loaded_ahead_keeps_the_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.gltf"), write_blue(folder.path()));
    std::fs::write(&first, fixture::metronome()).unwrap();
    // The second file of the list is loaded ahead while the first one is shown.
    let args = [&first, &second, Path::new("--paused"), Path::new("--compare"), &second];
    let Some(app) = App::start(&args, "first.gltf (1 of 2)") else { return };
    app.wait_until("both models", is_side_by_side);
    std::thread::sleep(std::time::Duration::from_secs(2));
    perform(&app, "swap a and b");
    wait_for("the other file to be open", || app.desktop.find_window("blue.gltf"));
    let half = f64::from(RIGHT - LEFT) / 2.0;
    app.wait_until("the same two models, swapped", |picture| match (red(picture), blue(picture)) {
        (Some(red), Some(blue)) => (red.0 - blue.0 - half).abs() < 3.0,
        _ => false,
    });
}

#[test]
fn a_changed_second_file_is_read_again_and_a_broken_one_keeps_the_last_version() {
    let folder = tempfile::tempdir().unwrap();
    let second = write_blue(folder.path());
    let Some(app) = open_beside(&second, folder.path(), json!({})) else { return };
    let start = red(&app.wait_until("both models", is_side_by_side)).unwrap();
    app.key(&["End"]);
    let at_end = |picture: &RgbaImage| is_side_by_side(picture) && red(picture).is_some_and(|red| red.0 > start.0 + 20.0);
    app.wait_until("both models at the end", at_end);
    // The edges of a still picture differ from those of a moving one.
    let at_end = app.wait_until_still();
    let (before, no_note) = (red(&at_end).unwrap(), status(&at_end));

    write_colored(folder.path(), "blue.gltf", "1,0,1");
    app.wait_until("the new color", |picture| is_beside_red(picture, magenta(picture)));
    assert_eq!(red(&app.wait_until_still()), Some(before), "time, camera and layout stay");

    let quiet = app.wait_until_still();
    std::fs::write(&second, "{\"asset\":").unwrap();
    let told = app.wait_until("the message", |picture| message_shown(picture, &quiet));
    assert!(red(&told).is_some() && magenta(&told).is_some(), "the last good version is still there");
    app.key(&["Home"]);
    app.wait_until("both to answer", |picture| red(picture).is_some_and(|red| red.0 < before.0 - 20.0) && magenta(picture).is_some());

    write_blue(folder.path());
    app.wait_until("the repaired file", |picture| is_side_by_side(picture) && !message_shown(picture, &quiet));
    wait_for_note_to_come_and_go(&app, &no_note);
    // A deleted file leaves the comparison as it is.
    std::fs::remove_file(&second).unwrap();
    let told = app.wait_until("the message", |picture| differ(&status(picture), &no_note) > 100);
    assert!(is_side_by_side(&told));
}

/// Returns the metronome with a second animation.
fn with_animation(second: &str) -> String {
    fixture::metronome().replace("}],\n\"accessors\"", &format!("}},{second}],\n\"accessors\""))
}

#[test]
fn swapping_two_animations_keeps_the_moment_and_the_range() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.gltf");
    // The second animation moves the red square in the same way, but not the joint.
    let second =
        r#"{"name":"Slide","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":4,"output":5}]}"#;
    std::fs::write(&file, with_animation(second)).unwrap();
    let state = folder.path().join("view.json");
    std::fs::write(&state, json!({"animation": 0, "range": [0.2, 0.8]}).to_string()).unwrap();
    let Some(app) = App::start(&[Path::new("--paused"), Path::new("--state"), &state, &file], "two.gltf") else { return };
    app.wait_until("the model", |picture| red(picture).is_some());
    app.key(&["Alt_L", "1"]);
    perform(&app, "compare with another animation");
    let halves = |picture: &RgbaImage| Some([red_in(picture, Half::Left)?, red_in(picture, Half::Right)?]);
    let alike = |[a, b]: [f64; 2]| (a - b).abs() < 3.0;
    app.key(&["Home"]);
    let start = halves(&app.wait_until("both at the start", |picture| halves(picture).is_some_and(alike))).unwrap();
    app.key(&["End"]);
    let moved = |picture: &RgbaImage| halves(picture).is_some_and(|at| alike(at) && at[0] > start[0] + 20.0);
    let end = halves(&app.wait_until("both at the out point", moved)).unwrap();
    let is_at =
        |picture: &RgbaImage, place: [f64; 2]| halves(picture).is_some_and(|at| alike([at[0], place[0]]) && alike([at[1], place[1]]));
    // The green square, which the joint of the first animation lifts, changes sides.
    let lifted = |picture: &RgbaImage, half| green(&only(&half, picture)).map(|at| at.1);
    let higher = lifted(&app.wait_until_still(), Half::Left).unwrap();
    perform(&app, "swap a and b");
    app.wait_until("the same moment with A and B swapped", |picture| {
        is_at(picture, end) && lifted(picture, Half::Right).is_some_and(|y| (y - higher).abs() < 3.0)
    });
    app.key(&["Home"]);
    app.wait_until("the in point", |picture| is_at(picture, start));
}

#[test]
fn two_animations_of_the_file_are_compared_by_a_command_and_again_after_a_lost_device() {
    let folder = tempfile::tempdir().unwrap();
    // The second animation moves only the joint, so the red square stands still.
    let second = r#"{"name":"Stand","channels":[{"sampler":0,"target":{"node":3,"path":"translation"}}],
        "samplers":[{"input":7,"output":6,"interpolation":"STEP"}]}"#;
    let file = folder.path().join("two.gltf");
    std::fs::write(&file, with_animation(second)).unwrap();
    let (home, lose) = (tempfile::tempdir().unwrap(), folder.path().join("lose"));
    let args = [Path::new("--paused"), &file];
    let Some(app) = App::start_with(home, &args, "two.gltf", &[("SINEW_LOSE_DEVICE", &lose)]) else { return };
    app.wait_until("the model", |picture| red(picture).is_some());
    app.key(&["Alt_L", "1"]);
    perform(&app, "compare with another animation");
    let halves = |picture: &RgbaImage| Some([red_in(picture, Half::Left)?, red_in(picture, Half::Right)?]);
    let alike = |picture: &RgbaImage| halves(picture).is_some_and(|[a, b]| (a - b).abs() < 3.0);
    app.wait_until("both animations at the same place", alike);
    app.key(&["End"]);
    app.wait_until("the playing animation alone to move", |picture| halves(picture).is_some_and(|[a, b]| a > b + 40.0));
    lose_device(&app, &lose);
    app.key(&["Home"]);
    app.wait_until("both animations at the same place on the new device", alike);
}

#[test]
fn pictures_clips_and_the_copied_command_show_the_comparison_as_the_window_does() {
    let folder = tempfile::tempdir().unwrap();
    // The animation of B has the same duration, but its red square stands still, 0.8 m higher than that of A.
    let second = folder.path().join("second.gltf");
    std::fs::write(
        &second,
        fixture::metronome().replace("[-1,-0.6,0]", "[-1,0.2,0]").replace("\"node\":0,\"path\"", "\"node\":1,\"path\""),
    )
    .unwrap();
    let clip = json!({"clip": {"format": "sequence", "width": 0, "height": 0, "fps": 5}});
    let Some(app) = open_beside(&second, folder.path(), clip) else { return };
    app.wait_until("both models", |picture| red(picture).is_some());
    app.key(&["Right"]);
    app.key(&["Right"]);
    let mut last = None;
    for (number, layout) in ["side by side", "as overlay", "as difference"].into_iter().enumerate() {
        perform(&app, &format!("comparison {layout}"));
        app.wait_until_still();
        app.key(&["Control_L", "Shift_L", "s"]);
        let copied = wait_for("the picture on the clipboard", || clipboard_picture(&app).filter(|picture| last.as_ref() != Some(picture)));
        last = Some(copied.clone());
        let copied = image::load_from_memory(&copied).unwrap().to_rgba8();
        assert!(copied.width() as i32 > (RIGHT - LEFT) * 3 / 4, "the whole viewport, not only a half: {:?}", copied.dimensions());
        app.key(&["Control_L", "Shift_L", "c"]);
        let line = wait_for("the command", || clipboard(&app, "UTF8_STRING").filter(|text| text.starts_with(b"sinew render")));
        let line = String::from_utf8(line).unwrap();
        assert!(line.contains(" --compare ") && line.contains(" --compare-view "), "{line}");
        let drawn = run(&line, folder.path());
        assert_eq!(differ(&copied, &drawn), 0, "{line}");

        // Each frame of a clip equals the picture that `sinew render` draws at the time of the frame.
        app.key(&["Control_L", "e"]);
        app.key(&["Return"]);
        let sequence = folder.path().join(if number == 0 { "first-tick".to_owned() } else { format!("first-tick-{}", number + 1) });
        wait_for("the last frame", || sequence.join("0004.png").exists().then_some(()));
        let view = line.split(" --compare-view ").nth(1).unwrap().split(' ').next().unwrap();
        for frame in 0..5 {
            let time = f64::from(frame) / 5.0;
            let size = format!("{}x{}", copied.width(), copied.height());
            let still = format!(
                "sinew render first.gltf --compare second.gltf --compare-view {view} --state view.json --size {size} --time {time} -o still.png"
            );
            let clip = image::open(sequence.join(format!("{frame:04}.png"))).unwrap().to_rgba8();
            assert_eq!(differ(&clip, &run(&still, folder.path())), 0, "{view}, frame {frame}");
        }
    }
}
