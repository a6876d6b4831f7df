//! A node: what hangs at a place of the hierarchy. Its transforms are in [`super::hierarchy::Hierarchy`].

use std::ops::Range;

use glam::Affine3A;

/// A node's place in the model's depth-first order (not the file's index; see [`Node::source`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub u32);

impl NodeIndex {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Default)]
pub struct Node {
    /// The file's name; names are neither unique nor always there.
    pub name: Option<String>,
    /// The file's own index.
    pub source: usize,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub camera: Option<usize>,
    pub light: Option<usize>,
    /// Where this node's morph weights stand in `Pose::weights` (empty without morph targets).
    pub weights: Range<usize>,
    /// Where this node's own matrix stands in the palette, for what it draws without a skin. Only nodes with a mesh.
    pub rigid_matrix: Option<usize>,
    /// EXT_mesh_gpu_instancing: where the mesh stands, in the node's space. Empty: once, where the node is. Only nodes with a mesh
    /// and without a skin.
    pub instances: Vec<Affine3A>,
    /// KHR_node_visibility; `true` without the extension.
    pub visible: bool,
}

impl Node {
    /// The name, or `node 7` where there is none.
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("node {}", self.source),
        }
    }
}
