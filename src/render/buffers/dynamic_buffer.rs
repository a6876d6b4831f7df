//! A buffer that is written every frame: it grows when it must, gives back what it no longer needs, and what did not change
//! is not uploaded again.

use crate::render::device::gpu::Gpu;

/// Of more, comparing costs about what uploading costs, and the copy to compare with as much memory again: that is only done
/// while it stands still, which a few bytes of it tell.
const COMPARED: usize = 1 << 20;
/// Of each part so many pieces of so many bytes.
const PIECES: [usize; 2] = [64, 64];

pub(crate) struct DynamicBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
    /// What the buffer holds, where that is compared.
    written: Vec<u8>,
    /// Of what the buffer holds, where that is much.
    pieces: Vec<u8>,
    /// Bytes that the last write uploaded.
    pub uploaded: u64,
}

impl DynamicBuffer {
    /// `least`: bytes of one element; a binding is never empty.
    pub fn new(gpu: &Gpu, label: &'static str, usage: wgpu::BufferUsages, least: usize) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let buffer = create(gpu, label, usage, least as u64);
        Self { label, usage, buffer, written: Vec::new(), pieces: Vec::new(), uploaded: 0 }
    }

    /// Writes these parts one after the other. True when the buffer is another one now, so that what binds it must bind it
    /// anew.
    pub fn write(&mut self, gpu: &Gpu, parts: &[&[u8]]) -> bool {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.uploaded = 0;
        if self.holds(parts, length) {
            return false;
        }
        let (needed, size) = (length as u64, self.buffer.size());
        let new = needed > size || (size > COMPARED as u64 && needed < size / 4);
        if new {
            self.buffer = create(gpu, self.label, self.usage, needed.next_power_of_two().max(COMPARED.min(size as usize) as u64));
        }
        let mut at = 0;
        for part in parts {
            gpu.queue.write_buffer(&self.buffer, at, part);
            at += part.len() as u64;
        }
        self.uploaded = needed;
        let pieces = if length <= COMPARED { Vec::new() } else { pieces(parts) };
        let stands_still = pieces == self.pieces;
        self.pieces = pieces;
        if length > COMPARED && !stands_still {
            self.written = Vec::new();
        } else {
            self.written.clear();
            parts.iter().for_each(|part| self.written.extend_from_slice(part));
        }
        new
    }

    fn holds(&self, parts: &[&[u8]], length: usize) -> bool {
        let mut rest = &self.written[..];
        length <= rest.len()
            && parts.iter().all(|part| {
                let (begin, after) = rest.split_at(part.len());
                rest = after;
                begin == *part
            })
    }

    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

fn pieces(parts: &[&[u8]]) -> Vec<u8> {
    let [count, bytes] = PIECES;
    let of_part =
        |part: &&[u8]| part.chunks((part.len() / count).max(1)).flat_map(|piece| piece.iter().take(bytes).copied()).collect::<Vec<_>>();
    parts.iter().flat_map(of_part).collect()
}

/// Never larger than what can be bound whole.
fn create(gpu: &Gpu, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    let limits = gpu.device.limits();
    let size = size.min(limits.max_buffer_size).min(limits.max_storage_buffer_binding_size);
    gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
