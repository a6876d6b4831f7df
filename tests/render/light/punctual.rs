//! Tests normals and the file's punctual lights.

use std::f32::consts::PI;

use glam::{DAffine3, DVec3, Vec2, Vec3, vec2, vec3};
use sinew::model::light::{Light, LightKind, MAX_LIGHTS};
use sinew::model::material::Material;
use sinew::model::material_layers::Clearcoat;
use sinew::model::mesh::{Primitive, Topology};
use sinew::render::light::punctual::PlacedLight;
use sinew::session::view::display::{Display, Lighting, Shading, Tonemap};

use crate::common::pixels::difference;
use crate::scene::{Scene, Shot, colored, gpu, quad, texture, with};

fn shading(shading: Shading) -> Display {
    Display { shading, ..Shot::default().display }
}

#[test]
fn missing_normals_are_face_normals_from_either_side() {
    let Some(gpu) = gpu() else { return };
    // The quad leans forward: its top is nearer to the eye, so it faces down and towards the eye.
    let mut leaning = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| {
        for position in &mut vertices.positions {
            position.z = position.y;
        }
    });
    let lit = Display { lighting: Lighting::Studio, ..shading(Shading::Normals) };
    let scene = Scene::new(vec![colored([1.0; 4])], vec![leaning.clone()]);
    let picture = scene.draw(gpu, &Shot { display: lit.clone(), ..Shot::default() });
    let expect = |n: Vec3| (n.normalize() * 0.5 + 0.5).to_array().map(|c| (c * 255.0).round() as i32);
    let close = |pixel: [u8; 4], n: Vec3| {
        let expected = expect(n);
        for i in 0..3 {
            assert!((i32::from(pixel[i]) - expected[i]).abs() <= 1, "{pixel:?} is not {expected:?}");
        }
    };
    close(picture.get_pixel(32, 32).0, vec3(0.0, -1.0, 1.0));
    leaning.indices.reverse();
    let scene = Scene::new(vec![Material { double_sided: true, ..Material::default() }], vec![leaning]);
    close(scene.draw(gpu, &Shot { display: lit, ..Shot::default() }).get_pixel(32, 32).0, vec3(0.0, -1.0, 1.0));
}

#[test]
fn the_back_of_a_double_sided_surface_has_a_flipped_normal() {
    let Some(gpu) = gpu() else { return };
    let mut away = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.normals = vec![vec3(0.6, 0.0, -0.8); 4]);
    away.indices.reverse();
    let scene = Scene::new(vec![Material { double_sided: true, ..Material::default() }], vec![away]);
    let display = Display { lighting: Lighting::Studio, ..shading(Shading::Normals) };
    let [r, _, b, _] = scene.draw(gpu, &Shot { display, ..Shot::default() }).get_pixel(32, 32).0;
    assert!(r == 51 && b.abs_diff(230) <= 1, "the normal is turned around, to -0.6 and 0.8: {r}, {b}");
}

#[test]
fn a_normal_map_bends_the_normal_with_given_tangents_and_without() {
    let Some(gpu) = gpu() else { return };
    let material = Material { normal_texture: Some(texture()), ..Material::default() };
    let display = Display { lighting: Lighting::Studio, ..shading(Shading::Normals) };
    // In the image, red leans to the right and green up (glTF 2.0, 3.9.3). Unturned, the image is upright. Turned, its right side points
    // down.
    for (turned, right, up) in [(false, Vec3::X, Vec3::Y), (true, Vec3::NEG_Y, Vec3::X)] {
        // The texel's normal is halfway between the surface normal and the direction.
        for (texel, direction) in [([218, 128, 218, 255], right), ([128, 218, 218, 255], up)] {
            // Tangents need normals.
            for (normals, tangents) in [(true, true), (true, false), (false, false)] {
                let primitive = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| {
                    if turned {
                        vertices.tex_coords[0].iter_mut().for_each(|uv| *uv = glam::vec2(uv.y, 1.0 - uv.x));
                    }
                    if normals {
                        vertices.normals = vec![Vec3::Z; 4];
                    }
                    if tangents {
                        // The bitangent is the cross product of normal and tangent, which points up the image.
                        vertices.tangents = vec![right.extend(1.0); 4];
                    }
                });
                let scene = Scene::new(vec![material.clone()], vec![primitive]).image(1, 1, &[texel]);
                let pixel = scene.draw(gpu, &Shot { display: display.clone(), ..Shot::default() }).get_pixel(32, 32).0;
                let expected = (Vec3::Z + direction).normalize() * 0.5 + 0.5;
                for i in 0..3 {
                    let difference = f32::from(pixel[i]) / 255.0 - expected[i];
                    let case = format!("turned {turned}, normals {normals}, tangents {tangents}");
                    assert!(difference.abs() < 0.01, "{pixel:?} is not {expected}, {case}");
                }
            }
        }
    }
}

#[test]
fn without_normals_stretched_sheared_and_mirrored_normal_maps_keep_their_angles() {
    let Some(gpu) = gpu() else { return };
    let material = Material { normal_texture: Some(texture()), double_sided: true, ..Material::default() };
    let display = Display { lighting: Lighting::Studio, ..shading(Shading::Normals) };
    let upright: fn(Vec2) -> Vec2 = |uv| uv;
    let sheared: fn(Vec2) -> Vec2 = |uv| vec2(uv.x + 0.5 * (1.0 - uv.y), uv.y);
    let mirrored: fn(Vec2) -> Vec2 = |uv| vec2(1.0 - uv.x, uv.y);
    let turned: fn(Vec2) -> Vec2 = |uv| vec2(uv.y, 1.0 - uv.x);
    // The directions of the texture's red and green channels: where u grows with constant v, and the perpendicular towards small v.
    let cases = [
        (upright, [64.0, 64.0], Vec3::X, Vec3::Y),
        (upright, [64.0, 16.0], Vec3::X, Vec3::Y),
        (upright, [16.0, 64.0], Vec3::X, Vec3::Y),
        (sheared, [64.0, 32.0], Vec3::X, Vec3::Y),
        (mirrored, [64.0, 16.0], Vec3::NEG_X, Vec3::Y),
        (turned, [16.0, 64.0], Vec3::NEG_Y, Vec3::X),
    ];
    for (mapped, [width, height], red, green) in cases {
        for (texel, map) in [([204, 128, 230, 255], vec3(0.6, 0.0, 0.8)), ([128, 204, 230, 255], vec3(0.0, 0.6, 0.8))] {
            for is_back in [false, true] {
                let mut primitive = with(quad(32.0 - width / 2.0, 32.0 - height / 2.0, width, height), |vertices| {
                    vertices.tex_coords[0].iter_mut().for_each(|uv| *uv = mapped(*uv));
                });
                // The normal of a back face is reversed after the texture has bent it.
                let bent = red * map.x + green * map.y;
                let mut expected = bent + Vec3::Z * map.z;
                if is_back {
                    primitive.indices.reverse();
                    expected = -bent + Vec3::Z * map.z;
                }
                let scene = Scene::new(vec![material.clone()], vec![primitive]).image(1, 1, &[texel]);
                let [pixel @ .., _] = scene.draw(gpu, &Shot { display: display.clone(), ..Shot::default() }).get_pixel(32, 32).0;
                let expected = (expected * 127.5 + 127.5).round().to_array();
                let is_close = pixel.iter().zip(expected).all(|(&byte, expected)| (f32::from(byte) - expected).abs() <= 1.0);
                assert!(is_close, "{pixel:?} is not {expected:?}: {width} x {height}, red to {red}, back {is_back}");
            }
        }
    }
}

#[test]
fn points_and_lines_without_tangents_ignore_normal_textures() {
    let Some(gpu) = gpu() else { return };
    let plain = Material { clearcoat: Clearcoat { factor: 1.0, ..Clearcoat::default() }, ..colored([0.5, 0.5, 0.5, 1.0]) };
    let bent = Material { normal_texture: Some(texture()), ..plain.clone() };
    let coat = Clearcoat { normal_texture: Some(texture()), ..plain.clearcoat.clone() };
    let bent_coat = Material { clearcoat: coat, ..plain.clone() };
    for topology in [Topology::Points, Topology::Lines] {
        let crossed = with(quad(4.0, 4.0, 56.0, 56.0), |vertices| vertices.normals = vec![Vec3::Z; 4]);
        let crossed = Primitive { topology, indices: vec![0, 2, 1, 3], ..crossed };
        let with_tangents = with(crossed.clone(), |vertices| vertices.tangents = vec![Vec3::X.extend(1.0); 4]);
        for shading_mode in [Shading::Normals, Shading::Lit] {
            let draw = |material: &Material, primitive: &Primitive| {
                let scene = Scene::new(vec![material.clone()], vec![primitive.clone()]).image(1, 1, &[[204, 128, 230, 255]]);
                let display = Display { lighting: Lighting::Studio, ..shading(shading_mode) };
                scene.draw(gpu, &Shot { display, ..Shot::default() })
            };
            let expected = draw(&plain, &crossed);
            assert_eq!(draw(&bent, &crossed), expected, "{topology:?}, {shading_mode:?}");
            assert_ne!(draw(&bent, &with_tangents), expected, "{topology:?}, {shading_mode:?}");
            assert_eq!(draw(&bent_coat, &crossed), expected, "{topology:?}, {shading_mode:?}, clearcoat");
            let is_bent = draw(&bent_coat, &with_tangents) != expected;
            assert_eq!(is_bent, shading_mode == Shading::Lit, "{topology:?}, {shading_mode:?}, clearcoat");
        }
    }
}

/// Returns the light that a rough white surface facing +Z reflects from one light, as a linear value.
fn lamp_light(gpu: &sinew::render::device::gpu::Gpu, light: Light, world_from_light: DAffine3) -> f32 {
    let material = Material { metallic_factor: 0.0, ..Material::default() };
    let primitive = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.normals = vec![Vec3::Z; 4]);
    let scene = Scene::new(vec![material], vec![primitive]);
    let display = Display { lighting: Lighting::Flat, exposure: 0.0, tonemap: Tonemap::None, grid: false, ..Display::default() };
    let draw = |lights| {
        let shot = Shot { lights, display: display.clone(), ..Shot::default() };
        let byte = f32::from(scene.draw(gpu, &shot).get_pixel(32, 32).0[0]) / 255.0;
        if byte <= 0.04045 { byte / 12.92 } else { ((byte + 0.055) / 1.055).powf(2.4) }
    };
    draw(vec![PlacedLight { light, world_from_light }]) - draw(Vec::new())
}

#[test]
fn the_brightness_of_a_light_depends_on_its_type_distance_range_and_cone() {
    let Some(gpu) = gpu() else { return };
    let light = |kind, intensity, range| Light { name: None, color: Vec3::splat(0.1), intensity, range, kind };
    let middle = DVec3::new(32.5, -32.5, 0.0);
    let above = |distance: f64| DAffine3::from_translation(middle + DVec3::Z * distance);
    let close = |value: f32, expected: f32| assert!((value - expected).abs() < 0.012, "{value} is not {expected}");

    // Lambertian reflection of 96 % of the light, plus the small specular reflection of a rough dielectric.
    let sent = |irradiance: f32| irradiance * (0.96 + 0.04 / 4.0) / PI;
    close(lamp_light(gpu, light(LightKind::Directional, 2.0, None), DAffine3::IDENTITY), sent(0.2));
    close(lamp_light(gpu, light(LightKind::Point, 8.0, None), above(2.0)), sent(0.2));
    close(lamp_light(gpu, light(LightKind::Point, 32.0, None), above(4.0)), sent(0.2));
    close(lamp_light(gpu, light(LightKind::Point, 8.0, Some(2.0)), above(2.0)), 0.0);
    close(lamp_light(gpu, light(LightKind::Point, 8.0, Some(2.5)), above(2.0)), sent(0.2 * (1.0 - 0.8f32.powi(4))));
    let spot = LightKind::Spot { inner_cone_angle: 0.2, outer_cone_angle: 0.4 };
    close(lamp_light(gpu, light(spot, 8.0, None), above(2.0)), sent(0.2));
    let aside = above(2.0) * DAffine3::from_rotation_x(0.5);
    close(lamp_light(gpu, light(spot, 8.0, None), aside), 0.0);
    let between = above(2.0) * DAffine3::from_rotation_x(0.3);
    let share = (0.3f32.cos() - 0.4f32.cos()) / (0.2f32.cos() - 0.4f32.cos());
    close(lamp_light(gpu, light(spot, 8.0, None), between), sent(0.2 * share * share));
    // A cone with a sharp edge.
    let sharp = LightKind::Spot { inner_cone_angle: 0.4, outer_cone_angle: 0.4 };
    for (angle, expected) in [(0.0, 0.2), (0.39, 0.2), (0.41, 0.0)] {
        close(lamp_light(gpu, light(sharp, 8.0, None), above(2.0) * DAffine3::from_rotation_x(angle)), sent(expected));
    }
    // A light behind the surface, and a light with a scale of 0.
    close(lamp_light(gpu, light(LightKind::Point, 8.0, None), above(-2.0)), 0.0);
    let nothing = DAffine3::from_scale(DVec3::ZERO);
    close(lamp_light(gpu, light(LightKind::Directional, 2.0, None), nothing), 0.0);
}

/// A rough gray plate that faces the camera, and settings that show its radiance.
fn gray_plate() -> (Scene, Display) {
    let gray = Material { metallic_factor: 0.0, ..colored([0.2, 0.2, 0.2, 1.0]) };
    let primitive = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.normals = vec![Vec3::Z; 4]);
    let display = Display { lighting: Lighting::Flat, tonemap: Tonemap::None, grid: false, ..Display::default() };
    (Scene::new(vec![gray], vec![primitive]), display)
}

#[test]
fn very_bright_lights_are_exposed_to_white_and_keep_their_ratios() {
    let Some(gpu) = gpu() else { return };
    let (scene, display) = gray_plate();
    let sun = |color, intensity| {
        let light = Light { name: None, color, intensity, range: None, kind: LightKind::Directional };
        PlacedLight { light, world_from_light: DAffine3::IDENTITY }
    };
    let draw = |lights: &[PlacedLight]| {
        let shot = Shot { lights: lights.to_vec(), display: display.clone(), ..Shot::default() };
        let linear = |byte: u8| (f32::from(byte) / 255.0 + 0.055).max(0.0) / 1.055;
        scene.draw(gpu, &shot).get_pixel(32, 32).0.map(|byte| linear(byte).powf(2.4))
    };
    let dark = draw(&[]);
    // After exposure, a white surface reflects a radiance of 2. This gray one reflects a fifth of that, and the tolerance covers the
    // specular reflection.
    for intensity in [1e5, 1e9] {
        let lit = draw(&[sun(Vec3::ONE, intensity)]);
        assert!((lit[0] - dark[0] - 0.2 * 2.0).abs() < 0.03, "{intensity} lux: {}", lit[0] - dark[0]);
    }
    let both = draw(&[sun(Vec3::X, 3e5), sun(Vec3::Y, 1e5)]);
    let share = (both[0] - dark[0]) / (both[1] - dark[1]);
    assert!((share - 3.0).abs() < 0.15, "{share}");
    let dim = draw(&[sun(Vec3::ONE, 1.0)]);
    assert!((dim[0] - dark[0] - 0.2 / PI).abs() < 0.01, "a dim lamp stays dim: {}", dim[0] - dark[0]);
}

#[test]
fn of_too_many_lights_the_brightest_are_kept() {
    let Some(gpu) = gpu() else { return };
    let (scene, display) = gray_plate();
    let sun = |intensity| {
        let light = Light { name: None, color: Vec3::ONE, intensity, range: None, kind: LightKind::Directional };
        PlacedLight { light, world_from_light: DAffine3::IDENTITY }
    };
    // The bright light comes last.
    let draw = |dim: usize| {
        let lights = (0..dim).map(|_| sun(0.002)).chain([sun(0.5)]).collect();
        scene.draw(gpu, &Shot { lights, display: display.clone(), ..Shot::default() })
    };
    // The order in which the lights are added up may change a byte by one.
    assert!(difference(&draw(MAX_LIGHTS - 1), &draw(2 * MAX_LIGHTS)) <= 1);
    assert!(difference(&draw(MAX_LIGHTS - 1), &draw(MAX_LIGHTS / 2)) > 2, "the dim lights make a difference");
}
