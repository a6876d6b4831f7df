//! Tests weights in the real window: GPU picking of the joint under the pointer, at both scales, zoomed, and during playback.

use std::path::{Path, PathBuf};

use base64::Engine;
use glam::Vec3;
use image::RgbaImage;
use sinew::colors::{HEAT, UNMOVED};
use sinew::model::node::NodeIndex;
use sinew::session::inspect::heat_map::joint_color;

use crate::common::pixels::differ;

use super::desktop::App;

/// Vertices per side. With so many, picking runs on the GPU.
const SIDE: usize = 150;

/// Returns a board of many vertices. Its left half follows the joint "Left" and its right half the joint "Right", which the animation
/// raises and lowers once per second.
pub fn board() -> String {
    let side = SIDE as u32;
    let mut bytes: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut push = |data: Vec<u8>| {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, bytes.len(), data.len()));
        bytes.extend(data);
    };
    let place = |i: u32| Vec3::new((i % side) as f32, (i / side) as f32, 0.0) / (side - 1) as f32 * 2.0 - Vec3::new(1.0, 1.0, 0.0);
    let floats = |values: Vec<f32>| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    push(floats((0..side * side).flat_map(|i| place(i).to_array()).collect()));
    push((0..side * side).flat_map(|i| [u8::from(place(i).x > 0.0), 0, 0, 0]).collect());
    push(floats((0..side * side).flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect()));
    let quads = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let indices: Vec<u32> = quads.flat_map(|v| [v, v + 1, v + side, v + side, v + 1, v + side + 1]).collect();
    let count = indices.len();
    push(indices.iter().flat_map(|index| index.to_le_bytes()).collect());
    push(floats(vec![0.0, 0.5, 1.0]));
    push(floats(vec![0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]));
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let vertices = SIDE * SIDE;
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1,2]}}],
"nodes":[{{"name":"Board","mesh":0,"skin":0}},{{"name":"Left"}},{{"name":"Right"}}],"skins":[{{"joints":[1,2]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}},"indices":3}}]}}],
"animations":[{{"channels":[{{"sampler":0,"target":{{"node":2,"path":"translation"}}}}],"samplers":[{{"input":4,"output":5}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]}},
{{"bufferView":1,"componentType":5121,"count":{vertices},"type":"VEC4"}},
{{"bufferView":2,"componentType":5126,"count":{vertices},"type":"VEC4"}},
{{"bufferView":3,"componentType":5125,"count":{count},"type":"SCALAR"}},
{{"bufferView":4,"componentType":5126,"count":3,"type":"SCALAR","min":[0],"max":[1]}},
{{"bufferView":5,"componentType":5126,"count":3,"type":"VEC3"}}],
"bufferViews":[{}],"buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{data}"}}]}}"#,
        views.join(","),
        bytes.len(),
    )
}

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
