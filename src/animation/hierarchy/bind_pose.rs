//! Computes the bind pose: the joint transforms for which the mesh looks as it was modeled.
//!
//! The inverse bind matrices (glTF 2.0, 3.7.3) give the joints in mesh space, but not where the mesh is in global space. So each joint
//! is placed by its bind transform relative to its nearest ancestor joint of the same skin. Topmost joints keep their rest transform, and
//! nodes that are not joints follow their parent. If a skin has a single topmost joint, all its palette entries are then equal.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::pose;

/// A joint that has an ancestor in the same skin.
struct BoundJoint {
    /// Index of the joint's node.
    joint: usize,
    /// The nearest ancestor joint.
    ancestor: usize,
    /// Transform from the joint's space to the ancestor's in the bind pose.
    ancestor_from_joint: DAffine3,
}

/// The difference between a joint's rest transform and its bind transform, both relative to its nearest ancestor joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The joint.
    pub joint: NodeIndex,
    /// Angle between the rotations, in radians.
    pub angle: f64,
    /// Distance between the positions, in meters of global space at rest.
    pub distance: f64,
    /// Ratio of rest scale to bind scale, along the axis where it differs most from 1.
    pub scale: f64,
}

/// Returns the global transforms of the bind pose, one per node, in model order. `rest_globals` are those of the rest pose.
pub fn globals(model: &Model, rest_globals: &[DAffine3]) -> Vec<DAffine3> {
    let mut globals = rest_globals.to_vec();
    let mut bound = bound_joints(model).into_iter().peekable();
    for node in 0..globals.len() {
        globals[node] = match (bound.next_if(|bound| bound.joint == node), model.hierarchy.parents[node]) {
            (Some(bound), _) => globals[bound.ancestor] * bound.ancestor_from_joint,
            (None, Some(parent)) => globals[parent.index()] * pose::local_matrix(&model.hierarchy, &model.hierarchy.rest, node),
            (None, None) => continue,
        };
    }
    globals
}

/// Returns the difference between rest and bind pose for every joint with an ancestor in its skin, in model order.
pub fn differences(model: &Model, rest_globals: &[DAffine3]) -> Vec<Difference> {
    let difference = |bound: BoundJoint| {
        let ancestor = &rest_globals[bound.ancestor];
        let rest = ancestor.inverse() * rest_globals[bound.joint];
        let bind = &bound.ancestor_from_joint;
        // Both transforms are relative to the same ancestor, so the rotation between them does not depend on the ancestor's transform.
        let turn = DQuat::from_mat3(&(rotation(&bind.matrix3).transpose() * rotation(&rest.matrix3)));
        let ratio = lengths(&rest.matrix3) / lengths(&bind.matrix3);
        let furthest_from_one = |a: f64, b: f64| if a.ln().abs() > b.ln().abs() { a } else { b };
        Difference {
            joint: NodeIndex(bound.joint as u32),
            angle: 2.0 * turn.xyz().length().atan2(turn.w.abs()),
            distance: ancestor.transform_vector3(rest.translation - bind.translation).length(),
            scale: ratio.to_array().into_iter().fold(1.0, furthest_from_one),
        }
    };
    let is_number = |difference: &Difference| (difference.angle + difference.distance + difference.scale).is_finite();
    bound_joints(model).into_iter().map(difference).filter(is_number).collect()
}

/// Finds all joints with an ancestor in the same skin, in ascending order and each only once. If this applies to a joint in several skins,
/// the first of these skins is used.
fn bound_joints(model: &Model) -> Vec<BoundJoint> {
    let mut bound_joints = Vec::new();
    for skin in &model.skins {
        let joints = skin.joints.iter().zip(&skin.inverse_bind_matrices);
        let mut entries: Vec<_> = joints.map(|(joint, matrix)| (joint.index(), matrix.as_daffine3())).collect();
        // If a joint is listed twice, its first entry represents it.
        entries.sort_by_key(|(joint, _)| *joint);
        entries.dedup_by_key(|(joint, _)| *joint);
        entries.retain(|(_, inverse_bind_matrix)| inverse_bind_matrix.inverse().is_finite());
        // Joints whose subtrees contain the current joint, with their inverse bind matrices.
        let mut ancestors: Vec<(usize, DAffine3)> = Vec::new();
        for (joint, inverse_bind_matrix) in entries {
            while ancestors.last().is_some_and(|(node, _)| model.hierarchy.subtree_ends[*node] as usize <= joint) {
                ancestors.pop();
            }
            bound_joints.extend(ancestors.last().map(|&(ancestor, ancestor_from_mesh)| BoundJoint {
                joint,
                ancestor,
                ancestor_from_joint: ancestor_from_mesh * inverse_bind_matrix.inverse(),
            }));
            ancestors.push((joint, inverse_bind_matrix));
        }
    }
    bound_joints.sort_by_key(|bound| bound.joint);
    bound_joints.dedup_by_key(|bound| bound.joint);
    bound_joints
}

/// Returns the lengths of the columns: the scale along each axis.
fn lengths(matrix: &DMat3) -> DVec3 {
    DVec3::new(matrix.x_axis.length(), matrix.y_axis.length(), matrix.z_axis.length())
}

/// Returns the rotation of a matrix without scale, and without mirroring if the determinant is negative.
fn rotation(matrix: &DMat3) -> DMat3 {
    let scale = lengths(matrix) * DVec3::new(matrix.determinant().signum(), 1.0, 1.0);
    DMat3::from_cols(matrix.x_axis / scale.x, matrix.y_axis / scale.y, matrix.z_axis / scale.z)
}
