//! Measures frame times while the shading mode is switched, as in a window: 640x360 pixels, one sample per pixel, pipelines compiled
//! in the background.
//!
//! Run with `cargo bench --bench switching -- [FILE...]`; without a file it uses the sample model. Set
//! MESA_SHADER_CACHE_DISABLE=true (or MESA_SHADER_CACHE_DIR to an empty folder) to measure a driver that has compiled none of the shaders.

#![allow(clippy::unwrap_used)] // a measurement that fails may panic

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use sinew::asset::{self, LoadOptions, Loaded};
use sinew::export::picture::picture_options;
use sinew::render::actor::Actor;
use sinew::render::device::gpu::Gpu;
use sinew::render::light::punctual;
use sinew::render::material::images;
use sinew::render::model::GpuModel;
use sinew::render::picture::{Msaa, Picture, Viewport};
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;
use sinew::session::view::display::Shading;

const SIZE: [u32; 2] = [640, 360];
/// Frames measured before a switch, and after its pipelines are ready.
const FRAMES: usize = 30;

struct Stage {
    gpu: Gpu,
    gpu_model: GpuModel,
    document: Document,
    analyses: Analyses,
    view: View,
    posed: Posed,
    renderer: Renderer,
    target: wgpu::TextureView,
    frame: usize,
}

/// Durations of a frame, in milliseconds.
#[derive(Clone, Copy)]
struct FrameTime {
    /// Wall time of the main thread until it has submitted its work.
    main: f64,
    /// Wall time until the device has drawn the frame.
    all: f64,
}

fn main() {
    let files: Vec<PathBuf> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).map(PathBuf::from).collect();
    let sample = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/sample.glb"));
    let files = if files.is_empty() { vec![sample] } else { files };
    for file in files {
        let mut stage = Stage::new(&file);
        println!("{} on {}", file.display(), stage.gpu.info.name);
        let first = stage.draw();
        println!("{:<16} first picture {:7.1} ms", "", first.all);
        let modes = Shading::value_variants();
        for shading in modes.iter().chain(modes) {
            stage.switch(*shading);
        }
    }
}

impl Stage {
    fn new(file: &std::path::Path) -> Self {
        let gpu = Gpu::headless().unwrap();
        let Loaded { model, images, .. } = asset::load(file, &LoadOptions::default()).unwrap();
        let view = View { animation: (!model.animations.is_empty()).then_some(0), ..View::default() };
        let mut gpu_model = GpuModel::new(&gpu, &model).unwrap();
        let mut decoded = Vec::new();
        let sink = std::sync::Mutex::new(&mut decoded);
        images::prepare(&model, images, gpu.image_support(), |index, image| {
            sink.lock().unwrap().push((index, image));
            true
        });
        for (index, image) in decoded {
            gpu_model.receive_image(&gpu, index, image.map_err(|error| error.to_string())).unwrap();
        }
        let renderer = Renderer::in_background(&gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One, Arc::new(|| {}));
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: renderer.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let document = Document::new(model.into(), String::new(), None);
        let analyses = Analyses::new(&document, &view);
        let posed = Posed::with_compiled(&document.model, document.compiled.clone());
        let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { gpu, gpu_model, document, analyses, view, posed, renderer, target, frame: 0 }
    }

    fn draw(&mut self) -> FrameTime {
        let start = Instant::now();
        self.frame += 1;
        solve::solve(&self.document.model, &self.view, self.frame as f64 / 60.0, &mut self.posed);
        let subject = Subject { document: &self.document, analyses: &self.analyses, view: &self.view };
        let camera = view_camera::camera(subject, &self.posed, f64::from(SIZE[0]) / f64::from(SIZE[1]));
        let lights = punctual::placed_lights(&self.document.model, &self.posed);
        let plain =
            Picture::plain(&camera, SIZE, picture_options(&self.view.display), self.posed.anchor, self.analyses.crowd_bounds(&self.view));
        let picture = Picture { lights: &lights, ..plain };
        let actors = [Actor::single(&self.document.model, &self.gpu_model, &self.posed, &self.posed.palette)];
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.renderer.draw(&self.gpu, &mut encoder, &Viewport { target: &self.target, rect: [0, 0, SIZE[0], SIZE[1]] }, &picture, &actors);
        let submitted = self.gpu.queue.submit([encoder.finish()]);
        let main = start.elapsed();
        let wait = wgpu::PollType::Wait { submission_index: Some(submitted), timeout: None };
        self.gpu.device.poll(wait).unwrap();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        FrameTime { main: ms(main), all: ms(start.elapsed()) }
    }

    fn switch(&mut self, shading: Shading) {
        let mut before: Vec<f64> = (0..FRAMES).map(|_| self.draw().all).collect();
        before.sort_by(f64::total_cmp);
        let median = before[FRAMES / 2];
        self.view.display.shading = shading;
        let (start, mut frames, mut switched) = (Instant::now(), Vec::new(), None);
        while switched.is_none() || frames.len() < switched.unwrap_or(0) + FRAMES {
            frames.push(self.draw());
            if !self.renderer.is_outdated {
                switched.get_or_insert(frames.len());
            }
            // Frames are paced like those of a window on a display.
            std::thread::sleep(Duration::from_millis(8));
            assert!(start.elapsed() < Duration::from_secs(60), "the shading mode did not switch");
        }
        let slowest = |of: fn(&FrameTime) -> f64| frames.iter().map(of).fold(0.0, f64::max);
        println!(
            "{:<16} median {median:6.1} ms, slowest {:6.1} ms, main thread {:5.1} ms at most, new mode in frame {}",
            format!("{shading:?}"),
            slowest(|took| took.all),
            slowest(|took| took.main),
            switched.unwrap_or(0),
        );
    }
}
