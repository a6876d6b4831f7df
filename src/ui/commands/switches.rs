//! Joint switches as a person works them, by key, menu or column: on the selection, on a subtree, everywhere.

use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::view::joint_switches::{self, Column};
use crate::ui::context::Context;

/// Whether a node has this switch: joints are drawn in the overlay, have influence and carry geometry, all other nodes are visible or not.
pub fn applies(document: &Document, node: NodeIndex, column: Column) -> bool {
    let joint = document.joints[node.index()];
    match column {
        Column::Animated => true,
        Column::Drawn | Column::Geometry => joint,
        Column::Influence => joint && !document.fixed_influences[node.index()],
        Column::Visible => !joint,
    }
}

/// The selected nodes that this model has, as its own indices.
pub fn selected(context: &Context) -> Vec<NodeIndex> {
    context.view.selection.iter().filter_map(|&source| context.document.model.node_from_source(source)).collect()
}

/// The nodes and everything below them, each once.
pub fn with_subtrees(document: &Document, nodes: &[NodeIndex]) -> Vec<NodeIndex> {
    let mut inside = vec![false; document.model.nodes.len()];
    for &node in nodes {
        inside[document.model.hierarchy.subtree(node)].fill(true);
    }
    document.model.node_indices().filter(|node| inside[node.index()]).collect()
}

/// Off where any of them is on, else on.
pub fn toggle(context: &mut Context, nodes: &[NodeIndex], column: Column) {
    let any_on = with_switch(context, nodes, column).any(|source| joint_switches::switch(&context.view.switches, source, column).on);
    set(context, nodes, column, !any_on);
}

/// What painting down a column does.
pub fn set(context: &mut Context, nodes: &[NodeIndex], column: Column, on: bool) {
    for source in with_switch(context, nodes, column).collect::<Vec<_>>() {
        joint_switches::set(&mut context.view.switches, source, column, |switch| switch.on = on);
    }
}

/// Adds to what is soloed in this column, or takes away where all of them are.
pub fn toggle_solo(context: &mut Context, nodes: &[NodeIndex], column: Column) {
    let sources: Vec<_> = with_switch(context, nodes, column).collect();
    let all = sources.iter().all(|&source| joint_switches::switch(&context.view.switches, source, column).solo);
    for source in sources {
        joint_switches::set(&mut context.view.switches, source, column, |switch| switch.solo = !all);
    }
}

/// Solo of what the selected subtrees carry, and of nothing else; where that is so already, all of it is shown again.
pub fn isolate_geometry(context: &mut Context) {
    let nodes = with_subtrees(context.document, &selected(context));
    let wanted: Vec<_> = with_switch(context, &nodes, Column::Geometry).collect();
    let soloed = context.view.switches.iter().filter(|(_, node)| node.geometry.solo).map(|(&source, _)| source).collect::<Vec<_>>();
    for &source in &soloed {
        joint_switches::set(&mut context.view.switches, source, Column::Geometry, |switch| switch.solo = false);
    }
    if wanted.len() != soloed.len() || !wanted.iter().all(|source| soloed.contains(source)) {
        for source in wanted {
            joint_switches::set(&mut context.view.switches, source, Column::Geometry, |switch| switch.solo = true);
        }
    }
}

/// On for every node of the model.
pub fn clear(context: &mut Context, column: Column) {
    for source in context.view.switches.keys().copied().collect::<Vec<_>>() {
        joint_switches::set(&mut context.view.switches, source, column, |switch| switch.on = true);
    }
}

/// Nothing is soloed in any column.
pub fn clear_solo(context: &mut Context) {
    for source in context.view.switches.keys().copied().collect::<Vec<_>>() {
        for column in Column::ALL {
            joint_switches::set(&mut context.view.switches, source, column, |switch| switch.solo = false);
        }
    }
}

/// The file's indices of those nodes that have this switch.
fn with_switch(context: &Context, nodes: &[NodeIndex], column: Column) -> impl Iterator<Item = usize> {
    let document = context.document;
    nodes.iter().filter(move |&&node| applies(document, node, column)).map(|&node| document.model.node(node).source)
}

/// Toggles a column for the selection, or for its subtrees.
pub fn toggle_selected(context: &mut Context, column: Column, subtree: bool) {
    let nodes = selected_or_subtrees(context, subtree);
    toggle(context, &nodes, column);
}

/// Toggles what joints carry, and the meshes of all other nodes.
pub fn toggle_geometry(context: &mut Context, subtree: bool) {
    toggle_selected(context, Column::Visible, subtree);
    toggle_selected(context, Column::Geometry, subtree);
}

/// Toggles solo in the column that shows and hides: the overlay's for joints, the node's own for others.
pub fn toggle_selected_solo(context: &mut Context, subtree: bool) {
    let nodes = selected_or_subtrees(context, subtree);
    toggle_solo(context, &nodes, Column::Drawn);
    toggle_solo(context, &nodes, Column::Visible);
}

/// Everything is visible.
pub fn clear_geometry(context: &mut Context) {
    clear(context, Column::Visible);
    clear(context, Column::Geometry);
}

fn selected_or_subtrees(context: &Context, subtree: bool) -> Vec<NodeIndex> {
    let nodes = selected(context);
    if subtree { with_subtrees(context.document, &nodes) } else { nodes }
}
