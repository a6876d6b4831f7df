//! Isolates the selected subtrees by soloing only them. Isolating them again clears the solo.

use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::view::joint_switches::{self, Column};
use crate::ui::context::Context;

use super::switches;

/// The columns that show and hide nodes.
const COLUMNS: [Column; 3] = [Column::Drawn, Column::Visible, Column::Geometry];

/// The columns that isolate these nodes. Joints also need the geometry column, because their skinned mesh may be outside their subtrees.
fn columns(document: &Document, nodes: &[NodeIndex]) -> &'static [Column] {
    let any_joint = nodes.iter().any(|node| document.joints[node.index()]);
    if any_joint { &[Column::Drawn, Column::Geometry] } else { &[Column::Visible] }
}

/// Solos only the selected nodes and all nodes below them. If they are already isolated, clears the solo.
pub fn toggle(context: &mut Context) {
    let was_isolated = is_isolated(context);
    let nodes = switches::with_subtrees(context.document, &switches::selected(context));
    switches::clear_solo(context);
    if !was_isolated {
        switches::toggle_solo(context, &nodes, columns(context.document, &nodes));
    }
}

/// Returns whether exactly the selected subtrees are soloed. If nothing is selected, returns whether any node is soloed in one of
/// `COLUMNS`.
pub fn is_isolated(context: &Context) -> bool {
    let model = &context.document.model;
    let soloed = |source: usize, column: Column| joint_switches::switch(&context.view.switches, source, column).solo;
    let selected = switches::selected(context);
    // The view also keeps the switches of nodes that this model does not have.
    let is_soloed = |column: Column| model.nodes.iter().any(|node| soloed(node.source, column));
    if selected.is_empty() {
        return COLUMNS.into_iter().any(is_soloed);
    }
    let mut inside = vec![false; model.nodes.len()];
    let nodes = switches::with_subtrees(context.document, &selected);
    nodes.iter().for_each(|node| inside[node.index()] = true);
    let columns = columns(context.document, &nodes);
    // Every switch must have the state that isolating sets: soloed inside the subtrees, not soloed elsewhere.
    COLUMNS.into_iter().any(is_soloed)
        && COLUMNS.into_iter().all(|column| {
            let mut with_switch = model.node_indices().filter(|&node| switches::applies(context.document, node, column));
            with_switch.all(|node| soloed(model.node(node).source, column) == (inside[node.index()] && columns.contains(&column)))
        })
}

/// Returns whether there is a selection to isolate, or an isolation to end.
pub fn is_possible(context: &Context) -> bool {
    !context.view.selection.is_empty() || is_isolated(context)
}
