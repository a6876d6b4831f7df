//! The node tree: every node of the file by name, with its switches, searchable, in step with the selection.

use egui::{Key, Ui, vec2};

use crate::model::node::NodeIndex;
use crate::session::selection::{self, How};
use crate::session::switches;

use super::tree_state::TreeState;
use super::{Frame, icons, list, search_field, switch_column, text, theme, tree_row};

pub fn nodes_ui(ui: &mut Ui, frame: &mut Frame) {
    let mut tree = std::mem::take(&mut frame.state.tree);
    let head = egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 8, top: 4, bottom: 4 });
    head.show(ui, |ui| head_ui(ui, frame, &mut tree));
    tree.follow(frame.document, frame.view);
    switch_column::follow_drag(ui, &mut tree.painting);
    if tree.rows.is_empty() {
        empty_ui(ui, frame);
    } else {
        rows_ui(ui, frame, &mut tree);
    }
    frame.state.tree = tree;
}

fn head_ui(ui: &mut Ui, frame: &mut Frame, tree: &mut TreeState) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL);
        ui.label(text::section(ui, "Nodes"));
        ui.label(text::section(ui, &frame.document.model.nodes.len().to_string()).color(theme::palette(ui.ctx()).disabled));
        // Over the columns of the rows, which reach to the panel's edge.
        let row = ui.max_rect().expand2(vec2(8.0, 0.0));
        switch_column::heads_ui(ui, egui::Rect::from_x_y_ranges(row.x_range(), ui.min_rect().y_range()));
    });
    let search = search_field::search_ui(ui, &mut tree.search, "Search nodes");
    if std::mem::take(&mut frame.state.focus_search) {
        search.request_focus();
    }
    if search.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        tree.follow(frame.document, frame.view);
        if let Some(row) = tree.rows.iter().find(|row| row.found) {
            let source = frame.document.model.node(row.node).source;
            selection::select(&mut frame.view.selection, source, How::Only);
        }
    }
    changed_ui(ui, frame);
}

/// Says that something is switched, whatever animation is chosen, and takes it back.
fn changed_ui(ui: &mut Ui, frame: &mut Frame) {
    let model = &frame.document.model;
    let changed = switches::changed(&frame.view.switches, model);
    if changed == 0 {
        return;
    }
    let joint = |source: &usize| model.node_from_source(*source).is_some_and(|node| frame.document.joints[node.index()]);
    let what = if frame.view.switches.keys().all(joint) { "joint" } else { "node" };
    let text = if changed == 1 { format!("1 {what} changed") } else { format!("{changed} {what}s changed") };
    let palette = theme::palette(ui.ctx());
    let strip = egui::Frame::new().fill(palette.selection).corner_radius(theme::RADIUS).inner_margin(egui::Margin::symmetric(8, 0));
    strip.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(text);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let reset = ui.button("Reset");
                reset.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Reset all switches"));
                if reset.on_hover_text(super::actions::Action::ResetSwitches.tooltip()).clicked() {
                    frame.view.switches.clear();
                }
            });
        });
    });
}

fn empty_ui(ui: &mut Ui, frame: &Frame) {
    let text = if frame.document.model.nodes.is_empty() { "This file has no nodes." } else { "No node has this in its name." };
    egui::Frame::new().inner_margin(16).show(ui, |ui| ui.label(egui::RichText::new(text).weak()));
}

fn rows_ui(ui: &mut Ui, frame: &mut Frame, tree: &mut TreeState) {
    let list = list::begin(ui, "Nodes");
    frame.state.list_focused |= list.focused;
    if list.focused {
        arrows(ui, frame, tree);
        tree.follow(frame.document, frame.view);
    }
    reveal(frame, tree);
    let mut scroll = tree.scroll;
    list::rows_ui(ui, &mut scroll, theme::TREE_ROW, tree.rows.len(), |ui, number, rect| {
        // A click may have closed rows above in this very frame.
        let Some(&row) = tree.rows.get(number) else { return };
        tree_row::row_ui(ui, frame, tree, &list, row, rect);
    });
    tree.scroll = scroll;
}

/// Scrolls to the active node when it was chosen somewhere else.
fn reveal(frame: &Frame, tree: &mut TreeState) {
    if tree.revealed == frame.view.active() {
        return;
    }
    tree.revealed = frame.view.active();
    let Some(node) = frame.view.active().and_then(|source| frame.document.model.node_from_source(source)) else { return };
    if !tree.is_searching() {
        tree.open_ancestors(&frame.document.model, node);
        tree.follow(frame.document, frame.view);
    }
    if let Some(row) = tree.row_of(node) {
        tree.scroll.reveal(row);
    }
}

/// Up and down move along the rows, left and right close and open, as in every tree.
fn arrows(ui: &Ui, frame: &mut Frame, tree: &mut TreeState) {
    let hierarchy = &frame.document.model.hierarchy;
    for (key, shift) in list::arrows(ui) {
        let active = frame.view.active().and_then(|source| frame.document.model.node_from_source(source));
        let Some(node) = active else {
            go(frame, tree, tree.rows.first().map(|row| row.node), false);
            continue;
        };
        let row = tree.row_of(node);
        let has_children = hierarchy.subtree(node).len() > 1;
        let at = |row: Option<usize>| row.and_then(|row| tree.rows.get(row)).map(|row| row.node);
        match key {
            Key::ArrowUp => go(frame, tree, at(row.and_then(|row| row.checked_sub(1))), shift),
            Key::ArrowDown => go(frame, tree, at(row.map(|row| row + 1)), shift),
            Key::ArrowLeft if has_children && tree.is_open(node) && !tree.is_searching() => tree.set_open(node, false),
            Key::ArrowLeft => go(frame, tree, hierarchy.parent(node), false),
            Key::ArrowRight if has_children && !tree.is_open(node) => tree.set_open(node, true),
            _ => go(frame, tree, hierarchy.children(node).next(), false),
        }
    }
}

fn go(frame: &mut Frame, tree: &mut TreeState, node: Option<NodeIndex>, extend: bool) {
    let Some(node) = node else { return };
    let source = frame.document.model.node(node).source;
    selection::select(&mut frame.view.selection, source, if extend { How::Add } else { How::Only });
    if !extend {
        tree.anchor = Some(node);
    }
}

/// The icon of a node, and what it is in words.
pub fn kind(frame: &Frame, node: NodeIndex) -> (char, &'static str) {
    let (document, node_data) = (frame.document, frame.document.model.node(node));
    match () {
        () if document.joints[node.index()] => (icons::JOINT, "joint"),
        () if node_data.mesh.is_some() && node_data.skin.is_some() => (icons::MESH, "skinned mesh"),
        () if node_data.mesh.is_some() => (icons::MESH, "mesh"),
        () if node_data.camera.is_some() => (icons::CAMERA, "camera"),
        () if node_data.light.is_some() => (icons::LIGHT, "light"),
        () => (icons::NODE, "node"),
    }
}
