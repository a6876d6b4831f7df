//! What passes have between them: how one begins, what it binds, and how a primitive is drawn in it.

use super::draws::Draw;
use super::driven::DrivenMaterials;
use super::gpu::Gpu;
use super::pages::Page;
use super::stream::Stream;

/// What a pass draws into.
pub(super) struct Target<'a> {
    pub view: &'a wgpu::TextureView,
    /// Where its samples are resolved to.
    pub resolve: Option<&'a wgpu::TextureView>,
    pub load: wgpu::LoadOp<wgpu::Color>,
    pub depth: Option<&'a wgpu::TextureView>,
}

impl<'a> Target<'a> {
    pub fn cleared(view: &'a wgpu::TextureView) -> Self {
        Self { view, resolve: None, load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), depth: None }
    }
}

pub(super) fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    target: &Target,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites>,
) -> wgpu::RenderPass<'a> {
    // Samples that are resolved, and depth, are read by nobody afterwards.
    let store = if target.resolve.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target.view,
            depth_slice: None,
            resolve_target: target.resolve,
            ops: wgpu::Operations { load: target.load, store },
        })],
        depth_stencil_attachment: target.depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
            stencil_ops: None,
        }),
        timestamp_writes,
        ..Default::default()
    })
}

/// Its palettes, weights and instances, unless they are bound already.
pub(super) fn bind_page(pass: &mut wgpu::RenderPass, pages: &[Page], draw: &Draw, bound: &mut Option<usize>) {
    if *bound != Some(draw.page) {
        pass.set_bind_group(1, pages[draw.page].group(), &[]);
        *bound = Some(draw.page);
    }
}

/// All instances of a draw at once.
pub(super) fn draw_primitive(pass: &mut wgpu::RenderPass, draw: &Draw, driven: &DrivenMaterials) {
    let primitive = draw.primitive;
    pass.set_bind_group(2, draw.group, &[]);
    pass.set_bind_group(3, driven.group(draw.actor, primitive.material).unwrap_or(&draw.material.group), &[]);
    pass.set_vertex_buffer(0, primitive.vertices.attributes.slice(..));
    if let Some(influences) = primitive.vertices.influences.as_ref().filter(|_| draw.key.skinned) {
        pass.set_vertex_buffer(1, influences.slice(..));
    }
    if let Some(further) = &primitive.vertices.further {
        pass.set_vertex_buffer(2, further.slice(..));
    }
    pass.set_index_buffer(primitive.indices.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..primitive.index_count, 0, draw.instances.clone());
}

/// A bind group of whole buffers, in the order of their bindings.
pub(super) fn group(gpu: &Gpu, label: &str, layout: &wgpu::BindGroupLayout, buffers: &[&Stream]) -> wgpu::BindGroup {
    let entries: Vec<_> = buffers
        .iter()
        .zip(0..)
        .map(|(stream, binding)| wgpu::BindGroupEntry { binding, resource: stream.buffer().as_entire_binding() })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}
