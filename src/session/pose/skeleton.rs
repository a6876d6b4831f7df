//! Computes the start and the end of each joint of the drawn skeleton.

use glam::{DAffine3, DVec3};

use crate::model::Model;
use crate::model::node::NodeIndex;

/// Start and end of each joint in world space, in model order of the nodes. `None` for nodes that are not joints. A joint ends at its child
/// joint, or at the mean of several children. A leaf continues its parent's direction at half the length. See [`Model::skeleton_nodes`] for
/// `joints`.
pub fn joint_segments(model: &Model, joints: &[bool], globals: &[DAffine3]) -> Vec<Option<[DVec3; 2]>> {
    let parents = parent_joints(model, joints);
    let position = |node: usize| globals[node].translation;
    let mut children = vec![(DVec3::ZERO, 0u32); joints.len()];
    for (node, parent) in parents.iter().enumerate() {
        if let (true, Some(parent)) = (joints[node], parent) {
            children[*parent].0 += position(node);
            children[*parent].1 += 1;
        }
    }
    let segment = |node: usize| {
        let start = position(node);
        let end = match (children[node], parents[node]) {
            ((sum, count @ 1..), _) => sum / f64::from(count),
            (_, Some(parent)) => start + (start - position(parent)) / 2.0,
            (_, None) => start,
        };
        [start, end]
    };
    (0..joints.len()).map(|node| joints[node].then(|| segment(node))).collect()
}

/// For each node, the nearest ancestor that is a joint.
pub fn parent_joints(model: &Model, joints: &[bool]) -> Vec<Option<usize>> {
    let mut nearest: Vec<Option<usize>> = vec![None; joints.len()];
    for node in 0..joints.len() {
        let parent = model.hierarchy.parents[node].map(NodeIndex::index);
        nearest[node] = parent.and_then(|parent| if joints[parent] { Some(parent) } else { nearest[parent] });
    }
    nearest
}
