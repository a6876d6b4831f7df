//! Draws the name of a dope sheet row, and handles clicks on it.

use egui::{Align2, Id, Modifiers, Rect, Role, Sense, Stroke, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::captions;
use crate::numbers;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::context::Context;
use crate::ui::context::key_selection::KEY_TIME_TOLERANCE;
use crate::ui::style::theme;
use crate::ui::style::time_text;
use crate::ui::style::{icons, text};
use crate::ui::widgets::list::List;
use crate::ui::widgets::node_menu;

use super::focus;
use super::state::{DopeSheetState, SheetRow};

/// Width of the chevron, in points.
const CHEVRON_WIDTH: f32 = 14.0;
/// Minimum width of a name, in points, even if its node is deep in the tree.
const MIN_NAME_WIDTH: f32 = 72.0;

/// A visible row, its whole rectangle, and the rectangle of its name.
pub struct PlacedRow {
    pub row: SheetRow,
    pub rect: Rect,
    pub names: Rect,
}

/// Draws the row and handles its pointer input.
pub fn row_ui(ui: &mut Ui, context: &mut Context, sheet: &mut DopeSheetState, list: &List, placed: &PlacedRow) {
    let &PlacedRow { row, rect, names } = placed;
    let response = ui.interact(names, list.id.with((row.group, row.channel)), Sense::CLICK);
    let node = sheet.groups[row.group].node();
    let selected = node.is_some_and(|node| context.view.selection.contains(&context.document.model.node(node).source));
    response.widget_info(|| row_info(context, sheet, row, selected));
    let palette = theme::palette(ui.ctx());
    let fill = match row.channel {
        None if selected => Some(palette.selection),
        _ if response.contains_pointer() => Some(palette.hover),
        None => Some(palette.panel),
        Some(_) => None,
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(if selected && row.channel.is_none() { rect } else { names }, 0.0, fill);
    }
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, palette.divider.gamma_multiply(0.4)));
    if sheet.cursor == Some(row) {
        ui.painter().rect_filled(names.with_max_x(names.left() + 2.0), 0.0, palette.accent);
    }
    let left = name_ui(ui, context, sheet, row, names);
    if row.channel.is_none() {
        chevron_ui(ui, sheet, response.id, row.group, Rect::from_min_size(pos2(left, rect.top()), vec2(CHEVRON_WIDTH, rect.height())));
    }
    if response.clicked() {
        focus(ui, list);
        click(context, sheet, row, ui.input(|input| input.modifiers));
    }
    // Only nodes have a context menu.
    if let Some(node) = node {
        if response.secondary_clicked() {
            node_menu::select_for_menu(context, node);
            sheet.revealed = context.view.active();
        }
        response.context_menu(|ui| node_menu::node_menu_ui(ui, context, node));
    }
    response.on_hover_text(hint(sheet, row));
}

/// Draws the name. Returns the left edge of the space for the chevron, which precedes the name.
fn name_ui(ui: &Ui, context: &Context, sheet: &DopeSheetState, row: SheetRow, rect: Rect) -> f32 {
    let palette = theme::palette(ui.ctx());
    let group = &sheet.groups[row.group];
    let max_indent = (rect.width() - CHEVRON_WIDTH - MIN_NAME_WIDTH).max(0.0);
    let level_indent = (max_indent / sheet.max_depth.max(1) as f32).clamp(theme::MIN_INDENT, theme::INDENT);
    let left = rect.left() + 4.0 + (group.depth as f32 * level_indent).min(max_indent);
    let constant = sheet.channels(row).all(|channel| channel.constant);
    let channel = sheet.channels(row).next().filter(|_| row.channel.is_some());
    let (label, style) = channel.map_or((&group.label, TextStyle::Body), |channel| (&channel.label, TextStyle::Small));
    let color = match row.channel {
        _ if constant => palette.disabled,
        None => palette.text,
        Some(_) => palette.secondary,
    };
    let name_left = left + CHEVRON_WIDTH + if row.channel.is_some() { theme::INDENT } else { 2.0 };
    let font = style.resolve(ui.style());
    let room = rect.right() - name_left - 8.0;
    let short = match group.node().filter(|_| channel.is_none()) {
        Some(node) => context.fit_node_name(node, &captions::text::fits(ui.ctx(), &font, room)),
        None => text::elide_middle(ui, label, &font, room),
    };
    ui.painter().text(pos2(name_left, rect.center().y), Align2::LEFT_CENTER, short, font, color);
    left
}

/// Draws the chevron that opens and closes a group.
fn chevron_ui(ui: &Ui, sheet: &mut DopeSheetState, row: Id, group: usize, rect: Rect) {
    let open = sheet.is_open(group);
    let response = ui.interact(rect, row.with("chevron"), Sense::CLICK);
    let verb = if open { "Hide" } else { "Show" };
    let label = format!("{verb} channels of {}", sheet.groups[group].label);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let palette = theme::palette(ui.ctx());
    let icon = if open { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
    icons::paint(ui, rect, icon, 12.0, if response.hovered() { palette.text } else { palette.secondary });
    if response.clicked() {
        if ui.input(|input| input.modifiers.shift) {
            sheet.set_subtree_open(group, !open);
        } else {
            sheet.set_open(group, !open);
        }
    }
    response.on_hover_text(format!("{verb} channels (Shift: whole branch)"));
}

/// Text for screen readers: "LeftFoot rotation: LINEAR, 82 keys", and whether the playhead is on a key.
fn row_info(context: &Context, sheet: &DopeSheetState, row: SheetRow, selected: bool) -> WidgetInfo {
    let label = hint(sheet, row);
    let Some(animation) = context.view.animation.and_then(|a| context.document.model.animations.get(a)) else {
        return WidgetInfo::selected(Role::Row, true, selected, label);
    };
    let time = context.transport.time();
    let on_key = |times: &Vec<f32>| {
        let next = times.partition_point(|&key| f64::from(key) < time - KEY_TIME_TOLERANCE);
        times.get(next).is_some_and(|&key| f64::from(key) <= time + KEY_TIME_TOLERANCE)
    };
    let key = sheet.channels(row).any(|channel| on_key(&animation.key_times[animation.channels[channel.channel].key_times]));
    let value = key.then(|| format!("key at {}", time_text::time_text(context, time)));
    WidgetInfo { current_text_value: value, ..WidgetInfo::selected(Role::Row, true, selected, label) }
}

/// The tooltip of a row: its name, and its keys or the number of its channels.
fn hint(sheet: &DopeSheetState, row: SheetRow) -> String {
    let group = &sheet.groups[row.group];
    match sheet.channels(row).next().filter(|_| row.channel.is_some()) {
        Some(channel) => format!("{} {}: {}", group.label, channel.label, channel.summary),
        None => format!("{}: {}", group.label, numbers::counted(group.channels.len(), "channel")),
    }
}

/// Selects the clicked row. Ctrl toggles this row. Shift selects all rows from the previously clicked row to this row.
pub fn click(context: &mut Context, sheet: &mut DopeSheetState, row: SheetRow, modifiers: Modifiers) {
    let range = sheet.anchor.filter(|_| modifiers.shift).and_then(|anchor| Some((sheet.row_of(anchor)?, sheet.row_of(row)?)));
    sheet.cursor = Some(row);
    match range {
        Some((from, to)) => {
            let mut rows = sheet.rows[from.min(to)..=from.max(to)].to_vec();
            // The clicked row becomes the active one.
            if to < from {
                rows.reverse();
            }
            select(context, sheet, &rows, if modifiers.command { SelectMode::Add } else { SelectMode::Only });
        }
        None => {
            select(context, sheet, &[row], if modifiers.command { SelectMode::Toggle } else { SelectMode::Only });
            sheet.anchor = Some(row);
        }
    }
}

/// Selects the nodes of these rows. Other elements cannot be selected, so their rows select nothing.
pub fn select(context: &mut Context, sheet: &mut DopeSheetState, rows: &[SheetRow], mode: SelectMode) {
    let nodes = rows.iter().filter_map(|row| sheet.groups[row.group].node());
    let mut sources: Vec<_> = nodes.map(|node| context.document.model.node(node).source).collect();
    sources.dedup();
    match sources[..] {
        [source] => selection::select(&mut context.view.selection, source, mode),
        _ => selection::select_all(&mut context.view.selection, &sources, mode),
    }
    sheet.revealed = context.view.active();
}
