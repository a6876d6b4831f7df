//! Commands that set joint switches of the selection, of subtrees or of the whole model. Keys, menus and the columns of the tree call them.
//! A column is a kind of switch.

use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::view::joint_switches::{self, Column};
use crate::ui::context::Context;

/// The columns that hide geometry: one for nodes that are not joints, and one for joints.
pub const GEOMETRY_COLUMNS: [Column; 2] = [Column::Visible, Column::Geometry];

/// Which nodes a command changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The selected nodes.
    Nodes,
    /// The selected nodes and all nodes below them.
    Subtrees,
}

impl Scope {
    /// The nodes of the scope.
    fn nodes(self, context: &Context) -> Vec<NodeIndex> {
        let nodes = selected(context);
        match self {
            Self::Nodes => nodes,
            Self::Subtrees => with_subtrees(context.document, &nodes),
        }
    }
}

/// Returns whether a node has the switch of this column. Joints and nodes that an animation drives have `Animated`. Joints have `Drawn`
/// and, in a model with skins, `Geometry` and `Influence`, except joints whose influence is fixed. Nodes that are not joints have
/// `Visible`.
pub fn applies(document: &Document, node: NodeIndex, column: Column) -> bool {
    let joint = document.joints[node.index()];
    let skinned = joint && !document.model.skins.is_empty();
    match column {
        Column::Animated => joint || document.driven[node.index()],
        Column::Drawn => joint,
        Column::Geometry => skinned,
        Column::Influence => skinned && !document.fixed_influences[node.index()],
        Column::Visible => !joint,
    }
}

/// The selected nodes that exist in the model.
pub fn selected(context: &Context) -> Vec<NodeIndex> {
    context.view.selection.iter().filter_map(|&source| context.document.model.node_from_source(source)).collect()
}

/// The nodes and all nodes below them, without duplicates.
pub fn with_subtrees(document: &Document, nodes: &[NodeIndex]) -> Vec<NodeIndex> {
    let mut inside = vec![false; document.model.nodes.len()];
    for &node in nodes {
        inside[document.model.hierarchy.subtree(node)].fill(true);
    }
    document.model.node_indices().filter(|node| inside[node.index()]).collect()
}

/// Switches the columns off for all of these nodes if a switch of any of them is on. Otherwise, switches them on.
fn toggle(context: &mut Context, nodes: &[NodeIndex], columns: &[Column]) {
    let on = |context: &Context, source, column| joint_switches::switch(&context.view.switches, source, column).on;
    let any_on = columns.iter().any(|&column| with_switch(context, nodes, column).any(|source| on(context, source, column)));
    for &column in columns {
        set(context, nodes, column, !any_on);
    }
}

/// Sets the switch of these nodes. Dragging along a column of the tree calls this.
pub fn set(context: &mut Context, nodes: &[NodeIndex], column: Column, on: bool) {
    for source in with_switch(context, nodes, column).collect::<Vec<_>>() {
        joint_switches::set(&mut context.view.switches, source, column, |switch| switch.on = on);
    }
}

/// Solos the nodes in the columns. If all of them are already soloed, ends their solo.
pub fn toggle_solo(context: &mut Context, nodes: &[NodeIndex], columns: &[Column]) {
    let switches = columns.iter().flat_map(|&column| with_switch(context, nodes, column).map(move |source| (source, column)));
    let switches: Vec<_> = switches.collect();
    let all = switches.iter().all(|&(source, column)| joint_switches::switch(&context.view.switches, source, column).solo);
    for (source, column) in switches {
        joint_switches::set(&mut context.view.switches, source, column, |switch| switch.solo = !all);
    }
}

/// Solos only the geometry of the selected subtrees. If exactly this geometry is already soloed, clears the solo. A subtree with joints of
/// a skin is isolated by its joints, because the skinned mesh may be outside the subtree.
pub fn isolate_geometry(context: &mut Context) {
    let nodes = with_subtrees(context.document, &selected(context));
    let of_column = |column| with_switch(context, &nodes, column).map(|source| (source, column)).collect();
    let joints: Vec<_> = of_column(Column::Geometry);
    let mut wanted = if joints.is_empty() { of_column(Column::Visible) } else { joints };
    wanted.sort_unstable();
    let columns =
        context.view.switches.iter().flat_map(|(&source, node)| GEOMETRY_COLUMNS.map(|column| (source, column, node.get(column))));
    let soloed: Vec<_> = columns.filter(|(.., switch)| switch.solo).map(|(source, column, _)| (source, column)).collect();
    for &(source, column) in &soloed {
        joint_switches::set(&mut context.view.switches, source, column, |switch| switch.solo = false);
    }
    if wanted != soloed {
        for (source, column) in wanted {
            joint_switches::set(&mut context.view.switches, source, column, |switch| switch.solo = true);
        }
    }
}

/// Switches a column on for every node.
pub fn clear(context: &mut Context, column: Column) {
    for source in context.view.switches.keys().copied().collect::<Vec<_>>() {
        joint_switches::set(&mut context.view.switches, source, column, |switch| switch.on = true);
    }
}

/// Ends the solo of every node in every column.
pub fn clear_solo(context: &mut Context) {
    for source in context.view.switches.keys().copied().collect::<Vec<_>>() {
        for column in Column::ALL {
            joint_switches::set(&mut context.view.switches, source, column, |switch| switch.solo = false);
        }
    }
}

/// Source indices of those nodes that have the switch of this column.
fn with_switch(context: &Context, nodes: &[NodeIndex], column: Column) -> impl Iterator<Item = usize> {
    let document = context.document;
    nodes.iter().filter(move |&&node| applies(document, node, column)).map(|&node| document.model.node(node).source)
}

/// Returns whether a node of the scope has a switch of these columns.
pub fn any_exists(context: &Context, columns: &[Column], scope: Scope) -> bool {
    let nodes = scope.nodes(context);
    columns.iter().any(|&column| with_switch(context, &nodes, column).next().is_some())
}

/// Toggles a column for the selected nodes, or for their subtrees.
pub fn toggle_selected(context: &mut Context, column: Column, scope: Scope) {
    let nodes = scope.nodes(context);
    toggle(context, &nodes, &[column]);
}

/// Toggles the geometry of joints and the visibility of other nodes.
pub fn toggle_geometry(context: &mut Context, scope: Scope) {
    let nodes = scope.nodes(context);
    toggle(context, &nodes, &GEOMETRY_COLUMNS);
}

/// Toggles the solo of the selected nodes: in the column `Drawn` for joints, in `Visible` for other nodes.
pub fn toggle_selected_solo(context: &mut Context, scope: Scope) {
    let nodes = scope.nodes(context);
    toggle_solo(context, &nodes, &[Column::Drawn, Column::Visible]);
}

/// Makes all geometry visible.
pub fn clear_geometry(context: &mut Context) {
    clear(context, Column::Visible);
    clear(context, Column::Geometry);
}
