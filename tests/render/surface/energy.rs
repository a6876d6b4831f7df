//! White furnace tests: under uniform light, a white surface that absorbs nothing looks like the light around it, whatever its layers are.
//! Also compares the reflectance of sheen with the integral of its lobe.

use std::f32::consts::PI;

use glam::{DAffine3, DQuat, DVec3, Vec3};
use sinew::model::light::{Light, LightKind};
use sinew::model::material::Material;
use sinew::model::material_layers::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, Specular, SpecularGlossiness, Transmission, Volume,
};
use sinew::render::device::gpu::Gpu;
use sinew::render::light::punctual::PlacedLight;
use sinew::render::picture::Background;
use sinew::session::view::display::{Display, Lighting, Tonemap};

use crate::scene::{Scene, Shot, ball, gpu, quad, with};

/// Returns a shot in uniform light. It uses flat lighting, whose directional light is canceled by a negative light, so only the ambient
/// light is left. `white` is the linear value of the light in the picture.
pub fn furnace(white: f32) -> Shot {
    let ambient = 0.3f32;
    let to_light = DVec3::new(0.25, 0.35, 1.0).normalize();
    let light = Light { name: None, color: Vec3::NEG_ONE, intensity: 0.6 * PI, range: None, kind: LightKind::Directional };
    let world_from_light = DAffine3::from_quat(DQuat::from_rotation_arc(DVec3::NEG_Z, -to_light));
    let exposure = (white / ambient).log2();
    let display = Display { lighting: Lighting::Flat, tonemap: Tonemap::None, exposure, grid: false, ..Display::default() };
    Shot { display, lights: vec![PlacedLight { light, world_from_light }], background: Background::Transparent, ..Shot::default() }
}

/// Converts an sRGB byte, or a value between two bytes, to linear light.
pub fn linear(byte: f32) -> f32 {
    let c = byte / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Asserts that every pixel of a ball shows between `least` and `most` of the light around it.
fn keeps(gpu: &Gpu, name: &str, material: &Material, least: f32, most: f32) {
    let scene = Scene::new(vec![material.clone()], vec![ball(Vec3::new(32.0, -32.0, 0.0), 30.0)]);
    // The exposure puts the bound on the border between two byte values, so the test is more precise than one byte.
    let border = linear(200.5);
    for (bound, is_most) in [(least, false), (most, true)] {
        let picture = scene.draw(gpu, &furnace(border / bound));
        let ball: Vec<_> = picture.pixels().filter(|pixel| pixel.0[3] == 255).map(|pixel| pixel.0).collect();
        assert!(ball.len() > 2500, "{name}: {} pixels", ball.len());
        let wrong = ball.iter().filter(|pixel| pixel[..3].iter().any(|&byte| (byte > 200) == is_most)).count();
        assert_eq!(wrong, 0, "{name}: pixels on the wrong side of {bound}, such as {:?} where 200.5 is the border", ball[ball.len() / 2]);
    }
}

#[test]
fn white_surfaces_lose_under_two_percent_of_uniform_light_and_gain_none() {
    let Some(gpu) = gpu() else { return };
    let matt = Material { metallic_factor: 0.0, ..Material::default() };
    let coat = |roughness_factor| Clearcoat { factor: 1.0, roughness_factor, ..Clearcoat::default() };
    let sheen = |roughness_factor| Sheen { color_factor: Vec3::ONE, roughness_factor, ..Sheen::default() };
    for roughness_factor in [0.0, 0.3, 0.6, 1.0] {
        let dielectric = Material { roughness_factor, ..matt.clone() };
        let metal = Material { roughness_factor, ..Material::default() };
        let leaning = Anisotropy { strength: 0.8, rotation: 0.4, ..Anisotropy::default() };
        let glass = Transmission { factor: 1.0, texture: None };
        let thick = Volume { thickness_factor: 10.0, ..Volume::default() };
        let through = DiffuseTransmission { factor: 0.6, ..DiffuseTransmission::default() };
        let glossy = SpecularGlossiness { specular_factor: Vec3::ONE, glossiness_factor: 1.0 - roughness_factor, texture: None };
        for (name, material) in [
            ("dielectric", dielectric.clone()),
            ("metal", metal.clone()),
            ("half metal", Material { metallic_factor: 0.5, ..metal.clone() }),
            ("clearcoat on a dielectric", Material { clearcoat: coat(0.1), ..dielectric.clone() }),
            ("rough clearcoat on metal", Material { clearcoat: coat(0.9), ..metal.clone() }),
            ("sheen", Material { sheen: sheen(0.4), ..dielectric.clone() }),
            ("sheen under clearcoat", Material { sheen: sheen(0.9), clearcoat: coat(0.4), ..dielectric.clone() }),
            ("anisotropic metal", Material { anisotropy: leaning.clone(), ..metal }),
            ("glass", Material { transmission: glass.clone(), ..dielectric.clone() }),
            ("thick glass", Material { transmission: glass, volume: thick, ior: 1.7, ..dielectric.clone() }),
            ("leaf", Material { diffuse_transmission: through, ..dielectric.clone() }),
            ("dense dielectric", Material { ior: 2.4, ..dielectric.clone() }),
            ("specular-glossiness", Material { specular_glossiness: Some(glossy), ..dielectric }),
        ] {
            keeps(gpu, &format!("{name} of roughness {roughness_factor}"), &material, 0.98, 1.001);
        }
    }
}

#[test]
fn no_layer_gains_light_whatever_its_strength() {
    let Some(gpu) = gpu() else { return };
    let film = Iridescence { factor: 1.0, thickness_maximum: 450.0, ..Iridescence::default() };
    for metallic_factor in [0.0, 1.0] {
        let material = Material {
            metallic_factor,
            roughness_factor: 0.2,
            iridescence: film.clone(),
            clearcoat: Clearcoat { factor: 0.5, ..Clearcoat::default() },
            sheen: Sheen { color_factor: Vec3::splat(0.5), roughness_factor: 0.3, ..Sheen::default() },
            ..Material::default()
        };
        keeps(gpu, &format!("film on metalness {metallic_factor}"), &material, 0.2, 1.001);
    }
}

/// Integrates the sheen lobe over the hemisphere: the Charlie distribution and its masking (Estevez and Kulla 2017), as in
/// KHR_materials_sheen.
fn sheen_integral(roughness: f64, n_dot_v: f64) -> f64 {
    let alpha = roughness * roughness;
    let fit = |x: f64| {
        let between = |smooth: f64, rough: f64| rough + (smooth - rough) * (1.0 - alpha) * (1.0 - alpha);
        let (a, b, c) = (between(25.3245, 21.5473), between(3.32435, 3.82987), between(0.16801, 0.19823));
        let (d, e) = (between(-1.27393, -1.97760), between(-4.85967, -4.32054));
        a / (1.0 + b * x.powf(c)) + d * x + e
    };
    let masking = |cosine: f64| if cosine < 0.5 { fit(cosine).exp() } else { (2.0 * fit(0.5) - fit(1.0 - cosine)).exp() };
    let view = DVec3::new((1.0 - n_dot_v * n_dot_v).sqrt(), 0.0, n_dot_v);
    let (rings, sectors) = (400, 400);
    let mut sum = 0.0;
    for i in 0..rings {
        for j in 0..sectors {
            let theta = (i as f64 + 0.5) / rings as f64 * std::f64::consts::FRAC_PI_2;
            let phi = (j as f64 + 0.5) / sectors as f64 * std::f64::consts::PI;
            let light = DVec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos());
            let half = (light + view).normalize();
            let sine = (1.0 - half.z * half.z).max(0.0).sqrt();
            let distribution = (2.0 + 1.0 / alpha) * sine.powf(1.0 / alpha) / std::f64::consts::TAU;
            let lobe = distribution / ((1.0 + masking(n_dot_v) + masking(light.z)) * 4.0 * n_dot_v);
            // The factor 2 adds the other half of the circle, which is equal.
            sum += 2.0 * lobe * theta.sin() * (std::f64::consts::FRAC_PI_2 / rings as f64) * (std::f64::consts::PI / sectors as f64);
        }
    }
    sum
}

#[test]
fn sheen_reflects_the_integral_of_its_lobe() {
    let Some(gpu) = gpu() else { return };
    for roughness in [0.2, 0.5, 1.0] {
        for n_dot_v in [0.1f32, 0.3, 0.6, 0.95] {
            let black = Material {
                base_color_factor: glam::Vec4::W,
                metallic_factor: 0.0,
                specular: Specular { factor: 0.0, ..Specular::default() },
                sheen: Sheen { color_factor: Vec3::ONE, roughness_factor: roughness, ..Sheen::default() },
                ..Material::default()
            };
            let normal = Vec3::new((1.0 - n_dot_v * n_dot_v).sqrt(), 0.0, n_dot_v);
            let turned = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.normals = vec![normal; 4]);
            let picture = Scene::new(vec![black], vec![turned]).draw(gpu, &furnace(1.0));
            let drawn = linear(f32::from(picture.get_pixel(32, 32).0[0]));
            let integral = sheen_integral(f64::from(roughness), f64::from(n_dot_v)).min(1.0) as f32;
            assert!((drawn - integral).abs() < 0.025, "roughness {roughness}, cosine {n_dot_v}: {drawn} is not {integral}");
        }
    }
}
