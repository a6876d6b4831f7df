//! Checks the scale of the skeleton: non-uniform and negative scale of joints and of the nodes above them.

use crate::model::animation::Target;
use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;
use crate::numbers::counted;

use super::context::{CheckContext, value};
use super::finding::{CheckFinding, Findings, Worst};
use super::rule::{Limit, Rule};

/// Checks the skeleton at rest, and mirroring by animations.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let model = context.model;
    let joints = model.joints();
    // Nodes with a joint in their subtree, and those with one strictly below.
    let (mut part, mut above) = (joints.clone(), vec![false; joints.len()]);
    for node in (0..joints.len()).rev() {
        if let Some(parent) = model.hierarchy.parents[node].filter(|_| part[node]) {
            (part[parent.index()], above[parent.index()]) = (true, true);
        }
    }
    let limit = context.settings.limit(Limit::ScaleRatio);
    let (mut uneven, mut mirrored) = (Worst::default(), Worst::default());
    for node in model.node_indices().filter(|node| part[node.index()]) {
        let scale = rest_scale(context, node);
        let (least, most) = (scale.iter().copied().fold(f64::INFINITY, f64::min), scale.iter().copied().fold(0.0, f64::max));
        let sizes = scale.map(f64::abs);
        let ratio = sizes.iter().copied().fold(0.0, f64::max) / sizes.iter().copied().fold(f64::INFINITY, f64::min);
        if above[node.index()] && ratio > limit && most.is_finite() {
            uneven.add(ratio, (node, scale));
        }
        if least < 0.0 {
            mirrored.add(-least, node);
        }
    }
    if let Some(&(ratio, (node, _))) = uneven.first() {
        let joints = uneven.words(|_, (node, [x, y, z])| format!("{} ({x:.3}, {y:.3}, {z:.3})", context.node_name(*node)));
        let message = format!(
            "Scale differs between the axes at {} above joints: {joints}. Children that rotate are sheared.",
            counted(uneven.count, "node")
        );
        findings.add(of_node(context, node, Some(ratio), Some(limit), CheckFinding::new(Rule::NonUniformScale, message)));
    }
    if let Some(&(scale, node)) = mirrored.first() {
        let joints = mirrored.words(|_, node| context.node_name(*node).to_owned());
        let message = format!("The skeleton is mirrored by a negative scale at rest, at {}: {joints}.", counted(mirrored.count, "node"));
        findings.add(of_node(context, node, Some(-scale), Some(0.0), CheckFinding::new(Rule::NegativeScale, message)));
    }
    for animation in 0..model.animations.len() {
        animated(context, animation, &part, findings);
    }
}

/// Places a finding at a node.
fn of_node(context: &CheckContext, node: NodeIndex, value: Option<f64>, threshold: Option<f64>, finding: CheckFinding) -> CheckFinding {
    let source = context.source(node);
    CheckFinding { node: Some(source), value, threshold, pointer: format!("/nodes/{source}"), ..finding }
}

/// The scale of a node at rest.
fn rest_scale(context: &CheckContext, node: NodeIndex) -> [f64; 3] {
    let hierarchy = &context.model.hierarchy;
    let trs = hierarchy.fixed_local[node.index()].as_ref().map_or(hierarchy.rest[node.index()], Trs::from_matrix);
    trs.scale.to_array().map(f64::from)
}

/// Reports joints that an animation mirrors.
fn animated(context: &CheckContext, animation: usize, part: &[bool], findings: &mut Findings) {
    let mut mirrored = Worst::default();
    for channel in &context.model.animations[animation].channels {
        let Target::Scale(node) = channel.target else { continue };
        let times = context.times(animation, channel);
        let least = |key: usize| value(channel, key).iter().copied().fold(f32::INFINITY, f32::min);
        let lowest = (0..times.len()).map(|key| (least(key), key)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((scale, key)) = lowest.filter(|(scale, _)| part[node.index()] && *scale < 0.0) {
            mirrored.add(f64::from(-scale), (node, channel, times.get(key).copied().map(f64::from)));
        }
    }
    let Some(&(scale, (node, channel, time))) = mirrored.first() else { return };
    let joints = mirrored.words(|_, (node, ..)| context.node_name(*node).to_owned());
    let message = format!("{} mirrors joints by a negative scale: {joints}.", context.animation_name(animation));
    let finding = of_node(context, node, Some(-scale), Some(0.0), CheckFinding::new(Rule::NegativeScale, message));
    let pointer = CheckContext::channel_pointer(animation, channel);
    findings.add(CheckFinding { animation: Some(animation), time, pointer, ..finding });
}
