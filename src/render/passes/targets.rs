//! The scene's textures: resolved color, MSAA samples and depth. They are made again when the size changes.

use wgpu::TextureUsages as Usage;

use crate::render::device::gpu::Gpu;
use crate::render::picture::Msaa;
use crate::render::pipelines::target::{DEPTH_FORMAT, SceneTarget};

use super::context::PassTarget;

/// The textures that a scene is drawn into.
pub(crate) struct Targets {
    /// Width and height in texels.
    pub size: [u32; 2],
    /// Resolved color, premultiplied by alpha, one sample per pixel.
    pub scene: wgpu::TextureView,
    /// MSAA samples that are resolved into `scene`; `None` without MSAA.
    pub samples: Option<wgpu::TextureView>,
    /// Reversed depth, with the same number of samples as the color.
    pub depth: wgpu::TextureView,
}

impl Targets {
    /// Creates the textures. Shaders and copies can read only the resolved color.
    pub fn new(gpu: &Gpu, size: [u32; 2], SceneTarget { format, samples }: SceneTarget) -> Self {
        let (read, unread) = (Usage::TEXTURE_BINDING | Usage::COPY_SRC, Usage::empty());
        let multisampled = |label, format| texture(gpu, label, size, SceneTarget { format, samples }, unread);
        Self {
            size,
            scene: texture(gpu, "scene", size, SceneTarget { format, samples: Msaa::One }, read),
            samples: (samples == Msaa::Four).then(|| multisampled("scene samples", format)),
            depth: multisampled("depth", DEPTH_FORMAT),
        }
    }

    /// Returns whether the textures have this size and number of samples.
    pub fn fits(&self, size: [u32; 2], samples: Msaa) -> bool {
        self.size == size && self.samples.is_some() == (samples == Msaa::Four)
    }

    /// Lists the views of all textures.
    pub fn views(&self) -> impl Iterator<Item = &wgpu::TextureView> {
        [Some(&self.scene), self.samples.as_ref(), Some(&self.depth)].into_iter().flatten()
    }

    /// Returns the target of a pass that clears color and depth and draws the scene.
    pub fn pass_target(&self) -> PassTarget<'_> {
        PassTarget { depth: Some(&self.depth), ..PassTarget::multisampled(self.samples.as_ref(), &self.scene) }
    }
}

/// Creates a texture with one mip level that passes draw into. `usage` is added to [`Usage::RENDER_ATTACHMENT`].
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
        sample_count: samples.samples(),
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: Usage::RENDER_ATTACHMENT | usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
