//! The real window on a virtual display: what a person does, and what is then to be seen. Needs Xvfb and a Vulkan or GL driver.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod clips;
#[path = "../common/mod.rs"]
mod common;
mod desktop;
mod drag;
mod files;
mod fixture;
mod follow;
mod ghosts;
mod reload;
mod screens;
mod survives;
mod timeline;
mod weights;

use std::path::{Path, PathBuf};

use desktop::{App, wait_for};
use drag::Drag;
use image::RgbaImage;

use crate::common::pixels::differ;

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 800;
/// The left panel, the inspector, the names of the timeline's rows, its upper edge above the status bar, and its ruler (points).
const LEFT: i32 = 240;
const RIGHT: i32 = WIDTH as i32 - 300;
const TRACKS: i32 = LEFT + 200;
const TIMELINE: i32 = HEIGHT as i32 - 24 - 260;
const RULER: i32 = TIMELINE + 36 + 10 + 12;
/// The node list.
const FIRST_ROW: i32 = 399;
const ROW: i32 = 22;
const INFLUENCE_COLUMN: i32 = 202;

/// The metronome in a file of its own.
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
    // From the front and without perspective, places in the picture are proportional to places in the world.
    app.key(&["Alt_L", "1"]);
    app.key(&["p"]);
    Some((app, folder))
}

/// Where the middle of what `is` says stands in the viewport.
fn middle(picture: &RgbaImage, is: impl Fn([u8; 4]) -> bool) -> Option<(f64, f64)> {
    let (mut count, mut x_sum, mut y_sum) = (0u32, 0f64, 0f64);
    for (x, y, pixel) in picture.enumerate_pixels() {
        let in_viewport = (LEFT..RIGHT).contains(&(x as i32)) && (40..HEIGHT as i32 - 100).contains(&(y as i32));
        if in_viewport && is(pixel.0) {
            count += 1;
            x_sum += f64::from(x);
            y_sum += f64::from(y);
        }
    }
    (count > 50).then(|| (x_sum / f64::from(count), y_sum / f64::from(count)))
}

fn red(picture: &RgbaImage) -> Option<(f64, f64)> {
    middle(picture, |[r, g, b, _]| r > 180 && g < 60 && b < 60)
}

fn green(picture: &RgbaImage) -> Option<(f64, f64)> {
    middle(picture, |[r, g, b, _]| g > 180 && r < 60 && b < 60)
}

/// The time that the red square tells, once both ends of its way are known.
struct Clock {
    start: f64,
    end: f64,
}

impl Clock {
    /// Goes to both ends and looks. The window must be paused.
    fn read_off(app: &App) -> Self {
        app.key(&["End"]);
        let end = red(&app.screenshot()).expect("the red square at the end").0;
        app.key(&["Home"]);
        let start = red(&app.screenshot()).expect("the red square at the start").0;
        assert!(end - start > 100.0, "Home and End show the same: {start} and {end}");
        Self { start, end }
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
fn space_arrows_home_and_end_do_what_they_say() {
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
    app.still();
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
    assert!(first < 0.45, "the press was left of the middle, the picture said {first}");
    app.move_to(RIGHT - 2, RULER);
    clock.shows(&app, 1.0, "the ruler's end");
    app.release(1);
    clock.shows(&app, 1.0, "the playhead stays where it was let go");
}

#[test]
fn a_dropped_file_opens_and_hovering_says_so() {
    let Some(app) = App::start(&[Path::new("--paused")], "Sample model") else { return };
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("métronome + ü.gltf");
    std::fs::rename(metronome(folder.path()), &named).unwrap();
    let still = app.still();
    let drag = Drag::over(&app, &[&named]);
    app.wait_until("the drop outline", |picture| differ(picture, &still) > 2000);
    drag.leave();
    // All but the figures of the status bar.
    app.wait_until("the outline to go", |picture| differ(picture, &still) < 500);
    Drag::over(&app, &[&named]).drop();
    app.wait_until("the dropped model", |picture| red(picture).is_some() && green(picture).is_some());
    wait_for("the window's title", || app.desktop.find_window("métronome + ü.gltf"));
}

#[test]
fn a_gltf_dropped_with_its_buffer_from_elsewhere_opens_as_one() {
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
fn a_broken_file_leaves_the_old_model_and_says_what_is_wrong() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.screenshot();
    let broken = folder.path().join("broken.glb");
    std::fs::write(&broken, b"glTF\x02\0\0\0\xff\xff\xff\xff").unwrap();
    Drag::over(&app, &[&broken]).drop();
    let after = app.wait_until("the message", |picture| differ(picture, &before) > 500);
    assert!(red(&after).is_some() && green(&after).is_some(), "the open model is still there");
    assert!(app.desktop.find_window("metronome.gltf").is_some(), "the title still names it");
    app.key(&["End"]);
    app.wait_until("the old model to answer", |picture| red(picture).map(|at| at.0) != red(&before).map(|at| at.0));
}

#[test]
fn a_joints_influence_switch_changes_the_picture_and_is_undone() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let before = green(&app.screenshot()).expect("the green square").1;
    // The joint's row is the fourth of the list; the influence column is the last.
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
fn a_command_is_found_in_the_palette_and_done() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    clock.shows(&app, 0.0, "the first frame");
    app.key(&["Control_L", "k"]);
    // Outside the palette each of these letters would do something else.
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
    // No dialog answers here: the picture goes beside the model, named after file, animation and frame.
    let first = wait_for("the picture", || pictures().into_iter().find(|path| image::open(path).is_ok()));
    assert_eq!(first.file_name().unwrap(), "metronome-tick-0000.png");
    let picture = image::open(&first).unwrap().into_rgba8();
    let viewport = (RIGHT - LEFT) as u32;
    assert!(picture.width().abs_diff(viewport) <= 2, "{} pixels wide, the viewport has {viewport}", picture.width());
    assert!(picture.pixels().any(|pixel| pixel.0[0] > 180 && pixel.0[1] < 60), "the red square is in it");
    // At once, and never over the first.
    app.key(&["F12"]);
    wait_for("the second picture", || (pictures().len() == 2).then_some(()));
    assert!(pictures().contains(&first));
}

#[test]
fn recent_files_are_remembered() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let settings = app.folder.path().join("config/settings.json");
    wait_for("the settings", || settings.exists().then_some(()));
    let text = std::fs::read_to_string(&settings).unwrap();
    assert!(text.contains("metronome.gltf"), "{text}");
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
