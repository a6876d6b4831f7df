//! Draws once with a new pipeline into a single pixel, because some drivers compile a pipeline at its first draw, and again for other kinds
//! of textures. The draw binds the same resources as the picture.

use std::ops::Range;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::render::bind_groups::frame_group::FrameViews;
use crate::render::buffers::arena::BufferRange;
use crate::render::material::texture_set::TextureSet;
use crate::render::model::BoundTextures;

use super::build::PipelineBuilder;
use super::key::{PipelineKey, Role, SampledKey};
use super::surface;
use super::target::{BACKDROP_FORMAT, DEPTH_FORMAT, MASK_FORMAT};

/// If a driver does not answer within this time, it is assumed to hang.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// Interval between polls of the device. Waiting inside the driver would hold locks that a frame needs.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// A requested pipeline and the resources of its warm-up draws.
pub(crate) struct PipelineRequest {
    pub key: SampledKey,
    /// One draw for each different set of resources in the picture.
    pub draws: Vec<WarmupDraw>,
    /// The textures of the picture's bind group 0, for a software warm-up. `None` if there is no software warm-up.
    pub software_warmup: Option<FrameViews>,
}

/// The resources that a draw binds.
pub(crate) struct WarmupDraw {
    /// Bind groups by index.
    pub groups: Vec<Option<wgpu::BindGroup>>,
    /// Vertex buffers by slot.
    pub vertices: Vec<Option<BufferRange>>,
    /// Buffer, format and range of the indices. `None` if the shader makes the vertices itself.
    pub indices: Option<(wgpu::Buffer, wgpu::IndexFormat, Range<u32>)>,
    /// Index of the instance that is drawn.
    pub instance: u32,
    /// Textures of group 3, if the pipeline has one.
    pub material: Option<(TextureSet, BoundTextures)>,
}

/// A target of one pixel with the formats and samples that the pipeline expects.
pub(crate) struct WarmupTarget<'a> {
    builder: &'a PipelineBuilder,
    color: Option<wgpu::TextureView>,
    depth: Option<wgpu::TextureView>,
}

impl<'a> WarmupTarget<'a> {
    /// Creates the target of a pipeline.
    pub fn new(builder: &'a PipelineBuilder, SampledKey { key, samples }: SampledKey) -> Self {
        let scene = builder.scene(samples);
        let (format, in_depth) = match key {
            PipelineKey::OverlayLines | PipelineKey::SolidJoints { in_scene: false } | PipelineKey::Outline => {
                (Some(builder.target_format), true)
            }
            PipelineKey::Composite => (Some(builder.target_format), false),
            PipelineKey::OutlineBlocks => (Some(MASK_FORMAT), false),
            PipelineKey::Backdrop(_) | PipelineKey::BackdropMip => (Some(BACKDROP_FORMAT), false),
            PipelineKey::ShadowCaster(_) => (None, true),
            PipelineKey::Surface(key) => (Some(surface::format(key, scene)), key.role != Role::OutlineMask),
            PipelineKey::Background { .. }
            | PipelineKey::Ground
            | PipelineKey::Grid { .. }
            | PipelineKey::SceneLines { .. }
            | PipelineKey::SolidJoints { in_scene: true } => (Some(scene.format), true),
        };
        let pixel = |format| {
            let texture = builder.gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("pixel"),
                size: wgpu::Extent3d::default(),
                mip_level_count: 1,
                sample_count: samples.samples(),
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self { builder, color: format.map(pixel), depth: in_depth.then(|| pixel(DEPTH_FORMAT)) }
    }

    /// Submits each draw separately, so that a frame can run in between. Returns when all draws are done, or with the first error.
    pub fn draw(&self, pipeline: &wgpu::RenderPipeline, draws: &[WarmupDraw]) -> Result<(), String> {
        draws.iter().try_for_each(|draw| self.draw_one(pipeline, draw))
    }

    /// Submits one draw and waits for it.
    fn draw_one(&self, pipeline: &wgpu::RenderPipeline, draw: &WarmupDraw) -> Result<(), String> {
        let gpu = &self.builder.gpu;
        gpu.checked(|| {
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("warm-up") });
            self.record(&mut encoder, pipeline, draw);
            gpu.queue.submit([encoder.finish()]);
        })?;
        let (sender, done) = mpsc::channel();
        gpu.queue.on_submitted_work_done(move || {
            // The receiver is dropped after the timeout.
            let _ = sender.send(());
        });
        let start = Instant::now();
        while done.try_recv().is_err() {
            gpu.device.poll(wgpu::PollType::Poll).map_err(|error| error.to_string())?;
            if start.elapsed() > MAX_WAIT {
                return Err(format!("the graphics device did not respond for {} s", MAX_WAIT.as_secs()));
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Records a draw of up to three indices, or of four vertices if there are no indices.
    fn record(&self, encoder: &mut wgpu::CommandEncoder, pipeline: &wgpu::RenderPipeline, draw: &WarmupDraw) {
        let discard = |load| wgpu::Operations { load, store: wgpu::StoreOp::Discard };
        let color = self.color.as_ref().map(|view| wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Discard },
        });
        let colors = [color];
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("warm-up"),
            color_attachments: if self.color.is_some() { &colors } else { &[] },
            depth_stencil_attachment: self.depth.as_ref().map(|view| wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: Some(discard(wgpu::LoadOp::Clear(0.0))),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(pipeline);
        for (number, group) in (0..).zip(&draw.groups) {
            pass.set_bind_group(number, group.as_ref(), &[]);
        }
        for (slot, range) in (0..).zip(&draw.vertices) {
            if let Some(range) = range {
                pass.set_vertex_buffer(slot, range.slice());
            }
        }
        let instance = draw.instance..draw.instance + 1;
        match &draw.indices {
            Some((indices, format, range)) => {
                pass.set_index_buffer(indices.slice(..), *format);
                pass.draw_indexed(range.start..range.end.min(range.start.saturating_add(3)), 0, instance);
            }
            None => pass.draw(0..4, instance),
        }
    }
}
