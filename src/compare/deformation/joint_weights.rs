//! Measures how far the weights of joints differ.
//!
//! A weight has no length. Its difference is measured as the distance that it makes if its joint turns: a point moves by its distance from
//! the joint if the joint turns by 60 degrees about an axis perpendicular to the line between both.

use std::collections::HashSet;
use std::sync::Arc;

use glam::DVec3;

use crate::animation::hierarchy::deform;
use crate::compare::measure;
use crate::compare::pairing::PrimitivePair;
use crate::compare::vertices::VERTICES_PER_PART;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;

use super::RestPoses;

/// The difference between the joint weights of a primitive of A and its counterpart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightError {
    /// The node of A and the primitive (its index in the file).
    pub node: NodeIndex,
    pub primitive: usize,
    /// Number of vertices with other weights in B.
    pub vertex_count: usize,
    /// The largest distance that a vertex would be from its counterpart if one joint alone turned by 60 degrees from rest, in meters.
    pub distance: f64,
    /// The vertex with this distance, the joint, and the weights of the joint in A and in B.
    pub vertex: usize,
    pub joint: Joint,
    pub weights: [f64; 2],
}

/// A joint of both files or of A, by its node in A; or a joint of B that A lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Joint {
    InA(NodeIndex),
    OnlyInB(NodeIndex),
}

/// Measures all skinned primitives of A. A primitive that is not skinned in B has no weights there.
pub(super) fn measure(rest: &RestPoses, pairs: &[PrimitivePair], keep_going: &dyn Fn() -> bool) -> Option<Vec<WeightError>> {
    let [a, b] = rest.documents.map(|document| &*document.model);
    // Nodes that show the same vertices with the same skins are measured once.
    let mut known = HashSet::new();
    let mut errors = Vec::new();
    for pair in pairs {
        let primitives = [pair.a, pair.b];
        let skins = [a.node(pair.nodes[0]).skin, b.node(pair.nodes[1]).skin];
        let Some(skin_a) = skins[0].filter(|_| pair.a.vertices.influences.sets > 0) else { continue };
        if !known.insert((primitives.map(|primitive| Arc::as_ptr(&primitive.vertices)), skins)) {
            continue;
        }
        let in_a = |joint: &NodeIndex| Joint::InA(*joint);
        let in_b = |joint: &NodeIndex| rest.node_pairs.to_a[joint.index()].map_or(Joint::OnlyInB(*joint), Joint::InA);
        let joints_a = a.skins[skin_a].joints.iter().map(in_a).collect();
        let joints_b = skins[1].map_or_else(Vec::new, |skin| b.skins[skin].joints.iter().map(in_b).collect());
        let weights = SkinWeights { primitives, joints: [joints_a, joints_b] };
        errors.push(primitive_error(rest, pair, &weights, keep_going)?);
    }
    Some(errors)
}

/// The weights of a primitive in both files.
struct SkinWeights<'a> {
    primitives: [&'a Primitive; 2],
    /// The joints of the skins of A and B. Empty without a skin.
    joints: [Vec<Joint>; 2],
}

impl SkinWeights<'_> {
    /// Replaces `weights` by the joints that a vertex follows in one of the files, each with its weights in A and in B.
    fn collect(&self, vertex: usize, weights: &mut Vec<(Joint, [f64; 2])>) {
        weights.clear();
        for (side, (primitive, joints)) in self.primitives.iter().zip(&self.joints).enumerate() {
            for (joint, weight) in deform::influences(primitive, vertex) {
                if let Some(&joint) = joints.get(joint) {
                    let mut both = [0.0; 2];
                    both[side] = weight;
                    weights.push((joint, both));
                }
            }
        }
        // A vertex may list a joint several times.
        weights.sort_unstable_by_key(|(joint, _)| *joint);
        weights.dedup_by(|next, (joint, sum)| {
            let is_same = next.0 == *joint;
            if is_same {
                *sum = [sum[0] + next.1[0], sum[1] + next.1[1]];
            }
            is_same
        });
    }
}

/// Measures a primitive. `None` if `keep_going` returns false before the end.
fn primitive_error(rest: &RestPoses, pair: &PrimitivePair, weights: &SkinWeights, keep_going: &dyn Fn() -> bool) -> Option<WeightError> {
    let first_joint = weights.joints[0].first().copied().unwrap_or(Joint::InA(pair.nodes[0]));
    let (node, primitive) = (pair.nodes[0], pair.a.source);
    let mut error = WeightError { node, primitive, vertex_count: 0, distance: 0.0, vertex: 0, joint: first_joint, weights: [0.0; 2] };
    let mut of_vertex = Vec::new();
    for start in (0..pair.a.source_vertex_count).step_by(VERTICES_PER_PART) {
        if !keep_going() {
            return None;
        }
        let part = start..pair.a.source_vertex_count.min(start + VERTICES_PER_PART);
        let model = &rest.documents[0].model;
        let positions = deform::positions(model, pair.nodes[0], pair.a, rest.posed[0].vertex_pose(), part.clone());
        for (vertex, position) in part.zip(positions) {
            weights.collect(vertex, &mut of_vertex);
            let mut differing = of_vertex.iter().filter(|(_, [in_a, in_b])| in_a != in_b).peekable();
            let mut is_first = error.vertex_count == 0;
            error.vertex_count += usize::from(differing.peek().is_some());
            for &(joint, both) in differing {
                let distance = (both[0] - both[1]).abs() * measure::distance(position, joint_position(rest, joint));
                // The first one is named even if it is exactly at the joint.
                if std::mem::take(&mut is_first) || distance > error.distance {
                    error = WeightError { distance, vertex, joint, weights: both, ..error };
                }
            }
        }
    }
    Some(error)
}

/// The position of a joint at rest, in global space.
fn joint_position(rest: &RestPoses, joint: Joint) -> DVec3 {
    match joint {
        Joint::InA(node) => rest.posed[0].globals[node.index()].translation,
        Joint::OnlyInB(node) => rest.posed[1].globals[node.index()].translation,
    }
}
