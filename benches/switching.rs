//! How long frames take while the shading mode is switched, as a window draws them: 640x360 (`SIZE`), one sample, pipelines made
//! beside the frames. `cargo bench --bench switching -- [FILE...]`; without a file, the sample model. Set
//! MESA_SHADER_CACHE_DISABLE=true (or an empty MESA_SHADER_CACHE_DIR) to see a driver that has compiled none of it before.

#![allow(clippy::unwrap_used)] // a measurement that cannot be taken ends

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use sinew::asset::{self, LoadOptions, Loaded};
use sinew::export::still;
use sinew::render::actor::Actor;
use sinew::render::annotations::line::Theme;
use sinew::render::device::gpu::Gpu;
use sinew::render::light::punctual;
use sinew::render::material::images;
use sinew::render::model::GpuModel;
use sinew::render::picture::{Background, Picture, Tile, Viewport};
use sinew::render::renderer::Renderer;
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::{Shading, View};

const SIZE: [u32; 2] = [640, 360];
/// Before a switch, and after its pipelines are there.
const FRAMES: usize = 30;

struct Stage {
    gpu: Gpu,
    gpu_model: GpuModel,
    document: Document,
    view: View,
    posed: Posed,
    renderer: Renderer,
    target: wgpu::TextureView,
    frame: usize,
}

/// Of a frame: what the main thread did, and until the device had drawn it; milliseconds.
#[derive(Clone, Copy)]
struct Took {
    main: f64,
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
        images::prepare(&model, images, gpu.holds(), |index, image| {
            sink.lock().unwrap().push((index, image));
            true
        });
        for (index, image) in decoded {
            gpu_model.receive_image(&gpu, index, image.map_err(|error| error.to_string())).unwrap();
        }
        let renderer = Renderer::in_background(&gpu, wgpu::TextureFormat::Rgba8Unorm, 1, Arc::new(|| {}));
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
        let document = Document::new(model.into(), String::new(), None, &view);
        let posed = Posed::with(&document.model, document.prepared.clone());
        let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { gpu, gpu_model, document, view, posed, renderer, target, frame: 0 }
    }

    fn draw(&mut self) -> Took {
        let begun = Instant::now();
        self.frame += 1;
        solve::pose(&self.document.model, &self.view, self.frame as f64 / 60.0, &mut self.posed);
        let camera = view_camera::camera(&self.document, &self.view, &self.posed, f64::from(SIZE[0]) / f64::from(SIZE[1]));
        let lights = punctual::placed_lights(&self.document.model, &self.posed.lights, &self.posed.globals, &self.posed.shown);
        let picture = Picture {
            camera: &camera,
            tile: Tile::whole(SIZE),
            supersample: 1,
            anchor: self.posed.anchor,
            options: still::picture_options(&self.view.display),
            background: Background::Color(Theme::DARK.background),
            lights: &lights,
            solids: &[],
            lines: &[],
            bounds: self.document.bounds,
            theme: &Theme::DARK,
            pixels_per_point: 1.0,
        };
        let actors = [Actor {
            model: &self.document.model,
            gpu: &self.gpu_model,
            count: 1,
            palettes: &self.posed.palette,
            weights: &self.posed.pose.weights,
            materials: &self.posed.materials,
            tints: &[],
            left: &self.posed.left,
            outlined: &[],
            visible: &self.posed.shown,
            ghost: None,
        }];
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.renderer.draw(&self.gpu, &mut encoder, &Viewport { target: &self.target, rect: [0, 0, SIZE[0], SIZE[1]] }, &picture, &actors);
        let submitted = self.gpu.queue.submit([encoder.finish()]);
        let main = begun.elapsed();
        let wait = wgpu::PollType::Wait { submission_index: Some(submitted), timeout: None };
        self.gpu.device.poll(wait).unwrap();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        Took { main: ms(main), all: ms(begun.elapsed()) }
    }

    fn switch(&mut self, shading: Shading) {
        let mut before: Vec<f64> = (0..FRAMES).map(|_| self.draw().all).collect();
        before.sort_by(f64::total_cmp);
        let median = before[FRAMES / 2];
        self.view.display.shading = shading;
        let (begun, mut frames, mut switched) = (Instant::now(), Vec::new(), None);
        while switched.is_none() || frames.len() < switched.unwrap_or(0) + FRAMES {
            frames.push(self.draw());
            if !self.renderer.late {
                switched.get_or_insert(frames.len());
            }
            // As a display paces a window.
            std::thread::sleep(Duration::from_millis(8));
            assert!(begun.elapsed() < Duration::from_secs(60), "the switch never came");
        }
        let most = |of: fn(&Took) -> f64| frames.iter().map(of).fold(0.0, f64::max);
        println!(
            "{:<16} median {median:6.1} ms, slowest {:6.1} ms, main thread {:5.1} ms at most, new mode in frame {}",
            format!("{shading:?}"),
            most(|took| took.all),
            most(|took| took.main),
            switched.unwrap_or(0),
        );
    }
}
