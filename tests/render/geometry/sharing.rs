//! Tests that nodes with the same mesh are instances of one draw, and that unchanged data is not uploaded again.

use glam::{DVec3, Mat4, Vec3};
use sinew::camera::{Camera, Projection};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::Primitive;
use sinew::render::picture::Msaa;
use sinew::render::renderer::Renderer;

use crate::common::pixels::{count, is_near};
use crate::scene::{Scene, Shot, colored, gpu, matrix_rows, quad};

const NODES: usize = 1000;

/// Builds boards of one pixel on every second pixel. Some of them are mirrored.
fn boards(material: Material) -> Scene {
    let mut scene = Scene::new(vec![material], Vec::new());
    for i in 0..NODES {
        let [x, y] = [i % 40, i / 40].map(|at| at as f32 * 2.0);
        let mirror = Vec3::new(1.0, 1.0, if i % 10 == 0 { -1.0 } else { 1.0 });
        scene.add(quad(0.0, 0.0, 1.0, 1.0), Mat4::from_translation(Vec3::new(x, -y, 0.0)) * Mat4::from_scale(mirror));
    }
    scene
}

/// Makes all nodes show the first node's mesh.
fn shared(mut scene: Scene) -> Scene {
    scene.model.nodes.iter_mut().for_each(|node| node.mesh = Some(0));
    scene.model.meshes.truncate(1);
    scene
}

#[test]
fn a_thousand_nodes_with_one_mesh_need_two_draws_for_the_same_picture() {
    let Some(gpu) = gpu() else { return };
    let material = || Material { double_sided: true, ..colored([1.0, 0.0, 0.0, 1.0]) };
    let (apart, together) = (boards(material()), shared(boards(material())));
    let shot = || Shot { size: [80, 50], ..Shot::default() };
    let picture = together.draw(gpu, &shot());
    assert_eq!(count(&picture, [255, 0, 0, 255]), NODES);
    assert_eq!(picture, apart.draw(gpu, &shot()));
    assert_eq!(apart.draws(gpu, &shot()), NODES);
    // Mirrored nodes are a separate draw.
    assert_eq!(together.draws(gpu, &shot()), 2);
}

#[test]
fn many_meshes_with_many_materials_keep_their_places_and_colors() {
    let Some(gpu) = gpu() else { return };
    // Linear values and their sRGB bytes.
    let levels = [(0.0, 0), (0.25, 137), (0.5, 188), (1.0, 255)];
    let colors: Vec<_> = (0..20).map(|i| [levels[i % 4], levels[i / 4 % 4], levels[i / 16], (1.0, 255)]).collect();
    let mut scene = Scene::new(colors.iter().map(|color| colored(color.map(|(linear, _)| linear))).collect(), Vec::new());
    // The depth of a quad, its place and its material have nothing to do with each other. Each quad covers parts of its neighbors.
    let quads: Vec<_> = (0..256).map(|i| ([i % 16, i / 16].map(|at| at * 4), i * 7 % 20, i * 37 % 256)).collect();
    for &([x, y], material, depth) in &quads {
        let mesh = Primitive { material: Some(material), ..quad(0.0, 0.0, 6.0, 6.0) };
        scene.add(mesh, Mat4::from_translation(Vec3::new(x as f32, -(y as f32), -(depth as f32) * 0.01)));
    }
    let picture = scene.draw(gpu, &Shot { size: [64, 64], ..Shot::default() });
    for (x, y, pixel) in picture.enumerate_pixels() {
        let covers = |[left, top]: [usize; 2]| (left..left + 6).contains(&(x as usize)) && (top..top + 6).contains(&(y as usize));
        let nearest = quads.iter().filter(|(place, ..)| covers(*place)).min_by_key(|(.., depth)| depth).unwrap();
        assert!(is_near(pixel.0, colors[nearest.1].map(|(_, byte)| byte)), "{x}, {y}: {pixel:?}");
    }
}

#[test]
fn blended_nodes_with_one_mesh_keep_their_order() {
    let Some(gpu) = gpu() else { return };
    let blend = Material { alpha_mode: AlphaMode::Blend, ..colored([1.0, 0.0, 0.0, 0.5]) };
    let scene = shared(boards(blend));
    assert!(scene.draws(gpu, &Shot { size: [80, 50], ..Shot::default() }) >= NODES);
}

#[test]
fn blended_nodes_at_the_same_distance_keep_the_order_of_the_file() {
    let Some(gpu) = gpu() else { return };
    let blend = |color| Material { alpha_mode: AlphaMode::Blend, ..colored(color) };
    let materials = vec![blend([1.0, 0.0, 0.0, 0.5]), blend([0.0, 1.0, 0.0, 0.5])];
    let layers = |meshes: [usize; 4]| {
        let mut scene = Scene::new(materials.clone(), Vec::new());
        (0..4).for_each(|node| scene.add(Primitive { material: Some(node % 2), ..quad(0.0, 0.0, 8.0, 8.0) }, Mat4::IDENTITY));
        scene.model.nodes.iter_mut().zip(meshes).for_each(|(node, mesh)| node.mesh = Some(mesh));
        scene.draw(gpu, &Shot::default())
    };
    // Red and green alternate, whether each node has a separate mesh or shares one with the node after the next.
    let picture = layers([0, 1, 0, 1]);
    assert_eq!(picture, layers([0, 1, 2, 3]));
    let [r, g, ..] = picture.get_pixel(4, 4).0;
    assert!(g > r && r > 100, "green is on top of red: {r} {g}");
}

#[test]
fn one_moving_node_uploads_only_a_part_of_the_palette() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
    // On software rasterizers, the palettes are several rows of a texture, the last of which is not full.
    let mut scene = shared(boards(colored([1.0; 4])));
    scene.others = 4;
    scene.palette = std::iter::repeat_n(scene.palette.clone(), 5).flatten().collect();
    let shot = Shot { size: [80, 50], ..Shot::default() };
    let shown = count(&scene.draw_again(gpu, &shot, &mut renderer), [255; 4]);
    // These nodes are not mirrored. Each moves to an empty pixel.
    for (i, node) in [1, 1023, 1024, 2501, 4999].into_iter().enumerate() {
        let moved = Mat4::from_translation(Vec3::new(1.0 + i as f32 * 2.0, -1.0, 0.0));
        scene.palette[node] = matrix_rows(&moved);
        let picture = scene.draw_again(gpu, &shot, &mut renderer);
        assert_eq!(count(&picture, [255; 4]), shown + 1 + i, "node {node}");
        assert_eq!(picture, scene.draw(gpu, &shot), "node {node}");
        let uploaded = renderer.statistics.uploaded;
        assert!((48..16_384).contains(&uploaded), "node {node}: {uploaded} bytes");
    }
}

#[test]
fn a_camera_moving_around_a_still_model_uploads_only_the_camera() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
    // The palettes take more than one megabyte.
    let mut scene = shared(boards(colored([1.0; 4])));
    scene.others = 29;
    let one = scene.palette.clone();
    scene.palette = std::iter::repeat_n(one, 30).flatten().collect();
    let look = |i: usize| {
        let eye = DVec3::new(40.0 + i as f64, -25.0, 500.0);
        let projection = Projection::Perspective { yfov: 0.5, aspect_ratio: None, zfar: None };
        Shot { camera: Some(Camera::look_at(eye, DVec3::new(40.0, -25.0, 0.0), DVec3::Y, projection, 1.0)), ..Shot::default() }
    };
    let uploaded: Vec<u64> = (0..4)
        .map(|i| {
            scene.draw_again(gpu, &look(i), &mut renderer);
            renderer.statistics.uploaded
        })
        .collect();
    assert!(uploaded[0] > 1 << 20, "{uploaded:?}");
    assert!(uploaded[2..].iter().all(|bytes| (64..4096).contains(bytes)), "{uploaded:?}");
}
