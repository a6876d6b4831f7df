//! Checks skins and weights: influences, joints without effect, the bind pose, and where skinned meshes hang.

use glam::DAffine3;

use crate::animation::hierarchy::bind_pose;
use crate::model::animation::Target;
use crate::model::finding::Severity;
use crate::model::node::NodeIndex;
use crate::numbers::{counted, grouped};

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings, Worst};
use super::rule::{Limit, Rule};

/// "1 vertex", "2 vertices".
fn vertices(count: usize) -> String {
    if count == 1 { "1 vertex".to_owned() } else { format!("{} vertices", grouped(count)) }
}

/// Checks all skins.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    influences(context, findings);
    weights(context, findings);
    effects(context, findings);
    bind_pose_difference(context, findings);
    skinned_parents(context, findings);
}

/// Vertices with more than 4 or 8 joints.
fn influences(context: &CheckContext, findings: &mut Findings) {
    let faults = context.weights;
    let Some((vertex, most)) = faults.most else { return };
    let node = Some(context.source(vertex.node));
    let mesh = context.node_name(vertex.node);
    let value = Some(most as f64);
    if faults.over_8 > 0 {
        let message = format!("More than 8 joints move {}, up to {most} in {mesh}. Few engines support that.", vertices(faults.over_8));
        findings.add(CheckFinding { node, value, threshold: Some(8.0), ..CheckFinding::new(Rule::InfluencesOver8, message) });
    }
    let message =
        format!("More than 4 joints move {}, up to {most} in {mesh}. Many engines keep the 4 heaviest.", vertices(faults.many.count));
    findings.add(CheckFinding { node, value, threshold: Some(4.0), ..CheckFinding::new(Rule::InfluencesOver4, message) });
}

/// Weights that do not sum to one, or to nothing at all.
fn weights(context: &CheckContext, findings: &mut Findings) {
    let uneven = &context.weights.uneven;
    let (unweighted, some) = (context.weights.unweighted, uneven.count - context.weights.unweighted.min(uneven.count));
    if some > 0 {
        let off = |sum: &f32| (sum - 1.0).abs();
        let worst = uneven.vertices.iter().filter(|(_, sum)| *sum > 0.0).max_by(|a, b| off(&a.1).total_cmp(&off(&b.1)));
        let place = worst
            .map_or_else(String::new, |(at, sum)| format!(", such as {sum:.3} at vertex {} of {}", at.vertex, context.node_name(at.node)));
        let message = format!("Weights do not sum to 1 at {}{place}.", vertices(some));
        findings.add(CheckFinding {
            node: worst.map(|(at, _)| context.source(at.node)),
            value: worst.map(|(_, sum)| f64::from(*sum)),
            threshold: Some(1.0),
            ..CheckFinding::new(Rule::WeightsNotNormalized, message)
        });
    }
    if unweighted > 0 {
        let first = uneven.vertices.iter().find(|(_, sum)| *sum <= 0.0).map(|(at, _)| *at);
        let place = first.map_or_else(String::new, |at| format!(", the first is vertex {} of {}", at.vertex, context.node_name(at.node)));
        let message = format!("Skinned meshes have {} without any weight{place}. Here they follow the first joint.", vertices(unweighted));
        let node = first.map(|at| context.source(at.node));
        findings.add(CheckFinding { node, value: Some(unweighted as f64), ..CheckFinding::new(Rule::VertexWithoutWeight, message) });
    }
}

/// Joints and animated nodes that move nothing. Files without meshes hold motion for other files, so they are not checked.
fn effects(context: &CheckContext, findings: &mut Findings) {
    let model = context.model;
    if model.is_motion_only() {
        return;
    }
    let mut idle_joints = vec![false; model.nodes.len()];
    context.weights.idle.iter().for_each(|joint| idle_joints[joint.index()] = true);
    let joints = model.joints();
    // A node has an effect if it, or anything below it, moves something. Parents come first, so this runs backwards.
    let mut effect: Vec<bool> = (0..model.nodes.len())
        .map(|node| {
            let data = &model.nodes[node];
            (joints[node] && !idle_joints[node])
                || data.camera.is_some()
                || data.light.is_some()
                || (data.mesh.is_some() && data.skin.is_none())
        })
        .collect();
    for node in (0..model.nodes.len()).rev() {
        if let Some(parent) = model.hierarchy.parents[node].filter(|_| effect[node]) {
            effect[parent.index()] = true;
        }
    }
    let mut unused = Worst::default();
    context.weights.idle.iter().filter(|joint| !effect[joint.index()]).for_each(|joint| unused.add(0.0, *joint));
    let names = |worst: &Worst<NodeIndex>| worst.words(|_, node| context.node_name(*node).to_owned());
    if let Some(&(_, node)) = unused.first() {
        let message = format!(
            "{} without effect: they move no vertex, nor does any joint below them: {}.",
            counted(unused.count, "joint"),
            names(&unused)
        );
        let value = Some(unused.count as f64);
        findings.add(CheckFinding { node: Some(context.source(node)), value, ..CheckFinding::new(Rule::JointWithoutWeights, message) });
    }
    let (mut driven, mut first) = (vec![false; model.nodes.len()], None);
    for (index, animation) in model.animations.iter().enumerate() {
        for channel in &animation.channels {
            // The weights of a mesh always have an effect.
            if let Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) = channel.target
                && !effect[node.index()]
            {
                driven[node.index()] = true;
                first.get_or_insert_with(|| (index, CheckContext::channel_pointer(index, channel)));
            }
        }
    }
    let mut idle = Worst::default();
    model.node_indices().filter(|node| driven[node.index()]).for_each(|node| idle.add(0.0, node));
    if let (Some(&(_, node)), Some((animation, pointer))) = (idle.first(), first) {
        let message = format!("Animations drive {} without visible effect: {}.", counted(idle.count, "node"), names(&idle));
        findings.add(CheckFinding {
            node: Some(context.source(node)),
            animation: Some(animation),
            value: Some(idle.count as f64),
            pointer,
            ..CheckFinding::new(Rule::AnimatedNodeWithoutEffect, message)
        });
    }
}

/// Joints whose rest pose is far from their bind pose.
fn bind_pose_difference(context: &CheckContext, findings: &mut Findings) {
    let [max_angle, max_distance] = [Limit::RestBindAngle, Limit::RestBindDistance].map(|limit| context.settings.limit(limit));
    let mut far = Worst::default();
    for difference in bind_pose::differences(context.model, &context.rest.compiled.rest_globals) {
        let (angle, distance) = (difference.angle.to_degrees(), difference.distance / context.rest.size);
        if angle > max_angle || distance > max_distance {
            far.add(angle.max(max_angle * distance / max_distance.max(1e-9)), (difference, angle));
        }
    }
    let Some(&(_, (difference, angle))) = far.first() else { return };
    let joints = far.words(|_, (difference, angle)| {
        format!("{} by {angle:.0} degrees and {}", context.node_name(difference.joint), context.length(difference.distance))
    });
    let message = format!(
        "At rest, {} far from the bind pose: {joints}. The mesh is deformed before any animation plays.",
        counted(far.count, "joint")
    );
    // The number that is beyond its limit.
    let is_turned = angle > max_angle;
    let (value, threshold) = if is_turned { (angle, max_angle) } else { (difference.distance, max_distance * context.rest.size) };
    findings.add(CheckFinding {
        node: Some(context.source(difference.joint)),
        value: Some(value),
        threshold: Some(threshold),
        ..CheckFinding::new(Rule::RestFarFromBind, message)
    });
}

/// Skinned meshes whose node has a transform that players must ignore.
fn skinned_parents(context: &CheckContext, findings: &mut Findings) {
    let (model, globals) = (context.model, &context.rest.compiled.rest_globals);
    let limit = context.settings.limit(Limit::ParentDistance);
    let (mut own, mut shared) = (Worst::default(), Worst::default());
    for node in model.node_indices().filter(|node| model.node(*node).mesh.is_some()) {
        let Some(skin) = model.node(node).skin.and_then(|skin| model.skins.get(skin)) else { continue };
        let off = from_identity(&globals[node.index()]);
        if off <= limit || !off.is_finite() {
            continue;
        }
        // If the joints hang below the same transformed node, an engine that applies it moves mesh and joints alike.
        let parent = model.hierarchy.parent(node).filter(|parent| from_identity(&globals[parent.index()]) > limit);
        let is_shared =
            from_identity(&(parent.map_or(DAffine3::IDENTITY, |parent| globals[parent.index()]).inverse() * globals[node.index()]))
                <= limit
                && parent.is_some_and(|parent| {
                    skin.joints.first().is_some_and(|joint| model.hierarchy.subtree(parent).contains(&joint.index()))
                });
        if is_shared { shared.add(off, node) } else { own.add(off, node) }
    }
    let lists = [
        (own, Severity::Warning, "with a transform of their own"),
        (shared, Severity::Info, "under a transform that their joints have, too"),
    ];
    for (worst, severity, what) in lists {
        let Some(&(off, node)) = worst.first() else { continue };
        let meshes = worst.words(|_, node| context.node_name(*node).to_owned());
        let message =
            format!("{} {what}: {meshes}. glTF ignores it; engines that do not show them elsewhere.", counted(worst.count, "skinned mesh"));
        findings.add(CheckFinding {
            severity,
            node: Some(context.source(node)),
            value: Some(off),
            threshold: Some(limit),
            pointer: format!("/nodes/{}", context.source(node)),
            ..CheckFinding::new(Rule::SkinUnderTransformedParent, message)
        });
    }
}

/// The largest difference of a matrix from the identity.
fn from_identity(matrix: &DAffine3) -> f64 {
    let difference = matrix.to_cols_array().into_iter().zip(DAffine3::IDENTITY.to_cols_array()).map(|(a, b)| (a - b).abs());
    difference.fold(0.0, f64::max)
}
