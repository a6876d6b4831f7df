//! Selection commands with keyboard shortcuts: select all nodes, the parent or the first child.

use crate::model::node::NodeIndex;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::context::Context;

/// Selects every node of the scene. The active node stays active.
pub fn select_all(context: &mut Context) {
    let model = &context.document.model;
    let in_scene = model.nodes_in_scene(model.scene_or_default(context.view.scene));
    let active = context.view.active();
    let shown = model.nodes.iter().zip(in_scene).filter(|(_, inside)| *inside).map(|(node, _)| node.source);
    context.view.selection = shown.filter(|&source| Some(source) != active).collect();
    context.view.selection.extend(active);
}

/// Selects the parent of the active node.
pub fn select_parent(context: &mut Context, mode: SelectMode) {
    let parent = active(context).and_then(|node| context.document.model.hierarchy.parent(node));
    select(context, parent, mode);
}

/// Selects the first child of the active node. Without a selection, selects the scene's first root.
pub fn select_child(context: &mut Context, mode: SelectMode) {
    let model = &context.document.model;
    let child = match active(context) {
        Some(node) => model.hierarchy.children(node).next(),
        None => match model.scene_or_default(context.view.scene).map(|scene| &model.scenes[scene]) {
            Some(scene) => scene.roots.first().copied(),
            None => model.hierarchy.roots().next(),
        },
    };
    select(context, child, mode);
}

/// The active node: the node that was selected last.
fn active(context: &Context) -> Option<NodeIndex> {
    context.view.active().and_then(|source| context.document.model.node_from_source(source))
}

/// Makes a node active.
fn select(context: &mut Context, node: Option<NodeIndex>, mode: SelectMode) {
    let Some(node) = node else { return };
    selection::select(&mut context.view.selection, context.document.model.node(node).source, mode);
}
