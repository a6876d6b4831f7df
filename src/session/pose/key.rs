//! Extracts the part of a view that its poses depend on.

use std::collections::BTreeMap;

use crate::session::view::View;
use crate::session::view::joint_switches::NodeSwitches;
use crate::session::view::layers::Layer;
use crate::session::view::morph_overrides::Morphs;

/// The settings of a view that the pose at a moment depends on. Equal keys give equal poses. The fields are those of [`View`], with the
/// same meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseKey {
    pub animation: Option<usize>,
    pub layers: Vec<Layer>,
    pub bind_pose: bool,
    pub morphs: Morphs,
    pub scene: Option<usize>,
    pub switches: BTreeMap<usize, NodeSwitches>,
    pub in_place: bool,
}

impl PoseKey {
    /// The key of a view.
    pub fn new(view: &View) -> Self {
        Self {
            animation: view.animation,
            layers: view.layers.clone(),
            bind_pose: view.bind_pose,
            morphs: view.morphs.clone(),
            scene: view.scene,
            switches: view.switches.clone(),
            in_place: view.in_place,
        }
    }

    /// Returns whether this is the key of a view, without making that key.
    pub fn is_of(&self, view: &View) -> bool {
        let Self { animation, layers, bind_pose, morphs, scene, switches, in_place } = self;
        (*animation, *bind_pose, *scene, *in_place) == (view.animation, view.bind_pose, view.scene, view.in_place)
            && *layers == view.layers
            && *morphs == view.morphs
            && *switches == view.switches
    }
}
