//! Parts that the dialogs share: labels, buttons, and the key that confirms.

use egui::{Align, Key, Layout, RichText, ScrollArea, Ui, vec2};

use crate::ui::context::Context;
use crate::ui::context::app_status::ALREADY_EXPORTING;
use crate::ui::style::theme;
use crate::ui::widgets::combo_box;

/// Width kept free for the scroll bar of a dialog, in points.
pub const SCROLL_BAR_WIDTH: f32 = 12.0;

/// Width of the combo boxes of dialogs, in points.
pub const COMBO_WIDTH: f32 = 180.0;

/// Width of the labels before values, in points. The longest label, "Supersampling", fits.
const LABEL_WIDTH: f32 = 96.0;
/// Part of the window's height that the rows of a dialog cannot use, in points: heading, buttons and margins.
const HEIGHT_OUTSIDE: f32 = 140.0;
/// Minimum height of the rows of a dialog, in points.
const MIN_HEIGHT: f32 = 100.0;

/// Draws the rows of a dialog. If the window is too low for them, they scroll. The buttons are drawn below, so that they stay in the
/// window.
pub fn scrolled<T>(ui: &mut Ui, rows: impl FnOnce(&mut Ui) -> T) -> T {
    let height = max_height(ui);
    theme::keep_scroll_bars_visible(ui);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, rows).inner
}

/// Maximum height of the rows of a dialog in the current window, in points.
pub fn max_height(ui: &Ui) -> f32 {
    (ui.ctx().content_rect().height() - HEIGHT_OUTSIDE).max(MIN_HEIGHT)
}

/// Draws a label of fixed width, so that the values line up.
pub fn label(ui: &mut Ui, text: &str) -> egui::Response {
    let row = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(LABEL_WIDTH, theme::CONTROL_HEIGHT), row, |ui| {
        ui.set_min_width(LABEL_WIDTH);
        ui.label(text)
    })
    .inner
}

/// Draws a row with a label and a combo box. `shown` is the current value.
pub fn choice_ui(ui: &mut Ui, name: &str, shown: &str, choices: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let label = label(ui, name);
        combo_box::unnamed_combo_ui(ui, name, COMBO_WIDTH, shown, choices).labelled_by(label.id);
    });
}

/// Draws the buttons of a dialog from right to left. `content` adds the confirming button first, at the right edge.
pub fn buttons(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(ui.available_width(), theme::CONTROL_HEIGHT), Layout::right_to_left(Align::Center), content);
}

/// Draws the button that confirms the dialog.
pub fn primary_button(ui: &mut Ui, label: &str) -> egui::Response {
    let palette = theme::palette(ui.ctx());
    ui.add(egui::Button::new(RichText::new(label).color(palette.on_accent)).fill(palette.accent))
}

/// Draws the button that starts an export. While another export runs, the button is disabled and says so. Returns whether the button was
/// clicked or Enter was pressed.
pub fn export_button_ui(ui: &mut Ui, context: &Context, can_export: bool) -> bool {
    let is_exporting = context.status.exporting.is_some();
    let is_enabled = can_export && !is_exporting;
    let mut button = ui.add_enabled_ui(is_enabled, |ui| primary_button(ui, "Export...")).inner;
    if is_exporting {
        button = button.on_disabled_hover_text(ALREADY_EXPORTING);
    }
    button.clicked() || is_enabled && entered(ui)
}

/// Returns whether Enter was pressed to confirm. While a field has the focus, Enter only ends the editing of the field.
pub fn entered(ui: &Ui) -> bool {
    ui.memory(|memory| memory.focused().is_none()) && ui.input(|input| input.key_pressed(Key::Enter))
}
