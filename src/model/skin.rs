//! A skin: joints and their inverse bind matrices (glTF 2.0, 3.7.3).

use std::ops::Range;

use glam::Affine3A;

use super::node::NodeIndex;

#[derive(Debug, Clone, Default)]
pub struct Skin {
    pub name: Option<String>,
    pub joints: Vec<NodeIndex>,
    /// As many as joints; identity where the file has none. Mesh space to joint space.
    pub inverse_bind_matrices: Vec<Affine3A>,
    /// Where this skin's joint matrices stand in the palette: one range a skin, shared by all nodes that use it.
    pub matrices: Range<usize>,
}
