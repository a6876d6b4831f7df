//! Keeps a solved pose in place: takes back what its root travels along the ground, together with everything that hangs on it.
//!
//! Heights and local transforms stay as they are. During a cross-fade each animation is kept in place by its own root, and the two
//! shifts are mixed as the poses are.

use std::ops::Range;

use glam::{DAffine3, DVec3};

use crate::animation::hierarchy::skinning::{self, JointMatrix};
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::time::moment::{Fade, Moment};
use crate::session::view::{View, joint_switches};

use super::solve::{self, Posed};

/// The node that carries the model through the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Root {
    /// Its index, in model order.
    pub node: usize,
    /// The top of the subtree that moves along with it. Includes feet that are parented beside the hips.
    pub subtree: NodeIndex,
    /// Where `node` is when the animation begins, in world space.
    pub start: DVec3,
}

/// What is known of the root of an animation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum RootStatus {
    Found(Root),
    /// The animation stays where it is.
    #[default]
    None,
    /// Not searched for yet; the pose is not kept in place.
    Pending,
}

/// The roots that a pose at a moment is kept in place by.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Roots {
    /// Of the view's animation.
    pub current: RootStatus,
    /// Of the animation that a cross-fade comes from.
    pub fading: RootStatus,
}

impl RootStatus {
    pub fn root(self) -> Option<Root> {
        if let Self::Found(root) = self { Some(root) } else { None }
    }

    /// This status, or `other` if it is pending.
    pub fn or(self, other: Self) -> Self {
        if self == Self::Pending { other } else { self }
    }
}

impl Roots {
    pub fn new(current: RootStatus) -> Self {
        Self { current, fading: RootStatus::None }
    }

    /// These roots, with those of `other` where they are pending.
    pub fn or(self, other: Self) -> Self {
        Self { current: self.current.or(other.current), fading: self.fading.or(other.fading) }
    }
}

/// A translation of some nodes.
#[derive(Debug, Clone, PartialEq)]
struct Shift {
    /// A range of node indices, in model order.
    nodes: Range<usize>,
    /// Metres, along the ground.
    by: DVec3,
}

impl Shift {
    /// None if the root is nowhere.
    fn new(model: &Model, root: Root, place: DVec3, weight: f64) -> Option<Self> {
        let by = (root.start - place).with_y(0.0) * weight;
        by.is_finite().then(|| Self { nodes: model.hierarchy.subtree(root.subtree), by })
    }
}

/// Keeps `posed` in place if the view asks for it. `posed` must have been solved for the same model, view and moment.
pub fn keep_in_place(model: &Model, view: &View, moment: &Moment, roots: Roots, posed: &mut Posed) {
    if !view.in_place || view.bind_pose {
        return;
    }
    let shifts = shifts(model, view, moment, roots, posed);
    if shifts.iter().all(Option::is_none) {
        return;
    }
    posed.is_shifted = true;
    for Shift { nodes, by } in shifts.iter().flatten() {
        for global in &mut posed.globals[nodes.clone()] {
            global.translation += by;
        }
        // The anchor moves along, so that it stays as near as it was.
        posed.anchor += by;
    }
    skinning::joint_transforms(model, &posed.globals, &posed.overrides, &mut posed.transforms);
    anchor_rest(model, &shifts, posed);
    skinning::substitute(&posed.overrides, posed.anchor, &mut posed.palette);
}

/// The translations that bring the model back: one by the root of its animation, one by that of the animation it fades from.
fn shifts(model: &Model, view: &View, moment: &Moment, roots: Roots, posed: &mut Posed) -> [Option<Shift>; 2] {
    let Some(fade) = moment.fade.filter(|fade| fade.weight() < 1.0) else {
        let shift = |root: Root| Shift::new(model, root, posed.globals[root.node].translation, 1.0);
        return [roots.current.root().and_then(shift), None];
    };
    let now = (view.animation, roots.current, Moment { fade: None, ..*moment });
    let before = (fade.from, roots.fading, moment_of_fade(&fade, moment));
    [(now, fade.weight()), (before, 1.0 - fade.weight())].map(|((animation, root, moment), weight)| {
        let root = root.root()?;
        let globals = globals_beside(model, view, animation, moment, posed);
        Shift::new(model, root, globals[root.node].translation, weight)
    })
}

/// World transforms, one per node, when `animation` plays without a cross-fade.
fn globals_beside<'a>(model: &Model, view: &View, animation: Option<usize>, moment: Moment, posed: &'a mut Posed) -> &'a [DAffine3] {
    // Of the switches only those that hold nodes at rest count; the others would cost time for what is not drawn.
    let switches = joint_switches::holding(&view.switches);
    let beside = posed.beside.get_or_insert_with(|| Box::new((View::default(), Posed::with(model, posed.compiled.clone()))));
    let (known, other) = &mut **beside;
    if known.scene != view.scene || known.layers != view.layers || known.switches != switches {
        *known = View { scene: view.scene, layers: view.layers.clone(), switches, ..View::default() };
    }
    known.animation = animation;
    solve::solve(model, known, moment, other);
    &other.globals
}

/// The moment of the animation that a cross-fade comes from.
fn moment_of_fade(fade: &Fade, moment: &Moment) -> Moment {
    Moment { time: fade.head.time, returning: fade.head.returning, fade: None, ..*moment }
}

/// Rewrites the palette entries of what has not moved along with the anchor.
fn anchor_rest(model: &Model, shifts: &[Option<Shift>; 2], posed: &mut Posed) {
    let moves_along = |node: usize| shifts.iter().flatten().all(|shift| shift.nodes.contains(&node));
    let joints = model.skins.iter().flat_map(|skin| skin.matrices.clone().zip(skin.joints.iter().map(|joint| joint.index())));
    let rigid = model.nodes.iter().enumerate().filter_map(|(i, node)| Some((node.rigid_matrix?, i)));
    for (entry, _) in joints.chain(rigid).filter(|(_, node)| !moves_along(*node)) {
        posed.palette[entry] = JointMatrix::anchored(&posed.transforms[entry], posed.anchor);
    }
}
