//! Extracts the part of a view that its bounds depend on.

use std::collections::BTreeMap;

use crate::session::view::View;
use crate::session::view::joint_switches::NodeSwitches;
use crate::session::view::layers::Layer;
use crate::session::view::morph_overrides::Morphs;

/// The settings of a view that its bounds depend on. Equal keys give equal bounds. The fields are those of [`View`], with the same meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundsKey {
    pub animation: Option<usize>,
    pub layers: Vec<Layer>,
    pub bind_pose: bool,
    pub morphs: Morphs,
    pub scene: Option<usize>,
    pub switches: BTreeMap<usize, NodeSwitches>,
    pub in_place: bool,
    /// [`crate::session::view::display::Display::asks_for_skeleton`], because joints may lie outside of the meshes.
    pub skeleton: bool,
}

impl BoundsKey {
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
            skeleton: view.display.asks_for_skeleton(),
        }
    }
}
