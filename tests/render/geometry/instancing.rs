//! Tests EXT_mesh_gpu_instancing on the device: a node with instances is compared with separate nodes, pixel by pixel.

use glam::{Affine3A, DVec3, Mat4, Quat, Vec3};
use image::RgbaImage;
use sinew::model::material::AlphaMode;
use sinew::model::mesh::{MorphTarget, Primitive};
use sinew::model::node::NodeIndex;
use sinew::render::device::gpu::Gpu;

use crate::common::pixels::count;
use crate::scene::{Scene, Shot, colored, gpu, matrix_rows, quad, with};

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

fn place(x: f32, y: f32, z: f32) -> Mat4 {
    Mat4::from_translation(Vec3::new(x, -y, z))
}

/// Returns transforms of quads of 4 x 6 pixels all over the picture. Some of them rotate, stretch or mirror the quad.
fn places() -> Vec<Mat4> {
    let mut places = vec![place(2.0, 3.0, 0.0), place(20.0, 3.0, 5.0)];
    places.push(place(30.0, 30.0, 0.0) * Mat4::from_quat(Quat::from_rotation_z(0.7)) * Mat4::from_scale(Vec3::new(2.0, 1.5, 1.0)));
    places.push(place(50.0, 10.0, 0.0) * Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
    places.push(place(10.0, 50.0, -3.0) * Mat4::from_scale(Vec3::new(1.0, -2.0, 1.0)));
    places
}

fn instanced(scene: &mut Scene, node: usize, places: &[Mat4]) {
    scene.model.nodes[node].instances = places.iter().map(|place| Affine3A::from_mat4(*place)).collect();
}

fn assert_same(gpu: &Gpu, one: &Scene, many: &Scene) -> RgbaImage {
    let (one, many) = (one.draw(gpu, &Shot::default()), many.draw(gpu, &Shot::default()));
    let differ = one.pixels().zip(many.pixels()).filter(|(a, b)| a != b).count();
    assert_eq!(differ, 0, "pixels differ");
    one
}

/// Builds two scenes with the primitive at these places below a node: one with instances, one with a node for each place.
fn both(primitive: &Primitive, node: Mat4, places: &[Mat4]) -> [Scene; 2] {
    let materials = vec![colored(RED)];
    let (mut one, mut many) = (Scene::new(materials.clone(), vec![]), Scene::new(materials, vec![]));
    one.add(primitive.clone(), node);
    instanced(&mut one, 0, places);
    for place in places {
        many.add(primitive.clone(), node * *place);
    }
    [one, many]
}

#[test]
fn far_instances_are_drawn_relative_to_their_center() {
    let Some(gpu) = gpu() else { return };
    let scene_at = |offset: f32| {
        let mut scene = Scene::new(vec![colored(RED)], vec![quad(0.0, 0.0, 4.0, 6.0)]);
        instanced(&mut scene, 0, &[place(offset + 2.0, 3.0, 0.0), place(offset + 20.0, 3.0, 0.0)]);
        scene
    };
    let mut far = scene_at(1e6);
    // The palette of the scene is relative to this point.
    far.model.far_instances = vec![(NodeIndex(0), DVec3::X * 1e6)];
    let picture = assert_same(gpu, &far, &scene_at(0.0));
    assert_eq!(count(&picture, [255, 0, 0, 255]), 2 * 24);
}

#[test]
fn each_instance_covers_its_pixels() {
    let Some(gpu) = gpu() else { return };
    let mut scene = Scene::new(vec![colored(RED)], vec![quad(0.0, 0.0, 4.0, 6.0)]);
    instanced(&mut scene, 0, &[place(2.0, 3.0, 0.0), place(20.0, 3.0, 0.0), place(2.0, 40.0, 0.0)]);
    let picture = scene.draw(gpu, &Shot::default());
    assert_eq!(count(&picture, [255, 0, 0, 255]), 3 * 24);
    assert_eq!(picture.get_pixel(21, 4).0, [255, 0, 0, 255]);
    // Nothing is drawn at the node itself.
    assert_eq!(picture.get_pixel(0, 0).0, [10, 20, 30, 255]);
}

#[test]
fn instances_are_drawn_like_separate_nodes_even_when_mirrored() {
    let Some(gpu) = gpu() else { return };
    // The determinants of instances as small as these underflow in f32.
    let (tiny, huge) = (Mat4::from_scale(Vec3::splat(1e-16)), Mat4::from_scale(Vec3::splat(1e16)));
    let mirrored = place(60.0, 0.0, 0.0) * Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    for (node, scale) in
        [(Mat4::IDENTITY, Mat4::IDENTITY), (place(1.0, 2.0, 0.0), Mat4::IDENTITY), (mirrored, Mat4::IDENTITY), (huge, tiny)]
    {
        let places: Vec<_> = places().into_iter().map(|place| scale * place).collect();
        let [one, many] = both(&quad(0.0, 0.0, 4.0, 6.0), node, &places);
        let picture = assert_same(gpu, &one, &many);
        assert!(count(&picture, [255, 0, 0, 255]) > 100, "five quads must be visible");
    }
}

#[test]
fn every_instance_is_morphed() {
    let Some(gpu) = gpu() else { return };
    let positions = vec![Vec3::ZERO, Vec3::ZERO, Vec3::new(5.0, -4.0, 0.0), Vec3::new(5.0, 0.0, 0.0)];
    let targets = vec![MorphTarget { positions, ..MorphTarget::default() }];
    let primitive = with(quad(0.0, 0.0, 4.0, 6.0), |vertices| vertices.targets = targets);
    let [mut one, mut many] = both(&primitive, Mat4::IDENTITY, &places());
    (one.weights, many.weights) = (Some(vec![1.0]), Some(vec![1.0; 5]));
    assert_same(gpu, &one, &many);
}

#[test]
fn each_member_of_a_crowd_has_all_instances() {
    let Some(gpu) = gpu() else { return };
    let primitive = quad(0.0, 0.0, 4.0, 6.0);
    let [mut one, many] = both(&primitive, Mat4::IDENTITY, &places());
    let moved = place(3.0, 20.0, 0.0);
    one.others = 1;
    one.palette.push(matrix_rows(&moved));
    let mut both_members = many;
    for place in places() {
        both_members.add(primitive.clone(), moved * place);
    }
    assert_same(gpu, &one, &both_members);
}

#[test]
fn blended_instances_are_sorted_back_to_front_among_all_draws() {
    let Some(gpu) = gpu() else { return };
    let blended = |color| sinew::model::material::Material { alpha_mode: AlphaMode::Blend, ..colored(color) };
    let materials = vec![blended([1.0, 0.0, 0.0, 0.5]), blended([0.0, 1.0, 0.0, 0.5])];
    let (red, green) = (quad(0.0, 0.0, 20.0, 20.0), Primitive { material: Some(1), ..quad(4.0, 4.0, 20.0, 20.0) });
    let (near, far) = (place(5.0, 5.0, 9.0), place(2.0, 2.0, -9.0));
    let mut one = Scene::new(materials.clone(), vec![red.clone(), green.clone()]);
    // In file order, the near instance comes first.
    instanced(&mut one, 0, &[near, far]);
    let mut many = Scene::new(materials, vec![green]);
    many.add(red.clone(), near);
    many.add(red, far);
    let picture = assert_same(gpu, &one, &many);
    // The pixel shows red over green over red.
    let [r, g, ..] = picture.get_pixel(15, 15).0;
    assert!(r > g && g > 60, "{r} {g}");
}

#[test]
fn uploads_per_frame_do_not_grow_with_the_instances() {
    let Some(gpu) = gpu() else { return };
    let uploaded = |count: usize| {
        let mut scene = Scene::new(vec![colored(RED)], vec![quad(0.0, 0.0, 1.0, 1.0)]);
        instanced(&mut scene, 0, &(0..count).map(|i| place((i % 64) as f32, (i / 64) as f32, 0.0)).collect::<Vec<_>>());
        scene.uploaded(gpu, &Shot::default())
    };
    assert_eq!(uploaded(2), uploaded(4000));
}
