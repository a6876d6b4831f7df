//! Index buffers of primitives that are drawn in part: one buffer for a model, made when the joint switches change.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use wgpu::util::DeviceExt;

use crate::model::node::NodeIndex;
use crate::render::actor::Actor;
use crate::render::device::gpu::Gpu;
use crate::session::pose::geometry_mask::VisibleIndices;

/// The index subsets of the last picture's actors.
#[derive(Default)]
pub(crate) struct IndexSubsets {
    known: Vec<(Arc<VisibleIndices>, SubsetBuffer)>,
}

/// A range of an index buffer that is drawn in place of all indices of a primitive.
#[derive(Debug, Clone)]
pub(crate) struct IndexSubset {
    pub indices: wgpu::Buffer,
    pub range: Range<u32>,
}

struct SubsetBuffer {
    buffer: wgpu::Buffer,
    ranges: BTreeMap<(NodeIndex, usize), Range<u32>>,
}

impl IndexSubsets {
    /// Uploads what is new and drops what no actor uses.
    pub fn update(&mut self, gpu: &Gpu, actors: &[Actor]) {
        self.known.retain(|(left, _)| actors.iter().any(|actor| Arc::ptr_eq(left, actor.left)));
        for actor in actors.iter().filter(|actor| !actor.left.is_empty()) {
            if !self.known.iter().any(|(left, _)| Arc::ptr_eq(left, actor.left)) {
                self.known.push((actor.left.clone(), SubsetBuffer::new(gpu, actor.left)));
            }
        }
    }

    /// `None` if the primitive is drawn whole.
    pub fn get(&self, actor: &Actor, node: NodeIndex, primitive: usize) -> Option<IndexSubset> {
        let (_, subset) = self.known.iter().find(|(left, _)| Arc::ptr_eq(left, actor.left))?;
        let range = subset.ranges.get(&(node, primitive))?.clone();
        Some(IndexSubset { indices: subset.buffer.clone(), range })
    }
}

impl SubsetBuffer {
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
        let buffer = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some("partial indices"), contents, usage });
        Self { buffer, ranges }
    }
}
