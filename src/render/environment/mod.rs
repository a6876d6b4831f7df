//! Image-based light: the built-in studio and panoramas. [`map`] builds an environment map on any thread, and [`EnvironmentLight`] holds it
//! on the GPU. `brdf_lut_texture` is the BRDF table that all surfaces use.

pub mod brdf_lut;
pub mod harmonics;
pub mod key_light;
pub mod map;
pub mod octahedral;
pub mod prefilter;
pub mod rgb9e5;
pub mod studio_map;
pub mod sun;

use super::device::gpu::Gpu;
use super::error::RenderError;

use harmonics::Irradiance;
use key_light::KeyLight;
use map::EnvironmentMap;

/// An environment map on the GPU. A clone shares the texture.
#[derive(Debug, Clone)]
pub struct EnvironmentLight {
    /// Octahedral map with one mip level per roughness.
    pub(crate) map: wgpu::TextureView,
    /// Index of the mip level for roughness 1.
    pub(crate) last_level: u32,
    /// Diffuse light, as a function of the normal.
    pub irradiance: Irradiance,
    /// The light that casts a shadow. `None` if no light does.
    pub key: Option<KeyLight>,
}

impl EnvironmentLight {
    /// Uploads a map, on any thread. Returns an error if GPU memory runs out.
    pub fn checked(gpu: &Gpu, map: &EnvironmentMap) -> Result<Self, RenderError> {
        gpu.within_memory(|| Self::new(gpu, map))
    }

    /// Uploads a map, on any thread. If GPU memory runs out, the caller's error scope catches the error.
    pub fn new(gpu: &Gpu, map: &EnvironmentMap) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("environment"),
            size: extent(map.size as u32),
            mip_level_count: map.levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgb9e5Ufloat,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (level, bytes) in map.levels.iter().enumerate() {
            write(gpu, &texture, level as u32, (map.size >> level) as u32, bytes);
        }
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { map: view, last_level: map.levels.len() as u32 - 1, irradiance: map.irradiance, key: map.key }
    }
}

/// Uploads the BRDF table.
pub(crate) fn brdf_lut_texture(gpu: &Gpu) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("BRDF table"),
        size: extent(brdf_lut::SIDE as u32),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rg16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    write(gpu, &texture, 0, brdf_lut::SIDE as u32, &studio_map::brdf_table());
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Returns the extent of a square texture.
fn extent(side: u32) -> wgpu::Extent3d {
    wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 }
}

/// Writes one mip level with four bytes per texel.
fn write(gpu: &Gpu, texture: &wgpu::Texture, mip_level: u32, side: u32, bytes: &[u8]) {
    let origin = wgpu::Origin3d::ZERO;
    let copy = wgpu::TexelCopyTextureInfo { texture, mip_level, origin, aspect: wgpu::TextureAspect::All };
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(side * 4), rows_per_image: Some(side) };
    gpu.queue.write_texture(copy, bytes, layout, extent(side));
}
