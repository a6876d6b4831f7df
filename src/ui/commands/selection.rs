//! The selection as keys move it: everything, the parent, the first child.

use crate::model::node::NodeIndex;
use crate::ui::Context;

/// Every node of the scene; the active one stays.
pub fn all(frame: &mut Context) {
    let model = &frame.document.model;
    let in_scene = model.nodes_in_scene(model.scene_or_default(frame.view.scene));
    let active = frame.view.active();
    let shown = model.nodes.iter().zip(in_scene).filter(|(_, inside)| *inside).map(|(node, _)| node.source);
    frame.view.selection = shown.filter(|&source| Some(source) != active).collect();
    frame.view.selection.extend(active);
}

/// Of the active node, instead of the selection or (`add`) on top of it.
pub fn parent(frame: &mut Context, add: bool) {
    let parent = active(frame).and_then(|node| frame.document.model.hierarchy.parent(node));
    select(frame, parent, add);
}

/// Of the active node; the scene's first root where nothing is selected.
pub fn child(frame: &mut Context, add: bool) {
    let model = &frame.document.model;
    let child = match active(frame) {
        Some(node) => model.hierarchy.children(node).next(),
        None => match model.scene_or_default(frame.view.scene).map(|scene| &model.scenes[scene]) {
            Some(scene) => scene.roots.first().copied(),
            None => model.hierarchy.roots().next(),
        },
    };
    select(frame, child, add);
}

fn active(frame: &Context) -> Option<NodeIndex> {
    frame.view.active().and_then(|source| frame.document.model.node_from_source(source))
}

fn select(frame: &mut Context, node: Option<NodeIndex>, add: bool) {
    let Some(node) = node else { return };
    let source = frame.document.model.node(node).source;
    if add {
        frame.view.selection.retain(|&selected| selected != source);
    } else {
        frame.view.selection.clear();
    }
    frame.view.selection.push(source);
}
