//! Keeps a solved pose in place: removes the travel of its root along the ground from all nodes that move with the root.
//!
//! Heights and local transforms do not change. During a cross-fade each animation is kept in place by its own root, and the shifts are
//! mixed like the poses.

use std::ops::Range;

use glam::{DAffine3, DVec3};

use crate::animation::hierarchy::skinning::{self, JointMatrix};
use crate::animation::playback::Playhead;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::time::moment::{MAX_FADE_SOURCES, Moment};
use crate::session::view::{View, joint_switches};

use super::solve::{self, Posed};

/// The node that carries the model through the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Root {
    /// Index of the node, in model order.
    pub node: usize,
    /// Top of the subtree that moves with `node`. The subtree includes feet that are parented beside the hips.
    pub subtree: NodeIndex,
    /// Position of `node` at the start of the animation, in world space.
    pub start: DVec3,
}

/// The result of the search for the root of an animation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum RootStatus {
    /// The animation has this root.
    Found(Root),
    /// The animation has no root, because the model stays where it is.
    #[default]
    None,
    /// The root has not been searched for yet. The pose is not kept in place.
    Pending,
}

/// The roots that keep a pose in place at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Roots {
    /// Root of the view's animation.
    pub current: RootStatus,
    /// Roots of the animations that a cross-fade comes from, in the order of [`sources`](crate::session::time::moment::Fade::sources).
    pub fading: [RootStatus; MAX_FADE_SOURCES],
}

impl RootStatus {
    /// The root, if it is found.
    pub fn root(self) -> Option<Root> {
        if let Self::Found(root) = self { Some(root) } else { None }
    }

    /// This status, or `other` if this status is pending.
    pub fn or(self, other: Self) -> Self {
        if self == Self::Pending { other } else { self }
    }
}

impl Roots {
    /// The roots of a moment without a cross-fade.
    pub fn new(current: RootStatus) -> Self {
        Self { current, fading: Default::default() }
    }

    /// These roots, with pending ones replaced by the roots in `other`.
    pub fn or(self, other: Self) -> Self {
        let fading = std::array::from_fn(|source| self.fading[source].or(other.fading[source]));
        Self { current: self.current.or(other.current), fading }
    }
}

/// A translation of a range of nodes.
#[derive(Debug, Clone, PartialEq)]
struct Shift {
    /// Node indices, in model order.
    nodes: Range<usize>,
    /// Translation along the ground, in meters.
    offset: DVec3,
}

impl Shift {
    /// The shift that brings the root back from `position` to its start, scaled by `weight`. `None` if it is not finite.
    fn new(model: &Model, root: Root, position: DVec3, weight: f64) -> Option<Self> {
        let offset = (root.start - position).with_y(0.0) * weight;
        offset.is_finite().then(|| Self { nodes: model.hierarchy.subtree(root.subtree), offset })
    }
}

/// Keeps `posed` in place if the view asks for it. `posed` must have been solved for the same model, view and moment.
pub fn keep_in_place(model: &Model, view: &View, moment: &Moment, roots: Roots, posed: &mut Posed) {
    if !view.in_place || view.bind_pose {
        return;
    }
    let shifts = shifts(model, view, moment, roots, posed);
    // Without a shift the solved pose stays exactly as it is.
    if shifts.is_empty() {
        return;
    }
    posed.is_shifted = true;
    for Shift { nodes, offset } in &shifts {
        for global in &mut posed.globals[nodes.clone()] {
            global.translation += offset;
        }
        // The anchor moves as well, so that it stays near the model.
        posed.anchor += offset;
    }
    // Palette entries are relative to the anchor, which has moved with the model, so only entries of other nodes change.
    skinning::joint_transforms(model, &posed.globals, &posed.overrides, &mut posed.joint_transforms);
    anchor_unmoved_nodes(model, &shifts, posed);
    skinning::substitute(&posed.overrides, posed.anchor, &mut posed.palette);
}

/// The shifts that bring the model back: one for the view's animation, and one for each animation that it fades from.
fn shifts(model: &Model, view: &View, moment: &Moment, roots: Roots, posed: &mut Posed) -> Vec<Shift> {
    let Some(fade) = moment.fade.filter(|fade| fade.weight() < 1.0) else {
        let shift = |root: Root| Shift::new(model, root, posed.globals[root.node].translation, 1.0);
        return roots.current.root().and_then(shift).into_iter().collect();
    };
    // During a cross-fade the posed root is a mixture of several paths. Each animation is posed alone to find its own root.
    let current = (view.animation, roots.current, Moment { fade: None, ..*moment }, fade.weight());
    let fading = fade.sources().zip(roots.fading).map(|(source, root)| {
        let Playhead { time, returning, .. } = source.head;
        let moment = Moment { time, returning, fade: None, ..*moment };
        (source.animation, root, moment, source.share * (1.0 - fade.weight()))
    });
    let shift = |(animation, root, moment, weight): (_, RootStatus, _, _)| {
        let root = root.root()?;
        let globals = globals_without_fade(model, view, animation, moment, posed);
        Shift::new(model, root, globals[root.node].translation, weight)
    };
    std::iter::once(current).chain(fading).filter_map(shift).collect()
}

/// World transforms of all nodes when `animation` plays without a cross-fade, in model order.
fn globals_without_fade<'a>(model: &Model, view: &View, animation: Option<usize>, moment: Moment, posed: &'a mut Posed) -> &'a [DAffine3] {
    // Only the switches that hold nodes at rest affect these transforms, so the others are left out to save time.
    let switches = joint_switches::animated_switches(&view.switches);
    let fading_pose =
        posed.fading_pose.get_or_insert_with(|| Box::new((View::default(), Posed::with_compiled(model, posed.compiled.clone()))));
    let (fade_view, fade_posed) = &mut **fading_pose;
    if fade_view.scene != view.scene || fade_view.layers != view.layers || fade_view.switches != switches {
        *fade_view = View { scene: view.scene, layers: view.layers.clone(), switches, ..View::default() };
    }
    fade_view.animation = animation;
    solve::solve(model, fade_view, moment, fade_posed);
    &fade_posed.globals
}

/// Rewrites the palette entries of nodes that did not move with the anchor.
fn anchor_unmoved_nodes(model: &Model, shifts: &[Shift], posed: &mut Posed) {
    let moves_along = |node: usize| shifts.iter().all(|shift| shift.nodes.contains(&node));
    let joints = model.skins.iter().flat_map(|skin| skin.matrices.clone().zip(skin.joints.iter().map(|joint| joint.index())));
    let rigid = skinning::rigid_nodes(model).map(|(node, entry)| (entry, node));
    for (entry, _) in joints.chain(rigid).filter(|(_, node)| !moves_along(*node)) {
        posed.palette[entry] = JointMatrix::anchored(&posed.joint_transforms[entry], posed.anchor);
    }
}
