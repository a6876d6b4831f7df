//! A combo box for a list of choices. A value that is wider than the box is shortened.

use egui::{ComboBox, Response, Role, Ui, WidgetInfo};

/// Draws a combo box of this width, in points. Its name for screen readers is `label` with the current value, `shown`.
pub fn combo_ui(ui: &mut Ui, label: &str, width: f32, shown: &str, choices: impl FnOnce(&mut Ui)) -> Response {
    let response = unnamed_combo_ui(ui, label, width, shown, choices);
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{label}: {shown}")));
    response
}

/// Draws a combo box that picks one of `choices`, and is named like that of [`combo_ui`].
pub fn values_ui<T: Copy + PartialEq>(ui: &mut Ui, label: &str, width: f32, choices: &[(&str, T)], value: &mut T) -> Response {
    let shown = choices.iter().find(|(_, choice)| choice == value).map_or("", |(name, _)| name);
    combo_ui(ui, label, width, shown, |ui| {
        for (name, choice) in choices {
            ui.selectable_value(value, *choice, *name);
        }
    })
}

/// Draws a combo box whose name for screen readers the caller sets, such as by [`Response::labelled_by`]. `id` is unique among the combo
/// boxes of `ui`.
pub fn unnamed_combo_ui(ui: &mut Ui, id: &str, width: f32, shown: &str, choices: impl FnOnce(&mut Ui)) -> Response {
    ComboBox::from_id_salt(id).selected_text(shown).width(width).truncate().show_ui(ui, choices).response
}
