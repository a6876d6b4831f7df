//! Samples one animation in f64, straight from its keys, for the nodes that matter only. Slower than [`crate::animation::compiled`], but
//! exact, and it needs no pose of the whole model.

use glam::{DAffine3, DQuat, DVec3};

use crate::animation::curve;
use crate::animation::hierarchy::pose::local_matrix;
use crate::animation::keys::interpolate;
use crate::animation::keys::keyframe;
use crate::model::Model;
use crate::model::animation::{Animation, Channel, Target};
use crate::model::node::NodeIndex;
use crate::model::pointer::Property;

use super::rest::{Mirror, Turn, rest_rotation};

/// The node property that a channel animates, also if it is named by a pointer. `None` for anything else.
pub fn core_target(model: &Model, target: Target) -> Option<Target> {
    match target {
        Target::Pointer(pointer) => match model.pointers.get(pointer)?.property {
            Property::Core(target) => Some(target),
            _ => None,
        },
        core => Some(core),
    }
}

/// The transform of a node at some time.
#[derive(Debug, Clone, Copy)]
pub struct Sampled {
    /// Rotation in the world, without scale.
    pub turn: Turn,
    /// The whole transform in the world.
    pub global: DAffine3,
}

/// Samples the world transforms of some nodes of a model.
pub struct Sampler<'a> {
    model: &'a Model,
    animation: &'a Animation,
    /// The nodes to sample and all their ancestors, parents first.
    nodes: Vec<SampledNode>,
    /// One per channel: where its last search ended.
    hints: Vec<u32>,
}

/// A node with the channels that move it, as indices in the animation.
struct SampledNode {
    node: NodeIndex,
    /// Position of the parent among the nodes.
    parent: Option<usize>,
    translation: Option<usize>,
    rotation: Option<usize>,
    scale: Option<usize>,
}

impl<'a> Sampler<'a> {
    /// Prepares to sample these nodes. `is_wanted` has one entry per node of the model.
    pub fn new(model: &'a Model, animation: &'a Animation, is_wanted: &[bool]) -> Self {
        let mut is_needed = is_wanted.to_vec();
        for node in (0..is_needed.len()).rev() {
            if let Some(parent) = model.hierarchy.parents[node].filter(|_| is_needed[node]) {
                is_needed[parent.index()] = true;
            }
        }
        let mut places = vec![None; is_needed.len()];
        let mut nodes: Vec<SampledNode> = Vec::new();
        for node in model.node_indices().filter(|node| is_needed[node.index()]) {
            places[node.index()] = Some(nodes.len());
            let parent = model.hierarchy.parent(node).and_then(|parent| places[parent.index()]);
            nodes.push(SampledNode { node, parent, translation: None, rotation: None, scale: None });
        }
        for (index, channel) in animation.channels.iter().enumerate() {
            let Some(target) = core_target(model, channel.target) else { continue };
            let Some(at) = target.node().and_then(|node| places[node.index()]) else { continue };
            match target {
                Target::Translation(_) => nodes[at].translation = Some(index),
                Target::Rotation(_) => nodes[at].rotation = Some(index),
                Target::Scale(_) => nodes[at].scale = Some(index),
                Target::Weights(_) | Target::Pointer(_) => {}
            }
        }
        Self { model, animation, nodes, hints: vec![0; animation.channels.len()] }
    }

    /// Number of nodes that each sample computes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is nothing to sample.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The channels that move the sampled nodes.
    pub fn channels(&self) -> impl Iterator<Item = &'a Channel> + '_ {
        let indices = self.nodes.iter().flat_map(|node| [node.translation, node.rotation, node.scale]).flatten();
        indices.map(|index| &self.animation.channels[index])
    }

    /// Writes the transforms at `time`, in seconds, into `out`, which has one entry per node of the model. Other entries stay.
    pub fn sample(&mut self, time: f64, out: &mut [Sampled]) {
        for at in 0..self.nodes.len() {
            let SampledNode { node, parent, translation, rotation, scale } = self.nodes[at];
            let above = parent.map(|parent| out[self.nodes[parent].node.index()]);
            let above = above.unwrap_or(Sampled { turn: Turn::IDENTITY, global: DAffine3::IDENTITY });
            let rest = &self.model.hierarchy.rest[node.index()];
            let is_moved = translation.or(rotation).or(scale).is_some();
            let [translation, scale] = [(translation, rest.translation), (scale, rest.scale)]
                .map(|(channel, rest)| channel.map_or(rest.as_dvec3(), |channel| self.vector(channel, time)));
            let rotation = rotation.map_or_else(|| rest_rotation(rest), |channel| self.rotation(channel, time));
            // A matrix that the animation leaves alone may have shear, which the three parts lack.
            let local = if is_moved {
                DAffine3::from_scale_rotation_translation(scale, rotation, translation)
            } else {
                local_matrix(&self.model.hierarchy, &self.model.hierarchy.rest, node.index())
            };
            out[node.index()] = Sampled { turn: above.turn.child(rotation, Mirror::from_scale(scale)), global: above.global * local };
        }
    }

    /// The value of a rotation channel.
    fn rotation(&mut self, index: usize, time: f64) -> DQuat {
        let channel = &self.animation.channels[index];
        let segment = keyframe::find(&self.animation.key_times[channel.key_times], time, &mut self.hints[index]);
        curve::rotation(channel, &segment).value
    }

    /// The value of a translation or scale channel. Both have three components.
    fn vector(&mut self, index: usize, time: f64) -> DVec3 {
        let channel = &self.animation.channels[index];
        let segment = keyframe::find(&self.animation.key_times[channel.key_times], time, &mut self.hints[index]);
        interpolate::translation(channel, &segment)
    }
}
