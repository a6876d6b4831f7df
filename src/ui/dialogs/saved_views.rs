//! The dialogs that rename, use and delete camera bookmarks and view presets.

use egui::{TextEdit, Ui};

use crate::session::saved_list::{MAX_NAME_CHARS, plain_name};
use crate::ui::commands::camera::{bookmarks, view_presets};
use crate::ui::context::Context;
use crate::ui::style::icons;
use crate::ui::widgets::single_click;

use super::parts;

/// Maximum height of the list, in points. A longer list scrolls.
const LIST_HEIGHT: f32 = 300.0;
/// Width of the buttons beside a name, in points.
const BUTTONS_WIDTH: f32 = 110.0;

/// A change that the user makes to an entry, with the entry's number.
enum EntryChange {
    Use(usize),
    Rename(usize, String),
    Delete(usize),
}

/// Draws the dialog for the bookmarks of the open file.
pub fn bookmarks_ui(ui: &mut Ui, context: &mut Context) {
    let names: Vec<_> = bookmarks::of_file(context).iter().map(|bookmark| bookmark.name.clone()).collect();
    match entries_ui(ui, names, "Go to", "No bookmarks of this file") {
        Some(EntryChange::Use(number)) => bookmarks::go_to(context, number),
        Some(EntryChange::Rename(number, name)) => bookmarks::change(context, |bookmarks| bookmarks[number].name = name),
        Some(EntryChange::Delete(number)) => bookmarks::change(context, |bookmarks| {
            bookmarks.remove(number);
        }),
        None => {}
    }
}

/// Draws the dialog for the view presets.
pub fn presets_ui(ui: &mut Ui, context: &mut Context) {
    let names: Vec<_> = context.preferences.view_presets.iter().map(|preset| preset.name.clone()).collect();
    match entries_ui(ui, names, "Apply", "No view presets") {
        Some(EntryChange::Use(number)) => view_presets::apply(context, number),
        Some(EntryChange::Rename(number, name)) => context.preferences.view_presets[number].name = name,
        Some(EntryChange::Delete(number)) => {
            context.preferences.view_presets.remove(number);
        }
        None => {}
    }
}

/// Draws the entries, each with a field for its name, a button that uses the entry and a button that deletes it. If there are no entries,
/// draws the text `empty`.
fn entries_ui(ui: &mut Ui, names: Vec<String>, verb: &str, empty: &str) -> Option<EntryChange> {
    if names.is_empty() {
        ui.weak(empty);
    }
    let mut change = None;
    egui::ScrollArea::vertical().max_height(parts::max_height(ui).min(LIST_HEIGHT)).show(ui, |ui| {
        for (number, mut name) in names.into_iter().enumerate() {
            ui.horizontal(|ui| {
                let width = ui.available_width() - BUTTONS_WIDTH;
                let use_label = format!("{verb} {name}");
                let delete_label = format!("Delete {name}");
                let field = TextEdit::singleline(&mut name).id_salt(number).char_limit(MAX_NAME_CHARS).desired_width(width);
                if ui.add(field).accessible_name(format!("Name {}", number + 1)).changed() {
                    change = Some(EntryChange::Rename(number, plain_name(&name)));
                }
                if ui.button(verb).accessible_name(use_label).clicked() {
                    change = Some(EntryChange::Use(number));
                }
                if single_click::clicked_once(&icons::button(ui, icons::CLOSE, &delete_label).on_hover_text("Delete")) {
                    change = Some(EntryChange::Delete(number));
                }
            });
        }
    });
    change
}
