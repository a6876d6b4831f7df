//! Runs `sinew bench`: measures the CPU and GPU time that a file costs per frame on this machine.
//!
//! Draws frames, then the same frames to a single pixel, then copies as many bytes as a frame uploads. The second part shows how much of
//! the GPU time depends on the number of pixels.
//!
//! CPU times are wall-clock times. All times are medians over the frames; GPU times have a 95th percentile, too. The stages of a pose
//! (sample, hierarchy, palette) are measured separately from the drawn pose, for the same members at the same times.

mod drawing;
mod report;
mod stages;
mod upload_time;

use std::time::Instant;

use anyhow::bail;

use crate::asset::{LoadOptions, Loaded};
use crate::numbers::grouped;
use crate::render::device::gpu::Gpu;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::pose::crowd;
use crate::session::pose::posed_document::PosedDocument;
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::session::view::display::{Display, Shadow};
use crate::session::view::playback_range;
use crate::session::view::selector::Selector;

use super::args::BenchArgs;
use super::upload::upload;
use super::{about, load, messages, print_report, view};

use drawing::Drawing;
use stages::StageTimer;

/// Number of frames before the measured ones. Pipelines compile, buffers grow and caches fill during them.
const WARM_UP_FRAMES: usize = 3;
/// Maximum number of measured frames that are drawn to a single pixel.
const SINGLE_PIXEL_FRAMES: usize = 30;
/// Frames per second of the measured animation.
const FRAME_RATE: f64 = 60.0;

/// The measured times, one per frame, and the sizes that they depend on.
#[derive(Default)]
struct Measured {
    /// Times of sample, hierarchy, palette and the whole pose, in milliseconds.
    stages: [Vec<f64>; 4],
    /// Time to record and submit a frame, in milliseconds, without waits for the device.
    record: Vec<f64>,
    /// Time on the GPU, in milliseconds. Empty if it cannot be measured.
    gpu: Vec<f64>,
    /// Time on the GPU to draw to a single pixel, in milliseconds. Empty if it cannot be measured.
    gpu_single_pixel: Vec<f64>,
    /// Time on the GPU to copy the bytes of a frame, in milliseconds. Empty if it cannot be measured.
    gpu_upload: Vec<f64>,
    /// Bytes uploaded per frame; `None` without a GPU.
    upload_bytes: Option<u64>,
    /// Bytes per vertex on the GPU; `None` without vertices or without a GPU.
    bytes_per_vertex: Option<f64>,
    /// Memory layout of the compiled animation; `None` without an animation.
    layout: Option<String>,
    /// Size of the compiled animation, in bytes.
    compiled_bytes: usize,
    /// Instruction set of the kernels.
    kernel: &'static str,
}

/// Runs the command.
pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let Loaded { model, images, .. } = load(&args.file, &LoadOptions::default())?;
    let shadow = if args.shadow { Shadow::On } else { Shadow::Off };
    let display = Display { shadow, crowd: args.instances, ..Display::plain() };
    let mut view = View { display, ..View::default() };
    let first = (!model.animations.is_empty()).then_some(Selector::Index(0));
    view::apply(&model, &mut view, None, args.animation.as_ref().or(first.as_ref()), None).map_err(about(&args.file))?;
    let gpu = match Gpu::headless() {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            messages::note(format_args!("only the CPU is measured: {error}"));
            None
        }
    };
    let largest_buffer = gpu.as_ref().map_or(crowd::MAX_BYTES, |gpu| gpu.device.limits().max_buffer_size);
    // Too many instances are refused here, before they take memory.
    let max_instances = crowd::capacity(&model, largest_buffer);
    if args.instances > max_instances {
        let (instances, max) = (grouped(args.instances), grouped(max_instances));
        bail!("{}: {instances} instances need too much memory: at most {max} fit", args.file.display());
    }
    let document = Document::new(model.into(), args.file.display().to_string(), Some(args.file.clone()));
    let analyses = Analyses::new(&document, &view);
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    let drawing = match &gpu {
        Some(gpu) => Some(Drawing::new(gpu, upload(gpu, &document.model, images).map_err(about(&args.file))?, args)?),
        None => None,
    };
    let measured = measure(args, subject, drawing)?;
    let report = report::report(args, &document, &view, gpu.as_ref(), &measured);
    print_report(&report, args.json, report::to_text)
}

/// Poses and draws the frames, and measures both. Errors if a frame is not drawn.
fn measure(args: &BenchArgs, subject: Subject, mut drawing: Option<Drawing>) -> anyhow::Result<Measured> {
    let Subject { document, view, .. } = subject;
    let (mut measured, mut player) = (Measured::default(), Player::new(subject));
    let mut stage_timer = StageTimer::new(&document.model, &player.pose.posed.compiled);
    for number in 0..WARM_UP_FRAMES + args.frames as usize {
        let (time, pose_time) = player.pose(subject, number);
        let stages = stage_timer.measure(&document.model, view, time, &player.pose.posed.compiled);
        let drawn = drawing.as_mut().map(|drawing| drawing.draw(subject, &player.pose)).transpose()?;
        if number < WARM_UP_FRAMES {
            continue;
        }
        let [sample, hierarchy, palette] = stages;
        for (times, took) in measured.stages.iter_mut().zip([sample, hierarchy, palette, pose_time]) {
            times.push(took);
        }
        if let Some((record, gpu)) = drawn {
            measured.record.push(record.as_secs_f64() * 1e3);
            measured.gpu.extend(gpu);
        }
    }
    let compiled = &player.pose.posed.compiled;
    measured.kernel = compiled.instructions.name();
    if let Some(animation) = view.animation {
        let animation = compiled.animation(&document.model, animation);
        (measured.layout, measured.compiled_bytes) = (Some(animation.layout()), animation.bytes());
    }
    if let Some(drawing) = &mut drawing {
        let uploaded = drawing.renderer.statistics.uploaded;
        measured.upload_bytes = Some(uploaded);
        drawing.shrink();
        for number in 0..WARM_UP_FRAMES + SINGLE_PIXEL_FRAMES.min(args.frames as usize) {
            player.pose(subject, number);
            let (_, gpu) = drawing.draw(subject, &player.pose)?;
            measured.gpu_single_pixel.extend(gpu.filter(|_| number >= WARM_UP_FRAMES));
        }
        measured.gpu_upload = upload_time::upload_times(drawing.gpu, uploaded);
    }
    let memory = drawing.map(|drawing| drawing.gpu_model.memory());
    // A file without geometry has no vertices.
    measured.bytes_per_vertex = memory.filter(|memory| memory.vertex_count > 0).map(|memory| memory.bytes_per_vertex());
    Ok(measured)
}

/// Poses the model and its crowd for one frame after the other.
struct Player {
    pose: PosedDocument,
    /// Start and end of the animation, in seconds.
    range: [f64; 2],
}

impl Player {
    fn new(subject: Subject) -> Self {
        let Subject { document, view, .. } = subject;
        Self { pose: PosedDocument::new(document), range: playback_range::range(&document.model, view) }
    }

    /// Poses the frame with this number. Returns its time in seconds, and how long posing took in milliseconds.
    fn pose(&mut self, subject: Subject, number: usize) -> (f64, f64) {
        let Subject { document, analyses, view } = subject;
        let [range_start, range_end] = self.range;
        let length = (range_end - range_start).max(f64::MIN_POSITIVE);
        // The animation loops, however short it is.
        let time = range_start + (number as f64 / FRAME_RATE) % length;
        let start = Instant::now();
        let moment = Moment::from(time);
        self.pose.pose(document, view, moment, analyses.find_roots(document, view, &moment), &analyses.bounds);
        (time, start.elapsed().as_secs_f64() * 1e3)
    }
}
