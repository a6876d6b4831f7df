//! The dope sheet: a row for each animated node and each of its channels, with a mark per key. Clicks select keys. Only visible rows are
//! laid out.

pub mod groups;
pub mod key_rows;
pub mod marks;
pub mod pointer;
pub mod row;
pub mod state;

use egui::{Align, Align2, FontId, Key, Layout, Rangef, Rect, Ui, UiBuilder, vec2};

use crate::session::view::selection::SelectMode;
use crate::ui::context::Context;
use crate::ui::style::{icons, theme};
use crate::ui::widgets::list::{self, List};
use crate::ui::widgets::search_field;

use super::track_area::TrackArea;

use pointer::KeyArea;
use row::PlacedRow;
use state::{DopeSheetState, SheetRow};

/// Minimum width of the search field, in points. In a smaller window there is no empty search field.
const MIN_SEARCH_WIDTH: f32 = 60.0;

/// A visible row and its rectangle, which spans names and tracks.
pub type VisibleRow = (SheetRow, Rect);

/// Draws the names and the keys.
pub fn sheet_ui(ui: &mut Ui, sheet: &mut DopeSheetState, context: &mut Context, area: &TrackArea) {
    sheet.update(context.document, context.view);
    if sheet.rows.is_empty() {
        empty_ui(ui, sheet, area.all());
    } else {
        rows_ui(ui, sheet, context, area);
    }
}

/// Draws the reason why there are no rows. If the search or the filter hides all rows, a button clears both.
fn empty_ui(ui: &mut Ui, sheet: &mut DopeSheetState, rect: Rect) {
    let text = if sheet.groups.is_empty() {
        "This animation has no channels"
    } else if !sheet.search.trim().is_empty() {
        "No results"
    } else {
        "This animation drives none of the selected nodes"
    };
    let color = theme::palette(ui.ctx()).secondary;
    ui.painter_at(rect).text(rect.center(), Align2::CENTER_BOTTOM, text, FontId::proportional(11.0), color);
    if sheet.groups.is_empty() {
        return;
    }
    let below =
        Rect::from_center_size(rect.center() + vec2(0.0, 4.0 + theme::CONTROL_HEIGHT / 2.0), vec2(rect.width(), theme::CONTROL_HEIGHT));
    let place = UiBuilder::new().id_salt("show all").max_rect(below).layout(Layout::top_down(Align::Center));
    if ui.new_child(place).button("Show all").clicked() {
        sheet.search.clear();
        sheet.selected_only = false;
    }
}

/// Draws the visible rows, then all their keys over them.
fn rows_ui(ui: &mut Ui, sheet: &mut DopeSheetState, context: &mut Context, area: &TrackArea) {
    let &TrackArea { names, tracks, axis } = area;
    let place = UiBuilder::new().id_salt("dope sheet").max_rect(area.all());
    let ui = &mut ui.new_child(place);
    ui.shrink_clip_rect(area.all());
    let list = list::begin(ui, "Dope sheet");
    context.window.list_focused |= list.focused;
    if list.focused {
        arrows(ui, context, sheet);
        sheet.update(context.document, context.view);
    }
    reveal(context, sheet);
    let mut visible: Vec<VisibleRow> = Vec::new();
    let mut top = tracks.top();
    let mut scroll = sheet.scroll;
    list::rows_ui(ui, &mut scroll, theme::TREE_ROW_HEIGHT, sheet.rows.len(), |ui, number, rect| {
        let row = sheet.rows[number];
        // The top of the first row, which may be scrolled out of view.
        top = rect.top() - number as f32 * theme::TREE_ROW_HEIGHT;
        visible.push((row, rect));
        row::row_ui(ui, context, sheet, &list, &PlacedRow { row, rect, names: rect.with_max_x(names.right()) });
    });
    sheet.scroll = scroll;
    key_rows::paint(ui, context, sheet, &visible, tracks, axis);
    if let Some(animation) = context.view.animation.and_then(|a| context.document.model.animations.get(a)) {
        pointer::keys_ui(ui, context, sheet, &list, &KeyArea { tracks, axis, top, animation });
    }
}

/// Scrolls to the active node when it was selected elsewhere.
fn reveal(context: &Context, sheet: &mut DopeSheetState) {
    if sheet.revealed == context.view.active() {
        return;
    }
    sheet.revealed = context.view.active();
    let node = context.view.active().and_then(|source| context.document.model.node_from_source(source));
    let row = node.and_then(|node| sheet.group_of(node)).map(|group| SheetRow { group, channel: None });
    sheet.cursor = row;
    if let Some(number) = row.and_then(|row| sheet.row_of(row)) {
        sheet.scroll.reveal(number, Rangef::point(0.0));
    }
}

/// Handles arrow keys as in the node tree: up and down move the cursor, left and right close and open groups.
fn arrows(ui: &Ui, context: &mut Context, sheet: &mut DopeSheetState) {
    for (key, shift) in list::arrows(ui) {
        let Some((row, number)) = sheet.cursor.and_then(|row| Some((row, sheet.row_of(row)?))) else {
            move_cursor(context, sheet, 0, false);
            continue;
        };
        let head = SheetRow { channel: None, ..row };
        match key {
            Key::ArrowUp => move_cursor(context, sheet, number.saturating_sub(1), shift),
            Key::ArrowDown => move_cursor(context, sheet, number + 1, shift),
            Key::ArrowLeft if row.channel.is_some() => move_cursor(context, sheet, sheet.row_of(head).unwrap_or(0), false),
            Key::ArrowLeft => sheet.set_open(row.group, false),
            _ if row.channel.is_none() && !sheet.is_open(row.group) => sheet.set_open(row.group, true),
            _ => move_cursor(context, sheet, number + 1, false),
        }
    }
}

/// Moves the cursor to a row and selects it. If `extend` is true, the other rows stay selected.
fn move_cursor(context: &mut Context, sheet: &mut DopeSheetState, number: usize, extend: bool) {
    let Some(&row) = sheet.rows.get(number) else { return };
    sheet.cursor = Some(row);
    sheet.scroll.scroll_into_view(number, Rangef::point(0.0));
    row::select(context, sheet, &[row], if extend { SelectMode::Add } else { SelectMode::Only });
}

/// Gives the keyboard focus to the list.
fn focus(ui: &Ui, list: &List) {
    ui.memory_mut(|memory| memory.request_focus(list.id));
}

/// Draws the header above the names: the search if there is room for it or if it hides rows, and the filter right of it.
pub fn head_ui(ui: &mut Ui, sheet: &mut DopeSheetState) {
    let label = "Selected only";
    if icons::toggle(ui, icons::FILTER, label, sheet.selected_only).on_hover_text("Show only rows of selected nodes").clicked() {
        sheet.selected_only = !sheet.selected_only;
    }
    ui.add_space(4.0);
    if ui.available_width() >= MIN_SEARCH_WIDTH || !sheet.search.is_empty() {
        search_field::search_ui(ui, &mut sheet.search, "Search rows");
    }
}
