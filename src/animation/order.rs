//! The order in which nodes are placed, worked out once: parents before children as it must be, and otherwise level by level, so
//! that neighbours do not wait for each other; nodes that no animation ever moves come first and are placed once.
//!
//! Each node has a slot. Slot 0 is the world (seen from the anchor); see [`super::trunk`] for the slots after it.

use glam::Vec3A;

use crate::model::Model;
use crate::model::animation::Target;

use super::lanes::Eight;
use super::skinning::JointMatrix;

/// Slots and what is placed in them. The first [`Order::bases`] of them are not placed here but given; all that is said to go by
/// slot leaves them out. Slots are filled up with empty ones so that [`Order::still`] is a whole number of eights.
#[derive(Debug, Clone, Default)]
pub struct Order {
    /// Slots that are given: the world, then the nodes of the trunk.
    pub bases: usize,
    /// By slot, eight at a time: the node. In empty slots it is any.
    pub eights: Vec<Eight>,
    /// By eight: whether none of its nodes is ever scaled.
    pub unscaled: Vec<bool>,
    /// By slot: where its parent is, the bases counted.
    pub parents: Vec<u32>,
    /// By slot: its first palette entry, [`NO_PLACE`] without any.
    pub places: Vec<u32>,
    /// By slot: the inverse bind matrix of that entry.
    pub inverse_bind_matrices: Vec<JointMatrix>,
    /// Further entries of nodes that are joints of several skins, or listed twice.
    pub more_entries: Vec<Entry>,
    /// By node: its slot, the bases counted.
    pub slots: Vec<u32>,
    /// How many slots no animation moves: they come first.
    pub still: usize,
    /// Slots of nodes with a matrix of their own, ascending, and that matrix.
    pub fixed: Vec<(usize, JointMatrix)>,
}

/// Beyond every palette.
pub const NO_PLACE: u32 = u32::MAX;

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
    let depths = hierarchy.depths();
    let mut given = vec![false; n];
    trunk.iter().for_each(|&node| given[node] = true);
    let moving = if trunk.is_empty() { moving(model) } else { vec![true; n] };
    let mut nodes: Vec<u32> = (0..n as u32).filter(|&node| !given[node as usize]).collect();
    nodes.sort_by_key(|&node| (moving[node as usize], depths[node as usize], node));
    let still = nodes.iter().filter(|&&node| !moving[node as usize]).count();
    let empty = still.next_multiple_of(8) - still;
    // By slot; empty ones between those that are still and those that move.
    let nodes: Vec<Option<u32>> =
        nodes[..still].iter().copied().map(Some).chain((0..empty).map(|_| None)).chain(nodes[still..].iter().copied().map(Some)).collect();

    let bases = 1 + trunk.len();
    let mut slots = vec![0; n];
    for (slot, &node) in trunk.iter().enumerate() {
        slots[node] = 1 + slot as u32;
    }
    for (slot, node) in nodes.iter().enumerate() {
        if let Some(node) = node {
            slots[*node as usize] = (bases + slot) as u32;
        }
    }
    let parent = |node: &Option<u32>| node.and_then(|node| hierarchy.parents[node as usize]).map_or(0, |parent| slots[parent.index()]);
    let fixed = nodes.iter().enumerate().filter_map(|(slot, node)| {
        let matrix = hierarchy.fixed_local[(*node)? as usize].as_ref()?;
        Some((slot, JointMatrix::from_affine(&matrix.as_daffine3())))
    });
    let unscaled = unscaled(model);
    let mut order = Order {
        bases,
        eights: nodes.chunks(8).map(|eight| Eight::new(std::array::from_fn(|i| eight.get(i).copied().flatten().unwrap_or(0)))).collect(),
        unscaled: nodes.chunks(8).map(|eight| eight.iter().flatten().all(|&node| unscaled[node as usize])).collect(),
        parents: nodes.iter().map(parent).collect(),
        places: vec![NO_PLACE; nodes.len()],
        inverse_bind_matrices: vec![JointMatrix::IDENTITY; nodes.len()],
        more_entries: Vec::new(),
        fixed: fixed.collect(),
        still: still + empty,
        slots,
    };
    add_entries(model, &given, &mut order);
    order
}

fn add_entries(model: &Model, given: &[bool], order: &mut Order) {
    let mut add = |node: usize, place: usize, inverse_bind_matrix: JointMatrix| {
        if given[node] {
            return;
        }
        let (slot, place) = (order.slots[node], place as u32);
        let at = slot as usize - order.bases;
        if order.places[at] == NO_PLACE {
            (order.places[at], order.inverse_bind_matrices[at]) = (place, inverse_bind_matrix);
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
            let is_one = super::compile::constant(channel).is_some_and(|value| value == [1.0; 3]);
            unscaled[node.index()] &= is_one;
        }
    }
    unscaled
}
