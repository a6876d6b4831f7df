//! Groups the nodes of a model by the primitives that they draw. This way a frame does most of its work once per group instead of once per
//! node.

use std::collections::{BTreeMap, HashMap};

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::geometry::GpuPrimitive;
use super::instances::MeshInstances;

/// Nodes that draw the same primitive in the same way. They can be instances of one draw.
pub(crate) struct NodeGroup {
    /// Index of the mesh.
    pub mesh: usize,
    /// Index among the primitives of the mesh. The primitive is not empty.
    pub primitive: usize,
    /// Whether joints move the vertices. If not, only the node's matrix moves them.
    pub skinned: bool,
    /// Index among the node's lists of instances (EXT_mesh_gpu_instancing). A group with such a list has one node. `None` draws the
    /// primitive once at each node.
    pub instances: Option<usize>,
    /// The nodes, in model order. There is at least one.
    pub nodes: Vec<GroupNode>,
}

/// A node of a group.
#[derive(Clone, Copy)]
pub(crate) struct GroupNode {
    pub node: NodeIndex,
    /// Index of the skin's first matrix in the palette of a member. Without a skin, it is the index of the node's matrix.
    pub matrix: u32,
}

/// Groups all nodes that draw a primitive. Groups are ordered by their first node, then by primitive. `meshes` has the uploaded primitives
/// of each mesh, and `instances` the lists of instances by node index.
pub(crate) fn groups(model: &Model, meshes: &[Vec<GpuPrimitive>], instances: &BTreeMap<usize, Vec<MeshInstances>>) -> Vec<NodeGroup> {
    let mut groups: Vec<NodeGroup> = Vec::new();
    let mut known: HashMap<(usize, usize, bool), usize> = HashMap::new();
    for (index, node) in model.nodes.iter().enumerate() {
        let Some((mesh, primitives)) = node.mesh.and_then(|mesh| Some((mesh, meshes.get(mesh)?))) else { continue };
        let lists = instances.get(&index).map_or(0, Vec::len);
        for (primitive, uploaded) in primitives.iter().enumerate().filter(|(_, primitive)| !primitive.index_range.is_empty()) {
            let skin = node.skin.filter(|_| uploaded.vertices.influences.is_some()).map(|skin| &model.skins[skin]);
            // A node without a matrix in the palette is not drawn.
            let Some(matrix) = skin.map(|skin| skin.matrices.start).or(node.rigid_matrix) else { continue };
            let (skinned, node) = (skin.is_some(), GroupNode { node: NodeIndex(index as u32), matrix: matrix as u32 });
            let group = |instances| NodeGroup { mesh, primitive, skinned, instances, nodes: vec![node] };
            if lists > 0 {
                groups.extend((0..lists).map(|list| group(Some(list))));
                continue;
            }
            let at = *known.entry((mesh, primitive, skinned)).or_insert(groups.len());
            match groups.get_mut(at) {
                Some(known) => known.nodes.push(node),
                None => groups.push(group(None)),
            }
        }
    }
    groups
}
