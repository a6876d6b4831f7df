//! `sinew bench`: what a file costs per frame on this machine, on the processor and on the graphics device, without a window.
//!
//! All times are the wall's. A frame's are medians over the frames; its stages (sample, hierarchy, palette) are measured by
//! themselves, on the same members at the same times, beside the pose that is drawn.

mod drawing;
mod report;
mod stages;

use std::io::Write;
use std::time::Instant;

use anyhow::bail;

use crate::asset::{self, LoadOptions, Loaded};
use crate::render::device::gpu::Gpu;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::pose::crowd::{self, Crowd};
use crate::session::pose::{self, Body};
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::session::view::display::{Display, Shadow};
use crate::session::view::playback_range;
use crate::session::view::selector::Selector;

use super::args::BenchArgs;
use super::{about, view};

use drawing::Drawing;
use stages::Apart;

/// Frames before those that count: pipelines are made, buffers grow, caches fill.
const WARM_UP: usize = 3;
/// The time goes on by a sixtieth of a second a frame.
const RATE: f64 = 60.0;

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
    let largest_buffer = gpu.as_ref().map_or(crowd::MAX_BYTES, |gpu| gpu.device.limits().max_buffer_size);
    let most = crowd::capacity(&model, largest_buffer);
    if args.instances > most {
        bail!("{}: {} instances take too much memory: {most} fit", args.file.display(), args.instances);
    }
    let document = Document::new(model.into(), args.file.display().to_string(), Some(args.file.clone()));
    let analyses = Analyses::new(&document, &view);
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    let drawing = match &gpu {
        Some(gpu) => Some(Drawing::new(gpu, super::render::upload(gpu, &document.model, images).map_err(about(&args.file))?, args)),
        None => None,
    };
    let measured = measure(args, subject, drawing);
    let report = report::report(args, &document, &view, gpu.as_ref(), &measured);
    let mut stdout = std::io::stdout().lock();
    super::printed(match args.json {
        true => serde_json::to_writer_pretty(&mut stdout, &report).map_err(std::io::Error::from).and_then(|()| writeln!(stdout)),
        false => stdout.write_all(report::to_text(&report).as_bytes()),
    })
}

fn measure(args: &BenchArgs, subject: Subject, mut drawing: Option<Drawing>) -> Measured {
    let Subject { document, analyses, view } = subject;
    let (mut measured, mut posed, mut crowd) = (Measured::default(), document.rig().posed(), Crowd::default());
    let mut apart = Apart::new(&document.model, &posed.compiled);
    let [start, end] = playback_range::range(&document.model, view);
    for number in 0..WARM_UP + args.frames {
        let length = (end - start).max(f64::MIN_POSITIVE);
        let time = start + (number as f64 / RATE) % length;
        let began = Instant::now();
        let (model, moment) = (&*document.model, Moment::from(time));
        let roots = analyses.find_roots(document, view, &moment);
        pose::pose(model, view, moment, roots, &mut posed);
        crowd.pose(&Body { model, view, moment, roots, posed: &posed }, &analyses.bounds);
        let pose_time = began.elapsed();
        let stages = apart.pose(&document.model, view, time, &posed.compiled);
        let drawn = drawing.as_mut().map(|drawing| drawing.draw(subject, &posed, &crowd));
        if number < WARM_UP {
            continue;
        }
        let [sample, hierarchy, palette] = stages;
        for (times, took) in measured.stages.iter_mut().zip([sample, hierarchy, palette, pose_time]) {
            times.push(took.as_secs_f64() * 1e3);
        }
        if let Some((record, gpu)) = drawn {
            measured.record.push(record.as_secs_f64() * 1e3);
            measured.gpu.extend(gpu);
        }
    }
    let prepared = &posed.compiled;
    measured.kernel = prepared.instructions.name();
    if let Some(animation) = view.animation {
        let rows = prepared.animation(&document.model, animation);
        (measured.layout, measured.compiled_bytes) = (rows.layout(), rows.bytes());
    }
    measured.upload_bytes = drawing.as_ref().map_or(0, |drawing| drawing.renderer.statistics.uploaded);
    let memory = drawing.map(|drawing| drawing.gpu_model.memory());
    // A file without geometry has none to tell of.
    measured.bytes_per_vertex = memory.filter(|memory| memory.vertex_count > 0).map(|memory| memory.bytes_per_vertex());
    measured
}
