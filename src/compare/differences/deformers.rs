//! Lists the differences of morph targets and joint weights.

use std::collections::HashSet;

use crate::compare::deformation::Deformation;
use crate::compare::deformation::joint_weights::Joint;
use crate::compare::node_pairs::NodePairs;
use crate::compare::pairing;
use crate::model::Model;
use crate::model::label;
use crate::model::mesh::Mesh;
use crate::model::node::NodeIndex;
use crate::numbers::{agreeing, counted, three_digits};

use super::{Differences, name};

/// Adds morph targets with other names or other deltas.
pub(super) fn compare_targets([a, b]: [&Model; 2], node_pairs: &NodePairs, deformation: &Deformation, differences: &mut Differences) {
    // Nodes that share a mesh share its morph targets.
    let mut known = HashSet::new();
    for (in_a, in_b) in node_pairs.pairs() {
        let (Some(mesh_a), Some(mesh_b)) = (pairing::mesh(a, in_a), pairing::mesh(b, in_b)) else { continue };
        if !known.insert((a.node(in_a).mesh, b.node(in_b).mesh)) {
            continue;
        }
        for target in 0..mesh_a.target_count.min(mesh_b.target_count) {
            let [p, q] = [mesh_a, mesh_b].map(|mesh| target_name(mesh, target));
            if p != q {
                let words = |name: Option<&str>| name.map_or_else(|| "no name".to_owned(), |name| format!("{:?}", label::clean(name)));
                differences.add("MORPH_TARGET_RENAMED", || {
                    format!("morph target {target} of {} has {} in A, {} in B", name(a, in_a), words(p), words(q))
                });
            }
        }
    }
    for error in deformation.targets.iter().filter(|error| error.distance > 0.0) {
        differences.add("MORPH_TARGET", || {
            let distance = three_digits(error.distance);
            format!(
                "{} differs by up to {distance} m in B, at vertex {}",
                target_label(a, error.node, error.primitive, error.target),
                error.vertex
            )
        });
    }
}

/// Adds primitives whose vertices have other joint weights.
pub(super) fn compare_weights([a, b]: [&Model; 2], deformation: &Deformation, differences: &mut Differences) {
    for error in deformation.weights.iter().filter(|error| error.vertex_count > 0) {
        differences.add("JOINT_WEIGHTS", || {
            let have = agreeing(error.vertex_count, "has other joint weights", "have other joint weights");
            let joint = match error.joint {
                Joint::InA(node) => name(a, node),
                Joint::OnlyInB(node) => format!("{} of B", name(b, node)),
            };
            let [p, q] = error.weights.map(|weight| format!("{weight:.3}"));
            let (place, vertices) = (name(a, error.node), counted(error.vertex_count, "vertex"));
            format!(
                "{place}, primitive {}: {vertices} {have} in B; the weight of {joint} at vertex {} is {p} in A, {q} in B",
                error.primitive, error.vertex
            )
        });
    }
}

/// A morph target of A in messages.
fn target_label(a: &Model, node: NodeIndex, primitive: usize, target: usize) -> String {
    let named = pairing::mesh(a, node).and_then(|mesh| target_name(mesh, target));
    let named = named.map_or_else(String::new, |name| format!(" {:?}", label::clean(name)));
    format!("morph target {target}{named} of {}, primitive {primitive},", name(a, node))
}

/// The name of a morph target. `None` if it has no name.
fn target_name(mesh: &Mesh, target: usize) -> Option<&str> {
    mesh.target_names.get(target).map(String::as_str).filter(|name| !name.is_empty())
}
