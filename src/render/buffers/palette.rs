//! The joint palette of a page ([`super::palette_pages`]). It is a storage buffer. On software rasterizers it is a texture with the same
//! bytes, because they fetch texels for eight vertices at once, but the numbers in a buffer one by one.

use std::ops::Range;

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::render::device::gpu::Gpu;

use super::dynamic_buffer::DynamicBuffer;

/// Matrices per row of the texture. Keep in sync with palette_texels.wgsl.
const MATRICES_PER_ROW: u32 = 1024;
/// Texels of a matrix, one for each of its rows. Keep in sync with palette_texels.wgsl.
const TEXELS_PER_MATRIX: u32 = 3;
/// Bytes per row of the texture.
const ROW_BYTES: u32 = MATRICES_PER_ROW * size_of::<JointMatrix>() as u32;

/// The matrices of a page on the GPU.
pub(crate) struct Palette {
    /// The matrices as a buffer. On software rasterizers they are copied into the texture.
    matrices: DynamicBuffer,
    /// The texture. `None` on graphics cards.
    texels: Option<wgpu::TextureView>,
}

/// Returns the largest palette that the device can bind, in bytes.
pub(crate) fn max_bytes(gpu: &Gpu) -> u64 {
    let limits = gpu.device.limits();
    let rows = if gpu.is_hardware() { u32::MAX } else { limits.max_texture_dimension_2d };
    limits.max_storage_buffer_binding_size.min(u64::from(ROW_BYTES) * u64::from(rows))
}

impl Palette {
    /// Creates a palette for one matrix.
    pub fn new(gpu: &Gpu) -> Self {
        let usage = if gpu.is_hardware() { wgpu::BufferUsages::empty() } else { wgpu::BufferUsages::COPY_SRC };
        Self {
            matrices: DynamicBuffer::new(gpu, "palette", wgpu::BufferUsages::STORAGE | usage, size_of::<JointMatrix>()),
            texels: (!gpu.is_hardware()).then(|| texture(gpu, 1)),
        }
    }

    /// Uploads the matrices in `parts`, one part after another. Returns whether the resource to bind was replaced.
    pub fn write(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, parts: &[&[u8]]) -> bool {
        let new = self.matrices.write(gpu, parts);
        let Some(texels) = &mut self.texels else { return new };
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let matrices = (length / size_of::<JointMatrix>()) as u32;
        let needed = matrices.div_ceil(MATRICES_PER_ROW).max(1);
        let height = texels.texture().height();
        let is_new = needed > height || needed < height / 4;
        if is_new {
            *texels = texture(gpu, needed.next_power_of_two().min(gpu.device.limits().max_texture_dimension_2d));
        }
        let rows = if is_new { std::iter::once(0..needed).collect() } else { rows_of(&self.matrices.changed) };
        for rows in rows {
            self.copy_rows(encoder, rows, matrices);
        }
        is_new
    }

    /// Records a copy of rows from the buffer, which has this number of matrices, to the texture.
    fn copy_rows(&self, encoder: &mut wgpu::CommandEncoder, rows: Range<u32>, matrices: u32) {
        // Copy all full rows first, then the remaining matrices to the last row.
        let full = rows.end.min(matrices / MATRICES_PER_ROW);
        self.copy(encoder, [rows.start, full.saturating_sub(rows.start)], MATRICES_PER_ROW);
        if full < rows.end {
            self.copy(encoder, [full, 1], matrices % MATRICES_PER_ROW);
        }
    }

    /// Records a copy from the buffer to the texture: `count` rows, starting at row `first`, with `matrices` matrices in each row.
    fn copy(&self, encoder: &mut wgpu::CommandEncoder, [first, count]: [u32; 2], matrices: u32) {
        let Some(texels) = self.texels.as_ref().filter(|_| count > 0 && matrices > 0) else { return };
        let layout = wgpu::TexelCopyBufferLayout {
            offset: u64::from(first * ROW_BYTES),
            bytes_per_row: Some(ROW_BYTES),
            rows_per_image: Some(count),
        };
        let mut target = texels.texture().as_image_copy();
        target.origin.y = first;
        let size = wgpu::Extent3d { width: matrices * TEXELS_PER_MATRIX, height: count, depth_or_array_layers: 1 };
        encoder.copy_buffer_to_texture(wgpu::TexelCopyBufferInfo { buffer: self.matrices.buffer(), layout }, target, size);
    }

    /// Returns the resource to bind: buffer or texture.
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        match &self.texels {
            Some(texels) => wgpu::BindingResource::TextureView(texels),
            None => self.matrices.buffer().as_entire_binding(),
        }
    }

    /// Returns the bytes that the last write uploaded.
    pub fn uploaded(&self) -> u64 {
        self.matrices.uploaded
    }
}

/// The rows of the texture that hold these ranges of bytes, which are in ascending order. Adjacent rows are one range.
fn rows_of(changed: &[Range<usize>]) -> Vec<Range<u32>> {
    let mut all: Vec<Range<u32>> = Vec::new();
    for range in changed {
        let rows = (range.start / ROW_BYTES as usize) as u32..range.end.div_ceil(ROW_BYTES as usize) as u32;
        match all.last_mut().filter(|last| rows.start <= last.end) {
            Some(last) => last.end = rows.end,
            None => all.push(rows),
        }
    }
    all
}

/// Creates a texture for this number of rows of matrices.
fn texture(gpu: &Gpu, rows: u32) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("palette"),
        size: wgpu::Extent3d { width: MATRICES_PER_ROW * TEXELS_PER_MATRIX, height: rows, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
