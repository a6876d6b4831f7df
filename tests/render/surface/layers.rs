//! Tests that each KHR_materials extension renders as specified, and changes nothing with a factor of 0.

use glam::{DAffine3, DVec3, Vec2, Vec2Swizzles, Vec3, Vec4};
use sinew::model::light::{Light, LightKind};
use sinew::model::material::Material;
use sinew::model::material_layers::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, Specular, SpecularGlossiness, Transmission, Volume,
};
use sinew::model::texture::Texture;
use sinew::render::light::punctual::PlacedLight;
use sinew::render::picture::Background;
use sinew::session::view::display::{Display, Lighting, Shadow, Tonemap};

use crate::common::pixels::difference;
use crate::scene::{Scene, Shot, ball, gpu, quad, texture, with};
use crate::surface::energy::{furnace, linear};

/// Studio light, with a lamp at the upper left.
fn lit() -> Shot {
    let light = Light { name: None, color: Vec3::ONE, intensity: 4000.0, range: None, kind: LightKind::Point };
    let lamp = PlacedLight { light, world_from_light: DAffine3::from_translation(DVec3::new(10.0, -10.0, 60.0)) };
    let display = Display { lighting: Lighting::Studio, tonemap: Tonemap::Neutral, grid: false, shadow: Shadow::Off, ..Display::default() };
    Shot { display, lights: vec![lamp], ..Shot::default() }
}

fn round(material: Material) -> Scene {
    Scene::new(vec![material], vec![ball(Vec3::new(32.0, -32.0, 0.0), 30.0)])
}

fn plain() -> Material {
    Material { base_color_factor: Vec4::new(0.7, 0.3, 0.2, 1.0), metallic_factor: 0.2, roughness_factor: 0.4, ..Material::default() }
}

/// Returns materials with one extension each. `factor` is its strength, which a texture multiplies if one is given.
fn layered(factor: f32, texture: Option<Texture>) -> Vec<(&'static str, Material)> {
    let coat = Clearcoat { factor, texture: texture.clone(), roughness_factor: 0.2, ..Clearcoat::default() };
    let sheen = Sheen { color_factor: Vec3::splat(factor), color_texture: texture.clone(), roughness_factor: 0.5, ..Sheen::default() };
    let film = Iridescence { factor, texture: texture.clone(), ior: 1.8, ..Iridescence::default() };
    let leaf = DiffuseTransmission { factor, color_factor: Vec3::new(0.1, 1.0, 0.1), ..DiffuseTransmission::default() };
    let glass = Transmission { factor, texture: texture.clone() };
    let volume =
        Volume { thickness_factor: 9.0, attenuation_distance: 4.0, attenuation_color: Vec3::new(0.1, 0.5, 0.9), ..Volume::default() };
    let leaning = Anisotropy { strength: factor, rotation: 1.0, ..Anisotropy::default() };
    vec![
        ("clearcoat", Material { clearcoat: coat, ..plain() }),
        ("sheen", Material { sheen, ..plain() }),
        ("iridescence", Material { iridescence: film, ..plain() }),
        ("diffuse transmission", Material { diffuse_transmission: leaf, ..plain() }),
        ("transmission", Material { transmission: glass, volume, ..plain() }),
        ("anisotropy", Material { anisotropy: leaning, ..plain() }),
    ]
}

#[test]
fn a_layer_with_factor_0_is_invisible_and_with_factor_1_visible() {
    let Some(gpu) = gpu() else { return };
    let without = round(plain()).draw(gpu, &lit());
    for (name, material) in layered(0.0, None) {
        assert_eq!(round(material).draw(gpu, &lit()), without, "{name}");
    }
    for (name, material) in layered(1.0, None) {
        assert!(difference(&round(material).draw(gpu, &lit()), &without) > 8, "{name} is not visible");
    }
}

#[test]
fn a_layer_whose_texture_is_0_is_invisible() {
    let Some(gpu) = gpu() else { return };
    let without = round(plain()).draw(gpu, &lit());
    for (name, material) in layered(1.0, Some(texture())) {
        if ["diffuse transmission", "anisotropy"].contains(&name) {
            continue;
        }
        let black = round(material).image(1, 1, &[[0, 0, 0, 255]]);
        assert!(difference(&black.draw(gpu, &lit()), &without) <= 1, "{name}");
    }
}

#[test]
fn a_dielectric_without_specular_reflects_nothing() {
    let Some(gpu) = gpu() else { return };
    let specular = Specular { factor: 0.0, ..Specular::default() };
    let black = Material { base_color_factor: Vec4::W, metallic_factor: 0.0, roughness_factor: 0.3, ..Material::default() };
    let shot = Shot { background: Background::Color([0; 3]), ..lit() };
    let shines = |material| round(material).draw(gpu, &shot).pixels().any(|pixel| pixel.0 != [0, 0, 0, 255]);
    assert!(shines(black.clone()));
    assert!(!shines(Material { specular, ..black }));
}

#[test]
fn the_reflectance_follows_the_index_of_refraction_the_specular_color_and_the_angle() {
    let Some(gpu) = gpu() else { return };
    let color = Vec3::new(0.5, 1.0, 40.0);
    for (ior, cosine) in [(0.0f32, 1.0f32), (1.3, 1.0), (1.5, 1.0), (2.0, 1.0), (1.0, 1.0), (1.0, 0.2), (1.1, 0.2), (1.5, 0.2)] {
        let normal = Vec3::new((1.0 - cosine * cosine).sqrt(), 0.0, cosine);
        let facing = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.normals = vec![normal; 4]);
        let material = Material {
            base_color_factor: Vec4::W,
            metallic_factor: 0.0,
            roughness_factor: 0.0,
            ior,
            specular: Specular { factor: 0.8, color_factor: color, ..Specular::default() },
            ..Material::default()
        };
        let picture = Scene::new(vec![material], vec![facing]).draw(gpu, &furnace(1.0));
        let f0 = (color * ((ior - 1.0) / (ior + 1.0)).powi(2)).min(Vec3::ONE);
        // Schlick's approximation. At grazing angles, it is 1 for each index (KHR_materials_specular).
        let expected = (f0 + (1.0 - f0) * (1.0 - cosine).powi(5)) * 0.8;
        let drawn = Vec3::from([0, 1, 2].map(|i| linear(f32::from(picture.get_pixel(32, 32).0[i]))));
        assert!((drawn - expected).abs().max_element() < 0.015, "index {ior}, cosine {cosine}: {drawn} is not {expected}");
    }
}

#[test]
fn specular_glossiness_matches_the_equivalent_metallic_roughness() {
    let Some(gpu) = gpu() else { return };
    let diffuse = Vec3::new(0.8, 0.4, 0.1);
    let glossy = |specular_factor, base: Vec3| Material {
        base_color_factor: base.extend(1.0),
        specular_glossiness: Some(SpecularGlossiness { specular_factor, glossiness_factor: 0.7, texture: None }),
        ..Material::default()
    };
    let rough = |base: Vec3, metallic_factor| Material {
        base_color_factor: base.extend(1.0),
        metallic_factor,
        roughness_factor: 0.3,
        ..Material::default()
    };
    let gold = Vec3::new(1.0, 0.7, 0.3);
    for (a, b) in [(glossy(Vec3::splat(0.04), diffuse), rough(diffuse * 0.96, 0.0)), (glossy(gold, Vec3::ZERO), rough(gold, 1.0))] {
        assert!(difference(&round(a).draw(gpu, &lit()), &round(b).draw(gpu, &lit())) <= 1);
    }
}

#[test]
fn a_clearcoat_darkens_emission_below_it() {
    let Some(gpu) = gpu() else { return };
    let facing = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.normals = vec![Vec3::Z; 4]);
    let glow = |factor| {
        let material = Material {
            base_color_factor: Vec4::W,
            emissive_factor: Vec3::splat(0.5),
            specular: Specular { factor: 0.0, ..Specular::default() },
            metallic_factor: 0.0,
            clearcoat: Clearcoat { factor, ..Clearcoat::default() },
            ..Material::default()
        };
        let display = Display { exposure: 0.0, ..furnace(1.0).display };
        let shot = Shot { display, ..furnace(1.0) };
        linear(f32::from(Scene::new(vec![material], vec![facing.clone()]).draw(gpu, &shot).get_pixel(32, 32).0[0]))
    };
    // The coat reflects 4 % of the uniform light of 0.3, and absorbs 4 % of the emission below it.
    assert!((glow(0.0) - 0.5).abs() < 0.006);
    assert!((glow(1.0) - (0.5 * 0.96 + 0.3 * 0.04)).abs() < 0.006, "{}", glow(1.0));
}

#[test]
fn an_anisotropic_highlight_is_long_along_the_rotated_tangent() {
    let Some(gpu) = gpu() else { return };
    let facing = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| {
        vertices.normals = vec![Vec3::Z; 4];
        vertices.tangents = vec![Vec3::X.extend(1.0); 4];
    });
    let extent = |strength: f32, rotation: f32| {
        let material = Material {
            base_color_factor: Vec4::ONE,
            roughness_factor: 0.35,
            anisotropy: Anisotropy { strength, rotation, ..Anisotropy::default() },
            ..Material::default()
        };
        let light = Light { name: None, color: Vec3::ONE, intensity: 400.0, range: None, kind: LightKind::Point };
        let lamp = PlacedLight { light, world_from_light: DAffine3::from_translation(DVec3::new(32.0, -32.0, 30.0)) };
        let shot = furnace(0.05);
        let lights = [shot.lights.clone(), vec![lamp]].concat();
        let picture = Scene::new(vec![material], vec![facing.clone()]).draw(gpu, &Shot { lights, perspective: true, ..shot });
        // Subtract the uniform light.
        let lamp = |x, y| linear(f32::from(picture.get_pixel(x, y).0[0])) - 0.05;
        let bright = |x, y| lamp(x, y) > lamp(32, 32) / 2.0;
        Vec2::new((0..64).filter(|&x| bright(x, 32)).count() as f32, (0..64).filter(|&y| bright(32, y)).count() as f32)
    };
    let round = extent(0.0, 0.0);
    assert!((round.x - round.y).abs() <= 1.0 && round.x < 40.0, "{round}");
    let along = extent(0.7, 0.0);
    assert!(along.x > 1.8 * along.y, "{along}");
    let turned = extent(0.7, std::f32::consts::FRAC_PI_2);
    assert!((turned.yx() - along).abs().max_element() <= 1.0, "{turned} is not {along} turned");
}

#[test]
fn the_colors_of_a_thin_film_depend_on_its_thickness() {
    let Some(gpu) = gpu() else { return };
    let facing = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.normals = vec![Vec3::Z; 4]);
    let color = |thickness| {
        let film = Iridescence { factor: 1.0, thickness_maximum: thickness, ior: 1.8, ..Iridescence::default() };
        let material =
            Material { base_color_factor: Vec4::new(0.5, 0.5, 0.5, 1.0), roughness_factor: 0.0, iridescence: film, ..Material::default() };
        let pixel = Scene::new(vec![material], vec![facing.clone()]).draw(gpu, &furnace(1.0)).get_pixel(32, 32).0;
        Vec3::from([0, 1, 2].map(|i| linear(f32::from(pixel[i]))))
    };
    assert!((color(0.0) - 0.5).abs().max_element() < 0.02, "{}", color(0.0));
    let [thin, thick] = [color(250.0), color(400.0)];
    assert!(thin.max_element() - thin.min_element() > 0.1 && (thin - thick).abs().max_element() > 0.1, "{thin}, {thick}");
}

#[test]
fn degenerate_geometry_and_factors_do_not_draw_black_pixels() {
    let Some(gpu) = gpu() else { return };
    let extremes = [(0.0, 0.0, 0.0), (1.0, 1.0, 1e-3), (1.5, 1e12, f32::INFINITY)];
    for (ior, thickness_factor, attenuation_distance) in extremes {
        let everything = Material {
            metallic_factor: 0.5,
            roughness_factor: 0.0,
            ior,
            specular: Specular { color_factor: Vec3::splat(1e6), ..Specular::default() },
            clearcoat: Clearcoat { factor: 0.5, normal_texture: Some(texture()), ..Clearcoat::default() },
            sheen: Sheen { color_factor: Vec3::splat(0.3), ..Sheen::default() },
            iridescence: Iridescence { factor: 0.5, ior: 1.0, thickness_minimum: 0.0, thickness_maximum: 0.0, ..Iridescence::default() },
            anisotropy: Anisotropy { strength: 0.5, texture: Some(texture()), ..Anisotropy::default() },
            transmission: Transmission { factor: 0.5, texture: None },
            volume: Volume { thickness_factor, attenuation_distance, attenuation_color: Vec3::new(0.0, 0.5, 1.0), ..Volume::default() },
            dispersion: 10.0,
            diffuse_transmission: DiffuseTransmission { factor: 0.5, ..DiffuseTransmission::default() },
            normal_texture: Some(texture()),
            double_sided: true,
            ..Material::default()
        };
        let bare = quad(0.0, 0.0, 64.0, 64.0);
        let zero_normals = with(bare.clone(), |vertices| vertices.normals = vec![Vec3::ZERO; 4]);
        let zero_tangents = with(bare.clone(), |vertices| {
            vertices.normals = vec![Vec3::Z; 4];
            vertices.tangents = vec![Vec4::ZERO; 4];
        });
        let one_place = with(bare.clone(), |vertices| vertices.tex_coords[0] = vec![Vec2::ZERO; 4]);
        let mirrored = with(bare.clone(), |vertices| vertices.tex_coords[0].iter_mut().for_each(|uv| uv.x = -uv.x));
        for (name, primitive) in [
            ("bare", bare),
            ("zero normals", zero_normals),
            ("zero tangents", zero_tangents),
            ("one place", one_place),
            ("mirrored", mirrored),
        ] {
            let scene = Scene::new(vec![everything.clone()], vec![primitive]).image(1, 1, &[[128, 128, 255, 255]]);
            for shot in [furnace(0.5), lit()] {
                let picture = scene.draw(gpu, &shot);
                let holes = picture.pixels().filter(|pixel| pixel.0[..3].contains(&0)).count();
                assert_eq!(holes, 0, "{name}, index {ior}: such as {:?}", picture.get_pixel(32, 32));
            }
        }
    }
}
