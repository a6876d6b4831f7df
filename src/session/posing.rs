//! The pose of a model as a view wants it, at a time. Window, picture and numbers all come from [`pose`].

use std::collections::BTreeMap;

use glam::{DAffine3, DVec3};

use crate::animation::pose::{self, Pose};
use crate::animation::sample::{self, Cursors};
use crate::animation::skinning::{self, JointMatrix, Override};
use crate::model::Model;

use super::switches::{self, Effective, NodeSwitches};
use super::view::View;

/// A pose in all its stages, allocated once a model. Nothing in it is state: the same model, view and time give the same.
#[derive(Debug, Clone)]
pub struct Posed {
    pub pose: Pose,
    /// World transforms, by node.
    pub globals: Vec<DAffine3>,
    /// World transforms of what the palette's entries move: joints with their inverse bind matrices, then rigid nodes.
    pub transforms: Vec<DAffine3>,
    /// `transforms` relative to `anchor`: what the vertex shader reads.
    pub palette: Vec<JointMatrix>,
    /// A place near the model, so that palette and camera can be f32 however far from the origin it is.
    pub anchor: DVec3,
    /// The switches' meaning.
    pub effective: Effective,
    /// By node: in the scene and visible, so that its mesh is drawn.
    pub shown: Vec<bool>,
    pub rest_globals: Vec<DAffine3>,
    cursors: Cursors,
    overrides: Vec<Override>,
    /// What `effective`, `overrides` and `shown` were made for.
    made_for: Option<(Option<usize>, BTreeMap<usize, NodeSwitches>)>,
    anchor_node: usize,
}

impl Posed {
    /// The rest pose, nothing switched.
    pub fn new(model: &Model) -> Self {
        let pose = Pose::rest(model);
        let mut rest_globals = vec![DAffine3::IDENTITY; model.nodes.len()];
        pose::global_transforms(&model.hierarchy, &pose.locals, &mut rest_globals);
        let first_joint = model.skins.iter().find_map(|skin| skin.joints.first()).map(|joint| joint.index());
        let anchor_node = first_joint.or_else(|| model.nodes.iter().position(|node| node.mesh.is_some())).unwrap_or(0);
        Self {
            pose,
            globals: rest_globals.clone(),
            transforms: vec![DAffine3::IDENTITY; model.palette_len],
            palette: vec![JointMatrix::IDENTITY; model.palette_len],
            anchor: DVec3::ZERO,
            effective: Effective::default(),
            shown: Vec::new(),
            rest_globals,
            cursors: Cursors::new(model),
            overrides: Vec::new(),
            made_for: None,
            anchor_node,
        }
    }
}

/// Poses `model` as `view` wants it at `time` (seconds on the animation's own key times). Allocates only when scene or
/// switches change.
pub fn pose(model: &Model, view: &View, time: f64, posed: &mut Posed) {
    let scene = model.scene_or_default(view.scene);
    if !posed.made_for.as_ref().is_some_and(|(made_scene, switches)| *made_scene == scene && *switches == view.switches) {
        posed.made_for = Some((scene, view.switches.clone()));
        posed.effective = switches::effective(model, &view.switches);
        posed.overrides = skinning::overrides(model, &posed.effective.influence, &posed.rest_globals);
        let in_scene = model.nodes_in_scene(scene);
        posed.shown = in_scene.iter().zip(&posed.effective.visible).map(|(&inside, &visible)| inside && visible).collect();
    }
    posed.pose.reset(model);
    if let Some(animation) = view.animation.and_then(|a| model.animations.get(a)) {
        sample::sample(model, animation, time, &posed.effective.animated, &mut posed.cursors, &mut posed.pose);
    }
    pose::global_transforms(&model.hierarchy, &posed.pose.locals, &mut posed.globals);
    posed.anchor = posed.globals.get(posed.anchor_node).map_or(DVec3::ZERO, |global| global.translation);
    if !posed.anchor.is_finite() {
        posed.anchor = DVec3::ZERO;
    }
    skinning::joint_transforms(model, &posed.globals, &posed.overrides, &mut posed.transforms);
    skinning::joint_matrices(&posed.transforms, posed.anchor, &mut posed.palette);
}
