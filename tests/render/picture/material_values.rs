//! Tests the shading modes that show a value of the material, with factors and textures whose products were computed by hand.

use glam::{Vec3, Vec4};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::material_layers::{Specular, SpecularGlossiness};
use sinew::model::texture::Texture;
use sinew::session::view::display::{Display, Lighting, Shading, Tonemap};

use crate::common::pixels::count;
use crate::scene::{Scene, Shot, colored, gpu, quad, texture, with};

/// A texture of the second image of a scene.
fn second() -> Texture {
    Texture { source: 1, image: Some(1), ..texture() }
}

/// Asserts that a surface that fills the picture has one color in a shading mode, in any light, with and without MSAA.
fn shows(scene: &Scene, shading: Shading, [r, g, b]: [u8; 3]) {
    let Some(gpu) = gpu() else { return };
    for (lighting, tonemap) in [(Lighting::None, Tonemap::None), (Lighting::Studio, Tonemap::Neutral), (Lighting::Flat, Tonemap::Agx)] {
        for samples in [1, 4] {
            let display = Display { shading, lighting, tonemap, exposure: 1.5, grid: false, ..Display::default() };
            let picture = scene.draw(gpu, &Shot { display, samples, ..Shot::default() });
            let found = picture.get_pixel(20, 40).0;
            assert_eq!(count(&picture, [r, g, b, 255]), 64 * 64, "{shading:?}, {lighting:?}, {samples} samples: {found:?}");
        }
    }
}

/// A quad with a material and up to two images of one texel.
fn scene(material: Material, texels: &[[u8; 4]]) -> Scene {
    let scene = Scene::new(vec![material], vec![quad(0.0, 0.0, 64.0, 64.0)]);
    texels.iter().fold(scene, |scene, texel| scene.image(1, 1, &[*texel]))
}

#[test]
fn numbers_are_grays_whose_bytes_are_255_times_factor_times_texture() {
    let material = Material {
        roughness_factor: 0.6,
        metallic_factor: 0.2,
        metallic_roughness_texture: Some(texture()),
        occlusion_texture: Some(texture()),
        occlusion_strength: 0.5,
        ..Material::default()
    };
    let textured = scene(material.clone(), &[[155, 100, 200, 255]]);
    shows(&textured, Shading::Roughness, [60; 3]);
    shows(&textured, Shading::Metallic, [40; 3]);
    // 1 + 0.5 * (155 / 255 - 1) is 205 / 255.
    shows(&textured, Shading::Occlusion, [205; 3]);
    let unlit = scene(Material { unlit: true, ..material.clone() }, &[[155, 100, 200, 255]]);
    shows(&unlit, Shading::Roughness, [60; 3]);
    // Without textures, the values are the factors: 0.6 of 255 is 153, and 0.2 of 255 is 51.
    let plain = Material { metallic_roughness_texture: None, occlusion_texture: None, ..material };
    shows(&scene(plain.clone(), &[]), Shading::Roughness, [153; 3]);
    shows(&scene(plain.clone(), &[]), Shading::Metallic, [51; 3]);
    shows(&scene(plain, &[]), Shading::Occlusion, [255; 3]);
}

#[test]
fn emission_is_a_color_in_linear_light_and_is_cut_off_above_1() {
    // Multiplied by the strength, the color is 0.6, 0.125 and 2 in linear light. The sRGB values of the first two are 0.7977 and 0.3886.
    let glowing = Material { emissive_factor: Vec3::new(0.3, 0.0625, 1.0), emissive_strength: 2.0, ..Material::default() };
    shows(&scene(glowing.clone(), &[]), Shading::Emissive, [203, 99, 255]);
    // The texture is sRGB. Its byte 188 is half of the light, so blue is still 1.
    let textured = Material { emissive_texture: Some(texture()), ..glowing };
    shows(&scene(textured, &[[255, 0, 188, 255]]), Shading::Emissive, [203, 0, 255]);
    shows(&scene(colored([1.0, 1.0, 1.0, 1.0]), &[]), Shading::Emissive, [0; 3]);
}

#[test]
fn alpha_is_shown_on_opaque_surfaces_whatever_the_alpha_mode() {
    let base = Material { base_color_texture: Some(texture()), ..colored([0.3, 0.6, 0.9, 0.5]) };
    for alpha_mode in [AlphaMode::Opaque, AlphaMode::Mask { cutoff: 0.9 }, AlphaMode::Blend] {
        let scene = scene(Material { alpha_mode, ..base.clone() }, &[[10, 20, 30, 200]]);
        shows(&scene, Shading::Alpha, [100; 3]);
    }
    // The alpha of the vertex color is a third factor.
    let faint = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.colors = vec![Vec4::new(1.0, 1.0, 1.0, 0.5); 4]);
    let scene = Scene::new(vec![Material { alpha_mode: AlphaMode::Blend, ..base }], vec![faint]).image(1, 1, &[[10, 20, 30, 200]]);
    shows(&scene, Shading::Alpha, [50; 3]);
}

#[test]
fn specular_is_a_color_times_a_number() {
    // The color is 0.2, 0.05 and 0.6 in linear light, which is 0.4845, 0.2478 and 0.7977 in sRGB.
    let specular = Specular { texture: Some(texture()), color_factor: Vec3::new(1.0, 0.25, 3.0), ..Specular::default() };
    let material = Material { specular, ..Material::default() };
    shows(&scene(material.clone(), &[[0, 0, 0, 51]]), Shading::Specular, [124, 63, 203]);
    // The color texture lets only green pass.
    let specular = Specular { color_texture: Some(second()), ..material.specular };
    shows(&scene(Material { specular, ..Material::default() }, &[[0, 0, 0, 51], [0, 255, 0, 255]]), Shading::Specular, [0, 63, 0]);
}

#[test]
fn glossiness_is_shown_as_roughness_and_the_specular_color_is_shown_unchanged() {
    let glossy = SpecularGlossiness { specular_factor: Vec3::new(0.6, 0.125, 1.0), glossiness_factor: 0.5, texture: Some(texture()) };
    for unlit in [false, true] {
        let material = Material { unlit, specular_glossiness: Some(glossy.clone()), ..Material::default() };
        let scene = scene(material, &[[255, 255, 255, 100]]);
        // 1 - 0.5 * 100 / 255 is 205 / 255.
        shows(&scene, Shading::Roughness, [205; 3]);
        shows(&scene, Shading::Specular, [203, 99, 255]);
    }
}

#[test]
fn values_that_a_material_does_not_have_are_hatched() {
    let Some(gpu) = gpu() else { return };
    let glossy = SpecularGlossiness { specular_factor: Vec3::ONE, glossiness_factor: 1.0, texture: None };
    let glossy = Material { specular_glossiness: Some(glossy), ..Material::default() };
    for (material, shading) in [(glossy, Shading::Metallic), (Material::default(), Shading::Specular)] {
        let display = Display { shading, ..Shot::default().display };
        let picture = scene(material, &[]).draw(gpu, &Shot { display, ..Shot::default() });
        assert!(count(&picture, [92, 92, 92, 255]) > 600 && count(&picture, [117, 117, 117, 255]) > 600, "{shading:?}");
    }
}
