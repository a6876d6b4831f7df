//! The formats of the textures that pipelines draw into, and their depth test.

/// Linear light behind transmissive surfaces.
pub(crate) const BACKDROP_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Coverage by selected geometry, 0 to 1.
pub(crate) const MASK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Index of a vertex and number of a draw.
pub(crate) const PICKING_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;
/// Reversed depth of the scene and the shadow map.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Format and samples of a texture that the scene is drawn into.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SceneTarget {
    /// An sRGB format. Shaders write linear light, blending and MSAA work on linear light, and the stored bytes are the picture's.
    pub format: wgpu::TextureFormat,
    /// Samples per pixel, 1 or 4.
    pub samples: u32,
}

impl SceneTarget {
    /// Returns the scene's target. `target_format` is the plain format of the renderer's pictures.
    pub fn new(target_format: wgpu::TextureFormat, samples: u32) -> Self {
        Self { format: target_format.add_srgb_suffix(), samples: if samples > 1 { 4 } else { 1 } }
    }
}

/// Depth test for reversed depth: nearer is larger.
pub(crate) fn depth_state(write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}
