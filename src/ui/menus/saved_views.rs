//! The menu rows of focal lengths, camera bookmarks and view presets.

use egui::Ui;

use crate::session::camera::bookmarks::Bookmark;
use crate::session::camera::lens;
use crate::session::camera::view_preset::ViewPreset;
use crate::session::saved_list::shown_name;
use crate::ui::actions::Action;
use crate::ui::commands::camera::{self, bookmarks, view_presets};
use crate::ui::context::Context;
use crate::ui::style::icons;
use crate::ui::widgets::menu_item::{self, actions, submenu};
use crate::ui::widgets::number_field;

/// Draws the common focal lengths, and a field for any other.
pub fn focal_length_rows(ui: &mut Ui, context: &mut Context) {
    let yfov = camera::yfov(context);
    for preset in lens::PRESETS {
        let on = lens::round_focal_length(yfov) == Some(preset);
        if menu_item::item(ui, &format!("{preset} mm"), "", Some(on)).clicked() {
            camera::set_focal_length(context, preset);
            ui.close();
        }
    }
    ui.horizontal(|ui| {
        // In the style of menus, the number would not look draggable.
        ui.reset_style();
        ui.add_space(icons::BUTTON_SIDE);
        let label = ui.label("Focal length");
        let mut focal_length = lens::focal_length(yfov);
        let [shortest, longest] = lens::FOCAL_LENGTHS;
        let value = number_field::with_decimals(&mut focal_length, 1).range(shortest..=longest).speed(0.2).suffix(" mm");
        // A camera of the file may have any focal length, and must not change because it is shown.
        let response = ui.add(value.clamp_existing_to_range(false)).labelled_by(label.id);
        let hint = format!(
            "35 mm equivalent, measured by the height of a sensor of 36 \u{D7} 24 mm.\nVertical field of view {:.1}\u{00B0}",
            yfov.to_degrees()
        );
        if response.on_hover_text(hint).changed() {
            camera::set_focal_length(context, (focal_length * 10.0).round() / 10.0);
        }
    });
}

/// Draws the bookmarks of the open file.
pub fn bookmarks_menu(ui: &mut Ui, context: &mut Context) {
    submenu(ui, "Bookmarks", |ui| {
        let names: Vec<_> = bookmarks::of_file(context).iter().map(|Bookmark { name, .. }| shown_name(name)).collect();
        if let Some(number) = name_rows(ui, &names) {
            bookmarks::go_to(context, number);
        }
        actions(ui, context, &[Action::SaveBookmark, Action::EditBookmarks]);
    });
}

/// Draws the view presets.
pub fn presets_menu(ui: &mut Ui, context: &mut Context) {
    submenu(ui, "View presets", |ui| {
        let names: Vec<_> = context.preferences.view_presets.iter().map(|ViewPreset { name, .. }| shown_name(name)).collect();
        if let Some(number) = name_rows(ui, &names) {
            view_presets::apply(context, number);
        }
        actions(ui, context, &[Action::SavePreset, Action::EditPresets]);
    });
}

/// Draws a row for each name, and a separator below. Returns the row that was clicked.
fn name_rows(ui: &mut Ui, names: &[&str]) -> Option<usize> {
    let mut chosen = None;
    for (number, name) in names.iter().enumerate() {
        if ui.push_id(number, |ui| menu_item::item(ui, name, "", None)).inner.clicked() {
            chosen = Some(number);
            ui.close();
        }
    }
    if !names.is_empty() {
        ui.separator();
    }
    chosen
}
