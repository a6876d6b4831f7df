//! Group 0: what everything that is drawn reads.

use crate::render::device::gpu::Gpu;
use crate::render::passes;

use super::Layouts;

#[derive(Clone)]
pub(crate) struct FrameViews {
    /// The light from all around, and the table of the share of it that is mirrored.
    pub around: wgpu::TextureView,
    pub table: wgpu::TextureView,
    /// What the key lamp sees.
    pub shadow: wgpu::TextureView,
    /// What is behind transmissive surfaces.
    pub behind: wgpu::TextureView,
}

pub(crate) struct FrameSamplers {
    pub around: wgpu::Sampler,
    pub shadow: wgpu::Sampler,
    pub behind: wgpu::Sampler,
}

impl FrameSamplers {
    pub fn new(gpu: &Gpu) -> Self {
        let linear = wgpu::FilterMode::Linear;
        let smooth = wgpu::SamplerDescriptor { mag_filter: linear, min_filter: linear, ..Default::default() };
        let mipmap_filter = wgpu::MipmapFilterMode::Linear;
        // Depth is reversed.
        let compare = Some(wgpu::CompareFunction::GreaterEqual);
        let sampler = |descriptor| gpu.device.create_sampler(&descriptor);
        Self {
            around: sampler(wgpu::SamplerDescriptor { label: Some("environment"), mipmap_filter, ..smooth.clone() }),
            shadow: sampler(wgpu::SamplerDescriptor { label: Some("shadow map"), compare, ..smooth.clone() }),
            behind: sampler(wgpu::SamplerDescriptor { label: Some("behind"), ..smooth }),
        }
    }
}

pub(crate) fn group(
    gpu: &Gpu,
    layouts: &Layouts,
    [frame, lights]: [&wgpu::Buffer; 2],
    views: &FrameViews,
    samplers: &FrameSamplers,
) -> wgpu::BindGroup {
    use wgpu::BindingResource::{Sampler, TextureView};
    let resources = [
        frame.as_entire_binding(),
        lights.as_entire_binding(),
        TextureView(&views.around),
        Sampler(&samplers.around),
        TextureView(&views.table),
        TextureView(&views.shadow),
        Sampler(&samplers.shadow),
        TextureView(&views.behind),
        Sampler(&samplers.behind),
    ];
    passes::group(gpu, "frame", &layouts.frame, resources)
}
