//! Where EXT_mesh_gpu_instancing puts a node's mesh, on the device: uploaded once with the model, since in the space of the node
//! it never changes. What mirrors is apart from the rest, because it turns triangles over.

use std::collections::BTreeMap;

use glam::{DVec3, DVec4, Vec3};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::render::bind_groups::{Layouts, mesh};
use crate::render::buffers::staged_upload::Pieces;
use crate::render::draw_list;

use super::RenderError;
use super::geometry::GpuPrimitive;

/// Those places of a node that mirror, or those that do not.
pub(crate) struct Places {
    pub count: u32,
    pub mirrored: bool,
    /// Kept only of so few as are sorted by their distance.
    pub matrices: Vec<JointMatrix>,
    /// By place in the mesh's primitives.
    pub primitives: Vec<PlacedPrimitive>,
}

impl Places {
    pub fn bytes(&self) -> u64 {
        u64::from(self.count) * size_of::<JointMatrix>() as u64
    }
}

pub(crate) struct PlacedPrimitive {
    /// Group 2.
    pub group: wgpu::BindGroup,
    /// The middle of all places' middles.
    pub center: Vec3,
}

/// By node, for those that have instances.
pub(crate) fn upload(
    pieces: &mut Pieces,
    layouts: &Layouts,
    model: &Model,
    meshes: &[Vec<GpuPrimitive>],
) -> Result<BTreeMap<usize, Vec<Places>>, RenderError> {
    let mut all = BTreeMap::new();
    for (index, node) in model.nodes.iter().enumerate().filter(|(_, node)| !node.instances.is_empty()) {
        let Some((mesh, primitives)) = node.mesh.and_then(|mesh| Some((mesh, meshes.get(mesh)?))) else { continue };
        let bytes = size_of::<JointMatrix>() as u64 * node.instances.len() as u64;
        let limit = pieces.gpu.device.limits().max_storage_buffer_binding_size;
        if bytes > limit {
            return Err(RenderError::TooLarge { mesh, primitive: 0, what: "instances", bytes, limit });
        }
        let sided = [false, true].map(|mirrored| {
            let of_side = node.instances.iter().filter(|instance| (instance.matrix3.determinant() < 0.0) == mirrored);
            let matrices: Vec<_> = of_side.map(|instance| JointMatrix::from_affine(&instance.as_daffine3())).collect();
            (mirrored, matrices)
        });
        let sided = sided.into_iter().filter(|(_, matrices)| !matrices.is_empty());
        all.insert(index, sided.map(|(mirrored, matrices)| upload_side(pieces, layouts, primitives, mirrored, matrices)).collect());
    }
    Ok(all)
}

fn upload_side(
    pieces: &mut Pieces,
    layouts: &Layouts,
    primitives: &[GpuPrimitive],
    mirrored: bool,
    mut matrices: Vec<JointMatrix>,
) -> Places {
    let buffer = mesh::places(pieces, &matrices);
    let count = matrices.len();
    // The mean of the moved is what the mean place moves to.
    let mut mean_rows = [DVec4::ZERO; 3];
    for matrix in &matrices {
        mean_rows.iter_mut().zip(matrix.rows).for_each(|(mean, row)| *mean += row.as_dvec4() / count as f64);
    }
    let mean = |point: Vec3| DVec3::from_array(mean_rows.map(|row| row.dot(point.as_dvec3().extend(1.0))));
    let placed = |primitive: &GpuPrimitive| PlacedPrimitive {
        group: primitive.vertices.buffers.group(pieces.gpu, layouts, &buffer),
        center: mean(primitive.vertices.center).as_vec3(),
    };
    let primitives = primitives.iter().map(placed).collect();
    if count > draw_list::APART {
        matrices = Vec::new();
    }
    Places { count: count as u32, mirrored, matrices, primitives }
}
