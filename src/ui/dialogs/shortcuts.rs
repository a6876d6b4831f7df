//! The shortcut page: every action with its keys, and the mouse gestures of the chosen navigation, in as many columns as fit.

use egui::{Align, Layout, Modifiers, ScrollArea, Ui, vec2};

use crate::ui::actions::entry::Category;
use crate::ui::actions::keys::{self, Binding};
use crate::ui::actions::navigation;
use crate::ui::actions::table::TABLE;
use crate::ui::context::Context;
use crate::ui::context::preferences::Navigation;
use crate::ui::style::{text, theme};
use crate::ui::widgets::{key_cap, search_field};

/// Width of a column, in points.
const COLUMN: f32 = 300.0;
/// Maximum number of columns, in a wide window.
const MAX_COLUMNS: f32 = 3.0;
/// Space between columns, in points.
const GAP: f32 = 24.0;
/// Width kept free for the scroll bar, in points.
const BAR: f32 = 12.0;
/// Width of margins beside the columns, in points.
const AROUND: f32 = 60.0;
/// Height of everything but the rows, in points: title, search, buttons.
const ABOVE_AND_BELOW: f32 = 200.0;
/// Height of a row, in points.
const ROW: f32 = 23.0;
/// Separates several keys of one action.
const OR: &str = " or ";
/// What stands in place of the keys of an action that has none.
const NO_KEY: &str = "menu";

/// Mouse gestures that are the same in every navigation.
pub const MOUSE: [(&str, &str); 9] = [
    ("Zoom to the pointer", "Wheel"),
    ("Select; click again: node behind", "Click"),
    ("Add to or remove from selection", "Ctrl+click"),
    ("Frame node", "Double click"),
    ("Context menu", "Right click"),
    ("Scrub", "Drag ruler"),
    ("Scrub without snapping", "Ctrl while dragging"),
    ("Zoom or pan timeline", "Wheel or Shift+wheel"),
    ("Play several in sequence", "Ctrl+click animations"),
];

/// A group of rows under a title.
struct Section {
    title: &'static str,
    /// Each row has an effect and the input for it.
    rows: Vec<(&'static str, String)>,
}

/// How many columns fit into a window of this width in points.
pub fn columns(window_width: f32) -> f32 {
    ((window_width - AROUND) / (COLUMN + GAP)).floor().clamp(1.0, MAX_COLUMNS)
}

/// The width of this many columns, in points.
pub fn width(columns: f32) -> f32 {
    columns * COLUMN + (columns - 1.0) * GAP + BAR
}

/// Draws the page. `search` is the text in its search field.
pub fn shortcuts_ui(ui: &mut Ui, search: &mut String, context: &Context) {
    let field = search_field::search_ui(ui, search, "Search shortcuts");
    // Typing starts a search at once.
    if ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
    }
    let sections = sections(search, context.preferences.navigation);
    let window = ui.ctx().content_rect();
    let height = (window.height() - ABOVE_AND_BELOW).max(5.0 * ROW);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, |ui| {
        if sections.is_empty() {
            ui.weak("No results");
        }
        let columns = columns(window.width());
        ui.set_max_width(ui.available_width() - BAR);
        // Columns have about equal heights: each section goes to the column that its middle lies in.
        let all: usize = sections.iter().map(|section| section.rows.len() + 2).sum();
        ui.spacing_mut().item_spacing.x = GAP;
        ui.columns(columns as usize, |ui| {
            let mut before = 0;
            for section in &sections {
                // The middle of the block if all rows formed one column.
                let middle = before + section.rows.len() / 2;
                before += section.rows.len() + 2;
                section_ui(&mut ui[middle * columns as usize / all], section);
            }
        });
    });
}

/// The sections in which something matches the search, each with its matching rows.
fn sections(search: &str, navigation: Navigation) -> Vec<Section> {
    let of_category = |category: Category| Section {
        title: category.label(),
        rows: TABLE.iter().filter(|entry| entry.category == category).map(|entry| (entry.label, keys(entry.keys))).collect(),
    };
    let others = MOUSE.map(|(does, how)| (does, how.replace("Ctrl+", &keys::held(Modifiers::COMMAND))));
    let mouse = Section { title: "Mouse", rows: navigation::gestures(navigation).chain(others).collect() };
    let wanted = search.trim().to_lowercase();
    let answers = |title: &str, does: &str, how: &str| [title, does, how].iter().any(|text| search_field::matches(text, &wanted));
    let mut sections: Vec<_> = Category::ALL.into_iter().map(of_category).chain([mouse]).collect();
    for section in &mut sections {
        let title = section.title;
        section.rows.retain(|(does, how)| answers(title, does, how));
    }
    sections.retain(|section| !section.rows.is_empty());
    sections
}

/// The keys of an action in words.
fn keys(keys: &[Binding]) -> String {
    if keys.is_empty() { NO_KEY.to_owned() } else { keys.iter().map(Binding::text).collect::<Vec<_>>().join(OR) }
}

/// Draws a section: its title, then its rows with the keys at the right.
fn section_ui(ui: &mut Ui, section: &Section) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.label(text::section(ui, section.title));
    for (does, how) in &section.rows {
        ui.allocate_ui_with_layout(vec2(ui.available_width(), ROW), Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            how_ui(ui, how);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(egui::Label::new(*does).truncate()));
        });
    }
    ui.add_space(theme::SECTION_GAP);
}

/// Draws the keys of a row as caps, from right to left.
fn how_ui(ui: &mut Ui, how: &str) {
    if how == NO_KEY {
        ui.weak(how);
        return;
    }
    for (i, keys) in how.rsplit(OR).enumerate() {
        if i > 0 {
            ui.weak(OR.trim());
        }
        key_cap::chord_ui(ui, keys);
    }
}
