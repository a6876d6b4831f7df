//! Draws a picture in tiles and reads each of them back, so that a large picture needs no large texture.

use crate::render::actor::Actor;
use crate::render::device::gpu::Gpu;
use crate::render::device::readback;
use crate::render::picture::{Picture, Viewport};
use crate::render::renderer::Renderer;

use crate::export::error::ExportError;
use crate::export::formats::encoder::ExportProgress;

/// Maximum width and height of a tile, in texels: the pixels of the picture before supersampling averages them.
const MAX_TILE_SIDE: u32 = 2048;
/// Minimum number of pixels in a tile of a software rasterizer, where a pixel takes about 40 bytes of main memory.
const MIN_SOFTWARE_TILE_PIXELS: u32 = 1 << 16;
/// Minimum number of pixels per vertex in a tile of a software rasterizer. Every tile transforms all vertices, so models with many vertices
/// get larger tiles.
const TILE_PIXELS_PER_VERTEX: u32 = 4;
/// Pixels by which the tiles of a model with lines or points overlap on each side. The device clips lines and points by their center, so
/// the part of one that reaches into a neighboring tile would be missing there.
const LINE_MARGIN: u32 = 2;

/// Returns the width and height of a tile, in texels. A software rasterizer keeps tiles in main memory, so its tiles are wide, low bands.
/// Their height depends on the number of vertices.
pub fn tile_size(gpu: &Gpu, width: u32, vertices: usize) -> [u32; 2] {
    if gpu.is_hardware() {
        return [MAX_TILE_SIDE; 2];
    }
    let pixels = u32::try_from(vertices).unwrap_or(u32::MAX).saturating_mul(TILE_PIXELS_PER_VERTEX).max(MIN_SOFTWARE_TILE_PIXELS);
    [MAX_TILE_SIDE, (pixels / width.min(MAX_TILE_SIDE)).min(MAX_TILE_SIDE)]
}

/// Draws `picture` tile by tile into `rgba`, which has four bytes per pixel. `largest_tile` is in texels. `progress` counts the tiles.
/// Returns an error if the driver refuses to draw, reading back fails, GPU memory is short, or `progress` is canceled.
pub fn draw_tiles(
    gpu: &Gpu,
    renderer: &mut Renderer,
    mut picture: Picture,
    actors: &[Actor],
    rgba: &mut [u8],
    largest_tile: [u32; 2],
    progress: Option<&ExportProgress>,
) -> Result<(), ExportError> {
    let [width, height] = picture.tile.picture;
    // Tile sides are even, so that no block of 2x2 pixels is split: shaders compute derivatives over such blocks.
    let side = largest_tile.map(|side| (side / picture.resolution.texels(1)).max(2) & !1);
    let margin = if actors.iter().any(|actor| actor.gpu.has_lines_or_points()) { LINE_MARGIN } else { 0 };
    let side = std::array::from_fn(|axis| match picture.tile.picture[axis] <= side[axis] {
        true => side[axis],
        false => side[axis].saturating_sub(2 * margin).max(2),
    });
    let [drawn_width, drawn_height] = side.map(|side: u32| side.saturating_add(2 * margin));
    if let Some(progress) = progress {
        progress.start_tiles(width.div_ceil(side[0]) as usize * height.div_ceil(side[1]) as usize);
    }
    // The picture is RGBA, so the channels of a BGRA target are swapped.
    let is_bgra = matches!(renderer.target_format, wgpu::TextureFormat::Bgra8Unorm);
    // A command that the driver refuses, for example because a buffer is too large, would leave a blank picture.
    let drawn = gpu.checked(|| -> Result<(), ExportError> {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("still"),
            size: wgpu::Extent3d { width: width.min(drawn_width), height: height.min(drawn_height), depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: renderer.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
        for y in (0..height).step_by(side[1] as usize) {
            for x in (0..width).step_by(side[0] as usize) {
                if progress.is_some_and(ExportProgress::is_canceled) {
                    return Err(ExportError::Canceled);
                }
                let end = [side[0].min(width - x) + x, side[1].min(height - y) + y];
                let origin = [x, y].map(|start| start.saturating_sub(margin));
                let size = [(end[0] + margin).min(width) - origin[0], (end[1] + margin).min(height) - origin[1]];
                picture.tile.origin = origin;
                let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                renderer.draw(gpu, &mut encoder, &Viewport { target: &target, rect: [0, 0, size[0], size[1]] }, &picture, actors);
                readback::read_rows(gpu, encoder, &texture, size, |row, pixels| {
                    let row = origin[1] + row;
                    if !(y..end[1]).contains(&row) {
                        return;
                    }
                    let pixels = &pixels[(x - origin[0]) as usize * 4..][..(end[0] - x) as usize * 4];
                    let start = (row as usize * width as usize + x as usize) * 4;
                    let target_row = &mut rgba[start..start + pixels.len()];
                    target_row.copy_from_slice(pixels);
                    if is_bgra {
                        target_row.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
                    }
                })?;
                progress.inspect(|progress| progress.count_tile());
            }
        }
        Ok(())
    });
    drawn.map_err(ExportError::Draw)?
}
