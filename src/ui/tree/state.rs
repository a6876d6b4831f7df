//! State of the node tree: which nodes are open, the search, and the resulting rows. The rows are made again only when one of their inputs
//! changes, because a tree may have a hundred thousand nodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::Rangef;

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::file::remap;
use crate::session::view::View;
use crate::session::view::joint_switches::{self, EffectiveSwitches, NodeSwitches};
use crate::ui::context::per_document::{DocumentChange, LastDocument};
use crate::ui::widgets::list::ListScroll;

use super::indent::{Indent, NameWidths};
use super::rows::{self, TreeRow};

/// Maximum number of rows of a tree when it is first shown. Deeper levels are closed at first.
const MAX_INITIAL_ROWS: usize = 500;

/// The state of the tree.
#[derive(Debug, Clone, Default)]
pub struct TreeState {
    pub search: String,
    pub scroll: ListScroll,
    /// The node of the row from which Shift+click extends the selection.
    pub anchor: Option<NodeIndex>,
    /// The active node that the tree scrolled to last. The tree scrolls again when another node is selected in another panel.
    pub revealed: Option<usize>,
    /// The active node when the search began.
    active_before_search: Option<usize>,
    /// The drag down a switch column, if there is one.
    pub painting: Option<Painting>,
    /// The rows that are listed now.
    pub rows: Vec<TreeRow>,
    /// Widths of the names in these rows.
    pub name_widths: NameWidths,
    /// The indentation of the rows, as in the last frame.
    pub indent: Indent,
    /// Whether the active node was selected with an arrow key. The tree then scrolls only as far as needed.
    pub moved_by_key: bool,
    /// The effect of the switches on each node.
    pub effective: EffectiveSwitches,
    /// For each node, whether it is in the scene shown.
    pub in_scene: Vec<bool>,
    document: LastDocument,
    /// The model of the document.
    model: Arc<Model>,
    /// For each node, whether it is open.
    open: Vec<bool>,
    /// The search that `rows` were made for. `None` if they are out of date.
    row_search: Option<String>,
    /// The scene that `in_scene` was made for.
    scene: Option<Option<usize>>,
    /// The switches that `effective` was made from.
    switches: Option<BTreeMap<usize, NodeSwitches>>,
}

/// A drag down a column. Every row it crosses gets the same state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Painting {
    /// Index of the column, and the state that the rows get.
    pub slot: usize,
    pub on: bool,
    /// Position of the pointer in the last frame, in points.
    pub y: f32,
    /// The vertical range that the pointer crossed since the last frame, in points.
    pub crossed: Rangef,
}

impl TreeState {
    /// Updates the tree for the document, its scene and the switches.
    pub fn update(&mut self, document: &Document, view: &View) {
        let model = &document.model;
        let change = self.document.update(document);
        if change != DocumentChange::Same {
            self.open = if change == DocumentChange::Reloaded { self.open_after_reload(document) } else { initially_open(document) };
            self.model = model.clone();
            if change == DocumentChange::Other {
                self.scroll.restart();
                self.revealed = None;
            }
            self.anchor = None;
            self.painting = None;
            self.row_search = None;
            self.scene = None;
            self.switches = None;
        }
        if self.scene != Some(view.scene) {
            self.in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
            self.scene = Some(view.scene);
        }
        if self.switches.as_ref() != Some(&view.switches) {
            self.effective = joint_switches::effective(model, &view.switches);
            self.switches = Some(view.switches.clone());
        }
        if self.row_search.as_ref() != Some(&self.search) {
            let was_searching = self.row_search.as_ref().is_some_and(|search| !search.trim().is_empty());
            match (was_searching, self.is_searching()) {
                (false, true) => self.active_before_search = view.active(),
                // The end of a search shows the whole tree again, so a node that was selected meanwhile must be found in it.
                (true, false) if self.active_before_search != view.active() => self.revealed = None,
                _ => {}
            }
            self.rows = if self.is_searching() { rows::found_rows(model, &self.search) } else { rows::open_rows(model, &self.open) };
            self.name_widths.clear();
            self.row_search = Some(self.search.clone());
        }
    }

    /// For each node of a reloaded file, whether it is open: as before the reload if it is the same node, by its path or name. If the
    /// number of nodes has not changed, nodes without a namesake may be renamed, so they are matched by their position.
    fn open_after_reload(&self, document: &Document) -> Vec<bool> {
        let (before, after) = (&self.model, &document.model);
        let has_same_count = before.nodes.len() == after.nodes.len();
        let mut open = if has_same_count { self.open.clone() } else { initially_open(document) };
        for (old, new) in remap::nodes(before, after) {
            if let (Some(old), Some(new)) = (before.node_from_source(old), after.node_from_source(new)) {
                open[new.index()] = self.open[old.index()];
            }
        }
        open
    }

    /// Returns whether the nodes below a node are listed.
    pub fn is_open(&self, node: NodeIndex) -> bool {
        self.is_searching() || self.open[node.index()]
    }

    /// Returns whether a search is active. Its results are all shown, so nodes cannot be closed.
    pub fn is_searching(&self) -> bool {
        !self.search.trim().is_empty()
    }

    /// Opens or closes a node.
    pub fn set_open(&mut self, node: NodeIndex, open: bool) {
        self.open[node.index()] = open;
        self.row_search = None;
    }

    /// Opens or closes a node and all nodes below it.
    pub fn set_subtree_open(&mut self, model: &Model, node: NodeIndex, open: bool) {
        self.open[model.hierarchy.subtree(node)].fill(open);
        self.row_search = None;
    }

    /// Opens all ancestors of a node.
    pub fn open_ancestors(&mut self, model: &Model, node: NodeIndex) {
        let mut next = model.hierarchy.parent(node);
        while let Some(ancestor) = next {
            if !self.open[ancestor.index()] {
                self.set_open(ancestor, true);
            }
            next = model.hierarchy.parent(ancestor);
        }
    }

    /// The position of a node's row. `None` if it is not listed.
    pub fn row_of(&self, node: NodeIndex) -> Option<usize> {
        // Rows are in node order.
        self.rows.binary_search_by_key(&node, |row| row.node).ok()
    }
}

/// For each node, whether it is open at first. In a small tree all nodes are open, in a large tree only the nodes of the upper levels.
fn initially_open(document: &Document) -> Vec<bool> {
    let max_depth = document.depths.iter().max().map_or(0, |&depth| depth as usize);
    let mut nodes_per_level = vec![0usize; max_depth + 1];
    for &depth in &document.depths {
        nodes_per_level[depth as usize] += 1;
    }
    let mut rows = 0;
    let levels = nodes_per_level.iter().take_while(|&&nodes| {
        rows += nodes;
        rows <= MAX_INITIAL_ROWS
    });
    let levels = levels.count() as u32;
    document.depths.iter().map(|depth| depth + 1 < levels).collect()
}
