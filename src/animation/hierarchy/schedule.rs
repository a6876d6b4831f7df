//! Determines the order in which global matrices are computed, once per model.
//!
//! Parents come before children. Nodes are paired: the two nodes of a pair do not depend on each other and are computed at once.
//! Nodes that no animation moves come first and are computed only once.
//!
//! Each node has a slot. Two slots make a pair, and four pairs a block. The matrices of the *base slots* are given instead of computed:
//! slot 0 is global space (relative to the anchor), the slots after it are the far nodes ([`super::far_nodes`]).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec4;

use crate::animation::simd::lane_access::LaneIndices;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::hierarchy::{Hierarchy, Trs};
use crate::model::node::NodeIndex;

use super::matrix_pair::{self, MatrixPair};
use super::skinning::{self, JointMatrix};

/// All slots of a model. A slot is empty if no node could be paired with the other node of its pair, if it makes
/// [`Schedule::base_slots`] even, or if it fills up the last static block.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    /// Number of base slots: global space, then the far nodes. It is always even.
    pub base_slots: usize,
    /// Blocks of eight slots each, after the base slots.
    pub blocks: Vec<SlotBlock>,
    /// The pairs of all blocks: four per block, fewer in the last one.
    pub pairs: Vec<SlotPair>,
    /// Second and further palette entries of nodes that are joints of several skins, or that one skin lists twice.
    pub extra_entries: Vec<ExtraEntry>,
    /// Number of blocks that no animation moves. They come first.
    pub static_blocks: usize,
    /// The nodes that are not in static blocks, in model order.
    pub moving_nodes: Vec<u32>,
    /// Node index and palette entry of each of `moving_nodes` that has a rigid mesh. They are copied from [`Model::nodes`], which is too
    /// large for the processor's caches if there are many nodes.
    pub moving_rigid_nodes: Vec<[u32; 2]>,
}

/// Eight slots, that is, four pairs.
#[derive(Debug, Clone)]
pub struct SlotBlock {
    /// Nodes of the first slots of the four pairs, then of the second slots. An empty slot holds node 0, and its matrix has no effect.
    pub nodes: LaneIndices<Trs>,
    /// First rows of the parents' global matrices ([`matrix_pair::first_row`]), in the order of `nodes`.
    pub parents: LaneIndices<Vec4>,
    /// The palette entries of the slots, in the order of `nodes`, if all of them are written without conditions, which takes less time. A
    /// slot without an entry has that of a later slot, which overwrites it.
    pub entries: Option<LaneIndices<JointMatrix>>,
    /// Index of the block's first pair in [`Schedule::pairs`].
    pub first_pair: usize,
    /// Whether none of the nodes is ever scaled.
    pub is_unscaled: bool,
    /// Slot in the block (0 to 7) and local matrix of the nodes that have a matrix in the file.
    pub fixed: Vec<(usize, JointMatrix)>,
}

/// Two slots whose matrices are computed together.
#[derive(Debug, Clone)]
pub struct SlotPair {
    /// Node indices; [`NO_INDEX`] for an empty slot.
    pub nodes: [u32; 2],
    /// Slots of the parents, base slots included.
    pub parents: [u32; 2],
    /// First palette entry of each node; [`NO_INDEX`] if it has none.
    pub entries: [u32; 2],
    /// Inverse bind matrices of these entries.
    pub inverse_bind_matrices: MatrixPair,
}

/// Minimum number of pairs with palette entries in a block whose entries are written without conditions. Four pairs without conditions take
/// as long as three with them.
const MIN_PAIRS_WITH_ENTRIES: usize = 3;

/// The index of a missing node or palette entry. No list is long enough to have this index.
pub const NO_INDEX: u32 = u32::MAX;

/// A palette entry: `palette[entry] = globals[slot] * inverse_bind_matrix`.
#[derive(Debug, Clone)]
pub struct ExtraEntry {
    /// The slot of the node, base slots included.
    pub slot: u32,
    /// Index in the palette.
    pub entry: u32,
    /// Inverse bind matrix of the joint in that skin; identity for a rigid node.
    pub inverse_bind_matrix: JointMatrix,
}

/// Returns for each node whether any animation moves it or one of its ancestors, in model order.
pub fn is_moving_by_node(model: &Model) -> Vec<bool> {
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

impl Schedule {
    /// Schedules all nodes.
    ///
    /// `far_nodes` are the nodes whose global transforms are given, parents first. `is_unscaled` tells for each node, in model order,
    /// whether its scale is always 1.
    pub fn new(model: &Model, far_nodes: &[usize], is_unscaled: &[bool]) -> Self {
        let (hierarchy, n) = (&model.hierarchy, model.nodes.len());
        let mut is_given = vec![false; n];
        far_nodes.iter().for_each(|&node| is_given[node] = true);
        let moving = if far_nodes.is_empty() { is_moving_by_node(model) } else { vec![true; n] };
        // Static nodes fill whole blocks, so that moving nodes begin in a new block.
        let mut nodes = pair_nodes(hierarchy, |node| !is_given[node] && !moving[node]);
        nodes.resize(nodes.len().next_multiple_of(8), NO_INDEX);
        let static_blocks = nodes.len() / 8;
        nodes.extend(pair_nodes(hierarchy, |node| !is_given[node] && moving[node]));

        let base_slots = (1 + far_nodes.len()).next_multiple_of(2);
        // Slot 0 is global space, so far nodes start at slot 1. The parent of a root is slot 0.
        let mut slots = vec![0; n];
        let scheduled = (base_slots..).zip(&nodes).filter(|(_, node)| **node != NO_INDEX).map(|(slot, &node)| (slot, node as usize));
        for (slot, node) in (1..).zip(far_nodes.iter().copied()).chain(scheduled) {
            slots[node] = slot as u32;
        }
        let mut schedule = Self {
            base_slots,
            blocks: nodes.chunks(8).enumerate().map(|(index, nodes)| slot_block(hierarchy, is_unscaled, &slots, index, nodes)).collect(),
            pairs: nodes.chunks_exact(2).map(|nodes| slot_pair(hierarchy, &slots, [nodes[0], nodes[1]])).collect(),
            extra_entries: Vec::new(),
            static_blocks,
            moving_nodes: (0..n as u32).filter(|&node| moving[node as usize]).collect(),
            moving_rigid_nodes: skinning::rigid_nodes(model)
                .filter(|(node, _)| moving[*node])
                .map(|(node, entry)| [node as u32, entry as u32])
                .collect(),
        };
        schedule.add_entries(model, &is_given, &slots);
        schedule.add_block_entries();
        schedule
    }

    /// Gives every scheduled joint and rigid node its palette entries.
    fn add_entries(&mut self, model: &Model, is_given: &[bool], slots: &[u32]) {
        let mut add = |node: usize, entry: usize, inverse_bind_matrix: JointMatrix| {
            // Far nodes have their entries in `FarNodes::entries`.
            if is_given[node] {
                return;
            }
            let (slot, entry) = (slots[node], entry as u32);
            let position = slot as usize - self.base_slots;
            let (pair, which) = (&mut self.pairs[position / 2], position % 2);
            // A slot has room for one entry. Further ones are rare and kept in a list.
            if pair.entries[which] == NO_INDEX {
                pair.entries[which] = entry;
                pair.inverse_bind_matrices.set(which, &inverse_bind_matrix);
            } else {
                self.extra_entries.push(ExtraEntry { slot, entry, inverse_bind_matrix });
            }
        };
        for skin in &model.skins {
            for (entry, joint, inverse_bind_matrix) in skin.entries() {
                add(joint.index(), entry, JointMatrix::from_affine(&inverse_bind_matrix.as_daffine3()));
            }
        }
        for (index, node) in model.nodes.iter().enumerate() {
            if let Some(entry) = node.rigid_matrix {
                add(index, entry, JointMatrix::IDENTITY);
            }
        }
    }

    /// Gives the blocks the palette entries of their pairs.
    fn add_block_entries(&mut self) {
        let mut next = None;
        // Go backward, because slots without an entry have that of a later slot.
        for (block, pairs) in self.blocks.iter_mut().zip(self.pairs.chunks(4)).rev() {
            block.entries = block_entries(pairs, &mut next);
        }
    }
}

/// Returns the palette entries of the slots of `pairs`, or `None` if they cannot all be written without conditions, or if too few slots
/// have one. `next` is the first entry of later blocks; it becomes the first entry of this block, if it has any.
fn block_entries(pairs: &[SlotPair], next: &mut Option<u32>) -> Option<LaneIndices<JointMatrix>> {
    let mut entries = [None; 8];
    for slot in (0..2 * pairs.len()).rev() {
        let entry = pairs[slot / 2].entries[slot % 2];
        if entry != NO_INDEX {
            *next = Some(entry);
        }
        entries[slot % 2 * 4 + slot / 2] = *next;
    }
    let pairs_with_entries = pairs.iter().filter(|pair| pair.entries != [NO_INDEX; 2]).count();
    let is_faster = pairs_with_entries >= MIN_PAIRS_WITH_ENTRIES && !entries.contains(&None);
    is_faster.then(|| LaneIndices::new(entries.map(Option::unwrap_or_default)))
}

/// Returns the wanted nodes in pairs, parents before children and no node paired with its ancestor. [`NO_INDEX`] fills pairs
/// without a second node. There are few such pairs, because the node with the longest path down to a leaf always goes first.
fn pair_nodes(hierarchy: &Hierarchy, is_wanted: impl Fn(usize) -> bool) -> Vec<u32> {
    let n = hierarchy.parents.len();
    let (mut heights, mut children) = (vec![0u32; n], vec![Vec::new(); n]);
    let mut ready = BinaryHeap::new();
    // Children come after their parents. The loop runs backward, so the height of a node is final before its parent uses it.
    for node in (0..n).rev() {
        if let Some(parent) = hierarchy.parents[node].map(NodeIndex::index) {
            heights[parent] = heights[parent].max(heights[node] + 1);
            children[parent].push(node);
        }
    }
    let priority = |node: usize| (heights[node], Reverse(node));
    let is_root = |node: usize| hierarchy.parents[node].is_none_or(|parent| !is_wanted(parent.index()));
    ready.extend((0..n).filter(|&node| is_wanted(node) && is_root(node)).map(priority));
    let mut nodes = Vec::with_capacity(n);
    // Both nodes of a pair are ready, that is, their parents are in earlier pairs. Children become ready only after the pair.
    while let Some((_, Reverse(first))) = ready.pop() {
        let second = ready.pop().map(|(_, Reverse(node))| node);
        // The empty slot of a pair is the first one, so that its palette entry can be that of a later slot ([`SlotBlock::entries`]).
        nodes.extend([second.map_or(NO_INDEX, |node| node as u32), first as u32]);
        for node in [Some(first), second].into_iter().flatten() {
            ready.extend(children[node].iter().copied().filter(|&child| is_wanted(child)).map(priority));
        }
    }
    nodes
}

/// Makes the block with this index, of up to eight `nodes`, without palette entries. `is_unscaled` and `slots` have one entry per node, in
/// model order.
fn slot_block(hierarchy: &Hierarchy, is_unscaled: &[bool], slots: &[u32], index: usize, nodes: &[u32]) -> SlotBlock {
    let node = |slot: usize| nodes.get(slot).copied().unwrap_or(NO_INDEX);
    let in_lanes = |of_slot: &dyn Fn(usize) -> u32| std::array::from_fn(|lane| of_slot(lane % 4 * 2 + lane / 4));
    let fixed = |(slot, &node): (usize, &u32)| {
        let matrix = hierarchy.fixed_local.get(node as usize)?.as_ref()?;
        Some((slot, JointMatrix::from_affine(&matrix.as_daffine3())))
    };
    SlotBlock {
        nodes: LaneIndices::new(in_lanes(&|slot| if node(slot) == NO_INDEX { 0 } else { node(slot) })),
        parents: LaneIndices::new(in_lanes(&|slot| matrix_pair::first_row(parent_slot(hierarchy, slots, node(slot)) as usize))),
        entries: None,
        first_pair: 4 * index,
        is_unscaled: nodes.iter().all(|&node| is_unscaled.get(node as usize).is_none_or(|unscaled| *unscaled)),
        fixed: nodes.iter().enumerate().filter_map(fixed).collect(),
    }
}

/// Returns the slot of a node's parent, or slot 0 for a root and for [`NO_INDEX`].
fn parent_slot(hierarchy: &Hierarchy, slots: &[u32], node: u32) -> u32 {
    hierarchy.parents.get(node as usize).copied().flatten().map_or(0, |parent| slots[parent.index()])
}

/// Makes the pair of `nodes`, without palette entries. `slots` has one entry per node, in model order.
fn slot_pair(hierarchy: &Hierarchy, slots: &[u32], nodes: [u32; 2]) -> SlotPair {
    SlotPair {
        nodes,
        parents: nodes.map(|node| parent_slot(hierarchy, slots, node)),
        entries: [NO_INDEX; 2],
        inverse_bind_matrices: MatrixPair::IDENTITY,
    }
}
