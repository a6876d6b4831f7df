//! The dope sheet: a row for each animated node and each of its channels, with a mark per key. The state derives its rows from the
//! animation. Only visible rows are laid out, and clicks edit the selection of keys.

pub mod groups;
pub mod key_rows;
pub mod marks;
pub mod pointer;
pub mod row;
pub mod state;
pub mod values;

use egui::{Align2, FontId, Key, Rangef, Rect, Ui, UiBuilder};

use crate::session::view::selection::How;
use crate::ui::context::Context;
use crate::ui::style::{icons, theme};
use crate::ui::widgets::list::{self, List};
use crate::ui::widgets::search_field;

use super::time_axis::TimeAxis;

use state::{SheetRow, SheetState};

/// A visible row and its rectangle.
pub type Placed = (SheetRow, Rect);

/// Draws the names and the keys.
pub fn sheet_ui(ui: &mut Ui, sheet: &mut SheetState, context: &mut Context, names: Rect, area: Rect, axis: &TimeAxis) {
    sheet.update(context.document, context.view);
    if sheet.rows.is_empty() {
        empty_ui(ui, sheet, names.union(area));
    } else {
        rows_ui(ui, sheet, context, [names, area], axis);
    }
}

/// Says why there are no rows.
fn empty_ui(ui: &Ui, sheet: &SheetState, rect: Rect) {
    let text = match () {
        () if sheet.groups.is_empty() => "This animation has no channels",
        () if !sheet.search.trim().is_empty() => "Nothing that this animation drives has this in its name",
        () => "This animation drives nothing that is selected",
    };
    let color = theme::palette(ui.ctx()).secondary;
    ui.painter_at(rect).text(rect.center(), Align2::CENTER_CENTER, text, FontId::proportional(11.0), color);
}

/// Draws the visible rows, then all their keys over them.
fn rows_ui(ui: &mut Ui, sheet: &mut SheetState, context: &mut Context, [names, area]: [Rect; 2], axis: &TimeAxis) {
    let place = UiBuilder::new().id_salt("dope sheet").max_rect(names.union(area));
    let ui = &mut ui.new_child(place);
    ui.shrink_clip_rect(names.union(area));
    let list = list::begin(ui, "Dope sheet");
    context.window.list_focused |= list.focused;
    if list.focused {
        arrows(ui, context, sheet);
        sheet.update(context.document, context.view);
    }
    reveal(context, sheet);
    let mut placed: Vec<Placed> = Vec::new();
    let mut top = area.top();
    let mut scroll = sheet.scroll;
    list::rows_ui(ui, &mut scroll, theme::TREE_ROW, sheet.rows.len(), |ui, number, rect| {
        let row = sheet.rows[number];
        // The top of the first row, which may be scrolled out of view.
        top = rect.top() - number as f32 * theme::TREE_ROW;
        placed.push((row, rect));
        row::row_ui(ui, context, sheet, &list, row, rect, names.right());
    });
    sheet.scroll = scroll;
    key_rows::paint(ui, context, sheet, &placed, area, axis);
    pointer::keys_ui(ui, context, sheet, &list, area, axis, top);
}

/// Scrolls to the active node when it was selected elsewhere.
fn reveal(context: &Context, sheet: &mut SheetState) {
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

/// Handles arrow keys as the tree does: up and down move, left and right close and open.
fn arrows(ui: &Ui, context: &mut Context, sheet: &mut SheetState) {
    for (key, shift) in list::arrows(ui) {
        let Some((row, number)) = sheet.cursor.and_then(|row| Some((row, sheet.row_of(row)?))) else {
            go(context, sheet, 0, false);
            continue;
        };
        let head = SheetRow { channel: None, ..row };
        match key {
            Key::ArrowUp => go(context, sheet, number.saturating_sub(1), shift),
            Key::ArrowDown => go(context, sheet, number + 1, shift),
            Key::ArrowLeft if row.channel.is_some() => go(context, sheet, sheet.row_of(head).unwrap_or(0), false),
            Key::ArrowLeft => sheet.set_open(row.group, false),
            _ if row.channel.is_none() && !sheet.is_open(row.group) => sheet.set_open(row.group, true),
            _ => go(context, sheet, number + 1, false),
        }
    }
}

/// Moves the cursor to a row and selects it. `extend` keeps the others selected.
fn go(context: &mut Context, sheet: &mut SheetState, number: usize, extend: bool) {
    let Some(&row) = sheet.rows.get(number) else { return };
    sheet.cursor = Some(row);
    sheet.scroll.follow(number, Rangef::point(0.0));
    row::select(context, sheet, &[row], if extend { How::Add } else { How::Only });
}

/// Gives keyboard focus to the clicked list.
fn take_focus(ui: &Ui, list: &List) {
    ui.memory_mut(|memory| memory.request_focus(list.id));
}

/// Draws the header over the names, from right to left: the filter and the search.
pub fn head_ui(ui: &mut Ui, sheet: &mut SheetState) {
    let label = "Only what is selected";
    if icons::toggle(ui, icons::FILTER, label, sheet.selected_only).on_hover_text("Only the rows of what is selected").clicked() {
        sheet.selected_only = !sheet.selected_only;
    }
    ui.add_space(4.0);
    search_field::search_ui(ui, &mut sheet.search, "Search rows");
}
