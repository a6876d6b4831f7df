//! The formats of the textures that pipelines draw into, and their depth test.

use crate::render::picture::Msaa;

/// Format of the backdrop: linear light behind transmissive surfaces.
pub(crate) const BACKDROP_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Format of the selection mask: coverage by selected geometry, 0 to 1.
pub(crate) const MASK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Format of the picking target: index of a vertex, and index of a draw plus 1.
pub(crate) const PICKING_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;
/// Format of the reversed depth of the scene and the shadow map.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Format and samples of a texture that the scene is drawn into.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SceneTarget {
    /// An sRGB format. Shaders write linear light, and blending and MSAA work on linear light, but the stored bytes are those of the
    /// picture.
    pub format: wgpu::TextureFormat,
    pub samples: Msaa,
}

impl SceneTarget {
    /// Returns the scene's target. `target_format` is the plain format of the renderer's pictures.
    pub fn new(target_format: wgpu::TextureFormat, samples: Msaa) -> Self {
        Self { format: target_format.add_srgb_suffix(), samples }
    }
}

/// Returns a depth test for reversed depth, where nearer surfaces have larger values. `write` tells whether depth is written.
pub(crate) fn depth_state(write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}
