//! KHR_animation_pointer: properties beyond nodes' transforms and weights that animations drive, named by JSON pointers as the
//! glTF 2.0 Asset Object Model lists them.

use std::ops::Range;

use super::animation::Target;
use super::material_property::MaterialProperty;
use super::node::NodeIndex;

/// A property that some animation of the file drives by its JSON pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    /// As the file writes it: `/materials/0/pbrMetallicRoughness/baseColorFactor`.
    pub path: String,
    pub property: Property,
    pub kind: Kind,
    /// Its numbers in `Pose::driven`; none for [`Property::Core`], whose value is where that of an unextended channel is.
    pub values: Range<usize>,
    /// The animations that drive it, ascending.
    pub animations: Vec<usize>,
}

/// What the numbers of a pointer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1; between keys it steps.
    Boolean,
    Scalar,
    /// A vector, or an array however short.
    Vector,
}

/// What a pointer drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// What an unextended channel drives, too, and in the same way.
    Core(Target),
    /// KHR_node_visibility.
    NodeVisible(NodeIndex),
    /// One morph weight of a node.
    NodeWeight {
        node: NodeIndex,
        weight: usize,
    },
    /// The weights of a mesh, for every node that has none of its own.
    MeshWeights {
        mesh: usize,
    },
    /// One of these.
    MeshWeight {
        mesh: usize,
        weight: usize,
    },
    Material {
        material: usize,
        property: MaterialProperty,
    },
    Camera {
        camera: usize,
        property: CameraProperty,
    },
    Light {
        light: usize,
        property: LightProperty,
    },
    /// Of an extension that is not drawn: the value is there to be looked at.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CameraProperty {
    Yfov,
    AspectRatio,
    Xmag,
    Ymag,
    Znear,
    Zfar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightProperty {
    Color,
    Intensity,
    Range,
    InnerConeAngle,
    OuterConeAngle,
}

impl Property {
    /// The node whose property it is.
    pub fn node(self) -> Option<NodeIndex> {
        match self {
            Self::Core(target) => target.node(),
            Self::NodeVisible(node) | Self::NodeWeight { node, .. } => Some(node),
            _ => None,
        }
    }
}
