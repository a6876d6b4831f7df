//! Draws one row of the node tree: indent, chevron, icon, name and switches.

use egui::{Align2, Id, Modifiers, Rangef, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::captions;
use crate::model::label;
use crate::model::node::NodeIndex;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};
use crate::ui::tree::switch_column;
use crate::ui::widgets::list::List;
use crate::ui::widgets::node_menu;

use super::indent::{CHEVRON_WIDTH, ICON_WIDTH, MIN_NAME_WIDTH};
use super::rows::TreeRow;
use super::state::TreeState;
use super::switch_column::{SwitchRow, has_pointer};

/// Space between a name and what follows it, in points.
const NAME_GAP: f32 = 4.0;

/// A row and its rectangle. The row may be wider than the list, which shows the `visible` part.
pub struct PlacedRow {
    pub row: TreeRow,
    pub rect: Rect,
    pub visible: Rangef,
}

/// Draws the row and handles clicks on it.
pub fn row_ui(ui: &mut Ui, context: &mut Context, tree: &mut TreeState, list: &List, placed: PlacedRow) {
    let PlacedRow { row, rect: whole, visible } = placed;
    let (node, rect) = (row.node, Rect::from_x_y_ranges(visible, whole.y_range()));
    let in_scene = tree.in_scene[node.index()];
    let response = ui.interact(rect, list.id.with(("row", node.0)), Sense::CLICK);
    let (source, name) = (context.document.model.node(node).source, context.document.model.node(node).label());
    let selected = context.view.selection.contains(&source);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, selected, &name));
    let palette = theme::palette(ui.ctx());
    let fill = if selected {
        palette.selection
    } else if has_pointer(&response) {
        palette.hover
    } else {
        palette.panel
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    if context.view.active() == Some(source) {
        ui.painter().rect_filled(rect.with_max_x(rect.left() + 2.0), 0.0, palette.accent);
    }
    tree.indent.paint_guides(ui, context.document.depths[node.index()], whole, rect);
    let switches_left = switch_column::cell(context.document, rect, 0).left();
    let left = whole.left() + tree.indent.left(context, node);
    // The name is shortened to end inside the list. If less than `MIN_NAME_WIDTH` would remain, it keeps its full width, and the user
    // scrolls sideways to it.
    let shows_name = rect.right() - (left + CHEVRON_WIDTH + ICON_WIDTH) >= MIN_NAME_WIDTH;
    let max_right = if shows_name { rect.right() } else { whole.right() };
    let free_right = switch_column::changed_left(context, tree, node, rect).unwrap_or(max_right);
    // While the pointer is over the switches, the name leaves them free.
    let name_right = if switch_column::is_pointed_at(context.document, &response) { switches_left } else { free_right };
    let name_end = name_ui(ui, context, tree, row, whole, name_right - NAME_GAP);
    chevron_ui(ui, context, tree, response.id, node, Rect::from_min_size(pos2(left, rect.top()), vec2(CHEVRON_WIDTH, rect.height())));
    switch_column::row_ui(ui, context, tree, SwitchRow { node, rect, name_end, fill, response: &response });

    if response.clicked() {
        ui.memory_mut(|memory| memory.request_focus(list.id));
        click(context, tree, node, ui.input(|input| input.modifiers));
    }
    if response.double_clicked() {
        camera::fit(context, vec![source]);
    }
    if response.secondary_clicked() {
        node_menu::select_for_menu(context, node);
        tree.revealed = context.view.active();
    }
    response.context_menu(|ui| node_menu::node_menu_ui(ui, context, node));
    let scene = if in_scene { "" } else { "\nnot in the current scene" };
    let model = &context.document.model;
    // The tooltip names the parent, because its row may be out of sight.
    let parent = model.hierarchy.parents[node.index()].map_or(String::new(), |parent| format!("\nchild of {}", model.node(parent).label()));
    let (_, kind) = icons::node_kind(context.document, node);
    let kind = if kind == "node" { String::new() } else { format!("{kind}, ") };
    text::tooltip_beside(response, &format!("{name}\n{}{parent}{scene}", label::capitalized(&format!("{kind}node {source}"))));
}

/// Draws the icon and the name, which is shortened so that it ends before `max_right`. Returns the x coordinate where the name ends.
fn name_ui(ui: &Ui, context: &Context, tree: &TreeState, row: TreeRow, whole: Rect, max_right: f32) -> f32 {
    let (node, palette) = (row.node, theme::palette(ui.ctx()));
    let is_joint = context.document.joints[node.index()];
    let is_visible = tree.in_scene[node.index()] && tree.effective.visible[node.index()];
    // Rows are dim if they are only ancestors of search results, or if their node is invisible and not a joint.
    let dim = !row.found || !(is_visible || is_joint);
    let left = whole.left() + tree.indent.left(context, node) + CHEVRON_WIDTH;
    let icon_rect = Rect::from_min_size(pos2(left, whole.top()), vec2(16.0, whole.height()));
    let (icon, _) = icons::node_kind(context.document, node);
    icons::paint(ui, icon_rect, icon, 14.0, if is_joint && !dim { palette.accent } else { palette.secondary });
    let name_left = pos2(left + ICON_WIDTH, whole.center().y);
    let font = TextStyle::Body.resolve(ui.style());
    let name = context.fit_node_name(node, &captions::text::fits(ui.ctx(), &font, max_right - name_left.x));
    ui.painter().text(name_left, Align2::LEFT_CENTER, name, font, if dim { palette.disabled } else { palette.text }).right()
}

/// Draws the chevron that opens and closes a node. It does nothing during a search, which shows all results.
fn chevron_ui(ui: &mut Ui, context: &Context, tree: &mut TreeState, row: Id, node: NodeIndex, rect: Rect) {
    let model = &context.document.model;
    if model.hierarchy.subtree(node).len() == 1 {
        return;
    }
    let (open, searching) = (tree.is_open(node), tree.is_searching());
    let palette = theme::palette(ui.ctx());
    let icon = if open { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
    if searching {
        icons::paint(ui, rect, icon, 12.0, palette.disabled);
        return;
    }
    let response = ui.interact(rect, row.with("chevron"), Sense::CLICK);
    let verb = if open { "Collapse" } else { "Expand" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{verb} {}", model.node(node).label())));
    icons::paint(ui, rect, icon, 12.0, if response.hovered() { palette.text } else { palette.secondary });
    if response.clicked() {
        if ui.input(|input| input.modifiers.shift) {
            tree.set_subtree_open(model, node, !open);
        } else {
            tree.set_open(node, !open);
        }
    }
    response.on_hover_text(format!("{verb} (Shift: whole branch)"));
}

/// Selects the clicked row. Ctrl toggles it, Shift selects all rows from the row that was clicked last.
fn click(context: &mut Context, tree: &mut TreeState, node: NodeIndex, modifiers: Modifiers) {
    let source = |node: NodeIndex| context.document.model.node(node).source;
    let selected = &mut context.view.selection;
    let range = tree.anchor.filter(|_| modifiers.shift).and_then(|anchor| Some((tree.row_of(anchor)?, tree.row_of(node)?)));
    match range {
        Some((from, to)) => {
            let mut nodes: Vec<_> = tree.rows[from.min(to)..=from.max(to)].iter().map(|row| source(row.node)).collect();
            // The clicked row becomes the active one.
            if to < from {
                nodes.reverse();
            }
            selection::select_all(selected, &nodes, if modifiers.command { SelectMode::Add } else { SelectMode::Only });
        }
        None => {
            selection::select(selected, source(node), if modifiers.command { SelectMode::Toggle } else { SelectMode::Only });
            tree.anchor = Some(node);
        }
    }
    tree.revealed = context.view.active();
}
