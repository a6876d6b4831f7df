//! Measures how far the branch of each node extends at rest. A rotation of the node moves the end of its branch by this distance times the
//! angle.

use glam::DAffine3;

use crate::camera::Bounds;
use crate::model::Model;
use crate::model::node::NodeIndex;

/// For each node, the distance to the farthest corner of the box around the nodes of its branch, in meters. For a node without children,
/// this is half the distance to its parent, or half of `size` if it has no parent. `None` for branches without joints and meshes, because
/// nothing of them is visible.
pub fn reaches(model: &Model, joints: &[bool], globals: &[DAffine3], size: f64) -> Vec<Option<f64>> {
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
        let reach = match parent {
            Some(parent) if is_leaf => globals[parent].translation.distance(position) / 2.0,
            None if is_leaf => size / 2.0,
            _ => (branch.max - position).max(position - branch.min).length(),
        };
        reaches[node] = Some(reach).filter(|reach| shows[node] && reach.is_finite());
        if let Some(parent) = parent {
            boxes[parent] = boxes[parent].union(&branch);
            shows[parent] |= shows[node];
        }
    }
    reaches
}
