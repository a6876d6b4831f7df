//! A GPU buffer that may be written every frame. The buffer grows and shrinks with its content. Only blocks of the content that have
//! changed are uploaded again.

use std::ops::Range;

use crate::render::device::gpu::Gpu;

/// Content up to this size, in bytes, is always compared with a copy. Comparing larger content costs as much as uploading it, and the copy
/// costs memory, so larger content is compared only while samples of it stay the same.
const MAX_COMPARED_BYTES: usize = 1 << 20;
/// Bytes that are compared, and uploaded, together. Each upload of a range has a cost of its own, so blocks are not smaller.
const BLOCK_BYTES: usize = 4096;
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
    /// The ranges that the last write uploaded, in bytes, in ascending order.
    pub changed: Vec<Range<usize>>,
    /// Bytes that the last write uploaded.
    pub uploaded: u64,
}

impl DynamicBuffer {
    /// Creates a buffer. `min_bytes` is the size of one element, because a binding must not be empty. `usage` need not include copying.
    pub fn new(gpu: &Gpu, label: &'static str, usage: wgpu::BufferUsages, min_bytes: usize) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let buffer = create(gpu, label, usage, min_bytes as u64);
        Self { label, usage, buffer, written: Vec::new(), samples: Vec::new(), changed: Vec::new(), uploaded: 0 }
    }

    /// Writes the parts one after another. Returns whether the buffer was replaced and must be bound again.
    pub fn write(&mut self, gpu: &Gpu, parts: &[&[u8]]) -> bool {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        self.changed.clear();
        let has_copy = length <= self.written.len();
        if has_copy {
            self.changed.extend(changed_ranges(parts, &self.written));
        }
        self.uploaded = self.changed.iter().map(|range| range.len() as u64).sum();
        if has_copy && self.changed.is_empty() {
            return false;
        }
        // The copy of large content is kept while a small part of it changes.
        if has_copy && length == self.written.len() && (length <= MAX_COMPARED_BYTES || 2 * self.uploaded <= length as u64) {
            self.write_changed(gpu, parts);
            return false;
        }
        self.write_all(gpu, parts, length)
    }

    /// Uploads the changed ranges. The copy has the same length as the parts.
    fn write_changed(&mut self, gpu: &Gpu, parts: &[&[u8]]) {
        let mut start = 0;
        for part in parts {
            let end = start + part.len();
            // A range does not extend beyond its part.
            for range in self.changed.iter().filter(|range| (start..end).contains(&range.start)) {
                let bytes = &part[range.start - start..range.end - start];
                gpu.queue.write_buffer(&self.buffer, range.start as u64, bytes);
                self.written[range.clone()].copy_from_slice(bytes);
            }
            start = end;
        }
    }

    /// Uploads all parts, whose total length is `length`. Returns whether the buffer was replaced.
    fn write_all(&mut self, gpu: &Gpu, parts: &[&[u8]], length: usize) -> bool {
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
        self.changed.clear();
        self.changed.push(0..length);
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

    /// Returns the buffer of the last write.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

/// The ranges of the parts, one part after another, whose bytes differ from those of `written`, in blocks of [`BLOCK_BYTES`]. `written` is
/// at least as long as the parts. Adjacent blocks of a part are one range.
fn changed_ranges(parts: &[&[u8]], written: &[u8]) -> Vec<Range<usize>> {
    let (mut ranges, mut offset): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
    for part in parts {
        let part_start = offset;
        for block in part.chunks(BLOCK_BYTES) {
            let range = offset..offset + block.len();
            offset = range.end;
            if written[range.clone()] == *block {
                continue;
            }
            match ranges.last_mut().filter(|last| last.end == range.start && range.start > part_start) {
                Some(last) => last.end = range.end,
                None => ranges.push(range),
            }
        }
    }
    ranges
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_blocks_that_differ_and_end_with_their_part() {
        let written = vec![0; 5 * BLOCK_BYTES];
        let mut parts = [vec![0; 3 * BLOCK_BYTES], vec![0; BLOCK_BYTES + 8]];
        let ranges = |parts: &[Vec<u8>; 2]| changed_ranges(&[&parts[0], &parts[1]], &written);
        assert_eq!(ranges(&parts).len(), 0);
        parts[0][BLOCK_BYTES + 5] = 1;
        assert_eq!(ranges(&parts), Vec::from_iter(std::iter::once(BLOCK_BYTES..2 * BLOCK_BYTES)));
        (parts[0][3 * BLOCK_BYTES - 1], parts[1][0], parts[1][BLOCK_BYTES]) = (1, 1, 1);
        assert_eq!(ranges(&parts), [BLOCK_BYTES..3 * BLOCK_BYTES, 3 * BLOCK_BYTES..4 * BLOCK_BYTES + 8]);
    }
}
