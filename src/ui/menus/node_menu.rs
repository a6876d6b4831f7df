//! The menu of a node, in the tree and in the viewport: its switches, and what can be copied of it.

use egui::Ui;

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::view::joint_switches::{self, Column};
use crate::session::view::selection::{self, How};
use crate::ui::actions::table::Action;
use crate::ui::commands::switches;
use crate::ui::widgets::menu_item;
use crate::ui::{Context, Request, perform};

/// A right click means what lies under it: unless that is selected, it is selected instead.
pub fn take_up(frame: &mut Context, node: NodeIndex) {
    let source = frame.document.model.node(node).source;
    if !frame.view.selection.contains(&source) {
        selection::select(&mut frame.view.selection, source, How::Only);
    }
}

/// What can be done with the selection. `node`: what the menu was opened on.
pub fn node_menu_ui(ui: &mut Ui, frame: &mut Context, node: NodeIndex) {
    menu_item::rows(ui, |ui| {
        let switches = [
            (Column::Drawn, Action::Drawn, Action::SubtreeDrawn),
            (Column::Visible, Action::Geometry, Action::SubtreeGeometry),
            (Column::Animated, Action::Animated, Action::SubtreeAnimated),
            (Column::Influence, Action::Influence, Action::SubtreeInfluence),
            (Column::Geometry, Action::Geometry, Action::SubtreeGeometry),
        ];
        let there: Vec<_> = switches.into_iter().filter_map(|(column, own, below)| Some((is_on(frame, column)?, own, below))).collect();
        for (on, own, _) in &there {
            switch_ui(ui, frame, *own, *on);
        }
        menu_item::action(ui, frame, Action::Solo);
        if there.iter().any(|(_, own, _)| *own == Action::Geometry) {
            menu_item::action(ui, frame, Action::IsolateGeometry);
        }
        if frame.document.model.hierarchy.subtree(node).len() > 1 {
            ui.separator();
            for (_, _, below) in &there {
                menu_item::action(ui, frame, *below);
            }
            menu_item::action(ui, frame, Action::SubtreeSolo);
            menu_item::action(ui, frame, Action::Isolate);
        }
        ui.separator();
        menu_item::action(ui, frame, Action::FitSelection);
        menu_item::action(ui, frame, Action::FocusAndFollow);
        ui.separator();
        let model = &frame.document.model;
        for (label, text) in [("Copy the name", model.node(node).label()), ("Copy the path", path(model, node))] {
            if menu_item::item(ui, label, "", None).clicked() {
                frame.commands.push(Request::CopyText(text));
                ui.close();
            }
        }
        menu_item::action(ui, frame, Action::CopyValues);
    });
}

/// Whether the switch is on for all selected nodes that have it; none where none has.
fn is_on(frame: &Context, column: Column) -> Option<bool> {
    let nodes = switches::selected(frame);
    let mut having = nodes.into_iter().filter(|&node| switches::applies(frame.document, node, column)).peekable();
    having.peek()?;
    Some(having.all(|node| joint_switches::switch(&frame.view.switches, frame.document.model.node(node).source, column).on))
}

fn switch_ui(ui: &mut Ui, frame: &mut Context, action: Action, on: bool) {
    if menu_item::item(ui, action.label(), &action.shortcut(), Some(on)).clicked() {
        perform::perform(action, frame);
        ui.close();
    }
}

/// The names from the root down, with slashes between them.
pub fn path(model: &Model, node: NodeIndex) -> String {
    let up = std::iter::successors(Some(node), |&node| model.hierarchy.parent(node));
    let mut names: Vec<_> = up.map(|node| model.node(node).label()).collect();
    names.reverse();
    names.join("/")
}
