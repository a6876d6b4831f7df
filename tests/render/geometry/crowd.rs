//! Tests that all members of a crowd are drawn, in any number of palette pages, and that each member has its own winding and morph
//! weights.

use glam::{Mat4, Vec3};
use image::RgbaImage;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::{MorphTarget, Primitive};
use sinew::model::node::NodeIndex;
use sinew::session::view::display::Shading;

use crate::common::pixels::count;
use crate::scene::{Scene, Shot, colored, gpu, matrix_rows, quad, with};

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

/// Builds two nodes with a quad each, red and green. There is one member every 8 pixels to the right and down, eight in a row.
fn rows(members: usize) -> Scene {
    let green = Primitive { material: Some(1), ..quad(4.0, 0.0, 2.0, 3.0) };
    let mut scene = Scene::new(vec![colored(RED), colored([0.0, 1.0, 0.0, 1.0])], vec![quad(0.0, 0.0, 3.0, 3.0), green]);
    let place = |member: usize| Mat4::from_translation(Vec3::new((member % 8 * 8) as f32, -((member / 8 * 8) as f32), 0.0));
    scene.palette = (0..members).flat_map(|member| [matrix_rows(&place(member)); 2]).collect();
    scene.others = members - 1;
    scene
}

fn colors(picture: &RgbaImage) -> [usize; 2] {
    [count(picture, [255, 0, 0, 255]), count(picture, [0, 255, 0, 255])]
}

#[test]
fn a_crowd_covers_as_many_pixels_as_its_members_drawn_alone() {
    let Some(gpu) = gpu() else { return };
    for members in [1, 2, 9, 64] {
        let picture = rows(members).draw(gpu, &Shot::default());
        assert_eq!(colors(&picture), [9 * members, 6 * members], "{members}");
    }
}

#[test]
fn a_crowd_in_many_pages_looks_like_one_in_a_single_page() {
    let Some(gpu) = gpu() else { return };
    let scene = rows(64);
    let whole = scene.draw(gpu, &Shot::default());
    // A member has two matrices of 48 bytes. The limits give five members per page, one (which already exceeds the limit), and all but one.
    for limit in [500, 1, 63 * 96] {
        let picture = scene.draw(gpu, &Shot { page_limit: Some(limit), ..Shot::default() });
        assert!(picture == whole, "pages of {limit} bytes: {:?} pixels", colors(&picture));
    }
}

#[test]
fn pages_are_bound_for_blended_draws_too() {
    let Some(gpu) = gpu() else { return };
    let mut scene = rows(64);
    scene.model.materials[1] = Material { alpha_mode: AlphaMode::Blend, ..colored([0.0, 1.0, 0.0, 1.0]) };
    let picture = scene.draw(gpu, &Shot { page_limit: Some(500), ..Shot::default() });
    assert_eq!(colors(&picture), [9 * 64, 6 * 64]);
}

#[test]
fn members_in_many_pages_keep_their_own_morph_weights() {
    let Some(gpu) = gpu() else { return };
    // A weight of 1 moves the quad 32 pixels down.
    let targets = vec![MorphTarget { positions: vec![Vec3::Y * -32.0; 4], ..MorphTarget::default() }];
    let primitive = with(quad(0.0, 0.0, 4.0, 4.0), |vertices| vertices.targets = targets);
    let mut scene = Scene::new(vec![colored(RED)], vec![primitive]);
    scene.palette = (0..8).map(|member| matrix_rows(&Mat4::from_translation(Vec3::X * (8 * member) as f32))).collect();
    scene.others = 7;
    scene.weights = Some((0..8).map(|member| (member % 2) as f32).collect());
    for page_limit in [None, Some(100)] {
        let picture = scene.draw(gpu, &Shot { page_limit, ..Shot::default() });
        for member in 0..8u32 {
            let [above, below] = [0, 32].map(|y| picture.get_pixel(8 * member + 1, y + 1).0 == [255, 0, 0, 255]);
            assert_eq!([above, below], if member % 2 == 0 { [true, false] } else { [false, true] }, "{member} of {page_limit:?}");
        }
        assert_eq!(count(&picture, [255, 0, 0, 255]), 8 * 16);
    }
}

#[test]
fn mirrored_members_of_a_crowd_are_not_culled() {
    let Some(gpu) = gpu() else { return };
    let mut scene = Scene::new(vec![colored(RED)], vec![quad(0.0, 0.0, 4.0, 4.0)]);
    // The animated scale passes through zero, so some members are mirrored and others are not.
    let target = Target::Scale(NodeIndex(0));
    let output = vec![1.0, 1.0, 1.0, -1.0, 1.0, 1.0];
    let channel = Channel { source: 0, target, key_times: 0, interpolation: Interpolation::Linear, output, components: 3 };
    let animation = Animation { duration: 1.0, key_times: vec![vec![0.0, 1.0]], channels: vec![channel], ..Animation::default() };
    scene.model.animations = vec![animation];
    let member = |member: usize| {
        let mirror = Mat4::from_scale(Vec3::new(if member.is_multiple_of(3) { -1.0 } else { 1.0 }, 1.0, 1.0));
        Mat4::from_translation(Vec3::new((8 * member) as f32 + if member.is_multiple_of(3) { 4.0 } else { 0.0 }, 0.0, 0.0)) * mirror
    };
    scene.palette = (0..8).map(|number| matrix_rows(&member(number))).collect();
    scene.others = 7;
    assert_eq!(count(&scene.draw(gpu, &Shot::default()), [255, 0, 0, 255]), 8 * 16);
}

#[test]
fn blended_members_are_drawn_back_to_front() {
    let Some(gpu) = gpu() else { return };
    // Normals color the members, so turned members have different colors. The member nearer to the eye covers the other one.
    let half = Material { alpha_mode: AlphaMode::Blend, double_sided: true, ..colored([1.0, 1.0, 1.0, 0.5]) };
    let mut scene = Scene::new(vec![half], vec![with(quad(-8.0, -8.0, 16.0, 16.0), |vertices| vertices.normals = vec![Vec3::Z; 4])]);
    let middle = Vec3::new(32.0, -32.0, 0.0);
    let far = Mat4::from_translation(middle);
    let near = Mat4::from_translation(middle + Vec3::Z * 30.0) * Mat4::from_rotation_y(0.8);
    scene.others = 1;
    let mut shot = Shot::default();
    shot.display.shading = Shading::Normals;
    let pictures = [[far, near], [near, far]].map(|members| {
        scene.palette = members.iter().map(matrix_rows).collect();
        scene.draw(gpu, &shot)
    });
    assert!(pictures[0] == pictures[1], "{:?} and {:?}", pictures[0].get_pixel(32, 32), pictures[1].get_pixel(32, 32));
    assert_ne!(pictures[0].get_pixel(32, 32), pictures[0].get_pixel(25, 32), "only the farther member reaches the edge");
}
