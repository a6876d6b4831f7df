//! The shortcut page: every action with its keys, and the mouse gestures of the chosen navigation preset, in as many columns as fit.

use egui::{Align, Layout, ScrollArea, Ui, vec2};

use crate::ui::actions::entry::Category;
use crate::ui::actions::keys::{self, KeyBinding};
use crate::ui::actions::navigation;
use crate::ui::actions::table::TABLE;
use crate::ui::context::Context;
use crate::ui::context::preferences::Navigation;
use crate::ui::style::{text, theme};
use crate::ui::widgets::{key_cap, search_field};

use super::parts::SCROLL_BAR_WIDTH;

/// Width of a column, in points.
const COLUMN_WIDTH: f32 = 300.0;
/// Maximum number of columns in a wide window.
const MAX_COLUMNS: f32 = 3.0;
/// Space between columns, in points.
const COLUMN_GAP: f32 = 24.0;
/// Part of the window's width that the columns cannot use, in points.
const WIDTH_OUTSIDE: f32 = 60.0;
/// Part of the window's height that the rows cannot use, in points. The title, the search field and the buttons need it.
const HEIGHT_OUTSIDE: f32 = 200.0;
/// Height of a row, in points.
const ROW_HEIGHT: f32 = 23.0;
/// Separates several keys of one action.
const OR: &str = " or ";
/// Shown in place of the keys of an action that has none.
const NO_KEY: &str = "menu";

/// Mouse gestures that are the same in every navigation preset.
pub const MOUSE: [(&str, &str); 9] = [
    ("Zoom to the pointer", "Wheel"),
    ("Select; click again: node behind", "Click"),
    ("Add to or remove from selection", "Ctrl+click"),
    ("Frame node", "Double-click"),
    ("Context menu", "Right-click"),
    ("Scrub", "Drag ruler"),
    ("Invert snapping", "Ctrl while dragging"),
    ("Zoom or pan timeline", "Wheel or Shift+wheel"),
    ("Play several in sequence", "Ctrl+click animations"),
];

/// A group of rows under a title.
struct Section {
    title: &'static str,
    /// Each row has an effect and the input for it.
    rows: Vec<(&'static str, String)>,
}

/// The number of columns that fit into a window of this width, in points.
pub fn columns(window_width: f32) -> f32 {
    ((window_width - WIDTH_OUTSIDE) / (COLUMN_WIDTH + COLUMN_GAP)).floor().clamp(1.0, MAX_COLUMNS)
}

/// The width of this many columns, in points.
pub fn width(columns: f32) -> f32 {
    columns * COLUMN_WIDTH + (columns - 1.0) * COLUMN_GAP + SCROLL_BAR_WIDTH
}

/// Draws the page. `search` is the text in its search field.
pub fn shortcuts_ui(ui: &mut Ui, search: &mut String, context: &Context) {
    let field = search_field::search_ui(ui, search, "Search shortcuts");
    // The search field takes the focus, so that typing starts a search.
    if ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
    }
    let sections = sections(search, context.preferences.navigation);
    let window = ui.ctx().content_rect();
    let height = (window.height() - HEIGHT_OUTSIDE).max(5.0 * ROW_HEIGHT);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink(false).show(ui, |ui| {
        if sections.is_empty() {
            ui.weak("No results");
        }
        let columns = columns(window.width());
        ui.set_max_width(ui.available_width() - SCROLL_BAR_WIDTH);
        // To make the columns about equally high, all rows are counted as one long column, which is cut into equal parts. A section belongs
        // to the part that its middle row lies in. A title counts as two rows. Few sections may leave a part empty, and it gets no column.
        let all_rows: usize = sections.iter().map(|section| section.rows.len() + 2).sum();
        ui.spacing_mut().item_spacing.x = COLUMN_GAP;
        ui.columns(columns as usize, |ui| {
            let (mut rows_before, mut column, mut last_part) = (0, 0, None);
            for section in &sections {
                let part = (rows_before + section.rows.len() / 2) * columns as usize / all_rows;
                column += usize::from(last_part.is_some_and(|last| last < part));
                section_ui(&mut ui[column], section);
                rows_before += section.rows.len() + 2;
                last_part = Some(part);
            }
        });
    });
}

/// The sections, each with only the rows that match the search. Sections without such rows are left out.
fn sections(search: &str, navigation: Navigation) -> Vec<Section> {
    let of_category = |category: Category| Section {
        title: category.label(),
        rows: TABLE.iter().filter(|entry| entry.category == category).map(|entry| (entry.label, keys(entry.keys))).collect(),
    };
    let others = MOUSE.map(|(effect, input)| (effect, input.replace("Ctrl", keys::COMMAND_NAME)));
    let mouse = Section { title: "Mouse", rows: navigation::gestures(navigation).chain(others).collect() };
    let query = search_field::query(search);
    let is_match = |title: &str, effect: &str, input: &str| [title, effect, input].iter().any(|text| search_field::matches(text, &query));
    let mut sections: Vec<_> = Category::ALL.into_iter().map(of_category).chain([mouse]).collect();
    for section in &mut sections {
        let title = section.title;
        section.rows.retain(|(effect, input)| is_match(title, effect, input));
    }
    sections.retain(|section| !section.rows.is_empty());
    sections
}

/// The keys of an action in words.
fn keys(keys: &[KeyBinding]) -> String {
    if keys.is_empty() { NO_KEY.to_owned() } else { keys.iter().map(KeyBinding::text).collect::<Vec<_>>().join(OR) }
}

/// Draws a section: its title, then its rows, with the keys at the right edge.
fn section_ui(ui: &mut Ui, section: &Section) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.label(text::section(ui, section.title));
    for (effect, input) in &section.rows {
        ui.allocate_ui_with_layout(vec2(ui.available_width(), ROW_HEIGHT), Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            input_ui(ui, input);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(egui::Label::new(*effect).truncate()));
        });
    }
    ui.add_space(theme::SECTION_GAP);
}

/// Draws the keys or mouse gestures of a row as key caps, from right to left.
fn input_ui(ui: &mut Ui, input: &str) {
    if input == NO_KEY {
        ui.weak(input);
        return;
    }
    for (i, keys) in input.rsplit(OR).enumerate() {
        if i > 0 {
            ui.weak(OR.trim());
        }
        key_cap::chord_ui(ui, keys);
    }
}
