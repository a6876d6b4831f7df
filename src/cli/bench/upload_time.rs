//! Measures how long the GPU takes to copy bytes from the memory of the CPU.

use crate::render::device::gpu::Gpu;
use crate::render::passes::timer::Timer;

use super::{drawing, report};

/// Number of copies of each size.
const COPIES: usize = 20;

/// Returns the GPU time of each of several copies of `bytes` bytes, in milliseconds, less the median time of a copy of four bytes. Empty if
/// the device has no timestamps or not enough memory.
pub fn upload_times(gpu: &Gpu, bytes: u64) -> Vec<f64> {
    let Some(overhead) = report::quantile(&times(gpu, wgpu::COPY_BUFFER_ALIGNMENT), 0.5) else { return Vec::new() };
    times(gpu, bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT)).into_iter().map(|time| (time - overhead).max(0.0)).collect()
}

/// Returns the GPU time of each of several copies, with the two empty passes that hold the timestamps.
fn times(gpu: &Gpu, bytes: u64) -> Vec<f64> {
    let Some(mut timer) = Timer::new(gpu) else { return Vec::new() };
    let buffer = |usage, mapped_at_creation| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some("upload time"), size: bytes, usage, mapped_at_creation })
    };
    let buffers = gpu.checked(|| {
        let source = buffer(wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC, true);
        (source, buffer(wgpu::BufferUsages::COPY_DST, false))
    });
    let Ok((source, destination)) = buffers else { return Vec::new() };
    source.unmap();
    let pixel = drawing::target(gpu, wgpu::TextureFormat::Rgba8Unorm, [1, 1]);
    let mut times = Vec::new();
    // The first copy is not measured: the driver still has to place the buffers.
    for number in 0..=COPIES {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        empty_pass(&mut encoder, &pixel, timer.first_pass_writes());
        encoder.copy_buffer_to_buffer(&source, 0, &destination, 0, bytes);
        empty_pass(&mut encoder, &pixel, timer.last_pass_writes());
        timer.record(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        timer.collect(gpu);
        if gpu.device.poll(wgpu::PollType::wait_indefinitely()).is_err() {
            return Vec::new();
        }
        timer.collect(gpu);
        if number > 0 {
            times.extend(timer.last_milliseconds);
        }
    }
    times
}

/// Records a pass that clears a pixel and writes a timestamp.
fn empty_pass(
    encoder: &mut wgpu::CommandEncoder,
    pixel: &wgpu::TextureView,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) {
    let attachment = wgpu::RenderPassColorAttachment {
        view: pixel,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
    };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(attachment)],
        timestamp_writes,
        ..Default::default()
    });
}
