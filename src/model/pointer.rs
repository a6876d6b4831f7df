//! KHR_animation_pointer: animated properties other than nodes' transforms and weights, named by JSON pointers of the glTF 2.0
//! Asset Object Model.

use std::ops::Range;

use super::animation::Target;
use super::material_property::MaterialProperty;
use super::node::NodeIndex;

/// A property that an animation drives by its JSON pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    /// The pointer as written: `/materials/0/pbrMetallicRoughness/baseColorFactor`.
    pub path: String,
    pub property: Property,
    pub kind: Kind,
    /// The range of its values in `Pose::driven`; empty for [`Property::Core`], whose value is in the pose itself.
    pub values: Range<usize>,
    /// The animations that drive it, ascending.
    pub animations: Vec<usize>,
}

/// The type of a pointer's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1, without interpolation.
    Boolean,
    Scalar,
    /// A vector, or an array of any length.
    Vector,
}

/// The property that a pointer leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// A property that core channels also animate.
    Core(Target),
    /// KHR_node_visibility.
    NodeVisible(NodeIndex),
    /// One morph weight of a node.
    NodeWeight {
        node: NodeIndex,
        weight: usize,
    },
    /// The weights of a mesh, for every node without weights of its own.
    MeshWeights {
        mesh: usize,
    },
    /// One weight of a mesh.
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
    /// A property that is not drawn. Its value is only displayed.
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
    /// The node that has the property.
    pub fn node(self) -> Option<NodeIndex> {
        match self {
            Self::Core(target) => target.node(),
            Self::NodeVisible(node) | Self::NodeWeight { node, .. } => Some(node),
            _ => None,
        }
    }
}
