//! Buffers filled in pieces: on its way to the device a piece is held once more, never the whole.

use bytemuck::Pod;

use crate::render::device::gpu::Gpu;

/// What is packed at a time.
const PIECE: usize = 1 << 20;
/// What is on its way at a time.
const MAX_BYTES_IN_FLIGHT: usize = 4 << 20;

pub(crate) struct StagedUpload<'a> {
    pub gpu: &'a Gpu,
    /// Bytes handed over since the device was last waited for.
    waiting: usize,
}

impl<'a> StagedUpload<'a> {
    pub fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, waiting: 0 }
    }

    /// A buffer of `count` elements, each made when it is its turn. `T` takes a multiple of four bytes.
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
