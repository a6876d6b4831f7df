//! A subtree by itself: it alone is soloed, and the same action again takes that back.

use crate::session::switches::{self, Column};

use super::{Frame, switching};

/// The columns that show and hide.
const COLUMNS: [Column; 3] = [Column::Drawn, Column::Visible, Column::Geometry];

/// Solos the selected nodes and all below them and nothing else; where that is so already, nothing.
pub fn toggle(frame: &mut Frame) {
    let was_isolated = is_isolated(frame);
    let nodes = switching::with_subtrees(frame.document, &switching::selected(frame));
    switching::clear_solo(frame);
    if !was_isolated {
        COLUMNS.into_iter().for_each(|column| switching::toggle_solo(frame, &nodes, column));
    }
}

/// Whether just that is soloed: what is selected, with all below it; without a selection, whether anything is.
pub fn is_isolated(frame: &Frame) -> bool {
    let switches = &frame.view.switches;
    let selected = switching::selected(frame);
    let is_soloed = |column: Column| switches.values().any(|node| node.get(column).solo);
    if selected.is_empty() {
        return COLUMNS.into_iter().any(is_soloed);
    }
    let mut inside = vec![false; frame.document.model.nodes.len()];
    for node in switching::with_subtrees(frame.document, &selected) {
        inside[node.index()] = true;
    }
    COLUMNS.into_iter().any(is_soloed)
        && COLUMNS.into_iter().all(|column| {
            let model = &frame.document.model;
            let of_column = model.node_indices().filter(|&node| switching::applies(frame.document, node, column));
            let soloed = |source: usize| switches::switch(switches, source, column).solo;
            of_column.into_iter().all(|node| soloed(model.node(node).source) == inside[node.index()])
        })
}

pub fn is_possible(frame: &Frame) -> bool {
    !frame.view.selection.is_empty() || is_isolated(frame)
}
