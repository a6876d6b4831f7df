//! Tests the onion skin: positions and colors of ghosts, and that the body is in front of all of them.

use std::sync::Arc;

use glam::DVec3;
use image::RgbaImage;
use sinew::camera::{Camera, Projection};
use sinew::colors;
use sinew::export::still::options::StillOptions;
use sinew::render::model::GpuModel;
use sinew::render::picture::Background;
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::document::Document;
use sinew::session::names::NameStyle;
use sinew::session::view::display::{Display, Lighting, Shadow};
use sinew::session::view::display::{GhostSource, Ghosts};
use sinew::session::view::{Repeat, View};

use crate::common::gltf_builder::{Gltf, triangle};
use crate::common::pixels::count;
use crate::scene::{gpu, msaa, still};

const BACKGROUND: [u8; 3] = [10, 20, 30];
const SIDE: u32 = 100;

/// Draws a triangle of one meter halfway along its path. With a path of four meters there is a ghost at every meter. Seen from the front,
/// one meter is 100 pixels.
fn draw(end: [f32; 3], alpha_mode: &str, samples: u32, ghosts: Ghosts) -> Option<RgbaImage> {
    draw_keys(&[0.0, 1.0], &[[0.0; 3], end], alpha_mode, samples, ghosts)
}

fn draw_keys(times: &[f32], places: &[[f32; 3]], alpha_mode: &str, samples: u32, ghosts: Ghosts) -> Option<RgbaImage> {
    draw_sized([5 * SIDE, SIDE], true, (times, places), alpha_mode, samples, ghosts)
}

fn draw_sized(
    size: [u32; 2],
    overlays: bool,
    (times, places): (&[f32], &[[f32; 3]]),
    alpha_mode: &str,
    samples: u32,
    ghosts: Ghosts,
) -> Option<RgbaImage> {
    let mut gltf = triangle();
    gltf.push("materials", serde_json::json!({ "alphaMode": alpha_mode, "pbrMetallicRoughness": { "baseColorFactor": [1, 1, 1, 1] } }));
    gltf.json["meshes"][0]["primitives"][0]["material"] = serde_json::json!(0);
    let output = gltf.floats("VEC3", places.as_flattened());
    gltf.animation(&[(0, "translation", "LINEAR", times, output)]);
    draw_model(&gltf, size, overlays, samples, ghosts)
}

fn draw_model(gltf: &Gltf, [width, height]: [u32; 2], overlays: bool, samples: u32, ghosts: Ghosts) -> Option<RgbaImage> {
    let gpu = gpu()?;
    let display = Display { ghosts, grid: false, lighting: Lighting::None, shadow: Shadow::Off, ..Display::default() };
    let view = View { animation: Some(0), repeat: Repeat::Once, rate: Some(4.0), display, ..View::default() };
    let document = Document::new(Arc::new(gltf.model()), "triangle".into(), None);
    let gpu_model = GpuModel::new(gpu, &document.model).unwrap();
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, msaa(samples));
    let projection = Projection::Orthographic { ymag: 0.5, xmag: None, depth: 20.0 };
    let eye = DVec3::new(2.5, 0.5, 10.0);
    let options = StillOptions {
        width,
        height,
        supersample: 1,
        background: Background::Color(BACKGROUND),
        overlays,
        theme: colors::DARK,
        names: NameStyle::Full,
        units: Default::default(),
        pixels_per_point: 1.0,
        camera: Some(Camera::look_at(eye, eye - DVec3::Z, DVec3::Y, projection, 0.0)),
    };
    let analyses = Analyses::new(&document, &view);
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    Some(still(gpu, &mut renderer, &gpu_model, subject, 0.5, &options).unwrap())
}

fn shown(before: u32, after: u32) -> Ghosts {
    Ghosts { shown: true, before, after, step: 1, ..Ghosts::default() }
}

fn linear(byte: u8) -> f64 {
    let c = f64::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Returns whether a pixel has a ghost's color blended over the background in linear light.
fn is_tinted(pixel: [u8; 4], color: [u8; 3], alpha: f64) -> bool {
    (0..3).all(|i| {
        let expected = linear(color[i]) * alpha + linear(BACKGROUND[i]) * (1.0 - alpha);
        (linear(pixel[i]) - expected).abs() < 0.006
    })
}

#[test]
fn ghosts_show_past_and_future_poses_in_their_colors() {
    for (alpha_mode, samples) in [("OPAQUE", 1), ("OPAQUE", 4), ("MASK", 4), ("BLEND", 1)] {
        let Some(picture) = draw([4.0, 0.0, 0.0], alpha_mode, samples, shown(2, 2)) else { return };
        let [before, after, ..] = colors::DARK.ghosts;
        let expected = [(before, 0.42), (before, 0.6), ([255; 3], 1.0), (after, 0.6), (after, 0.42)];
        for (x, (color, density)) in (0u32..).zip(expected) {
            // A point in the lower left half of its square.
            let pixel = picture.get_pixel(x * SIDE + 25, SIDE - 25).0;
            let alpha = if color == [255; 3] { 1.0 } else { density * 0.55 };
            assert!(is_tinted(pixel, color, alpha), "{alpha_mode}, {samples} samples, meter {x}: {pixel:?}");
        }
        let bare = count(&picture, [BACKGROUND[0], BACKGROUND[1], BACKGROUND[2], 255]);
        assert!((24_000..=26_000).contains(&bare), "half of each meter is background: {bare}");
    }
}

#[test]
fn models_of_points_and_lines_have_ghosts() {
    for (mode, samples) in [(0, 1), (2, 1), (2, 4)] {
        let mut gltf = triangle();
        gltf.json["meshes"][0]["primitives"][0]["mode"] = serde_json::json!(mode);
        let output = gltf.floats("VEC3", &[0.3, 0.3, 0.0, 4.3, 0.3, 0.0]);
        gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], output)]);
        let drawn = |ghosts| draw_model(&gltf, [5 * SIDE, SIDE], true, samples, ghosts);
        let (Some(off), Some(on)) = (drawn(shown(0, 0)), drawn(shown(2, 2))) else { return };
        let changed = |meter: u32| {
            let pixels = off.enumerate_pixels().filter(|(x, ..)| x / SIDE == meter);
            pixels.filter(|(x, y, pixel)| *pixel != on.get_pixel(*x, *y)).count()
        };
        // At meter 3, a point of the body hides those of the ghosts.
        for meter in [0, 1, 4] {
            assert!(changed(meter) > 0, "mode {mode}, {samples} samples: no ghost at meter {meter}");
        }
    }
}

#[test]
fn ghosts_not_requested_are_not_drawn() {
    let Some(off) = draw([4.0, 0.0, 0.0], "OPAQUE", 1, Ghosts { shown: false, ..shown(2, 2) }) else { return };
    assert_eq!(count(&off, [255; 4]) + count(&off, [BACKGROUND[0], BACKGROUND[1], BACKGROUND[2], 255]), 500 * 100);
    assert_eq!(draw([4.0, 0.0, 0.0], "OPAQUE", 1, shown(0, 0)), Some(off.clone()));
    let one = draw([4.0, 0.0, 0.0], "OPAQUE", 1, shown(1, 0)).unwrap();
    let changed: Vec<u32> = off.enumerate_pixels().filter(|(x, y, pixel)| *pixel != one.get_pixel(*x, *y)).map(|(x, ..)| x).collect();
    assert!(changed.len() > 4500 && changed.iter().all(|x| (100..200).contains(x)), "only the meter before the body changes");
}

#[test]
fn the_body_is_always_in_front_of_its_ghosts() {
    for end in [[0.0, 0.0, 4.0], [0.0, 0.0, -4.0]] {
        let Some(off) = draw(end, "OPAQUE", 1, Ghosts { shown: false, ..shown(2, 2) }) else { return };
        assert!(count(&off, [255; 4]) > 4500);
        assert_eq!(draw(end, "OPAQUE", 1, shown(2, 2)), Some(off));
    }
}

#[test]
fn overlapping_ghosts_are_no_more_opaque_than_one() {
    let Some(picture) = draw([0.0, 0.0, 0.0], "OPAQUE", 1, shown(3, 3)) else { return };
    let off = draw([0.0, 0.0, 0.0], "OPAQUE", 1, Ghosts { shown: false, ..shown(3, 3) });
    assert_eq!(Some(picture), off, "only the body is drawn if nothing moves");
    // Both ghosts are where the body was before its jump.
    let jump = draw_keys(&[0.0, 0.4, 0.41, 1.0], &[[0.0; 3], [0.0; 3], [2.0, 0.0, 0.0], [2.0, 0.0, 0.0]], "OPAQUE", 1, shown(2, 0));
    let pixel = jump.unwrap().get_pixel(25, SIDE - 25).0;
    assert!(is_tinted(pixel, colors::DARK.ghosts[0], 0.6 * 0.55), "{pixel:?}");
}

#[test]
fn a_picture_shows_the_legend_of_its_ghosts_when_there_is_room() {
    // Returns which ghost colors appear in the lower left corner, where there are no ghosts.
    let swatches = |size: [u32; 2], overlays, ghosts| {
        let picture = draw_sized(size, overlays, (&[0.0, 1.0], &[[0.0, 5.0, 0.0]; 2]), "OPAQUE", 1, ghosts)?;
        let corner = |color: [u8; 3]| {
            let pixels = picture.enumerate_pixels().filter(|(x, y, _)| *x < 200 && *y + 40 > size[1]);
            pixels.filter(|(_, _, pixel)| pixel.0[..3] == color).count()
        };
        Some(colors::DARK.ghosts.map(|color| corner(color) > 20))
    };
    let Some(times) = swatches([640, 360], true, shown(2, 2)) else { return };
    assert_eq!(times, [true, true, false, false]);
    assert_eq!(swatches([640, 360], true, shown(0, 2)), Some([false, true, false, false]));
    assert_eq!(swatches([640, 360], true, Ghosts { source: GhostSource::Rest, ..shown(2, 2) }), Some([false, false, true, false]));
    assert_eq!(swatches([640, 360], true, Ghosts { source: GhostSource::Bind, ..shown(2, 2) }), Some([false, false, false, true]));
    assert_eq!(swatches([640, 360], false, shown(2, 2)), Some([false; 4]), "there is no legend without overlays");
    assert_eq!(swatches([300, 200], true, shown(2, 2)), Some([false; 4]), "there is no legend in a small picture");
}
