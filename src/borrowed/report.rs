//! The report on a borrowed file: the nodes with and without a counterpart in the model, and the animations with an imperfect result.

use std::sync::Arc;

use crate::model::Model;
use crate::model::animation::Animation;
use crate::model::pointer::Property;
use crate::numbers::{agreeing, counted, grouped};
use crate::retarget::binding::{Binding, CounterpartCount};
use crate::retarget::method::Method;
use crate::retarget::sampler;

use super::BorrowedFile;

/// Maximum number of names that a note lists.
const MAX_NAMES: usize = 8;

/// The result of carrying over the animations of one file.
#[derive(Debug, Clone)]
pub struct BindingReport {
    /// The file's name, as labels show it.
    pub name: String,
    /// The file, for the names of its nodes and animations.
    pub file: Arc<BorrowedFile>,
    /// The pairs of nodes, and the nodes without a counterpart.
    pub binding: Binding,
    /// The method that was used.
    pub method: Method,
    /// Indices of the file's animations that have fewer keys or fewer weight channels than in the file, because all would take too much
    /// memory.
    pub reduced: Vec<usize>,
    /// Indices of the file's animations that do not move the model, although they have channels in the file.
    pub idle: Vec<usize>,
}

/// Indices of the animations that have channels in the file, but none after they were carried over.
pub fn idle_animations(file: &Model, carried: &[Animation]) -> Vec<usize> {
    let is_idle = |(source, carried): (&Animation, &Animation)| !source.channels.is_empty() && carried.channels.is_empty();
    let animations = file.animations.iter().zip(carried).enumerate();
    animations.filter(|(_, animation)| is_idle(*animation)).map(|(index, _)| index).collect()
}

impl BindingReport {
    /// The number of the file's animated nodes with a counterpart, in words: "23 of 25 nodes".
    pub fn counterpart_text(&self) -> String {
        let CounterpartCount { bound, all } = self.binding.moved;
        format!("{} of {}", grouped(bound), counted(all, "node"))
    }

    /// Returns whether every animated node has a counterpart, and every animation moves the model with all its keys.
    pub fn is_complete(&self) -> bool {
        self.binding.moved.bound == self.binding.moved.all && self.idle.is_empty() && self.reduced.is_empty()
    }

    /// Returns whether none of the file's animations moves the model.
    pub fn is_useless(&self) -> bool {
        self.idle.len() == self.file.model.animations.len()
    }

    /// Returns one phrase for each kind of nodes and animations that could not be carried over. The phrases do not contain the file's name.
    /// The list is empty if all were carried over.
    pub fn notes(&self) -> Vec<String> {
        let model = &self.file.model;
        let CounterpartCount { bound, all } = self.binding.moved;
        let mut notes = Vec::new();
        if model.animations.is_empty() {
            notes.push("it has no animations".to_owned());
        } else if bound == 0 && all > 0 {
            let nodes =
                if all == 1 { "its animated node has no".to_owned() } else { format!("none of its {} animated nodes has a", grouped(all)) };
            notes.push(format!("{nodes} counterpart in the model"));
        } else if bound < all {
            let missing = self.binding.unbound_sources.iter().chain(&self.binding.ambiguous_sources);
            let moved = sampler::moved_nodes(model);
            let names = missing.filter(|node| moved[node.index()]).map(|node| model.node(*node).label());
            let have = agreeing(all - bound, "has", "have");
            let names = shortened_list(names);
            let [unbound, all] = [all - bound, all].map(grouped);
            notes.push(format!("{unbound} of {all} animated nodes {have} no counterpart in the model: {names}"));
        }
        let labels =
            |indices: &[usize]| shortened_list(indices.iter().filter_map(|&index| Some(model.animations.get(index)?.label(index))));
        // If no animated node has a counterpart, a note above says so.
        if (bound > 0 || all == 0) && !self.idle.is_empty() {
            notes.push(format!("these animations move nothing of the model: {}", labels(&self.idle)));
        }
        let pointers = model.pointers.iter().filter(|pointer| !matches!(pointer.property, Property::Core(_)));
        let paths: Vec<String> = pointers.map(|pointer| pointer.path.clone()).collect();
        if !paths.is_empty() {
            notes.push(format!("the animations of these properties are left out: {}", shortened_list(paths.into_iter())));
        }
        if !self.reduced.is_empty() {
            notes.push(format!("too large to keep all keys or weights: {}", labels(&self.reduced)));
        }
        notes
    }
}

/// Joins at most [`MAX_NAMES`] names with commas, followed by the number of the others.
fn shortened_list(names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    names.truncate(MAX_NAMES);
    if more > 0 { format!("{} and {} more", names.join(", "), grouped(more)) } else { names.join(", ") }
}
