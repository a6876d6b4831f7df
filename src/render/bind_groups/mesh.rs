//! Bind group 2: the data of a primitive that the vertex stage reads in addition to vertex attributes. It consists of extra influences,
//! morph targets, and the matrices of a node's instances (EXT_mesh_gpu_instancing).

use bytemuck::{Pod, Zeroable};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::render::buffers::staged_upload::StagedUpload;
use crate::render::device::gpu::Gpu;
use crate::render::model::vertex;

use super::BindGroupLayouts;

/// Buffers of a primitive, shared by all its draws. A clone shares them.
#[derive(Clone)]
pub(crate) struct MeshBuffers {
    /// Influence sets beyond the first, packed in words.
    influences: wgpu::Buffer,
    /// Index of the first morph delta of each vertex in `deltas`; see [`vertex`].
    offsets: wgpu::Buffer,
    /// Morph deltas; see [`vertex::MorphDelta`].
    deltas: wgpu::Buffer,
}

impl MeshBuffers {
    /// Makes placeholder buffers for primitives without morph targets and extra influence sets.
    pub fn placeholders(staging: &mut StagedUpload) -> Self {
        Self::new(staging, &[], &[], &[])
    }

    /// Uploads the buffers of a primitive. Empty slices become placeholders.
    pub fn new(staging: &mut StagedUpload, influences: &[u32], offsets: &[u32], deltas: &[vertex::MorphDelta]) -> Self {
        Self {
            influences: storage(staging, "extra influences", influences),
            offsets: storage(staging, "morph offsets", offsets),
            deltas: storage(staging, "morph deltas", deltas),
        }
    }

    /// Returns the bytes of the extra influences, then those of the morph targets. Placeholders count as 0.
    pub fn bytes(&self) -> [u64; 2] {
        let size = |buffer: &wgpu::Buffer, min_bytes: usize| if buffer.size() > min_bytes as u64 { buffer.size() } else { 0 };
        let morphs = size(&self.offsets, size_of::<u32>()) + size(&self.deltas, size_of::<vertex::MorphDelta>());
        [size(&self.influences, size_of::<u32>()), morphs]
    }

    /// Makes the bind group with a list of instance matrices.
    pub fn group(&self, gpu: &Gpu, layouts: &BindGroupLayouts, instances: &wgpu::Buffer) -> wgpu::BindGroup {
        let buffers = [&self.influences, &self.offsets, &self.deltas, instances];
        super::group(gpu, "mesh", &layouts.mesh, buffers.map(wgpu::Buffer::as_entire_binding))
    }
}

/// Uploads the instance matrices of a mesh, which map its space to the space of its node.
pub(crate) fn instance_buffer(staging: &mut StagedUpload, matrices: &[JointMatrix]) -> wgpu::Buffer {
    storage(staging, "instance matrices", matrices)
}

/// Uploads a storage buffer. An empty buffer is padded to one element, because a binding cannot be empty.
fn storage<T: Pod>(staging: &mut StagedUpload, label: &str, elements: &[T]) -> wgpu::Buffer {
    let element = |i: usize| elements.get(i).copied().unwrap_or_else(Zeroable::zeroed);
    staging.buffer(label, wgpu::BufferUsages::STORAGE, elements.len().max(1), element)
}
