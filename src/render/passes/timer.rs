//! Measures the GPU time of a frame with timestamps before and after its passes. The results arrive some frames later, and reading them
//! never blocks.

use std::sync::mpsc::{self, Receiver};

use crate::render::device::gpu::Gpu;

/// Number of frames that can be measured at the same time. Further frames are skipped.
const MAX_FRAMES_IN_FLIGHT: usize = 4;
/// Bytes of two timestamps.
const TIMESTAMPS_BYTES: u64 = 16;

/// Two timestamps per frame, and the buffers that they are read back through.
pub(crate) struct Timer {
    /// Query 0 is the beginning of a frame, query 1 its end.
    queries: wgpu::QuerySet,
    /// Receives the resolved queries. This buffer cannot be mapped, so it is copied to the readback buffer of the frame.
    resolved: wgpu::Buffer,
    /// Readback buffers, used in any order.
    frames: [Frame; MAX_FRAMES_IN_FLIGHT],
    /// Whether a pass of this frame writes the first timestamp.
    has_begun: bool,
    /// Milliseconds per tick.
    period: f64,
    /// Milliseconds of the last frame whose timestamps arrived.
    pub last_milliseconds: Option<f64>,
}

/// A readback buffer and its state.
struct Frame {
    buffer: wgpu::Buffer,
    state: State,
}

/// State of a readback buffer, which goes from free to recorded to mapping and back to free.
enum State {
    /// Available for a frame.
    Free,
    /// The frame's commands copy timestamps into the buffer.
    Recorded,
    /// The buffer is being mapped. The receiver gets whether mapping succeeded.
    Mapping(Receiver<bool>),
}

impl Timer {
    /// Makes a timer. Returns `None` if the adapter has no timestamps.
    pub fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let buffer = |label, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: TIMESTAMPS_BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        let (source, target) = (wgpu::BufferUsages::COPY_SRC, wgpu::BufferUsages::COPY_DST);
        Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("frame"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer("timestamps", wgpu::BufferUsages::QUERY_RESOLVE | source),
            frames: std::array::from_fn(|_| Frame {
                buffer: buffer("frame time", wgpu::BufferUsages::MAP_READ | target),
                state: State::Free,
            }),
            has_begun: false,
            period: f64::from(gpu.queue.get_timestamp_period()) / 1e6,
            last_milliseconds: None,
        })
    }

    /// Returns the timestamp writes of any pass but the last. The first pass of a frame writes the first timestamp; others get `None`.
    pub fn first_pass_writes(&mut self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let first = !std::mem::replace(&mut self.has_begun, true);
        first.then(|| self.writes(Some(0), None))
    }

    /// Returns the timestamp writes of the last pass, which writes the second timestamp. `None` if no pass writes the first one.
    pub fn last_pass_writes(&mut self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.has_begun.then(|| self.writes(None, Some(1)))
    }

    /// Returns timestamp writes into the queries with these indices.
    fn writes(&self, begin: Option<u32>, end: Option<u32>) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites { query_set: &self.queries, beginning_of_pass_write_index: begin, end_of_pass_write_index: end }
    }

    /// Returns whether a pass of this frame writes the first timestamp.
    pub fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Copies the frame's timestamps into a free buffer. Call it after the last pass.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if !std::mem::take(&mut self.has_begun) {
            return;
        }
        let Some(frame) = self.frames.iter_mut().find(|frame| matches!(frame.state, State::Free)) else { return };
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &frame.buffer, 0, TIMESTAMPS_BYTES);
        frame.state = State::Recorded;
    }

    /// Reads the timestamps that have arrived and starts mapping new ones. All recorded commands must have been submitted.
    pub fn collect(&mut self, gpu: &Gpu) {
        for frame in &mut self.frames {
            if matches!(frame.state, State::Recorded) {
                let (sender, receiver) = mpsc::channel();
                frame.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
                    // The receiver no longer exists if measuring has ended.
                    let _ = sender.send(result.is_ok());
                });
                frame.state = State::Mapping(receiver);
            }
        }
        if let Err(error) = gpu.device.poll(wgpu::PollType::Poll) {
            log::warn!("timestamps: {error}");
        }
        for frame in &mut self.frames {
            let State::Mapping(receiver) = &frame.state else { continue };
            let Ok(mapped) = receiver.try_recv() else { continue };
            if mapped {
                self.last_milliseconds = read(&frame.buffer).map(|ticks| ticks * self.period).or(self.last_milliseconds);
                frame.buffer.unmap();
            }
            frame.state = State::Free;
        }
    }
}

/// Returns the ticks from the first timestamp to the second. `None` if the buffer cannot be read.
fn read(buffer: &wgpu::Buffer) -> Option<f64> {
    let bytes = buffer.get_mapped_range(..).ok()?;
    let mut stamps = bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned::<u64>);
    let (begin, end) = (stamps.next()?, stamps.next()?);
    // On some drivers, timestamps within one tick may be in the wrong order.
    Some(end.saturating_sub(begin) as f64)
}
