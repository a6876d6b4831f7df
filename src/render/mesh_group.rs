//! Group 2: what the vertex stage pulls of a primitive beside its attributes, and of a node that shows it in many places, where
//! these are (EXT_mesh_gpu_instancing).

use bytemuck::{Pod, Zeroable};

use crate::animation::skinning::JointMatrix;

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::pieces::Pieces;
use super::vertex;

/// Of a primitive, whoever shows it.
#[derive(Clone)]
pub(super) struct MeshBuffers {
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

    pub fn bytes(&self) -> u64 {
        self.influences.size() + self.offsets.size() + self.deltas.size()
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
pub(super) fn places(pieces: &mut Pieces, matrices: &[JointMatrix]) -> wgpu::Buffer {
    storage(pieces, "places", matrices)
}

/// Empty storage is padded to one element: a binding cannot be empty.
fn storage<T: Pod>(pieces: &mut Pieces, label: &str, elements: &[T]) -> wgpu::Buffer {
    let element = |i: usize| elements.get(i).copied().unwrap_or_else(Zeroable::zeroed);
    pieces.buffer(label, wgpu::BufferUsages::STORAGE, elements.len().max(1), element)
}
