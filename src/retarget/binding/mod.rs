//! Pairs the nodes of two models by their names, each node with at most one other.
//!
//! The rules are tried in order, each on the nodes that the earlier rules have not paired: by hand, the exact name, the name without its
//! namespace, the letters and digits of the name, and the joint that the name stands for in known skeletons ([`humanoid`]). The last two
//! rules pair only joints and animated nodes. Of nodes with the same name, joints are preferred. Nodes of two humanoids that stand for
//! different joints are only paired by hand. The time is proportional to the length of all names.

pub mod humanoid;
pub mod humanoid_names;

use std::collections::HashMap;
use std::hash::Hash;

use crate::model::Model;
use crate::model::node::{NodeIndex, without_namespace};

use super::sampler::moved_nodes;

/// The rule that paired two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The user paired them.
    ByHand,
    /// Their names are equal.
    Name,
    /// Their names are equal after the last colon or bar.
    Namespace,
    /// The letters and digits of their names are equal, ignoring case.
    Letters,
    /// Their names stand for the same joint of a humanoid.
    Humanoid,
}

impl Rule {
    /// The rule in a few words.
    pub fn label(self) -> &'static str {
        match self {
            Self::ByHand => "by hand",
            Self::Name => "same name",
            Self::Namespace => "namespace",
            Self::Letters => "same letters",
            Self::Humanoid => "humanoid",
        }
    }
}

/// A node of the source and its counterpart in the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The node of the model with the animations.
    pub source: NodeIndex,
    /// The node of the model that is to move.
    pub target: NodeIndex,
    pub rule: Rule,
}

/// The pairs of two models, and the nodes without a counterpart. Nodes are in the order of their model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binding {
    /// The pairs, in the order of the target's nodes.
    pub pairs: Vec<Pair>,
    /// Joints and animated nodes of the source without a counterpart.
    pub unbound_sources: Vec<NodeIndex>,
    /// Joints of the target without a counterpart.
    pub unbound_targets: Vec<NodeIndex>,
    /// Nodes of the source without a counterpart because several nodes have the name that would pair them.
    pub ambiguous_sources: Vec<NodeIndex>,
    /// Nodes of the target without a counterpart for the same reason.
    pub ambiguous_targets: Vec<NodeIndex>,
    /// The animated nodes of the source.
    pub moved: CounterpartCount,
}

/// A number of nodes, and how many of them have a counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CounterpartCount {
    /// Number of nodes with a counterpart.
    pub bound: usize,
    /// Number of all nodes.
    pub all: usize,
}

impl Binding {
    /// The counterpart of each node of the source, which has `node_count` nodes.
    pub fn counterparts(&self, node_count: usize) -> Vec<Option<NodeIndex>> {
        let mut counterparts = vec![None; node_count];
        for pair in &self.pairs {
            counterparts[pair.source.index()] = Some(pair.target);
        }
        counterparts
    }
}

/// One of the two models, with data about each of its nodes.
struct Side<'a> {
    model: &'a Model,
    /// Whether the node belongs to the skeleton. Such nodes are preferred to others of the same name.
    is_joint: Vec<bool>,
    /// Whether the node has a counterpart, or was left without one by the user.
    is_paired: Vec<bool>,
    /// Whether several nodes have the name that would pair the node.
    is_ambiguous: Vec<bool>,
    /// The joint of a humanoid that the node stands for. Paired nodes are included, because they help to recognize the naming convention.
    humanoid_joints: Vec<Option<humanoid::Joint>>,
    /// Whether the skeleton certainly is a humanoid.
    is_humanoid: bool,
}

impl<'a> Side<'a> {
    /// The model with its skeleton. `moved` tells for each node whether it is animated; such nodes belong to the skeleton too.
    fn new(model: &'a Model, moved: &[bool]) -> Self {
        let mut is_joint = model.skeleton_nodes(None);
        is_joint.iter_mut().zip(moved).for_each(|(is_joint, moved)| *is_joint |= moved);
        let joints = model.node_indices().filter(|node| is_joint[node.index()]);
        let named: Vec<_> = joints.filter_map(|node| Some((node, model.node(node).name.as_deref()?))).collect();
        let found = humanoid::joints(&named);
        let mut humanoid_joints = vec![None; model.nodes.len()];
        found.iter().for_each(|(node, joint)| humanoid_joints[node.index()] = Some(*joint));
        let (is_paired, is_ambiguous) = (vec![false; model.nodes.len()], vec![false; model.nodes.len()]);
        Self { model, is_joint, is_paired, is_ambiguous, humanoid_joints, is_humanoid: found.len() >= humanoid::MIN_JOINTS }
    }

    /// The nodes without a counterpart, with their names. Nodes without a name are left out.
    fn unpaired(&self) -> impl Iterator<Item = (NodeIndex, &'a str)> + '_ {
        let model: &'a Model = self.model;
        let named = model.node_indices().filter_map(move |node| Some((node, model.node(node).name.as_deref()?)));
        named.filter(|(node, name)| !self.is_paired[node.index()] && !name.is_empty())
    }

    /// The nodes of the skeleton without a counterpart, with their names.
    fn unpaired_joints(&self) -> impl Iterator<Item = (NodeIndex, &'a str)> + '_ {
        self.unpaired().filter(|(node, _)| self.is_joint[node.index()])
    }
}

/// The nodes with the same key.
#[derive(Default)]
struct NodesWithKey {
    joints: Vec<NodeIndex>,
    others: Vec<NodeIndex>,
}

impl NodesWithKey {
    /// The joints, or the other nodes if there are no joints.
    fn preferred(&self) -> &[NodeIndex] {
        if self.joints.is_empty() { &self.others } else { &self.joints }
    }
}

/// Pairs the nodes of the source, which has the animations, with nodes of the target. `by_hand` overrides the rules; see
/// [`super::Settings::by_hand`].
pub fn bind(source: &Model, target: &Model, by_hand: &[(NodeIndex, Option<NodeIndex>)]) -> Binding {
    let moved = moved_nodes(source);
    let mut sides = [Side::new(source, &moved), Side::new(target, &[])];
    let mut pairs = Vec::new();
    pair_by_hand(&mut sides, by_hand, &mut pairs);
    let keys = sides.each_ref().map(|side| side.unpaired().collect());
    pair_by_key(&mut sides, keys, Rule::Name, &mut pairs);
    let keys = sides.each_ref().map(|side| side.unpaired().map(|(node, name)| (node, without_namespace(name))).collect());
    pair_by_key(&mut sides, keys, Rule::Namespace, &mut pairs);
    let keys = sides.each_ref().map(|side| side.unpaired_joints().filter_map(|(node, name)| Some((node, letters(name)?))).collect());
    pair_by_key(&mut sides, keys, Rule::Letters, &mut pairs);
    let keys = sides.each_ref().map(|side| {
        let joints = side.unpaired_joints();
        joints.filter_map(|(node, _)| Some((node, side.humanoid_joints[node.index()]?))).collect()
    });
    pair_by_key(&mut sides, keys, Rule::Humanoid, &mut pairs);
    pairs.sort_by_key(|pair| pair.target);
    binding(&sides, pairs, &moved)
}

/// Adds the pairs that the user made. A node that the user left without a counterpart is marked as paired, so that no rule pairs it.
fn pair_by_hand(sides: &mut [Side; 2], by_hand: &[(NodeIndex, Option<NodeIndex>)], pairs: &mut Vec<Pair>) {
    let [sources, targets] = sides.each_mut().map(|side| &mut side.is_paired);
    for &(source, target) in by_hand {
        let Some(is_paired) = sources.get_mut(source.index()).filter(|is_paired| !**is_paired) else { continue };
        *is_paired = true;
        let unpaired_target = target.filter(|target| targets.get(target.index()) == Some(&false));
        if let Some(target) = unpaired_target {
            targets[target.index()] = true;
            pairs.push(Pair { source, target, rule: Rule::ByHand });
        }
    }
}

/// Pairs two nodes with the same key, if no other node of either side has that key. Joints take precedence over other nodes.
fn pair_by_key<K: Hash + Eq>(sides: &mut [Side; 2], keys: [Vec<(NodeIndex, K)>; 2], rule: Rule, pairs: &mut Vec<Pair>) {
    let mut nodes_by_key: HashMap<K, [NodesWithKey; 2]> = HashMap::new();
    for (side_index, keys) in keys.into_iter().enumerate() {
        for (node, key) in keys {
            let nodes = &mut nodes_by_key.entry(key).or_default()[side_index];
            let is_joint = sides[side_index].is_joint[node.index()];
            if is_joint { nodes.joints.push(node) } else { nodes.others.push(node) }
        }
    }
    for nodes_of_sides in nodes_by_key.values() {
        match nodes_of_sides.each_ref().map(NodesWithKey::preferred) {
            [&[source], &[target]] if stand_for_different_joints(sides, source, target) => {}
            [&[source], &[target]] => {
                sides[0].is_paired[source.index()] = true;
                sides[1].is_paired[target.index()] = true;
                pairs.push(Pair { source, target, rule });
            }
            [[], _] | [_, []] => {}
            nodes => {
                for (side, nodes) in sides.iter_mut().zip(nodes) {
                    nodes.iter().for_each(|node| side.is_ambiguous[node.index()] = true);
                }
            }
        }
    }
}

/// Returns whether two nodes of humanoids stand for different joints. The same name may do so: "spine" is the hips in Rigify.
fn stand_for_different_joints([sources, targets]: &[Side; 2], source: NodeIndex, target: NodeIndex) -> bool {
    let joints = (sources.humanoid_joints[source.index()], targets.humanoid_joints[target.index()]);
    sources.is_humanoid && targets.is_humanoid && matches!(joints, (Some(source), Some(target)) if source != target)
}

/// Makes the binding: adds the nodes without a counterpart to the pairs.
fn binding(sides: &[Side; 2], pairs: Vec<Pair>, moved: &[bool]) -> Binding {
    let has_counterpart = |side_index: usize| {
        let mut has_counterpart = vec![false; sides[side_index].model.nodes.len()];
        pairs.iter().for_each(|pair| has_counterpart[[pair.source, pair.target][side_index].index()] = true);
        has_counterpart
    };
    let without_counterpart = |side_index: usize, is_ambiguous: bool| -> Vec<NodeIndex> {
        let (side, has_counterpart) = (&sides[side_index], has_counterpart(side_index));
        let nodes = side.model.node_indices().filter(|node| side.is_joint[node.index()] && !has_counterpart[node.index()]);
        nodes.filter(|node| side.is_ambiguous[node.index()] == is_ambiguous).collect()
    };
    let bound = pairs.iter().filter(|pair| moved[pair.source.index()]).count();
    Binding {
        moved: CounterpartCount { bound, all: moved.iter().filter(|moved| **moved).count() },
        unbound_sources: without_counterpart(0, false),
        unbound_targets: without_counterpart(1, false),
        ambiguous_sources: without_counterpart(0, true),
        ambiguous_targets: without_counterpart(1, true),
        pairs,
    }
}

/// The letters and digits of the name without its namespace, in lower case. `None` if it has none.
fn letters(name: &str) -> Option<String> {
    let letters: String = without_namespace(name).chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    Some(letters).filter(|letters| !letters.is_empty())
}
