//! The geometry that joints carry: rigid meshes go with the joint above them, a vertex of a skin with the joints that move it.

use crate::model::Model;
use crate::model::node::NodeIndex;

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
