//! Group 2: what the vertex stage pulls of a primitive beside its attributes, and of a node that shows it in many places, where
//! these are (EXT_mesh_gpu_instancing).

use bytemuck::{Pod, Zeroable};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::render::buffers::staged_upload::Pieces;
use crate::render::device::gpu::Gpu;
use crate::render::model::vertex;

use super::Layouts;

/// Of a primitive, whoever shows it.
#[derive(Clone)]
pub(crate) struct MeshBuffers {
    influences: wgpu::Buffer,
    offsets: wgpu::Buffer,
    deltas: wgpu::Buffer,
}

impl MeshBuffers {
    /// Of what has neither morph targets nor more than four influences.
    pub fn plain(pieces: &mut Pieces) -> Self {
        Self::new(pieces, &[], &[], &[])
    }

    pub fn new(pieces: &mut Pieces, influences: &[u32], offsets: &[u32], deltas: &[vertex::MorphDelta]) -> Self {
        Self {
            influences: storage(pieces, "extra influences", influences),
            offsets: storage(pieces, "morph offsets", offsets),
            deltas: storage(pieces, "morph deltas", deltas),
        }
    }

    /// Of influences, and of morph targets; what stands in for none counts as none.
    pub fn bytes(&self) -> [u64; 2] {
        let size = |buffer: &wgpu::Buffer, least: usize| if buffer.size() > least as u64 { buffer.size() } else { 0 };
        let morphs = size(&self.offsets, size_of::<u32>()) + size(&self.deltas, size_of::<vertex::MorphDelta>());
        [size(&self.influences, size_of::<u32>()), morphs]
    }

    pub fn group(&self, gpu: &Gpu, layouts: &Layouts, places: &wgpu::Buffer) -> wgpu::BindGroup {
        let buffers = [&self.influences, &self.offsets, &self.deltas, places];
        let entries: Vec<_> = buffers
            .iter()
            .zip(0..)
            .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("mesh"), layout: &layouts.mesh, entries: &entries })
    }
}

/// Where a mesh stands, in the space of its node.
pub(crate) fn places(pieces: &mut Pieces, matrices: &[JointMatrix]) -> wgpu::Buffer {
    storage(pieces, "places", matrices)
}

/// Empty storage is padded to one element: a binding cannot be empty.
fn storage<T: Pod>(pieces: &mut Pieces, label: &str, elements: &[T]) -> wgpu::Buffer {
    let element = |i: usize| elements.get(i).copied().unwrap_or_else(Zeroable::zeroed);
    pieces.buffer(label, wgpu::BufferUsages::STORAGE, elements.len().max(1), element)
}
