//! Decides which geometry is drawn when joints are switched off. A rigid mesh belongs to the joint above it, a vertex to the joints
//! that move it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::model::Model;
use crate::model::mesh::{Primitive, Topology};
use crate::model::node::NodeIndex;
use crate::session::view::joint_switches::{self, Column, NodeSwitches, Switch};

/// The node that a rigid mesh belongs to, for each node in model order. It is the nearest joint at or above the mesh. If there is none, it
/// is the nearest animated node. If there is none either and the model has no skins, it is the node itself.
pub fn owner_joints(model: &Model) -> Vec<Option<NodeIndex>> {
    let (joints, animated) = (model.joints(), model.driven_nodes());
    let nearest = |marked: &[bool]| {
        let mut nearest: Vec<Option<NodeIndex>> = vec![None; model.nodes.len()];
        // Parents come before their children, so the parent's value is known.
        for node in model.node_indices() {
            let above = model.hierarchy.parent(node).and_then(|parent| nearest[parent.index()]);
            nearest[node.index()] = if marked[node.index()] { Some(node) } else { above };
        }
        nearest
    };
    let (joint, animated) = (nearest(&joints), nearest(&animated));
    let itself = |node| model.skins.is_empty().then_some(node);
    model.node_indices().map(|node| joint[node.index()].or(animated[node.index()]).or(itself(node))).collect()
}

/// The drawn indices of primitives of which only a part is drawn, by node and by index in the mesh's primitives. Primitives that are not
/// listed are drawn in full. Nodes with the same mesh and skin share their indices.
pub type VisibleIndices = BTreeMap<(NodeIndex, usize), Arc<[u32]>>;

/// Weight above which a set of joints owns a vertex.
const MIN_OWNED_WEIGHT: f32 = 0.5;

/// The nodes whose geometry is switched off or soloed, by their index in the file.
pub fn switched(switches: &BTreeMap<usize, NodeSwitches>) -> impl Iterator<Item = (usize, Switch)> + '_ {
    switches.iter().map(|(&source, node)| (source, node.geometry)).filter(|(_, geometry)| *geometry != Switch::default())
}

/// Returns whether the geometry of any node is switched off or soloed.
pub fn is_switched(switches: &BTreeMap<usize, NodeSwitches>) -> bool {
    switched(switches).next().is_some()
}

/// Returns the drawn indices of every primitive that is not drawn in full. `on` tells for each node, in model order, whether its geometry
/// is on.
///
/// If any joint is soloed, only elements (points, lines, triangles) whose vertices all belong to soloed joints are drawn. Otherwise only
/// elements whose vertices all belong to joints that are off are left out.
pub fn visible_indices(model: &Model, switches: &BTreeMap<usize, NodeSwitches>, on: &[bool]) -> VisibleIndices {
    let mut visible = VisibleIndices::new();
    if !is_switched(switches) {
        return visible;
    }
    let soloed = joint_switches::any_solo(model, switches, Column::Geometry);
    let owners = owner_joints(model);
    // For each skin, whether the geometry of its joints is on. The influences of a vertex are indices into these joints.
    let mut on_in_skin: Vec<Option<Vec<bool>>> = vec![None; model.skins.len()];
    let mut skinned: HashMap<(usize, usize, usize), Arc<[u32]>> = HashMap::new();
    for (node, mesh) in model.node_indices().filter_map(|node| Some((node, model.node(node).mesh?))) {
        for (primitive_index, primitive) in model.meshes[mesh].primitives.iter().enumerate() {
            let influences = &primitive.vertices.influences;
            let indices = match model.node(node).skin.filter(|_| influences.sets > 0) {
                Some(skin) => {
                    let find = || {
                        let joints = || model.skins[skin].joints.iter().map(|joint| on[joint.index()]).collect();
                        skinned_indices(primitive, on_in_skin[skin].get_or_insert_with(joints), soloed).into()
                    };
                    skinned.entry((skin, mesh, primitive_index)).or_insert_with(find).clone()
                }
                // A rigid mesh has one owner, so it is drawn either completely or not at all.
                None if owners[node.index()].map_or(soloed, |owner| !on[owner.index()]) => Arc::default(),
                None => continue,
            };
            if indices.len() < primitive.indices.len() {
                visible.insert((node, primitive_index), indices);
            }
        }
    }
    visible
}

/// The drawn indices of a skinned primitive. `on` has one entry per joint of the skin.
fn skinned_indices(primitive: &Primitive, on: &[bool], soloed: bool) -> Vec<u32> {
    let influences = &primitive.vertices.influences;
    // For each vertex: whether soloed joints own it. If no joint is soloed: whether joints that are off own it.
    let is_decisive: Vec<bool> = (0..primitive.vertices.positions.len())
        .map(|vertex| {
            let sets = vertex * influences.sets..(vertex + 1) * influences.sets;
            let joints = influences.joints[sets.clone()].as_flattened().iter();
            let decides = |joint: &u16| on.get(usize::from(*joint)) == Some(&soloed);
            let weights = joints.zip(influences.weights[sets].as_flattened()).filter(|(joint, _)| decides(joint));
            weights.map(|(_, weight)| weight).sum::<f32>() > MIN_OWNED_WEIGHT
        })
        .collect();
    let corners = match primitive.topology {
        Topology::Points => 1,
        Topology::Lines => 2,
        Topology::Triangles => 3,
    };
    let elements = primitive.indices.chunks_exact(corners);
    elements.filter(|element| element.iter().all(|&vertex| is_decisive[vertex as usize]) == soloed).flatten().copied().collect()
}
