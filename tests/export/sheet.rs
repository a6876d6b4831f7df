//! Tests contact sheets: their grids, the moments of their tiles, and the picture.

use std::path::Path;
use std::sync::Arc;

use assert_cmd::Command;
use image::RgbaImage;
use sinew::session::contact_sheet::{Grid, SheetContent, SheetOptions, animation_tiles, phase_tiles};
use sinew::session::document::Document;
use sinew::session::view::{Repeat, View};

use crate::clip_process::can_draw;
use crate::common::gltf_builder::{Gltf, triangle};

/// Two triangles. In the first animation, the second triangle moves away and comes back. In the second animation, both move together.
fn model() -> Gltf {
    let mut gltf = triangle();
    gltf.push("nodes", serde_json::json!({ "mesh": 0 }));
    gltf.json["scenes"] = serde_json::json!([{ "nodes": [0, 1] }]);
    let there_and_back = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0]);
    gltf.animation(&[(1, "translation", "LINEAR", &[0.0, 1.5, 2.0], there_and_back)]);
    let away = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 9.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], away), (1, "translation", "LINEAR", &[0.0, 1.0], away)]);
    gltf
}

fn render(folder: &Path, args: &[&str]) -> RgbaImage {
    let file = folder.join("two.glb");
    std::fs::write(&file, model().to_glb()).unwrap();
    let output = folder.join("sheet.png");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.current_dir(folder).args(["render", "two.glb", "-o", "sheet.png"]).args(args).assert().success();
    image::open(output).unwrap().to_rgba8()
}

/// Returns for each cell of the grid whether its lower half shows something. The upper half has the title.
fn places(picture: &RgbaImage, grid: Grid) -> Vec<bool> {
    let [width, height] = [picture.width() / grid.columns, picture.height() / grid.rows];
    let background = *picture.get_pixel(0, 0);
    let places = (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |column| (column * width, row * height)));
    places.map(|(x, y)| (x..x + width).any(|x| (y + height / 2..y + height).any(|y| *picture.get_pixel(x, y) != background))).collect()
}

#[test]
fn a_broken_file_among_several_gets_a_tile_with_the_reason_and_the_command_fails() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.glb"), model().to_glb()).unwrap();
    std::fs::write(folder.path().join("broken.glb"), &model().to_glb()[..40]).unwrap();
    for files in [["broken.glb", "two.glb", "two.glb"], ["two.glb", "broken.glb", "two.glb"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).arg("render").args(files).args(["-o", "sheet.png", "--sheet", "3x1", "--size", "960x320"]);
        let said = String::from_utf8(command.assert().code(1).get_output().stderr.clone()).unwrap();
        if !can_draw(&said) {
            return;
        }
        assert!(said.contains("error: broken.glb: ") && said.contains("error: 1 of 3 files cannot be drawn"), "{said}");
        let picture = image::open(folder.path().join("sheet.png")).unwrap().to_rgba8();
        assert_eq!(places(&picture, Grid { columns: 3, rows: 1 }), [true; 3], "the reason is in the middle of its tile");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.current_dir(folder.path()).args(["render", "two.glb", "missing.glb", "-o", "none.png", "--sheet"]).assert().code(1);
    assert!(!folder.path().join("none.png").exists(), "a missing file is a mistake in the command");
}

#[test]
fn the_grid_has_the_largest_tiles_that_fit() {
    let grid = |columns, rows| Grid { columns, rows };
    assert_eq!(Grid::fitting(1, [1000, 500]), grid(1, 1));
    assert_eq!(Grid::fitting(2, [1000, 500]), grid(2, 1));
    assert_eq!(Grid::fitting(4, [1000, 1000]), grid(2, 2));
    assert_eq!(Grid::fitting(5, [900, 600]), grid(3, 2));
    assert_eq!(Grid::fitting(14, [1200, 900]), grid(5, 3));
    assert_eq!(Grid::fitting(0, [10, 10]), grid(1, 1));
    assert_eq!(Grid::fitting(usize::MAX, [16, 16]), grid(4, 4), "at most as many tiles as the sheet has columns of pixels");
}

#[test]
fn an_animation_is_shown_at_the_time_when_its_pose_differs_most_from_the_start() {
    let document = Document::new(Arc::new(model().model()), "two.glb".into(), None);
    let tiles = animation_tiles(&document, &View::default(), 10, &|| true).unwrap();
    let shown: Vec<_> = tiles.iter().map(|tile| (tile.view.animation, tile.moment.time)).collect();
    // The second triangle is farthest from the first one at 1.5 s. In the second animation, both move together, so their relative
    // positions do not change.
    assert_eq!(shown, [(Some(0), 1.5), (Some(1), 0.0)]);
    assert!(tiles[0].title.ends_with(", 2.00 s"), "{}", tiles[0].title);
    let options = SheetOptions { content: SheetContent::Animations, ..SheetOptions::default() };
    assert!(options.tiles(&document, &View::default(), &|| false).is_none(), "an export that is canceled does not search on");

    let view = View { animation: Some(0), ..View::default() };
    let phases: Vec<_> = phase_tiles(&document, &view, 4).iter().map(|tile| tile.moment.time).collect();
    assert_eq!(phases, [0.0, 0.5, 1.0, 1.5], "a tile at the end would repeat the start of the loop");
    let view = View { repeat: Repeat::Once, ..view };
    let phases = |count: usize| phase_tiles(&document, &view, count).iter().map(|tile| tile.moment.time).collect::<Vec<_>>();
    assert_eq!((phases(5), phases(1)), (vec![0.0, 0.5, 1.0, 1.5, 2.0], vec![0.0]), "without a loop, the last tile shows the end");
}

#[test]
fn a_step_key_that_lasts_one_frame_is_found_in_its_frame() {
    for frame in 1..24u8 {
        let mut gltf = model();
        let keys = [0, frame, frame + 1, 24].map(|key| (f64::from(key) / 24.0) as f32);
        let output = gltf.floats("VEC3", &[[0.0; 3], [0.0, 3.0, 0.0], [0.0; 3], [0.0; 3]].concat());
        gltf.json["animations"] = serde_json::json!([]);
        gltf.animation(&[(1, "translation", "STEP", &keys, output)]);
        let document = Document::new(Arc::new(gltf.model()), "step.glb".into(), None);
        let tiles = animation_tiles(&document, &View::default(), 1, &|| true).unwrap();
        assert_eq!(tiles[0].moment.time as f32, keys[1], "frame {frame}");
    }
}

#[test]
fn turns_and_morph_weights_alone_make_a_pose_different() {
    let mut gltf = triangle();
    let target = gltf.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    gltf.json["meshes"][0]["primitives"][0]["targets"] = serde_json::json!([{ "POSITION": target }]);
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    let turn = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, quarter, quarter, 0.0, 0.0, 0.0, 1.0]);
    gltf.animation(&[(0, "rotation", "LINEAR", &[0.0, 1.5, 2.0], turn)]);
    let weights = gltf.floats("SCALAR", &[0.0, 1.0, 0.0]);
    gltf.animation(&[(0, "weights", "LINEAR", &[0.0, 0.5, 2.0], weights)]);
    let document = Document::new(Arc::new(gltf.model()), "turn.glb".into(), None);
    let times: Vec<_> = animation_tiles(&document, &View::default(), 10, &|| true).unwrap().iter().map(|tile| tile.moment.time).collect();
    assert_eq!(times, [1.5, 0.5]);
}

#[test]
fn a_sheet_has_a_tile_for_each_animation_or_phase_or_file_and_leaves_other_cells_empty() {
    let folder = tempfile::tempdir().unwrap();
    let picture = render(folder.path(), &["--size", "300x200", "--sheet", "3x2"]);
    assert_eq!(places(&picture, Grid { columns: 3, rows: 2 }), [true, true, false, false, false, false]);
    let picture = render(folder.path(), &["--size", "300x200", "--sheet", "3x2", "--animation", "0"]);
    assert_eq!(places(&picture, Grid { columns: 3, rows: 2 }), [true; 6]);
    let picture = render(folder.path(), &["two.glb", "two.glb", "--size", "400x400", "--sheet"]);
    assert_eq!(places(&picture, Grid { columns: 2, rows: 2 }), [true, true, true, false]);
}

#[test]
fn wrong_arguments_and_missing_files_of_a_sheet_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.glb");
    std::fs::write(&file, model().to_glb()).unwrap();
    for (args, code) in
        [(&["-o", "sheet.gif", "--sheet"][..], 2), (&["-o", "a.png", "--sheet", "0x2"], 2), (&["other.glb", "-o", "a.png"], 2)]
    {
        Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder.path()).args(["render", "two.glb"]).args(args).assert().code(code);
    }
    let small = ["render", "two.glb", "-o", "a.png", "--size", "3x3", "--sheet", "4x1"];
    let failed = Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder.path()).args(small).assert().code(1);
    let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(said.contains("3 x 3 pixels are too small for 4 x 1 tiles"), "{said}");
    let missing = ["render", "two.glb", "missing.glb", "-o", "a.png", "--sheet"];
    let failed = Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder.path()).args(missing).assert().code(1);
    assert!(String::from_utf8_lossy(&failed.get_output().stderr).contains("missing.glb"));
    assert!(!folder.path().join("a.png").exists());
}

/// A red square that fills a square picture from the front.
fn red_square() -> Gltf {
    let mut gltf = Gltf::new();
    let corners = [-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 0.0];
    let (position, indices) = (gltf.floats("VEC3", &corners), gltf.u16s("SCALAR", &[0, 1, 2, 0, 2, 3]));
    gltf.json["materials"] =
        serde_json::json!([{ "emissiveFactor": [1, 0, 0], "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, 1] } }]);
    gltf.mesh_node(serde_json::json!({ "attributes": { "POSITION": position }, "indices": indices, "material": 0 }));
    gltf
}

#[test]
fn the_title_of_a_tile_has_a_band_of_its_own_above_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("red.glb"), red_square().to_glb()).unwrap();
    let draw = |args: &[&str], width: u32, height: u32| {
        let size = format!("{width}x{height}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).args(["render", "red.glb", "-o", "a.png", "--size", &size]).args(args).assert().success();
        image::open(folder.path().join("a.png")).unwrap().to_rgba8()
    };
    for (background, size, band) in [(&["--background", "#102030"][..], 200, 28), (&["--transparent"], 200, 28), (&[], 300, 28)] {
        let sheet = draw(&[background, &["--sheet", "1x1"]].concat(), size, size);
        let still = draw(background, size, size - band);
        let below = image::imageops::crop_imm(&sheet, 0, band, size, size - band).to_image();
        assert_eq!(crate::common::pixels::differ(&below, &still), 0, "{background:?}: the picture below the band is that of a still");
        let in_band = (0..band).flat_map(|y| (0..size).map(move |x| (x, y)));
        let (empty, painted): (Vec<_>, Vec<_>) = in_band.partition(|&(x, y)| sheet.get_pixel(x, y) == still.get_pixel(0, 0));
        assert!(painted.len() > 500 && empty.len() > painted.len(), "{background:?}: {} pixels show the title", painted.len());
        assert!(painted.iter().all(|&(_, y)| y > 0 && y < band - 1), "{background:?}: the title is complete");
    }
}

#[test]
fn the_display_flags_apply_to_the_tiles_of_several_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("red.glb"), red_square().to_glb()).unwrap();
    let draw =
        |flags: &[&str]| render(folder.path(), &[&["red.glb", "--sheet", "2x1", "--size", "200x100", "--msaa", "1"], flags].concat());
    let plain = draw(&[]);
    for flags in [["--overlay", "grid"], ["--shading", "normals"], ["--lighting", "none"], ["--exposure", "-3"], ["--tonemap", "aces"]] {
        let drawn = draw(&flags);
        for tile in [0..100, 100..200] {
            let differ = tile.clone().any(|x| (0..100).any(|y| drawn.get_pixel(x, y) != plain.get_pixel(x, y)));
            assert!(differ, "{flags:?} has no effect on the tile at {tile:?}");
        }
    }
}

#[test]
fn a_camera_of_the_flags_cuts_off_no_model_of_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    // The square is near the camera: in the second of two files, and at the end of an animation.
    let (mut small, mut near, mut moving) = (red_square(), red_square(), red_square());
    small.json["nodes"][0]["scale"] = serde_json::json!([0.1, 0.1, 0.1]);
    near.json["nodes"][0]["translation"] = serde_json::json!([0.0, 0.0, 4.0]);
    // A movement of all nodes would not count as a difference of the pose.
    moving.push("nodes", serde_json::json!({}));
    let nearer = moving.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 4.0]);
    moving.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], nearer)]);
    for (name, gltf) in [("small.glb", &small), ("near.glb", &near), ("moving.glb", &moving)] {
        std::fs::write(folder.path().join(name), gltf.to_glb()).unwrap();
    }
    for (files, grid) in [(&["small.glb", "near.glb"][..], "2x1"), (&["moving.glb"], "1x1")] {
        let sheet = ["-o", "a.png", "--size", "200x100", "--sheet", grid, "--eye", "0,0,6", "--target", "0,0,0", "--yfov", "90"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.current_dir(folder.path()).arg("render").args(files).args(sheet).assert().success();
        let picture = image::open(folder.path().join("a.png")).unwrap().to_rgba8();
        let reds = picture.enumerate_pixels().filter(|(x, _, pixel)| *x >= 100 && pixel[0] / 2 > pixel[1].max(pixel[2])).count();
        assert!(reds > 500, "{files:?}: {reds} red pixels");
    }
}

#[test]
fn flags_that_cannot_apply_to_several_files_are_wrong_usage() {
    for flags in [
        ["--scene", "0"],
        ["--animation", "0"],
        ["--animations", "two.glb"],
        ["--state", "view.json"],
        ["--camera", "0"],
        ["--select", "0"],
        ["--variant", "0"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        let refused = command.args(["render", "two.glb", "red.glb", "--sheet", "-o", "a.png"]).args(flags).assert().code(2);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains("cannot be used with") && said.contains(flags[0]), "{flags:?}: {said}");
    }
}

/// Draws a sheet of one tile of a model in this view file, with the color of its emission.
fn tile_of(gltf: &Gltf, state: &str) -> RgbaImage {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.glb"), gltf.to_glb()).unwrap();
    std::fs::write(folder.path().join("view.json"), state).unwrap();
    let args = ["render", "a.glb", "-o", "a.png", "--sheet", "1x1", "--size", "100x100", "--state", "view.json", "--shading", "emissive"];
    Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder.path()).args(args).assert().success();
    image::open(folder.path().join("a.png")).unwrap().to_rgba8()
}

fn is_red(pixel: &image::Rgba<u8>) -> bool {
    pixel.0[0] > 150 && pixel.0[2] < 80
}

fn red_pixels(picture: &RgbaImage) -> usize {
    picture.pixels().filter(|pixel| is_red(pixel)).count()
}

/// The square comes close to the camera. The second node makes the end of the animation its most characteristic moment.
#[test]
fn the_near_plane_of_a_tile_stays_clear_of_its_own_animation() {
    let mut gltf = red_square();
    gltf.push("nodes", serde_json::json!({ "name": "still" }));
    gltf.push("scenes", serde_json::json!({ "nodes": [0, 1] }));
    let towards = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 7.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], towards)]);
    let orbit = r#"{"camera": {"orbit": {"focus": [0,0,0], "yaw": 0, "pitch": 0, "distance": 10, "yfov": 0.7, "orthographic": false}}}"#;
    let red = red_pixels(&tile_of(&gltf, orbit));
    assert!(red > 2000, "{red} pixels show the square");
}

/// The square moves 20 m to the right, and is turned at 0.8 s, its most characteristic moment.
#[test]
fn a_tile_that_is_kept_in_place_shows_the_model() {
    let mut gltf = red_square();
    gltf.push("scenes", serde_json::json!({ "nodes": [0] }));
    let away = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 20.0, 0.0, 0.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turn = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half, 0.0, 0.0, 0.0, 1.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], away), (0, "rotation", "LINEAR", &[0.0, 0.8, 1.0], turn)]);
    for state in [r#"{"in_place": true}"#, r#"{"in_place": false}"#] {
        let red = red_pixels(&tile_of(&gltf, state));
        assert!(red > 2000, "{state}: {red} pixels show the square");
    }
}

#[test]
fn a_tile_shows_all_members_of_a_crowd() {
    let mut gltf = red_square();
    gltf.push("scenes", serde_json::json!({ "nodes": [0] }));
    let crowd = tile_of(&gltf, r#"{"display": {"crowd": 9}}"#);
    assert!(red_pixels(&crowd) > 500, "{} pixels show the crowd", red_pixels(&crowd));
    let is_edge = |x: u32, y: u32| x == 0 || x == 99 || y == 99;
    assert!(crowd.enumerate_pixels().all(|(x, y, pixel)| !is_edge(x, y) || !is_red(pixel)), "no member reaches the edge of the picture");
}

#[test]
fn the_phases_of_an_animation_move_also_in_a_view_file_of_the_bind_pose() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bind.json"), r#"{"animation": 0, "bind_pose": true}"#).unwrap();
    std::fs::write(folder.path().join("view.json"), r#"{"animation": 0}"#).unwrap();
    let phases = |state| render(folder.path(), &["--sheet", "4x1", "--size", "200x60", "--state", state]);
    assert!(phases("bind.json") == phases("view.json"));
}
