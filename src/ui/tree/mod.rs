//! The node tree panel: a searchable tree of all nodes of the file, with their switches. Clicks edit the selection and the switches.

pub mod indent;
pub mod row;
pub mod rows;
pub mod state;
pub mod switch_column;

use egui::{Key, Ui, vec2};

use crate::model::node::NodeIndex;
use crate::numbers::counted;
use crate::session::view::joint_switches;
use crate::session::view::selection::{self, SelectMode};

use super::context::Context;
use super::style::{text, theme};
use super::widgets::{list, search_field};

use indent::Indent;
use row::PlacedRow;
use state::TreeState;

/// Draws the panel.
pub fn nodes_ui(ui: &mut Ui, tree: &mut TreeState, context: &mut Context) {
    let head = egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 8, top: 4, bottom: 4 });
    head.show(ui, |ui| head_ui(ui, tree, context));
    tree.update(context.document, context.view);
    switch_column::follow_drag(ui, &mut tree.painting);
    if tree.rows.is_empty() {
        empty_ui(ui, context);
    } else {
        rows_ui(ui, tree, context);
    }
}

/// Draws the title, the heads of the switch columns, and the search. Enter selects the first node that the search finds.
fn head_ui(ui: &mut Ui, tree: &mut TreeState, context: &mut Context) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL_HEIGHT);
        // The row reaches to the panel's edge, like the switch columns below it.
        let row = ui.max_rect().expand2(vec2(theme::MARGIN, 0.0));
        let row = egui::Rect::from_x_y_ranges(row.x_range(), ui.max_rect().top()..=ui.max_rect().top() + theme::CONTROL_HEIGHT);
        switch_column::heads_ui(ui, context.document, row);
        let room = switch_column::cell(context.document, row, 0).left() - ui.cursor().left();
        match changed(context) {
            Some(changed) => changed_ui(ui, context, &changed, room),
            None => {
                ui.label(text::section(ui, "Nodes"));
                let found = tree.is_searching().then(|| tree.rows.iter().filter(|row| row.found).count());
                ui.label(text::section_count(ui, context.document.model.nodes.len(), found));
            }
        }
    });
    let search = search_field::search_ui(ui, &mut tree.search, "Search nodes");
    if std::mem::take(&mut context.window.focus_search) {
        search.request_focus();
    }
    if search_field::is_entered(ui, &search, &tree.search) {
        tree.update(context.document, context.view);
        if let Some(row) = tree.rows.iter().find(|row| row.found) {
            let source = context.document.model.node(row.node).source;
            selection::select(&mut context.view.selection, source, SelectMode::Only);
        }
    }
}

/// Space at both sides of the text about changed switches, in points.
const CHANGED_PADDING: f32 = 6.0;

/// The text shown while switches differ from the file: "3 joints changed", and two shorter forms. `None` if no switch differs.
fn changed(context: &Context) -> Option<[String; 3]> {
    let model = &context.document.model;
    let changed = joint_switches::changed(&context.view.switches, model);
    let joint = |source: &usize| model.node_from_source(*source).is_some_and(|node| context.document.joints[node.index()]);
    let kind = if context.view.switches.keys().all(joint) { "joint" } else { "node" };
    (changed > 0).then(|| [format!("{} changed", counted(changed, kind)), format!("{changed} changed"), changed.to_string()])
}

/// Shows the number of changed switches in place of the panel's title, with a button that resets them. The rows do not move, so both clicks
/// of a double click hit the same row.
fn changed_ui(ui: &mut Ui, context: &mut Context, texts: &[String; 3], room: f32) {
    let palette = theme::palette(ui.ctx());
    let font = egui::TextStyle::Small.resolve(ui.style());
    let text_room = room - 54.0;
    let galley = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), palette.text);
    let fits = |text: &&String| galley(text).size().x + 2.0 * CHANGED_PADDING <= text_room;
    let [long, _, shortest] = texts;
    let galley = galley(texts.iter().find(fits).unwrap_or(shortest));
    let (rect, response) = ui.allocate_exact_size(vec2(text_room.max(0.0), theme::CONTROL_HEIGHT), egui::Sense::hover());
    ui.painter().rect_filled(rect.with_max_x(rect.left() + room - 4.0), theme::RADIUS, palette.selection);
    ui.painter().galley(rect.left_center() + vec2(CHANGED_PADDING, -galley.size().y / 2.0), galley, palette.text);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, long));
    let place = egui::Rect::from_min_size(rect.right_top() + vec2(0.0, 2.0), vec2(48.0, theme::CONTROL_HEIGHT - 4.0));
    let mut child = ui.new_child(egui::UiBuilder::new().id_salt("reset").max_rect(place));
    child.spacing_mut().button_padding = vec2(6.0, 0.0);
    child.spacing_mut().interact_size.y = place.height();
    let reset = child.add_sized(place.size(), egui::Button::new(egui::RichText::new("Reset").text_style(egui::TextStyle::Small)));
    reset.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Reset all joint switches"));
    if reset.on_hover_text(super::actions::Action::ResetSwitches.tooltip()).clicked() {
        context.view.switches.clear();
    }
}

/// Draws the reason why there are no rows.
fn empty_ui(ui: &mut Ui, context: &Context) {
    let text = if context.document.model.nodes.is_empty() { "This file has no nodes" } else { "No results" };
    egui::Frame::new().inner_margin(16).show(ui, |ui| ui.label(egui::RichText::new(text).weak()));
}

/// Draws the visible rows, and handles the keys of the focused list.
fn rows_ui(ui: &mut Ui, tree: &mut TreeState, context: &mut Context) {
    let list = list::begin(ui, "Nodes");
    context.window.list_focused |= list.focused;
    if list.focused {
        arrows(ui, context, tree);
        tree.update(context.document, context.view);
    }
    let visible = ui.available_rect_before_wrap().x_range();
    tree.name_widths.update(ui, context, &tree.rows);
    tree.indent = Indent::new(&tree.name_widths, visible.span(), switch_column::width(context.document));
    reveal(context, tree);
    let mut scroll = tree.scroll;
    scroll.width = Some(tree.indent.width);
    list::rows_ui(ui, &mut scroll, theme::TREE_ROW_HEIGHT, tree.rows.len(), |ui, number, rect| {
        // A click in this frame may have closed rows above.
        let Some(&row) = tree.rows.get(number) else { return };
        row::row_ui(ui, context, tree, &list, PlacedRow { row, rect, visible });
    });
    tree.scroll = scroll;
}

/// Scrolls to the active node when it was selected elsewhere or with an arrow key.
fn reveal(context: &Context, tree: &mut TreeState) {
    if tree.revealed == context.view.active() {
        return;
    }
    tree.revealed = context.view.active();
    let Some(node) = context.view.active().and_then(|source| context.document.model.node_from_source(source)) else { return };
    if !tree.is_searching() {
        tree.open_ancestors(&context.document.model, node);
        tree.update(context.document, context.view);
    }
    let moved_by_key = std::mem::take(&mut tree.moved_by_key);
    let Some(row) = tree.row_of(node) else { return };
    let span = tree.indent.span(context, node);
    if moved_by_key {
        tree.scroll.scroll_into_view(row, span);
    } else {
        tree.scroll.reveal(row, span);
    }
}

/// Handles arrow keys: up and down move the selection, left and right close and open nodes.
fn arrows(ui: &Ui, context: &mut Context, tree: &mut TreeState) {
    let hierarchy = &context.document.model.hierarchy;
    for (key, shift) in list::arrows(ui) {
        let active = context.view.active().and_then(|source| context.document.model.node_from_source(source));
        let Some(node) = active else {
            select(context, tree, tree.rows.first().map(|row| row.node), false);
            continue;
        };
        let row = tree.row_of(node);
        let has_children = hierarchy.subtree(node).len() > 1;
        let node_in = |row: Option<usize>| row.and_then(|row| tree.rows.get(row)).map(|row| row.node);
        match key {
            Key::ArrowUp => select(context, tree, node_in(row.and_then(|row| row.checked_sub(1))), shift),
            Key::ArrowDown => select(context, tree, node_in(row.map(|row| row + 1)), shift),
            Key::ArrowLeft if has_children && tree.is_open(node) && !tree.is_searching() => tree.set_open(node, false),
            Key::ArrowLeft => select(context, tree, hierarchy.parent(node), false),
            Key::ArrowRight if has_children && !tree.is_open(node) => tree.set_open(node, true),
            _ => select(context, tree, hierarchy.children(node).next(), false),
        }
    }
}

/// Selects a node and scrolls to it. If `extend` is true, the other nodes stay selected.
fn select(context: &mut Context, tree: &mut TreeState, node: Option<NodeIndex>, extend: bool) {
    let Some(node) = node else { return };
    let source = context.document.model.node(node).source;
    selection::select(&mut context.view.selection, source, if extend { SelectMode::Add } else { SelectMode::Only });
    tree.moved_by_key = true;
    if !extend {
        tree.anchor = Some(node);
    }
}
