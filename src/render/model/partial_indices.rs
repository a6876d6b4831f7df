//! Index buffers of primitives that are drawn only in part. Each set of visible indices has one buffer. A new set is made when the user
//! switches the geometry of a joint on or off.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use wgpu::util::DeviceExt;

use crate::model::node::NodeIndex;
use crate::render::actor::Actor;
use crate::render::device::gpu::Gpu;
use crate::session::pose::geometry_mask::VisibleIndices;

use super::geometry::IndexSubset;

/// The index subsets of the last picture's actors.
#[derive(Default)]
pub(crate) struct IndexSubsets {
    /// The sets of visible indices with their buffers. Sets are compared by address, so a changed set is uploaded again.
    uploaded: Vec<(Arc<VisibleIndices>, SubsetBuffer)>,
}

/// One buffer with all index lists of a `VisibleIndices`, one after another. Each list has the drawn indices of one primitive.
struct SubsetBuffer {
    buffer: wgpu::Buffer,
    /// Range in `buffer`, by node and by index of the primitive in the node's mesh.
    ranges: BTreeMap<(NodeIndex, usize), Range<u32>>,
}

impl IndexSubsets {
    /// Uploads the sets that are new and drops those that no actor uses.
    pub fn update(&mut self, gpu: &Gpu, actors: &[Actor]) {
        self.uploaded.retain(|(visible_indices, _)| actors.iter().any(|actor| Arc::ptr_eq(visible_indices, actor.visible_indices)));
        for actor in actors.iter().filter(|actor| !actor.visible_indices.is_empty()) {
            if !self.uploaded.iter().any(|(visible_indices, _)| Arc::ptr_eq(visible_indices, actor.visible_indices)) {
                self.uploaded.push((actor.visible_indices.clone(), SubsetBuffer::new(gpu, actor.visible_indices)));
            }
        }
    }

    /// Returns the subset of a primitive of a node. `None` if all of the primitive is drawn.
    pub fn get(&self, actor: &Actor, node: NodeIndex, primitive: usize) -> Option<IndexSubset> {
        let (_, subset) = self.uploaded.iter().find(|(visible_indices, _)| Arc::ptr_eq(visible_indices, actor.visible_indices))?;
        let range = subset.ranges.get(&(node, primitive))?.clone();
        Some(IndexSubset { indices: subset.buffer.clone(), range })
    }
}

impl SubsetBuffer {
    /// Uploads a set of visible indices.
    fn new(gpu: &Gpu, visible_indices: &VisibleIndices) -> Self {
        let (mut ranges, mut all) = (BTreeMap::new(), Vec::new());
        // Nodes may share a list, which is uploaded once.
        let mut uploaded: HashMap<*const [u32], Range<u32>> = HashMap::new();
        for (primitive, indices) in visible_indices {
            let range = uploaded.entry(Arc::as_ptr(indices)).or_insert_with(|| {
                let start = all.len() as u32;
                all.extend_from_slice(indices);
                start..all.len() as u32
            });
            ranges.insert(*primitive, range.clone());
        }
        // Add one unused index, because a buffer must not be empty.
        all.push(0);
        let contents = bytemuck::cast_slice(&all);
        let usage = wgpu::BufferUsages::INDEX;
        let buffer = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some("partial indices"), contents, usage });
        Self { buffer, ranges }
    }
}
