//! Tests the real window on a virtual display: the tests act like a user and check the picture. Needs Xvfb and a Vulkan or GL driver.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod borrow;
#[path = "../check/character.rs"]
#[allow(dead_code)] // only tests/check uses all of it
mod character;
mod checks;
mod clips;
mod colors;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod desktop;
mod dialogs;
mod drag;
mod file_strip;
mod files;
mod fixture;
mod follow;
mod ghosts;
mod launch;
mod odd_rigs;
mod reload;
mod screens;
mod survives;
mod timeline;
mod weights;

use std::path::{Path, PathBuf};

use colors::{green, is_red, red};
use desktop::{App, HEIGHT, WIDTH, wait_for};
use dialogs::Dialogs;
use drag::Drag;
use image::RgbaImage;

use crate::common::pixels::differ;

/// Positions in the window, in points: the right edge of the left panel, the left edge of the inspector, the right edge of the names of the
/// timeline's rows, the top of the timeline above the status bar, and the middle of its ruler.
const LEFT: i32 = 300;
const RIGHT: i32 = WIDTH as i32 - 300;
const TRACKS: i32 = LEFT + 200;
const TIMELINE: i32 = HEIGHT as i32 - 24 - 260;
const RULER: i32 = TIMELINE + 36 + 10 + 12;
/// The node list, in points: the first row, the height of a row, and the influence column.
const FIRST_ROW: i32 = 251;
const ROW: i32 = 22;
const INFLUENCE_COLUMN: i32 = 262;

/// Writes the metronome to a file.
fn metronome(folder: &Path) -> PathBuf {
    let path = folder.join("metronome.gltf");
    std::fs::write(&path, fixture::metronome()).unwrap();
    path
}

fn open_metronome(paused: bool) -> Option<(App, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let file = metronome(folder.path());
    let paused: &[&Path] = if paused { &[Path::new("--paused")] } else { &[] };
    let app = App::start(&[&[file.as_path()], paused].concat(), "metronome.gltf")?;
    app.wait_until("the red square", |picture| red(picture).is_some());
    // Seen from the front and without perspective, positions in the picture are proportional to positions in the world.
    app.key(&["Alt_L", "1"]);
    app.key(&["p"]);
    Some((app, folder))
}

/// Reads the time from the position of the red square. `start` and `end` are its x coordinates at both ends of the animation.
struct Clock {
    start: f64,
    end: f64,
}

impl Clock {
    /// Reads the positions at both ends of the animation. The window must be paused.
    fn read_off(app: &App) -> Self {
        app.key(&["Home"]);
        let start = red(&app.wait_until_still()).expect("the red square at the start").0;
        app.key(&["End"]);
        let at_end = app.wait_until("the red square at the end", |picture| red(picture).is_some_and(|at| at.0 - start > 100.0));
        let end = red(&at_end).expect("the red square at the end").0;
        let clock = Self { start, end };
        app.key(&["Home"]);
        clock.shows(app, 0.0, "the start again");
        clock
    }

    fn time(&self, picture: &RgbaImage) -> f64 {
        (red(picture).expect("the red square").0 - self.start) / (self.end - self.start)
    }

    fn shows(&self, app: &App, time: f64, what: &str) {
        app.wait_until(what, |picture| red(picture).is_some() && (self.time(picture) - time).abs() < 0.02);
    }
}

#[test]
fn without_a_file_the_sample_model_moves_and_closing_ends_with_0() {
    let Some(app) = App::start(&[], "Sample model") else { return };
    let first = app.screenshot();
    app.wait_until("the sample model to move", |picture| differ(picture, &first) > 200);
    assert_eq!(app.close().code(), Some(0));
}

#[test]
fn space_arrows_home_and_end_control_the_playback() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    clock.shows(&app, 0.0, "Home: the first frame");
    app.key(&["Right"]);
    clock.shows(&app, 0.1, "Right: the next frame");
    app.key(&["Right"]);
    app.key(&["Right"]);
    app.key(&["Left"]);
    clock.shows(&app, 0.2, "Left: the previous frame");
    app.key(&["End"]);
    clock.shows(&app, 1.0, "End: the last pose, not the first");
    app.key(&["Home"]);
    app.key(&["space"]);
    let first = app.screenshot();
    app.wait_until("Space to play", |picture| red(picture).is_some() && differ(picture, &first) > 200);
    app.key(&["space"]);
    app.wait_until_still();
}

#[test]
fn a_paused_window_uses_no_processor_time() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    wait_for("a second without work", || {
        let before = app.processor_ticks();
        std::thread::sleep(std::time::Duration::from_secs(1));
        (app.processor_ticks() == before).then_some(())
    });
}

#[test]
fn dragging_the_timeline_scrubs() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    let middle = (TRACKS + RIGHT) / 2;
    app.move_to(middle - 100, RULER);
    app.press(1);
    let first = clock.time(&app.wait_until("the press to seek", |picture| red(picture).is_some() && clock.time(picture) > 0.05));
    app.move_to(middle, RULER);
    clock.shows(&app, 0.5, "the middle of the ruler is the middle of the animation");
    assert!(first < 0.45, "the press was left of the middle, but the picture showed {first}");
    app.move_to(RIGHT - 2, RULER);
    clock.shows(&app, 1.0, "the ruler's end");
    app.release(1);
    clock.shows(&app, 1.0, "the playhead stays where it was let go");
}

/// Whether the left edge of the viewport has the accent color, as it does while files are dragged over the window.
fn has_drop_outline(picture: &RgbaImage) -> bool {
    let is_accent = |&y: &u32| (LEFT as u32..LEFT as u32 + 8).any(|x| picture.get_pixel(x, y).0[..3] == [0x38, 0xD1, 0xCF]);
    (100..400).filter(is_accent).count() > 250
}

#[test]
fn a_dropped_file_opens_and_hovering_with_a_file_shows_an_outline() {
    let Some(app) = App::start(&[Path::new("--paused")], "Sample model") else { return };
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("métronome + ü.gltf");
    std::fs::rename(metronome(folder.path()), &named).unwrap();
    let drag = Drag::over(&app, &[&named]);
    app.wait_until("the drop outline", has_drop_outline);
    drag.leave();
    // Look only at the outline, because the frame statistics in the status bar change.
    app.wait_until("the outline to go", |picture| !has_drop_outline(picture));
    Drag::over(&app, &[&named]).drop();
    app.wait_until("the dropped model", |picture| red(picture).is_some() && green(picture).is_some());
    wait_for("the window's title", || app.desktop.find_window("métronome + ü.gltf"));
}

#[test]
fn a_gltf_dropped_with_its_buffer_from_another_folder_opens() {
    let Some(app) = App::start(&[], "Sample model") else { return };
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let text = fixture::metronome();
    let (before, rest) = text.split_once("data:application/octet-stream;base64,").unwrap();
    let (data, after) = rest.split_once('"').unwrap();
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
    let (gltf, bin) = (here.path().join("split.gltf"), there.path().join("split.bin"));
    std::fs::write(&gltf, format!("{before}split.bin\"{after}")).unwrap();
    std::fs::write(&bin, bytes).unwrap();
    Drag::over(&app, &[&bin, &gltf]).drop();
    app.wait_until("the model of both files", |picture| red(picture).is_some() && green(picture).is_some());
}

#[test]
fn a_broken_file_keeps_the_old_model_and_shows_a_message() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.screenshot();
    let broken = folder.path().join("broken.glb");
    std::fs::write(&broken, b"glTF\x02\0\0\0\xff\xff\xff\xff").unwrap();
    Drag::over(&app, &[&broken]).drop();
    let after = app.wait_until("the message", |picture| differ(picture, &before) > 500);
    assert!(red(&after).is_some() && green(&after).is_some(), "the open model is still there");
    assert!(app.desktop.find_window("metronome.gltf").is_some(), "the title still names the open model");
    app.key(&["End"]);
    app.wait_until("the old model to answer", |picture| red(picture).map(|at| at.0) != red(&before).map(|at| at.0));
}

#[test]
fn the_influence_switch_of_a_joint_changes_the_picture_and_can_be_undone() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let before = green(&app.screenshot()).expect("the green square").1;
    // The joint's row is the fourth of the list, and the influence column is the last.
    app.click(INFLUENCE_COLUMN, FIRST_ROW + 3 * ROW);
    let lower =
        app.wait_until("the green square to fall to its parent joint", |picture| green(picture).is_some_and(|at| at.1 > before + 50.0));
    assert!(red(&lower).is_some());
    app.key(&["Control_L", "z"]);
    app.wait_until("undo", |picture| green(picture).is_some_and(|at| (at.1 - before).abs() < 2.0));
}

#[test]
fn a_joint_is_found_by_name_and_switched_by_key() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let before = green(&app.screenshot()).expect("the green square").1;
    app.key(&["Control_L", "f"]);
    app.text("arm");
    app.key(&["Return"]);
    app.key(&["e"]);
    app.wait_until("the green square to fall", |picture| green(picture).is_some_and(|at| at.1 > before + 50.0));
    app.key(&["Shift_L", "BackSpace"]);
    app.wait_until("the reset", |picture| green(picture).is_some_and(|at| (at.1 - before).abs() < 2.0));
}

#[test]
fn a_command_is_found_in_the_palette_and_performed() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    clock.shows(&app, 0.0, "the first frame");
    app.key(&["Control_L", "k"]);
    // Outside the palette, most of these letters would perform other actions.
    app.text("last");
    app.key(&["Return"]);
    clock.shows(&app, 1.0, "Last frame of range");
    app.key(&["Home"]);
    clock.shows(&app, 0.0, "the keys are the window's again");
}

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
fn a_file_that_opens_playing_backwards_begins_at_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (metronome(folder.path()), folder.path().join("view.json"));
    std::fs::write(&state, r#"{"animation":0,"repeat":"once","speed":-0.1}"#).unwrap();
    let Some(app) = App::start(&[&file, Path::new("--state"), &state], "metronome.gltf") else { return };
    // The square moves from the left to the right within the animation.
    app.wait_until("the square on the right", |picture| red(picture).is_some_and(|at| at.0 > f64::from(LEFT + RIGHT) / 2.0));
    app.wait_until("the square on the left", |picture| red(picture).is_some_and(|at| at.0 < f64::from(LEFT + RIGHT) / 2.0));
}

#[test]
fn a_key_right_after_esc_acts() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    app.key(&["Control_L", "s"]);
    app.wait_until("the dialog", |picture| red(picture).is_none());
    // The window draws a frame for the first key. Meanwhile, the other keys arrive.
    app.keys_at_once(&["Tab", "Escape", "End"]);
    clock.shows(&app, 1.0, "End: the last pose");
}

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
