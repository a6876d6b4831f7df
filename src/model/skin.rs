//! A skin: joints and their inverse bind matrices (glTF 2.0, 3.7.3).

use std::ops::Range;

use glam::Affine3A;

use super::node::NodeIndex;

/// A skin of the file.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// The name in the file.
    pub name: Option<String>,
    /// The joints. JOINTS_n are indices into this list. A node may occur twice.
    pub joints: Vec<NodeIndex>,
    /// One matrix per joint, from mesh space to joint space; the identity if the file has none.
    pub inverse_bind_matrices: Vec<Affine3A>,
    /// The range of the skin's joint matrices in the palette. All nodes that use the skin share it.
    pub matrices: Range<usize>,
}

impl Skin {
    /// Lists the palette entry, the node and the inverse bind matrix of each joint.
    pub fn entries(&self) -> impl Iterator<Item = (usize, NodeIndex, &Affine3A)> {
        let joints = self.joints.iter().copied().zip(&self.inverse_bind_matrices);
        self.matrices.clone().zip(joints).map(|(entry, (joint, inverse_bind_matrix))| (entry, joint, inverse_bind_matrix))
    }
}
