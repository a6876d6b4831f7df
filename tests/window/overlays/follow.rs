//! Tests the following camera and staying in place in the real window.

use std::path::Path;

use crate::harness::colors::{green, red};
use crate::harness::desktop::App;
use crate::harness::{Clock, FIRST_ROW, LEFT, RIGHT, RULER, TRACKS, fixture, open_metronome};

#[test]
fn a_followed_node_stays_in_place_and_the_rest_moves() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    // The distance that the red square moves in three of ten frames.
    let way = 0.3 * (clock.end - clock.start);
    let stands = green(&app.screenshot()).expect("the green square").0;
    app.click(LEFT / 2, FIRST_ROW);
    app.key(&["Shift_L", "f"]);
    app.settle();
    let before = red(&app.screenshot()).expect("the red square").0;
    assert!((before - clock.start).abs() < 2.0, "nothing jumps: {before}, {}", clock.start);
    app.click(TRACKS + 14 + (RIGHT - TRACKS - 28) * 3 / 10, RULER);
    let picture = app
        .wait_until("the green square to go the other way", |picture| green(picture).is_some_and(|(x, _)| (stands - x - way).abs() < 2.0));
    assert!((red(&picture).expect("the red square").0 - before).abs() < 2.0);
    // The camera stops following and stays where it is. The red square moves again.
    app.key(&["Shift_L", "f"]);
    app.key(&["Home"]);
    app.wait_until("the red square to move again", |picture| red(picture).is_some_and(|(x, _)| (before - x - way).abs() < 2.0));
}

#[test]
fn the_root_is_found_in_the_background_and_in_place_can_be_switched_off() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walker.gltf");
    // Keep only the red square in the scene, so that it is the root and travels.
    std::fs::write(&file, fixture::metronome().replace(r#""scenes":[{"nodes":[0,1,2]}]"#, r#""scenes":[{"nodes":[0]}]"#)).unwrap();
    let Some(app) = App::start(&[file.as_path(), Path::new("--paused")], "walker.gltf") else { return };
    app.wait_until("the red square", |picture| red(picture).is_some());
    app.key(&["Alt_L", "1"]);
    app.key(&["p"]);
    let clock = Clock::read_off(&app);
    app.key(&["End"]);
    clock.shows(&app, 1.0, "the end of the way");
    app.key(&["q"]);
    clock.shows(&app, 0.0, "the square where it began");
    app.key(&["space"]);
    app.settle();
    clock.shows(&app, 0.0, "the square still there");
    app.key(&["space"]);
    app.key(&["q"]);
    app.key(&["End"]);
    clock.shows(&app, 1.0, "the end of the way again");
}
