//! Matches the names and nodes of two models. Several elements may have the same name: the n-th one matches the n-th one of the other
//! model.

use std::collections::HashMap;
use std::hash::Hash;

use super::Model;
use super::node::NodeIndex;

/// Each name with the number of equal names before it. Two elements match if both are equal.
pub fn occurrences<N: Copy + Eq + Hash>(names: impl IntoIterator<Item = N>) -> Vec<(N, usize)> {
    let mut counts: HashMap<N, usize> = HashMap::new();
    let occurrence = |name| {
        let count = counts.entry(name).or_default();
        *count += 1;
        (name, *count - 1)
    };
    names.into_iter().map(occurrence).collect()
}

/// The number of animations before this one that have the same name.
pub fn earlier_namesakes(model: &Model, animation: usize) -> usize {
    model.animations[..animation].iter().filter(|earlier| earlier.name == model.animations[animation].name).count()
}

/// The n-th animation of `to` with the name of an animation of `from`, if that is the n-th one there. `None` if `to` has fewer.
pub fn namesake(from: &Model, to: &Model, animation: usize) -> Option<usize> {
    let name = &from.animations[animation].name;
    let namesakes = to.animations.iter().enumerate().filter(|(_, other)| other.name == *name);
    namesakes.map(|(index, _)| index).nth(earlier_namesakes(from, animation))
}

/// The counterpart in the second model of each node of the first. `names` are those of the nodes of both models.
///
/// `choose` chooses the counterpart of a node. It also receives the node at the same path, if there is one: the child of the parent's
/// counterpart that has the same name and as many siblings of this name before it. Parents are chosen before their children.
pub fn by_path<N: Copy + Eq + Hash>(
    [before, after]: [&Model; 2],
    names: [&[N]; 2],
    mut choose: impl FnMut(NodeIndex, Option<NodeIndex>) -> Option<NodeIndex>,
) -> Vec<Option<NodeIndex>> {
    let positions = |model: &Model, names: &[N]| occurrences(model.hierarchy.parents.iter().copied().zip(names.iter().copied()));
    let nodes: HashMap<_, _> = positions(after, names[1]).into_iter().zip(after.node_indices()).collect();
    let mut found: Vec<Option<NodeIndex>> = Vec::with_capacity(before.nodes.len());
    for (node, ((parent, name), earlier)) in before.node_indices().zip(positions(before, names[0])) {
        // A root has no parent in the other model either. A node whose parent has no counterpart matches no path.
        let parent = parent.map_or(Some(None), |parent| found[parent.index()].map(Some));
        let at_path = parent.and_then(|parent| nodes.get(&((parent, name), earlier)).copied());
        found.push(choose(node, at_path));
    }
    found
}
