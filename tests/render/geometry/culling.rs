//! Tests that culling skips draws outside the view and does not change a byte of the picture.

use glam::{DVec3, Mat4, Vec3};
use sinew::camera::{Camera, Projection};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::{Influences, MorphTarget};
use sinew::model::node::NodeIndex;
use sinew::model::skin::Skin;
use sinew::render::picture::Msaa;
use sinew::render::renderer::Renderer;
use sinew::session::view::display::{Display, Shading};

use crate::scene::{Scene, Shot, colored, gpu, matrix_rows, quad, with};

const CAMERAS: usize = 60;

/// Builds a grid of solid and blended boards, one board that two distant joints stretch, and one that morphs away from its position. All of
/// them are drawn for three crowd members.
fn rigs() -> Scene {
    let blend = Material { alpha_mode: AlphaMode::Blend, ..colored([0.0, 0.0, 1.0, 0.5]) };
    let mut scene = Scene::new(vec![Material { double_sided: true, ..colored([1.0, 0.5, 0.0, 1.0]) }, blend], Vec::new());
    for i in 0..25 {
        let mut board = quad(-4.0, -4.0, 8.0, 8.0);
        board.material = Some(i % 2);
        let at = Vec3::new((i % 5) as f32 * 40.0 - 80.0, (i / 5) as f32 * 40.0 - 80.0, i as f32 * 7.0 - 80.0);
        scene.add(board, Mat4::from_translation(at) * Mat4::from_rotation_y(i as f32));
    }
    let moved = MorphTarget { positions: vec![Vec3::new(150.0, 20.0, 0.0); 4], ..MorphTarget::default() };
    scene.add(with(quad(-5.0, -5.0, 10.0, 10.0), |vertices| vertices.targets = vec![moved]), Mat4::IDENTITY);
    let influences = Influences {
        sets: 1,
        joints: vec![[0, 1, 0, 0]; 4],
        weights: vec![[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.3, 0.7, 0.0, 0.0]],
    };
    scene.add(with(quad(-6.0, -6.0, 12.0, 12.0), |vertices| vertices.influences = influences), Mat4::IDENTITY);
    let first = scene.palette.len();
    scene.model.skins.push(Skin {
        joints: vec![NodeIndex(0), NodeIndex(1)],
        inverse_bind_matrices: vec![glam::Affine3A::IDENTITY; 2],
        matrices: first..first + 2,
        ..Skin::default()
    });
    scene.model.nodes.last_mut().unwrap().skin = Some(0);
    scene.model.palette_len += 2;
    scene.palette.push(matrix_rows(&Mat4::from_translation(Vec3::new(-90.0, 30.0, 10.0))));
    scene.palette.push(matrix_rows(&Mat4::from_translation(Vec3::new(90.0, -30.0, -20.0))));
    // Two more members beside the first one.
    let one = scene.palette.clone();
    for by in [130.0, -170.0] {
        scene.palette.extend(one.iter().map(|matrix| {
            let mut moved = *matrix;
            moved.rows[0].w += by;
            moved
        }));
    }
    scene.others = 2;
    scene.weights = Some(vec![1.0, -0.7, 0.2]);
    scene
}

/// Returns a camera within or around the rigs. The cameras look in all directions.
fn camera(i: usize) -> Camera {
    let (turn, tilt) = (i as f64 * 2.4, (i as f64 * 0.9).sin());
    let eye = DVec3::new(turn.cos(), tilt, turn.sin()) * (20.0 + (i % 7) as f64 * 25.0);
    let target = DVec3::new((i as f64 * 1.7).sin() * 100.0, (i as f64 * 0.6).cos() * 60.0, 0.0);
    let projection = match i % 4 {
        0 => Projection::Orthographic { ymag: 30.0, xmag: None, depth: 2000.0 },
        _ => Projection::Perspective { yfov: 0.3 + (i % 5) as f64 * 0.2, aspect_ratio: None, zfar: None },
    };
    Camera::look_at(eye, target, DVec3::Y, projection, 0.5)
}

#[test]
fn culling_does_not_change_the_picture() {
    let Some(gpu) = gpu() else { return };
    let scene = rigs();
    let (mut fewer, mut most) = (0, 0);
    // A single renderer, because each one compiles its pipelines anew.
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
    let mut draw = |shot: &Shot| (scene.draw_again(gpu, shot, &mut renderer), renderer.statistics.draws);
    for i in 0..CAMERAS {
        let display = Display { shading: Shading::Normals, ..Shot::default().display };
        let samples = if i % 3 == 0 { 4 } else { 1 };
        let shot = |culls| Shot { camera: Some(camera(i)), culls, samples, display: display.clone(), ..Shot::default() };
        let [(culled, drawn), (whole, all)] = [true, false].map(|culls| draw(&shot(culls)));
        assert_eq!(culled, whole, "camera {i}");
        fewer += usize::from(drawn < all);
        most = most.max(all);
    }
    assert!(most > 30, "too few draws to test culling: {most}");
    assert!(fewer > CAMERAS / 2, "only {fewer} pictures took fewer draws");
}

#[test]
fn parts_outside_the_view_are_not_drawn() {
    let Some(gpu) = gpu() else { return };
    let projection = Projection::Perspective { yfov: 0.5, aspect_ratio: None, zfar: None };
    let mut scene = Scene::new(vec![Material { double_sided: true, ..colored([1.0; 4]) }], Vec::new());
    for at in [Vec3::NEG_Z, Vec3::Z, Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y] {
        scene.add(quad(-1.0, -1.0, 2.0, 2.0), Mat4::from_translation(at * 50.0));
    }
    let camera = Some(Camera::look_at(DVec3::ZERO, DVec3::NEG_Z, DVec3::Y, projection, 0.1));
    assert_eq!(scene.draws(gpu, &Shot { camera, ..Shot::default() }), 1);
    assert_eq!(scene.draws(gpu, &Shot { camera, culls: false, ..Shot::default() }), 6);
}
