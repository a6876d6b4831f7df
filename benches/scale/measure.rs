//! Measures one file: reading it, its bounds, its first picture, the stages of a frame, the panels, and memory.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use sinew::animation::compiled::sample::Sampler;
use sinew::animation::hierarchy::pose::Pose;
use sinew::asset::{self, LoadOptions};
use sinew::export::picture::picture_options;
use sinew::render::actor::Actor;
use sinew::render::device::gpu::Gpu;
use sinew::render::model::GpuModel;
use sinew::render::picture::{Msaa, Picture, Viewport};
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose;
use sinew::session::pose::in_place::Roots;
use sinew::session::pose::solve::Posed;
use sinew::session::view::View;
use sinew::session::view::display::Display;
use sinew::ui::context::preferences::TimelineRows;

use crate::panels::Panels;
use crate::thread_time::thread_time;

/// A column of the table.
pub struct Column {
    pub name: &'static str,
    /// Whether the values are bytes. Otherwise they are nanoseconds.
    pub is_bytes: bool,
}

/// The columns, in the order of [`measure`]'s values.
pub const COLUMNS: [Column; 10] = [
    Column { name: "load", is_bytes: false },
    Column { name: "reload", is_bytes: false },
    Column { name: "bounds", is_bytes: false },
    Column { name: "memory", is_bytes: true },
    Column { name: "picture", is_bytes: false },
    Column { name: "sample", is_bytes: false },
    Column { name: "hierarchy", is_bytes: false },
    Column { name: "record", is_bytes: false },
    Column { name: "device", is_bytes: false },
    Column { name: "panels", is_bytes: false },
];

/// Width and height of the picture, in pixels.
const SIZE: [u32; 2] = [640, 360];
/// A measurement is repeated until its rounds have taken this long in total, in nanoseconds, but at most [`MAX_ROUNDS`] times.
const MIN_TOTAL: f64 = 1e9;
const MAX_ROUNDS: usize = 15;
/// Number of frames of the panels.
const PANEL_FRAMES: usize = 200;
/// Frames per second of the animation that plays.
const FRAME_RATE: f64 = 60.0;

/// Measures a file. Times are the minimum of several rounds: wall time for `picture` and `device`, the median of the wall times of
/// many frames for `panels`, CPU time of the thread for the others. Only `load` is a single round, the first one in the process: the system
/// provides its memory page by page, as for a user who opens a file. `reload` is the minimum of the rounds after it.
/// Memory is the peak resident memory of the process until it has computed the bounds, minus its resident memory before loading.
pub fn measure(file: &Path) -> [f64; COLUMNS.len()] {
    let before = memory("VmRSS:");
    let read = || {
        let model = Arc::new(asset::load(file, &LoadOptions::default()).unwrap().model);
        Document::new(model, String::new(), None)
    };
    let (load, document) = timed(read);
    let view = View { animation: (!document.model.animations.is_empty()).then_some(0), display: Display::plain(), ..View::default() };
    let analyses = Analyses::new(&document, &view);
    let memory = memory("VmHWM:") - before;

    // The time does not include dropping the document.
    let reload = minimum(|| timed(read).0);
    let bounds = minimum(|| {
        let document = Document::new(document.model.clone(), String::new(), None);
        timed(|| Analyses::new(&document, &view)).0
    });
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    let [sample, hierarchy] = pose_stages(subject);
    let [picture, record, device] = Gpu::headless().map_or([f64::NAN; 3], |gpu| drawing(&gpu, subject));
    let panels = panels(document, view);
    [load, reload, bounds, memory, picture, sample, hierarchy, record, device, panels]
}

/// Measures a frame of all panels, with the node tree and the dope sheet, which scrolls.
fn panels(document: Document, view: View) -> f64 {
    let mut panels = Panels::new(document, view, TimelineRows::DopeSheet, true);
    // The first frames lay out text for the first time.
    (0..PANEL_FRAMES / 4).for_each(|_| _ = panels.frame());
    let mut frames: Vec<f64> = (0..PANEL_FRAMES).map(|_| panels.frame()).collect();
    frames.sort_by(f64::total_cmp);
    frames[PANEL_FRAMES / 2] * 1e6
}

/// Measures the sampling of an animation, and the other steps of posing.
fn pose_stages(subject: Subject) -> [f64; 2] {
    let Subject { document, view, .. } = subject;
    let (model, mut posed, mut time) = (&*document.model, document.rig().posed(), 0.0);
    let mut next = || {
        time += 1.0 / FRAME_RATE;
        time % model.animations.first().map_or(1.0, |animation| animation.duration)
    };
    let (mut sampler, mut sampled) = (Sampler::default(), Pose::rest(model));
    // The first call also writes the values that do not change.
    sampler.sample(&document.compiled, model, view.animation, 0.0, &mut sampled);
    pose::pose(model, view, 0.0, Roots::default(), &mut posed);
    let sample = minimum(|| {
        let time = next();
        timed(|| sampler.sample(&document.compiled, model, view.animation, time, &mut sampled)).0
    });
    let whole = minimum(|| {
        let time = next();
        timed(|| pose::pose(model, view, time, Roots::default(), &mut posed)).0
    });
    [sample, (whole - sample).max(0.0)]
}

/// Measures three times: uploading the model and drawing its first picture, recording a frame, and drawing a frame on the device.
fn drawing(gpu: &Gpu, subject: Subject) -> [f64; 3] {
    let Subject { document, view, .. } = subject;
    let model = &*document.model;
    let mut frames = Frames::new(gpu);
    let mut posed = document.rig().posed();
    pose::pose(model, view, 0.0, Roots::default(), &mut posed);
    let mut gpu_model = GpuModel::new(gpu, model).unwrap();
    // This picture is not measured, because it also creates the pipelines. Their cost does not depend on the size of the scene.
    frames.draw(subject, &gpu_model, &posed);
    let picture = minimum(|| {
        let start = Instant::now();
        gpu_model = GpuModel::new(gpu, model).unwrap();
        frames.draw(subject, &gpu_model, &posed);
        start.elapsed().as_secs_f64() * 1e9
    });
    let (mut record, mut time) = (f64::INFINITY, 0.0);
    let device = minimum(|| {
        time += 1.0 / FRAME_RATE;
        pose::pose(model, view, time, Roots::default(), &mut posed);
        let [recorded, drawn] = frames.draw(subject, &gpu_model, &posed);
        record = record.min(recorded);
        drawn
    });
    [picture, record, device]
}

/// A renderer with its target.
struct Frames<'a> {
    gpu: &'a Gpu,
    renderer: Renderer,
    target: wgpu::TextureView,
}

impl<'a> Frames<'a> {
    fn new(gpu: &'a Gpu) -> Self {
        let renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("scale"),
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: renderer.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        Self { gpu, renderer, target: texture.create_view(&wgpu::TextureViewDescriptor::default()) }
    }

    /// Draws a frame and waits until it is complete. Returns the CPU time to record and submit it, and the rest of the wall time, in
    /// nanoseconds. The rest includes waits while drawing, because heavy models are submitted in parts on software rasterizers.
    fn draw(&mut self, subject: Subject, gpu_model: &GpuModel, posed: &Posed) -> [f64; 2] {
        let Subject { document, analyses, view } = subject;
        let camera = view_camera::camera(subject, posed, f64::from(SIZE[0]) / f64::from(SIZE[1]));
        let picture = Picture::plain(&camera, SIZE, picture_options(&view.display), posed.anchor, analyses.crowd_bounds(view));
        let actors = [Actor::single(&document.model, gpu_model, posed, &posed.palette)];
        let viewport = Viewport { target: &self.target, rect: [0, 0, SIZE[0], SIZE[1]] };
        let start = Instant::now();
        let (record, ()) = timed(|| {
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.renderer.draw(self.gpu, &mut encoder, &viewport, &picture, &actors);
            self.gpu.queue.submit([encoder.finish()]);
        });
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        [record, start.elapsed().as_secs_f64() * 1e9 - record]
    }
}

/// Runs a closure. Returns its CPU time on this thread, in nanoseconds, and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = thread_time();
    let result = work();
    ((thread_time() - start).as_secs_f64() * 1e9, result)
}

/// Runs a closure for several rounds and returns the smallest result.
fn minimum(mut round: impl FnMut() -> f64) -> f64 {
    let (mut least, mut total) = (f64::INFINITY, 0.0);
    for _ in 0..MAX_ROUNDS {
        let took = round();
        (least, total) = (least.min(took), total + took);
        if total > MIN_TOTAL {
            break;
        }
    }
    least
}

/// Returns a field of /proc/self/status in bytes; NaN on systems without it.
fn memory(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes: Option<f64> = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes * 1024.0)
}
