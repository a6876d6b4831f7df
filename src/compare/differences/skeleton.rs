//! Lists the differences of nodes: missing nodes, names, parents, rest poses, and the inverse bind matrices of joints.

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DVec3};

use crate::animation::hierarchy::pose;
use crate::compare::measure;
use crate::compare::node_pairs::NodePairs;
use crate::model::Model;
use crate::model::matching::occurrences;
use crate::model::node::NodeIndex;
use crate::numbers::{agreeing, counted, grouped, three_digits};

use super::{Differences, name};

/// Largest angle in radians, and largest relative difference of translations and of scales, that count as rounding to `f32`.
const ROUNDING: f64 = 1e-6;
/// Maximum number of pairs of skins that are compared.
const MAX_SKINS: usize = 1000;

/// Adds nodes that only one file has, and nodes whose names or parents differ.
pub(super) fn compare_nodes([a, b]: [&Model; 2], node_pairs: &NodePairs, differences: &mut Differences) {
    for node in node_pairs.only_in_a() {
        differences.add("NODE_ONLY_IN_A", || format!("{} is only in A", name(a, node)));
    }
    for node in node_pairs.only_in_b() {
        differences.add("NODE_ONLY_IN_B", || format!("{} is only in B", name(b, node)));
    }
    for (in_a, in_b) in node_pairs.pairs() {
        if a.node(in_a).name != b.node(in_b).name {
            differences.add("NODE_RENAMED", || format!("{} is {} in B", name(a, in_a), name(b, in_b)));
        }
    }
    for (in_a, in_b) in node_pairs.pairs() {
        let [parent_a, parent_b] = [a.hierarchy.parent(in_a), b.hierarchy.parent(in_b)];
        if parent_a.and_then(|parent| node_pairs.to_b[parent.index()]) != parent_b || parent_a.is_none() != parent_b.is_none() {
            let parent = |model: &Model, parent: Option<NodeIndex>| {
                parent.map_or("a root".to_owned(), |parent| format!("below {}", name(model, parent)))
            };
            differences
                .add("NODE_REPARENTED", || format!("{} is {} in A, {} in B", name(a, in_a), parent(a, parent_a), parent(b, parent_b)));
        }
    }
}

/// Adds nodes whose local rest transforms differ, the largest differences first. The matrices are compared, because a transform can be
/// written in several ways. Rounding to `f32` is no difference.
pub(super) fn compare_rest_poses([a, b]: [&Model; 2], node_pairs: &NodePairs, differences: &mut Differences) {
    let rest = |model: &Model, node: NodeIndex| pose::local_matrix(&model.hierarchy, &model.hierarchy.rest, node.index());
    let lengths = |m: DMat3| DVec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
    let mut differing: Vec<_> = node_pairs
        .pairs()
        .filter_map(|(in_a, in_b)| {
            let (a, b) = (rest(a, in_a), rest(b, in_b));
            let length = a.translation.length().max(b.translation.length());
            let distance = Some(a.translation.distance(b.translation)).filter(|distance| *distance > ROUNDING * length).unwrap_or_default();
            let angle = Some(measure::angle(&a, &b)).filter(|angle| *angle > ROUNDING.to_degrees()).unwrap_or_default();
            let [p, q] = [a, b].map(|local| lengths(local.matrix3));
            let scale = Some((p - q).abs().max_element()).filter(|scale| *scale > ROUNDING * p.max(q).max_element()).unwrap_or_default();
            let mirrored = a.matrix3.determinant() * b.matrix3.determinant() < 0.0;
            (distance > 0.0 || angle > 0.0 || scale > 0.0 || mirrored).then_some((in_a, distance, angle, scale, mirrored))
        })
        .collect();
    differing.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.2.total_cmp(&a.2)).then(b.3.total_cmp(&a.3)));
    for (node, distance, angle, scale, mirrored) in differing {
        differences.add("REST_POSE", || {
            let parts = [
                // A translation is in the space of the parent, which may be scaled.
                (distance > 0.0).then(|| format!("translation differs by {}", three_digits(distance))),
                (angle > 0.0).then(|| format!("rotation differs by {} degrees", three_digits(angle))),
                (scale > 0.0).then(|| format!("scale differs by {}", three_digits(scale))),
                mirrored.then(|| "mirrored".to_owned()),
            ];
            format!("{} at rest, relative to its parent: {}", name(a, node), parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
        });
    }
}

/// Compares the skins of each pair of nodes of A and B: adds skins with different numbers of joints, and inverse bind matrices that differ.
pub(super) fn compare_bind_matrices([a, b]: [&Model; 2], node_pairs: &NodePairs, differences: &mut Differences) {
    if a.skins.len() != b.skins.len() {
        differences.add("SKIN_COUNT", || format!("A has {}, B has {}", counted(a.skins.len(), "skin"), grouped(b.skins.len())));
    }
    let mut compared = HashSet::new();
    for (in_a, in_b) in node_pairs.pairs() {
        let (Some(first), Some(second)) = (a.node(in_a).skin, b.node(in_b).skin) else { continue };
        if compared.len() >= MAX_SKINS {
            break;
        }
        if !compared.insert((first, second)) {
            continue;
        }
        let (Some(skin_a), Some(skin_b)) = (a.skins.get(first), b.skins.get(second)) else { continue };
        if skin_a.joints.len() != skin_b.joints.len() {
            let [p, q] = [skin_a, skin_b].map(|skin| skin.joints.len());
            differences.add("SKIN_JOINTS", || format!("skin {first} has {} in A, {} in B", counted(p, "joint"), grouped(q)));
        }
        // A skin may list a joint several times.
        let [joints_a, joints_b] = [skin_a, skin_b].map(|skin| occurrences(skin.joints.iter().copied()));
        let matrices_b: HashMap<_, _> = joints_b.into_iter().zip(&skin_b.inverse_bind_matrices).collect();
        let differing = joints_a.iter().zip(&skin_a.inverse_bind_matrices).filter(|((joint, occurrence), matrix)| {
            let other = node_pairs.to_b[joint.index()].and_then(|joint| matrices_b.get(&(joint, *occurrence)));
            other.is_some_and(|other| *other != *matrix)
        });
        let differing = differing.count();
        if differing > 0 {
            let matrices = agreeing(differing, "inverse bind matrix differs", "inverse bind matrices differ");
            differences.add("BIND_MATRIX", || format!("skin {first}: {differing} {matrices}"));
        }
    }
}
