//! Compares the environment map with the integrals that it stands for, computed directly over the sphere in f64.

use std::f64::consts::PI;

use glam::{DVec3, Mat3, Vec2, Vec3, vec2, vec3};
use sinew::render::environment::map::EnvironmentMap;
use sinew::render::environment::{brdf_lut, octahedral, rgb9e5, studio_map};
use sinew::render::light::studio::Studio;

/// Returns directions in rings, each with its solid angle.
fn sphere(rings: usize) -> impl Iterator<Item = (DVec3, f64)> {
    (0..rings * 2 * rings).map(move |i| {
        let (ring, sector) = (i / (2 * rings), i % (2 * rings));
        let (theta, phi) = ((ring as f64 + 0.5) * PI / rings as f64, (sector as f64 + 0.5) * PI / rings as f64);
        let direction = DVec3::new(theta.sin() * phi.cos(), theta.cos(), theta.sin() * phi.sin());
        (direction, theta.sin() * (PI / rings as f64) * (PI / rings as f64))
    })
}

const DIRECTIONS: [Vec3; 9] = [
    Vec3::Y,
    Vec3::NEG_Y,
    Vec3::X,
    Vec3::NEG_X,
    Vec3::Z,
    Vec3::NEG_Z,
    vec3(0.6, 0.48, 0.64),
    vec3(-0.48, -0.6, 0.64),
    vec3(-0.5, 0.62, 0.8),
];

/// Reads the map between texels, as a linear sampler does.
fn looked_up(map: &EnvironmentMap, level: usize, direction: Vec3) -> Vec3 {
    let size = map.size >> level;
    let texels: Vec<u32> = map.levels[level].as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let at = octahedral::position(direction) * size as f32 - 0.5;
    let (first, f) = (at.floor(), at - at.floor());
    let texel = |x: f32, y: f32| {
        let [x, y] = [first.x + x, first.y + y].map(|at| at.clamp(0.0, (size - 1) as f32) as usize);
        rgb9e5::decode(texels[y * size + x])
    };
    let row = |y: f32| texel(0.0, y).lerp(texel(1.0, y), f.x);
    row(0.0).lerp(row(1.0), f.y)
}

#[test]
fn the_embedded_bytes_equal_the_output_of_the_generator() {
    assert!(studio_map::build() == studio_map::embedded(), "run `cargo run --example make_studio` and commit assets/studio/studio.bin");
}

#[test]
fn a_direction_survives_the_round_trip_through_the_map() {
    for (direction, _) in sphere(37) {
        let direction = direction.as_vec3();
        let back = octahedral::direction(octahedral::position(direction));
        assert!((back.abs().element_sum() - 1.0).abs() < 1e-5);
        assert!(back.normalize().distance(direction) < 1e-5, "{direction} becomes {back}");
    }
}

#[test]
fn border_texels_continue_across_the_edge() {
    for along in [0.1f32, 0.3, 0.5, 0.77, 0.9] {
        for edge in [0.0, 1.0] {
            for turned in [false, true] {
                let inside_out = |by: f32| {
                    let p = vec2(along, 0.5 + (edge - 0.5) * (15.0 / 16.0 + 2.0 * by));
                    octahedral::direction(if turned { vec2(p.y, p.x) } else { p }).normalize()
                };
                let (inside, outside) = (inside_out(-0.002), inside_out(0.002));
                assert!(inside.distance(outside) < 0.03, "{inside} and {outside} are not neighbors");
                let back = octahedral::position(outside);
                assert!((back - 0.5).abs().max_element() <= 15.0 / 32.0 + 1e-6, "{outside} is not in the square: {back}");
            }
        }
    }
}

#[test]
fn no_level_has_a_seam() {
    let map = studio_map::studio_map();
    for level in 0..map.levels.len() {
        // Check along the edges of the square, on both sides of them. These are directions below the horizon with a coordinate of zero.
        for i in 1..40 {
            let down = -(i as f32) / 40.0;
            let side = (1.0 - down * down).sqrt();
            for to in [|a: f32, b: f32, c: f32| vec3(a, b, c), |a: f32, b: f32, c: f32| vec3(c, b, a)] {
                for sign in [-1.0, 1.0] {
                    let [one, other] = [-1e-5, 1e-5].map(|by| looked_up(&map, level, to(by, down, side * sign)));
                    let step = (one - other).abs().max_element();
                    assert!(step <= one.max_element() * 0.01 + 1e-3, "level {level}: {one} beside {other}");
                }
            }
        }
    }
}

#[test]
fn every_level_is_the_environment_filtered_by_the_lobe_of_that_level() {
    let (map, studio) = (studio_map::studio_map(), Studio::standard());
    let last = map.levels.len() - 1;
    for level in 1..=last {
        let roughness = level as f64 / last as f64;
        let a2 = roughness.powi(4);
        for normal in DIRECTIONS.map(|n| n.as_dvec3().normalize()) {
            let (mut sum, mut whole) = (DVec3::ZERO, 0.0);
            for (light, part) in sphere(if level == 1 { 720 } else { 240 }) {
                let n_dot_l = normal.dot(light);
                if n_dot_l > 0.0 {
                    let n_dot_h = normal.dot((light + normal).normalize());
                    let d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
                    let weight = a2 / (PI * d * d) * n_dot_l * part;
                    sum += studio.radiance(light.as_vec3()).as_dvec3() * weight;
                    whole += weight;
                }
            }
            let (expected, found) = ((sum / whole).as_vec3(), looked_up(&map, level, normal.as_vec3()));
            let off = (found - expected).abs().max_element();
            assert!(off < 0.03 * expected.max_element() + 0.01, "roughness {roughness} towards {normal}: {found} is not {expected}");
        }
    }
}

#[test]
fn the_irradiance_is_the_light_received_by_a_diffuse_surface() {
    let (map, studio) = (studio_map::studio_map(), Studio::standard());
    for n in DIRECTIONS.map(Vec3::normalize) {
        let sum: DVec3 = sphere(180)
            .map(|(light, part)| studio.radiance(light.as_vec3()).as_dvec3() * (light.dot(n.as_dvec3()).max(0.0) * part / PI))
            .sum();
        let (sum, found) = (sum.as_vec3(), map.irradiance.towards(n));
        assert!((found - sum).abs().max_element() < 0.06, "towards {n}: {found} is not {sum}");
        assert!(sum.max_element() < 1.25, "a white wall towards {n} would be overexposed: {sum}");
    }
}

#[test]
fn uniform_light_stays_uniform_at_every_roughness() {
    let light = vec3(0.75, 1.5, 0.25);
    let map = EnvironmentMap::new(64, 1, |_| light);
    for level in &map.levels {
        for texel in level.as_chunks::<4>().0 {
            let found = rgb9e5::decode(u32::from_le_bytes(*texel));
            assert!((found - light).abs().max_element() < 0.003, "{found}");
        }
    }
    for n in DIRECTIONS.map(Vec3::normalize) {
        assert!((map.irradiance.towards(n) - light).abs().max_element() < 0.003);
    }
}

#[test]
fn rotating_the_irradiance_equals_rotating_the_environment() {
    let irradiance = studio_map::studio_map().irradiance;
    let by = Mat3::from_rotation_y(1.1);
    for n in DIRECTIONS.map(Vec3::normalize) {
        let (turned, found) = (irradiance.towards(n), irradiance.rotated(by).towards(by * n));
        assert!((turned - found).abs().max_element() < 1e-4, "{turned} is not {found}");
    }
}

/// A sun with an angular radius of almost two degrees in a dark sky.
fn sky(d: Vec3, sun: Vec3, bright: f32) -> Vec3 {
    if d.normalize().dot(sun) > 0.9995 { bright * vec3(1.0, 0.9, 0.7) } else { Vec3::splat(0.2) }
}

#[test]
fn a_clear_sun_becomes_the_key_light_and_no_light_is_lost() {
    for sun in [vec3(0.3, 0.8, 0.5), vec3(-0.9, 0.2, 0.1), vec3(0.4, 0.5, -0.7)].map(Vec3::normalize) {
        let map = EnvironmentMap::new(256, 4, |d| sky(d, sun, 200.0));
        let key = map.key.expect("a sun");
        assert!(key.direction.dot(sun) > 0.99999, "{} is not {sun}", key.direction);
        for n in [Vec3::Y, sun, vec3(0.6, 0.48, 0.64)] {
            let sum: DVec3 = sphere(1000)
                .map(|(light, part)| sky(light.as_vec3(), sun, 200.0).as_dvec3() * (light.dot(n.as_dvec3()).max(0.0) * part / PI))
                .sum();
            let found = map.irradiance.towards(n) + key.irradiance / std::f32::consts::PI * n.dot(key.direction).max(0.0);
            let off = (found / sum.as_vec3() - 1.0).abs().max_element();
            assert!(off < 0.02, "sun at {sun}, towards {n}: {found} is not {sum}");
        }
        // The sun is visible in the first level. No other level has a trace of it.
        for level in 1..map.levels.len() {
            let found = looked_up(&map, level, sun);
            assert!(found.max_element() < 3.5, "level {level}: {found}");
        }
    }
}

#[test]
fn faint_low_or_wide_light_is_not_a_key_light() {
    let high = vec3(0.3, 0.8, 0.5).normalize();
    let key = |sun: Vec3, bright| EnvironmentMap::new(256, 4, |d| sky(d, sun.normalize(), bright)).key;
    assert!(key(high, 200.0).is_some());
    assert_eq!(key(high, 20.0), None, "a faint sun");
    assert_eq!(key(vec3(1.0, 0.05, 0.0), 200.0), None, "three degrees above the horizon");
    assert_eq!(
        EnvironmentMap::new(64, 2, |d| Vec3::splat(if d.normalize().dot(high) > 0.7 { 5.0 } else { 0.1 })).key,
        None,
        "a wide light"
    );
}

#[test]
fn a_small_sun_leaves_no_fireflies_or_negative_light() {
    // This sun is below the horizon, because a sun high above the horizon would become the key light.
    let sun = vec3(0.3, -0.8, 0.5).normalize();
    let map = EnvironmentMap::new(256, 4, |d| sky(d, sun, 20000.0));
    assert_eq!(map.key, None);
    let last = map.levels.len() - 1;
    for (direction, _) in sphere(30) {
        assert!(map.irradiance.towards(direction.as_vec3()).min_element() >= -0.01);
    }
    for level in 1..=last {
        // On a circle around the sun, all texels have similar values.
        let away = 0.25 + 0.5 * level as f32 / last as f32;
        let [right, up] = [sun.any_orthonormal_vector(), sun.cross(sun.any_orthonormal_vector())];
        let ring: Vec<f32> = (0..48)
            .map(|i| {
                let round = Vec2::from_angle(i as f32 / 48.0 * std::f32::consts::TAU);
                looked_up(&map, level, sun * away.cos() + (right * round.x + up * round.y) * away.sin()).x
            })
            .collect();
        let (least, most) = ring.iter().fold((f32::MAX, 0f32), |(least, most), &light| (least.min(light), most.max(light)));
        assert!(most < least * 1.6 + 0.2, "level {level}: from {least} to {most}");
    }
}

/// The expected value is integrated over light directions, not over half vectors as in the generator.
#[test]
fn the_brdf_table_is_the_reflectance_of_a_rough_surface() {
    let table = brdf_lut::table();
    for (row, column) in [(8, 10), (16, 4), (16, 31), (24, 12), (31, 3), (31, 20), (31, 31), (12, 20)] {
        let place = |at: usize| at as f64 / (brdf_lut::SIDE - 1) as f64;
        let (roughness, n_dot_v) = (place(row), place(column).powi(2));
        let a2 = roughness.powi(4);
        let view = DVec3::new((1.0 - n_dot_v * n_dot_v).sqrt(), n_dot_v, 0.0);
        let (mut scale, mut bias) = (0.0, 0.0);
        for (light, part) in sphere(400).filter(|(light, _)| light.y > 0.0) {
            let half = (light + view).normalize();
            let d = half.y * half.y * (a2 - 1.0) + 1.0;
            let masked = |to: f64, by: f64| to * (a2 + (1.0 - a2) * by * by).sqrt();
            let visible = 0.5 / (masked(light.y, n_dot_v) + masked(n_dot_v, light.y));
            let sent = a2 / (PI * d * d) * visible * light.y * part;
            let fresnel = (1.0 - view.dot(half)).powi(5);
            scale += sent * (1.0 - fresnel);
            bias += sent * fresnel;
        }
        let [found_scale, found_bias] = table[row * brdf_lut::SIDE + column].map(f64::from);
        assert!(
            (found_scale - scale).abs() < 0.006 && (found_bias - bias).abs() < 0.006,
            "{roughness}, {n_dot_v}: {found_scale} {found_bias} are not {scale} {bias}"
        );
    }
}
