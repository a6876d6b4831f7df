//! Tests that the window's renderer waits for pipelines only in the first picture of a file. Later, the old picture stays visible and
//! complete until all pipelines of the new picture are ready.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use glam::{Mat4, Vec3};
use image::RgbaImage;
use sinew::model::material::{AlphaMode, Material};
use sinew::model::material_layers::Transmission;
use sinew::model::mesh::Primitive;
use sinew::render::device::gpu::Gpu;
use sinew::render::picture::Msaa;
use sinew::render::renderer::Renderer;
use sinew::session::view::display::{Display, Lighting, Shading, Shadow};

use crate::scene::{Scene, Shot, colored, gpu, quad, texture, with};

/// Timeout of every wait, long enough for a busy machine that draws in software.
const PATIENCE: Duration = Duration::from_secs(60);

fn board(alpha_mode: AlphaMode) -> Scene {
    let material = Material { alpha_mode, double_sided: true, ..colored([1.0, 0.0, 0.0, 0.7]) };
    let primitive = with(quad(8.0, 8.0, 40.0, 40.0), |vertices| vertices.normals = vec![Vec3::new(0.0, 0.6, 0.8); 4]);
    Scene::new(vec![material], vec![primitive])
}

fn shot(shading: Shading) -> Shot {
    Shot { display: Display { shading, lighting: Lighting::Studio, ..Shot::default().display }, ..Shot::default() }
}

/// Draws until the picture is up to date. Returns all pictures that were drawn; the last one is up to date.
fn until_there(gpu: &Gpu, scene: &Scene, shot: &Shot, renderer: &mut Renderer) -> Vec<RgbaImage> {
    let begun = Instant::now();
    let mut pictures = Vec::new();
    loop {
        pictures.push(scene.draw_again(gpu, shot, renderer));
        if !renderer.is_outdated {
            return pictures;
        }
        assert!(begun.elapsed() < PATIENCE, "the pipelines were never made");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn the_old_mode_stays_visible_until_the_new_one_is_ready() {
    let Some(gpu) = gpu() else { return };
    let (woken, wakes) = mpsc::channel();
    let wake = Arc::new(move || {
        let _ = woken.send(());
    });
    let mut renderer = Renderer::in_background(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One, wake);
    let scene = board(AlphaMode::Opaque);
    let mut before = scene.draw(gpu, &shot(Shading::Lit));
    assert_eq!(scene.draw_again(gpu, &shot(Shading::Lit), &mut renderer), before, "the first picture waits");
    for shading in [Shading::Normals, Shading::BaseColor, Shading::Tangents, Shading::Lit, Shading::Clay] {
        let after = scene.draw(gpu, &shot(shading));
        assert_ne!(before, after);
        while wakes.try_recv().is_ok() {}
        let pictures = until_there(gpu, &scene, &shot(shading), &mut renderer);
        let (last, on_the_way) = pictures.split_last().unwrap();
        assert!(*last == after, "{shading:?}");
        assert!(on_the_way.iter().all(|picture| *picture == before), "{shading:?}");
        // A mode that was shown before is ready immediately. A new mode never is.
        assert_eq!(on_the_way.is_empty(), shading == Shading::Lit, "{shading:?}");
        assert!(shading == Shading::Lit || wakes.recv_timeout(PATIENCE).is_ok(), "the wake function was not called");
        before = after;
    }
}

#[test]
fn the_old_number_of_samples_is_used_until_the_new_one_is_ready() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = Renderer::in_background(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One, Arc::new(|| {}));
    let with_samples = |samples, shading| Shot { samples, ..shot(shading) };
    // The edges lie within pixels, so that the number of samples matters.
    let mut scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0])], Vec::new());
    scene.add(with(quad(8.3, 8.4, 40.0, 40.0), |vertices| vertices.normals = vec![Vec3::Z; 4]), Mat4::IDENTITY);
    let before = scene.draw_again(gpu, &with_samples(1, Shading::Lit), &mut renderer);
    let after = scene.draw(gpu, &with_samples(4, Shading::Lit));
    assert!(before != after);
    let pictures = until_there(gpu, &scene, &with_samples(4, Shading::Lit), &mut renderer);
    let (last, on_the_way) = pictures.split_last().unwrap();
    assert!(*last == after);
    assert!(!on_the_way.is_empty() && on_the_way.iter().all(|picture| *picture == before));
    // Both numbers are known now, so the change back is immediate.
    assert!(until_there(gpu, &scene, &with_samples(1, Shading::Lit), &mut renderer) == [before]);
    // If a mode is new for both numbers of samples, the old mode stays visible with the old number of samples.
    let shown = scene.draw_again(gpu, &with_samples(1, Shading::Lit), &mut renderer);
    let pictures = until_there(gpu, &scene, &with_samples(4, Shading::Clay), &mut renderer);
    let (last, on_the_way) = pictures.split_last().unwrap();
    assert!(*last == scene.draw(gpu, &with_samples(4, Shading::Clay)));
    assert!(on_the_way.iter().all(|picture| *picture == shown));
}

#[test]
fn a_new_model_replaces_the_old_one_when_it_can_be_drawn() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = Renderer::in_background(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One, Arc::new(|| {}));
    let (solid, blended) = (board(AlphaMode::Opaque), board(AlphaMode::Blend));
    let before = solid.draw_again(gpu, &shot(Shading::Lit), &mut renderer);
    let after = blended.draw(gpu, &shot(Shading::Lit));
    let pictures = until_there(gpu, &blended, &shot(Shading::Lit), &mut renderer);
    let (last, on_the_way) = pictures.split_last().unwrap();
    assert!(*last == after);
    assert!(!on_the_way.is_empty() && on_the_way.iter().all(|picture| *picture == before));
}

#[test]
fn the_picture_of_another_file_waits_instead_of_showing_the_old_model() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = Renderer::in_background(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One, Arc::new(|| {}));
    let (solid, blended) = (board(AlphaMode::Opaque), board(AlphaMode::Blend));
    solid.draw_again(gpu, &shot(Shading::Lit), &mut renderer);
    renderer.forget_picture();
    assert!(blended.draw_again(gpu, &shot(Shading::Lit), &mut renderer) == blended.draw(gpu, &shot(Shading::Lit)));
    assert!(!renderer.is_outdated);
}

#[test]
fn textured_masked_and_glass_surfaces_switch_like_plain_ones() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = Renderer::in_background(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::Four, Arc::new(|| {}));
    let textured = |alpha_mode| Material { alpha_mode, base_color_texture: Some(texture()), ..Material::default() };
    let clear = Material { transmission: Transmission { factor: 1.0, texture: None }, ..colored([1.0; 4]) };
    let materials = [textured(AlphaMode::Opaque), textured(AlphaMode::Mask { cutoff: 0.5 }), textured(AlphaMode::Blend), clear];
    let scenes = [[1, 1], [3, 5]].map(|[width, height]| {
        let primitives = (0..materials.len()).map(|i| {
            let primitive = with(quad(16.0 * i as f32, 8.0, 16.0, 40.0), |vertices| vertices.normals = vec![Vec3::Z; 4]);
            Primitive { material: Some(i), ..primitive }
        });
        let scene = Scene::new(materials.to_vec(), primitives.collect());
        scene.image(width, height, &vec![[200, 90, 30, 255]; (width * height) as usize])
    });
    for (scene, shading) in scenes.iter().zip([Shading::Lit, Shading::Clay]) {
        let shot = |shading| Shot { samples: 4, display: Display { shadow: Shadow::On, ..shot(shading).display }, ..shot(shading) };
        scene.draw_again(gpu, &shot(shading), &mut renderer);
        for shading in [Shading::Uv, Shading::Lit, Shading::BaseColor] {
            let pictures = until_there(gpu, scene, &shot(shading), &mut renderer);
            assert!(pictures.last() == Some(&scene.draw(gpu, &shot(shading))), "{shading:?}");
        }
    }
    assert_eq!(renderer.failure(), None);
}
