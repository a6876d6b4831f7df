//! Retargeting: carries the animations of one model, the source, over to the nodes of another, the target. [`binding`] pairs their nodes,
//! and [`carry`] makes the keyframes.
//!
//! A carried animation is an ordinary [`Animation`] on the nodes of the target, and plays like the target's own. `docs/retargeting.md`
//! explains the rules and formulas.

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

use crate::model::animation::{Animation, Rate};
use crate::model::node::NodeIndex;

use binding::Binding;
use method::Method;

/// All carried keys of a file may have this many values (64 MiB), plus [`VALUES_PER_SOURCE_VALUE`] per value of its own keys.
const BASE_VALUES: usize = 16 << 20;
const VALUES_PER_SOURCE_VALUE: usize = 4;

/// The number of values that carried keys may have. `source_values` is the number of values in the keys of the source, and `share` the
/// number of animations that share [`BASE_VALUES`].
fn max_values(source_values: usize, share: usize) -> usize {
    (BASE_VALUES / share.max(1)).saturating_add(source_values.saturating_mul(VALUES_PER_SOURCE_VALUE))
}

/// The user's choices for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The method to carry keyframes over. If `None`, the choice depends on the rest poses.
    pub method: Option<Method>,
    /// Whether limbs of the target are first rotated to the directions that they have in the rest pose of the source. Only
    /// [`Method::Rotation`] uses this.
    pub align_rest: bool,
    /// Nodes of the source, each with the node of the target that the user paired it with. `None` leaves the node of the source without a
    /// counterpart.
    pub by_hand: Vec<(NodeIndex, Option<NodeIndex>)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { method: None, align_rest: true, by_hand: Vec::new() }
    }
}

/// The animations of the source on the nodes of the target.
#[derive(Debug, Clone)]
pub struct Carried {
    /// One animation per animation of the source, in the order of the source. An animation has no channels if none of the nodes that it
    /// animates has a counterpart.
    pub animations: Vec<Animation>,
    /// The frame rate of each animation in the source.
    pub frame_rates: Vec<Rate>,
    /// The pairs of nodes, and the nodes without a counterpart.
    pub binding: Binding,
    /// The method that was used.
    pub method: Method,
    /// Indices of the animations that have fewer keys or fewer weight channels than the source, because all would take too much memory.
    pub reduced: Vec<usize>,
}

impl Carried {
    /// Returns whether none of the carried animations moves the target.
    pub fn is_empty(&self) -> bool {
        self.animations.iter().all(|animation| animation.channels.is_empty())
    }
}
