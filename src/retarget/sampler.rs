//! Samples one animation in f64 from its keys, for chosen nodes only. This is slower than [`crate::animation::compiled`], but exact, and
//! needs no pose of the whole model.

use glam::{DAffine3, DQuat, DVec3};

use crate::animation::curve;
use crate::animation::hierarchy::pose::local_matrix;
use crate::animation::keys::interpolate;
use crate::animation::keys::keyframe;
use crate::model::Model;
use crate::model::animation::{Animation, Channel, Target};
use crate::model::node::NodeIndex;

use super::rest::{GlobalRotation, Mirror, rest_rotation};

/// Returns for each node whether an animation of the model drives its translation, rotation or scale.
pub fn moved_nodes(model: &Model) -> Vec<bool> {
    let mut moved = vec![false; model.nodes.len()];
    for channel in model.animations.iter().flat_map(|animation| &animation.channels) {
        if let Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) = channel.target {
            moved[node.index()] = true;
        }
    }
    moved
}

/// The global transform of a node at some time.
#[derive(Debug, Clone, Copy)]
pub struct Sampled {
    /// The rotation, without scale.
    pub rotation: GlobalRotation,
    /// The whole transform.
    pub global: DAffine3,
}

/// The nodes to sample and all their ancestors. They are the same for all animations of a model.
pub struct NeededNodes {
    /// Parents first.
    nodes: Vec<NodeIndex>,
    /// The position of each node of the model in `nodes`.
    positions: Vec<Option<usize>>,
}

impl NeededNodes {
    /// The nodes that are needed to sample some nodes. `is_wanted` has one entry per node of the model.
    pub fn new(model: &Model, is_wanted: &[bool]) -> Self {
        let mut is_needed = is_wanted.to_vec();
        for node in (0..is_needed.len()).rev() {
            if let Some(parent) = model.hierarchy.parents[node].filter(|_| is_needed[node]) {
                is_needed[parent.index()] = true;
            }
        }
        let nodes: Vec<NodeIndex> = model.node_indices().filter(|node| is_needed[node.index()]).collect();
        let mut positions = vec![None; is_needed.len()];
        for (position, node) in nodes.iter().enumerate() {
            positions[node.index()] = Some(position);
        }
        Self { nodes, positions }
    }
}

/// Samples the global transforms of some nodes of a model.
pub struct Sampler<'a> {
    model: &'a Model,
    animation: &'a Animation,
    /// See [`NeededNodes::nodes`].
    nodes: Vec<SampledNode>,
    /// For each channel, the key at which the last search ended.
    hints: Vec<u32>,
}

/// A node with the channels that move it, as indices in the animation.
struct SampledNode {
    node: NodeIndex,
    /// Index of the parent in [`Sampler::nodes`].
    parent: Option<usize>,
    translation: Option<usize>,
    rotation: Option<usize>,
    scale: Option<usize>,
}

impl<'a> Sampler<'a> {
    /// Prepares to sample these nodes.
    pub fn new(model: &'a Model, animation: &'a Animation, needed: &NeededNodes) -> Self {
        let positions = &needed.positions;
        let node = |&node: &NodeIndex| {
            let parent = model.hierarchy.parent(node).and_then(|parent| positions[parent.index()]);
            SampledNode { node, parent, translation: None, rotation: None, scale: None }
        };
        let mut nodes: Vec<SampledNode> = needed.nodes.iter().map(node).collect();
        for (index, channel) in animation.channels.iter().enumerate() {
            let Some(position) = channel.target.node().and_then(|node| positions[node.index()]) else { continue };
            match channel.target {
                Target::Translation(_) => nodes[position].translation = Some(index),
                Target::Rotation(_) => nodes[position].rotation = Some(index),
                Target::Scale(_) => nodes[position].scale = Some(index),
                Target::Weights(_) | Target::Pointer(_) => {}
            }
        }
        Self { model, animation, nodes, hints: vec![0; animation.channels.len()] }
    }

    /// Number of nodes that each sample computes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no nodes to sample.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The channels that move the sampled nodes.
    pub fn channels(&self) -> impl Iterator<Item = &'a Channel> + '_ {
        let indices = self.nodes.iter().flat_map(|node| [node.translation, node.rotation, node.scale]).flatten();
        indices.map(|index| &self.animation.channels[index])
    }

    /// Writes the transforms at `time`, in seconds, into `out`, which has one entry per node of the model. Entries of other nodes do not
    /// change.
    pub fn sample(&mut self, time: f64, out: &mut [Sampled]) {
        for position in 0..self.nodes.len() {
            let SampledNode { node, parent, translation, rotation, scale } = self.nodes[position];
            let parent = parent.map(|parent| out[self.nodes[parent].node.index()]);
            let parent = parent.unwrap_or(Sampled { rotation: GlobalRotation::IDENTITY, global: DAffine3::IDENTITY });
            let rest = &self.model.hierarchy.rest[node.index()];
            let is_moved = translation.or(rotation).or(scale).is_some();
            let [translation, scale] = [(translation, rest.translation), (scale, rest.scale)]
                .map(|(channel, rest)| channel.map_or(rest.as_dvec3(), |channel| self.vector(channel, time)));
            let rotation = rotation.map_or_else(|| rest_rotation(rest), |channel| self.rotation(channel, time));
            // The matrix of a node that is not animated may have shear, which translation, rotation and scale cannot represent.
            let local = if is_moved {
                DAffine3::from_scale_rotation_translation(scale, rotation, translation)
            } else {
                local_matrix(&self.model.hierarchy, &self.model.hierarchy.rest, node.index())
            };
            let rotation = parent.rotation.child(rotation, Mirror::from_scale(scale));
            out[node.index()] = Sampled { rotation, global: parent.global * local };
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
