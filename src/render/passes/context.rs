//! The state that the passes of a frame share, and the functions that begin a render pass.

use crate::render::bind_groups::BindGroupLayouts;
use crate::render::bind_groups::frame_group::FrameBindings;
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::resources::{DrawEncoder, DrawResources};
use crate::render::picture::Picture;
use crate::render::pipelines::Pipelines;

use super::timer::Timer;

/// Resources that belong to no single pass. They outlive a frame.
pub(crate) struct SharedResources {
    /// Layouts of all bind groups.
    pub layouts: BindGroupLayouts,
    /// The pipelines made so far.
    pub pipelines: Pipelines,
    /// Bind group 0 and its buffers.
    pub frame: FrameBindings,
    /// The resources that draws of actors bind: palette pages, animated materials, index subsets.
    pub draws: DrawResources,
    /// `Some` while GPU time is measured.
    pub timer: Option<Timer>,
}

impl SharedResources {
    /// Returns an encoder that draws primitives into a pass.
    pub fn draw_encoder<'p>(&'p self, pass: &'p mut wgpu::RenderPass<'static>) -> DrawEncoder<'p> {
        DrawEncoder::new(pass, &self.pipelines, &self.draws)
    }
}

/// A frame that is being recorded, with all that a pass needs to record its commands.
pub(crate) struct FrameContext<'f> {
    pub gpu: &'f Gpu,
    /// Receives the commands of all passes, in their order.
    pub encoder: &'f mut wgpu::CommandEncoder,
    /// The picture that is drawn. Its options may belong to the previous picture.
    pub picture: &'f Picture<'f>,
    /// Width and height of the scene target, in texels.
    pub size: [u32; 2],
    pub shared: &'f mut SharedResources,
}

impl FrameContext<'_> {
    /// Begins a pass and sets the frame's bind group. The pass ends when it is dropped; until then the encoder must not be used.
    pub fn begin_pass(&mut self, label: &str, target: &PassTarget) -> wgpu::RenderPass<'static> {
        let mut pass = self.begin_bare_pass(label, target);
        pass.set_bind_group(0, self.shared.frame.group(), &[]);
        pass
    }

    /// Begins a pass without a bind group. It is for passes that draw into a texture of the frame's bind group, and therefore bind another
    /// group.
    pub fn begin_bare_pass(&mut self, label: &str, target: &PassTarget) -> wgpu::RenderPass<'static> {
        begin(self.encoder, label, target, self.shared.timer.as_mut().and_then(Timer::first_pass_writes))
    }

    /// Begins the pass that completes the picture, without a bind group. It writes the second timestamp of the frame.
    pub fn begin_last_pass(&mut self, label: &str, target: &PassTarget) -> wgpu::RenderPass<'static> {
        begin(self.encoder, label, target, self.shared.timer.as_mut().and_then(Timer::last_pass_writes))
    }
}

/// The textures that a pass draws into.
pub(crate) struct PassTarget<'a> {
    /// Color target. `None` draws depth alone.
    pub view: Option<&'a wgpu::TextureView>,
    /// Resolves the view's samples into this texture.
    pub resolve: Option<&'a wgpu::TextureView>,
    /// Whether color is loaded or cleared. The same applies to depth.
    pub load: wgpu::LoadOp<wgpu::Color>,
    /// Depth target. `None` draws without a depth test.
    pub depth: Option<&'a wgpu::TextureView>,
    /// Whether samples and depth are stored for a later pass. A resolved texture is always stored.
    pub stores_samples: bool,
}

impl<'a> PassTarget<'a> {
    /// Returns a single color target that is cleared to transparent.
    pub fn cleared(view: &'a wgpu::TextureView) -> Self {
        Self { view: Some(view), resolve: None, load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), depth: None, stores_samples: false }
    }

    /// Returns a target that draws into `samples` and resolves them into `resolved`. If `samples` is `None`, it draws directly into
    /// `resolved`.
    pub fn multisampled(samples: Option<&'a wgpu::TextureView>, resolved: &'a wgpu::TextureView) -> Self {
        match samples {
            Some(samples) => Self { resolve: Some(resolved), ..Self::cleared(samples) },
            None => Self::cleared(resolved),
        }
    }
}

/// Begins a render pass. Cleared depth is 0, the farthest value, because depth is reversed.
pub(crate) fn begin(
    encoder: &mut wgpu::CommandEncoder,
    label: &str,
    target: &PassTarget,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites>,
) -> wgpu::RenderPass<'static> {
    // Samples and depth that no later pass reads need not be written from the GPU's tile memory to main GPU memory.
    let store_if = |store| if store { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard };
    let depth_load = match target.load {
        wgpu::LoadOp::Load => wgpu::LoadOp::Load,
        _ => wgpu::LoadOp::Clear(0.0),
    };
    let color = target.view.map(|view| wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: target.resolve,
        ops: wgpu::Operations { load: target.load, store: store_if(target.stores_samples || target.resolve.is_none()) },
    });
    let colors = [color];
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: if target.view.is_some() { &colors } else { &[] },
        depth_stencil_attachment: target.depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations { load: depth_load, store: store_if(target.stores_samples) }),
            stencil_ops: None,
        }),
        timestamp_writes,
        ..Default::default()
    });
    pass.forget_lifetime()
}
