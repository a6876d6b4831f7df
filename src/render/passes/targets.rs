//! The textures that a picture is drawn into before the last pass, made anew when the size changes.

use wgpu::TextureUsages as Usage;

use crate::render::device::gpu::Gpu;
use crate::render::pipelines::{DEPTH_FORMAT, SceneTarget};

use super::Target;

pub(crate) struct Targets {
    pub size: [u32; 2],
    /// Premultiplied, one sample a pixel.
    pub scene: wgpu::TextureView,
    /// What is drawn into with MSAA, to be resolved into `scene`.
    pub samples: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
    /// Lines over the picture; made when there are any.
    pub overlay: Option<Overlay>,
}

/// Bytes, premultiplied.
#[derive(Clone)]
pub(crate) struct Overlay {
    /// One sample a pixel.
    pub resolved: wgpu::TextureView,
    /// What is drawn into with MSAA.
    pub samples: Option<wgpu::TextureView>,
}

impl Targets {
    pub fn new(gpu: &Gpu, size: [u32; 2], SceneTarget { format, samples }: SceneTarget) -> Self {
        let (read, unread) = (Usage::TEXTURE_BINDING | Usage::COPY_SRC, Usage::empty());
        let samples_of = |label, format| texture(gpu, label, size, SceneTarget { format, samples }, unread);
        Self {
            size,
            scene: texture(gpu, "scene", size, SceneTarget { format, samples: 1 }, read),
            samples: (samples > 1).then(|| samples_of("scene samples", format)),
            depth: samples_of("depth", DEPTH_FORMAT),
            overlay: None,
        }
    }

    pub fn views(&self) -> impl Iterator<Item = &wgpu::TextureView> {
        let overlay = self.overlay.iter().flat_map(|overlay| [Some(&overlay.resolved), overlay.samples.as_ref()]);
        [Some(&self.scene), self.samples.as_ref(), Some(&self.depth)].into_iter().chain(overlay).flatten()
    }

    /// To draw the scene into, cleared.
    pub fn scene_target(&self) -> Target<'_> {
        let (view, resolve) = match &self.samples {
            Some(samples) => (samples, Some(&self.scene)),
            None => (&self.scene, None),
        };
        Target { resolve, depth: Some(&self.depth), ..Target::cleared(view) }
    }

    pub fn overlay(&mut self, gpu: &Gpu, target: SceneTarget) -> Overlay {
        let size = self.size;
        let SceneTarget { format, samples } = target;
        let made = || Overlay {
            resolved: texture(gpu, "overlay", size, SceneTarget { format, samples: 1 }, Usage::TEXTURE_BINDING),
            samples: (samples > 1).then(|| texture(gpu, "overlay samples", size, target, Usage::empty())),
        };
        self.overlay.get_or_insert_with(made).clone()
    }
}

pub(crate) fn texture(
    gpu: &Gpu,
    label: &str,
    size: [u32; 2],
    SceneTarget { format, samples }: SceneTarget,
    usage: Usage,
) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: Usage::RENDER_ATTACHMENT | usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
