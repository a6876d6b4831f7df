//! Uploads buffers in pieces. The elements are computed piece by piece, so that main memory never holds a whole buffer.

use bytemuck::Pod;

use crate::render::device::gpu::Gpu;

/// Size of a piece, in bytes.
const PIECE_BYTES: usize = 1 << 20;
/// After this many bytes the upload waits for the device, so that the driver frees its copies.
const MAX_BYTES_IN_FLIGHT: usize = 4 << 20;

/// Uploads any number of buffers, and limits the bytes in flight of all of them together.
pub(crate) struct StagedUpload<'a> {
    pub gpu: &'a Gpu,
    /// Bytes submitted since the last wait for the device.
    bytes_in_flight: usize,
}

impl<'a> StagedUpload<'a> {
    /// Starts an upload with nothing in flight.
    pub fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, bytes_in_flight: 0 }
    }

    /// Creates a buffer of `count` elements, each computed when its piece is written. The size of `T` must be a multiple of four bytes.
    pub fn buffer<T: Pod>(&mut self, label: &str, usage: wgpu::BufferUsages, count: usize, element: impl Fn(usize) -> T) -> wgpu::Buffer {
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: (count * size_of::<T>()) as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let piece_len = PIECE_BYTES / size_of::<T>().max(1);
        let mut piece = Vec::with_capacity(piece_len.min(count));
        for start in (0..count).step_by(piece_len) {
            piece.clear();
            piece.extend((start..count.min(start + piece_len)).map(&element));
            self.write(&buffer, start * size_of::<T>(), bytemuck::cast_slice(&piece));
        }
        buffer
    }

    /// Writes a piece, and waits if too many bytes are in flight.
    fn write(&mut self, buffer: &wgpu::Buffer, offset: usize, bytes: &[u8]) {
        self.gpu.queue.write_buffer(buffer, offset as u64, bytes);
        self.bytes_in_flight += bytes.len();
        if self.bytes_in_flight >= MAX_BYTES_IN_FLIGHT {
            self.gpu.settle();
            self.bytes_in_flight = 0;
        }
    }
}
