//! Places the content of many small buffers into a few large ones: a buffer of its own costs the driver more than the vertices of a small
//! mesh, and draws that share a buffer need not bind it again.

use std::ops::Range;

use crate::render::device::gpu::Gpu;

/// Size of a buffer, in bytes, unless a single content is larger.
const MAX_BLOCK_BYTES: u64 = 64 << 20;
/// Offsets are multiples of this, in bytes, as copies and index buffers need it.
const ALIGNMENT: u64 = 4;

/// The place of a content before the buffers exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// Index of the buffer.
    block: usize,
    /// In bytes.
    range: Range<u64>,
}

/// Places of contents with the same usage.
#[derive(Default)]
pub(crate) struct Arena {
    /// Bytes taken of each buffer.
    blocks: Vec<u64>,
}

/// A range of a buffer, in bytes. A clone shares the buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BufferRange {
    pub buffer: wgpu::Buffer,
    pub range: Range<u64>,
}

impl Arena {
    /// Reserves a place for a content of this size. Elements keep their alignment if all contents have elements of one size.
    pub fn reserve(&mut self, bytes: u64) -> Place {
        let start = self.blocks.last().filter(|taken| **taken + bytes <= MAX_BLOCK_BYTES).copied();
        if start.is_none() {
            self.blocks.push(0);
        }
        let (start, block) = (start.unwrap_or(0), self.blocks.len() - 1);
        self.blocks[block] = (start + bytes).next_multiple_of(ALIGNMENT);
        Place { block, range: start..start + bytes }
    }

    /// Creates the buffers.
    pub fn buffers(&self, gpu: &Gpu, label: &str, usage: wgpu::BufferUsages) -> Vec<wgpu::Buffer> {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let create =
            |&size: &u64| gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false });
        self.blocks.iter().map(create).collect()
    }
}

impl Place {
    /// Returns the place in the buffers of its arena.
    pub fn within(&self, buffers: &[wgpu::Buffer]) -> BufferRange {
        BufferRange { buffer: buffers[self.block].clone(), range: self.range.clone() }
    }
}

impl BufferRange {
    /// Returns the range of a whole buffer.
    pub fn whole(buffer: &wgpu::Buffer) -> Self {
        Self { buffer: buffer.clone(), range: 0..buffer.size() }
    }

    /// Returns the size of the content, in bytes.
    pub fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Returns the range as vertex or index buffer.
    pub fn slice(&self) -> wgpu::BufferSlice<'_> {
        self.buffer.slice(self.range.clone())
    }
}
