//! Pairs the nodes of two models by their names, each node with at most one other.
//!
//! The rules are tried in order, each on the nodes that no rule before it has paired: by hand, the exact name, the name without its
//! namespace, the letters and digits of the name, and the joint that the name stands for in known skeletons ([`humanoid`]). Among nodes of
//! the same name, joints go first. All rules take time in proportion to the length of the names.

pub mod humanoid;
pub mod humanoid_names;

use std::collections::HashMap;
use std::hash::Hash;

use crate::model::Model;
use crate::model::node::{NodeIndex, without_namespace};

use super::method::moved_nodes;

/// The rule that paired two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The user paired them.
    ByHand,
    /// The same name.
    Name,
    /// The same name without what is before its last colon or bar.
    Namespace,
    /// The same letters and digits, in upper or lower case.
    Letters,
    /// The same joint of a humanoid, in different naming conventions.
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

/// Two nodes that move together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The node of the model with the animations.
    pub source: NodeIndex,
    /// The node of the model that is to move.
    pub target: NodeIndex,
    pub rule: Rule,
}

/// The pairs of two models, and the nodes without a partner. All lists are in the order of the model's nodes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binding {
    /// In the order of the target's nodes.
    pub pairs: Vec<Pair>,
    /// Joints and animated nodes of the source without a partner.
    pub unbound_sources: Vec<NodeIndex>,
    /// Joints of the target without a partner.
    pub unbound_targets: Vec<NodeIndex>,
    /// Nodes of the source without a partner because several nodes have the name that would pair them.
    pub ambiguous_sources: Vec<NodeIndex>,
    /// Nodes of the target, likewise.
    pub ambiguous_targets: Vec<NodeIndex>,
    /// Number of animated nodes of the source, and of those that have a partner.
    pub moved: Count,
}

/// How many of some nodes have a partner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    pub bound: usize,
    pub all: usize,
}

impl Binding {
    /// The partner of each node of the source. `nodes` is the number of these.
    pub fn partners(&self, nodes: usize) -> Vec<Option<NodeIndex>> {
        let mut partners = vec![None; nodes];
        for pair in &self.pairs {
            partners[pair.source.index()] = Some(pair.target);
        }
        partners
    }
}

/// One of the two models.
struct Side<'a> {
    model: &'a Model,
    /// One per node: whether it belongs to the skeleton. Such nodes go before others of the same name.
    is_joint: Vec<bool>,
    is_paired: Vec<bool>,
    is_ambiguous: Vec<bool>,
}

impl<'a> Side<'a> {
    /// The model with its skeleton. `moved` nodes belong to it too.
    fn new(model: &'a Model, moved: &[bool]) -> Self {
        let mut is_joint = model.skeleton_nodes(None);
        is_joint.iter_mut().zip(moved).for_each(|(is_joint, moved)| *is_joint |= moved);
        Self { model, is_joint, is_paired: vec![false; model.nodes.len()], is_ambiguous: vec![false; model.nodes.len()] }
    }

    /// The nodes without a partner, with their names. Nodes without a name are left out.
    fn free(&self) -> impl Iterator<Item = (NodeIndex, &'a str)> + '_ {
        let model: &'a Model = self.model;
        let named = model.node_indices().filter_map(move |node| Some((node, model.node(node).name.as_deref()?)));
        named.filter(|(node, name)| !self.is_paired[node.index()] && !name.is_empty())
    }

    /// The nodes of the skeleton without a partner, with their names.
    fn free_joints(&self) -> impl Iterator<Item = (NodeIndex, &'a str)> + '_ {
        self.free().filter(|(node, _)| self.is_joint[node.index()])
    }
}

/// The nodes that share a key. Other nodes count only where no joint has the key.
#[derive(Default)]
struct Sharing {
    joints: Vec<NodeIndex>,
    others: Vec<NodeIndex>,
}

impl Sharing {
    /// The nodes that count.
    fn nodes(&self) -> &[NodeIndex] {
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
    let keys = sides.each_ref().map(|side| side.free().collect());
    pair(&mut sides, keys, Rule::Name, &mut pairs);
    let keys = sides.each_ref().map(|side| side.free().map(|(node, name)| (node, without_namespace(name))).collect());
    pair(&mut sides, keys, Rule::Namespace, &mut pairs);
    let keys = sides.each_ref().map(|side| side.free_joints().filter_map(|(node, name)| Some((node, letters(name)?))).collect());
    pair(&mut sides, keys, Rule::Letters, &mut pairs);
    let keys = sides.each_ref().map(|side| {
        let all = side.model.node_indices().filter(|node| side.is_joint[node.index()]);
        let named: Vec<_> = all.filter_map(|node| Some((node, side.model.node(node).name.as_deref()?))).collect();
        let joints = humanoid::joints(&named);
        joints.into_iter().filter(|(node, _)| !side.is_paired[node.index()]).collect()
    });
    pair(&mut sides, keys, Rule::Humanoid, &mut pairs);
    pairs.sort_by_key(|pair| pair.target);
    report(&sides, pairs, &moved)
}

/// Pairs what the user paired. A node that the user left without a partner counts as paired, so that no rule finds it.
fn pair_by_hand(sides: &mut [Side; 2], by_hand: &[(NodeIndex, Option<NodeIndex>)], pairs: &mut Vec<Pair>) {
    let [sources, targets] = sides.each_mut().map(|side| &mut side.is_paired);
    for &(source, target) in by_hand {
        let Some(is_paired) = sources.get_mut(source.index()).filter(|is_paired| !**is_paired) else { continue };
        *is_paired = true;
        let free = target.filter(|target| targets.get(target.index()) == Some(&false));
        if let Some(target) = free {
            targets[target.index()] = true;
            pairs.push(Pair { source, target, rule: Rule::ByHand });
        }
    }
}

/// Pairs the nodes whose key exactly one node of each side has.
fn pair<K: Hash + Eq>(sides: &mut [Side; 2], keys: [Vec<(NodeIndex, K)>; 2], rule: Rule, pairs: &mut Vec<Pair>) {
    let mut shared: HashMap<K, [Sharing; 2]> = HashMap::new();
    for (which, keys) in keys.into_iter().enumerate() {
        for (node, key) in keys {
            let sharing = &mut shared.entry(key).or_default()[which];
            let is_joint = sides[which].is_joint[node.index()];
            if is_joint { sharing.joints.push(node) } else { sharing.others.push(node) }
        }
    }
    for both in shared.values() {
        match both.each_ref().map(Sharing::nodes) {
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

/// Collects the nodes without a partner.
fn report(sides: &[Side; 2], pairs: Vec<Pair>, moved: &[bool]) -> Binding {
    let has_partner = |which: usize| {
        let mut has_partner = vec![false; sides[which].model.nodes.len()];
        pairs.iter().for_each(|pair| has_partner[[pair.source, pair.target][which].index()] = true);
        has_partner
    };
    let without_partner = |which: usize, is_ambiguous: bool| -> Vec<NodeIndex> {
        let (side, has_partner) = (&sides[which], has_partner(which));
        let nodes = side.model.node_indices().filter(|node| side.is_joint[node.index()] && !has_partner[node.index()]);
        nodes.filter(|node| side.is_ambiguous[node.index()] == is_ambiguous).collect()
    };
    let bound = pairs.iter().filter(|pair| moved[pair.source.index()]).count();
    Binding {
        moved: Count { bound, all: moved.iter().filter(|moved| **moved).count() },
        unbound_sources: without_partner(0, false),
        unbound_targets: without_partner(1, false),
        ambiguous_sources: without_partner(0, true),
        ambiguous_targets: without_partner(1, true),
        pairs,
    }
}

/// The letters and digits of the name without its namespace, in lower case. `None` if it has none.
fn letters(name: &str) -> Option<String> {
    let letters: String = without_namespace(name).chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    Some(letters).filter(|letters| !letters.is_empty())
}
