//! The rows that the node tree lists: the open part of the tree, or the results of a search.

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::ui::widgets::search_field;

/// A row of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeRow {
    pub node: NodeIndex,
    /// Whether the search matches this node itself, rather than a node below it.
    pub found: bool,
}

/// The rows without a search: every node whose ancestors are open.
pub fn open_rows(model: &Model, open: &[bool]) -> Vec<TreeRow> {
    let mut rows = Vec::new();
    let mut next = 0;
    while next < model.nodes.len() {
        rows.push(TreeRow { node: NodeIndex(next as u32), found: true });
        next = if open[next] { next + 1 } else { model.hierarchy.subtree_ends[next] as usize };
    }
    rows
}

/// The rows of a search: every node that it finds, and all ancestors of these nodes.
pub fn found_rows(model: &Model, search: &str) -> Vec<TreeRow> {
    let query = search_field::query(search);
    let found: Vec<bool> = model.nodes.iter().map(|node| search_field::matches(&node.label(), &query)).collect();
    let mut shown = found.clone();
    // Parents come before their children, so a backward pass marks all ancestors of each match.
    for node in (0..model.nodes.len()).rev() {
        if let Some(parent) = model.hierarchy.parents[node] {
            shown[parent.index()] |= shown[node];
        }
    }
    model.node_indices().filter(|node| shown[node.index()]).map(|node| TreeRow { node, found: found[node.index()] }).collect()
}
