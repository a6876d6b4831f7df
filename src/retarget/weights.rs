//! Carries morph weights over, by the names of the morph targets.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Interpolation, Target};
use crate::model::mesh::Mesh;
use crate::model::node::NodeIndex;

use super::direct::copy_key_times;
use super::max_values;

/// A channel of weights whose morph targets have names.
struct Animated<'a> {
    channel: &'a Channel,
    node: NodeIndex,
    /// Index in [`NamedChannels::lists`].
    list: usize,
}

/// The names of the weights of one or more channels.
struct NameList<'a> {
    names: &'a [String],
    /// Index of the first channel whose weights have these names.
    first_channel: usize,
}

/// The channels of weights of an animation. Channels whose weights have the same names are matched only once.
struct NamedChannels<'a> {
    channels: Vec<Animated<'a>>,
    /// The different lists of names. Weight n of a channel has name n.
    lists: Vec<NameList<'a>>,
    /// For each name, the lists that contain it, once for each time.
    by_name: HashMap<&'a str, Vec<usize>>,
}

/// For each weight of a mesh, the index of the weight of a channel with the same name.
type Matches = Rc<[Option<usize>]>;

/// Matches the weights of the channels with those of the meshes of the target. Nodes that share a mesh share its matches.
struct Matcher<'a> {
    animated: &'a NamedChannels<'a>,
    /// For each mesh, the list of names that has the most names in common with it, and the first one of these. `None` if none has any.
    best: HashMap<usize, Option<usize>>,
    /// The matches by mesh and list of names. `None` if no name is in common.
    matches: HashMap<(usize, usize), Option<Matches>>,
}

impl<'a> NamedChannels<'a> {
    /// The channels of an animation of the source.
    fn new(source: &'a Model, animation: &'a Animation) -> Self {
        let (mut found, mut known) = (Self { channels: Vec::new(), lists: Vec::new(), by_name: HashMap::new() }, HashMap::new());
        for channel in &animation.channels {
            let Target::Weights(node) = channel.target else { continue };
            let Some(mesh) = source.node(node).mesh.and_then(|mesh| source.meshes.get(mesh)) else { continue };
            let names = &mesh.target_names[..mesh.target_names.len().min(channel.components)];
            if names.is_empty() {
                continue;
            }
            let list = *known.entry(names).or_insert_with(|| {
                for name in names.iter().filter(|name| !name.is_empty()) {
                    found.by_name.entry(name.as_str()).or_default().push(found.lists.len());
                }
                found.lists.push(NameList { names, first_channel: found.channels.len() });
                found.lists.len() - 1
            });
            found.channels.push(Animated { channel, node, list });
        }
        found
    }

    /// The list that has the most names in common with a mesh, and the first one of these.
    fn best(&self, mesh: &Mesh) -> Option<usize> {
        let names: HashSet<&str> = target_names(mesh).collect();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for list in names.iter().filter_map(|name| self.by_name.get(name)).flatten() {
            *counts.entry(*list).or_default() += 1;
        }
        counts.into_iter().max_by_key(|&(list, count)| (count, Reverse(list))).map(|(list, _)| list)
    }

    /// The weights of a mesh that have names of a list.
    fn matches(&self, mesh: &Mesh, list: usize) -> Option<Matches> {
        let weight_by_name: HashMap<&str, usize> = target_names(mesh).zip(0..).collect();
        let mut weights = vec![None; mesh.target_count];
        for (source_weight, name) in self.lists[list].names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if let Some(&weight) = weight_by_name.get(name.as_str()) {
                weights[weight] = Some(source_weight);
            }
        }
        weights.iter().any(Option::is_some).then(|| weights.into())
    }
}

impl<'a> Matcher<'a> {
    /// The channel for the mesh of a node, and its matches: the channel that has the most names in common with the mesh, among those in
    /// `own`, which drive the node's counterpart, or else among all channels.
    fn channel(&mut self, mesh: (usize, &Mesh), own: &[usize]) -> Option<(&'a Channel, Matches)> {
        let count = |matches: &Matches| matches.iter().flatten().count();
        let mut found: Option<(usize, Matches)> = None;
        for &channel in own {
            let matches = self.matches(mesh, self.animated.channels[channel].list);
            let is_better = |matches: &Matches| found.as_ref().is_none_or(|(_, best)| count(matches) > count(best));
            found = matches.filter(is_better).map(|matches| (channel, matches)).or(found);
        }
        if found.is_none() {
            let list = (*self.best.entry(mesh.0).or_insert_with(|| self.animated.best(mesh.1)))?;
            found = Some((self.animated.lists[list].first_channel, self.matches(mesh, list)?));
        }
        found.map(|(channel, matches)| (self.animated.channels[channel].channel, matches))
    }

    /// See [`NamedChannels::matches`].
    fn matches(&mut self, (index, mesh): (usize, &Mesh), list: usize) -> Option<Matches> {
        self.matches.entry((index, list)).or_insert_with(|| self.animated.matches(mesh, list)).clone()
    }
}

/// The names of the morph targets of a mesh.
fn target_names(mesh: &Mesh) -> impl Iterator<Item = &str> {
    mesh.target_names.iter().take(mesh.target_count).map(String::as_str)
}

/// Returns the number of values that the carried weights of these animations may have together. A limit is needed because many nodes can
/// share one animated mesh, and each node gets a copy of the channel.
pub fn budget(animations: &[Animation]) -> usize {
    let values: usize = animations.iter().flat_map(|animation| &animation.channels).map(|channel| channel.output.len()).sum();
    max_values(values, 1)
}

/// Adds a channel for the weights of each node of the target whose morph targets share names with animated morph targets. Weights without a
/// shared name stay at rest. Returns whether a channel was left out because it has more values than are left of `budget`.
pub fn carry(
    source: &Model,
    target: &Model,
    animation: &Animation,
    counterparts: &[Option<NodeIndex>],
    budget: &mut usize,
    carried: &mut Animation,
) -> bool {
    let animated = NamedChannels::new(source, animation);
    if animated.channels.is_empty() {
        return false;
    }
    // The channels that drive the counterpart of each node.
    let mut own: HashMap<NodeIndex, Vec<usize>> = HashMap::new();
    for (index, channel) in animated.channels.iter().enumerate() {
        if let Some(node) = counterparts[channel.node.index()] {
            own.entry(node).or_default().push(index);
        }
    }
    let mut matcher = Matcher { animated: &animated, best: HashMap::new(), matches: HashMap::new() };
    let (mut sets, mut is_reduced) = (vec![None; animation.key_times.len()], false);
    for node in target.node_indices() {
        let Some((index, mesh)) = target.node(node).mesh.and_then(|mesh| Some((mesh, target.meshes.get(mesh)?))) else { continue };
        let own = own.get(&node).map_or(&[][..], Vec::as_slice);
        let Some((channel, weights)) = matcher.channel((index, mesh), own) else { continue };
        let values = channel.output.len() / channel.components.max(1);
        let Some(remaining) = budget.checked_sub(values.saturating_mul(weights.len())) else {
            is_reduced = true;
            continue;
        };
        *budget = remaining;
        let output = output(channel, &weights, &target.rest_weights[target.node(node).weights.clone()]);
        let key_times = copy_key_times(&mut sets, animation, channel.key_times, carried);
        carried.channels.push(Channel { target: Target::Weights(node), key_times, output, components: weights.len(), ..channel.clone() });
    }
    is_reduced
}

/// The values of the channel for the weights of the target. Weights that the channel does not drive have their rest value, with tangents of
/// zero.
fn output(channel: &Channel, weights: &[Option<usize>], rest: &[f32]) -> Vec<f32> {
    let is_spline = channel.interpolation == Interpolation::CubicSpline;
    let groups = channel.output.chunks_exact(channel.components.max(1)).enumerate();
    let value = |index: usize, group: &[f32], weight: usize| match weights[weight] {
        Some(source_weight) => group[source_weight],
        // In a spline, the second of three groups holds the values.
        None if is_spline && index % 3 != 1 => 0.0,
        None => rest.get(weight).copied().unwrap_or_default(),
    };
    groups.flat_map(|(index, group)| (0..weights.len()).map(move |weight| value(index, group, weight))).collect()
}
