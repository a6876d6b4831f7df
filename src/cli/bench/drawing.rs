//! Draws frames to completion and measures them.

use std::time::{Duration, Instant};

use anyhow::anyhow;

use crate::cli::args::BenchArgs;
use crate::cli::args::values::Size;
use crate::export::picture::picture_options;
use crate::render::actor::Actor;
use crate::render::device::gpu::Gpu;
use crate::render::light::punctual;
use crate::render::model::GpuModel;
use crate::render::picture::{Picture, Viewport};
use crate::render::renderer::Renderer;
use crate::session::analyses::Subject;
use crate::session::camera::view_camera;
use crate::session::pose::posed_document::PosedDocument;

/// A renderer with its target texture.
pub struct Drawing<'a> {
    /// The graphics device.
    pub gpu: &'a Gpu,
    /// The uploaded model.
    pub gpu_model: GpuModel,
    /// The renderer, which also measures GPU time and counts uploads.
    pub renderer: Renderer,
    /// The texture that every frame is drawn to.
    target: wgpu::TextureView,
    /// Width and height of the target, in pixels.
    size: [u32; 2],
}

impl<'a> Drawing<'a> {
    /// Creates the renderer and its target. Errors if the target does not fit into memory.
    pub fn new(gpu: &'a Gpu, gpu_model: GpuModel, args: &BenchArgs) -> anyhow::Result<Self> {
        let Size(width, height) = args.size;
        let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, args.msaa);
        renderer.measure(gpu, true);
        let size = [width, height];
        let target = gpu.checked(|| target(gpu, renderer.target_format, size)).map_err(not_drawn)?;
        Ok(Self { gpu, gpu_model, renderer, target, size })
    }

    /// Draws the following frames to a single pixel. Then hardly anything is shaded, but all vertices are transformed.
    pub fn shrink(&mut self) {
        self.size = [1, 1];
        self.target = target(self.gpu, self.renderer.target_format, self.size);
    }

    /// Draws a frame and waits until it is complete. Returns the time to record and submit it, without waits for the device, and its GPU
    /// time in milliseconds if the device can measure that. Errors if the frame, or a part of it, is not drawn.
    pub fn draw(&mut self, subject: Subject, pose: &PosedDocument) -> anyhow::Result<(Duration, Option<f64>)> {
        let Subject { document, analyses, view } = subject;
        let (PosedDocument { posed, crowd, .. }, [width, height]) = (pose, self.size);
        let camera = view_camera::camera(subject, posed, f64::from(width) / f64::from(height));
        let lights = punctual::placed_lights(&document.model, posed);
        let plain = Picture::plain(&camera, self.size, picture_options(&view.display), posed.anchor, analyses.crowd_bounds(view));
        let picture = Picture { lights: &lights, ..plain };
        let actors = [Actor::crowd(&document.model, &self.gpu_model, posed, crowd)];
        let (gpu, renderer) = (self.gpu, &mut self.renderer);
        let recorded = gpu.checked(|| {
            let (start, waited_before) = (Instant::now(), waited(renderer));
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            renderer.draw(gpu, &mut encoder, &Viewport { target: &self.target, rect: [0, 0, width, height] }, &picture, &actors);
            gpu.queue.submit([encoder.finish()]);
            start.elapsed().saturating_sub(waited(renderer) - waited_before)
        });
        let recorded = recorded.map_err(not_drawn)?;
        if let Some(reason) = renderer.failure() {
            return Err(not_drawn(reason));
        }
        // Without waiting, frames would queue up, and later measurements would include the time in the queue.
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(not_drawn)?;
        Ok((recorded, renderer.gpu_milliseconds(gpu)))
    }
}

/// The total time that recording has waited for pipelines and for the device.
fn waited(renderer: &Renderer) -> Duration {
    renderer.statistics.pipeline_wait + renderer.statistics.submission_wait
}

/// The error for a frame that is not drawn. Its times would be meaningless.
fn not_drawn(reason: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("the graphics driver could not draw a frame: {reason}")
}

/// Makes a texture to draw to.
pub fn target(gpu: &Gpu, format: wgpu::TextureFormat, [width, height]: [u32; 2]) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("bench"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
