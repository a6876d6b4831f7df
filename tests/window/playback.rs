//! Tests playing, stepping and scrubbing.

use std::path::Path;

use image::RgbaImage;
use image::imageops::crop_imm;

use crate::common::pixels::differ;
use crate::harness::colors::red;
use crate::harness::desktop::{App, wait_for};
use crate::harness::{Clock, LEFT, RIGHT, RULER, TRACKS, metronome, open_metronome};

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

#[test]
fn a_file_that_opens_playing_backward_begins_at_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let (file, state) = (metronome(folder.path()), folder.path().join("view.json"));
    std::fs::write(&state, r#"{"animation":0,"repeat":"once","speed":-0.02}"#).unwrap();
    let Some(app) = App::start(&[&file, Path::new("--state"), &state], "metronome.gltf") else { return };
    // The square moves from the left to the right within the animation, so backward, it is on the right for 25 seconds.
    let mut start = 0.0;
    app.wait_until("the square on the right", |picture| {
        start = red(picture).map_or(0.0, |at| at.0);
        start > f64::from(LEFT + RIGHT) / 2.0
    });
    app.wait_until("the square to move to the left", |picture| red(picture).is_some_and(|at| at.0 < start - 10.0));
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
fn keys_after_undo_act_on_its_result() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    app.key(&["g"]);
    app.wait_until_still();
    app.key(&["g"]);
    let view = |picture: &RgbaImage| crop_imm(picture, LEFT as u32, 40, (RIGHT - LEFT) as u32, 300).to_image();
    let first = view(&app.wait_until_still());
    for key in ["w", "g"] {
        app.key(&[key]);
        app.wait_until_still();
    }
    // Undo brings back the grid as it was, and the second key hides the wireframe.
    app.keys_at_once(&["Control_L z", "w"]);
    app.wait_until("the first view", |picture| differ(&view(picture), &first) == 0);
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
