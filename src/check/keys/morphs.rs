//! Checks morph targets: whether any animation drives them, and whether their weights stay between 0 and 1.

use std::collections::HashSet;

use crate::animation::keys::pointer_targets;
use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::{Channel, Target};
use crate::model::label;
use crate::model::node::NodeIndex;
use crate::model::pointer::Property;
use crate::numbers::agreeing;

/// Checks all morph targets.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let mut driven = vec![false; context.model.rest_weights.len()];
    // A target drives the same weights in all animations. A mesh may be shown by very many nodes, so each target is marked once.
    let mut marked = HashSet::new();
    for animation in 0..context.model.animations.len() {
        let mut out_of_range = Worst::default();
        for channel in &context.model.animations[animation].channels {
            if let Some(weights) = WeightChannel::new(context, channel) {
                if marked.insert(channel.target) {
                    weights.mark_driven(context, &mut driven);
                }
                weights.add_out_of_range(context, animation, &mut out_of_range);
            }
        }
        report_out_of_range(context, animation, &out_of_range, findings);
    }
    // If the file has no animations, a program may drive the weights.
    if !context.model.animations.is_empty() {
        report_never_driven(context, &driven, findings);
    }
}

/// The first node whose morph weight a component of a channel drives, and the name of the morph target. `None` if it drives other
/// properties.
pub fn driven_target(context: &CheckContext, channel: &Channel, component: usize) -> Option<(Option<NodeIndex>, String)> {
    let weights = WeightChannel::new(context, channel)?;
    let node = weights.nodes.first().copied();
    Some((node, target_name(context, node, weights.first_weight + component)))
}

/// A channel that drives morph weights.
struct WeightChannel<'a> {
    channel: &'a Channel,
    /// The nodes whose weights it drives.
    nodes: &'a [NodeIndex],
    /// Index of the first weight that it drives.
    first_weight: usize,
}

/// A weight out of its range.
#[derive(Clone, Copy)]
struct OutOfRange<'a> {
    channel: &'a Channel,
    node: Option<NodeIndex>,
    target: usize,
    key: usize,
    weight: f64,
}

impl<'a> WeightChannel<'a> {
    /// The channel with the weights that it drives. `None` if it drives other properties.
    fn new(context: &CheckContext<'a>, channel: &'a Channel) -> Option<Self> {
        let (first_weight, nodes) = match &channel.target {
            Target::Weights(node) => (0, std::slice::from_ref(node)),
            Target::Pointer(pointer) => {
                let pointer = context.model.pointers.get(*pointer)?;
                let first_weight = match pointer.property {
                    Property::NodeWeight { weight, .. } | Property::MeshWeight { weight, .. } => weight,
                    Property::MeshWeights { .. } => 0,
                    _ => return None,
                };
                (first_weight, pointer_targets::weight_nodes(context.model, pointer))
            }
            _ => return None,
        };
        Some(Self { channel, nodes, first_weight })
    }

    /// Marks the weights that the channel drives.
    fn mark_driven(&self, context: &CheckContext, driven: &mut [bool]) {
        for node in self.nodes {
            let weights = context.model.node(*node).weights.clone();
            if let Some(weights) = driven.get_mut(weights) {
                weights.iter_mut().skip(self.first_weight).take(self.channel.components).for_each(|driven| *driven = true);
            }
        }
    }

    /// Finds for each weight of the channel the key at which it is farthest below 0 or above 1. Adds those whose distance from this range
    /// exceeds the limit.
    fn add_out_of_range(&self, context: &CheckContext, animation: usize, worst: &mut Worst<OutOfRange<'a>>) {
        let limit = context.settings.limit(Limit::MorphExcess);
        let keys = context.times(animation, self.channel).len();
        let excess = |weight: f64| (weight - 1.0).max(-weight);
        for target in 0..self.channel.components {
            let weights = (0..keys).filter_map(|key| Some((key, f64::from(*self.channel.value(key).get(target)?))));
            let largest = weights.filter(|(_, weight)| weight.is_finite()).max_by(|a, b| excess(a.1).total_cmp(&excess(b.1)));
            if let Some((key, weight)) = largest.filter(|(_, weight)| excess(*weight) > limit) {
                let node = self.nodes.first().copied();
                worst.add(excess(weight), OutOfRange { channel: self.channel, node, target: self.first_weight + target, key, weight });
            }
        }
    }
}

/// Reports weights below 0 or above 1.
fn report_out_of_range(context: &CheckContext, animation: usize, weights: &Worst<OutOfRange>, findings: &mut Findings) {
    let Some(&(_, worst)) = weights.first() else { return };
    let targets = weights.words(|_, weight| format!("{} to {:.2}", target_name(context, weight.node, weight.target), weight.weight));
    let name = context.animation_name(animation);
    let message = format!(
        "{name} drives {} below 0 or above 1: {targets}. Some engines clamp {}.",
        agreeing(weights.count, "a morph weight", "morph weights"),
        agreeing(weights.count, "it", "them")
    );
    findings.add(CheckFinding {
        node: worst.node.map(|node| context.source(node)),
        animation: Some(animation),
        time: context.times(animation, worst.channel).get(worst.key).copied().map(f64::from),
        value: Some(worst.weight),
        threshold: Some(if worst.weight < 0.0 { 0.0 } else { 1.0 }),
        pointer: CheckContext::channel_pointer(animation, worst.channel),
        ..CheckFinding::new(Rule::MorphOutOfRange, message)
    });
}

/// Reports morph targets that no animation drives and whose weight at rest is 0 at all nodes, with one finding per mesh.
fn report_never_driven(context: &CheckContext, driven: &[bool], findings: &mut Findings) {
    let shown_by_mesh = shown_by_mesh(context, driven);
    let mut is_checked = vec![false; context.model.meshes.len()];
    for node in context.model.node_indices() {
        let data = context.model.node(node);
        let Some(mesh) = data.mesh.filter(|&mesh| !std::mem::replace(&mut is_checked[mesh], true)) else { continue };
        let mut idle = Worst::default();
        for (target, _) in shown_by_mesh[mesh].iter().enumerate().filter(|(_, is_shown)| !**is_shown) {
            idle.add(0.0, target);
        }
        if idle.count > 0 {
            let targets = idle.words(|_, target| target_name(context, Some(node), *target));
            let (idle_count, count) = (idle.count, context.model.meshes[mesh].target_count);
            let name = context.node_name(node);
            let part = if count == 1 { "the morph target".to_owned() } else { format!("{idle_count} of the {count} morph targets") };
            let message = format!("No animation drives {part} of {name}: {targets}.");
            let pointer = format!("/meshes/{mesh}");
            let value = Some(idle.count as f64);
            findings.add(CheckFinding {
                node: Some(context.source(node)),
                value,
                pointer,
                ..CheckFinding::new(Rule::MorphNeverDriven, message)
            });
        }
    }
}

/// Returns for each mesh whether each of its morph targets is driven, or has a weight other than 0 at rest, at any of the nodes that show
/// the mesh.
fn shown_by_mesh(context: &CheckContext, driven: &[bool]) -> Vec<Vec<bool>> {
    let mut by_mesh: Vec<Vec<bool>> = context.model.meshes.iter().map(|mesh| vec![false; mesh.target_count]).collect();
    for node in &context.model.nodes {
        let weights = driven.get(node.weights.clone()).zip(context.model.rest_weights.get(node.weights.clone()));
        let (Some(mesh), Some((driven, rest))) = (node.mesh, weights) else { continue };
        for ((target, is_driven), rest) in by_mesh[mesh].iter_mut().zip(driven).zip(rest) {
            *target |= *is_driven || *rest != 0.0;
        }
    }
    by_mesh
}

/// The name of a morph target, or its number.
fn target_name(context: &CheckContext, node: Option<NodeIndex>, target: usize) -> String {
    let mesh = node.and_then(|node| context.model.node(node).mesh).and_then(|mesh| context.model.meshes.get(mesh));
    let name = mesh.and_then(|mesh| mesh.target_names.get(target)).filter(|name| !name.trim().is_empty());
    name.map_or_else(|| format!("target {target}"), |name| label::clean(name).into_owned())
}
