//! Tests environment light on surfaces and in the background: where it comes from, how it turns, and that none is lost.

use glam::{DVec3, Vec3, dvec3, vec3};
use sinew::camera::{Camera, Projection};
use sinew::model::material::Material;
use sinew::render::device::gpu::Gpu;
use sinew::render::environment::map::EnvironmentMap;
use sinew::render::picture::Background;
use sinew::session::view::display::{Display, Environment, Lighting, Tonemap};

use crate::scene::{Scene, Shot, gpu, quad, with};

fn linear(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Returns a display lit only by the environment. None of the maps here has a sun, which would become the key light.
fn lit(environment: Environment) -> Display {
    Display { lighting: Lighting::Studio, tonemap: Tonemap::None, grid: false, environment, ..Display::default() }
}

/// Returns the light that a surface with this normal reflects towards +Z.
fn sent(gpu: &Gpu, material: &Material, normal: Vec3, shot: &Shot) -> [f32; 3] {
    let primitive = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.normals = vec![normal; 4]);
    let [r, g, b, _] = Scene::new(vec![material.clone()], vec![primitive]).draw(gpu, shot).get_pixel(32, 32).0;
    [r, g, b].map(linear)
}

#[test]
fn in_a_white_furnace_surfaces_lose_little_light_and_gain_none() {
    let Some(gpu) = gpu() else { return };
    let around = Some(EnvironmentMap::new(64, 1, |_| Vec3::splat(0.5)));
    let shot = Shot { around, display: lit(Environment::default()), ..Shot::default() };
    for metallic_factor in [0.0, 1.0] {
        for roughness_factor in [0.0, 0.1, 0.3, 0.5, 0.7, 0.85, 1.0] {
            let material = Material { metallic_factor, roughness_factor, ..Material::default() };
            for n_dot_v in [1.0f32, 0.8, 0.5, 0.25, 0.1, 0.05] {
                let normal = vec3((1.0 - n_dot_v * n_dot_v).sqrt(), 0.0, n_dot_v);
                let [r, g, b] = sent(gpu, &material, normal, &shot).map(|light| light / 0.5);
                // The tolerance allows for rounding to bytes. One step of a byte is about a hundredth here.
                let sound = [r, g, b].iter().all(|share| (0.975..1.01).contains(share));
                assert!(sound, "metallic {metallic_factor}, roughness {roughness_factor}, towards {n_dot_v}: {r} {g} {b}");
            }
        }
    }
}

/// Makes a map with a patch of light in a dark sky.
fn patch(towards: Vec3) -> Option<EnvironmentMap> {
    Some(EnvironmentMap::new(256, 2, |d| if d.normalize().dot(towards) > 0.9 { vec3(0.9, 0.6, 0.3) } else { Vec3::splat(0.01) }))
}

#[test]
fn turning_the_environment_turns_reflections_diffuse_light_and_background() {
    let Some(gpu) = gpu() else { return };
    let shot = |rotation, shown| {
        let environment = Environment { rotation, shown, ..Environment::default() };
        let background = if shown { Background::Environment } else { Background::Color([0; 3]) };
        Shot { around: patch(Vec3::X), display: lit(environment), background, perspective: shown, ..Shot::default() }
    };
    let mirror = Material { metallic_factor: 1.0, roughness_factor: 0.0, ..Material::default() };
    let matt = Material { metallic_factor: 0.0, roughness_factor: 1.0, ..Material::default() };
    for rotation in [0.0, 90.0, 180.0, 270.0] {
        // The patch begins at +X. A quarter turn, counterclockwise from above, moves it to -Z. Three quarters move it to +Z, in front of
        // the surface.
        let before = rotation == 270.0;
        let [r, g, b] = sent(gpu, &mirror, Vec3::Z, &shot(rotation, false));
        let expected = if before { [0.9, 0.6, 0.3] } else { [0.01; 3] };
        let off = [r, g, b].iter().zip(expected).map(|(found, light)| (found - light).abs()).fold(0.0, f32::max);
        assert!(off < 0.015, "a mirror, turned by {rotation}: {r} {g} {b}");

        let [r, ..] = sent(gpu, &matt, Vec3::Z, &shot(rotation, false));
        assert_eq!(r > 0.05, before, "a matte surface, turned by {rotation}: {r}");

        let behind = Scene::default().draw(gpu, &shot(rotation, true)).get_pixel(32, 32).0;
        assert_eq!(linear(behind[0]) > 0.8, rotation == 90.0, "the background, turned by {rotation}: {behind:?}");
        assert_eq!(behind[3], 255);
    }
}

#[test]
fn a_camera_with_a_fixed_aspect_ratio_widens_the_background_like_the_scene() {
    let Some(gpu) = gpu() else { return };
    let draw = |size, yfov, aspect_ratio| {
        let projection = Projection::Perspective { yfov, aspect_ratio, zfar: None };
        let shot = Shot {
            size,
            around: patch(vec3(0.4, 0.3, -1.0).normalize()),
            display: lit(Environment { shown: true, ..Environment::default() }),
            background: Background::Environment,
            camera: Some(Camera::look_at(DVec3::ZERO, DVec3::NEG_Z, DVec3::Y, projection, 0.1)),
            ..Shot::default()
        };
        Scene::default().draw(gpu, &shot)
    };
    // A wider picture shows more at the sides, and a narrower one more above and below.
    let yfov = 0.8f64;
    let taller = 2.0 * (2.0 * (yfov / 2.0).tan()).atan();
    assert!(draw([96, 48], yfov, Some(1.0)) == draw([96, 48], yfov, None));
    assert!(draw([48, 96], yfov, Some(1.0)) == draw([48, 96], taller, None));
}

#[test]
fn a_blurred_background_spreads_its_light_and_tiles_fit_together() {
    let Some(gpu) = gpu() else { return };
    let shot = |blur, tile| {
        let environment = Environment { shown: true, blur, ..Environment::default() };
        let around = patch(vec3(0.2, 0.1, -1.0).normalize());
        Shot { around, display: lit(environment), background: Background::Environment, perspective: true, tile, ..Shot::default() }
    };
    let sharp = Scene::default().draw(gpu, &shot(0.0, 2048));
    let blurred = Scene::default().draw(gpu, &shot(1.0, 2048));
    let range = |picture: &image::RgbaImage| {
        let reds = picture.pixels().map(|pixel| pixel.0[0]);
        (reds.clone().min().unwrap(), reds.max().unwrap())
    };
    let ((dark, light), (darkest, lightest)) = (range(&sharp), range(&blurred));
    assert!(dark < 40 && light > 235 && darkest > dark + 20 && lightest < light - 40, "{dark} {light} {darkest} {lightest}");
    let tiled = Scene::default().draw(gpu, &shot(0.0, 24));
    let worst = sharp.pixels().zip(tiled.pixels()).map(|(a, b)| a.0[0].abs_diff(b.0[0])).max().unwrap();
    assert!(worst <= 1, "{worst}");
}

#[test]
fn a_sharp_horizon_has_no_notch_at_the_fold_of_the_map() {
    let Some(gpu) = gpu() else { return };
    const SIZE: u32 = 96;
    let map = EnvironmentMap::new(128, 8, |d| Vec3::splat(if d.y > 0.0 { 1.0 } else { 0.0 }));
    for degrees in [0, 30, 45, 90, 180, 200, 270] {
        let (sine, cosine) = f64::from(degrees).to_radians().sin_cos();
        let projection = Projection::Perspective { yfov: 20f64.to_radians(), aspect_ratio: None, zfar: None };
        let camera = Camera::look_at(DVec3::ZERO, dvec3(cosine, 0.0, sine), DVec3::Y, projection, 0.1);
        let shot = Shot {
            size: [SIZE; 2],
            around: Some(map.clone()),
            display: lit(Environment { shown: true, ..Environment::default() }),
            background: Background::Environment,
            camera: Some(camera),
            ..Shot::default()
        };
        let picture = Scene::default().draw(gpu, &shot);
        let mut worst: f32 = 0.0;
        for y in 0..SIZE {
            let at = |x: u32| linear(picture.get_pixel(x, y).0[0]);
            let beside: Vec<f32> = (20..40).chain(56..76).map(at).collect();
            let (least, most) = beside.iter().fold((1f32, 0f32), |(least, most), &light| (least.min(light), most.max(light)));
            for x in 42..54 {
                worst = worst.max(least - at(x)).max(at(x) - most);
            }
        }
        assert!(worst < 0.1, "towards {degrees} degrees: the light differs by {worst} from the light to the left and right");
    }
}

#[test]
fn reflections_and_background_show_no_map_seams() {
    let Some(gpu) = gpu() else { return };
    // Use light that changes smoothly with the direction. The edges of the map lie around the downward direction.
    let around = Some(EnvironmentMap::new(64, 2, |d| (d.normalize() * 0.3 + 0.5).powf(2.0)));
    let environment = Environment { shown: true, ..Environment::default() };
    let display = lit(environment);
    let mirror = Material { metallic_factor: 1.0, roughness_factor: 0.25, ..Material::default() };
    let primitive = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| {
        // Choose normals whose reflections cover the directions around straight down.
        let tilt = |x: f32, z: f32| (vec3(x, -1.0, z).normalize() + Vec3::Z).normalize();
        vertices.normals = vec![tilt(-0.6, -0.6), tilt(-0.6, 0.6), tilt(0.6, 0.6), tilt(0.6, -0.6)];
    });
    let shot = Shot { around, display, background: Background::Environment, ..Shot::default() };
    let picture = Scene::new(vec![mirror], vec![primitive]).draw(gpu, &shot);
    for y in 1..63 {
        for x in 1..63 {
            let pixel = |x: u32, y: u32| picture.get_pixel(x, y).0;
            for (next, last) in [(pixel(x + 1, y), pixel(x - 1, y)), (pixel(x, y + 1), pixel(x, y - 1))] {
                // Without a seam, the two neighbors of a pixel add up to twice the pixel, except for rounding.
                for c in 0..3 {
                    let bend = i32::from(next[c]) + i32::from(last[c]) - 2 * i32::from(pixel(x, y)[c]);
                    assert!(bend.abs() <= 4, "a seam at {x}, {y}: {bend}");
                }
            }
        }
    }
}

/// The expected values follow from the published formulas, in f64, encoded to bytes: the specification of Khronos PBR Neutral, Hill's fit
/// of ACES, and AgX with Blender's polynomial.
#[test]
fn tone_maps_give_the_published_values() {
    let Some(gpu) = gpu() else { return };
    let lights = [[0.18; 3], [1.0; 3], [4.0, 0.5, 0.1], [0.02, 0.3, 0.05], [16.0, 12.0, 8.0]];
    let expected: [(Tonemap, [[u8; 3]; 5]); 3] = [
        (Tonemap::Neutral, [[105; 3], [240; 3], [253, 166, 152], [8, 145, 51], [255, 246, 236]]),
        (Tonemap::Aces, [[127; 3], [226; 3], [255, 214, 149], [28, 163, 63], [255, 254, 254]]),
        (Tonemap::Agx, [[128; 3], [202; 3], [253, 192, 161], [79, 149, 81], [254, 251, 248]]),
    ];
    for (tonemap, bytes) in expected {
        for (light, bytes) in lights.into_iter().zip(bytes) {
            let around = Some(EnvironmentMap::new(64, 1, |_| Vec3::from(light)));
            let display = Display { tonemap, ..lit(Environment { shown: true, ..Environment::default() }) };
            let shot = Shot { around, display, background: Background::Environment, ..Shot::default() };
            let pixel = Scene::default().draw(gpu, &shot).get_pixel(32, 32).0;
            let off = pixel.iter().zip(bytes).map(|(found, byte)| found.abs_diff(byte)).max();
            assert!(off <= Some(1), "{tonemap:?} of {light:?}: {pixel:?} is not {bytes:?}");
        }
    }
}
