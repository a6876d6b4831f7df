//! Tests pictures, clips and contact sheets that show a comparison. All tests but one run `sinew render` as a separate process.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use image::{GenericImageView, RgbaImage};
use serde_json::json;
use sinew::compare::counterpart::CompareView;
use sinew::compare::time_map::Timing;
use sinew::compare::{Choices, compare};
use sinew::export::still;
use sinew::export::still::compared::ComparedModel;
use sinew::session::analyses::Analyses;
use sinew::session::contact_sheet::animation_tiles;
use sinew::session::document::Document;
use sinew::session::view::View;

use crate::clip_process::{drew, files};
use crate::common::gltf_builder::{Gltf, triangle};
use crate::common::pixels::differ;

/// A square that moves 2 m to the right: in two seconds in the animation "slow", in one second in "fast". `up` moves its upper edge.
fn square(up: f32) -> Gltf {
    rectangle(-0.5, 0.5 + up)
}

/// A rectangle that moves like [`square`], with its lower and upper edge at these heights.
fn rectangle(low: f32, top: f32) -> Gltf {
    let mut gltf = triangle();
    let positions = gltf.floats("VEC3", &[-0.5, low, 0.0, 0.5, low, 0.0, 0.5, top, 0.0, -0.5, low, 0.0, 0.5, top, 0.0, -0.5, top, 0.0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    for (name, duration) in [("slow", 2.0), ("fast", 1.0)] {
        let places = gltf.floats("VEC3", &[-1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        let animation = gltf.animation(&[(0, "translation", "LINEAR", &[0.0, duration], places)]);
        gltf.json["animations"][animation]["name"] = json!(name);
    }
    gltf
}

fn render(folder: &Path, args: &[&str]) -> Output {
    let mut sinew = Command::new(env!("CARGO_BIN_EXE_sinew"));
    sinew.current_dir(folder).args(["render", "a.glb", "--msaa", "1", "--background", "102030"]).args(args).output().unwrap()
}

const FRONT: [&str; 6] = ["--eye", "0,0,6", "--target", "0,0,0", "--yfov", "50"];

/// Renders a picture with these flags, seen from the front.
fn picture(folder: &Path, size: &str, args: &[&str]) -> Option<RgbaImage> {
    let flags = [&FRONT[..], &["--size", size, "-o", "out.png"], args].concat();
    drew(&render(folder, &flags)).then(|| image::open(folder.join("out.png")).unwrap().into_rgba8())
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.glb"), square(0.0).to_glb()).unwrap();
    fs::write(folder.path().join("b.glb"), square(0.4).to_glb()).unwrap();
    folder
}

/// Returns the lower part of the left or right half. The title is above it.
fn half(picture: &RgbaImage, is_right: bool) -> RgbaImage {
    let (width, height) = (picture.width() / 2, picture.height());
    let left = if is_right { picture.width() - width } else { 0 };
    picture.view(left, height * 2 / 5, width, height - height * 2 / 5).to_image()
}

#[test]
fn each_tile_of_a_sheet_is_compared_with_the_counterpart_of_its_animation() {
    let document = |up: f32| Document::new(Arc::new(square(up).model()), "square.glb".to_owned(), None);
    let (a, b) = (document(0.0), document(0.4));
    let view = View { animation: Some(1), ..View::default() };
    let played = |a: &Document, b: &Document, animation: usize| {
        let choices = Choices { animations: [Some(1), Some(animation)], ..Choices::default() };
        let comparison = compare(a, b, &choices, &|| true).unwrap();
        ComparedModel {
            document: b.clone(),
            analyses: Analyses::new(b, &view),
            view: view.clone(),
            time_map: comparison.time_map,
            max_distance: comparison.largest_distance(),
            comparison: Arc::new(comparison),
            layout: CompareView::Side,
            side_names: ["a".to_owned(), "b".to_owned()],
        }
    };
    let tiles = animation_tiles(&a, &view, 10, &|| true).unwrap();
    let compared = |model: ComparedModel| model.for_tiles(&a, &tiles, Timing::default(), &|| true).unwrap();
    let animations = |models: &[Arc<ComparedModel>]| models.iter().map(|model| model.comparison.animations).collect::<Vec<_>>();
    let with_b = compared(played(&a, &b, 1));
    assert_eq!(animations(&with_b), [[Some(0); 2], [Some(1); 2]]);
    assert_eq!(with_b[0].view.animation, Some(0));
    assert_eq!(with_b[0].side_names[1], "b");
    // The tile with the animation that the window plays keeps the animation that was chosen for B.
    assert_eq!(animations(&compared(played(&a, &b, 0))), [[Some(0), Some(0)], [Some(1), Some(0)]]);
    // Within one file, all tiles are compared with the same animation, which the titles name.
    let within = compared(played(&a, &a, 0));
    assert_eq!(animations(&within), [[Some(0), Some(0)], [Some(1), Some(0)]]);
    assert_eq!(within[1].side_names, ["fast", "slow"]);
    assert_eq!(within[0].max_distance, within[1].max_distance, "the colors mean the same in all tiles");
    assert!(played(&a, &b, 1).for_tiles(&a, &tiles, Timing::default(), &|| false).is_none(), "it can be canceled");
}

#[test]
fn two_animations_of_a_file_are_compared_at_times_that_are_stretched_and_shifted() {
    let folder = folder();
    let alone = |animation: &str, time: &str| {
        let alone = picture(folder.path(), "120x100", &["--animation", animation, "--time", time])?;
        Some(alone.view(0, 40, 120, 60).to_image())
    };
    let Some(slow) = alone("slow", "1") else { return };
    let together = |flags: &[&str]| {
        let compare = ["--animation", "slow", "--time", "1", "--compare", "a.glb", "--compare-animation", "fast"];
        picture(folder.path(), "241x100", &[&compare, flags].concat()).unwrap()
    };
    let cases: [(&[&str], &str); 4] = [
        (&[], "1"),
        (&["--compare-stretch"], "0.5"),
        (&["--compare-stretch", "--compare-offset", "0.25"], "0.75"),
        (&["--compare-offset", "-0.75"], "0.25"),
    ];
    for (flags, time) in cases {
        let both = together(flags);
        assert_eq!(differ(&half(&both, false), &slow), 0, "{flags:?}");
        assert_eq!(differ(&half(&both, true), &alone("fast", time).unwrap()), 0, "{flags:?}");
    }
}

#[test]
fn each_frame_of_a_comparison_clip_equals_the_still_at_its_time() {
    let folder = folder();
    for view in ["side", "overlay", "difference"] {
        let compared = ["--animation", "slow", "--compare", "b.glb", "--compare-view", view, "--compare-offset", "0.5"];
        let clip = ["--size", "240x120", "--range", "0..1", "--fps", "2", "-o", "clip/%d.png"];
        if !drew(&render(folder.path(), &[&FRONT[..], &compared, &clip].concat())) {
            return;
        }
        let frames = files(&folder.path().join("clip"));
        assert_eq!(frames.len(), 3);
        for (frame, time) in frames.iter().zip(["0", "0.5", "1"]) {
            let still = picture(folder.path(), "240x120", &[&compared[..], &["--time", time]].concat()).unwrap();
            assert_eq!(image::open(frame).unwrap().into_rgba8(), still, "{view} at {time} s");
        }
    }
}

#[test]
fn models_side_by_side_have_the_same_ground() {
    let folder = folder();
    fs::write(folder.path().join("deep.glb"), rectangle(-1.5, 0.5).to_glb()).unwrap();
    let draw = |file: &str, other: &str| {
        let camera = ["--eye", "0,1,6", "--target", "0,0,0", "--yfov", "50", "--size", "321x160", "--overlay", "grid"];
        let compared = [file, "--compare", other, "--compare-view", "side", "--time", "1", "--background", "102030", "-o", "out.png"];
        let mut sinew = Command::new(env!("CARGO_BIN_EXE_sinew"));
        let output = sinew.current_dir(folder.path()).arg("render").args(compared).args(camera).output().unwrap();
        drew(&output).then(|| image::open(folder.path().join("out.png")).unwrap().into_rgba8())
    };
    let (Some(first), Some(second)) = (draw("a.glb", "deep.glb"), draw("deep.glb", "a.glb")) else { return };
    assert!(differ(&half(&first, false), &half(&first, true)) > 100, "the models differ");
    // The ground is below the deeper model, for the model at the left as well as for that at the right.
    assert_eq!(differ(&half(&first, false), &half(&second, true)), 0);
    assert_eq!(differ(&half(&first, true), &half(&second, false)), 0);
}

#[test]
fn the_difference_view_colors_each_vertex_by_its_own_distance() {
    let folder = folder();
    let compare = ["--animation", "slow", "--time", "1", "--compare", "b.glb", "--compare-view", "difference"];
    let Some(picture) = picture(folder.path(), "200x200", &compare) else { return };
    // The square is in the middle. Its lower edge coincides with that of B; its upper edge is farthest away.
    let [low, high] = [picture.get_pixel(100, 114).0, picture.get_pixel(100, 86).0];
    assert!(low[0] < 130 && low[2] > low[1], "the cold color: {low:?}");
    assert!(high[0] > 200 && high[0] > high[2] + 60, "the hot color: {high:?}");
}

#[test]
fn a_sheet_compares_each_of_its_tiles() {
    let folder = folder();
    let sheet = |flags: &[&str]| {
        let output = render(folder.path(), &[&["--size", "480x240", "--sheet", "2x1", "-o", "sheet.png"], flags].concat());
        drew(&output).then(|| image::open(folder.path().join("sheet.png")).unwrap().into_rgba8())
    };
    for animation in [&["--animation", "slow"][..], &[]] {
        let Some(alone) = sheet(animation) else { return };
        for view in ["side", "overlay", "difference"] {
            let compared = sheet(&[animation, &["--compare", "b.glb", "--compare-view", view]].concat()).unwrap();
            for tile in [0, 240] {
                let [alone, compared] = [&alone, &compared].map(|sheet| sheet.view(tile, 60, 240, 180).to_image());
                assert!(differ(&alone, &compared) > 100, "{view}, tile at {tile}, {animation:?}");
            }
        }
    }
    // Within one file, each tile has the title of its animation, also where an animation is compared with itself.
    let within = sheet(&["--compare", "a.glb", "--compare-animation", "slow"]).unwrap();
    let [title, other] = [120, 360].map(|half| within.view(half, 0, 120, 16).to_image());
    assert!(title.pixels().any(|pixel| pixel != title.get_pixel(0, 0)), "there is no title");
    assert_eq!(differ(&title, &other), 0, "both tiles are compared with slow");
    // A sheet of several files cannot compare its tiles.
    let output = render(folder.path(), &["b.glb", "--sheet", "--compare", "b.glb", "-o", "sheet.png"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_impossible_comparison_is_an_error() {
    let folder = folder();
    let output = render(folder.path(), &["--animation", "slow", "--compare", "b.glb", "--compare-animation", "jump", "-o", "out.png"]);
    let said = String::from_utf8_lossy(&output.stderr);
    if !said.contains("no graphics adapter") {
        assert!(output.status.code() == Some(1) && said.contains("b.glb") && said.contains("jump"), "{said}");
    }
    for flags in [&["--compare-stretch"][..], &["--compare-offset", "1"], &["--compare-animation", "slow"]] {
        let output = render(folder.path(), &[flags, &["-o", "out.png"]].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?} without --compare");
    }
    fs::write(folder.path().join("broken.glb"), "glTF").unwrap();
    let output = render(folder.path(), &["--compare", "broken.glb", "-o", "out.png"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no graphics adapter") || said.contains("broken.glb"), "{said}");
}

#[test]
fn each_half_of_a_comparison_is_at_least_one_pixel_wide() {
    let aspect = |size, layout| still::aspect(size, Some(layout));
    assert_eq!((aspect([200, 50], CompareView::Side), aspect([1, 4], CompareView::Side)), (2.0, 0.25));
    assert_eq!((aspect([200, 50], CompareView::Overlay), still::aspect([200, 50], None)), (4.0, 4.0));
}
