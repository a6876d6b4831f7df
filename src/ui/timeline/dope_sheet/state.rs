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
use super::pointer::BoxSelect;

/// Groups start open if that gives at most this many rows.
const FIRST_ROWS: usize = 40;

/// A group's summary row, or one of its channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetRow {
    /// Index into the groups.
    pub group: usize,
    /// Index into the animation's channels. `None` for the summary row.
    pub channel: Option<usize>,
}

/// The state of the dope sheet.
#[derive(Debug, Clone, Default)]
pub struct SheetState {
    pub search: String,
    /// Whether only rows of selected nodes are listed.
    pub selected_only: bool,
    pub scroll: ListScroll,
    /// The row with the keyboard cursor.
    pub cursor: Option<SheetRow>,
    /// The row from which Shift+click extends.
    pub anchor: Option<SheetRow>,
    /// Time of the key from which Shift+click extends, in seconds.
    pub key_anchor: Option<f32>,
    /// The active node that the list scrolled to last.
    pub revealed: Option<usize>,
    /// The selection box that the user is dragging.
    pub boxed: Option<BoxSelect>,
    /// The targets of the animation, with their channels.
    pub groups: Vec<Group>,
    /// Maximum depth of any group.
    pub deepest: u32,
    /// The rows that are listed now.
    pub rows: Vec<SheetRow>,
    document: LastDocument,
    animation: Option<usize>,
    /// Groups that the user opened or closed.
    open: BTreeMap<Element, bool>,
    /// Whether the other groups are open.
    first_open: bool,
    made_for: Option<MadeFor>,
}

/// The search, and the selection if the filter is on.
type MadeFor = (String, Option<Vec<usize>>);

impl SheetState {
    /// Makes groups and rows again if what they depend on has changed.
    pub fn update(&mut self, document: &Document, view: &View) {
        let model = &document.model;
        let change = self.document.update(document);
        if change != DocumentChange::Same || self.animation != view.animation {
            let animation = view.animation.and_then(|a| model.animations.get(a));
            let before = std::mem::take(&mut self.groups);
            self.groups = animation.map(|animation| groups::groups(model, animation)).unwrap_or_default();
            self.deepest = self.groups.iter().map(|group| group.depth).max().unwrap_or(0);
            if change == DocumentChange::Other {
                self.scroll.restart();
                self.revealed = None;
            }
            if change != DocumentChange::Same {
                self.carry(if change == DocumentChange::Reloaded { &before } else { &[] });
            }
            let rows = self.groups.iter().map(|group| 1 + group.channels.len()).sum::<usize>();
            self.first_open = rows <= FIRST_ROWS;
            self.animation = view.animation;
            (self.cursor, self.anchor, self.key_anchor, self.boxed, self.made_for) = (None, None, None, None, None);
        }
        // Rows depend on the selection only while the filter is on.
        let selection = self.selected_only.then_some(view.selection.as_slice());
        let fresh = self.made_for.as_ref().is_some_and(|(search, of)| *search == self.search && of.as_deref() == selection);
        if !fresh {
            self.rows = self.made_rows(model, selection);
            self.made_for = Some((self.search.clone(), selection.map(<[usize]>::to_vec)));
        }
    }

    /// Keeps groups open by name when a reload renumbers them.
    fn carry(&mut self, before: &[Group]) {
        let open: HashMap<&str, bool> =
            before.iter().filter_map(|group| Some((group.label.as_str(), *self.open.get(&group.element)?))).collect();
        self.open = self.groups.iter().filter_map(|group| Some((group.element, *open.get(group.label.as_str())?))).collect();
    }

    /// Makes the rows. With a `selection`, only those of these nodes.
    fn made_rows(&self, model: &Model, selection: Option<&[usize]>) -> Vec<SheetRow> {
        let wanted = self.search.trim().to_lowercase();
        let selected: Option<HashSet<usize>> = selection.map(|selection| selection.iter().copied().collect());
        let is_wanted = |group: &Group| {
            selected.as_ref().is_none_or(|selected| group.node().is_some_and(|node| selected.contains(&model.node(node).source)))
        };
        let mut rows = Vec::new();
        for (number, group) in self.groups.iter().enumerate().filter(|(_, group)| is_wanted(group)) {
            let named = search_field::matches(&group.label, &wanted);
            let found = |channel: &&GroupChannel| search_field::matches(&channel.label, &wanted);
            // A search that finds the group shows its open channels; otherwise only the channels that it finds.
            let shown: Vec<_> = match named {
                true => group.channels.iter().filter(|_| self.is_open(number)).collect(),
                false => group.channels.iter().filter(found).collect(),
            };
            if !named && shown.is_empty() {
                continue;
            }
            rows.push(SheetRow { group: number, channel: None });
            rows.extend(shown.into_iter().map(|channel| SheetRow { group: number, channel: Some(channel.channel) }));
        }
        rows
    }

    /// Returns whether the channels of a group are listed.
    pub fn is_open(&self, group: usize) -> bool {
        self.open.get(&self.groups[group].element).copied().unwrap_or(self.first_open)
    }

    /// Opens or closes a group.
    pub fn set_open(&mut self, group: usize, open: bool) {
        self.open.insert(self.groups[group].element, open);
        self.made_for = None;
    }

    /// Opens or closes the group and the deeper groups below it.
    pub fn set_subtree_open(&mut self, group: usize, open: bool) {
        let depth = self.groups[group].depth;
        let below = self.groups[group + 1..].iter().take_while(|below| below.depth > depth).count();
        for group in group..=group + below {
            self.set_open(group, open);
        }
    }

    /// The position of a row in the list. `None` if it is not listed.
    pub fn row_of(&self, wanted: SheetRow) -> Option<usize> {
        self.rows.iter().position(|row| *row == wanted)
    }

    /// The group of a node. `None` if nothing drives the node.
    pub fn group_of(&self, node: NodeIndex) -> Option<usize> {
        self.groups.iter().position(|group| group.element == Element::Node(node))
    }

    /// The channels that a row covers.
    pub fn channels(&self, row: SheetRow) -> impl Iterator<Item = &GroupChannel> {
        self.groups[row.group].channels.iter().filter(move |channel| row.channel.is_none_or(|wanted| channel.channel == wanted))
    }
}
