//! The textures that a picture is drawn into before the last pass, made anew when the size changes.

use super::gpu::Gpu;
use super::pipelines::{DEPTH_FORMAT, OVERLAY_FORMAT, SCENE_FORMAT};

pub(super) struct Targets {
    pub size: [u32; 2],
    /// Linear, premultiplied, one sample a pixel.
    pub scene: wgpu::TextureView,
    /// What is drawn into with MSAA, to be resolved into `scene`.
    pub samples: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
    /// Lines over the picture; made when there are any.
    pub overlay: Option<Overlay>,
}

/// Bytes, premultiplied.
#[derive(Clone)]
pub(super) struct Overlay {
    /// One sample a pixel.
    pub resolved: wgpu::TextureView,
    /// What is drawn into with MSAA.
    pub samples: Option<wgpu::TextureView>,
}

impl Targets {
    pub fn new(gpu: &Gpu, size: [u32; 2], samples: u32) -> Self {
        Self {
            size,
            scene: texture(gpu, "scene", size, 1, SCENE_FORMAT, true),
            samples: (samples > 1).then(|| texture(gpu, "scene samples", size, samples, SCENE_FORMAT, false)),
            depth: texture(gpu, "depth", size, samples, DEPTH_FORMAT, false),
            overlay: None,
        }
    }

    pub fn overlay(&mut self, gpu: &Gpu, samples: u32) -> Overlay {
        let size = self.size;
        let made = || Overlay {
            resolved: texture(gpu, "overlay", size, 1, OVERLAY_FORMAT, true),
            samples: (samples > 1).then(|| texture(gpu, "overlay samples", size, samples, OVERLAY_FORMAT, false)),
        };
        self.overlay.get_or_insert_with(made).clone()
    }
}

pub(super) fn texture(gpu: &Gpu, label: &str, size: [u32; 2], samples: u32, format: wgpu::TextureFormat, read: bool) -> wgpu::TextureView {
    let read = if read { wgpu::TextureUsages::TEXTURE_BINDING } else { wgpu::TextureUsages::empty() };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | read,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
