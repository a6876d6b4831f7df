//! Uploads buffers in pieces, so that at most one piece is held in staging memory, never the whole buffer.

use bytemuck::Pod;

use crate::render::device::gpu::Gpu;

/// Size of a piece, in bytes.
const PIECE: usize = 1 << 20;
/// Limit of pending uploads, in bytes.
const MAX_BYTES_IN_FLIGHT: usize = 4 << 20;

pub(crate) struct StagedUpload<'a> {
    pub gpu: &'a Gpu,
    /// Bytes submitted since the last wait for the device.
    waiting: usize,
}

impl<'a> StagedUpload<'a> {
    pub fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, waiting: 0 }
    }

    /// Creates a buffer of `count` elements, each computed on demand. The size of `T` is a multiple of four bytes.
    pub fn buffer<T: Pod>(&mut self, label: &str, usage: wgpu::BufferUsages, count: usize, element: impl Fn(usize) -> T) -> wgpu::Buffer {
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: (count * size_of::<T>()) as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let at_once = PIECE / size_of::<T>().max(1);
        let mut piece = Vec::with_capacity(at_once.min(count));
        for start in (0..count).step_by(at_once) {
            piece.clear();
            piece.extend((start..count.min(start + at_once)).map(&element));
            self.write(&buffer, start * size_of::<T>(), bytemuck::cast_slice(&piece));
        }
        buffer
    }

    fn write(&mut self, buffer: &wgpu::Buffer, offset: usize, bytes: &[u8]) {
        self.gpu.queue.write_buffer(buffer, offset as u64, bytes);
        self.waiting += bytes.len();
        if self.waiting >= MAX_BYTES_IN_FLIGHT {
            self.gpu.settle();
            self.waiting = 0;
        }
    }
}
