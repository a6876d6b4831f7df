//! A GPU buffer that may be written every frame. The buffer grows and shrinks with its content, and is not uploaded again if the content
//! has not changed.

use crate::render::device::gpu::Gpu;

/// Content up to this size, in bytes, is always compared with a copy. Comparing larger content costs as much as uploading it, and the copy
/// costs memory, so larger content is compared only while samples of it stay the same.
const MAX_COMPARED_BYTES: usize = 1 << 20;
/// Approximate number of samples per part, and bytes per sample.
const SAMPLES: [usize; 2] = [64, 64];

/// A buffer that can tell whether its content changed.
pub(crate) struct DynamicBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
    /// Copy of the content. Empty if the content is not compared.
    written: Vec<u8>,
    /// Samples of content larger than [`MAX_COMPARED_BYTES`]; else empty.
    samples: Vec<u8>,
    /// Bytes that the last write uploaded.
    pub uploaded: u64,
}

impl DynamicBuffer {
    /// Creates a buffer. `min_bytes` is the size of one element, because a binding must not be empty. `usage` need not include copying.
    pub fn new(gpu: &Gpu, label: &'static str, usage: wgpu::BufferUsages, min_bytes: usize) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let buffer = create(gpu, label, usage, min_bytes as u64);
        Self { label, usage, buffer, written: Vec::new(), samples: Vec::new(), uploaded: 0 }
    }

    /// Writes the parts one after another. Returns whether the buffer was replaced and must be bound again.
    pub fn write(&mut self, gpu: &Gpu, parts: &[&[u8]]) -> bool {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.uploaded = 0;
        if self.holds(parts, length) {
            return false;
        }
        let (needed, size) = (length as u64, self.buffer.size());
        // Shrink the buffer only if it is large and mostly unused. Otherwise it would be replaced too often.
        let is_new = needed > size || (size > MAX_COMPARED_BYTES as u64 && needed < size / 4);
        if is_new {
            self.buffer = create(gpu, self.label, self.usage, needed.next_power_of_two().max(MAX_COMPARED_BYTES.min(size as usize) as u64));
        }
        let mut offset = 0;
        for part in parts {
            gpu.queue.write_buffer(&self.buffer, offset, part);
            offset += part.len() as u64;
        }
        self.uploaded = needed;
        let samples = if length <= MAX_COMPARED_BYTES { Vec::new() } else { samples(parts) };
        // Equal samples suggest that the content does not change. Only then is it worth keeping a copy, which the next write can compare
        // with its content.
        let is_unchanged = samples == self.samples;
        self.samples = samples;
        if length > MAX_COMPARED_BYTES && !is_unchanged {
            self.written = Vec::new();
        } else {
            self.written.clear();
            parts.iter().for_each(|part| self.written.extend_from_slice(part));
        }
        is_new
    }

    /// Returns whether the buffer begins with exactly these parts.
    fn holds(&self, parts: &[&[u8]], length: usize) -> bool {
        let mut rest = &self.written[..];
        length <= rest.len()
            && parts.iter().all(|part| {
                let (begin, after) = rest.split_at(part.len());
                rest = after;
                begin == *part
            })
    }

    /// Returns the buffer of the last write.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

/// Takes samples of each part, at regular distances.
fn samples(parts: &[&[u8]]) -> Vec<u8> {
    let [count, bytes] = SAMPLES;
    let part_samples =
        |part: &&[u8]| part.chunks((part.len() / count).max(1)).flat_map(|piece| piece.iter().take(bytes).copied()).collect::<Vec<_>>();
    parts.iter().flat_map(part_samples).collect()
}

/// Creates a buffer, at most as large as the device allows, or can bind if it is a storage buffer.
fn create(gpu: &Gpu, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    let limits = gpu.device.limits();
    let bindable = if usage.contains(wgpu::BufferUsages::STORAGE) { limits.max_storage_buffer_binding_size } else { u64::MAX };
    let size = size.min(limits.max_buffer_size).min(bindable);
    gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
