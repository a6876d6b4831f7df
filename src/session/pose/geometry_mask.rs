//! The geometry that joints carry: rigid meshes go with the joint above them, a vertex of a skin with the joints that move it.

use std::collections::BTreeMap;

use crate::model::Model;
use crate::model::mesh::{Primitive, Topology};
use crate::model::node::NodeIndex;
use crate::session::view::joint_switches::{NodeSwitches, Switch};

/// By node: who carries a rigid mesh there. The nearest joint at it or above it; else the nearest node that an animation moves; in a
/// model that has no skin, the node itself.
pub fn carriers(model: &Model) -> Vec<Option<NodeIndex>> {
    let joints = model.joints();
    let mut driven = vec![false; model.nodes.len()];
    for node in model.animations.iter().flat_map(|animation| &animation.channels).filter_map(|channel| model.target_node(channel.target)) {
        driven[node.index()] = true;
    }
    let nearest = |marked: &[bool]| {
        let mut nearest: Vec<Option<NodeIndex>> = vec![None; model.nodes.len()];
        for node in model.node_indices() {
            let above = model.hierarchy.parent(node).and_then(|parent| nearest[parent.index()]);
            nearest[node.index()] = if marked[node.index()] { Some(node) } else { above };
        }
        nearest
    };
    let (joint, moved) = (nearest(&joints), nearest(&driven));
    let itself = |node| model.skins.is_empty().then_some(node);
    model.node_indices().map(|node| joint[node.index()].or(moved[node.index()]).or(itself(node))).collect()
}

/// The indices that are left of primitives of which parts are not drawn, because the joints that carry them are switched off. By
/// node and place in its mesh's primitives; what is not listed is drawn whole.
pub type VisibleIndices = BTreeMap<(NodeIndex, usize), Vec<u32>>;

/// A vertex is a joint's, or that of several together, where they have more of its weight than this.
const MOST: f32 = 0.5;

/// What is switched off or soloed, by the file's index of its node.
pub fn switched(switches: &BTreeMap<usize, NodeSwitches>) -> impl Iterator<Item = (usize, Switch)> + '_ {
    switches.iter().map(|(&source, node)| (source, node.geometry)).filter(|(_, geometry)| *geometry != Switch::default())
}

/// Whether anything is switched off or soloed.
pub fn is_switched(switches: &BTreeMap<usize, NodeSwitches>) -> bool {
    switched(switches).next().is_some()
}

/// What is left when the switches mean `on` for each node. Where a joint is soloed only what lies wholly on such joints is left;
/// else all but what lies wholly on those that are off.
pub fn left(model: &Model, switches: &BTreeMap<usize, NodeSwitches>, on: &[bool]) -> VisibleIndices {
    let mut left = VisibleIndices::new();
    if !is_switched(switches) {
        return left;
    }
    let soloed = switches.values().any(|node| node.geometry.solo);
    let carriers = carriers(model);
    for (node, mesh) in model.node_indices().filter_map(|node| Some((node, model.node(node).mesh?))) {
        for (place, primitive) in model.meshes[mesh].primitives.iter().enumerate() {
            let influences = &primitive.vertices.influences;
            let indices = match model.node(node).skin.filter(|_| influences.sets > 0) {
                Some(skin) => {
                    let on: Vec<bool> = model.skins[skin].joints.iter().map(|joint| on[joint.index()]).collect();
                    left_of_skin(primitive, &on, soloed)
                }
                None if carriers[node.index()].map_or(soloed, |carrier| !on[carrier.index()]) => Vec::new(),
                None => continue,
            };
            if indices.len() < primitive.indices.len() {
                left.insert((node, place), indices);
            }
        }
    }
    left
}

/// `on`: by joint of the skin.
fn left_of_skin(primitive: &Primitive, on: &[bool], soloed: bool) -> Vec<u32> {
    let influences = &primitive.vertices.influences;
    // Whose vertices decide: those of joints that are on, or of those that are off.
    let deciding: Vec<bool> = (0..primitive.vertices.positions.len())
        .map(|vertex| {
            let sets = vertex * influences.sets..(vertex + 1) * influences.sets;
            let joints = influences.joints[sets.clone()].as_flattened().iter();
            let decides = |joint: &u16| on.get(usize::from(*joint)) == Some(&soloed);
            let weights = joints.zip(influences.weights[sets].as_flattened()).filter(|(joint, _)| decides(joint));
            weights.map(|(_, weight)| weight).sum::<f32>() > MOST
        })
        .collect();
    let corners = match primitive.topology {
        Topology::Points => 1,
        Topology::Lines => 2,
        Topology::Triangles => 3,
    };
    let elements = primitive.indices.chunks_exact(corners);
    elements.filter(|element| element.iter().all(|&vertex| deciding[vertex as usize]) == soloed).flatten().copied().collect()
}
