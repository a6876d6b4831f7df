//! What a person chose, as one plain value. Undo is a stack of it, reload keeps it, `--state FILE` gives it to the headless
//! commands. Nodes, animations, scenes and cameras are named by the file's own indices, so that a view means the same
//! thing outside the program.

pub mod joint_switches;
pub mod layers;
pub mod morph_overrides;
pub mod selection;
pub mod selector;
pub mod undo;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize};

use crate::camera::Orbit;

use super::motion::trail::Trail;
use super::pose::onion_skin::Ghosts;

use joint_switches::NodeSwitches;
use layers::Layer;
use morph_overrides::Morphs;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// None: the file's default scene.
    pub scene: Option<usize>,
    /// None: the rest pose.
    pub animation: Option<usize>,
    /// In and out point, seconds on the animation's own time; none: all of it.
    pub range: Option<[f64; 2]>,
    pub repeat: Repeat,
    /// 1: as the file says; negative: backwards.
    pub speed: f64,
    /// Frames a second, as chosen; none: inferred from the keys.
    pub rate: Option<f64>,
    /// Animations that play one after the other, in this order; none: the one alone.
    pub playlist: Vec<usize>,
    /// Laid over the animation, in this order.
    pub layers: Vec<Layer>,
    /// Seconds that one animation takes to give way to the next while playing.
    pub cross_fade: f64,
    /// By node; only nodes with something switched or soloed are listed.
    pub switches: BTreeMap<usize, NodeSwitches>,
    /// Instead of animation and layers: the joints as they stood when the vertices were bound to them, everything else at rest.
    pub bind_pose: bool,
    /// Morph weights in place of those that the file or an animation says.
    pub morphs: Morphs,
    /// Nodes in the order they were selected; the last is the active one.
    pub selection: Vec<usize>,
    pub camera: ViewCamera,
    /// A node that the free camera goes along with: its place counts from where that node rests.
    pub follow: Option<usize>,
    /// What the model travels along the ground is taken back; see [`super::pose::in_place`].
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
    /// The node whose values are shown: the last selected.
    pub fn active(&self) -> Option<usize> {
        self.selection.last().copied()
    }

    /// Choosing an animation leaves the bind pose, resets the range and keeps everything else, the layers too.
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

/// How it is drawn. None of it changes the pose (of the model; in a crowd each has its own time).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Display {
    pub shading: Shading,
    pub lighting: Lighting,
    pub environment: Environment,
    pub tonemap: Tonemap,
    /// Exposure value: each step doubles the light.
    pub exposure: f32,
    /// sRGB; none: the theme's.
    pub background: Option<[u8; 3]>,
    /// Joints as lines over the model.
    pub skeleton: bool,
    /// Joint names beside the joints.
    #[serde(deserialize_with = "joint_names")]
    pub names: JointNames,
    pub joint_shape: JointShape,
    /// The axes of each joint's own space.
    pub joint_axes: bool,
    /// Whether the body hides what lies in or behind it of skeleton and axes.
    pub skeleton_depth: Depth,
    /// The ways of the selected nodes.
    pub trail: Trail,
    /// The body at other times.
    pub ghosts: Ghosts,
    /// The edges of triangles over what is shaded.
    pub wireframe: bool,
    /// The skeleton, through a translucent body.
    pub xray: bool,
    /// A line around the geometry of what is selected.
    pub outline: bool,
    /// How much joints move the surface, in place of its shading.
    pub weights: Weights,
    pub grid: bool,
    pub axes: bool,
    /// Where the model goes, on the ground.
    pub path: bool,
    pub path_depth: Depth,
    /// How fast it goes along the ground, over time.
    pub speed: bool,
    /// When its feet stand, over time and on the ground.
    pub contacts: bool,
    /// 0 finds the fewest contacts, 1 the most.
    pub contact_sensitivity: f64,
    /// Of the studio's key lamp, on the model and on the ground.
    pub shadow: Shadow,
    /// A variant of the file, which puts other materials on its primitives; none: as the file has them.
    pub variant: Option<usize>,
    /// How many times the model stands there, on a grid; see [`super::pose::crowd`].
    pub crowd: u32,
}

impl Default for Display {
    fn default() -> Self {
        Self {
            shading: Shading::Lit,
            lighting: Lighting::Studio,
            environment: Environment::default(),
            tonemap: Tonemap::Neutral,
            exposure: 0.0,
            background: None,
            skeleton: false,
            names: JointNames::None,
            joint_shape: JointShape::Lines,
            joint_axes: false,
            skeleton_depth: Depth::InFront,
            trail: Trail::default(),
            ghosts: Ghosts::default(),
            wireframe: false,
            xray: false,
            outline: true,
            weights: Weights::Off,
            grid: true,
            axes: false,
            path: false,
            path_depth: Depth::Hidden,
            speed: false,
            contacts: false,
            contact_sensitivity: 0.5,
            shadow: Shadow::Automatic,
            variant: None,
            crowd: 1,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Shading {
    #[default]
    Lit,
    BaseColor,
    Clay,
    Normals,
    Tangents,
    Uv,
    VertexColors,
}

/// Whose weights are shown as colours; see [`super::inspect::heat_map`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weights {
    #[default]
    Off,
    /// Of what is selected: together, from cold to hot. Of all joints where nothing is.
    Selection,
    /// Of all joints, a colour each.
    All,
}

/// Whose names stand beside the joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointNames {
    #[default]
    None,
    Selection,
    All,
}

/// As views are saved, and as they were when there were all names or none.
fn joint_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JointNames, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Saved {
        Shown(bool),
        Names(JointNames),
    }
    Ok(match Saved::deserialize(deserializer)? {
        Saved::Shown(true) => JointNames::All,
        Saved::Shown(false) => JointNames::None,
        Saved::Names(names) => names,
    })
}

/// How the skeleton shows a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointShape {
    #[default]
    Lines,
    Octahedra,
    /// A ball at the joint, and a spike to where it points.
    Spheres,
    Boxes,
}

/// Where a line stands that is no part of the model. What x-ray shows is always in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    #[default]
    InFront,
    /// Where it is: what is before it hides it.
    Hidden,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Lighting {
    /// Soft boxes in a grey room.
    #[default]
    Studio,
    /// One white directional light from the camera, and ambient light.
    Flat,
    /// Base colour only.
    None,
}

/// The light from all around, where [`Lighting::Studio`] shines.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// A .hdr or .exr panorama; none: the studio. In a saved view a path may begin at the folder of that view.
    pub file: Option<PathBuf>,
    /// Degrees about Y, anticlockwise as seen from above.
    pub rotation: f32,
    /// Seen behind the model, unless a picture has a background of its own.
    pub shown: bool,
    /// Of what is seen: from 0, as sharp as it is, to 1, as the roughest surface mirrors it.
    pub blur: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Tonemap {
    /// Khronos PBR Neutral.
    #[default]
    Neutral,
    Aces,
    Agx,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shadow {
    /// There is one, but of heavy models where the processor draws.
    #[default]
    Automatic,
    On,
    Off,
}
