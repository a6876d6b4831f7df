//! What the dope sheet remembers between frames: what the animation drives, what of it is open, and the rows that follow. Rows
//! are made anew only when the model, the animation, the search, the filter or what is open changes.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::view::View;
use crate::ui::per_document::{DocumentChange, SeenDocument};
use crate::ui::widgets::list::ListScroll;
use crate::ui::widgets::search_field;

use super::groups::{self, Element, Group, GroupChannel};
use super::pointer::BoxSelect;

/// Channels are shown at first where they give no more rows than this.
const FIRST_ROWS: usize = 40;

/// A group, summed up, or one of its channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetRow {
    pub group: usize,
    pub channel: Option<usize>,
}

#[derive(Debug, Clone, Default)]
pub struct SheetState {
    pub search: String,
    /// Only the rows of selected nodes.
    pub selected_only: bool,
    pub scroll: ListScroll,
    /// The row on which the keyboard stands.
    pub cursor: Option<SheetRow>,
    /// Where Shift+click counts from.
    pub anchor: Option<SheetRow>,
    /// The time of the key from which Shift+click counts.
    pub key_anchor: Option<f32>,
    /// The active node that was last scrolled to.
    pub revealed: Option<usize>,
    pub boxed: Option<BoxSelect>,
    pub groups: Vec<Group>,
    pub rows: Vec<SheetRow>,
    document: SeenDocument,
    animation: Option<usize>,
    /// Groups that were opened or closed by hand.
    open: BTreeMap<Element, bool>,
    first_open: bool,
    made_for: Option<MadeFor>,
}

/// Search, and the selection where only that is shown.
type MadeFor = (String, Option<Vec<usize>>);

impl SheetState {
    pub fn update(&mut self, document: &Document, view: &View) {
        let model = &document.model;
        let change = self.document.update(document);
        if change != DocumentChange::Same || self.animation != view.animation {
            let animation = view.animation.and_then(|a| model.animations.get(a));
            let before = std::mem::take(&mut self.groups);
            self.groups = animation.map(|animation| groups::groups(model, animation)).unwrap_or_default();
            if change != DocumentChange::Same {
                self.carry(if change == DocumentChange::Reloaded { &before } else { &[] });
            }
            let rows = self.groups.iter().map(|group| 1 + group.channels.len()).sum::<usize>();
            self.first_open = rows <= FIRST_ROWS;
            self.animation = view.animation;
            (self.cursor, self.anchor, self.key_anchor, self.boxed, self.made_for) = (None, None, None, None, None);
        }
        let selection = self.selected_only.then_some(view.selection.as_slice());
        let fresh = self.made_for.as_ref().is_some_and(|(search, of)| *search == self.search && of.as_deref() == selection);
        if !fresh {
            self.rows = self.made_rows(model, selection);
            self.made_for = Some((self.search.clone(), selection.map(<[usize]>::to_vec)));
        }
    }

    /// What is called as it was is open as it was, whatever number it has now.
    fn carry(&mut self, before: &[Group]) {
        let open: HashMap<&str, bool> =
            before.iter().filter_map(|group| Some((group.label.as_str(), *self.open.get(&group.element)?))).collect();
        self.open = self.groups.iter().filter_map(|group| Some((group.element, *open.get(group.label.as_str())?))).collect();
    }

    /// `selection`: of these nodes only.
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

    pub fn is_open(&self, group: usize) -> bool {
        self.open.get(&self.groups[group].element).copied().unwrap_or(self.first_open)
    }

    pub fn set_open(&mut self, group: usize, open: bool) {
        self.open.insert(self.groups[group].element, open);
        self.made_for = None;
    }

    /// The group and those that stand deeper below it.
    pub fn set_subtree_open(&mut self, group: usize, open: bool) {
        let depth = self.groups[group].depth;
        let below = self.groups[group + 1..].iter().take_while(|below| below.depth > depth).count();
        for group in group..=group + below {
            self.set_open(group, open);
        }
    }

    pub fn row_of(&self, wanted: SheetRow) -> Option<usize> {
        self.rows.iter().position(|row| *row == wanted)
    }

    pub fn group_of(&self, node: NodeIndex) -> Option<usize> {
        self.groups.iter().position(|group| group.element == Element::Node(node))
    }

    /// The channels that a row stands for, and what is known of them.
    pub fn channels(&self, row: SheetRow) -> impl Iterator<Item = &GroupChannel> {
        self.groups[row.group].channels.iter().filter(move |channel| row.channel.is_none_or(|wanted| channel.channel == wanted))
    }
}
