//! Resolves clicks and selection boxes on B: they act on the counterparts in A.

use crate::app::App;
use crate::app::worker_events::PickedOther;
use crate::model::node::NodeIndex;
use crate::session::pick;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::context::comparison::{OtherMenu, OtherPick, PickTarget};

impl App {
    /// Starts the search for the nodes under a click or in a selection box on B. The answer comes as an event.
    pub(crate) fn pick_other(&mut self, pick: OtherPick) {
        if let Some(comparison) = &self.comparison {
            self.workers.other_pick.start(comparison, pick, &self.proxy);
        }
    }

    /// Selects the counterparts of the nodes that were found on B, or shows a message that there are none.
    pub(crate) fn other_picked(&mut self, picked: PickedOther) {
        let (Some(open), Some(comparison)) = (&self.open, &self.comparison) else { return };
        let Some(node_pairs) = comparison.binding(&open.document).filter(|_| comparison.other.document.id == picked.document) else {
            return;
        };
        let model = &open.document.model;
        let PickedOther { pick, nodes, .. } = picked;
        let counterparts: Vec<_> = nodes.iter().filter_map(|node| node_pairs.to_a.get(node.index()).copied().flatten()).collect();
        let sources: Vec<_> = counterparts.iter().map(|node| model.node(*node).source).collect();
        let selected = &mut self.view.selection;
        match pick.target {
            PickTarget::Point { mode, is_repeated, .. } => {
                let active = selected.last().and_then(|&active| model.node_from_source(active));
                let behind = active.filter(|_| is_repeated && mode == SelectMode::Only);
                match (pick::next_behind(&counterparts, behind), nodes.first()) {
                    (Some(node), _) => selection::select(selected, model.node(node).source, mode),
                    (None, Some(&node)) => self.say_only_in_b(node),
                    (None, None) if mode == SelectMode::Only => selected.clear(),
                    (None, None) => {}
                }
            }
            PickTarget::Box { mode, .. } => match nodes.first() {
                Some(&node) if sources.is_empty() => self.say_only_in_b(node),
                _ => selection::select_all(selected, &sources, mode),
            },
            PickTarget::Menu { .. } => {
                if let Some(&first) = sources.first().filter(|first| !selected.contains(first)) {
                    selection::select(selected, first, SelectMode::Only);
                }
                self.ui.window.other_menu = match nodes.first() {
                    Some(&node) if sources.is_empty() => OtherMenu::OnlyInB(self.name_in_b(node)),
                    _ => OtherMenu::Counterparts(sources),
                };
            }
        }
    }

    /// Shows a message that a node of B has no counterpart.
    fn say_only_in_b(&mut self, node: NodeIndex) {
        let name = self.name_in_b(node);
        self.show_message(format!("{name} has no counterpart in A"));
    }

    /// The name of a node of B.
    fn name_in_b(&self, node: NodeIndex) -> String {
        let names = self.comparison.as_ref().map(|comparison| &comparison.status.names);
        names.map_or_else(String::new, |names| names.node(node, self.ui.preferences.names).to_owned())
    }
}
