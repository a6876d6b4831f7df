//! The node tree as flat arrays in depth-first order: parents precede children, and a subtree is a range.

use std::ops::Range;

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Quat, Vec3A};

use super::node::NodeIndex;

/// Translation (meters), rotation and scale of a node relative to its parent, applied in the order scale, rotation, translation
/// (glTF 2.0, 5.25). Each field takes 16 bytes, so that sampling can store it with one instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trs {
    /// Translation in meters.
    pub translation: Vec3A,
    /// Rotation as a quaternion x, y, z, w. It may have any length if the file does not normalize it.
    pub rotation: Quat,
    /// Factor along each axis of the node.
    pub scale: Vec3A,
}

impl Trs {
    /// No translation, no rotation, scale 1.
    pub const IDENTITY: Self = Self { translation: Vec3A::ZERO, rotation: Quat::IDENTITY, scale: Vec3A::ONE };

    /// The local matrix. It is f64, so that long chains and transforms far from the origin stay exact.
    #[inline]
    pub fn to_matrix(self) -> DAffine3 {
        let (scale, rotation) = (self.scale.as_dvec3(), DMat3::from_quat(self.rotation_f64()));
        DAffine3 {
            matrix3: DMat3::from_cols(rotation.x_axis * scale.x, rotation.y_axis * scale.y, rotation.z_axis * scale.z),
            translation: self.translation.as_dvec3(),
        }
    }

    /// The normalized rotation; the identity for a zero quaternion.
    fn rotation_f64(self) -> DQuat {
        let q = self.rotation.as_dquat();
        let length = q.length();
        if length > 0.0 && length.is_finite() { q / length } else { DQuat::IDENTITY }
    }

    /// Decomposes a matrix into translation, rotation and scale. Shear is lost. A negative determinant negates x of the scale. The
    /// direction of an axis with scale 0 follows from the other axes, as far as they determine it.
    pub fn from_matrix(matrix: &Affine3A) -> Self {
        // Products of three small scales are 0 in f32.
        let m = DMat3::from_cols(matrix.x_axis.as_dvec3(), matrix.y_axis.as_dvec3(), matrix.z_axis.as_dvec3());
        let mut scale = DVec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
        if m.determinant() < 0.0 {
            scale.x = -scale.x;
        }
        let directions =
            [m.x_axis / scale.x, m.y_axis / scale.y, m.z_axis / scale.z].map(|axis| Some(axis).filter(|axis| axis.is_finite()));
        let rotation = DQuat::from_mat3(&complete_axes(directions)).normalize();
        Self { translation: matrix.translation, rotation: rotation.as_quat(), scale: scale.as_vec3a() }
    }
}

/// Returns a matrix whose columns are these unit vectors. A missing one is perpendicular to the others, so that the axes are right-handed.
fn complete_axes(mut axes: [Option<DVec3>; 3]) -> DMat3 {
    for i in 0..3 {
        let next_axes = (axes[(i + 1) % 3], axes[(i + 2) % 3]);
        axes[i] = axes[i].or_else(|| match next_axes {
            (Some(a), Some(b)) => a.cross(b).try_normalize(),
            (Some(axis), None) | (None, Some(axis)) => Some(axis.any_orthonormal_vector()),
            (None, None) => Some(DMat3::IDENTITY.col(i)),
        });
    }
    let [x, y, z] = axes.map(Option::unwrap_or_default);
    DMat3::from_cols(x, y, z)
}

/// Parents and rest transforms, one element per node, in depth-first order.
#[derive(Debug, Clone, Default)]
pub struct Hierarchy {
    /// The parent of each node, which comes before the node; `None` for a root.
    pub parents: Vec<Option<NodeIndex>>,
    /// One past the last node of each node's subtree.
    pub subtree_ends: Vec<u32>,
    /// The local transforms in the file.
    pub rest: Vec<Trs>,
    /// The matrix of each node that has one in the file and is not animated. It takes precedence over `rest`. Matrices are boxed, because
    /// few nodes have one, and posing reads this list in every frame.
    pub fixed_local: Vec<Option<Box<Affine3A>>>,
}

impl Hierarchy {
    /// The tree of nodes with these parents and rest transforms, in depth-first order. No node has a matrix.
    pub fn from_parents(parents: Vec<Option<NodeIndex>>, rest: Vec<Trs>) -> Self {
        let mut subtree_ends: Vec<u32> = (1..=parents.len() as u32).collect();
        // Go backward, so that the ends of children are known before those of their parents.
        for (node, parent) in parents.iter().enumerate().rev() {
            if let Some(parent) = parent {
                subtree_ends[parent.index()] = subtree_ends[parent.index()].max(subtree_ends[node]);
            }
        }
        Self { fixed_local: vec![None; parents.len()], parents, subtree_ends, rest }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The parent of a node; `None` for a root.
    pub fn parent(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.parents[node.index()]
    }

    /// The node and its descendants, as a range of indices.
    pub fn subtree(&self, node: NodeIndex) -> Range<usize> {
        node.index()..self.subtree_ends[node.index()] as usize
    }

    /// Returns for each node whether it is one of these or a descendant of one. The time does not depend on how many of them are nested.
    pub fn in_subtrees(&self, nodes: impl IntoIterator<Item = NodeIndex>) -> Vec<bool> {
        let mut inside = vec![false; self.len()];
        nodes.into_iter().for_each(|node| inside[node.index()] = true);
        let mut end = 0;
        for (node, is_inside) in inside.iter_mut().enumerate() {
            if *is_inside {
                end = end.max(self.subtree_ends[node] as usize);
            }
            *is_inside = node < end;
        }
        inside
    }

    /// The children of a node, in the file's order.
    pub fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        self.siblings(node.0 + 1, self.subtree_ends[node.index()])
    }

    /// Nodes without a parent.
    pub fn roots(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.siblings(0, self.len() as u32)
    }

    /// The first node of each subtree in the range from `start` to `end`.
    fn siblings(&self, start: u32, end: u32) -> impl Iterator<Item = NodeIndex> + '_ {
        let in_range = move |index: u32| (index < end).then_some(NodeIndex(index));
        std::iter::successors(in_range(start), move |node| in_range(self.subtree_ends[node.index()]))
    }

    /// The number of ancestors of each node.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0u32; self.len()];
        for i in 0..self.len() {
            if let Some(parent) = self.parents[i] {
                depths[i] = depths[parent.index()] + 1;
            }
        }
        depths
    }
}
