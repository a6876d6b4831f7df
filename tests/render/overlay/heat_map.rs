//! Tests the heat map and GPU picking with scenes whose contents are known.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{Mat4, Vec3, Vec4};
use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::colors::{HEAT, UNMOVED};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::{Influences, Primitive, Vertices};
use sinew::model::node::NodeIndex;
use sinew::model::skin::Skin;
use sinew::render::device::gpu::Gpu;
use sinew::session::inspect::heat_map::{VertexHeats, heat_color};
use sinew::session::pick::vertex::Vertex;
use sinew::session::pose::geometry_mask::VisibleIndices;
use sinew::session::view::display::{Display, HeatMap};

use crate::common::pixels::{count, is_near};
use crate::scene::{Scene, Shot, colored, gpu, matrix_rows, quad};

const WHITE: [f32; 4] = [1.0; 4];

/// Builds a scene of a primitive that is skinned to 16 identity joints, with these weights for each vertex.
fn skinned(primitive: Primitive, sets: usize, weights: impl Fn(usize) -> Vec<(u16, f32)>) -> Scene {
    let vertices = &*primitive.vertices;
    let (mut joints, mut all) = (Vec::new(), Vec::new());
    for vertex in 0..vertices.positions.len() {
        let mut of_vertex = weights(vertex);
        of_vertex.resize(sets * 4, (0, 0.0));
        for set in of_vertex.chunks(4) {
            joints.push(std::array::from_fn(|i| set[i].0));
            all.push(std::array::from_fn(|i| set[i].1));
        }
    }
    let influences = Influences { sets, joints, weights: all };
    let vertices = Vertices { influences, ..vertices.clone() };
    let mut scene = Scene::new(vec![colored(WHITE)], vec![Primitive { vertices: vertices.into(), ..primitive }]);
    let joint_count = 16;
    let matrices = scene.model.palette_len..scene.model.palette_len + joint_count;
    scene.model.palette_len = matrices.end;
    scene.palette.resize(matrices.end, JointMatrix::IDENTITY);
    scene.model.nodes[0].skin = Some(0);
    scene.model.skins.push(Skin { joints: vec![NodeIndex(0); joint_count], matrices, ..Skin::default() });
    scene
}

fn shot(tints: Vec<Vec4>) -> Shot {
    let display = Display { heat_map: HeatMap::Selection, ..Shot::default().display };
    Shot { display, tints, ..Shot::default() }
}

/// Returns the heat of each palette entry: 1 for the listed joints, else 0. The first entry is the node's own.
fn heat(joints: &[usize]) -> Vec<Vec4> {
    (0..17).map(|entry| if entry > 0 && joints.contains(&(entry - 1)) { Vec4::X } else { Vec4::ZERO }).collect()
}

fn rgba([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 255]
}

#[test]
fn a_weight_has_the_color_of_the_legend() {
    let Some(gpu) = gpu() else { return };
    for weight in [0.0, 0.125, 0.25, 0.5, 0.61, 0.75, 1.0f32] {
        let scene = skinned(quad(8.0, 8.0, 40.0, 40.0), 1, |_| vec![(3, weight), (5, 1.0 - weight)]);
        let picture = scene.draw(gpu, &shot(heat(&[3])));
        let pixel = picture.get_pixel(28, 28).0;
        assert!(is_near(pixel, rgba(heat_color(weight))), "{weight}: {pixel:?}, not {:?}", heat_color(weight));
    }
    assert_eq!((heat_color(0.0), heat_color(0.5), heat_color(1.0)), (UNMOVED, HEAT[2], HEAT[4]));
}

#[test]
fn the_weights_of_several_joints_add_up_over_all_sets() {
    let Some(gpu) = gpu() else { return };
    // Twelve influences: joints 0 to 11 with a weight of 1/12 each.
    let scene = skinned(quad(8.0, 8.0, 40.0, 40.0), 3, |_| (0..12).map(|joint| (joint, 1.0 / 12.0)).collect());
    for (joints, sum) in [(vec![11], 1.0 / 12.0), (vec![0, 5, 9], 0.25), (vec![1, 2, 6, 7, 10, 11], 0.5), ((0..12).collect(), 1.0)] {
        let pixel = scene.draw(gpu, &shot(heat(&joints))).get_pixel(28, 28).0;
        assert!(is_near(pixel, rgba(heat_color(sum))), "{joints:?}: {pixel:?}, not {:?}", heat_color(sum));
    }
}

#[test]
fn weights_interpolate_linearly_and_colors_mix_in_linear_light() {
    let Some(gpu) = gpu() else { return };
    // The left corners follow joint 3, the right ones joint 5.
    let left = |vertex: usize| vertex < 2;
    let scene = skinned(quad(0.0, 0.0, 64.0, 64.0), 1, |vertex| vec![(if left(vertex) { 3 } else { 5 }, 1.0)]);
    let picture = scene.draw(gpu, &shot(heat(&[5])));
    for x in [0, 13, 32, 50, 63] {
        let weight = (x as f32 + 0.5) / 64.0;
        assert!(is_near(picture.get_pixel(x, 30).0, rgba(heat_color(weight))), "{x}: {:?}", picture.get_pixel(x, 30));
    }
    let tint = |entry| match entry {
        4 => Vec4::new(1.0, 0.0, 0.0, 1.0),
        6 => Vec4::new(0.0, 0.0, 1.0, 1.0),
        _ => Vec4::W,
    };
    let picture = scene.draw(gpu, &shot((0..17).map(tint).collect()));
    let [r, _, b, _] = picture.get_pixel(32, 30).0;
    assert!(r.abs_diff(188) <= 2 && b.abs_diff(188) <= 2, "half the light of each: {r}, {b}");
}

#[test]
fn vertices_with_their_own_heat_ignore_their_joints() {
    let Some(gpu) = gpu() else { return };
    // Both primitives follow joint 3, which has the tint of heat 1. The vertices of the first one have their own heats: 0 at the left and
    // 0.5 at the right.
    let quads = [quad(0.0, 0.0, 64.0, 30.0), quad(0.0, 34.0, 64.0, 30.0)];
    let mut scene = skinned(quads[0].clone(), 1, |_| vec![(3, 1.0)]);
    let influences = scene.model.meshes[0].primitives[0].vertices.influences.clone();
    let vertices = Vertices { influences, ..(*quads[1].vertices).clone() };
    scene.model.meshes[0].primitives.push(Primitive { vertices: vertices.into(), ..quads[1].clone() });
    let heats = quads[0].vertices.positions.iter().map(|position| if position.x > 32.0 { 0.5 } else { 0.0 });
    let heats = VertexHeats { heats: [0.25, 0.25].into_iter().chain(heats).collect(), starts: [((NodeIndex(0), 0), 2)].into() };
    let picture = scene.draw(gpu, &Shot { heats: Some(heats), ..shot(heat(&[3])) });
    for x in [0, 13, 32, 50, 63] {
        let own = rgba(heat_color((x as f32 + 0.5) / 128.0));
        assert!(is_near(picture.get_pixel(x, 15).0, own), "{x}: {:?}, not {own:?}", picture.get_pixel(x, 15));
        assert!(is_near(picture.get_pixel(x, 49).0, rgba(heat_color(1.0))), "{x}: {:?}", picture.get_pixel(x, 49));
    }
}

#[test]
fn the_vertices_of_a_second_rigid_mesh_have_their_own_heats() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored(WHITE)], vec![quad(0.0, 0.0, 64.0, 30.0), quad(0.0, 34.0, 64.0, 30.0)]);
    let heats = VertexHeats { heats: vec![0.5; 4], starts: [((NodeIndex(1), 0), 0)].into() };
    let picture = scene.draw(gpu, &Shot { heats: Some(heats), ..shot(vec![Vec4::ZERO, Vec4::X]) });
    assert_eq!(count(&picture, rgba(UNMOVED)), 64 * 30);
    assert_eq!(count(&picture, rgba(heat_color(0.5))), 64 * 30);
}

#[test]
fn every_instance_of_a_rigid_mesh_has_the_heat_of_its_joint() {
    let Some(gpu) = gpu() else { return };
    let mut scene = Scene::new(vec![colored(WHITE)], vec![quad(2.0, 2.0, 10.0, 10.0), quad(20.0, 2.0, 10.0, 10.0)]);
    let tints = vec![Vec4::ZERO, Vec4::X];
    let picture = scene.draw(gpu, &shot(tints.clone()));
    assert_eq!((count(&picture, rgba(UNMOVED)), count(&picture, rgba(HEAT[4]))), (100, 100));
    let place = |x: f32, y: f32| glam::Affine3A::from_translation(Vec3::new(x, -y, 0.0));
    scene.model.nodes[1].instances = vec![place(0.0, 20.0), place(20.0, 20.0), place(20.0, 40.0)];
    let picture = scene.draw(gpu, &shot(tints));
    assert_eq!((count(&picture, rgba(UNMOVED)), count(&picture, rgba(HEAT[4]))), (100, 300));
}

#[test]
fn without_tints_a_mesh_is_drawn_as_usual() {
    let Some(gpu) = gpu() else { return };
    let scene = skinned(quad(8.0, 8.0, 40.0, 40.0), 1, |_| vec![(3, 1.0)]);
    let picture = scene.draw(gpu, &shot(Vec::new()));
    assert_eq!(count(&picture, [255; 4]), 1600);
    let off = Shot { display: Shot::default().display, ..shot(heat(&[3])) };
    assert_eq!(count(&scene.draw(gpu, &off), [255; 4]), 1600);
}

#[test]
fn only_the_visible_part_of_a_mesh_is_drawn() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored(WHITE)], vec![quad(0.0, 0.0, 40.0, 40.0), quad(50.0, 50.0, 10.0, 10.0)]);
    let left = |indices: &[u32]| -> Arc<VisibleIndices> { VisibleIndices::from([((NodeIndex(0), 0), indices.into())]).into() };
    let drawn = |indices: &[u32]| count(&scene.draw(gpu, &Shot { left: left(indices), ..Shot::default() }), [255; 4]);
    let half = drawn(&[0, 2, 3]);
    assert!((900 - 20..=900 + 20).contains(&half), "half of 1600 and the other square: {half}");
    assert_eq!(drawn(&[]), 100);
    // The same part is drawn if the picture is drawn in steps.
    let shot = Shot { left: left(&[0, 2, 3]), indices_at_once: Some(6), ..Shot::default() };
    assert_eq!(count(&scene.draw(gpu, &shot), [255; 4]), half);
}

/// Picks at a pixel and waits for the result, at most 20 seconds. The window never waits.
fn seen(gpu: &Gpu, scene: &Scene, shot: &Shot, pixel: [u32; 2]) -> Option<Vertex> {
    let mut rgba = vec![0; (shot.size[0] * shot.size[1] * 4) as usize];
    let mut seen = None;
    scene.staged(gpu, shot, |renderer, picture, actors| {
        sinew::export::still::tiles::draw_tiles(gpu, renderer, picture, actors, &mut rgba, [shot.tile; 2], None).unwrap();
        assert!(renderer.take_picked(gpu).is_none(), "nothing was requested");
        assert!(renderer.pick(gpu, &picture, actors, pixel));
        let begun = Instant::now();
        seen = loop {
            if let Some(seen) = renderer.take_picked(gpu) {
                break seen;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the device does not answer");
            std::thread::sleep(Duration::from_millis(1));
        };
        assert!(!renderer.is_picking() && renderer.take_picked(gpu).is_none(), "the result is reported only once");
    });
    seen
}

#[test]
fn gpu_picking_finds_the_nearest_primitive_and_a_vertex_of_its_triangle() {
    let Some(gpu) = gpu() else { return };
    let mut scene = Scene::new(vec![colored(WHITE)], vec![quad(0.0, 0.0, 40.0, 40.0)]);
    scene.add(quad(20.0, 20.0, 30.0, 30.0), Mat4::from_translation(Vec3::Z * 5.0));
    for perspective in [false, true] {
        let shot = Shot { perspective, samples: 4, ..Shot::default() };
        let at = |x, y| seen(gpu, &scene, &shot, [x, y]);
        let found = at(5, 3).unwrap();
        assert_eq!((found.node, found.primitive), (NodeIndex(0), 0));
        assert!([0, 2, 3].contains(&found.vertex), "upper right triangle: {found:?}");
        let found = at(3, 10).unwrap();
        assert!([0, 1, 2].contains(&found.vertex), "lower left triangle: {found:?}");
        let in_front = at(30, 30).unwrap();
        assert_eq!(in_front.node, NodeIndex(1));
        assert!(in_front.vertex < 4, "vertices are counted within their primitive: {in_front:?}");
        assert_eq!(at(60, 10), None);
    }
}

#[test]
fn gpu_picking_handles_skins_instances_parts_and_masks() {
    let Some(gpu) = gpu() else { return };
    let mut bent = skinned(quad(0.0, 0.0, 20.0, 20.0), 1, |_| vec![(7, 1.0)]);
    bent.palette[8] = matrix_rows(&Mat4::from_translation(Vec3::new(30.0, -30.0, 0.0)));
    assert_eq!(seen(gpu, &bent, &Shot::default(), [5, 5]), None, "moved away");
    assert_eq!(seen(gpu, &bent, &Shot::default(), [40, 40]).map(|found| found.node), Some(NodeIndex(0)));

    let mut placed = Scene::new(vec![colored(WHITE)], vec![quad(0.0, 0.0, 5.0, 5.0), quad(0.0, 0.0, 10.0, 10.0)]);
    let place = |x: f32, y: f32| glam::Affine3A::from_translation(Vec3::new(x, -y, 0.0));
    placed.model.nodes[1].instances = vec![place(20.0, 0.0), place(20.0, 40.0)];
    assert_eq!(seen(gpu, &placed, &Shot::default(), [2, 2]).map(|found| found.node), Some(NodeIndex(0)));
    for pixel in [[25, 5], [25, 45]] {
        assert_eq!(seen(gpu, &placed, &Shot::default(), pixel).map(|found| found.node), Some(NodeIndex(1)), "{pixel:?}");
    }

    let hole = Material { alpha_mode: AlphaMode::Mask { cutoff: 0.5 }, ..colored([1.0, 1.0, 1.0, 0.2]) };
    let mut cut = Scene::new(vec![colored(WHITE), hole], vec![quad(0.0, 0.0, 20.0, 20.0)]);
    cut.add(Primitive { material: Some(1), ..quad(0.0, 0.0, 20.0, 20.0) }, Mat4::from_translation(Vec3::Z * 5.0));
    assert_eq!(seen(gpu, &cut, &Shot::default(), [5, 5]).map(|found| found.node), Some(NodeIndex(0)));
    let left = VisibleIndices::from([((NodeIndex(0), 0), vec![0, 1, 2].into())]).into();
    assert_eq!(seen(gpu, &cut, &Shot { left, ..Shot::default() }, [15, 2]), None, "that triangle is hidden");
}
