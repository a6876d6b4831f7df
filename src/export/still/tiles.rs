//! Draws a picture in tiles and reads each of them back, so that a large picture needs no large texture.

use std::ops::Range;

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
    let margin = if actors.iter().any(|actor| actor.gpu.has_lines_or_points()) { LINE_MARGIN } else { 0 };
    let grid = TileGrid::new(picture.tile.picture, largest_tile.map(|side| side / picture.resolution.texels(1)), margin);
    if let Some(progress) = progress {
        progress.start_tiles(grid.tiles().count());
    }
    // A command that the driver refuses, for example because a buffer is too large, would leave a blank picture.
    let drawn = gpu.checked(|| -> Result<(), ExportError> {
        let [width, height] = grid.texture_size();
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("still"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: renderer.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
        for tile in grid.tiles() {
            if progress.is_some_and(ExportProgress::is_canceled) {
                return Err(ExportError::Canceled);
            }
            picture.tile.origin = tile.origin;
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let viewport = Viewport { target: &target, rect: [0, 0, tile.size[0], tile.size[1]] };
            renderer.draw(gpu, &mut encoder, &viewport, &picture, actors);
            readback::read_rows(gpu, encoder, &texture, tile.size, |row, pixels| {
                let Some((start, pixels)) = tile.kept_pixels(row, pixels) else { return };
                let start = (start[1] as usize * grid.picture[0] as usize + start[0] as usize) * 4;
                let target_row = &mut rgba[start..start + pixels.len()];
                target_row.copy_from_slice(pixels);
                // The picture is RGBA.
                if renderer.target_format == wgpu::TextureFormat::Bgra8Unorm {
                    target_row.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
                }
            })?;
            progress.inspect(|progress| progress.count_tile());
        }
        Ok(())
    });
    drawn.map_err(ExportError::Draw)?
}

/// Divides a picture into tiles. All sizes are in pixels.
struct TileGrid {
    /// Width and height of the picture.
    picture: [u32; 2],
    /// Width and height of the part of the picture that a tile fills.
    side: [u32; 2],
    /// Pixels that a tile draws beyond this part on each side, unless the picture ends there.
    margin: u32,
}

/// A tile of a picture. Positions are in pixels from the top left corner of the picture.
struct PictureTile {
    /// The part of the picture that the tile fills.
    kept: [Range<u32>; 2],
    /// Top left corner of the drawn part, which has a margin around the kept part.
    origin: [u32; 2],
    /// Width and height of the drawn part.
    size: [u32; 2],
}

impl TileGrid {
    /// Divides a picture into tiles of which no side is drawn larger than `largest`, but at least two pixels large without its margins.
    fn new(picture: [u32; 2], largest: [u32; 2], margin: u32) -> Self {
        // Tile sides are even, so that no block of 2x2 pixels is split: shaders compute derivatives over such blocks.
        let largest = largest.map(|side| side.max(2) & !1);
        let side = std::array::from_fn(|axis| match picture[axis] <= largest[axis] {
            true => largest[axis],
            false => largest[axis].saturating_sub(2 * margin).max(2),
        });
        Self { picture, side, margin }
    }

    /// Width and height of a texture that every tile fits into.
    fn texture_size(&self) -> [u32; 2] {
        std::array::from_fn(|axis| self.picture[axis].min(self.side[axis].saturating_add(2 * self.margin)))
    }

    /// Lists the tiles row by row.
    fn tiles(&self) -> impl Iterator<Item = PictureTile> {
        let starts = |axis: usize| (0..self.picture[axis]).step_by(self.side[axis] as usize);
        starts(1).flat_map(move |y| starts(0).map(move |x| self.tile([x, y])))
    }

    /// The tile that fills the picture from this pixel on.
    fn tile(&self, start: [u32; 2]) -> PictureTile {
        let end: [u32; 2] = std::array::from_fn(|axis| self.side[axis].min(self.picture[axis] - start[axis]) + start[axis]);
        let origin = start.map(|start| start.saturating_sub(self.margin));
        PictureTile {
            kept: std::array::from_fn(|axis| start[axis]..end[axis]),
            origin,
            size: std::array::from_fn(|axis| (end[axis] + self.margin).min(self.picture[axis]) - origin[axis]),
        }
    }
}

impl PictureTile {
    /// The pixels of a drawn row that the picture keeps, and the position of the first of them. `None` if the row is part of a margin.
    /// A pixel has four bytes.
    fn kept_pixels<'p>(&self, row: u32, pixels: &'p [u8]) -> Option<([u32; 2], &'p [u8])> {
        let [columns, rows] = &self.kept;
        let y = self.origin[1] + row;
        let bytes = (columns.start - self.origin[0]) as usize * 4..(columns.end - self.origin[0]) as usize * 4;
        rows.contains(&y).then(|| ([columns.start, y], &pixels[bytes]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_fill_each_pixel_once_and_overlap_by_their_margins() {
        for (picture, largest, margin) in
            [([5, 3], [64, 64], 2), ([100, 7], [32, 32], 0), ([100, 70], [32, 16], 2), ([9, 9], [3, 3], 2), ([17, 1], [8, 1], 0)]
        {
            let grid = TileGrid::new(picture, largest, margin);
            let mut filled = vec![0; (picture[0] * picture[1]) as usize];
            for tile in grid.tiles() {
                assert!((0..2).all(|axis| tile.size[axis] <= grid.texture_size()[axis]), "{picture:?} {largest:?} {margin}");
                let drawn = [0, 1].map(|axis| tile.origin[axis]..tile.origin[axis] + tile.size[axis]);
                let wanted = [0, 1].map(|axis| {
                    let kept = &tile.kept[axis];
                    kept.start.saturating_sub(margin)..(kept.end + margin).min(picture[axis])
                });
                assert_eq!(drawn, wanted);
                for row in 0..tile.size[1] {
                    // Each pixel has its number in the picture as value.
                    let number = |column: u32| (tile.origin[1] + row) * picture[0] + tile.origin[0] + column;
                    let pixels: Vec<u8> = (0..tile.size[0]).flat_map(|column| number(column).to_le_bytes()).collect();
                    let Some(([x, y], kept)) = tile.kept_pixels(row, &pixels) else { continue };
                    for (offset, pixel) in kept.as_chunks::<4>().0.iter().enumerate() {
                        let at = (y * picture[0] + x) as usize + offset;
                        assert_eq!(u32::from_le_bytes(*pixel) as usize, at);
                        filled[at] += 1;
                    }
                }
            }
            assert!(filled.iter().all(|count| *count == 1), "{picture:?} {largest:?} {margin}");
        }
    }
}
