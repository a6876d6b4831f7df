//! The order in which nodes are placed, worked out once: parents before children as it must be, and otherwise in pairs that are
//! placed at once and so do not wait for each other; nodes that no animation ever moves come first and are placed once.
//!
//! Each node has a slot, two slots are a pair. Slot 0 is the world (seen from the anchor); see [`super::far_nodes`] for the slots after
//! it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec3A;

use crate::animation::simd::eight::LaneIndices;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::hierarchy::Hierarchy;
use crate::model::node::NodeIndex;

use super::matrix_pair::{self, MatrixPair};
use super::skinning::JointMatrix;

/// Slots and what is placed in them. The first [`Order::bases`] of them are not placed here but given; all that is said to go by
/// slot or by pair leaves them out. Some slots are empty: where nothing could be placed beside a node, and so that
/// [`Order::bases`] is even and what is still takes whole eights.
#[derive(Debug, Clone, Default)]
pub struct Order {
    /// Slots that are given: the world, then the nodes of the trunk.
    pub bases: usize,
    /// Four pairs each; the last one may have fewer.
    pub eights: Vec<EightSlots>,
    pub pairs: Vec<Pair>,
    /// Further entries of nodes that are joints of several skins, or listed twice.
    pub more_entries: Vec<Entry>,
    /// How many eights no animation moves: they come first.
    pub still: usize,
}

/// What goes for eight slots together.
#[derive(Debug, Clone)]
pub struct EightSlots {
    /// The nodes of the first slots of its pairs, then of the second ones. For empty slots it is any.
    pub nodes: LaneIndices,
    /// Whether none of them is ever scaled.
    pub is_unscaled: bool,
    /// Those of the eight with a matrix of their own, and that matrix.
    pub fixed: Vec<(usize, JointMatrix)>,
}

/// Two slots.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The node, [`NONE`] in an empty slot.
    pub nodes: [u32; 2],
    /// The slot of its parent, the bases counted.
    pub parents: [u32; 2],
    /// Where that one's matrix is ([`matrix_pair::first_number`]).
    pub parent_numbers: [u32; 2],
    /// Its first palette entry, [`NONE`] without any.
    pub places: [u32; 2],
    /// The inverse bind matrix of that entry.
    pub inverse_bind_matrices: MatrixPair,
}

/// Beyond every palette and all nodes.
pub const NONE: u32 = u32::MAX;

/// `palette[place] = globals[slot] * inverse bind matrix`, the bases counted.
#[derive(Debug, Clone)]
pub struct Entry {
    pub slot: u32,
    pub place: u32,
    pub inverse_bind_matrix: JointMatrix,
}

/// For each node: whether any animation moves it or what it hangs on.
pub fn moving(model: &Model) -> Vec<bool> {
    let mut moving = vec![false; model.nodes.len()];
    for channel in model.animations.iter().flat_map(|animation| &animation.channels) {
        if let Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) = channel.target {
            moving[node.index()] = true;
        }
    }
    for node in 0..moving.len() {
        moving[node] |= model.hierarchy.parents[node].is_some_and(|parent| moving[parent.index()]);
    }
    moving
}

/// `trunk`: the nodes whose global transforms are given, parents first.
pub fn order(model: &Model, trunk: &[usize]) -> Order {
    let (hierarchy, n) = (&model.hierarchy, model.nodes.len());
    let mut given = vec![false; n];
    trunk.iter().for_each(|&node| given[node] = true);
    let moving = if trunk.is_empty() { moving(model) } else { vec![true; n] };
    let mut nodes = paired(hierarchy, |node| !given[node] && !moving[node]);
    nodes.resize(nodes.len().next_multiple_of(8), NONE);
    let still = nodes.len() / 8;
    nodes.extend(paired(hierarchy, |node| !given[node] && moving[node]));

    let bases = (1 + trunk.len()).next_multiple_of(2);
    let mut slots = vec![0; n];
    let placed = nodes.iter().enumerate().filter(|(_, node)| **node != NONE).map(|(slot, &node)| (bases + slot, node as usize));
    for (slot, node) in trunk.iter().enumerate().map(|(at, &node)| (1 + at, node)).chain(placed) {
        slots[node] = slot as u32;
    }
    let unscaled = unscaled(model);
    let mut order = Order {
        bases,
        eights: nodes.chunks(8).map(|nodes| eight(hierarchy, &unscaled, nodes)).collect(),
        pairs: nodes.chunks_exact(2).map(|nodes| pair(hierarchy, &slots, [nodes[0], nodes[1]])).collect(),
        more_entries: Vec::new(),
        still,
    };
    add_entries(model, &given, &slots, &mut order);
    order
}

/// Some nodes, parents before children and no two of a pair one above the other. [`NONE`] fills up pairs for which there is no
/// second node; few need that, since the node with the longest way down always goes first.
fn paired(hierarchy: &Hierarchy, is_wanted: impl Fn(usize) -> bool) -> Vec<u32> {
    let n = hierarchy.parents.len();
    let (mut heights, mut children) = (vec![0u32; n], vec![Vec::new(); n]);
    let mut ready = BinaryHeap::new();
    for node in (0..n).rev() {
        if let Some(parent) = hierarchy.parents[node].map(NodeIndex::index) {
            heights[parent] = heights[parent].max(heights[node] + 1);
            children[parent].push(node);
        }
    }
    let entry = |node: usize| (heights[node], Reverse(node));
    let hangs_free = |node: usize| hierarchy.parents[node].is_none_or(|parent| !is_wanted(parent.index()));
    ready.extend((0..n).filter(|&node| is_wanted(node) && hangs_free(node)).map(entry));
    let mut nodes = Vec::with_capacity(n);
    while let Some((_, Reverse(first))) = ready.pop() {
        let second = ready.pop().map(|(_, Reverse(node))| node);
        nodes.extend([first as u32, second.map_or(NONE, |node| node as u32)]);
        for node in [Some(first), second].into_iter().flatten() {
            ready.extend(children[node].iter().copied().filter(|&child| is_wanted(child)).map(entry));
        }
    }
    nodes
}

/// `unscaled`: by node.
fn eight(hierarchy: &Hierarchy, unscaled: &[bool], nodes: &[u32]) -> EightSlots {
    let node = |slot: usize| nodes.get(slot).copied().filter(|&node| node != NONE).unwrap_or(0);
    let fixed = |(slot, &node): (usize, &u32)| {
        let matrix = hierarchy.fixed_local.get(node as usize)?.as_ref()?;
        Some((slot, JointMatrix::from_affine(&matrix.as_daffine3())))
    };
    EightSlots {
        nodes: LaneIndices::new(std::array::from_fn(|lane| node(lane % 4 * 2 + lane / 4))),
        is_unscaled: nodes.iter().all(|&node| unscaled.get(node as usize).is_none_or(|is| *is)),
        fixed: nodes.iter().enumerate().filter_map(fixed).collect(),
    }
}

fn pair(hierarchy: &Hierarchy, slots: &[u32], nodes: [u32; 2]) -> Pair {
    let parent = |node: u32| hierarchy.parents.get(node as usize).copied().flatten();
    let parents = nodes.map(|node| parent(node).map_or(0, |parent| slots[parent.index()]));
    Pair {
        nodes,
        parents,
        parent_numbers: parents.map(|slot| matrix_pair::first_number(slot as usize)),
        places: [NONE; 2],
        inverse_bind_matrices: MatrixPair::IDENTITY,
    }
}

fn add_entries(model: &Model, given: &[bool], slots: &[u32], order: &mut Order) {
    let mut add = |node: usize, place: usize, inverse_bind_matrix: JointMatrix| {
        if given[node] {
            return;
        }
        let (slot, place) = (slots[node], place as u32);
        let at = slot as usize - order.bases;
        let (pair, which) = (&mut order.pairs[at / 2], at % 2);
        if pair.places[which] == NONE {
            pair.places[which] = place;
            pair.inverse_bind_matrices.set(which, &inverse_bind_matrix);
        } else {
            order.more_entries.push(Entry { slot, place, inverse_bind_matrix });
        }
    };
    for skin in &model.skins {
        for ((place, joint), inverse_bind_matrix) in skin.matrices.clone().zip(&skin.joints).zip(&skin.inverse_bind_matrices) {
            add(joint.index(), place, JointMatrix::from_affine(&inverse_bind_matrix.as_daffine3()));
        }
    }
    for (index, node) in model.nodes.iter().enumerate() {
        if let Some(place) = node.rigid_matrix {
            add(index, place, JointMatrix::IDENTITY);
        }
    }
}

/// For each node: whether its scale is 1 at rest and in every animation.
fn unscaled(model: &Model) -> Vec<bool> {
    let mut unscaled: Vec<bool> = model.hierarchy.rest.iter().map(|rest| rest.scale == Vec3A::ONE).collect();
    for channel in model.animations.iter().flat_map(|animation| &animation.channels) {
        if let Target::Scale(node) = channel.target {
            let is_one = crate::animation::compiled::coefficients::constant(channel).is_some_and(|value| value == [1.0; 3]);
            unscaled[node.index()] &= is_one;
        }
    }
    unscaled
}
