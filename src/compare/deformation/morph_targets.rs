//! Measures how far the deltas of morph targets differ.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DMat3, DVec3};

use crate::animation::hierarchy::deform;
use crate::compare::measure;
use crate::compare::pairing::PrimitivePair;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;

use super::RestPoses;

/// Largest distance, relative to the distances that the targets move a vertex, that counts as rounding to `f32` and as 0.
const ROUNDING: f64 = 1e-6;

/// The difference between a morph target of A and the one with the same index in B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TargetError {
    /// The node of A, the primitive (its index in the file) and the target.
    pub node: NodeIndex,
    pub primitive: usize,
    pub target: usize,
    /// The largest distance between the places to which both targets move a vertex at weight 1, in meters.
    pub distance: f64,
    /// The vertex with this distance.
    pub vertex: usize,
}

/// Measures all morph targets of A. A target that B lacks moves no vertex. Of nodes that show the same vertices, only the one that enlarges
/// them most is measured.
pub(super) fn measure(rest: &RestPoses, pairs: &[PrimitivePair], keep_going: &dyn Fn() -> bool) -> Option<Vec<TargetError>> {
    let vertices = |pair: &PrimitivePair| [pair.a, pair.b].map(|primitive| Arc::as_ptr(&primitive.vertices));
    let morphed = || pairs.iter().filter(|pair| !pair.a.vertices.targets.is_empty());
    let mut largest = HashMap::new();
    for pair in morphed() {
        let scale = largest_scale(rest, pair);
        let known = largest.entry(vertices(pair)).or_insert((scale, pair.nodes));
        if scale > known.0 {
            *known = (scale, pair.nodes);
        }
    }
    let mut errors = Vec::new();
    for pair in morphed() {
        // Several primitives of a node may share their vertices, too.
        if largest.get(&vertices(pair)).is_none_or(|(_, nodes)| *nodes != pair.nodes) {
            continue;
        }
        largest.remove(&vertices(pair));
        let global_from_mesh = [0, 1].map(|side| linear_transforms(rest, pair, side));
        for target in 0..pair.a.vertices.targets.len() {
            if !keep_going() {
                return None;
            }
            let deltas = [pair.a, pair.b].map(|primitive| deltas(primitive, target));
            let moved = |side: usize, vertex: usize| match deltas[side].get(vertex) {
                Some(delta) => global_from_mesh[side][vertex] * delta.as_dvec3(),
                None => DVec3::ZERO,
            };
            let mut error = TargetError { node: pair.nodes[0], primitive: pair.a.source, target, distance: 0.0, vertex: 0 };
            for vertex in 0..pair.a.source_vertex_count {
                let (a, b) = (moved(0, vertex), moved(1, vertex));
                let distance = measure::distance(a, b);
                if distance > error.distance && distance > ROUNDING * a.length().max(b.length()) {
                    (error.distance, error.vertex) = (distance, vertex);
                }
            }
            errors.push(error);
        }
    }
    Some(errors)
}

/// The largest scale of a node's axes in either model, at rest. Skins have their own transforms, so a skinned node counts as one of scale
/// 1.
fn largest_scale(rest: &RestPoses, pair: &PrimitivePair) -> f64 {
    let of_side = |side: usize| {
        let node = pair.nodes[side];
        match rest.documents[side].model.node(node).skin {
            Some(_) => 1.0,
            None => {
                let axes = rest.posed[side].globals[node.index()].matrix3;
                [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length).into_iter().fold(0.0, f64::max)
            }
        }
    };
    of_side(0).max(of_side(1))
}

/// The deltas of the positions. Empty if the primitive lacks the target, or if the target does not move vertices.
fn deltas(primitive: &Primitive, target: usize) -> &[glam::Vec3] {
    primitive.vertices.targets.get(target).map_or(&[], |target| &target.positions)
}

/// For each vertex, the transform of a delta from mesh space to global space.
fn linear_transforms(rest: &RestPoses, pair: &PrimitivePair, side: usize) -> Vec<DMat3> {
    let (model, pose) = (&rest.documents[side].model, rest.posed[side].vertex_pose());
    let primitive = [pair.a, pair.b][side];
    deform::linear_transforms(model, pair.nodes[side], primitive, pose, 0..primitive.source_vertex_count)
}
