//! The command palette: a search field above the actions, choices, camera bookmarks, animations, recent files and nodes that match its
//! text. Enter or a click runs an entry and closes the palette.
//!
//! [`entry`] finds the matches, [`search`] ranks them, and [`synonyms`] lists other words for the commands. A search runs when the text
//! changes, not every frame.

pub mod choice;
pub mod entry;
pub mod search;
pub mod synonyms;

use egui::{Align2, Color32, Frame as Fill, Id, Key, Margin, Modal, Modifiers, Rangef, Rect, Response, Role, Sense, TextStyle, Ui};
use egui::{UiBuilder, WidgetInfo, pos2, vec2};

use super::context::Context;
use super::context::per_document::PerDocument;
use super::context::preferences::push_recent;
use super::context::window_state::Dialog;
use super::style::{icons, text, theme};
use super::widgets::list::{self, ListScroll};
use super::widgets::search_field;

use entry::Entry;

// Width of the palette and height of a row, in points.
const WIDTH: f32 = 520.0;
const ROW_HEIGHT: f32 = 26.0;
/// Width reserved for a shortcut, in points.
const SHORTCUT_WIDTH: f32 = 112.0;
/// Maximum number of rows that are shown without scrolling.
const MAX_ROWS: usize = 12;
/// Number of recently used entries that are remembered.
const MAX_USED: usize = 20;
/// The hint in the search field. It also identifies the field.
const FIELD_LABEL: &str = "Search commands";

/// The state of the palette. The recently used entries are kept while it is closed.
#[derive(Debug, Clone, Default)]
pub struct PaletteState {
    /// `None` while the palette is closed.
    open: Option<OpenPalette>,
    /// Recently used entries, newest first.
    used: Vec<Entry>,
    /// The widget that had the keyboard focus before the palette opened. It gets the focus back when the palette closes.
    focus_back: Option<Id>,
}

/// The state of the open palette.
#[derive(Debug, Clone, Default)]
struct OpenPalette {
    text: String,
    /// The text that `found` matches.
    searched: PerDocument<Option<String>>,
    found: Vec<Entry>,
    /// Index of the row that Enter runs.
    chosen: usize,
    scroll: ListScroll,
}

/// Draws the palette, and runs the entry that the user chooses.
pub fn palette_ui(ctx: &egui::Context, state: &mut PaletteState, context: &mut Context) {
    match context.window.dialog {
        Some(Dialog::CommandPalette) => open_ui(ctx, state, context),
        Some(_) => {}
        None => give_focus_back(ctx, state),
    }
}

/// Draws the open palette, and closes it after a choice, a click beside it, Esc or Ctrl+K.
fn open_ui(ctx: &egui::Context, state: &mut PaletteState, context: &mut Context) {
    if state.open.is_none() {
        state.focus_back = ctx.memory(egui::Memory::focused);
    }
    let mut open = state.open.take().unwrap_or_default();
    let id = Id::unique("command palette");
    let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, theme::MENU_BAR_HEIGHT + theme::MARGIN));
    let fill = Fill::popup(&ctx.global_style()).inner_margin(Margin::same(8));
    // The window behind the palette stays visible, so that the user sees the effect of a switch.
    let modal = Modal::new(id).area(area).frame(fill).backdrop_color(Color32::from_black_alpha(40)).show(ctx, |ui| {
        ui.set_width(WIDTH.min(ctx.content_rect().width() - 4.0 * theme::MARGIN));
        content_ui(ui, context, &mut open, &state.used)
    });
    // Ctrl+K closes the palette, too.
    let is_toggled = ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::K));
    if modal.inner.is_none() && !modal.should_close() && !is_toggled {
        state.open = Some(open);
        return;
    }
    if let Some(entry) = modal.inner.as_ref().filter(|entry| entry.is_file_independent()) {
        push_recent(&mut state.used, entry.clone(), MAX_USED);
    }
    context.window.dialog = None;
    ctx.memory_mut(egui::Memory::stop_text_input);
    if let Some(entry) = modal.inner {
        entry.run(context);
    }
    ctx.request_repaint();
}

/// Restores the focus in the frame after closing. While the palette is open, widgets behind it cannot take the focus.
fn give_focus_back(ctx: &egui::Context, state: &mut PaletteState) {
    if let Some(id) = state.focus_back.take()
        && ctx.memory(|memory| memory.focused().is_none())
    {
        ctx.memory_mut(|memory| memory.request_focus(id));
        ctx.request_repaint();
    }
}

/// Draws the search field and the results. Returns the entry that the user chose, if it is enabled.
fn content_ui(ui: &mut Ui, context: &Context, open: &mut OpenPalette, used: &[Entry]) -> Option<Entry> {
    let field = search_field::id(ui, FIELD_LABEL);
    // The field keeps the focus. Requesting it early catches text typed in the frame that opens the palette.
    if !ui.memory(|memory| memory.has_focus(field)) {
        ui.memory_mut(|memory| memory.request_focus(field));
    }
    let keys = Pressed::take(ui);
    search_field::search_ui(ui, &mut open.text, FIELD_LABEL);
    let searched = open.searched.get(context.document);
    if searched.as_ref() != Some(&open.text) {
        *searched = Some(open.text.clone());
        open.found = entry::find(&open.text, used, context);
        open.chosen = 0;
        open.scroll.restart();
    }
    // The keys are handled after the search, so that they move through the new results.
    if keys.rows != 0 && !open.found.is_empty() {
        open.chosen = row_after_move(open.chosen, keys.rows, open.found.len() - 1);
        open.scroll.scroll_into_view(open.chosen, Rangef::point(0.0));
    }
    let clicked = rows_ui(ui, context, open, field);
    let entered = keys.enter.then_some(open.chosen);
    clicked.or(entered).and_then(|row| open.found.get(row)).filter(|entry| entry.disabled_reason(context).is_none()).cloned()
}

/// The row after moving `by` rows. Arrow keys wrap around at the ends; page keys stop at the ends.
fn row_after_move(row: usize, by: isize, last: usize) -> usize {
    match row.checked_add_signed(by) {
        Some(row) if row <= last => row,
        Some(_) => {
            if by > 1 {
                last
            } else {
                0
            }
        }
        None => {
            if by < -1 {
                0
            } else {
                last
            }
        }
    }
}

/// Keys that the palette handles instead of its search field.
struct Pressed {
    /// Number of rows to move down; negative to move up.
    rows: isize,
    enter: bool,
}

impl Pressed {
    /// Removes the keys from the input, so that the search field does not receive them.
    fn take(ui: &Ui) -> Self {
        ui.input_mut(|input| {
            let mut times = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
            let page = MAX_ROWS as isize - 1;
            let rows = times(Key::ArrowDown) - times(Key::ArrowUp) + page * (times(Key::PageDown) - times(Key::PageUp));
            Self { rows, enter: times(Key::Enter) > 0 }
        })
    }
}

/// Draws the results. Returns the clicked row.
fn rows_ui(ui: &mut Ui, context: &Context, open: &mut OpenPalette, field: Id) -> Option<usize> {
    if open.found.is_empty() {
        ui.weak("No results");
        return None;
    }
    // Show as many rows as fit into the window.
    let room = ui.ctx().content_rect().height() - 3.0 * theme::MENU_BAR_HEIGHT - theme::CONTROL_HEIGHT - 6.0 * theme::MARGIN;
    let rows = open.found.len().min(MAX_ROWS).min(((room / ROW_HEIGHT) as usize).max(1));
    let (_, place) = ui.allocate_space(vec2(ui.available_width(), rows as f32 * ROW_HEIGHT));
    let mut list = ui.new_child(UiBuilder::new().id_salt("commands").max_rect(place));
    let mut clicked = None;
    list::rows_ui(&mut list, &mut open.scroll, ROW_HEIGHT, open.found.len(), |ui, number, rect| {
        let chosen = number == open.chosen;
        let response = row_ui(ui, context, &open.found[number], field.with(number), chosen, rect);
        if chosen {
            // The field keeps the focus, so screen readers are told which row Enter chooses.
            let row = response.id.accesskit_id();
            ui.ctx().accesskit_node_builder(field, |node| node.set_active_descendant(row));
        }
        if response.clicked() {
            clicked = Some(number);
        }
    });
    clicked
}

/// Draws a row: its check mark, its name, its kind or the reason why it is disabled, and its shortcut.
fn row_ui(ui: &mut Ui, context: &Context, entry: &Entry, id: Id, chosen: bool, rect: Rect) -> Response {
    let palette = theme::palette(ui.ctx());
    let response = ui.interact(rect, id, Sense::CLICK);
    let (label, on, disabled_reason) = (entry.label(context), entry.is_on(context), entry.disabled_reason(context));
    let is_enabled = disabled_reason.is_none();
    let state = match (disabled_reason, on) {
        (Some(disabled_reason), _) => format!(": {disabled_reason}"),
        (None, Some(on)) => (if on { ", on" } else { ", off" }).to_owned(),
        (None, None) => String::new(),
    };
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, is_enabled, chosen, format!("{label}{state}")));
    if chosen || response.hovered() {
        ui.painter().rect_filled(rect, theme::RADIUS, if chosen { palette.selection } else { palette.hover });
    }
    let (mark, after_mark) = rect.split_left_right_at_x(rect.left() + icons::BUTTON_SIDE);
    if on == Some(true) {
        icons::paint(ui, mark, icons::CHECK, icons::ICON_SIZE, palette.accent);
    }
    let font = |style: TextStyle| style.resolve(ui.style());
    let right = |text: String, right: f32, font| {
        ui.painter().text(pos2(right, rect.center().y), Align2::RIGHT_CENTER, text, font, palette.secondary)
    };
    right(entry.shortcut(), rect.right() - theme::MARGIN, font(TextStyle::Button));
    let kind = right(disabled_reason.unwrap_or_else(|| entry.kind()).to_owned(), rect.right() - SHORTCUT_WIDTH, font(TextStyle::Small));
    let short = text::elide_middle(ui, &label, &font(TextStyle::Body), kind.left() - theme::MARGIN - after_mark.left());
    let color = if is_enabled { palette.text } else { palette.disabled };
    ui.painter().text(after_mark.left_center(), Align2::LEFT_CENTER, &short, font(TextStyle::Body), color);
    if short == label { response } else { text::tooltip_beside(response, &label) }
}
