//! The state shared by the passes of a frame, and functions to begin a pass.

use crate::render::bind_groups::BindGroupLayouts;
use crate::render::bind_groups::frame_group::FrameBindings;
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::resources::{DrawEncoder, DrawResources};
use crate::render::picture::Picture;
use crate::render::pipelines::Pipelines;

use super::timer::Timer;

/// Resources that belong to no single pass. They outlive a frame.
pub(crate) struct SharedResources {
    pub layouts: BindGroupLayouts,
    pub pipelines: Pipelines,
    pub frame: FrameBindings,
    pub draws: DrawResources,
    /// `Some` while frames are measured.
    pub timer: Option<Timer>,
}

impl SharedResources {
    pub fn draw_encoder<'p>(&'p self, pass: &'p mut wgpu::RenderPass<'static>) -> DrawEncoder<'p> {
        DrawEncoder::new(pass, &self.pipelines, &self.draws)
    }
}

/// One frame that is being recorded.
pub(crate) struct FrameContext<'f> {
    pub gpu: &'f Gpu,
    pub encoder: &'f mut wgpu::CommandEncoder,
    pub picture: &'f Picture<'f>,
    /// Width and height of the scene target: pixels times supersamples.
    pub size: [u32; 2],
    pub shared: &'f mut SharedResources,
}

impl FrameContext<'_> {
    /// Begins a pass with the frame's bind group. It ends when it is dropped; the encoder must not be used before.
    pub fn begin_pass(&mut self, label: &str, target: &PassTarget) -> wgpu::RenderPass<'static> {
        let mut pass = self.begin_bare_pass(label, target);
        pass.set_bind_group(0, self.shared.frame.group(), &[]);
        pass
    }

    /// Begins a pass that draws into what the frame's bind group reads, and binds a group of its own.
    pub fn begin_bare_pass(&mut self, label: &str, target: &PassTarget) -> wgpu::RenderPass<'static> {
        begin(self.encoder, label, target, self.shared.timer.as_mut().and_then(Timer::first_pass_writes))
    }

    /// Begins the pass that completes the picture, without a bind group.
    pub fn begin_last_pass(&mut self, label: &str, target: &PassTarget) -> wgpu::RenderPass<'static> {
        begin(self.encoder, label, target, self.shared.timer.as_mut().and_then(Timer::last_pass_writes))
    }
}

/// The textures that a pass draws into.
pub(crate) struct PassTarget<'a> {
    /// `None` for depth alone.
    pub view: Option<&'a wgpu::TextureView>,
    /// Resolves the view's samples into this texture.
    pub resolve: Option<&'a wgpu::TextureView>,
    /// Depth is loaded or cleared along with the colour.
    pub load: wgpu::LoadOp<wgpu::Color>,
    pub depth: Option<&'a wgpu::TextureView>,
    /// Whether samples and depth are kept for another pass.
    pub kept: bool,
}

impl<'a> PassTarget<'a> {
    pub fn cleared(view: &'a wgpu::TextureView) -> Self {
        Self { view: Some(view), resolve: None, load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), depth: None, kept: false }
    }

    /// Draws into `samples`, resolved into `resolved`; without samples into `resolved` itself.
    pub fn multisampled(samples: Option<&'a wgpu::TextureView>, resolved: &'a wgpu::TextureView) -> Self {
        match samples {
            Some(samples) => Self { resolve: Some(resolved), ..Self::cleared(samples) },
            None => Self::cleared(resolved),
        }
    }
}

pub(crate) fn begin(
    encoder: &mut wgpu::CommandEncoder,
    label: &str,
    target: &PassTarget,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites>,
) -> wgpu::RenderPass<'static> {
    // Resolved samples and depth are not read after the pass, unless they are kept.
    let store_if = |store| if store { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard };
    let depth_load = match target.load {
        wgpu::LoadOp::Load => wgpu::LoadOp::Load,
        _ => wgpu::LoadOp::Clear(0.0),
    };
    let color = target.view.map(|view| wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: target.resolve,
        ops: wgpu::Operations { load: target.load, store: store_if(target.kept || target.resolve.is_none()) },
    });
    let colors = [color];
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: if target.view.is_some() { &colors } else { &[] },
        depth_stencil_attachment: target.depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations { load: depth_load, store: store_if(target.kept) }),
            stencil_ops: None,
        }),
        timestamp_writes,
        ..Default::default()
    });
    pass.forget_lifetime()
}
