//! Carries morph weights over, by the names of the morph targets.

use std::collections::HashMap;

use crate::model::Model;
use crate::model::animation::{Animation, Channel, Interpolation, Target};
use crate::model::mesh::Mesh;
use crate::model::node::NodeIndex;

use super::direct::copy_key_times;
use super::max_values;

/// A channel of weights whose morph targets have names in common with the morph targets of a node.
struct Match<'a> {
    channel: &'a Channel,
    /// For each weight of the node, the index of the channel's weight with the same name.
    weights: Vec<Option<usize>>,
    /// Whether the channel drives the counterpart of the node, then the number of names in common. The match with the highest rank is used.
    rank: (bool, usize),
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
    let animated: Vec<(&Channel, NodeIndex, &Mesh)> = animation
        .channels
        .iter()
        .filter_map(|channel| match channel.target {
            Target::Weights(node) => Some((channel, node, source.meshes.get(source.node(node).mesh?)?)),
            _ => None,
        })
        .filter(|(_, _, mesh)| !mesh.target_names.is_empty())
        .collect();
    let (mut sets, mut is_reduced) = (vec![None; animation.key_times.len()], false);
    if animated.is_empty() {
        return false;
    }
    for node in target.node_indices() {
        let Some(mesh) = target.node(node).mesh.and_then(|mesh| target.meshes.get(mesh)) else { continue };
        let weight_by_name: HashMap<&str, usize> =
            mesh.target_names.iter().take(mesh.target_count).enumerate().map(|(weight, name)| (name.as_str(), weight)).collect();
        let matches = animated.iter().filter_map(|(channel, source_node, source_mesh)| {
            let mut weights = vec![None; mesh.target_count];
            let mut count = 0;
            for (source_weight, name) in source_mesh.target_names.iter().enumerate().take(channel.components) {
                if let Some(&weight) = weight_by_name.get(name.as_str()).filter(|_| !name.is_empty()) {
                    weights[weight] = Some(source_weight);
                    count += 1;
                }
            }
            (count > 0).then_some(Match { channel, weights, rank: (counterparts[source_node.index()] == Some(node), count) })
        });
        let best = matches.fold(None, |best: Option<Match>, other| match best {
            Some(best) if best.rank >= other.rank => Some(best),
            _ => Some(other),
        });
        let Some(Match { channel, weights, .. }) = best else { continue };
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
