//! The context menu of a node in the tree, the viewport and the dope sheet: its switches, selection commands, and texts to copy.

use egui::Ui;

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::view::joint_switches::{self, Column};
use crate::session::view::selection::{self, SelectMode};
use crate::ui::actions::Action;
use crate::ui::commands::nodes::{copy_transforms, switches};
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::text;
use crate::ui::widgets::menu_item;

/// Selects the node under a right click, unless it is selected already. The menu then acts on the selection.
pub fn select_for_menu(context: &mut Context, node: NodeIndex) {
    let source = context.document.model.node(node).source;
    if !context.view.selection.contains(&source) {
        selection::select(&mut context.view.selection, source, SelectMode::Only);
    }
}

/// Draws the menu for the selection. `node` is the node whose name and path can be copied, and whose children decide whether the branch
/// commands are listed.
pub fn node_menu_ui(ui: &mut Ui, context: &mut Context, node: NodeIndex) {
    menu_item::rows(ui, |ui| {
        let switches: [(&[Column], Action, Action); 4] = [
            (&[Column::Drawn], Action::Drawn, Action::SubtreeDrawn),
            (&[Column::Animated], Action::Animated, Action::SubtreeAnimated),
            (&[Column::Influence], Action::Influence, Action::SubtreeInfluence),
            (&switches::GEOMETRY_COLUMNS, Action::Geometry, Action::SubtreeGeometry),
        ];
        // Only the switches that a selected node has are listed.
        let listed = switches.into_iter().filter_map(|(columns, node, branch)| Some((is_on(context, columns)?, node, branch)));
        let listed: Vec<_> = listed.collect();
        menu_item::sub_head(ui, "Visibility");
        for (on, node, _) in &listed {
            switch_ui(ui, context, *node, *on);
        }
        menu_item::action(ui, context, Action::Solo);
        if listed.iter().any(|(_, node, _)| *node == Action::Geometry) {
            menu_item::action(ui, context, Action::IsolateGeometry);
        }
        if context.document.model.hierarchy.subtree(node).len() > 1 {
            menu_item::sub_head(ui, "Branch");
            for (_, _, branch) in &listed {
                menu_item::action(ui, context, *branch);
            }
            menu_item::action(ui, context, Action::SubtreeSolo);
            menu_item::action(ui, context, Action::Isolate);
        }
        menu_item::sub_head(ui, "Select");
        // The commands start at the active node, which is not the clicked one if several nodes are selected.
        let hierarchy = &context.document.model.hierarchy;
        let active = context.view.active().and_then(|source| context.document.model.node_from_source(source)).unwrap_or(node);
        let (is_root, is_leaf) = (hierarchy.parent(active).is_none(), hierarchy.subtree(active).len() == 1);
        step_ui(ui, context, Action::SelectParent, is_root.then_some("The node has no parent"));
        step_ui(ui, context, Action::SelectChild, is_leaf.then_some("The node has no children"));
        menu_item::action(ui, context, Action::FrameSelected);
        menu_item::action(ui, context, Action::FrameAndFollow);
        ui.separator();
        let model = &context.document.model;
        for (label, copied) in [("Copy name", model.node(node).exact_name()), ("Copy path", path(model, node))] {
            if menu_item::item(ui, label, "", None).clicked() {
                context.requests.push(Request::CopyText(copied));
                ui.close();
            }
        }
        if menu_item::item(ui, "Copy transforms", "", None).clicked() {
            copy_transforms::copy_transforms(context);
            ui.close();
        }
    });
}

/// Returns whether the switches of these columns are on for all selected nodes that have them. `None` if no selected node has one.
fn is_on(context: &Context, columns: &[Column]) -> Option<bool> {
    let nodes = switches::selected(context);
    let switches = nodes.into_iter().flat_map(|node| columns.iter().map(move |&column| (node, column)));
    let mut existing = switches.filter(|&(node, column)| switches::applies(context.document, node, column)).peekable();
    existing.peek()?;
    let source = |node| context.document.model.node(node).source;
    Some(existing.all(|(node, column)| joint_switches::switch(&context.view.switches, source(node), column).on))
}

/// Draws an action as a switch. `on` is the state of the whole selection.
fn switch_ui(ui: &mut Ui, context: &mut Context, action: Action, on: bool) {
    if menu_item::item(ui, action.label(), &action.shortcut(), Some(on)).clicked() {
        context.actions.push(action);
        ui.close();
    }
}

/// Draws an action that selects a neighbor of a node. It is disabled for this reason if there is no such neighbor.
fn step_ui(ui: &mut Ui, context: &mut Context, action: Action, disabled_reason: Option<&str>) {
    let row = |ui: &mut Ui| menu_item::item(ui, action.label(), &action.shortcut(), None);
    let row = ui.add_enabled_ui(disabled_reason.is_none(), row).inner;
    if text::reason_beside(row, disabled_reason.unwrap_or_default()).clicked() {
        context.actions.push(action);
        ui.close();
    }
}

/// The names from the root to the node, separated by slashes.
pub fn path(model: &Model, node: NodeIndex) -> String {
    let ancestors = std::iter::successors(Some(node), |&node| model.hierarchy.parent(node));
    let mut names: Vec<_> = ancestors.map(|node| model.node(node).exact_name()).collect();
    names.reverse();
    names.join("/")
}
