//! Uploads buffers in pieces. The elements are computed piece by piece, so that main memory never holds a whole buffer.

use bytemuck::Pod;

use crate::render::device::gpu::Gpu;

/// Size of a piece, in bytes.
const PIECE_BYTES: usize = 1 << 20;
/// After this many bytes the upload waits for the device, so that the driver frees its copies.
const MAX_BYTES_IN_FLIGHT: usize = 4 << 20;

/// Uploads any number of buffers, and limits the bytes in flight of all these buffers together.
pub(crate) struct StagedUpload<'a> {
    pub gpu: &'a Gpu,
    /// The piece that is being filled.
    piece: Vec<u8>,
    /// The buffer that the piece belongs to, and the offset of the piece in it, in bytes. `None` before the first write.
    target: Option<(wgpu::Buffer, u64)>,
    /// Bytes submitted since the last wait for the device.
    bytes_in_flight: usize,
}

impl<'a> StagedUpload<'a> {
    /// Starts an upload without bytes in flight.
    pub fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, piece: Vec::new(), target: None, bytes_in_flight: 0 }
    }

    /// Creates a buffer of `count` elements, each computed when its piece is written. The size of `T` must be a multiple of four bytes.
    pub fn buffer<T: Pod>(&mut self, label: &str, usage: wgpu::BufferUsages, count: usize, element: impl Fn(usize) -> T) -> wgpu::Buffer {
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: (count * size_of::<T>()) as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.write(&buffer, 0, count, element);
        self.flush();
        buffer
    }

    /// Writes elements to a buffer, starting at an offset in bytes. The size of `T` and the offset must be multiples of four bytes.
    /// Consecutive writes to adjacent ranges are sent together, so the last ones are not sent before [`Self::flush`].
    pub fn write<T: Pod>(&mut self, buffer: &wgpu::Buffer, offset: u64, count: usize, element: impl Fn(usize) -> T) {
        let end = |(target, start): &(wgpu::Buffer, u64)| (target == buffer).then(|| start + self.piece.len() as u64);
        if self.target.as_ref().and_then(end) != Some(offset) {
            self.flush();
            self.target = Some((buffer.clone(), offset));
        }
        for index in 0..count {
            self.piece.extend_from_slice(bytemuck::bytes_of(&element(index)));
            if self.piece.len() >= PIECE_BYTES {
                self.flush();
            }
        }
    }

    /// Sends the piece that is being filled, and waits if too many bytes are in flight.
    pub fn flush(&mut self) {
        let Some((buffer, offset)) = self.target.as_mut().filter(|_| !self.piece.is_empty()) else { return };
        self.gpu.queue.write_buffer(buffer, *offset, &self.piece);
        *offset += self.piece.len() as u64;
        self.bytes_in_flight += self.piece.len();
        self.piece.clear();
        if self.bytes_in_flight >= MAX_BYTES_IN_FLIGHT {
            self.gpu.wait_idle();
            self.bytes_in_flight = 0;
        }
    }
}
