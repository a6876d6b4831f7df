//! Tests a file that changes on disk while it is open.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use image::RgbaImage;

use crate::common::pixels::differ;
use crate::harness::colors::{blue, green, red};
use crate::harness::desktop::App;
use crate::harness::fixture::{color, in_parts};
use crate::harness::picture_parts::{message_shown, status};
use crate::harness::{fixture, metronome, open_metronome};

/// Longer than the window waits before it treats an incomplete file as broken.
const PATIENT: Duration = Duration::from_millis(3500);

/// Returns the metronome with a blue square instead of the red one.
fn blue_metronome() -> String {
    fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]")
}

fn wait_for_blue(app: &App, what: &str) -> (f64, f64) {
    blue(&app.wait_until(what, |picture| blue(picture).is_some() && red(picture).is_none())).unwrap()
}

fn wait_for_red(app: &App, what: &str) {
    app.wait_until(what, |picture| red(picture).is_some() && blue(picture).is_none());
}

fn path(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("metronome.gltf")
}

fn replace(path: &Path, text: &str) {
    let partial = path.with_extension("part");
    fs::write(&partial, text).unwrap();
    fs::rename(&partial, path).unwrap();
}

#[test]
fn a_rewritten_file_is_shown_at_the_same_time_with_the_same_camera() {
    let Some((app, folder)) = open_metronome(true) else { return };
    // Go to the middle of the animation and change the camera.
    for key in ["Right", "Right", "Right", "="] {
        app.key(&[key]);
    }
    let before = red(&app.wait_until_still()).expect("the red square");
    fs::write(path(&folder), blue_metronome()).unwrap();
    let after = wait_for_blue(&app, "the new color");
    assert!((after.0 - before.0).abs() < 2.0 && (after.1 - before.1).abs() < 2.0, "{before:?} became {after:?}");
    // The window is still paused and still reacts to keys.
    app.key(&["Home"]);
    app.wait_until("the first frame", |picture| blue(picture).is_some_and(|at| at.0 < before.0 - 20.0));
}

#[test]
fn undo_goes_on_after_an_export_with_other_nodes_and_animations() {
    let Some((app, folder)) = open_metronome(true) else { return };
    app.key(&["3"]);
    app.wait_until("clay", |picture| red(picture).is_none());
    let clay = app.wait_until_still();
    let export = blue_metronome().replace("\"Tick\"", "\"Tock\"").replace(r#"{"name":"Arm"}]"#, r#"{"name":"Arm"},{"name":"Hand"}]"#);
    replace(&path(&folder), &export);
    app.wait_until("the reload", |picture| differ(picture, &clay) > 100);
    app.key(&["Control_L", "z"]);
    wait_for_blue(&app, "undo of clay");
}

#[test]
fn playback_continues_when_the_file_is_replaced_repeatedly() {
    let Some((app, folder)) = open_metronome(false) else { return };
    replace(&path(&folder), &blue_metronome());
    wait_for_blue(&app, "the file that was renamed over the first");
    replace(&path(&folder), &fixture::metronome());
    wait_for_red(&app, "the next one: it is another file than the one that was watched");
    let first = app.screenshot();
    app.wait_until("the new model to play", |picture| differ(picture, &first) > 200);
}

#[test]
fn a_partly_written_file_is_not_shown() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.wait_until_still();
    let text = blue_metronome();
    let mut file = OpenOptions::new().write(true).truncate(true).open(path(&folder)).unwrap();
    // Writing takes longer than the window waits before it reports an incomplete file, but each pause is shorter than that.
    for piece in text.as_bytes().chunks(text.len().div_ceil(5)) {
        file.write_all(piece).unwrap();
        file.flush().unwrap();
        std::thread::sleep(Duration::from_millis(800));
        let picture = app.screenshot();
        if blue(&picture).is_none() {
            assert!(!message_shown(&picture, &before), "a message about the incomplete file is shown");
            assert_eq!(red(&picture), red(&before));
        }
    }
    drop(file);
    wait_for_blue(&app, "the whole file");
}

#[test]
fn a_broken_file_shows_a_message_until_it_is_repaired() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.wait_until_still();
    let text = blue_metronome();
    fs::write(path(&folder), &text[..text.len() / 2]).unwrap();
    let told = app.wait_until("the message", |picture| message_shown(picture, &before));
    assert!(red(&told).is_some() && green(&told).is_some(), "what was open is still there");
    app.key(&["End"]);
    app.wait_until("the old model to answer", |picture| red(picture).map(|at| at.0) != red(&before).map(|at| at.0));
    app.key(&["Home"]);
    fs::write(path(&folder), fixture::metronome()).unwrap();
    app.wait_until("the message to go", |picture| !message_shown(picture, &before) && red(picture) == red(&before));
}

#[test]
fn an_error_message_replaces_the_note_of_a_reload() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.wait_until_still();
    let text = blue_metronome();
    fs::write(path(&folder), &text).unwrap();
    app.wait_until("the note of the reload", |picture| blue(picture).is_some() && differ(&status(picture), &status(&before)) > 50);
    // The note in the status bar would disappear after eight seconds. The error message must replace it sooner.
    fs::write(path(&folder), &text[..text.len() / 2]).unwrap();
    let has_note = |picture: &RgbaImage| differ(&status(picture), &status(&before)) > 10;
    let told = app.wait_until("the message", |picture| message_shown(picture, &before) || !has_note(picture));
    assert!(message_shown(&told, &before), "the message takes longer than the note is shown: the machine is too slow for this test");
    assert!(!has_note(&told), "the message stands alone");
}

#[test]
fn an_animation_that_one_export_lacks_is_resumed_by_the_next() {
    let Some((app, folder)) = open_metronome(true) else { return };
    // Hide the rows below the ruler. If the file has no animation they disappear, which would change the size of the picture.
    for key in ["c", "c", "Right", "Right", "Right"] {
        app.key(&[key]);
    }
    let before = red(&app.wait_until_still()).expect("the red square");
    fs::write(path(&folder), fixture::without_animations()).unwrap();
    app.wait_until("the rest pose", |picture| red(picture).is_some_and(|at| at.0 < before.0 - 20.0));
    fs::write(path(&folder), fixture::metronome()).unwrap();
    app.wait_until("the animation where it was", |picture| {
        red(picture).is_some_and(|at| (at.0 - before.0).abs() < 2.0 && (at.1 - before.1).abs() < 2.0)
    });
}

#[test]
fn the_model_of_a_deleted_file_stays_and_reloads_when_the_file_is_back() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.wait_until_still();
    fs::remove_file(path(&folder)).unwrap();
    std::thread::sleep(PATIENT);
    let gone = app.screenshot();
    assert!(!message_shown(&gone, &before), "only the status bar tells that the file is gone");
    assert_eq!(red(&gone), red(&before));
    assert!(differ(&status(&gone), &status(&before)) > 100, "the status bar tells that the file is gone");
    fs::write(path(&folder), blue_metronome()).unwrap();
    wait_for_blue(&app, "the file that came back");
    // Delete the whole folder.
    fs::remove_dir_all(folder.path()).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    fs::create_dir(folder.path()).unwrap();
    metronome(folder.path());
    wait_for_red(&app, "the file in its new folder");
}

#[test]
fn a_changed_texture_or_buffer_reloads_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = in_parts(folder.path());
    let Some(app) = App::start(&[&file, Path::new("--paused")], "metronome.gltf") else { return };
    app.wait_until("the red texture", |picture| red(picture).is_some() && green(picture).is_some());
    color([0, 0, 255, 255], folder.path());
    let at = wait_for_blue(&app, "the blue texture");

    // An incomplete texture is not shown.
    let texture = folder.path().join("textures/color.png");
    let bytes = fs::read(&texture).unwrap();
    fs::write(&texture, &bytes[..bytes.len() / 2]).unwrap();
    for _ in 0..5 {
        assert!(blue(&app.screenshot()).is_some(), "the whole texture stays for now");
        std::thread::sleep(Duration::from_millis(200));
    }
    color([255, 0, 0, 255], folder.path());
    wait_for_red(&app, "the red texture again");

    // A texture that did not change stays on the device.
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("[0,1,0,1]", "[0,0,1,1]")).unwrap();
    app.wait_until("the other square in blue beside the texture", |picture| {
        red(picture).is_some() && blue(picture).is_some() && green(picture).is_none()
    });
    fs::write(&file, &text).unwrap();
    app.wait_until("the other square in green", |picture| red(picture).is_some() && green(picture).is_some());

    // Move the whole path of the square up by one meter.
    let bin = folder.path().join("metronome.bin");
    let mut bytes = fs::read(&bin).unwrap();
    let low = (-0.6f32).to_le_bytes();
    let high = 0.4f32.to_le_bytes();
    let places: Vec<_> = (0..bytes.len() - 3).step_by(4).filter(|&place| bytes[place..place + 4] == low).collect();
    assert_eq!(places.len(), 12, "the y coordinates of eleven keys, and the x coordinate of one");
    for place in places {
        bytes[place..place + 4].copy_from_slice(&high);
    }
    fs::write(&bin, bytes).unwrap();
    app.wait_until("the new path", |picture| red(picture).is_some_and(|now| now.1 < at.1 - 30.0));
}

#[test]
fn a_texture_behind_a_link_reloads_when_the_link_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = in_parts(folder.path());
    let textures = folder.path().join("textures");
    fs::rename(textures.join("color.png"), textures.join("red.png")).unwrap();
    RgbaImage::from_pixel(64, 64, image::Rgba([0, 0, 255, 255])).save(textures.join("blue.png")).unwrap();
    // Replace the link as `ln -sfn` does.
    let link = |target: &str| {
        std::os::unix::fs::symlink(target, textures.join("new")).unwrap();
        fs::rename(textures.join("new"), textures.join("color.png")).unwrap();
    };
    link("red.png");
    let Some(app) = App::start(&[&file, Path::new("--paused")], "metronome.gltf") else { return };
    app.wait_until("the red texture", |picture| red(picture).is_some() && green(picture).is_some());
    link("blue.png");
    wait_for_blue(&app, "what the link leads to now");
}

#[test]
fn with_reloading_on_change_off_the_file_is_reloaded_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let file = metronome(folder.path());
    let settings = r#"{ "preferences": { "reload_on_change": false } }"#;
    let Some(app) = App::with_settings(settings, &[&file, Path::new("--paused")], "metronome.gltf") else { return };
    app.wait_until("the red square", |picture| red(picture).is_some());
    fs::write(&file, blue_metronome()).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(red(&app.screenshot()).is_some(), "nothing requested a reload");
    app.key(&["F5"]);
    wait_for_blue(&app, "F5");
}

#[test]
fn unrelated_changes_on_disk_do_not_redraw_the_window() {
    let Some((app, folder)) = open_metronome(true) else { return };
    // The status bar shows statistics of the last frame, which would differ if another frame were drawn.
    let before = app.wait_until_still();
    for i in 0..20 {
        fs::write(folder.path().join(format!("other{i}")), b"other").unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(app.screenshot() == before, "changes to unrelated files are ignored");
}
