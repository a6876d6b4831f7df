//! Uploads the instances of EXT_mesh_gpu_instancing. They never change relative to their node. Instances that mirror are kept in separate
//! lists, because they reverse the winding of triangles.

use std::collections::BTreeMap;

use glam::{DVec3, DVec4, Vec3};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::render::bind_groups::{BindGroupLayouts, mesh};
use crate::render::buffers::staged_upload::StagedUpload;
use crate::render::error::RenderError;

use super::geometry::{GpuMeshes, GpuPrimitive};
use super::winding;

/// Crowds and instanced nodes with at most this many instances draw each blended instance separately, sorted by distance among all other
/// blended draws. Larger crowds and nodes draw a blended primitive for all instances at once, with the farthest instance first.
pub(crate) const MAX_SEPARATE_INSTANCES: usize = 1000;

/// The instances of a node that mirror, or those that do not.
pub(crate) struct MeshInstances {
    /// Number of instances.
    pub count: u32,
    /// Whether all instances in the list mirror. If false, none of them does.
    pub mirrored: bool,
    /// Matrices from the space of the mesh to the space of the node, relative to [`Model::instances_center`]. Kept for at most
    /// [`MAX_SEPARATE_INSTANCES`] instances, to sort them by distance; empty otherwise.
    pub matrices: Vec<JointMatrix>,
    /// One entry per primitive of the mesh.
    pub primitives: Vec<InstancedPrimitive>,
}

impl MeshInstances {
    /// Returns the bytes of the instance matrices.
    pub fn bytes(&self) -> u64 {
        u64::from(self.count) * size_of::<JointMatrix>() as u64
    }
}

/// A primitive of an instanced mesh.
pub(crate) struct InstancedPrimitive {
    /// Bind group 2 with the instance matrices.
    pub group: wgpu::BindGroup,
    /// Mean of the centers of all instances, in the node's space, relative to [`Model::instances_center`].
    pub center: Vec3,
}

/// Uploads all instances of a model, by node index. Returns an error if a buffer exceeds the device's limit.
pub(crate) fn upload(
    staging: &mut StagedUpload,
    layouts: &BindGroupLayouts,
    model: &Model,
    meshes: &GpuMeshes,
) -> Result<BTreeMap<usize, Vec<MeshInstances>>, RenderError> {
    let mut all = BTreeMap::new();
    for (index, node) in model.nodes.iter().enumerate().filter(|(_, node)| !node.instances.is_empty()) {
        let Some(primitives) = node.mesh.map(|mesh| &meshes[mesh]) else { continue };
        let bytes = size_of::<JointMatrix>() as u64 * node.instances.len() as u64;
        let limit = staging.gpu.device.limits().max_storage_buffer_binding_size;
        if bytes > limit {
            return Err(RenderError::TooLarge { place: format!("node {}", node.source), what: "instances", bytes, limit });
        }
        let center = model.instances_center(NodeIndex(index as u32));
        let matrices = node.instances.iter().map(|instance| JointMatrix::anchored(&instance.as_daffine3(), center));
        let (mirrored, others): (Vec<_>, Vec<_>) = matrices.partition(winding::mirrors);
        let sided = [(false, others), (true, mirrored)].into_iter().filter(|(_, matrices)| !matrices.is_empty());
        all.insert(index, sided.map(|(mirrored, matrices)| upload_side(staging, layouts, primitives, mirrored, matrices)).collect());
    }
    Ok(all)
}

/// Uploads the instances of a node that mirror, or those that do not.
fn upload_side(
    staging: &mut StagedUpload,
    layouts: &BindGroupLayouts,
    primitives: &[GpuPrimitive],
    mirrored: bool,
    mut matrices: Vec<JointMatrix>,
) -> MeshInstances {
    let buffer = mesh::instance_buffer(staging, &matrices);
    let count = matrices.len();
    // The mean of the transformed centers equals the center transformed by the mean matrix.
    let mut mean_rows = [DVec4::ZERO; 3];
    for matrix in &matrices {
        mean_rows.iter_mut().zip(matrix.rows).for_each(|(mean, row)| *mean += row.as_dvec4() / count as f64);
    }
    let mean = |point: Vec3| DVec3::from_array(mean_rows.map(|row| row.dot(point.as_dvec3().extend(1.0))));
    let instanced = |primitive: &GpuPrimitive| InstancedPrimitive {
        group: primitive.vertices.buffers.group(staging.gpu, layouts, &buffer),
        center: mean(primitive.vertices.center()).as_vec3(),
    };
    let primitives = primitives.iter().map(instanced).collect();
    if count > MAX_SEPARATE_INSTANCES {
        matrices = Vec::new();
    }
    MeshInstances { count: count as u32, mirrored, matrices, primitives }
}
