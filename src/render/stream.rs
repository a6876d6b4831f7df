//! A buffer that is written every frame: it grows when it must, and what did not change is not uploaded again.

use super::gpu::Gpu;

pub(super) struct Stream {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
    /// What the buffer holds.
    written: Vec<u8>,
}

impl Stream {
    /// `least`: bytes of one element; a binding is never empty.
    pub fn new(gpu: &Gpu, label: &'static str, usage: wgpu::BufferUsages, least: usize) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let buffer = create(gpu, label, usage, least as u64);
        Self { label, usage, buffer, written: Vec::new() }
    }

    /// True when the buffer is another one now, so that what binds it must bind it anew.
    pub fn write(&mut self, gpu: &Gpu, bytes: &[u8]) -> bool {
        if bytes.len() <= self.written.len() && self.written[..bytes.len()] == *bytes {
            return false;
        }
        let grown = bytes.len() as u64 > self.buffer.size();
        if grown {
            self.buffer = create(gpu, self.label, self.usage, (bytes.len() as u64).next_power_of_two());
        }
        gpu.queue.write_buffer(&self.buffer, 0, bytes);
        self.written.clear();
        self.written.extend_from_slice(bytes);
        grown
    }

    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

fn create(gpu: &Gpu, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    let limit = gpu.device.limits().max_buffer_size;
    gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size: size.min(limit), usage, mapped_at_creation: false })
}
