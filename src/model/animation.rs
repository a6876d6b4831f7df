//! Keyframes as the file has them, decoded to `f32` and grouped by equal key times.

use super::node::NodeIndex;

#[derive(Debug, Clone, Default)]
pub struct Animation {
    pub name: Option<String>,
    /// Largest key time of any channel, seconds. The animation's time starts at 0 whatever its first key is.
    pub duration: f64,
    /// The distinct sets of key times (compared by content, not by accessor): seconds, never empty, finite, not descending.
    pub key_times: Vec<Vec<f32>>,
    /// Grouped by `key_times`, so that one search serves a whole run of channels.
    pub channels: Vec<Channel>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// Index in the file's animation.
    pub source: usize,
    pub target: Target,
    /// Index into [`Animation::key_times`].
    pub key_times: usize,
    pub interpolation: Interpolation,
    /// `components` numbers for each key; for CUBICSPLINE three such groups a key: in-tangents, values, out-tangents.
    /// Rotations are x, y, z, w as in the file.
    pub output: Vec<f32>,
    /// Numbers per value: 3, 4, the count of morph targets, or as many as a pointer's property has.
    pub components: usize,
}

/// What a channel drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    Translation(NodeIndex),
    Rotation(NodeIndex),
    Scale(NodeIndex),
    /// All morph weights of the node.
    Weights(NodeIndex),
    /// KHR_animation_pointer, beyond the above: an index into `Model::pointers`.
    Pointer(usize),
}

impl Target {
    /// None for a pointer: whether that belongs to a node, `Model::target_node` tells.
    pub fn node(self) -> Option<NodeIndex> {
        match self {
            Self::Translation(node) | Self::Rotation(node) | Self::Scale(node) | Self::Weights(node) => Some(node),
            Self::Pointer(_) => None,
        }
    }

    /// The specification's path.
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

/// glTF 2.0, 3.11 and appendix C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolation {
    Step,
    Linear,
    CubicSpline,
}

impl Interpolation {
    /// The specification's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::CubicSpline => "CUBICSPLINE",
        }
    }
}

impl Animation {
    pub fn label(&self, index: usize) -> String {
        match &self.name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("animation {index}"),
        }
    }
}
