//! `sinew bench`: what a file costs per frame on this machine, on the processor and on the graphics device, without a window.
//!
//! All times are the wall's. A frame's are medians over the frames; its stages (sample, hierarchy, palette) are measured by
//! themselves, on the same members at the same times, beside the pose that is drawn.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::bail;
use serde::Serialize;

use crate::animation::place::{self, Placed};
use crate::animation::pose::Pose;
use crate::animation::prepared::Prepared;
use crate::animation::sample::Sampler;
use crate::animation::skinning::JointMatrix;
use crate::asset::{self, LoadOptions, Loaded};
use crate::model::Model;
use crate::render::Renderer;
use crate::render::gpu::Gpu;
use crate::render::lights;
use crate::render::overlay::Theme;
use crate::render::picture::{Actor, Background, Picture, Tile};
use crate::render::upload::GpuModel;
use crate::session::crowd::{self, Crowd};
use crate::session::document::Document;
use crate::session::posing::{self, Posed};
use crate::session::select::Selector;
use crate::session::view::{Display, Shadow, View};
use crate::session::{eye, transport};

use super::args::BenchArgs;
use super::values::Size;
use super::{about, view};

/// Frames before those that count: pipelines are made, buffers grow, caches fill.
const WARM_UP: usize = 3;
/// The time goes on by a sixtieth of a second a frame.
const RATE: f64 = 60.0;

/// As `--json` prints it.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    instances: usize,
    frames: usize,
    joints: usize,
    nodes: usize,
    channels: usize,
    /// Distinct sets of key times of the animation.
    key_times: usize,
    /// How the animation lies in memory, and how much of it that takes.
    layout: String,
    compiled_bytes: usize,
    /// What the core is compiled for.
    kernel: &'static str,
    ns_per_joint: Stages,
    ms_per_frame: FrameTimes,
    upload_bytes: u64,
    /// Of a vertex on the device: its attributes, influences and morph deltas.
    bytes_per_vertex: Option<f64>,
    gpu_ms: Option<GpuTimes>,
    adapter: Option<String>,
    backend: Option<String>,
}

/// Of a pose, in turn: keyframes to local transforms, to global ones, to what is uploaded.
#[derive(Debug, Clone, Copy, Serialize)]
struct Stages {
    sample: f64,
    hierarchy: f64,
    palette: f64,
    /// All of it, as the window does it.
    pose: f64,
}

/// Milliseconds on the processor.
#[derive(Debug, Serialize)]
struct FrameTimes {
    #[serde(flatten)]
    stages: Stages,
    /// Writing the buffers, recording the commands and handing them over; none without a device.
    record: Option<f64>,
    /// Pose and record.
    total: f64,
}

/// Milliseconds on the device.
#[derive(Debug, Serialize)]
struct GpuTimes {
    median: f64,
    p95: f64,
}

/// What each frame took.
#[derive(Default)]
struct Measured {
    /// Sample, hierarchy, palette, whole pose; milliseconds.
    stages: [Vec<f64>; 4],
    record: Vec<f64>,
    gpu: Vec<f64>,
    upload_bytes: u64,
    bytes_per_vertex: Option<f64>,
    layout: String,
    compiled_bytes: usize,
    kernel: &'static str,
}

pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let Loaded { model, images, .. } = asset::load(&args.file, &LoadOptions::default()).map_err(about(&args.file))?;
    let shadow = if args.shadow { Shadow::On } else { Shadow::Off };
    let display = Display { grid: false, shadow, crowd: args.instances, ..Display::default() };
    let mut view = View { display, ..View::default() };
    let first = (!model.animations.is_empty()).then_some(Selector::Index(0));
    view::apply(&model, &mut view, None, args.animation.as_ref().or(first.as_ref()), None).map_err(about(&args.file))?;
    let gpu = match Gpu::headless() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            eprintln!("note: only the processor is measured: {error}");
            None
        }
    };
    let largest_buffer = gpu.as_ref().map_or(crowd::BUDGET, |gpu| gpu.device.limits().max_buffer_size);
    let most = crowd::most(&model, largest_buffer);
    if args.instances > most {
        bail!("{}: {} instances take too much memory: {most} fit", args.file.display(), args.instances);
    }
    let document = Document::new(model.into(), args.file.display().to_string(), Some(args.file.clone()), &view);
    let drawing = match &gpu {
        Some(gpu) => Some(Drawing::new(gpu, super::render::upload(gpu, &document.model, images).map_err(about(&args.file))?, args)),
        None => None,
    };
    let measured = measure(args, &document, &view, drawing);
    let report = report(args, &document, &view, gpu.as_ref(), &measured);
    let mut stdout = std::io::stdout().lock();
    super::printed(match args.json {
        true => serde_json::to_writer_pretty(&mut stdout, &report).map_err(std::io::Error::from).and_then(|()| writeln!(stdout)),
        false => stdout.write_all(to_text(&report).as_bytes()),
    })
}

fn measure(args: &BenchArgs, document: &Document, view: &View, mut drawing: Option<Drawing>) -> Measured {
    let (mut measured, mut posed, mut crowd) =
        (Measured::default(), Posed::with(&document.model, document.prepared.clone()), Crowd::default());
    let mut apart = Apart::new(&document.model, &posed.prepared);
    let [start, end] = transport::range(&document.model, view);
    for number in 0..WARM_UP + args.frames {
        let length = (end - start).max(f64::MIN_POSITIVE);
        let time = start + (number as f64 / RATE) % length;
        let began = Instant::now();
        posing::pose(&document.model, view, time, &mut posed);
        crowd.pose(document, view, time, &posed);
        let pose = began.elapsed();
        let stages = apart.pose(&document.model, view, time, &posed.prepared);
        let drawn = drawing.as_mut().map(|drawing| drawing.draw(document, view, &posed, &crowd));
        if number < WARM_UP {
            continue;
        }
        let [sample, hierarchy, palette] = stages;
        for (times, took) in measured.stages.iter_mut().zip([sample, hierarchy, palette, pose]) {
            times.push(took.as_secs_f64() * 1e3);
        }
        if let Some((record, gpu)) = drawn {
            measured.record.push(record.as_secs_f64() * 1e3);
            measured.gpu.extend(gpu);
        }
    }
    let prepared = &posed.prepared;
    measured.kernel = prepared.kernel.name();
    if let Some(animation) = view.animation {
        let rows = prepared.rows(&document.model, animation);
        (measured.layout, measured.compiled_bytes) = (rows.layout(), rows.bytes());
    }
    measured.upload_bytes = drawing.as_ref().map_or(0, |drawing| drawing.renderer.uploaded);
    let memory = drawing.map(|drawing| drawing.gpu_model.memory());
    // A file without geometry has none to tell of.
    measured.bytes_per_vertex = memory.filter(|memory| memory.vertex_count > 0).map(|memory| memory.bytes_per_vertex());
    measured
}

/// The stages of a pose one by one, one character after the other, over so many at once that the clock does not count.
struct Apart {
    members: Vec<(Sampler, Pose, Placed)>,
    palette: Vec<JointMatrix>,
}

/// Members of a block.
const BLOCK: usize = 32;

impl Apart {
    fn new(model: &Model, prepared: &Prepared) -> Self {
        let member = || (Sampler::default(), Pose::rest(model), Placed::new(&prepared.order));
        Self { members: (0..BLOCK).map(|_| member()).collect(), palette: vec![JointMatrix::IDENTITY; model.palette_len] }
    }

    /// How long sample, hierarchy and palette take for all members. The last two are one loop: the hierarchy is that loop without
    /// a palette to write, the palette what it takes longer with one.
    fn pose(&mut self, model: &Model, view: &View, time: f64, prepared: &Prepared) -> [Duration; 3] {
        let (mut took, count) = ([Duration::ZERO; 3], crowd::count(view));
        let range = transport::range(model, view);
        for first in (0..count).step_by(BLOCK) {
            let members = &mut self.members[..BLOCK.min(count - first)];
            let began = Instant::now();
            for (i, (sampler, pose, _)) in members.iter_mut().enumerate() {
                sampler.sample(prepared, model, view.animation, crowd::member_time(first + i, time, range), pose);
            }
            let sampled = Instant::now();
            for (_, pose, placed) in &mut *members {
                place::place(prepared.kernel, &prepared.order, &pose.locals, placed, &mut []);
            }
            let walked = Instant::now();
            for (_, pose, placed) in &mut *members {
                place::place(prepared.kernel, &prepared.order, &pose.locals, placed, &mut self.palette);
                std::hint::black_box(&self.palette);
            }
            let (sample, hierarchy) = (sampled - began, walked - sampled);
            for (took, more) in took.iter_mut().zip([sample, hierarchy, walked.elapsed().saturating_sub(hierarchy)]) {
                *took += more;
            }
        }
        took
    }
}

/// Where frames are drawn to.
struct Drawing<'a> {
    gpu: &'a Gpu,
    gpu_model: GpuModel,
    renderer: Renderer,
    target: wgpu::TextureView,
    size: [u32; 2],
}

impl<'a> Drawing<'a> {
    fn new(gpu: &'a Gpu, gpu_model: GpuModel, args: &BenchArgs) -> Self {
        let Size(width, height) = args.size;
        let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, args.msaa);
        renderer.measure(gpu, true);
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("bench"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: renderer.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { gpu, gpu_model, renderer, target, size: [width, height] }
    }

    /// Draws a frame to its end. How long recording and handing over took, and what the device needed, milliseconds.
    fn draw(&mut self, document: &Document, view: &View, posed: &Posed, crowd: &Crowd) -> (Duration, Option<f64>) {
        let [width, height] = self.size;
        let camera = eye::camera(document, view, posed, f64::from(width) / f64::from(height));
        let lights = lights::placed_lights(&document.model, &posed.lights, &posed.globals, &posed.shown);
        let picture = Picture {
            camera: &camera,
            tile: Tile::whole(self.size),
            supersample: 1,
            anchor: posed.anchor,
            display: &view.display,
            background: Background::Color(Theme::DARK.background),
            lights: &lights,
            lines: &[],
            solids: &[],
            bounds: document.crowd_bounds(view),
            theme: &Theme::DARK,
            pixels_per_point: 1.0,
        };
        let (count, palettes, weights) = (crowd.count(), crowd.palettes(), crowd.weights());
        let actors = [Actor {
            model: &document.model,
            gpu: &self.gpu_model,
            count,
            palettes,
            weights,
            materials: &posed.materials,
            tints: &[],
            left: &posed.left,
            visible: &posed.shown,
            ghost: None,
            outlined: &[],
        }];
        let began = Instant::now();
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.renderer.draw(self.gpu, &mut encoder, &self.target, [0, 0, width, height], &picture, &actors);
        self.gpu.queue.submit([encoder.finish()]);
        let recorded = began.elapsed();
        if let Err(error) = self.gpu.device.poll(wgpu::PollType::wait_indefinitely()) {
            eprintln!("note: the graphics device did not answer: {error}");
        }
        (recorded, self.renderer.gpu_milliseconds(self.gpu))
    }
}

fn report(args: &BenchArgs, document: &Document, view: &View, gpu: Option<&Gpu>, measured: &Measured) -> Report {
    let model = &document.model;
    let animation = view.animation.and_then(|animation| model.animations.get(animation));
    let instances = crowd::count(view);
    let [sample, hierarchy, palette, pose] = measured.stages.each_ref().map(|times| quantile(times, 0.5).unwrap_or_default());
    let stages = Stages { sample, hierarchy, palette, pose };
    let record = quantile(&measured.record, 0.5);
    let per_joint = |ms: f64| ms * 1e6 / (document.posed_joints() * instances).max(1) as f64;
    Report {
        file: args.file.display().to_string(),
        instances,
        frames: args.frames,
        joints: document.joints.iter().filter(|joint| **joint).count(),
        nodes: model.nodes.len(),
        channels: animation.map_or(0, |animation| animation.channels.len()),
        key_times: animation.map_or(0, |animation| animation.key_times.len()),
        layout: measured.layout.clone(),
        compiled_bytes: measured.compiled_bytes,
        kernel: measured.kernel,
        ns_per_joint: Stages {
            sample: per_joint(sample),
            hierarchy: per_joint(hierarchy),
            palette: per_joint(palette),
            pose: per_joint(pose),
        },
        ms_per_frame: FrameTimes { stages, record, total: pose + record.unwrap_or_default() },
        upload_bytes: measured.upload_bytes,
        bytes_per_vertex: measured.bytes_per_vertex,
        gpu_ms: quantile(&measured.gpu, 0.5).zip(quantile(&measured.gpu, 0.95)).map(|(median, p95)| GpuTimes { median, p95 }),
        adapter: gpu.map(|gpu| gpu.info.name.clone()),
        backend: gpu.map(|gpu| gpu.info.backend.to_string()),
    }
}

/// The value that so large a share of all does not exceed; none of none.
fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get((share * last as f64).ceil() as usize).copied()
}

fn to_text(report: &Report) -> String {
    let (joint, frame) = (&report.ns_per_joint, &report.ms_per_frame);
    let stages = [
        ("sample", joint.sample, frame.stages.sample),
        ("hierarchy", joint.hierarchy, frame.stages.hierarchy),
        ("palette", joint.palette, frame.stages.palette),
        ("pose", joint.pose, frame.stages.pose),
    ];
    let Report { file, instances, frames, joints, nodes, channels, key_times, layout, compiled_bytes, kernel, upload_bytes, .. } = report;
    let mut text = format!("{file}: {instances} x {joints} joints ({nodes} nodes), {channels} channels on {key_times} sets of key times\n");
    text += &format!("layout: {layout} ({compiled_bytes} bytes); kernel {kernel}; medians of {frames} frames, wall time\n\n");
    text += &format!("{:<10} {:>12} {:>12}\n", "", "ns per joint", "ms per frame");
    for (name, ns, ms) in stages {
        text += &format!("{name:<10} {ns:>12.1} {ms:>12.3}\n");
    }
    let row = |name: &str, ms: f64| format!("{name:<10} {:>12} {ms:>12.3}\n", "");
    if let Some(record) = frame.record {
        text += &row("record", record);
    }
    text += &row("total", frame.total);
    if let Some(gpu) = &report.gpu_ms {
        text += &row("GPU", gpu.median);
        text += &row("GPU, 95 %", gpu.p95);
    }
    text += &format!("\nupload     {upload_bytes} bytes a frame\n");
    if let Some(bytes) = report.bytes_per_vertex {
        text += &format!("vertex     {bytes:.1} bytes\n");
    }
    if let Some((adapter, backend)) = report.adapter.as_ref().zip(report.backend.as_ref()) {
        text += &format!("adapter    {adapter} ({backend})\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let values: Vec<_> = (0..=100).rev().map(f64::from).collect();
        assert_eq!((quantile(&values, 0.5), quantile(&values, 0.95)), (Some(50.0), Some(95.0)));
        assert_eq!((quantile(&[7.0], 0.95), quantile(&[], 0.5)), (Some(7.0), None));
    }
}
