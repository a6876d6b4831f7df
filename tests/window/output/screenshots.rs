//! Tests saving screenshots and copying pictures.

use std::path::PathBuf;
use std::process::Command;

use image::{GenericImageView, RgbaImage};
use serde_json::json;

use crate::common::pixels::differ;
use crate::harness::colors::{is_red, red};
use crate::harness::commands::clipboard_picture;
use crate::harness::desktop::{App, HEIGHT, wait_for};
use crate::harness::dialogs::Dialogs;
use crate::harness::{LEFT, RIGHT, metronome, open_metronome, open_with_preferences};

/// The button in the question whether to quit.
const QUIT: (i32, i32) = (621, 393);

#[test]
fn ctrl_s_writes_a_picture_of_the_right_size() {
    let Some((app, folder)) = open_metronome(true) else { return };
    app.key(&["Control_L", "s"]);
    app.key(&["Return"]);
    let pictures = || {
        let mut found: Vec<PathBuf> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        found.retain(|path| path.extension().is_some_and(|extension| extension == "png"));
        found.sort();
        found
    };
    // File dialogs are not available in this test, so the picture is written beside the model and named after file, animation and frame.
    let first = wait_for("the picture", || pictures().into_iter().find(|path| image::open(path).is_ok()));
    assert_eq!(first.file_name().unwrap(), "metronome-tick-0000.png");
    let picture = image::open(&first).unwrap().into_rgba8();
    let viewport = (RIGHT - LEFT) as u32;
    assert!(picture.width().abs_diff(viewport) <= 2, "{} pixels wide, the viewport has {viewport}", picture.width());
    assert!(picture.pixels().any(|pixel| is_red(pixel.0)), "the red square is in the picture");
    // This key saves at once, to the system's folder for pictures, which is the home folder in this test.
    app.key(&["F12"]);
    let quick = app.folder.path().join("metronome-tick-0000.png");
    wait_for("the second picture", || image::open(&quick).ok());
    assert_eq!(pictures(), [first]);
}

/// Opens the metronome with options for quick screenshots that take long to draw. They are written to the second folder.
fn open_with_large_screenshots() -> Option<(App, [tempfile::TempDir; 2])> {
    open_with_screenshots([7680, 4320])
}

/// Opens the metronome with quick screenshots of this size. They are written to the second folder.
fn open_with_screenshots([width, height]: [u32; 2]) -> Option<(App, [tempfile::TempDir; 2])> {
    let pictures = tempfile::tempdir().unwrap();
    let options = json!({"width": width, "height": height, "supersample": 4});
    let (app, folder) = open_with_preferences(json!({"screenshot": options, "screenshot_folder": pictures.path()}))?;
    Some((app, [folder, pictures]))
}

#[test]
fn quitting_during_a_screenshot_asks_first_and_leaves_no_file() {
    let Some((app, [_folder, pictures])) = open_with_large_screenshots() else { return };
    app.key(&["F12"]);
    // The question dims the picture behind it. Esc keeps the screenshot.
    app.key(&["Control_L", "q"]);
    app.wait_until("the question", |picture| red(picture).is_none());
    app.key(&["Escape"]);
    app.wait_until("the question to close", |picture| red(picture).is_some());
    app.key(&["Control_L", "q"]);
    app.wait_until("the question again", |picture| red(picture).is_none());
    app.click(QUIT.0, QUIT.1);
    assert_eq!(app.wait_for_exit().code(), Some(0));
    assert_eq!(std::fs::read_dir(pictures.path()).unwrap().count(), 0);
}

#[test]
fn esc_cancels_all_screenshots() {
    let Some((app, [_folder, pictures])) = open_with_large_screenshots() else { return };
    app.keys_at_once(&["F12"; 8]);
    // The question shows that screenshots are being drawn. The first Esc closes it.
    app.key(&["Control_L", "q"]);
    app.wait_until("the question", |picture| red(picture).is_none());
    app.key(&["Escape"]);
    app.wait_until("the question to close", |picture| red(picture).is_some());
    app.key(&["Escape"]);
    app.wait_until_still();
    // No question: nothing is being drawn any more.
    assert_eq!(app.close().code(), Some(0));
    assert_eq!(std::fs::read_dir(pictures.path()).unwrap().count(), 0);
}

/// Returns whether the message in the status bar is longer than that of an accepted screenshot.
fn is_long_message_shown(picture: &RgbaImage) -> bool {
    let text = picture.view(440, HEIGHT - 20, 50, 16);
    text.pixels().any(|(.., pixel)| pixel.0[..3].iter().all(|&channel| channel > 180))
}

#[test]
fn at_most_four_screenshots_wait_and_a_closed_window_stays_until_they_are_saved() {
    let Some((app, [_folder, pictures])) = open_with_screenshots([1280, 720]) else { return };
    app.keys_at_once(&["F12"; 8]);
    app.wait_until("the message that one is refused", is_long_message_shown);
    let saved = || std::fs::read_dir(pictures.path()).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    assert_eq!(saved().len(), 0, "the message is not that of a saved file");
    app.ask_to_close();
    app.wait_until("the question", |picture| red(picture).is_none());
    assert_eq!(app.wait_for_exit().code(), Some(0));
    assert_eq!(saved().len(), 5, "one was drawn while four waited: {:?}", saved());
    for path in saved() {
        assert_eq!(image::image_dimensions(&path).unwrap(), (1280, 720), "{}", path.display());
    }
}

#[test]
fn a_screenshot_shows_the_moment_at_which_its_dialog_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (metronome(folder.path()), folder.path().join("picture.png"));
    let dialogs = Dialogs::new();
    dialogs.stay_open();
    let variables = [("PATH", dialogs.programs())];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_path()));
    let home = tempfile::tempdir().unwrap();
    let Some(app) = App::start_with(home, &[&file], "metronome.gltf", &variables) else { return };
    app.wait_until("the red square", |picture| red(picture).is_some());
    app.key(&["Control_L", "s"]);
    // The dialog dims the picture behind it.
    app.wait_until("the dialog", |picture| red(picture).is_none());
    app.wait_until_still();
    app.key(&["Return"]);
    // The system's dialog is another window.
    app.wait_until("the picture in full color", |picture| red(picture).is_some());
    let shown = red(&app.wait_until_still()).unwrap().0 - f64::from(LEFT);
    dialogs.answer(&[&picture]);
    let saved = wait_for("the screenshot", || image::open(&picture).ok()).into_rgba8();
    let reds = saved.enumerate_pixels().filter(|(_, _, pixel)| is_red(pixel.0));
    let (count, sum) = reds.fold((0.0, 0.0), |(count, sum), (x, ..)| (count + 1.0, sum + f64::from(x)));
    assert!((sum / count - shown).abs() < 2.0, "the picture has the square at {}, the window at {shown}", sum / count);
    app.wait_until("playback to go on", |picture| red(picture).is_some_and(|at| (at.0 - f64::from(LEFT) - shown).abs() > 20.0));
    app.key(&["Control_L", "s"]);
    app.wait_until("the dialog again", |picture| red(picture).is_none());
    app.key(&["Escape"]);
    let first = app.wait_until("the dialog to close", |picture| red(picture).is_some());
    let first = red(&first).unwrap().0;
    app.wait_until("playback to go on after it", |picture| red(picture).is_some_and(|at| (at.0 - first).abs() > 20.0));
}

#[test]
fn ctrl_shift_s_copies_what_the_viewport_shows() {
    let Some((app, folder)) = open_with_preferences(json!({})) else { return };
    assert_eq!(clipboard_picture(&app), None);
    app.key(&["Control_L", "Shift_L", "s"]);
    let copied = wait_for("the picture on the clipboard", || clipboard_picture(&app));
    let copied = image::load_from_memory(&copied).unwrap().to_rgba8();
    // The picture equals the one that `sinew render` draws on the background of the theme.
    let mut sinew = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let size = format!("{}x{}", copied.width(), copied.height());
    sinew.current_dir(folder.path()).args(["render", "metronome.gltf", "--state", "view.json", "-o", "still.png", "--size", &size]);
    assert!(sinew.status().unwrap().success());
    let still = image::open(folder.path().join("still.png")).unwrap().to_rgba8();
    assert!(copied.width() > 300 && copied.height() > 300, "{size}");
    assert_eq!(copied.get_pixel(0, 0).0[3], 255);
    assert_eq!(differ(&copied, &still), 0);
}
