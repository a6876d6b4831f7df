//! The targets of KHR_animation_pointer: properties that animations drive by their JSON pointers in the glTF 2.0 Asset Object Model.

use std::ops::Range;

use super::animation::Target;
use super::material_property::MaterialProperty;
use super::node::NodeIndex;

/// A property that an animation drives by its JSON pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    /// The pointer as written in the file, such as `/materials/0/pbrMetallicRoughness/baseColorFactor`.
    pub path: String,
    /// The property that the pointer names.
    pub property: Property,
    /// The type of its values.
    pub kind: ValueKind,
    /// The range of its values in `Pose::pointer_values`; empty for [`Property::Core`], whose value is in the pose itself.
    pub values: Range<usize>,
    /// Indices of the animations that drive the property, ascending.
    pub animations: Vec<usize>,
}

/// The type of a pointer's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// 0 or 1, without interpolation.
    Boolean,
    /// One number.
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
    NodeWeight { node: NodeIndex, weight: usize },
    /// The weights of a mesh, for every node without weights of its own.
    MeshWeights { mesh: usize },
    /// One weight of a mesh.
    MeshWeight { mesh: usize, weight: usize },
    /// A number or vector of a material, or of one of its texture transforms.
    Material { material: usize, property: MaterialProperty },
    /// A number of a camera's projection.
    Camera { camera: usize, property: CameraProperty },
    /// A property of a light (KHR_lights_punctual).
    Light { light: usize, property: LightProperty },
    /// A property that does not affect the picture. Its value is only displayed as a number.
    Other,
}

/// A number of a camera's projection, with the unit of [`crate::model::camera::Projection`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CameraProperty {
    Yfov,
    AspectRatio,
    Xmag,
    Ymag,
    Znear,
    Zfar,
}

/// A property of a light, with the unit of [`crate::model::light::Light`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightProperty {
    Color,
    Intensity,
    Range,
    InnerConeAngle,
    OuterConeAngle,
}

impl Property {
    /// The node that has the property. `None` if the property does not belong to a node.
    pub fn node(self) -> Option<NodeIndex> {
        match self {
            Self::Core(target) => target.node(),
            Self::NodeVisible(node) | Self::NodeWeight { node, .. } => Some(node),
            _ => None,
        }
    }
}
