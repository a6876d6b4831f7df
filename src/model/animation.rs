//! Animations of the file: keyframes, decoded to `f32` and grouped by equal key times.

use super::label;
use super::node::NodeIndex;

/// One animation of the file (glTF 2.0, 3.11).
#[derive(Debug, Clone, Default)]
pub struct Animation {
    /// The name in the file. Names are optional and may repeat.
    pub name: Option<String>,
    /// Largest key time of any channel, in seconds. The animation begins at 0, even if its first key is later.
    pub duration: f64,
    /// The distinct sets of key times, in seconds: never empty, finite, ascending. Sets are distinct by content, not by accessor.
    pub key_times: Vec<Vec<f32>>,
    /// Ordered by `key_times`, so that one search serves consecutive channels.
    pub channels: Vec<Channel>,
}

/// A frame rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Frames per second.
    pub fps: f64,
    pub source: RateSource,
}

/// The source of a frame rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateSource {
    /// The user has chosen it.
    Chosen,
    /// The steady spacing of the animation's keys.
    Keys,
    /// Another animation of the file, because the animation's own keys have no steady spacing.
    OtherAnimations,
    /// Nothing in the file indicates a rate.
    Assumed,
}

impl RateSource {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Keys => "keys",
            Self::OtherAnimations => "other_animations",
            Self::Assumed => "assumed",
        }
    }
}

/// The keyframes of one property.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// Index of the channel in the file's animation.
    pub source: usize,
    /// The property that the keyframes drive.
    pub target: Target,
    /// Index into [`Animation::key_times`].
    pub key_times: usize,
    /// How values between two keys are computed.
    pub interpolation: Interpolation,
    /// `components` numbers per key. With CUBICSPLINE, three such groups per key: in-tangent, value, out-tangent. Rotations are
    /// quaternions x, y, z, w; translations are in meters; tangents are per second.
    pub output: Vec<f32>,
    /// Numbers per value: 3, 4, the number of morph targets, or the number of components of the property of a pointer.
    pub components: usize,
}

/// The property that a channel animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// Translation of a node relative to its parent.
    Translation(NodeIndex),
    /// Rotation of a node relative to its parent.
    Rotation(NodeIndex),
    /// Scale of a node, as a factor along each of its axes.
    Scale(NodeIndex),
    /// All morph weights of the node.
    Weights(NodeIndex),
    /// KHR_animation_pointer, for other properties: an index into `Model::pointers`. Pointers to the properties above become those targets.
    Pointer(usize),
}

impl Target {
    /// The target node. `None` for a pointer; see `Model::target_node`.
    pub fn node(self) -> Option<NodeIndex> {
        match self {
            Self::Translation(node) | Self::Rotation(node) | Self::Scale(node) | Self::Weights(node) => Some(node),
            Self::Pointer(_) => None,
        }
    }

    /// The `path` of the target in the file.
    pub fn path(self) -> &'static str {
        match self {
            Self::Translation(_) => "translation",
            Self::Rotation(_) => "rotation",
            Self::Scale(_) => "scale",
            Self::Weights(_) => "weights",
            Self::Pointer(_) => "pointer",
        }
    }
}

/// Interpolation between keys (glTF 2.0, 3.11 and appendix C).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The value of the previous key (appendix C.2).
    Step,
    /// Linear between two keys; slerp for rotations (appendix C.3 and C.4).
    Linear,
    /// A Hermite spline with the tangents of the file (appendix C.5).
    CubicSpline,
}

impl Interpolation {
    /// The name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::CubicSpline => "CUBICSPLINE",
        }
    }
}

impl Animation {
    /// The name as text for a label, or `animation 7` without one.
    pub fn label(&self, index: usize) -> String {
        label::text(self.name.as_deref(), "animation", index)
    }
}

impl Channel {
    /// The numbers of a key, for CUBICSPLINE without its tangents. Empty if the channel has no such key.
    pub fn value(&self, key: usize) -> &[f32] {
        let group = match self.interpolation {
            Interpolation::CubicSpline => 3 * key + 1,
            Interpolation::Step | Interpolation::Linear => key,
        };
        let start = group * self.components;
        self.output.get(start..start + self.components).unwrap_or_default()
    }
}
