//! Tests weights in the real window: GPU picking of the joint under the pointer, at both scales, zoomed, and during playback.

use std::path::{Path, PathBuf};

use image::RgbaImage;
use sinew::colors::{HEAT, UNMOVED};
use sinew::model::node::NodeIndex;
use sinew::session::inspect::heat_map::joint_color;

use crate::common::pixels::differ;
use crate::harness::board::board;
use crate::harness::desktop::App;

/// Opens the board, seen from the front, with its weights shown.
fn open_board(scale: &str, paused: bool) -> Option<(App, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("board.gltf");
    std::fs::write(&file, board()).unwrap();
    let paused: &[&Path] = if paused { &[Path::new("--paused")] } else { &[] };
    let scale = [("WINIT_X11_SCALE_FACTOR", Path::new(scale))];
    let app = App::start_with(tempfile::tempdir().unwrap(), &[&[file.as_path()], paused].concat(), "board.gltf", &scale)?;
    app.key(&["Alt_L", "1"]);
    app.key(&["p"]);
    app.key(&["v"]);
    Some((app, folder))
}

/// Returns the center of the pixels of a color, if there are enough of them.
fn middle(picture: &RgbaImage, color: [u8; 3]) -> Option<(i32, i32)> {
    let (mut count, mut sum) = (0u64, [0u64; 2]);
    for (x, y, pixel) in picture.enumerate_pixels() {
        if (0..3).all(|i| pixel.0[i].abs_diff(color[i]) <= 3) {
            count += 1;
            sum = [sum[0] + u64::from(x), sum[1] + u64::from(y)];
        }
    }
    (count > 3000).then(|| ((sum[0] / count) as i32, (sum[1] / count) as i32))
}

const COLD: [u8; 3] = UNMOVED;
const HOT: [u8; 3] = HEAT[4];

fn joint(number: u32) -> [u8; 3] {
    joint_color(NodeIndex(number))
}

/// Points at a position, waits for the label of the probe, and clicks.
fn probe_and_click(app: &App, (x, y): (i32, i32)) {
    let before = app.wait_until_still();
    app.move_to(x, y);
    app.wait_until("the probe", |picture| differ(picture, &before) > 300);
    app.press(1);
    app.release(1);
}

/// Asserts that a click on either half selects its joint, and that this half then has the hot color.
fn both_halves_are_picked(app: &App) {
    let colors = app.wait_until("a color for each joint", |picture| middle(picture, joint(1)).is_some());
    let right = middle(&colors, joint(2)).expect("the right half");
    probe_and_click(app, middle(&colors, joint(1)).expect("the left half"));
    let heat = app.wait_until("the left half to be hot", |picture| middle(picture, HOT).is_some());
    let (hot, cold) = (middle(&heat, HOT).unwrap(), middle(&heat, COLD).expect("the right half is cold"));
    assert!(hot.0 < cold.0, "the left half is hot: {hot:?}, {cold:?}");
    probe_and_click(app, right);
    app.wait_until(
        "the right half to be hot",
        |picture| matches!((middle(picture, HOT), middle(picture, COLD)), (Some(hot), Some(cold)) if hot.0 > cold.0),
    );
}

#[test]
fn the_hovered_joint_is_found_by_gpu_picking_with_and_without_zoom() {
    let Some((app, _folder)) = open_board("1", true) else { return };
    both_halves_are_picked(&app);
    app.key(&["Escape"]);
    app.key(&["-"]);
    app.key(&["-"]);
    both_halves_are_picked(&app);
}

#[test]
fn the_hovered_joint_is_found_at_twice_the_scale() {
    let Some((app, _folder)) = open_board("2", true) else { return };
    both_halves_are_picked(&app);
}

#[test]
fn the_hovered_joint_is_found_during_playback() {
    let Some((app, _folder)) = open_board("1", false) else { return };
    let colors = app.wait_until("a color for each joint", |picture| middle(picture, joint(2)).is_some());
    let (x, y) = middle(&colors, joint(2)).unwrap();
    app.move_to(x, y);
    // The device answers after a frame or two.
    app.settle();
    app.press(1);
    app.release(1);
    app.wait_until(
        "the right half to be hot",
        |picture| matches!((middle(picture, HOT), middle(picture, COLD)), (Some(hot), Some(cold)) if hot.0 > cold.0),
    );
}

#[test]
fn a_click_on_a_heavy_mesh_selects_it_by_gpu_picking() {
    let Some((app, _folder)) = open_board("1", true) else { return };
    let colors = app.wait_until("a color for each joint", |picture| middle(picture, joint(1)).is_some());
    let (x, y) = middle(&colors, joint(1)).unwrap();
    app.key(&["8"]);
    let before = app.wait_until("the weights to go", |picture| middle(picture, joint(1)).is_none());
    app.click(x, y);
    app.wait_until("the outline", |picture| differ(picture, &before) > 500);
    // Hide the selected node, which must be the board.
    app.key(&["h"]);
    app.key(&["v"]);
    let picture = app.wait_until_still();
    assert!([joint(1), joint(2)].iter().all(|color| middle(&picture, *color).is_none()), "the board is hidden");
    app.key(&["h"]);
    app.wait_until("the board again", |picture| middle(picture, joint(1)).is_some() || middle(picture, COLD).is_some());
}
