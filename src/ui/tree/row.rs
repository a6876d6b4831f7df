//! Draws one row of the node tree: indent, chevron, icon, name and switches.

use egui::{Align2, Id, Modifiers, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::model::node::NodeIndex;
use crate::session::view::selection::{self, How};
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};
use crate::ui::tree::switch_column;
use crate::ui::widgets::list::List;
use crate::ui::widgets::node_menu;

use super::state::{TreeRow, TreeState};

/// Minimum width of a name, in points, however deep its node is.
const MIN_NAME_WIDTH: f32 = 84.0;
/// Widths of the chevron, and of the icon with its gap, in points.
const CHEVRON: f32 = 14.0;
const ICON: f32 = 18.0;

/// Draws the row and handles clicks on it.
pub fn row_ui(ui: &mut Ui, context: &mut Context, tree: &mut TreeState, list: &List, row: TreeRow, rect: Rect) {
    let node = row.node;
    let in_scene = tree.in_scene[node.index()];
    let response = ui.interact(rect, list.id.with(("row", node.0)), Sense::CLICK);
    let (source, name) = (context.document.model.node(node).source, context.document.model.node(node).label());
    let selected = context.view.selection.contains(&source);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, selected, &name));
    let palette = theme::palette(ui.ctx());
    if selected {
        ui.painter().rect_filled(rect, 0.0, palette.selection);
    } else if response.contains_pointer() {
        ui.painter().rect_filled(rect, 0.0, palette.hover);
    }
    if context.view.active() == Some(source) {
        ui.painter().rect_filled(rect.with_max_x(rect.left() + 2.0), 0.0, palette.accent);
    }

    let left = rect.left() + 4.0 + indent(context, tree, node, rect.width());
    chevron_ui(ui, context, tree, response.id, node, Rect::from_min_size(pos2(left, rect.top()), vec2(CHEVRON, rect.height())));
    let (icon, kind) = icons::node_kind(context.document, node);
    let shown = in_scene && tree.effective.visible[node.index()];
    let joint = context.document.joints[node.index()];
    // Ancestors of search results are dim, and so are nodes that are not visible.
    let dim = !row.found || !(shown || joint);
    let icon_at = Rect::from_min_size(pos2(left + CHEVRON, rect.top()), vec2(16.0, rect.height()));
    icons::paint(ui, icon_at, icon, 14.0, if joint && !dim { palette.accent } else { palette.secondary });
    let name_at = left + CHEVRON + ICON;
    let font = TextStyle::Body.resolve(ui.style());
    let room = switch_column::cell(rect, 0).left() - name_at - 4.0;
    let short = text::elide_middle(ui, &name, &font, room);
    ui.painter().text(pos2(name_at, rect.center().y), Align2::LEFT_CENTER, short, font, if dim { palette.disabled } else { palette.text });

    switch_column::row_ui(ui, context, tree, node, rect, &response);

    if response.clicked() {
        ui.memory_mut(|memory| memory.request_focus(list.id));
        click(context, tree, node, ui.input(|input| input.modifiers));
    }
    if response.double_clicked() {
        camera::fit(context, vec![source]);
    }
    if response.secondary_clicked() {
        node_menu::take_up(context, node);
        tree.revealed = context.view.active();
    }
    response.context_menu(|ui| node_menu::node_menu_ui(ui, context, node));
    let place = if in_scene { "" } else { "\nnot in the current scene" };
    let model = &context.document.model;
    // In a deep tree the indents are too small to show the depth.
    let parent = model.hierarchy.parents[node.index()].map_or(String::new(), |parent| format!("\nchild of {}", model.node(parent).label()));
    text::tooltip_beside(response, &format!("{name}\n{kind}, node {source}{parent}{place}"));
}

/// The indentation of a node, in points. Levels are 14 points, or less if a deep tree would leave no space for names.
fn indent(context: &Context, tree: &TreeState, node: NodeIndex, width: f32) -> f32 {
    let taken = 4.0 + CHEVRON + ICON + MIN_NAME_WIDTH + switch_column::COUNT as f32 * switch_column::WIDTH + 8.0;
    let room = (width - taken).max(0.0);
    let level = (room / tree.deepest.max(1) as f32).clamp(3.0, theme::INDENT);
    (context.document.depths[node.index()] as f32 * level).min(room)
}

/// Draws the chevron that opens and closes a node. While a search is active, all results are shown and it does nothing.
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

/// Selects the clicked row. Ctrl toggles it, Shift selects from the row clicked last.
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
            selection::select_all(selected, &nodes, if modifiers.command { How::Add } else { How::Only });
        }
        None => {
            selection::select(selected, source(node), if modifiers.command { How::Toggle } else { How::Only });
            tree.anchor = Some(node);
        }
    }
    tree.revealed = context.view.active();
}
