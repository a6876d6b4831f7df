//! Checks the scale of the skeleton: non-uniform and negative scale of joints and of their ancestors.

use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::Target;
use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;
use crate::numbers::{agreeing, counted};

/// Checks the skeleton at rest, and negative scale in animations.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let model = context.model;
    let joints = model.joints();
    // Joints and their ancestors, and nodes with a joint among their descendants.
    let (mut in_skeleton, mut has_joint_below) = (joints.clone(), vec![false; joints.len()]);
    for node in (0..joints.len()).rev() {
        if let Some(parent) = model.hierarchy.parents[node].filter(|_| in_skeleton[node]) {
            (in_skeleton[parent.index()], has_joint_below[parent.index()]) = (true, true);
        }
    }
    let limit = context.settings.limit(Limit::ScaleRatio);
    let (mut uneven, mut mirrored) = (Worst::default(), Worst::default());
    for node in model.node_indices().filter(|node| in_skeleton[node.index()]) {
        let scale = rest_scale(context, node);
        let max = scale.iter().copied().fold(0.0, f64::max);
        let sizes = scale.map(f64::abs);
        let ratio = sizes.iter().copied().fold(0.0, f64::max) / sizes.iter().copied().fold(f64::INFINITY, f64::min);
        if has_joint_below[node.index()] && ratio > limit && max.is_finite() {
            uneven.add(ratio, (node, scale));
        }
        if let Some(axis) = mirrored_axis(&scale) {
            mirrored.add(-axis, node);
        }
    }
    if let Some(&(ratio, (node, _))) = uneven.first() {
        let joints = uneven.words(|_, (node, [x, y, z])| format!("{} ({x:.3}, {y:.3}, {z:.3})", context.node_name(*node)));
        let message = format!(
            "Scale differs between the axes at {} above joints: {joints}. Children that rotate are sheared.",
            counted(uneven.count, "node")
        );
        let finding = CheckFinding { value: Some(ratio), threshold: Some(limit), ..CheckFinding::new(Rule::NonUniformScale, message) };
        findings.add(at_node(context, node, finding));
    }
    if let Some(&(scale, node)) = mirrored.first() {
        let joints = mirrored.words(|_, node| context.node_name(*node).to_owned());
        let message = format!("The skeleton is mirrored by a negative scale at rest, at {}: {joints}.", counted(mirrored.count, "node"));
        let finding = CheckFinding { value: Some(-scale), threshold: Some(0.0), ..CheckFinding::new(Rule::NegativeScale, message) };
        findings.add(at_node(context, node, finding));
    }
    for animation in 0..model.animations.len() {
        check_animation(context, animation, &in_skeleton, findings);
    }
}

/// Sets the node of a finding.
fn at_node(context: &CheckContext, node: NodeIndex, finding: CheckFinding) -> CheckFinding {
    let source = context.source(node);
    CheckFinding { node: Some(source), pointer: format!("/nodes/{source}"), ..finding }
}

/// The scale of a node at rest.
fn rest_scale(context: &CheckContext, node: NodeIndex) -> [f64; 3] {
    let hierarchy = &context.model.hierarchy;
    let trs = hierarchy.fixed_local[node.index()].as_deref().map_or(hierarchy.rest[node.index()], Trs::from_matrix);
    trs.scale.to_array().map(f64::from)
}

/// The smallest axis of a scale that mirrors. `None` if the scale does not mirror: two negative axes are half a turn.
fn mirrored_axis(scale: &[f64; 3]) -> Option<f64> {
    let mirrors = scale.iter().product::<f64>() < 0.0;
    mirrors.then(|| scale.iter().copied().fold(f64::INFINITY, f64::min))
}

/// Reports joints, and ancestors of joints, that an animation gives a negative scale.
fn check_animation(context: &CheckContext, animation: usize, in_skeleton: &[bool], findings: &mut Findings) {
    let mut mirrored = Worst::default();
    for channel in &context.model.animations[animation].channels {
        let Target::Scale(node) = channel.target else { continue };
        let times = context.times(animation, channel);
        let axis_of_key = |key: usize| mirrored_axis(&<[f32; 3]>::try_from(channel.value(key)).ok()?.map(f64::from));
        let smallest = (0..times.len()).filter_map(|key| Some((axis_of_key(key)?, key))).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((scale, key)) = smallest.filter(|_| in_skeleton[node.index()]) {
            mirrored.add(-scale, (node, channel, times.get(key).copied().map(f64::from)));
        }
    }
    let Some(&(scale, (node, channel, time))) = mirrored.first() else { return };
    let joints = mirrored.words(|_, (node, ..)| context.node_name(*node).to_owned());
    let mirrored_joints = agreeing(mirrored.count, "a joint", "joints");
    let message = format!("{} mirrors {mirrored_joints} by a negative scale: {joints}.", context.animation_name(animation));
    findings.add(CheckFinding {
        node: Some(context.source(node)),
        animation: Some(animation),
        time,
        value: Some(-scale),
        threshold: Some(0.0),
        pointer: CheckContext::channel_pointer(animation, channel),
        ..CheckFinding::new(Rule::NegativeScale, message)
    });
}
