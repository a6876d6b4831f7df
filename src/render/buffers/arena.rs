//! Assigns data of many small meshes to ranges of a few large buffers. For a small mesh, a separate buffer costs the driver more than the
//! vertices themselves. Draw calls whose indices are in the same buffer also need to bind that buffer only once.

use std::ops::Range;

use crate::render::device::gpu::Gpu;

/// Maximum size of a buffer, in bytes. Data larger than this gets a buffer of its own.
const MAX_BLOCK_BYTES: u64 = 64 << 20;
/// Alignment of offsets, in bytes. Copies and index buffers need it.
const ALIGNMENT: u64 = 4;

/// A reserved range of a buffer that may not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reservation {
    /// Index of the buffer.
    block: usize,
    /// The reserved range, in bytes.
    range: Range<u64>,
}

/// Reserves ranges of buffers of one usage.
#[derive(Default)]
pub(crate) struct Arena {
    /// Number of bytes reserved in each buffer, by index of the buffer.
    blocks: Vec<u64>,
}

/// A range of a buffer, in bytes. A clone shares the buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BufferRange {
    pub buffer: wgpu::Buffer,
    pub range: Range<u64>,
}

impl Arena {
    /// Reserves a range of this number of bytes. If all ranges hold elements of one size, and that size is a multiple of 4, all offsets are
    /// multiples of that size.
    pub fn reserve(&mut self, bytes: u64) -> Reservation {
        let start = self.blocks.last().filter(|taken| **taken + bytes <= MAX_BLOCK_BYTES).copied();
        if start.is_none() {
            self.blocks.push(0);
        }
        let (start, block) = (start.unwrap_or(0), self.blocks.len() - 1);
        self.blocks[block] = (start + bytes).next_multiple_of(ALIGNMENT);
        Reservation { block, range: start..start + bytes }
    }

    /// Creates the buffers that the reserved ranges need.
    pub fn buffers(&self, gpu: &Gpu, label: &str, usage: wgpu::BufferUsages) -> Vec<wgpu::Buffer> {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let create =
            |&size: &u64| gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false });
        self.blocks.iter().map(create).collect()
    }
}

impl Reservation {
    /// Returns the range in one of the buffers that [`Arena::buffers`] created.
    pub fn buffer_range(&self, buffers: &[wgpu::Buffer]) -> BufferRange {
        BufferRange { buffer: buffers[self.block].clone(), range: self.range.clone() }
    }
}

impl BufferRange {
    /// Returns the range of a whole buffer.
    pub fn whole(buffer: &wgpu::Buffer) -> Self {
        Self { buffer: buffer.clone(), range: 0..buffer.size() }
    }

    /// Returns the size of the range, in bytes.
    pub fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Returns the range as vertex or index buffer.
    pub fn slice(&self) -> wgpu::BufferSlice<'_> {
        self.buffer.slice(self.range.clone())
    }
}
