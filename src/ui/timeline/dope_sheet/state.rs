//! State of the dope sheet: the animation's groups, which of them are open, and the resulting rows. The rows are made again when the
//! model, the animation, the search, the filter or the open groups change.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::view::View;
use crate::ui::context::per_document::{DocumentChange, LastDocument};
use crate::ui::widgets::list::ListScroll;
use crate::ui::widgets::search_field;

use super::groups::{self, Element, Group, GroupChannel};

/// All groups are open at first if they have at most this many rows in total.
const MAX_INITIAL_ROWS: usize = 40;

/// The summary row of a group, or the row of one of its channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetRow {
    /// Index into the groups.
    pub group: usize,
    /// Index into the animation's channels. `None` for the summary row.
    pub channel: Option<usize>,
}

/// The state of the dope sheet.
#[derive(Debug, Clone, Default)]
pub struct DopeSheetState {
    pub search: String,
    /// Whether only rows of selected nodes are listed.
    pub selected_only: bool,
    pub scroll: ListScroll,
    /// The row with the keyboard cursor.
    pub cursor: Option<SheetRow>,
    /// The row from which Shift+click extends the selection of rows.
    pub anchor: Option<SheetRow>,
    /// Time of the key from which Shift+click extends the selection of keys, in seconds.
    pub key_anchor: Option<f32>,
    /// The active node that the list scrolled to last.
    pub revealed: Option<usize>,
    /// The selection box that the user is dragging.
    pub boxed: Option<BoxSelect>,
    /// The elements that the animation drives, with their channels.
    pub groups: Vec<Group>,
    /// Maximum depth of any group.
    pub max_depth: u32,
    /// The rows that are listed now.
    pub rows: Vec<SheetRow>,
    document: LastDocument,
    animation: Option<usize>,
    /// Groups that the user opened or closed.
    open: BTreeMap<Element, bool>,
    /// Whether groups that are missing in `open` are open.
    open_by_default: bool,
    /// The inputs that the rows were made from. `None` if the rows are out of date.
    row_inputs: Option<RowInputs>,
}

/// The search, and the selection if the filter is on.
type RowInputs = (String, Option<Vec<usize>>);

/// The start of a box selection in progress: its time in seconds, and its distance below the top of the first row in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxSelect {
    pub time: f64,
    pub y: f32,
}

impl DopeSheetState {
    /// Makes groups and rows again if their inputs have changed.
    pub fn update(&mut self, document: &Document, view: &View) {
        let model = &document.model;
        let change = self.document.update(document);
        if change != DocumentChange::Same || self.animation != view.animation {
            let animation = view.animation.and_then(|a| model.animations.get(a));
            let before = std::mem::take(&mut self.groups);
            self.groups = animation.map(|animation| groups::groups(model, animation)).unwrap_or_default();
            self.max_depth = self.groups.iter().map(|group| group.depth).max().unwrap_or(0);
            if change == DocumentChange::Other {
                self.scroll.restart();
                self.revealed = None;
            }
            if change != DocumentChange::Same {
                self.restore_open(if change == DocumentChange::Reloaded { &before } else { &[] });
            }
            let rows = self.groups.iter().map(|group| 1 + group.channels.len()).sum::<usize>();
            self.open_by_default = rows <= MAX_INITIAL_ROWS;
            self.animation = view.animation;
            (self.cursor, self.anchor, self.key_anchor, self.boxed, self.row_inputs) = (None, None, None, None, None);
        }
        // Rows depend on the selection only while the filter is on.
        let selection = self.selected_only.then_some(view.selection.as_slice());
        let is_current = self.row_inputs.as_ref().is_some_and(|(search, filter)| *search == self.search && filter.as_deref() == selection);
        if !is_current {
            self.rows = self.made_rows(model, selection);
            self.row_inputs = Some((self.search.clone(), selection.map(<[usize]>::to_vec)));
        }
    }

    /// Finds the open groups again by name, because a reload may give their elements other indices.
    fn restore_open(&mut self, before: &[Group]) {
        let open: HashMap<&str, bool> =
            before.iter().filter_map(|group| Some((group.label.as_str(), *self.open.get(&group.element)?))).collect();
        self.open = self.groups.iter().filter_map(|group| Some((group.element, *open.get(group.label.as_str())?))).collect();
    }

    /// Makes the rows. If there is a `selection`, makes only the rows of its nodes.
    fn made_rows(&self, model: &Model, selection: Option<&[usize]>) -> Vec<SheetRow> {
        let query = search_field::query(&self.search);
        let selected: Option<HashSet<usize>> = selection.map(|selection| selection.iter().copied().collect());
        let is_listed = |group: &Group| {
            selected.as_ref().is_none_or(|selected| group.node().is_some_and(|node| selected.contains(&model.node(node).source)))
        };
        let mut rows = Vec::new();
        for (number, group) in self.groups.iter().enumerate().filter(|(_, group)| is_listed(group)) {
            let is_group_match = search_field::matches(&group.label, &query);
            let is_match = |channel: &&GroupChannel| search_field::matches(&channel.label, &query);
            // A group whose name matches lists its channels if it is open. Any other group lists only the channels that match.
            let shown: Vec<_> = match is_group_match {
                true => group.channels.iter().filter(|_| self.is_open(number)).collect(),
                false => group.channels.iter().filter(is_match).collect(),
            };
            if !is_group_match && shown.is_empty() {
                continue;
            }
            rows.push(SheetRow { group: number, channel: None });
            rows.extend(shown.into_iter().map(|channel| SheetRow { group: number, channel: Some(channel.channel) }));
        }
        rows
    }

    /// Returns whether the channels of a group are listed.
    pub fn is_open(&self, group: usize) -> bool {
        self.open.get(&self.groups[group].element).copied().unwrap_or(self.open_by_default)
    }

    /// Opens or closes a group.
    pub fn set_open(&mut self, group: usize, open: bool) {
        self.open.insert(self.groups[group].element, open);
        self.row_inputs = None;
    }

    /// Opens or closes the group and the deeper groups below it.
    pub fn set_subtree_open(&mut self, group: usize, open: bool) {
        let depth = self.groups[group].depth;
        let descendants = self.groups[group + 1..].iter().take_while(|other| other.depth > depth).count();
        for group in group..=group + descendants {
            self.set_open(group, open);
        }
    }

    /// The position of a row in the list. `None` if it is not listed.
    pub fn row_of(&self, row: SheetRow) -> Option<usize> {
        self.rows.iter().position(|other| *other == row)
    }

    /// The group of a node. `None` if nothing drives the node.
    pub fn group_of(&self, node: NodeIndex) -> Option<usize> {
        self.groups.iter().position(|group| group.element == Element::Node(node))
    }

    /// The channels that a row covers.
    pub fn channels(&self, row: SheetRow) -> impl Iterator<Item = &GroupChannel> {
        self.groups[row.group].channels.iter().filter(move |channel| row.channel.is_none_or(|number| channel.channel == number))
    }
}
