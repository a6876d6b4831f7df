//! Tests that a picture is the same whether it is copied to the target or drawn into it by the last pass, and whether it is drawn at once
//! or in steps.

use glam::{DVec3, Mat4, Vec3};
use sinew::model::material::{AlphaMode, Material};
use sinew::render::annotations::line::Line;
use sinew::session::view::display::{Depth, Display};

use crate::scene::{Scene, Shot, colored, gpu, moved, quad};

/// Builds overlapping solid quads, each nearer than the previous one, and a translucent quad in front of all.
fn quads() -> Scene {
    let glass = Material { alpha_mode: AlphaMode::Blend, ..colored([0.2, 0.4, 0.9, 0.4]) };
    let mut scene = Scene::new(vec![colored([0.8, 0.3, 0.1, 1.0]), colored([0.1, 0.6, 0.2, 1.0]), glass], vec![]);
    for i in 0..10u8 {
        let at = f32::from(i) * 4.3;
        let mut primitive = moved(quad(at, at, 20.0, 20.0), Vec3::new(0.0, 0.0, at * 0.01));
        primitive.material = Some(usize::from(i % 2));
        scene.add(primitive, Mat4::IDENTITY);
    }
    let mut over = moved(quad(10.0, 30.0, 50.0, 10.0), Vec3::new(0.0, 0.0, 1.0));
    over.material = Some(2);
    scene.add(over, Mat4::IDENTITY);
    scene
}

fn shot() -> Shot {
    let line = Line {
        start: DVec3::new(5.0, 50.0, 2.0),
        end: DVec3::new(55.0, 12.0, 2.0),
        width: 3.0,
        color: [250, 180, 40, 200],
        halo: [0, 0, 0, 90],
        depth: Depth::InFront,
        halo_width: 1.5,
    };
    Shot { lines: vec![line], display: Display { axes: true, ..Shot::default().display }, ..Shot::default() }
}

#[test]
fn a_copied_picture_equals_the_output_of_the_last_pass() {
    let Some(gpu) = gpu() else { return };
    let scene = quads();
    // A picture with an overlay is never copied. It is drawn by the last pass into both targets.
    for (samples, has_overlay) in [(1, false), (4, false), (1, true), (4, true)] {
        let shot = if has_overlay { Shot { samples, ..shot() } } else { Shot { samples, ..Shot::default() } };
        let copied = scene.draw(gpu, &shot);
        // This target cannot be copied to.
        let finished = scene.draw_into(gpu, &shot, shot.size, [0, 0, 64, 64]);
        for (x, y, pixel) in copied.enumerate_pixels() {
            let other = finished.get_pixel(x, y);
            // The last pass rounds to bytes a second time.
            let near = pixel.0.iter().zip(other.0).all(|(a, b)| a.abs_diff(b) <= 1);
            assert!(near, "{samples} samples, overlay {has_overlay}, {x}, {y}: {pixel:?} and {other:?}");
        }
    }
}

#[test]
fn a_picture_drawn_in_steps_equals_one_drawn_at_once() {
    let Some(gpu) = gpu() else { return };
    let mut scene = quads();
    scene.others = 2;
    scene.palette = scene.palette.repeat(3);
    for samples in [1, 4] {
        let at_once = scene.draw(gpu, &Shot { samples, ..shot() });
        for indices in [1, 6, 20, 40] {
            let in_steps = scene.draw(gpu, &Shot { samples, indices_at_once: Some(indices), ..shot() });
            assert!(in_steps == at_once, "{samples} samples, {indices} indices");
        }
    }
}
