//! Tests coverage, background, culling and draw order by counting pixels.

use glam::{DVec3, Mat4, Vec3};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::{Influences, Primitive, Topology, Vertices};
use sinew::model::node::NodeIndex;
use sinew::model::skin::Skin;
use sinew::render::annotations::line::Line;
use sinew::render::picture::{Background, Resolution};
use sinew::session::view::display::{Depth, Display, Shading, Tonemap};

use crate::common::pixels::{count, count_near, is_near};
use crate::scene::{Scene, Shot, colored, gpu, matrix_rows, moved, quad, with};

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

#[test]
fn a_quad_covers_exactly_its_pixels_and_the_background_the_rest() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored(RED)], vec![quad(5.0, 7.0, 40.0, 30.0)]);
    for (samples, supersample, perspective) in [(1, 1, false), (4, 1, false), (1, 3, false), (4, 2, false), (1, 1, true), (4, 1, true)] {
        let picture = scene.draw(gpu, &Shot { samples, resolution: Resolution::Supersampled(supersample), perspective, ..Shot::default() });
        let case = format!("{samples} samples, {supersample} supersamples, perspective {perspective}");
        assert_eq!(count(&picture, [255, 0, 0, 255]), 40 * 30, "{case}");
        assert_eq!(count(&picture, [10, 20, 30, 255]), 64 * 64 - 40 * 30, "{case}");
        assert_eq!(picture.get_pixel(5, 7).0, [255, 0, 0, 255], "{case}: y runs down");
        assert_eq!(picture.get_pixel(4, 7).0, [10, 20, 30, 255], "{case}");
    }
}

#[test]
fn half_covered_pixels_are_mixed_in_linear_light() {
    let Some(gpu) = gpu() else { return };
    // A white quad over black. Its right edge is in the middle of a column of pixels.
    let scene = Scene::new(vec![colored([1.0; 4])], vec![quad(0.0, 0.0, 10.5, 64.0)]);
    for (samples, supersample) in [(4, 1), (1, 2), (1, 4), (4, 4)] {
        let shot = Shot {
            samples,
            resolution: Resolution::Supersampled(supersample),
            background: Background::Color([0, 0, 0]),
            ..Shot::default()
        };
        let picture = scene.draw(gpu, &shot);
        // Half the light is the byte 188.
        let pixel = picture.get_pixel(10, 32).0;
        assert!(is_near(pixel, [188, 188, 188, 255]), "{samples} samples, {supersample} supersamples: {pixel:?}");
    }
}

#[test]
fn exposure_and_tone_mapping_do_not_change_the_background() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored(RED)], vec![quad(0.0, 0.0, 1.0, 1.0)]);
    for tonemap in [Tonemap::Neutral, Tonemap::Aces, Tonemap::Agx, Tonemap::None] {
        for level in (0..=255u8).step_by(15) {
            let background = [level, 255 - level, level / 2];
            let display = Display { tonemap, exposure: 3.0, ..Shot::default().display };
            let shot = Shot { size: [8, 8], background: Background::Color(background), display, ..Shot::default() };
            let [r, g, b] = background;
            assert_eq!(count(&scene.draw(gpu, &shot), [r, g, b, 255]), 63);
        }
    }
}

#[test]
fn a_picture_with_a_transparent_background_has_coverage_as_alpha_and_straight_colors() {
    let Some(gpu) = gpu() else { return };
    let half = Material { alpha_mode: AlphaMode::Blend, ..colored([0.0, 1.0, 0.0, 0.5]) };
    let mut scene = Scene::new(vec![colored(RED), half], vec![quad(0.0, 0.0, 10.5, 20.0)]);
    scene.add(Primitive { material: Some(1), ..quad(20.0, 0.0, 10.0, 10.0) }, Mat4::IDENTITY);
    let shot = Shot { samples: 4, background: Background::Transparent, ..Shot::default() };
    let picture = scene.draw(gpu, &shot);
    assert_eq!(picture.get_pixel(3, 3).0, [255, 0, 0, 255]);
    assert!(is_near(picture.get_pixel(10, 3).0, [255, 0, 0, 128]), "half covered");
    assert_eq!(count_near(&picture, [0, 255, 0, 128]), 100, "half transparent");
    assert_eq!(picture.get_pixel(50, 50).0[3], 0);
}

#[test]
fn back_faces_are_culled_unless_the_material_is_double_sided() {
    let Some(gpu) = gpu() else { return };
    let mut away = quad(10.0, 10.0, 20.0, 20.0);
    away.indices.reverse();
    let scene = Scene::new(vec![colored(RED)], vec![away.clone()]);
    assert_eq!(count(&scene.draw(gpu, &Shot::default()), [255, 0, 0, 255]), 0);
    let scene = Scene::new(vec![Material { double_sided: true, ..colored(RED) }], vec![away]);
    assert_eq!(count(&scene.draw(gpu, &Shot::default()), [255, 0, 0, 255]), 400);
}

#[test]
fn a_mirroring_transform_keeps_front_faces_visible() {
    let Some(gpu) = gpu() else { return };
    for scale in [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(-2.0, -1.0, -1.0)] {
        let mut scene = Scene::new(vec![colored(RED)], vec![]);
        scene.add(quad(-10.0, -10.0, 20.0, 20.0), Mat4::from_translation(Vec3::new(32.0, -32.0, 0.0)) * Mat4::from_scale(scale));
        let picture = scene.draw(gpu, &Shot::default());
        // Each mirroring of the picture plane keeps the quad facing the eye. Mirroring along the view turns it away.
        let facing = scale.z > 0.0;
        let expected = if facing { (400.0 * (scale.x * scale.y).abs()) as usize } else { 0 };
        assert_eq!(count(&picture, [255, 0, 0, 255]), expected, "{scale}");
    }
}

#[test]
fn normals_are_right_where_some_joints_of_a_primitive_mirror_and_others_do_not() {
    let Some(gpu) = gpu() else { return };
    // Both joints put squares into the picture, one of them by mirroring the mesh. Some squares show their back.
    let squares = [(0, true), (1, true), (1, false), (0, false), (1, true)];
    let mut vertices = Vertices { normals: vec![Vec3::Z; 4 * squares.len()], ..Vertices::default() };
    vertices.influences = Influences { sets: 1, weights: vec![[1.0, 0.0, 0.0, 0.0]; 4 * squares.len()], ..Influences::default() };
    let mut indices = Vec::new();
    for (i, (joint, faces_eye)) in squares.into_iter().enumerate() {
        let square = quad(12.0 * i as f32, 0.0, 10.0, 10.0);
        let side = if joint == 1 { -1.0 } else { 1.0 };
        vertices.positions.extend(square.vertices.positions.iter().map(|p| Vec3::new(p.x * side, p.y, p.z)));
        vertices.influences.joints.extend([[joint, 0, 0, 0]; 4]);
        // Triangles are counterclockwise in the space of the mesh (glTF 2.0, 3.7.2.1).
        let mut corners = square.indices.clone();
        if faces_eye == (joint == 1) {
            corners.reverse();
        }
        indices.extend(corners.iter().map(|corner| corner + 4 * i as u32));
    }
    let primitive = Primitive { vertices: vertices.into(), indices, material: Some(0), ..Primitive::default() };
    for double_sided in [false, true] {
        let mut scene = Scene::new(vec![Material { double_sided, ..colored(RED) }], Vec::new());
        scene.add(primitive.clone(), Mat4::IDENTITY);
        scene.model.skins.push(Skin {
            joints: vec![NodeIndex(0), NodeIndex(1)],
            inverse_bind_matrices: vec![glam::Affine3A::IDENTITY; 2],
            matrices: 1..3,
            ..Skin::default()
        });
        scene.model.palette_len += 2;
        scene.palette.push(matrix_rows(&Mat4::IDENTITY));
        scene.palette.push(matrix_rows(&Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0))));
        scene.model.nodes[0].skin = Some(0);
        let display = Display { shading: Shading::Normals, ..Shot::default().display };
        let picture = scene.draw(gpu, &Shot { display, ..Shot::default() });
        for (i, (joint, faces_eye)) in squares.into_iter().enumerate() {
            // The normal is (0, 0, 1) on the front, and is turned around on the back.
            let expected = if faces_eye { [128, 128, 255, 255] } else { [128, 128, 0, 255] };
            let pixel = picture.get_pixel(12 * i as u32 + 5, 5).0;
            assert!(is_near(pixel, expected), "square {i}, joint {joint}, double-sided {double_sided}: {pixel:?}");
        }
    }
}

#[test]
fn nearer_surfaces_hide_farther_ones_in_either_order() {
    let Some(gpu) = gpu() else { return };
    for near_first in [true, false] {
        for perspective in [true, false] {
            let near = moved(quad(0.0, 0.0, 64.0, 64.0), Vec3::Z * 0.01);
            let far = Primitive { material: Some(1), ..quad(0.0, 0.0, 64.0, 64.0) };
            let order = if near_first { vec![near, far] } else { vec![far, near] };
            let scene = Scene::new(vec![colored(RED), colored(GREEN)], order);
            let picture = scene.draw(gpu, &Shot { perspective, ..Shot::default() });
            assert_eq!(count(&picture, [0, 255, 0, 255]), 0);
        }
    }
}

#[test]
fn blended_surfaces_are_mixed_in_linear_light_from_the_back_to_the_front() {
    let Some(gpu) = gpu() else { return };
    let half = |color: [f32; 3]| Material { alpha_mode: AlphaMode::Blend, ..colored([color[0], color[1], color[2], 0.5]) };
    let materials = vec![half([1.0, 0.0, 0.0]), half([0.0, 1.0, 0.0])];
    let far = quad(0.0, 0.0, 64.0, 64.0);
    let near = Primitive { material: Some(1), ..moved(quad(0.0, 0.0, 64.0, 64.0), Vec3::Z) };
    let scene = Scene::new(materials, vec![near, far]);
    let shot = Shot { background: Background::Color([0, 0, 0]), ..Shot::default() };
    // Half of green's light is 188. A quarter of red's light is 137.
    assert_eq!(count_near(&scene.draw(gpu, &shot), [137, 188, 0, 255]), 64 * 64);
}

#[test]
fn a_double_sided_blended_surface_shows_its_back_behind_its_front() {
    let Some(gpu) = gpu() else { return };
    // One mesh whose first face is the red front, followed by a green back that faces away.
    let mut back = quad(0.0, 0.0, 64.0, 64.0);
    back.indices.reverse();
    let red = glam::Vec4::from(RED);
    let mut front = with(moved(quad(0.0, 0.0, 64.0, 64.0), Vec3::Z), |vertices| {
        vertices.colors = [vec![red; 4], vec![glam::Vec4::from(GREEN); 4]].concat();
        vertices.positions.extend(&back.vertices.positions);
        vertices.tex_coords[0].extend_from_within(..);
    });
    front.indices.extend(back.indices.iter().map(|index| index + 4));
    let material = Material { alpha_mode: AlphaMode::Blend, double_sided: true, ..colored([1.0, 1.0, 1.0, 0.5]) };
    let scene = Scene::new(vec![material], vec![front]);
    let shot = Shot { background: Background::Color([0, 0, 0]), ..Shot::default() };
    assert_eq!(count_near(&scene.draw(gpu, &shot), [188, 137, 0, 255]), 64 * 64);
}

#[test]
fn points_and_lines_are_drawn_in_their_color_under_any_light() {
    let Some(gpu) = gpu() else { return };
    let display = Display { tonemap: Tonemap::Neutral, grid: false, ..Display::default() };
    let shot = || Shot { display: display.clone(), ..Shot::default() };
    let at = |x: f32, y: f32| Vec3::new(x, -y, 0.0);
    let points = Primitive {
        topology: Topology::Points,
        vertices: Vertices { positions: vec![at(3.5, 3.5), at(20.5, 30.5)], ..Vertices::default() }.into(),
        indices: vec![0, 1],
        material: Some(0),
        ..Primitive::default()
    };
    assert_eq!(count(&Scene::new(vec![colored(RED)], vec![points]).draw(gpu, &shot()), [255, 0, 0, 255]), 2);
    let line = Primitive {
        topology: Topology::Lines,
        vertices: Vertices { positions: vec![at(3.0, 8.5), at(23.0, 8.5)], ..Vertices::default() }.into(),
        indices: vec![0, 1],
        material: Some(0),
        ..Primitive::default()
    };
    assert_eq!(count(&Scene::new(vec![colored(RED)], vec![line]).draw(gpu, &shot()), [255, 0, 0, 255]), 20);
}

#[test]
fn overlay_lines_cover_the_model_with_their_width_halo_and_exact_color() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored(RED)], vec![moved(quad(0.0, 0.0, 64.0, 64.0), Vec3::Z * 100.0)]);
    let line = Line {
        start: DVec3::new(10.0, -32.0, 0.0),
        end: DVec3::new(50.0, -32.0, 0.0),
        width: 4.0,
        halo_width: 2.0,
        color: [0xC8, 0xCD, 0xD5, 0xFF],
        halo: [0x13, 0x15, 0x18, 0xFF],
        depth: Depth::InFront,
    };
    for background in [Background::Color([1, 2, 3]), Background::Transparent] {
        for supersample in [1, 2] {
            let resolution = Resolution::Supersampled(supersample);
            let shot = Shot { lines: vec![line], background, resolution, ..Shot::default() };
            let picture = scene.draw(gpu, &shot);
            let column: Vec<_> = (0..64).map(|y| picture.get_pixel(30, y).0).collect();
            assert_eq!(column.iter().filter(|pixel| **pixel == [0xC8, 0xCD, 0xD5, 0xFF]).count(), 4);
            assert_eq!(column.iter().filter(|pixel| **pixel == [0x13, 0x15, 0x18, 0xFF]).count(), 4);
            assert_eq!(column.iter().filter(|pixel| **pixel == [255, 0, 0, 255]).count(), 56);
        }
    }
}

#[test]
fn a_scene_without_meshes_shows_only_the_background() {
    let Some(gpu) = gpu() else { return };
    let picture = Scene::default().draw(gpu, &Shot::default());
    assert_eq!(count(&picture, [10, 20, 30, 255]), 64 * 64);
}

#[test]
fn only_the_viewport_of_the_target_is_drawn_into() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::new(vec![colored(RED)], vec![quad(0.0, 0.0, 10.0, 10.0)]);
    let shot = Shot { size: [30, 20], ..Shot::default() };
    let picture = scene.draw_into(gpu, &shot, [64, 64], [20, 30, 30, 20]);
    assert_eq!(count(&picture, [255, 0, 0, 255]), 100);
    assert_eq!(count(&picture, [10, 20, 30, 255]), 30 * 20 - 100);
    assert_eq!(count(&picture, [0; 4]), 64 * 64 - 30 * 20, "the rest of the target is unchanged");
    assert_eq!(picture.get_pixel(20, 30).0, [255, 0, 0, 255]);
    assert_eq!(picture.get_pixel(49, 49).0, [10, 20, 30, 255]);
}

#[test]
fn coplanar_decals_are_visible_and_the_last_of_equal_surfaces_wins() {
    let Some(gpu) = gpu() else { return };
    for alpha_mode in [AlphaMode::Mask { cutoff: 0.5 }, AlphaMode::Blend] {
        for turn in 0..12 {
            let angle = turn as f32 * 0.5;
            let about = Mat4::from_translation(Vec3::new(32.0, -32.0, -3.0))
                * Mat4::from_rotation_y(angle.sin())
                * Mat4::from_rotation_x(angle.cos());
            let decal = Material { alpha_mode, ..colored(GREEN) };
            let mut scene = Scene::new(vec![colored(RED), decal], vec![]);
            let green = |scene: &Scene| {
                let shot = Shot { perspective: true, ..Shot::default() };
                count(&scene.draw(gpu, &shot), [0, 255, 0, 255])
            };
            scene.add(Primitive { material: Some(1), ..quad(-7.3, -6.1, 13.7, 11.9) }, about);
            let alone = green(&scene);
            assert!(alone > 50, "{alone}");
            scene.add(quad(-29.0, -31.0, 58.0, 57.0), about);
            assert_eq!(green(&scene), alone, "{alpha_mode:?}, turned by {angle}");
        }
    }
    for order in [[0, 1], [1, 0]] {
        for angle in [0.0, 0.3, 0.9] {
            let mut scene = Scene::new(vec![colored(RED), colored(GREEN)], vec![]);
            let about = Mat4::from_translation(Vec3::new(32.0, -32.0, 0.0)) * Mat4::from_rotation_y(angle);
            order.iter().for_each(|&material| scene.add(Primitive { material: Some(material), ..quad(-20.0, -20.0, 40.0, 40.0) }, about));
            let picture = scene.draw(gpu, &Shot { perspective: true, ..Shot::default() });
            let hidden = [[255, 0, 0, 255], [0, 255, 0, 255]][order[0]];
            assert_eq!(count(&picture, hidden), 0, "turned by {angle}");
        }
    }
}
