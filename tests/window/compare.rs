//! Tests two models side by side in the real window, and the question about a dropped file.

use std::path::{Path, PathBuf};

use image::RgbaImage;

use super::desktop::App;
use super::drag::Drag;
use super::{LEFT, RIGHT, fixture, middle, open_metronome, red};

/// The metronome with a blue square instead of the red one.
fn write_blue(folder: &Path) -> PathBuf {
    let path = folder.join("blue.gltf");
    std::fs::write(&path, fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]")).unwrap();
    path
}

fn blue(picture: &RgbaImage) -> Option<(f64, f64)> {
    middle(picture, |[r, g, b, _]| b > 180 && r < 60 && g < 60)
}

/// Returns whether the red square is in the left half of the viewport and the blue one at the same place in the right half.
fn is_side_by_side(picture: &RgbaImage) -> bool {
    let half = f64::from(RIGHT - LEFT) / 2.0;
    match (red(picture), blue(picture)) {
        (Some(red), Some(blue)) => (blue.0 - red.0 - half).abs() < 3.0 && (blue.1 - red.1).abs() < 3.0,
        _ => false,
    }
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
    app.settle();
    app.key(&["Escape"]);
    app.wait_until("the open file", |picture| red(picture).is_some() && blue(picture).is_none());
    Drag::over(&app, &[&second]).drop();
    app.settle();
    app.key(&["c"]);
    app.wait_until("the comparison", is_side_by_side);
    Drag::over(&app, &[&second]).drop();
    app.settle();
    app.key(&["Return"]);
    app.wait_until("the other file alone", |picture| red(picture).is_none() && blue(picture).is_some());
}

#[test]
fn a_broken_second_file_leaves_the_first_one_open() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.gltf"), folder.path().join("broken.gltf"));
    std::fs::write(&first, fixture::metronome()).unwrap();
    std::fs::write(&second, "{}").unwrap();
    let Some(app) = App::start(&[Path::new("--paused"), &first, Path::new("--compare"), &second], "first.gltf") else { return };
    app.settle();
    let whole = red(&app.still()).expect("the first model");
    app.key(&["End"]);
    app.wait_until("the first model at the end", |picture| red(picture).is_some_and(|red| red.0 > whole.0 + 20.0));
}
