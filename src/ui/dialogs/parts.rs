//! Parts that the dialogs share: labels, buttons, and the key that confirms.

use egui::{Align, Key, Layout, RichText, Ui, vec2};

use crate::ui::style::theme;

/// Width of the labels before values, in points.
const LABEL: f32 = 56.0;

/// What stands before a value: as wide as the others, so that the values stand in a column.
pub fn label(ui: &mut Ui, text: &str) -> egui::Response {
    let row = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(LABEL, theme::CONTROL), row, |ui| {
        ui.set_min_width(LABEL);
        ui.label(text)
    })
    .inner
}

/// At the bottom right, the one that goes on first.
pub fn buttons(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(ui.available_width(), theme::CONTROL), Layout::right_to_left(Align::Center), content);
}

/// The button that goes on: there is one in a dialog.
pub fn primary_button(ui: &mut Ui, label: &str) -> egui::Response {
    let palette = theme::palette(ui.ctx());
    ui.add(egui::Button::new(RichText::new(label).color(palette.on_accent)).fill(palette.accent))
}

/// Enter goes on, unless it ends the typing of a number.
pub fn entered(ui: &Ui) -> bool {
    ui.memory(|memory| memory.focused().is_none()) && ui.input(|input| input.key_pressed(Key::Enter))
}
