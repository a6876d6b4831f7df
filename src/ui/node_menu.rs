//! The menu of a node, in the tree and in the viewport: its switches, and what can be copied of it.

use egui::{Button, Ui};

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::selection::{self, How};
use crate::session::switches::Column;

use super::actions::Action;
use super::{Command, Frame, perform, switching};

/// A right click means what lies under it: unless that is selected, it is selected instead.
pub fn take_up(frame: &mut Frame, node: NodeIndex) {
    let source = frame.document.model.node(node).source;
    if !frame.view.selection.contains(&source) {
        selection::select(&mut frame.view.selection, source, How::Only);
    }
}

/// What can be done with the selection. `node`: what the menu was opened on.
pub fn node_menu_ui(ui: &mut Ui, frame: &mut Frame, node: NodeIndex) {
    let has = |column| switching::selected(frame).iter().any(|&node| switching::applies(frame.document, node, column));
    let columns = Column::ALL.map(has);
    let of_column = |column, actions: [Action; 2]| columns[column as usize].then_some(actions);
    let switches = [
        of_column(Column::Drawn, [Action::Drawn, Action::SubtreeDrawn]),
        of_column(Column::Visible, [Action::Visible, Action::SubtreeVisible]),
        of_column(Column::Animated, [Action::Animated, Action::SubtreeAnimated]),
        of_column(Column::Influence, [Action::Influence, Action::SubtreeInfluence]),
    ];
    for place in 0..2 {
        for actions in switches.iter().flatten() {
            item(ui, frame, actions[place]);
        }
        item(ui, frame, [Action::Solo, Action::SubtreeSolo][place]);
        ui.separator();
    }
    item(ui, frame, Action::FitSelection);
    ui.separator();
    let model = &frame.document.model;
    for (label, text) in [("Copy the name", model.node(node).label()), ("Copy the path", path(model, node))] {
        if ui.button(label).clicked() {
            frame.commands.push(Command::CopyText(text));
            ui.close();
        }
    }
    item(ui, frame, Action::CopyValues);
}

fn item(ui: &mut Ui, frame: &mut Frame, action: Action) {
    let button = Button::new(action.label()).shortcut_text(action.shortcut());
    if ui.add(button).clicked() {
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
