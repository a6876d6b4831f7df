//! Morph weights as a person sets them, in place of what the file or an animation says.

use std::collections::BTreeMap;

use crate::animation::keys::pointer_targets;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::node::NodeIndex;
use crate::model::pointer::Property;

use super::{View, joint_switches, layers};

/// By node (the file's index) and by target.
pub type Morphs = BTreeMap<usize, BTreeMap<usize, f32>>;

/// Writes them over the weights of a pose; tells whether there were any.
pub fn write(model: &Model, morphs: &Morphs, weights: &mut [f32]) -> bool {
    let mut any = false;
    for (&source, targets) in morphs {
        let Some(node) = model.node_from_source(source) else { continue };
        let weights = &mut weights[model.node(node).weights.clone()];
        for (&target, &value) in targets.iter().filter(|(_, value)| value.is_finite()) {
            if let Some(weight) = weights.get_mut(target) {
                *weight = value;
                any = true;
            }
        }
    }
    any
}

pub fn set(morphs: &mut Morphs, source: usize, target: usize, weight: f32) {
    morphs.entry(source).or_default().insert(target, weight);
}

/// Back to what drives it.
pub fn reset(morphs: &mut Morphs, source: usize, target: usize) {
    if let Some(targets) = morphs.get_mut(&source) {
        targets.remove(&target);
        if targets.is_empty() {
            morphs.remove(&source);
        }
    }
}

pub fn get(morphs: &Morphs, source: usize, target: usize) -> Option<f32> {
    morphs.get(&source)?.get(&target).copied()
}

/// The animations that a view plays and that drive a weight, the last word last.
pub fn drivers(model: &Model, view: &View, node: NodeIndex, target: usize) -> Vec<usize> {
    if view.bind_pose || !joint_switches::effective(model, &view.switches).animated[node.index()] {
        return Vec::new();
    }
    let layers = layers::active(&view.layers, model).filter(|(_, layer)| layer.included(model)[node.index()]);
    let played = view.animation.into_iter().chain(layers.map(|(_, layer)| layer.animation));
    let drives = |animation: &usize| {
        let channels = model.animations.get(*animation).into_iter().flat_map(|animation| &animation.channels);
        channels.into_iter().any(|channel| drives(model, channel.target, node, target))
    };
    played.filter(drives).collect()
}

fn drives(model: &Model, channel: Target, node: NodeIndex, target: usize) -> bool {
    let Target::Pointer(pointer) = channel else { return channel == Target::Weights(node) };
    let pointer = &model.pointers[pointer];
    match pointer.property {
        Property::Core(core) => core == Target::Weights(node),
        Property::NodeWeight { weight, .. } | Property::MeshWeight { weight, .. } if weight != target => false,
        _ => pointer_targets::weight_nodes(model, pointer).contains(&node),
    }
}
