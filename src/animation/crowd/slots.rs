//! Lists the slots of a schedule one by one, because in a crowd each is computed by itself, and not in pairs and blocks.

use std::ops::Range;

use crate::animation::hierarchy::schedule::{NO_INDEX, Schedule};
use crate::animation::hierarchy::skinning::JointMatrix;

/// A slot of the schedule that has a node.
#[derive(Debug, Clone)]
pub struct NodeSlot {
    /// Index of the node, in model order.
    pub node: u32,
    /// Slot of the parent, base slots included.
    pub parent: u32,
    /// The slot itself, base slots included.
    pub slot: u32,
    /// Index in the palette; [`NO_INDEX`] if the node has no entry.
    pub entry: u32,
    /// Inverse bind matrix of that entry.
    pub inverse_bind_matrix: JointMatrix,
    /// How the local matrix is made.
    pub local: LocalForm,
}

/// The form of a node's local transform.
#[derive(Debug, Clone)]
pub enum LocalForm {
    /// Translation and rotation: the scale is always 1.
    Unscaled,
    /// Translation, rotation and scale.
    Scaled,
    /// A matrix in the file, which is never animated (glTF 2.0, 3.5.3).
    Fixed(Box<JointMatrix>),
}

/// Returns the slots of some blocks.
pub fn node_slots(schedule: &Schedule, blocks: Range<usize>) -> Vec<NodeSlot> {
    let mut slots = Vec::new();
    for (index, block) in schedule.blocks[blocks.clone()].iter().enumerate() {
        let first = 4 * (blocks.start + index);
        for slot in 2 * first..(2 * first + 8).min(2 * schedule.pairs.len()) {
            let (pair, which) = (&schedule.pairs[slot / 2], slot % 2);
            let fixed = block.fixed.iter().find(|(in_block, _)| *in_block == slot - 2 * first);
            // Empty slots have no node.
            if pair.nodes[which] != NO_INDEX {
                slots.push(NodeSlot {
                    node: pair.nodes[which],
                    parent: pair.parents[which],
                    slot: (schedule.base_slots + slot) as u32,
                    entry: pair.entries[which],
                    inverse_bind_matrix: pair.inverse_bind_matrices.get(which),
                    local: match fixed {
                        Some((_, matrix)) => LocalForm::Fixed(Box::new(*matrix)),
                        None if block.is_unscaled => LocalForm::Unscaled,
                        None => LocalForm::Scaled,
                    },
                });
            }
        }
    }
    slots
}
