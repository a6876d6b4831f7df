//! Measures how far the branch of each node extends at rest. A rotation of the node moves the end of its branch by this distance times the
//! angle.

use glam::{DAffine3, Mat4};

use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::bounds::mesh::MeshBounds;

/// For each node, the distance to the farthest corner of the box around the nodes of its branch, in meters. For a node without children,
/// this is half the distance to its parent, or half of `size` if it has no parent, but at least the distance to the farthest corner of the
/// box around the vertices that it moves. `None` for branches without joints and meshes, because nothing of them is visible. `vertices` has
/// the [`vertex_boxes`].
pub fn reaches(model: &Model, vertices: &[Bounds], joints: &[bool], globals: &[DAffine3], size: f64) -> Vec<Option<f64>> {
    let count = model.nodes.len().min(globals.len()).min(joints.len());
    let mut boxes = vec![Bounds::EMPTY; count];
    let mut shows = vec![false; count];
    let mut reaches = vec![None; count];
    // Children come after their parents.
    for node in (0..count).rev() {
        let parent = model.hierarchy.parents[node].map(NodeIndex::index);
        let position = globals[node].translation;
        let is_leaf = boxes[node].is_empty();
        boxes[node].add(position);
        shows[node] |= joints[node] || model.nodes[node].mesh.is_some();
        let branch = boxes[node];
        let to_corner = |bounds: &Bounds| (bounds.max - position).max(position - bounds.min).length();
        // The distance to an empty box is not finite.
        let to_vertices = Some(to_corner(&vertices[node])).filter(|distance| distance.is_finite()).unwrap_or_default();
        let reach = match parent {
            Some(parent) if is_leaf => to_vertices.max(globals[parent].translation.distance(position) / 2.0),
            None if is_leaf => to_vertices.max(size / 2.0),
            _ => to_corner(&branch),
        };
        reaches[node] = Some(reach).filter(|reach| shows[node] && reach.is_finite());
        if let Some(parent) = parent {
            boxes[parent] = boxes[parent].union(&branch);
            shows[parent] |= shows[node];
        }
    }
    reaches
}

/// For each node, the box around the vertices that it moves, as a joint or with its own mesh, in world space.
pub fn vertex_boxes(model: &Model, meshes: &MeshBounds, globals: &[DAffine3]) -> Vec<Bounds> {
    let mut boxes = vec![Bounds::EMPTY; model.nodes.len()];
    let mut add = |node: usize, to_node: DAffine3, bounds: &Bounds| {
        let (Some(entry), Some(global)) = (boxes.get_mut(node), globals.get(node)) else { return };
        *entry = entry.union(&bounds.transformed(&(*global * to_node)));
    };
    for (index, node) in model.nodes.iter().enumerate() {
        let Some(primitives) = node.mesh.and_then(|mesh| meshes.meshes.get(mesh)) else { continue };
        for primitive in primitives.iter().filter(|primitive| !primitive.whole.is_empty()) {
            // Without influences, the node itself moves the vertices.
            let Some(skin) = node.skin.filter(|_| !primitive.joints.is_empty()).and_then(|skin| model.skins.get(skin)) else {
                add(index, DAffine3::IDENTITY, &primitive.whole);
                continue;
            };
            for (joint, bounds) in &primitive.joints {
                let joint = usize::from(*joint);
                let (Some(node), Some(inverse_bind)) = (skin.joints.get(joint), skin.inverse_bind_matrices.get(joint)) else { continue };
                let inverse_bind = DAffine3::from_mat4(Mat4::from(*inverse_bind).as_dmat4());
                add(node.index(), inverse_bind, bounds);
            }
        }
    }
    boxes
}
