//! The bind pose: how joints stood to each other when the vertices were bound to them. That is what the inverse bind matrices
//! tell (glTF 2.0, 3.7.3), in the space of the mesh; where in the world that is, they do not tell.
//!
//! So each joint stands to the nearest joint above it, of the same skin, as it did then; the topmost ones stay where they rest, and
//! what is no joint follows its parent. All entries of a skin's palette are then one and the same matrix (where it hangs on one
//! joint): the mesh is as it was modelled.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::pose;

/// A joint below another of the same skin.
struct Bound {
    joint: usize,
    above: usize,
    /// From the space of the joint to that of the one above, when they were bound.
    above_from_joint: DAffine3,
}

/// How a joint rests otherwise than it was bound, to the joint above it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    pub joint: NodeIndex,
    /// Radians.
    pub angle: f64,
    /// Metres, of the world at rest.
    pub distance: f64,
    /// How many times as large as when bound, along the axis where that differs most.
    pub scale: f64,
}

/// Global transforms of all nodes in the bind pose. `rest_globals`: those of the rest pose.
pub fn globals(model: &Model, rest_globals: &[DAffine3]) -> Vec<DAffine3> {
    let mut globals = rest_globals.to_vec();
    let mut bound = bound(model).into_iter().peekable();
    for node in 0..globals.len() {
        globals[node] = match (bound.next_if(|bound| bound.joint == node), model.hierarchy.parents[node]) {
            (Some(bound), _) => globals[bound.above] * bound.above_from_joint,
            (None, Some(parent)) => globals[parent.index()] * pose::local_matrix(&model.hierarchy, &model.hierarchy.rest, node),
            (None, None) => continue,
        };
    }
    globals
}

/// Of every joint that has another of its skin above it, in the model's order.
pub fn differences(model: &Model, rest_globals: &[DAffine3]) -> Vec<Difference> {
    let difference = |bound: Bound| {
        let above = &rest_globals[bound.above];
        let rest = above.inverse() * rest_globals[bound.joint];
        let bind = &bound.above_from_joint;
        let turn = DQuat::from_mat3(&(rotation(&bind.matrix3).transpose() * rotation(&rest.matrix3)));
        let ratio = lengths(&rest.matrix3) / lengths(&bind.matrix3);
        let most = |a: f64, b: f64| if a.ln().abs() > b.ln().abs() { a } else { b };
        Difference {
            joint: NodeIndex(bound.joint as u32),
            angle: 2.0 * turn.xyz().length().atan2(turn.w.abs()),
            distance: above.transform_vector3(rest.translation - bind.translation).length(),
            scale: ratio.to_array().into_iter().fold(1.0, most),
        }
    };
    let is_number = |difference: &Difference| (difference.angle + difference.distance + difference.scale).is_finite();
    bound(model).into_iter().map(difference).filter(is_number).collect()
}

/// By ascending joints, each once: of several skins the first counts that has a joint above it.
fn bound(model: &Model) -> Vec<Bound> {
    let mut all = Vec::new();
    for skin in &model.skins {
        let mut entries: Vec<_> = skin.joints.iter().zip(&skin.inverse_bind_matrices).map(|(j, m)| (j.index(), m.as_daffine3())).collect();
        // Of a joint listed twice the first entry stands for it.
        entries.sort_by_key(|(joint, _)| *joint);
        entries.dedup_by_key(|(joint, _)| *joint);
        entries.retain(|(_, inverse_bind_matrix)| inverse_bind_matrix.inverse().is_finite());
        // Those whose subtrees hold the joint at hand.
        let mut above: Vec<(usize, DAffine3)> = Vec::new();
        for (joint, inverse_bind_matrix) in entries {
            while above.last().is_some_and(|(up, _)| model.hierarchy.subtree_ends[*up] as usize <= joint) {
                above.pop();
            }
            let below =
                |&(above, of_above): &(usize, DAffine3)| Bound { joint, above, above_from_joint: of_above * inverse_bind_matrix.inverse() };
            all.extend(above.last().map(below));
            above.push((joint, inverse_bind_matrix));
        }
    }
    all.sort_by_key(|bound| bound.joint);
    all.dedup_by_key(|bound| bound.joint);
    all
}

fn lengths(matrix: &DMat3) -> DVec3 {
    DVec3::new(matrix.x_axis.length(), matrix.y_axis.length(), matrix.z_axis.length())
}

/// Without scale; of a mirroring one without the mirror.
fn rotation(matrix: &DMat3) -> DMat3 {
    let scale = lengths(matrix) * DVec3::new(matrix.determinant().signum(), 1.0, 1.0);
    DMat3::from_cols(matrix.x_axis / scale.x, matrix.y_axis / scale.y, matrix.z_axis / scale.z)
}
