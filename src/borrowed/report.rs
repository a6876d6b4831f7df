//! What was bound between a borrowed file and the model, and what was not.

use std::sync::Arc;

use crate::model::animation::Animation;
use crate::retarget::binding::{Binding, Count};
use crate::retarget::method::Method;

use super::BorrowedFile;

/// Maximum number of names that a note lists.
const MAX_NAMES: usize = 8;

/// How the animations of one file were carried over.
#[derive(Debug, Clone)]
pub struct Report {
    /// The file's name, as labels show it.
    pub name: String,
    /// The file, for the names of its nodes and animations.
    pub file: Arc<BorrowedFile>,
    pub binding: Binding,
    /// How the keyframes were carried over.
    pub method: Method,
    /// Indices of the file's animations that have fewer keys than in the file, because all would take too much memory.
    pub thinned: Vec<usize>,
    /// Indices of the file's animations that move nothing of the model, though they move something in their file.
    pub idle: Vec<usize>,
}

impl Report {
    /// The report on these animations of the file, as the model has them.
    pub fn new(
        name: String,
        file: Arc<BorrowedFile>,
        carried: &[Animation],
        (binding, method, thinned): (Binding, Method, Vec<usize>),
    ) -> Self {
        let is_idle = |(own, carried): (&Animation, &Animation)| !own.channels.is_empty() && carried.channels.is_empty();
        let both = file.model.animations.iter().zip(carried).enumerate();
        let idle = both.filter(|(_, both)| is_idle(*both)).map(|(index, _)| index).collect();
        Self { name, file, binding, method, thinned, idle }
    }

    /// How many of the file's animated nodes have a partner: "23 of 25 joints".
    pub fn mark(&self) -> String {
        let Count { bound, all } = self.binding.moved;
        format!("{bound} of {all} {}", if all == 1 { "joint" } else { "joints" })
    }

    /// Returns whether every animated node of the file has a partner.
    pub fn is_complete(&self) -> bool {
        self.binding.moved.bound == self.binding.moved.all && self.idle.is_empty() && self.thinned.is_empty()
    }

    /// Returns whether no animation of the file moves anything of the model.
    pub fn is_useless(&self) -> bool {
        self.idle.len() == self.file.model.animations.len()
    }

    /// Sentences that say what could not be carried over. Empty if all was.
    pub fn notes(&self) -> Vec<String> {
        let (model, name) = (&self.file.model, &self.name);
        let Count { bound, all } = self.binding.moved;
        let mut notes = Vec::new();
        if model.animations.is_empty() {
            notes.push(format!("{name} has no animations"));
        } else if bound == 0 && all > 0 {
            let nodes = if all == 1 { "its animated node has no".to_owned() } else { format!("none of its {all} animated nodes has a") };
            notes.push(format!("{name}: {nodes} counterpart in the model"));
        } else if bound < all {
            let missing = self.binding.unbound_sources.iter().chain(&self.binding.ambiguous_sources);
            let moved = crate::retarget::method::moved_nodes(model);
            let names: Vec<_> = missing.filter(|node| moved[node.index()]).map(|node| model.node(*node).label()).collect();
            let more = if names.len() > MAX_NAMES { format!(" and {} more", names.len() - MAX_NAMES) } else { String::new() };
            let names = names[..names.len().min(MAX_NAMES)].join(", ");
            notes.push(format!("{name}: {} of {all} animated nodes have no counterpart in the model: {names}{more}", all - bound));
        }
        let labels = |indices: &[usize]| -> Vec<String> {
            indices.iter().filter_map(|&index| Some(model.animations.get(index)?.label(index))).take(MAX_NAMES).collect()
        };
        if bound > 0 && !self.idle.is_empty() {
            notes.push(format!("{name}: moves nothing of the model: {}", labels(&self.idle).join(", ")));
        }
        if !self.thinned.is_empty() {
            notes.push(format!("{name}: too long to keep every key: {}", labels(&self.thinned).join(", ")));
        }
        notes
    }
}
