//! Textures and samplers on the GPU.

use std::collections::HashMap;

use crate::model::material::{Sampler, Wrap};

use super::gpu::Gpu;
use super::mipmap::Levels;

/// Uploads all levels. `color`: sRGB, decoded to linear when it is sampled.
pub(super) fn upload(gpu: &Gpu, levels: &Levels, color: bool) -> wgpu::TextureView {
    let format = if color { wgpu::TextureFormat::Rgba8UnormSrgb } else { wgpu::TextureFormat::Rgba8Unorm };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("image"),
        size: wgpu::Extent3d { width: levels.width, height: levels.height, depth_or_array_layers: 1 },
        mip_level_count: levels.levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, bytes) in levels.levels.iter().enumerate() {
        let width = (levels.width >> level).max(1);
        let height = (levels.height >> level).max(1);
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level: level as u32,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            bytes,
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: Some(height) },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A texture of one texel.
pub(super) fn single(gpu: &Gpu, texel: [u8; 4]) -> wgpu::TextureView {
    upload(gpu, &Levels { width: 1, height: 1, levels: vec![texel.to_vec()] }, false)
}

/// Samplers, one for each distinct description.
#[derive(Debug, Default)]
pub(super) struct Samplers(HashMap<Sampler, wgpu::Sampler>);

impl Samplers {
    pub fn get(&mut self, gpu: &Gpu, sampler: Sampler) -> wgpu::Sampler {
        self.0.entry(sampler).or_insert_with(|| create(gpu, sampler)).clone()
    }
}

fn create(gpu: &Gpu, sampler: Sampler) -> wgpu::Sampler {
    let filter = |linear| if linear { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
    let wrap = |wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::MirroredRepeat => wgpu::AddressMode::MirrorRepeat,
        Wrap::ClampToEdge => wgpu::AddressMode::ClampToEdge,
    };
    let all_linear = sampler.mag_linear && sampler.min_linear && sampler.mip_linear == Some(true);
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("sampler"),
        address_mode_u: wrap(sampler.wrap_s),
        address_mode_v: wrap(sampler.wrap_t),
        mag_filter: filter(sampler.mag_linear),
        min_filter: filter(sampler.min_linear),
        mipmap_filter: if sampler.mip_linear == Some(true) { wgpu::MipmapFilterMode::Linear } else { wgpu::MipmapFilterMode::Nearest },
        // Without mip maps: the first level, but enough range to tell magnification from minification.
        lod_max_clamp: if sampler.mip_linear.is_some() { 32.0 } else { 0.25 },
        // Sharper at grazing angles; on the processor it would cost more than it gives.
        anisotropy_clamp: if all_linear && gpu.is_hardware() { 8 } else { 1 },
        ..Default::default()
    })
}
