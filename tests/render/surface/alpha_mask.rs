//! Tests the coverage of alpha masks at each mip level. Each pixel shows one texel of the level. The covered pixels are compared with the
//! texels of the image that reach the cutoff.

use glam::{Mat4, Vec4};
use sinew::codec::texels::DecodedImage;
use sinew::model::material::{AlphaMode, Material};
use sinew::model::material_property::MaterialProperty;
use sinew::model::mesh::Primitive;
use sinew::model::pointer::{Pointer, Property, ValueKind};
use sinew::model::texture::{Sampler, Texture};
use sinew::render::material::mipmap::{self, PreparedImage};

use crate::common::pixels::count;
use crate::scene::{Scene, Shot, gpu, quad, texture, with};

const SIDE: u32 = 64;
const BACKGROUND: [u8; 4] = [10, 20, 30, 255];

fn masked(factor: f32, cutoff: f32) -> Material {
    let sampler = Sampler { mip_linear: Some(false), ..texture().sampler };
    Material {
        base_color_factor: Vec4::new(1.0, 1.0, 1.0, factor),
        base_color_texture: Some(Texture { sampler, ..texture() }),
        alpha_mode: AlphaMode::Mask { cutoff },
        unlit: true,
        ..Material::default()
    }
}

/// Builds a square that shows one texel of this mip level per pixel.
fn square(level: u32, material: usize, vertex_alpha: Option<f32>) -> Primitive {
    let side = (SIDE >> level) as f32;
    let square = Primitive { material: Some(material), ..quad(0.0, 0.0, side, side) };
    with(square, |vertices| vertices.colors = vertex_alpha.iter().flat_map(|&alpha| [Vec4::new(1.0, 1.0, 1.0, alpha); 4]).collect())
}

/// Returns a pseudo-random byte, the same in each run.
fn random(i: usize) -> u8 {
    (((i as u32).wrapping_mul(2654435761) ^ 0x5bd1e995).wrapping_mul(0x85ebca6b) >> 19) as u8
}

/// Returns an alpha of 0, 0.8 or 1 with equal probability.
fn three(i: usize) -> u8 {
    [0, 204, 255][usize::from(random(i)) % 3]
}

/// The material of the drawn square, and the values that decide which of its pixels are covered.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    material: usize,
    factor: f32,
    vertex_alpha: Option<f32>,
    cutoff: f32,
}

/// Draws a square at each level and compares the share of covered pixels with the share of texels in the image that reach the cutoff. The
/// shares must be equal at level 0. At the other levels they may differ by `tolerance` plus two pixels, or not at all if `tolerance`
/// is 0.
fn assert_covered(scene: impl Fn() -> Scene, alpha_of: fn(usize) -> u8, drawn: Drawn, tolerance: f64) {
    let Some(gpu) = gpu() else { return };
    let texels: Vec<[u8; 4]> = (0..(SIDE * SIDE) as usize).map(|i| [255, 255, 255, alpha_of(i)]).collect();
    let product = |texel: &[u8; 4]| drawn.factor * drawn.vertex_alpha.unwrap_or(1.0) * (f32::from(texel[3]) / 255.0);
    let share = texels.iter().filter(|texel| product(texel) >= drawn.cutoff).count() as f64 / texels.len() as f64;
    for level in 0..4 {
        let mut scene = scene().image(SIDE, SIDE, &texels);
        scene.add(square(level, drawn.material, drawn.vertex_alpha), Mat4::IDENTITY);
        let covered = (SIDE * SIDE) as usize - count(&scene.draw(gpu, &Shot::default()), BACKGROUND);
        let pixels = f64::from((SIDE >> level).pow(2));
        let off = (covered as f64 / pixels - share).abs();
        // Two pixels are added, because texels of equal alpha are covered together.
        let allowed = if level == 0 || tolerance == 0.0 { 0.0 } else { tolerance + 2.0 / pixels };
        assert!(off <= allowed, "level {level}, {drawn:?}: {covered} pixels, share in the image {share}");
    }
}

#[test]
fn each_level_of_a_mask_keeps_its_coverage_with_a_base_color_factor() {
    for (factor, cutoff) in [(1.0, 0.5), (0.7, 0.6), (0.7, 0.5), (0.5, 0.11)] {
        let scene = || Scene::new(vec![masked(factor, cutoff)], vec![]);
        let drawn = Drawn { material: 0, factor, vertex_alpha: None, cutoff };
        assert_covered(scene, random, drawn, 0.02);
        // Here many texels of a level have equal alphas, so the tolerance is larger.
        assert_covered(scene, three, drawn, 0.07);
    }
}

#[test]
fn each_level_of_a_mask_keeps_its_coverage_with_vertex_alpha() {
    for (factor, vertex_alpha, cutoff) in [(1.0, 0.7, 0.6), (0.8, 0.9, 0.4), (1.0, 0.5, 0.21)] {
        let scene = || Scene::new(vec![masked(factor, cutoff)], vec![]);
        let drawn = Drawn { material: 0, factor, vertex_alpha: Some(vertex_alpha), cutoff };
        assert_covered(scene, random, drawn, 0.02);
        assert_covered(scene, three, drawn, 0.07);
    }
}

#[test]
fn materials_with_different_factors_and_cutoffs_share_a_mask() {
    let masks = [(0.7, 0.6), (1.0, 0.3), (0.9, 0.5)];
    let scene = || {
        let opaque = Material { alpha_mode: AlphaMode::Opaque, ..masked(1.0, 0.5) };
        Scene::new(masks.iter().map(|&(factor, cutoff)| masked(factor, cutoff)).chain([opaque]).collect(), vec![])
    };
    for (material, (factor, cutoff)) in masks.into_iter().enumerate() {
        assert_covered(scene, random, Drawn { material, factor, vertex_alpha: None, cutoff }, 0.02);
    }
}

#[test]
fn vertices_of_different_alpha_share_a_mask() {
    // A primitive outside the picture has the same material and no vertex colors.
    let scene = || Scene::new(vec![masked(1.0, 0.21)], vec![quad(200.0, 200.0, 8.0, 8.0)]);
    for vertex_alpha in [0.3, 0.5, 0.8, 1.0] {
        let drawn = Drawn { material: 0, factor: 1.0, vertex_alpha: Some(vertex_alpha), cutoff: 0.21 };
        assert_covered(scene, random, drawn, 0.02);
    }
}

#[test]
fn a_mask_keeps_its_coverage_while_its_factor_is_animated() {
    let mut model = Scene::new(vec![masked(0.4, 0.25)], vec![]).model;
    let property = Property::Material { material: 0, property: MaterialProperty::BaseColorFactor };
    let path = "/materials/0/pbrMetallicRoughness/baseColorFactor".to_string();
    model.pointers.push(Pointer { path, property, kind: ValueKind::Vector, values: 0..4, animations: vec![0] });
    let rgba = (0..(SIDE * SIDE) as usize).flat_map(|i| [255, 255, 255, random(i)]).collect();
    let prepared = PreparedImage::new(mipmap::image_uses(&model, 1)[0], DecodedImage::rgba(SIDE, SIDE, rgba));
    let levels = prepared.color.unwrap().levels;
    for factor in [0.3, 0.5, 1.0] {
        let share = |level: &[u8]| {
            let covered = level.iter().skip(3).step_by(4).filter(|&&alpha| factor * (f32::from(alpha) / 255.0) >= 0.25);
            covered.count() as f64 / (level.len() / 4) as f64
        };
        for level in &levels[1..4] {
            let allowed = 0.02 + 2.0 / (level.len() / 4) as f64;
            assert!((share(level) - share(&levels[0])).abs() <= allowed, "factor {factor}: {} of {}", share(level), share(&levels[0]));
        }
    }
}

#[test]
fn a_mask_covers_all_or_nothing_at_each_level_if_all_or_no_alphas_reach_the_cutoff() {
    for (factor, vertex_alpha, cutoff) in [(0.5, None, 0.6), (0.5, None, 0.0), (1.0, Some(0.0), 0.6)] {
        let scene = || Scene::new(vec![masked(factor, cutoff)], vec![]);
        assert_covered(scene, random, Drawn { material: 0, factor, vertex_alpha, cutoff }, 0.0);
    }
}

#[test]
fn with_msaa_a_mask_is_opaque_at_a_cutoff_of_0_and_invisible_above_1() {
    let Some(gpu) = gpu() else { return };
    // Columns of pixels are alternately opaque and transparent.
    let texels: Vec<[u8; 4]> = (0..SIDE * SIDE).map(|i| [255, 255, 255, if i % 2 == 0 { 255 } else { 0 }]).collect();
    for (cutoff, covered) in [(0.0, true), (1.01, false)] {
        let mut scene = Scene::new(vec![masked(1.0, cutoff)], vec![]).image(SIDE, SIDE, &texels);
        scene.add(square(0, 0, None), Mat4::IDENTITY);
        let picture = scene.draw(gpu, &Shot { samples: 4, ..Shot::default() });
        let color = picture.get_pixel(0, 0).0;
        assert_eq!(color != BACKGROUND, covered, "cutoff {cutoff}: {color:?}");
        assert_eq!(count(&picture, color), (SIDE * SIDE) as usize, "cutoff {cutoff}: all pixels are equal");
    }
}
