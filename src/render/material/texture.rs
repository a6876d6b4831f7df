//! Textures and samplers of materials on the GPU.

use std::collections::HashMap;

use wgpu::{AstcBlock, AstcChannel, TextureFormat};

use crate::codec::texels::{DecodedImage, Encoding, Texels};
use crate::model::texture::{Sampler, Wrap};
use crate::render::device::gpu::Gpu;

use super::mipmap;

/// Software drivers get textures in pieces of about this size.
const SOFTWARE_PIECE_BYTES: u32 = 1 << 20;

/// Uploads an image with all its mip levels. Sampling decodes sRGB to linear light.
pub(crate) fn upload(gpu: &Gpu, image: &DecodedImage, encoding: Encoding) -> wgpu::TextureView {
    let format = format(image.texels, encoding);
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("image"),
        size: wgpu::Extent3d { width: image.width, height: image.height, depth_or_array_layers: 1 },
        mip_level_count: image.levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let block = image.texels.block();
    let mut bytes_in_flight = 0;
    for (level, bytes) in image.levels.iter().enumerate() {
        let [columns, rows] =
            [(image.width, block[0]), (image.height, block[1])].map(|(size, block)| (size >> level).max(1).div_ceil(block));
        let row_bytes = columns * image.texels.bytes();
        // A software driver keeps its copy of the written rows in main memory until it has finished the work submitted with them.
        let piece_rows = if gpu.is_hardware() { rows } else { (SOFTWARE_PIECE_BYTES / row_bytes).clamp(1, rows) };
        for first_row in (0..rows).step_by(piece_rows as usize) {
            let rows = piece_rows.min(rows - first_row);
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
                    mip_level: level as u32,
                    origin: wgpu::Origin3d { x: 0, y: first_row * block[1], z: 0 },
                    aspect: wgpu::TextureAspect::All,
                },
                &bytes[(first_row * row_bytes) as usize..],
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: Some(rows) },
                // The extent covers whole blocks, even if the level ends inside a block.
                wgpu::Extent3d { width: columns * block[0], height: rows * block[1], depth_or_array_layers: 1 },
            );
            bytes_in_flight += rows * row_bytes;
            if !gpu.is_hardware() && bytes_in_flight >= SOFTWARE_PIECE_BYTES {
                gpu.wait_idle();
                bytes_in_flight = 0;
            }
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Returns the texture format for texels of this kind.
fn format(texels: Texels, encoding: Encoding) -> TextureFormat {
    let format = match texels {
        Texels::Rgba8 => TextureFormat::Rgba8Unorm,
        Texels::Bc1 => TextureFormat::Bc1RgbaUnorm,
        Texels::Bc2 => TextureFormat::Bc2RgbaUnorm,
        Texels::Bc3 => TextureFormat::Bc3RgbaUnorm,
        Texels::Bc7 => TextureFormat::Bc7RgbaUnorm,
        Texels::Etc2Rgb => TextureFormat::Etc2Rgb8Unorm,
        Texels::Etc2Rgba1 => TextureFormat::Etc2Rgb8A1Unorm,
        Texels::Etc2Rgba8 => TextureFormat::Etc2Rgba8Unorm,
        Texels::Astc { width, height } => TextureFormat::Astc { block: astc_block(width, height), channel: AstcChannel::Unorm },
    };
    match encoding {
        Encoding::Srgb => format.add_srgb_suffix(),
        Encoding::Linear => format,
    }
}

/// Returns the ASTC block with this width and height, in texels.
fn astc_block(width: u8, height: u8) -> AstcBlock {
    match (width, height) {
        (5, 4) => AstcBlock::B5x4,
        (5, _) => AstcBlock::B5x5,
        (6, 5) => AstcBlock::B6x5,
        (6, _) => AstcBlock::B6x6,
        (8, 5) => AstcBlock::B8x5,
        (8, 6) => AstcBlock::B8x6,
        (8, _) => AstcBlock::B8x8,
        (10, 5) => AstcBlock::B10x5,
        (10, 6) => AstcBlock::B10x6,
        (10, 8) => AstcBlock::B10x8,
        (10, _) => AstcBlock::B10x10,
        (12, 10) => AstcBlock::B12x10,
        (12, _) => AstcBlock::B12x12,
        _ => AstcBlock::B4x4,
    }
}

/// Creates a linear texture of one texel.
pub(crate) fn single(gpu: &Gpu, texel: [u8; 4]) -> wgpu::TextureView {
    upload(gpu, &DecodedImage::rgba(1, 1, texel.to_vec()), Encoding::Linear)
}

/// Creates the texture that is shown for a missing color texture: a checkerboard of magenta and gray, with sixteen fields per side.
pub(crate) fn checker(gpu: &Gpu) -> wgpu::TextureView {
    const SIDE: usize = 256;
    const FIELD: usize = 16;
    let texel = |at: usize| match (at % SIDE / FIELD + at / SIDE / FIELD) % 2 {
        0 => [196, 80, 168, 255],
        _ => [92, 92, 96, 255],
    };
    let rgba = (0..SIDE * SIDE).flat_map(texel).collect();
    upload(gpu, &mipmap::chain(DecodedImage::rgba(SIDE as u32, SIDE as u32, rgba), Encoding::Srgb), Encoding::Srgb)
}

/// One GPU sampler for each distinct sampler of the model.
#[derive(Debug, Default)]
pub(crate) struct Samplers(HashMap<Sampler, wgpu::Sampler>);

impl Samplers {
    /// Returns the GPU sampler for a sampler of the model, created on first use.
    pub fn get(&mut self, gpu: &Gpu, sampler: Sampler) -> wgpu::Sampler {
        self.0.entry(sampler).or_insert_with(|| self::sampler(gpu, sampler)).clone()
    }
}

/// Creates a sampler.
pub(crate) fn sampler(gpu: &Gpu, sampler: Sampler) -> wgpu::Sampler {
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
        // Without mipmaps only the first level is read. The upper limit is greater than 0, so that the device can distinguish minification
        // from magnification.
        lod_max_clamp: if sampler.mip_linear.is_some() { 32.0 } else { 0.25 },
        // Anisotropic filtering keeps textures sharp at grazing angles. On software rasterizers it would make pictures take 1.5 times as
        // long.
        anisotropy_clamp: if all_linear && gpu.is_hardware() { 16 } else { 1 },
        ..Default::default()
    })
}
