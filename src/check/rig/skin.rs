//! Checks skins and weights: the number of influences, joints without effect, the bind pose, and transforms of skinned meshes.

use glam::DAffine3;

use crate::animation::hierarchy::bind_pose;
use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings, Unit};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::Model;
use crate::model::animation::{Channel, Target};
use crate::model::finding::Severity;
use crate::model::node::NodeIndex;
use crate::numbers::{agreeing, counted};
use crate::session::pick::vertex::Vertex;

/// Checks all skins.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    check_influences(context, findings);
    check_weights(context, findings);
    check_effects(context, findings);
    check_bind_pose(context, findings);
    check_skinned_nodes(context, findings);
}

/// Reports vertices with more than 4 or 8 joints.
fn check_influences(context: &CheckContext, findings: &mut Findings) {
    let faults = context.weights;
    let Some((vertex, most)) = faults.max_joints else { return };
    let node = Some(context.source(vertex.node));
    let mesh = context.node_name(vertex.node);
    let value = Some(most as f64);
    if faults.above_many_joint_count > 0 {
        let message = format!(
            "More than 8 joints move {}; in {mesh}, up to {most} move one vertex. Few engines support that.",
            counted(faults.above_many_joint_count, "vertex")
        );
        findings.add(CheckFinding { node, value, threshold: Some(8.0), ..CheckFinding::new(Rule::InfluencesOver8, message) });
    }
    let message = format!(
        "More than 4 joints move {}; in {mesh}, up to {most} move one vertex. Many engines keep the 4 heaviest.",
        counted(faults.too_many_joints.count, "vertex")
    );
    findings.add(CheckFinding { node, value, threshold: Some(4.0), ..CheckFinding::new(Rule::InfluencesOver4, message) });
}

/// Reports vertices whose weights do not sum to 1, or are all 0.
fn check_weights(context: &CheckContext, findings: &mut Findings) {
    let unnormalized = &context.weights.unnormalized;
    let (unweighted, some) = (context.weights.unweighted, unnormalized.count - context.weights.unweighted.min(unnormalized.count));
    if some > 0 {
        let deviation = |sum: &f32| (sum - 1.0).abs();
        let worst = unnormalized.vertices.iter().filter(|(_, sum)| *sum > 0.0).max_by(|a, b| deviation(&a.1).total_cmp(&deviation(&b.1)));
        let example =
            |(vertex, sum): &(Vertex, f32)| format!(", such as {sum:.3} at vertex {} of {}", vertex.vertex, context.node_name(vertex.node));
        let example = worst.map_or_else(String::new, example);
        let message = format!("Weights do not sum to 1 at {}{example}.", counted(some, "vertex"));
        findings.add(CheckFinding {
            node: worst.map(|(vertex, _)| context.source(vertex.node)),
            value: worst.map(|(_, sum)| f64::from(*sum)),
            threshold: Some(1.0),
            ..CheckFinding::new(Rule::WeightsNotNormalized, message)
        });
    }
    if unweighted > 0 {
        let first = unnormalized.vertices.iter().find(|(_, sum)| *sum <= 0.0).map(|(vertex, _)| *vertex);
        let example = |vertex: Vertex| format!(", the first is vertex {} of {}", vertex.vertex, context.node_name(vertex.node));
        let example = first.map_or_else(String::new, example);
        let count = counted(unweighted, "vertex");
        let message = format!("Skinned meshes have {count} without any weight{example}. Sinew lets them follow the first joint.");
        let node = first.map(|vertex| context.source(vertex.node));
        findings.add(CheckFinding { node, value: Some(unweighted as f64), ..CheckFinding::new(Rule::VertexWithoutWeight, message) });
    }
}

/// Reports joints and animated nodes that move nothing. Files without meshes hold motion for other files, so they are not checked.
fn check_effects(context: &CheckContext, findings: &mut Findings) {
    let model = context.model;
    if model.is_motion_only() {
        return;
    }
    let has_effect = nodes_with_effect(context);
    let mut unused = Worst::default();
    context.weights.joints_without_weights.iter().filter(|joint| !has_effect[joint.index()]).for_each(|joint| unused.add(0.0, *joint));
    let names = |worst: &Worst<NodeIndex>| worst.words(|_, node| context.node_name(*node).to_owned());
    if let Some(&(_, node)) = unused.first() {
        let message = format!(
            "{} without effect: neither {} a vertex: {}.",
            counted(unused.count, "joint"),
            agreeing(unused.count, "it nor its descendants move", "they nor their descendants move"),
            names(&unused)
        );
        let value = Some(unused.count as f64);
        findings.add(CheckFinding { node: Some(context.source(node)), value, ..CheckFinding::new(Rule::JointWithoutWeights, message) });
    }
    // The first channel that drives each node without effect, and its animation.
    let mut drivers: Vec<Option<(usize, &Channel)>> = vec![None; model.nodes.len()];
    for (index, animation) in model.animations.iter().enumerate() {
        for channel in &animation.channels {
            // Channels that animate morph weights always have an effect.
            if let Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) = channel.target
                && !has_effect[node.index()]
            {
                drivers[node.index()].get_or_insert((index, channel));
            }
        }
    }
    let mut idle = Worst::default();
    model.node_indices().filter(|node| drivers[node.index()].is_some()).for_each(|node| idle.add(0.0, node));
    if let Some(&(_, node)) = idle.first()
        && let Some((animation, channel)) = drivers[node.index()]
    {
        let message = format!("Animations drive {} without visible effect: {}.", counted(idle.count, "node"), names(&idle));
        findings.add(CheckFinding {
            node: Some(context.source(node)),
            animation: Some(animation),
            value: Some(idle.count as f64),
            pointer: CheckContext::channel_pointer(animation, channel),
            ..CheckFinding::new(Rule::AnimatedNodeWithoutEffect, message)
        });
    }
}

/// Returns for each node whether it or a descendant moves a vertex, a mesh, a camera or a light.
fn nodes_with_effect(context: &CheckContext) -> Vec<bool> {
    let model = context.model;
    let mut is_idle_joint = vec![false; model.nodes.len()];
    context.weights.joints_without_weights.iter().for_each(|joint| is_idle_joint[joint.index()] = true);
    let is_joint = model.joints();
    let mut has_effect: Vec<bool> = model
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| {
            (is_joint[index] && !is_idle_joint[index]) || node.camera.is_some() || node.light.is_some() || model.is_drawn_rigidly(node)
        })
        .collect();
    // Go backward, to visit children before their parents.
    for node in (0..model.nodes.len()).rev() {
        if let Some(parent) = model.hierarchy.parents[node].filter(|_| has_effect[node]) {
            has_effect[parent.index()] = true;
        }
    }
    has_effect
}

/// Reports joints whose rest pose is far from their bind pose.
fn check_bind_pose(context: &CheckContext, findings: &mut Findings) {
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
        "At rest, {} {} far from the bind pose: {joints}. The mesh is deformed before any animation plays.",
        counted(far.count, "joint"),
        agreeing(far.count, "is", "are")
    );
    let exceeds_angle = angle > max_angle;
    let (value, threshold) = if exceeds_angle { (angle, max_angle) } else { (difference.distance, max_distance * context.rest.size) };
    findings.add(CheckFinding {
        node: Some(context.source(difference.joint)),
        value: Some(value),
        threshold: Some(threshold),
        unit: Some(if exceeds_angle { Unit::Degrees } else { Unit::Meters }),
        ..CheckFinding::new(Rule::RestFarFromBind, message)
    });
}

/// Reports skinned meshes whose node has a global transform, which players must ignore.
fn check_skinned_nodes(context: &CheckContext, findings: &mut Findings) {
    let (model, globals) = (context.model, &context.rest.compiled.rest_globals);
    let limit = context.settings.limit(Limit::ParentDistance);
    let (mut own, mut shared) = (Worst::default(), Worst::default());
    let highest = highest_with_transform(model, globals, limit);
    let joint_ranges: Vec<_> = model.skins.iter().map(|skin| Some((*skin.joints.iter().min()?, *skin.joints.iter().max()?))).collect();
    for node in model.node_indices().filter(|node| model.node(*node).mesh.is_some()) {
        let Some(joints) = model.node(node).skin.and_then(|skin| joint_ranges.get(skin)) else { continue };
        let difference = difference_from_identity(&globals[node.index()]);
        if difference <= limit || !difference.is_finite() {
            continue;
        }
        // If the joints are also descendants of the ancestor that the mesh has its transform from, an engine that applies the transform
        // moves mesh and joints alike. The nodes of a subtree follow each other.
        let subtree = model.hierarchy.subtree(highest[node.index()]);
        let is_shared = highest[node.index()] != node
            && joints.is_some_and(|(first, last)| subtree.contains(&first.index()) && subtree.contains(&last.index()));
        if is_shared { shared.add(difference, node) } else { own.add(difference, node) }
    }
    let lists = [
        (own, Severity::Warning, ["with a transform of its own", "with transforms of their own"]),
        (shared, Severity::Info, ["under a transform that its joints have, too", "under a transform that their joints have, too"]),
    ];
    for (worst, severity, [of_one, of_many]) in lists {
        let Some(&(difference, node)) = worst.first() else { continue };
        let meshes = worst.words(|_, node| context.node_name(*node).to_owned());
        let count = counted(worst.count, "skinned mesh");
        let kind = agreeing(worst.count, of_one, of_many);
        let message = format!("{count} {kind}: {meshes}. glTF ignores the transform; engines that apply it show the mesh elsewhere.");
        findings.add(CheckFinding {
            severity,
            node: Some(context.source(node)),
            value: Some(difference),
            threshold: Some(limit),
            pointer: format!("/nodes/{}", context.source(node)),
            ..CheckFinding::new(Rule::SkinUnderTransformedParent, message)
        });
    }
}

/// For each node, the highest ancestor with the same global transform, up to differences of `limit` between parent and child. It is the
/// node itself if its parent has another transform.
fn highest_with_transform(model: &Model, globals: &[DAffine3], limit: f64) -> Vec<NodeIndex> {
    let mut highest: Vec<NodeIndex> = Vec::with_capacity(globals.len());
    for node in model.node_indices() {
        // Parents come first in the order of the model.
        let same = model
            .hierarchy
            .parent(node)
            .filter(|parent| difference_from_identity(&(globals[parent.index()].inverse() * globals[node.index()])) <= limit);
        highest.push(same.map_or(node, |parent| highest[parent.index()]));
    }
    highest
}

/// The largest difference between an element of the matrix and the same element of the identity. Infinite if an element is NaN.
fn difference_from_identity(matrix: &DAffine3) -> f64 {
    let difference = matrix.to_cols_array().into_iter().zip(DAffine3::IDENTITY.to_cols_array()).map(|(a, b)| (a - b).abs());
    difference.fold(0.0, |largest, difference| if difference.is_nan() { f64::INFINITY } else { largest.max(difference) })
}
