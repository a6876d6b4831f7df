//! The view: all choices of the user, as one plain value.
//!
//! Undo keeps a stack of views, a reload keeps the view, and `--state FILE` loads one for the headless commands.
//!
//! Nodes, animations, scenes and cameras are given by their indices in the file, so that a view has the same meaning outside of the
//! program. A view may refer to nodes or animations that a model does not have; code that reads the view skips them. Every field has a
//! default, so a view file may omit any of them.
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
pub mod overlay;
pub mod playback_range;
pub mod retarget;
pub mod selection;
pub mod selector;
pub mod undo;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::animation::playback::AtEnd;
use crate::camera::Orbit;

use display::Display;
use joint_switches::NodeSwitches;
use layers::Layer;
use morph_overrides::Morphs;
use retarget::Retarget;

/// The user's choices for a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// The scene that is shown; the file's default scene if `None`.
    pub scene: Option<usize>,
    /// The animation that plays; the rest pose if `None`.
    pub animation: Option<usize>,
    /// The in and out point in the animation, in seconds; the whole animation if `None`.
    pub range: Option<[f64; 2]>,
    /// What happens at the end of the range.
    pub repeat: Repeat,
    /// Playback speed; 1 is the speed of the file, and a negative speed plays backward.
    pub speed: f64,
    /// The chosen frame rate in frames per second; inferred from the keys if `None`.
    pub rate: Option<f64>,
    /// Animations that play one after the other, in this order. If empty, `animation` plays alone.
    pub playlist: Vec<usize>,
    /// Layers: animations that are mixed over the chosen one, from the bottom to the top.
    #[serde(deserialize_with = "layers::saved")]
    pub layers: Vec<Layer>,
    /// Length of a cross-fade between two animations while playing, in seconds.
    pub cross_fade: f64,
    /// Joint switches by node. Only nodes that have a column switched off or soloed are listed.
    pub switches: BTreeMap<usize, NodeSwitches>,
    /// Whether the bind pose replaces animation and layers. In the bind pose, joints are arranged as they were when the vertices were bound
    /// to them, and all other nodes keep their rest transforms.
    pub bind_pose: bool,
    /// Morph weights that replace the weights of the file and of animations.
    pub morphs: Morphs,
    /// Nodes in the order of selection; the last is the active one.
    pub selection: Vec<usize>,
    /// The camera that the view is seen through.
    pub camera: ViewCamera,
    /// The node whose movement away from its rest position moves the free camera.
    pub follow: Option<usize>,
    /// Whether the model stays in place: its travel along the ground is removed.
    pub in_place: bool,
    /// How the animations of other files are carried over to the model: one entry per file whose animations the model plays, in the order
    /// of these files. Files without an entry use the defaults.
    pub retarget: Vec<Retarget>,
    /// How the model is drawn.
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
            retarget: Vec::new(),
            display: Display::default(),
        }
    }
}

impl View {
    /// The node whose values are shown: the last selected one.
    pub fn active(&self) -> Option<usize> {
        self.selection.last().copied()
    }

    /// Chooses an animation, leaves the bind pose and resets the range. All other choices stay, including the layers.
    pub fn choose_animation(&mut self, animation: Option<usize>) {
        self.animation = animation;
        self.bind_pose = false;
        self.range = None;
    }
}

/// What playback does at the end of the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Repeat {
    /// Start again
    #[default]
    Loop,
    /// Stop
    Once,
    /// There and back
    PingPong,
}

impl Repeat {
    /// The playback rule for the end of the range.
    pub fn at_end(self) -> AtEnd {
        match self {
            Self::Loop => AtEnd::Wrap,
            Self::Once => AtEnd::Stop,
            Self::PingPong => AtEnd::PingPong,
        }
    }
}

/// The camera of a view.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViewCamera {
    /// Fitted to the bounds of the whole animation, from the front right.
    #[default]
    Fit,
    /// A free camera that the user has moved.
    Orbit(Orbit),
    /// A camera of the file, by its index; it moves with its node.
    File(usize),
}
