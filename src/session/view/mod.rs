//! The view: everything that the user has chosen, as one plain value. Undo is a stack of views, a reload keeps the view, and
//! `--state FILE` gives it to the headless commands.
//!
//! Nodes, animations, scenes and cameras go by the file's own indices, so that a view means the same outside of the program. A view
//! may name what a model does not have; whoever reads it leaves that out. Every field has a default, so that a saved view may lack
//! any of them.
//!
//! ```
//! use sinew::session::view::View;
//!
//! let view: View = serde_json::from_str(r#"{ "animation": 1, "display": { "skeleton": true } }"#).unwrap();
//! assert_eq!(view, View { animation: Some(1), display: view.display.clone(), ..View::default() });
//! ```

pub mod display;
pub mod joint_switches;
pub mod layers;
pub mod morph_overrides;
pub mod playback_range;
pub mod selection;
pub mod selector;
pub mod undo;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::camera::Orbit;

use display::Display;
use joint_switches::NodeSwitches;
use layers::Layer;
use morph_overrides::Morphs;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// The file's scene, or its default scene if `None`.
    pub scene: Option<usize>,
    /// The animation that plays, or the rest pose if `None`.
    pub animation: Option<usize>,
    /// In and out point, in seconds on the animation's own time; all of it if `None`.
    pub range: Option<[f64; 2]>,
    pub repeat: Repeat,
    /// Playback speed, 1 as in the file; negative plays backwards.
    pub speed: f64,
    /// Frames per second as chosen; inferred from the keys if `None`.
    pub rate: Option<f64>,
    /// Animations that play one after the other, in this order; if empty, `animation` plays alone.
    pub playlist: Vec<usize>,
    /// Animations mixed over the chosen one, in this order.
    pub layers: Vec<Layer>,
    /// Length of a cross-fade between two animations while playing, in seconds.
    pub cross_fade: f64,
    /// The joint switches, by node; only nodes with something switched or soloed are listed.
    pub switches: BTreeMap<usize, NodeSwitches>,
    /// Shows the bind pose instead of animation and layers: joints where the vertices were bound to them, everything else at rest.
    pub bind_pose: bool,
    /// Morph weights that replace those of the file or of an animation.
    pub morphs: Morphs,
    /// Nodes in the order they were selected; the last is the active one.
    pub selection: Vec<usize>,
    pub camera: ViewCamera,
    /// A node that the free camera follows, relative to where that node rests.
    pub follow: Option<usize>,
    /// Whether the model is kept in place: what it travels along the ground is taken back.
    pub in_place: bool,
    pub display: Display,
}

impl Default for View {
    fn default() -> Self {
        Self {
            scene: None,
            animation: None,
            range: None,
            repeat: Repeat::Loop,
            speed: 1.0,
            rate: None,
            playlist: Vec::new(),
            layers: Vec::new(),
            cross_fade: 0.2,
            switches: BTreeMap::new(),
            bind_pose: false,
            morphs: Morphs::new(),
            selection: Vec::new(),
            camera: ViewCamera::Fit,
            follow: None,
            in_place: false,
            display: Display::default(),
        }
    }
}

impl View {
    /// The node whose values are shown: the last selected one.
    pub fn active(&self) -> Option<usize> {
        self.selection.last().copied()
    }

    /// Chooses an animation, leaves the bind pose and resets the range. Everything else stays, the layers too.
    pub fn choose_animation(&mut self, animation: Option<usize>) {
        self.animation = animation;
        self.bind_pose = false;
        self.range = None;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Repeat {
    #[default]
    Loop,
    Once,
    /// There and back
    PingPong,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViewCamera {
    /// Fitted to the bounds of the whole animation, from the front right.
    #[default]
    Fit,
    Orbit(Orbit),
    /// A camera of the file, by its index; it moves with its node.
    File(usize),
}
