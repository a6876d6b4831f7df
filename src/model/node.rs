//! A node and the objects attached to it. [`super::hierarchy::Hierarchy`] has its transform.

use std::ops::Range;

use glam::Affine3A;

use super::label;

/// Index of a node in the model's depth-first order (not in the file; see [`Node::source`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub u32);

impl NodeIndex {
    /// The index, for slices.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of the file (glTF 2.0, 3.5).
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// The name in the file. Names are optional and may repeat.
    pub name: Option<String>,
    /// The index in the file.
    pub source: usize,
    /// Index of the mesh that the node shows.
    pub mesh: Option<usize>,
    /// Index of the skin that deforms that mesh. `None` if no primitive of the mesh has influences.
    pub skin: Option<usize>,
    /// Index of the camera at the node.
    pub camera: Option<usize>,
    /// Index of the light that shines from the node.
    pub light: Option<usize>,
    /// The range of its morph weights in `Pose::weights`; empty without morph targets.
    pub weights: Range<usize>,
    /// Index of the node's own matrix in the palette, used to draw without a skin. Only for nodes with a mesh.
    pub rigid_matrix: Option<usize>,
    /// EXT_mesh_gpu_instancing: transforms of the mesh instances, local to the node. If empty, the mesh is drawn once at the
    /// node. Only for nodes with a mesh and without a skin.
    pub instances: Vec<Affine3A>,
    /// Whether the node is shown (KHR_node_visibility). True without the extension.
    pub visible: bool,
    /// The properties in the node's `extras` (glTF 2.0, 3.12), such as the custom properties of a Blender object, sorted by name.
    pub extras: Vec<ExtraProperty>,
}

/// A property in the `extras` of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraProperty {
    /// Its name, as in the file. `None` for `extras` that are no JSON object, which are a single value.
    pub name: Option<String>,
    /// Its value as JSON text, as in the file.
    pub json: String,
}

impl Node {
    /// The name as text for a label. A node without a name is called `node 7`, by its index in the file.
    pub fn label(&self) -> String {
        label::text(self.name.as_deref(), "node", self.source)
    }

    /// The name exactly as in the file, for the clipboard. [`Node::label`] if it has no name.
    pub fn exact_name(&self) -> String {
        self.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| self.label())
    }
}

/// The part of a node's name after the last colon or bar, which separate namespaces and paths in Maya. The whole name if nothing
/// follows them.
pub fn without_namespace(name: &str) -> &str {
    let start = name.bytes().rposition(|byte| matches!(byte, b':' | b'|')).map_or(0, |separator| separator + 1);
    name.get(start..).filter(|bare_name| !bare_name.is_empty()).unwrap_or(name)
}
