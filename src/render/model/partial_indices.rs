//! The indices of primitives that are not drawn whole, on the device: one buffer for all of a model, made when the switches change.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use wgpu::util::DeviceExt;

use crate::model::node::NodeIndex;
use crate::render::device::gpu::Gpu;
use crate::render::picture::Actor;
use crate::session::pose::geometry_mask::VisibleIndices;

/// What the actors of the last picture left out.
#[derive(Default)]
pub(crate) struct Cuts {
    known: Vec<(Arc<VisibleIndices>, Cut)>,
}

/// What is drawn of a primitive in place of all its indices.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub indices: wgpu::Buffer,
    pub range: Range<u32>,
}

struct Cut {
    buffer: wgpu::Buffer,
    ranges: BTreeMap<(NodeIndex, usize), Range<u32>>,
}

impl Cuts {
    /// For these actors, and no others.
    pub fn follow(&mut self, gpu: &Gpu, actors: &[Actor]) {
        self.known.retain(|(left, _)| actors.iter().any(|actor| Arc::ptr_eq(left, actor.left)));
        for actor in actors.iter().filter(|actor| !actor.left.is_empty()) {
            if !self.known.iter().any(|(left, _)| Arc::ptr_eq(left, actor.left)) {
                self.known.push((actor.left.clone(), Cut::new(gpu, actor.left)));
            }
        }
    }

    /// None: it is drawn whole.
    pub fn part(&self, actor: &Actor, node: NodeIndex, place: usize) -> Option<Part> {
        let (_, cut) = self.known.iter().find(|(left, _)| Arc::ptr_eq(left, actor.left))?;
        let range = cut.ranges.get(&(node, place))?.clone();
        Some(Part { indices: cut.buffer.clone(), range })
    }
}

impl Cut {
    fn new(gpu: &Gpu, left: &VisibleIndices) -> Self {
        let (mut ranges, mut all) = (BTreeMap::new(), Vec::new());
        for (primitive, indices) in left {
            let start = all.len() as u32;
            all.extend_from_slice(indices);
            ranges.insert(*primitive, start..all.len() as u32);
        }
        // A buffer is never empty.
        all.push(0);
        let contents = bytemuck::cast_slice(&all);
        let usage = wgpu::BufferUsages::INDEX;
        let buffer = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some("parts"), contents, usage });
        Self { buffer, ranges }
    }
}
