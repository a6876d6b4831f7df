//! What passes have between them: how one begins, what it binds, and how a primitive is drawn in it.

pub(crate) mod backdrop;
pub(crate) mod composite;
pub(crate) mod outline;
pub(crate) mod overlay;
pub(crate) mod picking;
pub(crate) mod scene;
pub(crate) mod shadow;
pub(crate) mod targets;
pub(crate) mod timer;

use std::ops::Range;

use super::buffers::palette_pages::Page;
use super::device::gpu::Gpu;
use super::draw_list::draw::Draw;
use super::material::animated::DrivenMaterials;

/// What a pass draws into.
pub(crate) struct Target<'a> {
    pub view: &'a wgpu::TextureView,
    /// Where its samples are resolved to.
    pub resolve: Option<&'a wgpu::TextureView>,
    /// Depth is loaded with it, or cleared.
    pub load: wgpu::LoadOp<wgpu::Color>,
    pub depth: Option<&'a wgpu::TextureView>,
    /// Another pass goes on drawing into it.
    pub kept: bool,
}

impl<'a> Target<'a> {
    pub fn cleared(view: &'a wgpu::TextureView) -> Self {
        Self { view, resolve: None, load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), depth: None, kept: false }
    }
}

pub(crate) fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    target: &Target,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites>,
) -> wgpu::RenderPass<'a> {
    // Samples that are resolved, and depth, are read by nobody afterwards.
    let store_if = |store| if store { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard };
    let depth_load = match target.load {
        wgpu::LoadOp::Load => wgpu::LoadOp::Load,
        _ => wgpu::LoadOp::Clear(0.0),
    };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target.view,
            depth_slice: None,
            resolve_target: target.resolve,
            ops: wgpu::Operations { load: target.load, store: store_if(target.kept || target.resolve.is_none()) },
        })],
        depth_stencil_attachment: target.depth.map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations { load: depth_load, store: store_if(target.kept) }),
            stencil_ops: None,
        }),
        timestamp_writes,
        ..Default::default()
    })
}

/// Group 3 of a draw.
pub(crate) fn material_group<'a>(draw: &Draw<'a>, driven: &'a DrivenMaterials) -> &'a wgpu::BindGroup {
    driven.group(draw.actor, draw.material_index).unwrap_or(&draw.material.group)
}

/// Its palettes, weights and instances, unless they are bound already.
pub(crate) fn bind_page(pass: &mut wgpu::RenderPass, pages: &[Page], draw: &Draw, bound: &mut Option<usize>) {
    if *bound != Some(draw.page) {
        pass.set_bind_group(1, pages[draw.page].group(), &[]);
        *bound = Some(draw.page);
    }
}

/// Some of its indices, for these instances at once.
pub(crate) fn draw_primitive(
    pass: &mut wgpu::RenderPass,
    draw: &Draw,
    (indices, instances): (Range<u32>, Range<u32>),
    driven: &DrivenMaterials,
) {
    let primitive = draw.primitive;
    pass.set_bind_group(2, draw.group, &[]);
    pass.set_bind_group(3, material_group(draw, driven), &[]);
    pass.set_vertex_buffer(0, primitive.vertices.attributes.slice(..));
    if let Some(influences) = primitive.vertices.influences.as_ref().filter(|_| draw.key.skinned) {
        pass.set_vertex_buffer(1, influences.slice(..));
    }
    if let Some(further) = &primitive.vertices.further {
        pass.set_vertex_buffer(2, further.slice(..));
    }
    let (buffer, format) = draw.index_buffer();
    pass.set_index_buffer(buffer.slice(..), format);
    pass.draw_indexed(indices, 0, instances);
}

/// A bind group of these, in the order of their bindings.
pub(crate) fn group<'a>(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: impl IntoIterator<Item = wgpu::BindingResource<'a>>,
) -> wgpu::BindGroup {
    let entries: Vec<_> = resources.into_iter().zip(0..).map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource }).collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}
