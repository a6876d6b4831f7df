//! Groups the nodes of a model by the primitives that they draw. This way a frame does most of its work once per group instead of once per
//! node.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::geometry::GpuMeshes;
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

/// Groups all nodes that draw a primitive. Groups with instances come first ([`instanced_first`]), the others are ordered by their first
/// node, then by primitive. `meshes` has the uploaded primitives of each mesh, and `instances` the lists of instances by node index.
pub(crate) fn groups(model: &Model, meshes: &GpuMeshes, instances: &BTreeMap<usize, Vec<MeshInstances>>) -> Vec<NodeGroup> {
    let mut groups: Vec<NodeGroup> = Vec::new();
    let mut known: HashMap<(usize, usize, bool), usize> = HashMap::new();
    for (index, node) in model.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let lists = instances.get(&index).map_or(0, Vec::len);
        for (primitive, uploaded) in meshes[mesh].iter().enumerate().filter(|(_, primitive)| !primitive.index_range.is_empty()) {
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
    instanced_first(&mut groups, instances);
    groups
}

/// Puts groups with instances first, by descending number of instances.
///
/// A draw multiplies its place in the page's list by its number of instances, and the product must fit into a `u32`. In this order, it
/// never exceeds the number of all instances of the model, for which the loader has a limit.
fn instanced_first(groups: &mut [NodeGroup], instances: &BTreeMap<usize, Vec<MeshInstances>>) {
    let count = |group: &NodeGroup| {
        let lists = group.nodes.first().and_then(|node| instances.get(&node.node.index()));
        group.instances.and_then(|list| lists?.get(list)).map_or(0, |list| list.count)
    };
    groups.sort_by_key(|group| Reverse(count(group)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_group_times_its_instances_is_at_most_the_number_of_all_instances() {
        let counts = [3, 0, 100, 0, 0, 1, 2000, 3];
        let lists = |count: u32| vec![MeshInstances { count, mirrored: false, matrices: Vec::new(), primitives: Vec::new() }];
        let instances = counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(node, &count)| (node, lists(count))).collect();
        let mut groups: Vec<_> = (0..counts.len())
            .map(|node| {
                let nodes = vec![GroupNode { node: NodeIndex(node as u32), matrix: node as u32 }];
                NodeGroup { mesh: 0, primitive: 0, skinned: false, instances: (counts[node] > 0).then_some(0), nodes }
            })
            .collect();
        instanced_first(&mut groups, &instances);
        let nodes: Vec<_> = groups.iter().map(|group| group.nodes[0].node.index()).collect();
        assert_eq!(nodes, [6, 2, 0, 7, 5, 1, 3, 4]);
        assert!(nodes.iter().enumerate().all(|(place, &node)| place as u32 * counts[node] <= counts.iter().sum()));
    }
}
