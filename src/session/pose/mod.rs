//! Poses a model: computes the transforms of every node and joint from the model, a view, a moment and the motion roots ([`Roots`]).
//!
//! [`pose`] is a pure function. The window, rendered pictures and printed values all use it, and the same inputs give the same bits. A
//! compiled animation and the keys of the file give the same pose apart from rounding.

pub mod crowd;
pub mod geometry_mask;
pub mod in_place;
pub mod key;
pub mod layers;
pub mod onion_skin;
pub mod posed_document;
pub mod skeleton;
pub mod solve;

use std::sync::Arc;

use crate::animation::compiled::model::CompiledModel;
use crate::animation::keys::pointer_targets;
use crate::model::Model;
use crate::model::pointer::Pointer;

use super::view::View;
use crate::session::time::moment::Moment;

use in_place::Roots;
use solve::Posed;

/// A model with its compiled form, for code that samples its animations.
#[derive(Debug, Clone, Copy)]
pub struct Rig<'a> {
    pub model: &'a Model,
    /// The compiled form of `model`.
    pub compiled: &'a Arc<CompiledModel>,
}

impl Rig<'_> {
    /// Buffers for a pose of the model.
    pub fn posed(self) -> Posed {
        Posed::with_compiled(self.model, self.compiled.clone())
    }
}

/// A posed model. Crowds and onion skins derive their poses from it.
#[derive(Debug, Clone, Copy)]
pub struct Body<'a> {
    pub model: &'a Model,
    /// The view that `posed` was solved for.
    pub view: &'a View,
    /// The moment that `posed` was solved for.
    pub moment: Moment,
    /// The motion roots of the animations that play at `moment`.
    pub roots: Roots,
    /// The pose of `model` for the fields above.
    pub posed: &'a Posed,
}

/// Poses `model` for `view` at `moment`, and keeps it in place if the view asks for that.
///
/// `moment` may be a [`Moment`] or just a time, in seconds on the animation's time axis. `roots` are the nodes that carry the model
/// through the world in the animations that play at `moment` (see [`crate::session::analyses::Analyses::find_roots`]). They matter only
/// if `view.in_place` is on; an animation whose root is [`in_place::RootStatus::Pending`] is not kept in place. World space is in
/// meters, with +Y up.
///
/// ```
/// use sinew::model::Model;
/// use sinew::session::pose::{self, in_place::Roots, solve::Posed};
/// use sinew::session::view::View;
///
/// let model = Model::default();
/// let mut posed = Posed::new(&model);
/// pose::pose(&model, &View::default(), 0.0, Roots::default(), &mut posed);
/// assert_eq!(posed.palette.len(), model.palette_len);
/// ```
pub fn pose(model: &Model, view: &View, moment: impl Into<Moment>, roots: Roots, posed: &mut Posed) {
    let moment = moment.into();
    solve::solve(model, view, moment, posed);
    in_place::keep_in_place(model, view, &moment, roots, posed);
}

/// Maximum work of sampling a motion, in the unit of [`estimate_work`]: about one second.
pub const MAX_MOTION_WORK: usize = 1 << 25;

/// Number of morph weights whose work is about that of a node.
const WEIGHTS_PER_NODE: usize = 16;

/// Estimates the work of posing a model once. The unit is the work for one node. A file may have few nodes, but many palette entries, morph
/// weights, or pointers that write the weights of many nodes.
pub fn estimate_work(model: &Model) -> usize {
    // Evaluating a pointer takes as long as several nodes, and each list of weights that it writes about as long as one.
    let pointer_work = |pointer: &Pointer| 4 + pointer_targets::weight_nodes(model, pointer).len();
    let pointers: usize = model.pointers.iter().map(pointer_work).sum();
    model.nodes.len() + model.palette_len + pointers + model.rest_weights.len() / WEIGHTS_PER_NODE
}
