//! Tests still pictures that are drawn over several frames. The final picture equals one drawn at once, and the previous picture stays
//! visible until then.

use std::time::Duration;

use glam::{Mat4, Vec3, Vec4};
use image::RgbaImage;

use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::model::material::AlphaMode;
use sinew::render::actor::Actor;
use sinew::render::device::gpu::Gpu;
use sinew::render::device::readback;
use sinew::render::picture::Picture;
use sinew::render::picture::Viewport;
use sinew::render::renderer::Renderer;
use sinew::session::view::display::Display;
use sinew::session::view::display::Ghosts;

use crate::scene::{Scene, Shot, colored, gpu, matrix_rows, quad};

const SIZE: [u32; 2] = [64, 64];

/// Builds a solid quad, and a translucent quad in front of all ghosts.
fn scene() -> Scene {
    let mut glass = colored([0.2, 0.4, 1.0, 0.5]);
    glass.alpha_mode = AlphaMode::Blend;
    let [mut body, mut pane] = [quad(8.0, 8.0, 20.0, 20.0), quad(30.0, 4.0, 20.0, 50.0)];
    (body.material, pane.material) = (Some(0), Some(1));
    let mut scene = Scene::new(vec![colored([1.0, 0.0, 0.0, 1.0]), glass], Vec::new());
    scene.add(body, Mat4::IDENTITY);
    scene.add(pane, Mat4::IDENTITY);
    scene
}

fn shot(samples: u32) -> Shot {
    let display = Display { ghosts: Ghosts { shown: true, ..Ghosts::default() }, ..Shot::default().display };
    Shot { samples, display, size: SIZE, ..Shot::default() }
}

/// Returns the body and two ghosts of it. Each ghost is farther up and farther to the right.
fn with_ghosts<'a>(body: &Actor<'a>, palettes: &'a [Vec<JointMatrix>]) -> Vec<Actor<'a>> {
    let tints = [Vec4::new(1.0, 0.5, 0.0, 0.6), Vec4::new(0.0, 0.5, 1.0, 0.42)];
    let ghosts = palettes.iter().zip(tints).map(|(palettes, tint)| Actor { palettes, ghost: Some(tint), outlined: &[], ..*body });
    std::iter::once(*body).chain(ghosts).collect()
}

fn palettes() -> [Vec<JointMatrix>; 2] {
    [6.0, 12.0].map(|by| vec![matrix_rows(&Mat4::from_translation(Vec3::new(by, by, 0.0))); 2])
}

struct Canvas<'a> {
    gpu: &'a Gpu,
    texture: wgpu::Texture,
}

impl<'a> Canvas<'a> {
    fn new(gpu: &'a Gpu) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Self { gpu, texture }
    }

    /// Draws one frame. Returns its pixels and whether the picture is complete. If `is_progressive` is true,
    /// [`Renderer::draw_progressively`] draws the next step of the picture. Otherwise [`Renderer::draw`] draws all of it.
    fn draw(&self, renderer: &mut Renderer, picture: &Picture, actors: &[Actor], is_progressive: bool) -> (RgbaImage, bool) {
        let target = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let viewport = Viewport { target: &target, rect: [0, 0, SIZE[0], SIZE[1]] };
        let is_whole = match is_progressive {
            true => renderer.draw_progressively(self.gpu, &mut encoder, &viewport, picture, actors),
            false => {
                renderer.draw(self.gpu, &mut encoder, &viewport, picture, actors);
                true
            }
        };
        let mut rgba = Vec::new();
        readback::read_rows(self.gpu, encoder, &self.texture, SIZE, |_, row| rgba.extend_from_slice(row)).unwrap();
        (RgbaImage::from_raw(SIZE[0], SIZE[1], rgba).unwrap(), is_whole)
    }
}

#[test]
fn ghosts_drawn_in_steps_look_like_ghosts_drawn_at_once() {
    let Some(gpu) = gpu() else { return };
    let (canvas, palettes) = (Canvas::new(gpu), palettes());
    for samples in [1, 4] {
        scene().staged(gpu, &shot(samples), |renderer, picture, actors| {
            let actors = with_ghosts(&actors[0], &palettes);
            let (bare, _) = canvas.draw(renderer, &picture, &actors[..1], false);
            let (at_once, _) = canvas.draw(renderer, &picture, &actors, false);
            assert!(at_once != bare);
            for indices in [6, 20] {
                renderer.limits.indices_per_chunk = indices;
                let (in_steps, _) = canvas.draw(renderer, &picture, &actors, false);
                assert!(in_steps == at_once, "{samples} samples, {indices} indices");
            }
        });
    }
}

#[test]
fn waits_between_the_parts_of_a_picture_are_counted() {
    let Some(gpu) = gpu() else { return };
    let (canvas, palettes) = (Canvas::new(gpu), palettes());
    scene().staged(gpu, &shot(1), |renderer, picture, actors| {
        let actors = with_ghosts(&actors[0], &palettes);
        canvas.draw(renderer, &picture, &actors, false);
        assert_eq!(renderer.statistics.submission_wait, Duration::ZERO);
        renderer.limits.indices_per_chunk = 6;
        canvas.draw(renderer, &picture, &actors, false);
        assert_ne!(renderer.statistics.submission_wait, Duration::ZERO);
    });
}

#[test]
fn heavy_ghosts_are_drawn_a_few_per_frame() {
    let Some(gpu) = gpu() else { return };
    let (canvas, palettes) = (Canvas::new(gpu), palettes());
    scene().staged(gpu, &shot(4), |renderer, picture, actors| {
        let actors = with_ghosts(&actors[0], &palettes);
        let (at_once, _) = canvas.draw(renderer, &picture, &actors, false);
        let (bare, _) = canvas.draw(renderer, &picture, &actors[..1], false);
        // Draw one quad per frame. Two ghosts have two quads each, drawn once for depth and once for color.
        renderer.limits.indices_per_frame = 6;
        for frame in 0..8 {
            let (begun, is_whole) = canvas.draw(renderer, &picture, &actors, true);
            assert!(begun == bare && !is_whole, "frame {frame}");
        }
        let (ended, is_whole) = canvas.draw(renderer, &picture, &actors, true);
        assert!(ended == at_once && is_whole);
    });
}

#[test]
fn the_previous_picture_stays_until_all_ghosts_are_drawn() {
    let Some(gpu) = gpu() else { return };
    let (canvas, palettes) = (Canvas::new(gpu), palettes());
    scene().staged(gpu, &shot(4), |renderer, picture, actors| {
        let actors = with_ghosts(&actors[0], &palettes);
        let (at_once, _) = canvas.draw(renderer, &picture, &actors, false);
        let (bare, _) = canvas.draw(renderer, &picture, &actors[..1], false);
        let (begun, is_whole) = canvas.draw(renderer, &picture, &actors, true);
        assert!(begun == bare && !is_whole);
        let (ended, is_whole) = canvas.draw(renderer, &picture, &actors, true);
        assert!(ended == at_once && is_whole);
        // The complete picture is kept and nothing is drawn, so the ghosts stay although this call omits them.
        let (kept, is_whole) = canvas.draw(renderer, &picture, &actors[..1], true);
        assert!(kept == at_once && is_whole);
        let (moved, _) = canvas.draw(renderer, &picture, &actors[..1], false);
        assert!(moved == bare);
        let (_, is_whole) = canvas.draw(renderer, &picture, &actors, true);
        assert!(!is_whole, "drawing restarts");
    });
}
