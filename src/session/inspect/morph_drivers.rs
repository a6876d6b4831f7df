//! Lists the animations that drive a morph weight.

use crate::animation::keys::pointer_targets;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::node::NodeIndex;
use crate::model::pointer::Property;
use crate::session::view::{View, joint_switches, layers};

/// The animations of a view that drive a morph weight, in the order of mixing: the view's animation, then the layers from the bottom to the
/// top.
pub fn drivers(model: &Model, view: &View, node: NodeIndex, target: usize) -> Vec<usize> {
    if view.bind_pose || !joint_switches::effective(model, &view.switches).animated[node.index()] {
        return Vec::new();
    }
    let layers = layers::active(&view.layers, model).filter(|(_, layer)| layer.included(model)[node.index()]);
    let played = view.animation.into_iter().chain(layers.map(|(_, layer)| layer.animation));
    let drives = |animation: &usize| {
        let channels = model.animations.get(*animation).into_iter().flat_map(|animation| &animation.channels);
        channels.into_iter().any(|channel| drives(model, channel.target, node, target))
    };
    played.filter(drives).collect()
}

/// Returns whether a channel drives a morph weight of a node.
fn drives(model: &Model, channel: Target, node: NodeIndex, target: usize) -> bool {
    let Target::Pointer(pointer) = channel else { return channel == Target::Weights(node) };
    let pointer = &model.pointers[pointer];
    match pointer.property {
        Property::Core(core) => core == Target::Weights(node),
        Property::NodeWeight { weight, .. } | Property::MeshWeight { weight, .. } if weight != target => false,
        _ => pointer_targets::weight_nodes(model, pointer).contains(&node),
    }
}
