//! Plays the animations of one model on another: it pairs their nodes ([`binding`]) and carries the keyframes over ([`carry`]). In the
//! order of imports, this is floor 3.
//!
//! A carried animation is an ordinary [`Animation`] on the nodes of the target, so that everything else plays it like the target's own.
//! `docs/retargeting.md` explains the rules and formulas.

pub mod bake;
pub mod binding;
pub mod carry;
pub mod direct;
pub mod method;
pub mod rest;
pub mod rotation;
pub mod sampler;
pub mod skeleton;
pub mod weights;

use crate::model::animation::Animation;
use crate::model::node::NodeIndex;

use binding::Binding;
use method::Method;

/// The user's choices for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How keyframes are carried over; chosen by the rest poses if `None`.
    pub method: Option<Method>,
    /// Whether limbs of the target are first turned to the directions that they have in the rest pose of the source. Only
    /// [`Method::Rotation`] uses it.
    pub align_rest: bool,
    /// Nodes of the source, each with the node of the target that it is paired with by hand; `None` leaves it without a partner.
    pub by_hand: Vec<(NodeIndex, Option<NodeIndex>)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { method: None, align_rest: true, by_hand: Vec::new() }
    }
}

/// The animations of the source on the nodes of the target, and how they got there.
#[derive(Debug, Clone)]
pub struct Carried {
    /// One per animation of the source, in its order. One without a bound channel has no channels.
    pub animations: Vec<Animation>,
    /// The pairs of nodes, and the nodes without a partner.
    pub binding: Binding,
    /// How the keyframes were carried over.
    pub method: Method,
    /// Indices of the animations that have fewer keys than the source, because all would take too much memory.
    pub thinned: Vec<usize>,
}

impl Carried {
    /// Returns whether no animation of the source moves anything of the target.
    pub fn is_empty(&self) -> bool {
        self.animations.iter().all(|animation| animation.channels.is_empty())
    }
}
