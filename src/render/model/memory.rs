//! Counts the bytes of GPU memory that a model takes, by purpose.

use std::collections::HashSet;
use std::sync::Arc;

use crate::model::mesh::Topology;
use crate::render::buffers::arena::BufferRange;

use super::geometry::GpuPrimitive;

/// GPU memory of a model, in bytes. A buffer that several primitives share is counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelMemory {
    /// Vertex attributes and influences.
    pub vertices: u64,
    /// Index buffers.
    pub indices: u64,
    /// Morph targets.
    pub morphs: u64,
    /// Corner numbers for the wireframe.
    pub corners: u64,
    /// Instance matrices of EXT_mesh_gpu_instancing.
    pub instances: u64,
    /// Textures with all their mip levels.
    pub textures: u64,
    /// Number of vertices, not bytes.
    pub vertex_count: u64,
}

impl ModelMemory {
    /// Adds up the memory of all primitives. Corner numbers are counted even if they are not made yet. Instances and textures are not
    /// counted.
    pub(crate) fn from_primitives(primitives: &[GpuPrimitive]) -> Self {
        let (mut all, mut known, mut with_corners) = (Self::default(), HashSet::new(), HashSet::new());
        for primitive in primitives {
            let index_bytes = primitive.bindings.index_format.byte_size() as u64;
            all.indices += primitive.index_range.len() as u64 * index_bytes;
            let vertices = &primitive.vertices;
            // Primitives that share their vertices also share their corner numbers.
            let identity = Arc::as_ptr(&vertices.corners);
            if primitive.topology == Topology::Triangles && with_corners.insert(identity) {
                all.corners += (vertices.count() * size_of::<u32>()) as u64;
            }
            if known.insert(identity) {
                let size = |range: &Option<BufferRange>| range.as_ref().map_or(0, BufferRange::len);
                let [influences, morphs] = vertices.buffers.bytes();
                all.vertices += vertices.attributes.len() + size(&vertices.optional_attributes) + size(&vertices.influences) + influences;
                all.morphs += morphs;
                all.vertex_count += vertices.count() as u64;
            }
        }
        all
    }

    /// Returns the mean bytes per vertex, without indices and morph targets.
    pub fn bytes_per_vertex(&self) -> f64 {
        self.vertices as f64 / self.vertex_count.max(1) as f64
    }
}
