//! Summarizes measurements as medians, and prints them as text and as JSON.

use serde::Serialize;

use crate::cli::args::BenchArgs;
use crate::numbers::{counted, grouped};
use crate::render::device::gpu::Gpu;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::document::Document;
use crate::session::pose::crowd;
use crate::session::view::View;

use super::Measured;

/// The JSON output of the command.
#[derive(Debug, Serialize)]
pub struct BenchReport {
    /// Version of this format.
    schema: u32,
    /// The file's path, as given.
    file: String,
    /// Number of instances that were posed and drawn.
    instances: usize,
    /// Number of measured frames.
    frames: usize,
    /// Number of joints of one instance.
    joints: usize,
    /// Number of nodes of one instance.
    nodes: usize,
    /// Number of channels of the animation.
    channels: usize,
    /// Number of distinct sets of key times in the animation.
    key_times: usize,
    /// Memory layout of the compiled animation; `None` without an animation.
    layout: Option<String>,
    /// Size of the compiled animation, in bytes.
    compiled_bytes: usize,
    /// Instruction set of the kernels.
    kernel: &'static str,
    /// CPU time per joint of each instance, in nanoseconds; `None` without joints.
    ns_per_joint: Option<Stages>,
    /// CPU time per frame, in milliseconds.
    ms_per_frame: FrameTimes,
    /// Bytes uploaded per frame; `None` without a GPU.
    upload_bytes: Option<u64>,
    /// Bytes per vertex on the GPU: attributes, influences and morph deltas.
    bytes_per_vertex: Option<f64>,
    /// GPU time per frame, in milliseconds; `None` if it cannot be measured.
    gpu_ms: Option<GpuTimes>,
    /// Name of the graphics device.
    adapter: Option<String>,
    /// Graphics interface, such as Vulkan.
    backend: Option<String>,
}

/// Times of the stages of a pose.
#[derive(Debug, Clone, Copy, Serialize)]
struct Stages {
    /// Time from keyframes to local transforms.
    sample: f64,
    /// Time from local to global transforms.
    hierarchy: f64,
    /// Time from global transforms to the palette that is uploaded; 0 if it is too short to be measured.
    palette: f64,
    /// Time of the whole pose, as in the window.
    pose: f64,
}

/// CPU times per frame, in milliseconds.
#[derive(Debug, Serialize)]
struct FrameTimes {
    #[serde(flatten)]
    stages: Stages,
    /// Time to write buffers, and to record and submit commands, without waits for the device; `None` without a GPU.
    record: Option<f64>,
    /// Sum of pose and record.
    total: f64,
}

/// GPU times per frame, in milliseconds.
#[derive(Debug, Serialize)]
struct GpuTimes {
    /// The median.
    median: f64,
    /// The 95th percentile.
    p95: f64,
    /// Median of frames that are drawn to a single pixel: the time for vertices, and for the shadow map if there is one.
    vertices: Option<f64>,
    /// The rest of the median: the time that grows with the number of pixels.
    pixels: Option<f64>,
    /// Median time to copy the uploaded bytes to the GPU, which `median` does not include.
    upload: Option<f64>,
}

/// Summarizes the measured times.
pub fn report(args: &BenchArgs, document: &Document, view: &View, gpu: Option<&Gpu>, measured: &Measured) -> BenchReport {
    let model = &document.model;
    let animation = view.animation.and_then(|animation| model.animations.get(animation));
    let instances = crowd::count(view);
    let [sample, hierarchy, palette, pose] = measured.stages.each_ref().map(|times| quantile(times, 0.5).unwrap_or_default());
    // The difference of two times (see `stages`) is negative if it is less than the times vary.
    let palette = palette.max(0.0);
    let stages = Stages { sample, hierarchy, palette, pose };
    let record = quantile(&measured.record, 0.5);
    let joints = document.joint_count();
    // Milliseconds per frame to nanoseconds per joint of each instance.
    let per_joint = |ms: f64| ms * 1e6 / (joints * instances) as f64;
    BenchReport {
        schema: 1,
        file: args.file.display().to_string(),
        instances,
        frames: args.frames as usize,
        joints,
        nodes: model.nodes.len(),
        channels: animation.map_or(0, |animation| animation.channels.len()),
        key_times: animation.map_or(0, |animation| animation.key_times.len()),
        layout: measured.layout.clone(),
        compiled_bytes: measured.compiled_bytes,
        kernel: measured.kernel,
        ns_per_joint: (joints > 0).then(|| Stages {
            sample: per_joint(sample),
            hierarchy: per_joint(hierarchy),
            palette: per_joint(palette),
            pose: per_joint(pose),
        }),
        ms_per_frame: FrameTimes { stages, record, total: pose + record.unwrap_or_default() },
        upload_bytes: measured.upload_bytes,
        bytes_per_vertex: measured.bytes_per_vertex,
        gpu_ms: gpu_times(measured),
        adapter: gpu.map(|gpu| gpu.info.name.clone()),
        backend: gpu.map(|gpu| gpu.info.backend.to_string()),
    }
}

/// Summarizes the GPU times. `None` if they could not be measured.
fn gpu_times(measured: &Measured) -> Option<GpuTimes> {
    let (median, p95) = quantile(&measured.gpu, 0.5).zip(quantile(&measured.gpu, 0.95))?;
    // A frame with few pixels takes hardly longer than one with a single pixel, so the difference of the medians may be negative.
    let vertices = quantile(&measured.gpu_single_pixel, 0.5).map(|vertices| vertices.min(median));
    Some(GpuTimes {
        median,
        p95,
        vertices,
        pixels: vertices.map(|vertices| median - vertices),
        upload: quantile(&measured.gpu_upload, 0.5),
    })
}

/// The value at this fraction of the sorted list: 0 is the smallest value, 1 the largest. A position between two values is rounded up.
/// `None` without values.
pub fn quantile(values: &[f64], fraction: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get((fraction * last as f64).ceil() as usize).copied()
}

/// The report as lines of text.
pub fn to_text(report: &BenchReport) -> String {
    let frame = &report.ms_per_frame;
    let stages = |of: &Stages| [of.sample, of.hierarchy, of.palette, of.pose];
    let rows = ["sample", "hierarchy", "palette", "pose"].into_iter().zip(stages(&frame.stages));
    let BenchReport { file, instances, frames, joints, nodes, channels, key_times, layout, compiled_bytes, kernel, .. } = report;
    let file = terminal::escape(file, MAX_MESSAGE_CHARS);
    let [joints, nodes, channels] = [counted(*joints, "joint"), counted(*nodes, "node"), counted(*channels, "channel")];
    let key_times = counted(*key_times, "set of key times");
    let mut text = format!("{file}: {} x {joints} ({nodes}), {channels} on {key_times}\n", grouped(*instances));
    if let Some(layout) = layout {
        text += &format!("layout: {layout} ({} bytes); ", grouped(*compiled_bytes));
    }
    text += &format!("kernel {kernel}; medians of {}, wall time\n\n", counted(*frames, "frame"));
    // Without joints, there is no column for the time per joint.
    let per_joint = report.ns_per_joint.as_ref().map(stages);
    let row = |name: &str, ns: &str, ms: &str| match per_joint {
        Some(_) => format!("{name:<10} {ns:>12} {ms:>12}\n"),
        None => format!("{name:<10} {ms:>12}\n"),
    };
    text += &row("", "ns per joint", "ms per frame");
    for (number, (name, ms)) in rows.enumerate() {
        let ns = per_joint.map_or_else(String::new, |stages| format!("{:.1}", stages[number]));
        text += &row(name, &ns, &format!("{ms:.3}"));
    }
    let row = |name: &str, ms: f64| row(name, "", &format!("{ms:.3}"));
    if let Some(record) = frame.record {
        text += &row("record", record);
    }
    text += &row("total", frame.total);
    if let Some(gpu) = &report.gpu_ms {
        text += &row("GPU", gpu.median);
        text += &row("GPU p95", gpu.p95);
        for (name, part) in [("  vertices", gpu.vertices), ("  pixels", gpu.pixels), ("GPU upload", gpu.upload)] {
            text += &part.map_or_else(String::new, |ms| row(name, ms));
        }
    }
    text += "\n";
    if let Some(bytes) = report.upload_bytes {
        text += &format!("upload     {} bytes per frame\n", grouped(bytes));
    }
    if let Some(bytes) = report.bytes_per_vertex {
        text += &format!("vertex     {bytes:.1} bytes\n");
    }
    if let Some((adapter, backend)) = report.adapter.as_ref().zip(report.backend.as_ref()) {
        text += &format!("adapter    {} ({backend})\n", terminal::escape(adapter, MAX_MESSAGE_CHARS));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Measured, gpu_times, quantile};

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let values: Vec<_> = (0..=100).rev().map(f64::from).collect();
        assert_eq!((quantile(&values, 0.5), quantile(&values, 0.95)), (Some(50.0), Some(95.0)));
        assert_eq!((quantile(&[7.0], 0.95), quantile(&[], 0.5)), (Some(7.0), None));
    }

    #[test]
    fn the_time_of_pixels_is_the_rest_of_a_frame_and_never_negative() {
        let measured = |gpu_single_pixel: f64| Measured {
            stages: Default::default(),
            record: Vec::new(),
            gpu: vec![5.0, 3.0, 4.0],
            gpu_single_pixel: vec![gpu_single_pixel],
            gpu_upload: Vec::new(),
            upload_bytes: None,
            bytes_per_vertex: None,
            layout: None,
            compiled_bytes: 0,
            kernel: "",
        };
        let parts = |single_pixel| gpu_times(&measured(single_pixel)).map(|times| (times.median, times.vertices, times.pixels));
        assert_eq!(parts(1.0), Some((4.0, Some(1.0), Some(3.0))));
        assert_eq!(parts(4.5), Some((4.0, Some(4.0), Some(0.0))));
    }
}
