//! The row of an action that is on or off: its name and a box; a click anywhere in the row switches it.

use egui::{Checkbox, Label, Role, Sense, Ui, WidgetInfo};

use crate::ui::actions::action::Action;
use crate::ui::context::Context;

use super::value_rows;

pub fn switch_row_ui(ui: &mut Ui, context: &mut Context, label: &str, action: Action) {
    described_ui(ui, context, label, action, "");
}

/// `about`: beside the box.
pub fn described_ui(ui: &mut Ui, context: &mut Context, label: &str, action: Action, about: &str) {
    let mut on = action.is_on(context).unwrap_or_default();
    let hindrance = action.disabled_reason(context);
    let tooltip = hindrance.map_or_else(|| action.tooltip(), |why| format!("{}\n{why}", action.tooltip()));
    let (row, ticked) = value_rows::clickable_row_ui(ui, label, |ui| {
        let response = ui.add_enabled(hindrance.is_none(), Checkbox::without_text(&mut on));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, hindrance.is_none(), on, action.label()));
        ui.add(Label::new(about).truncate().sense(Sense::hover()));
        response.on_disabled_hover_text(&tooltip).on_hover_text(&tooltip).changed()
    });
    let row_clicked = row.on_hover_text(tooltip).clicked() && hindrance.is_none();
    if ticked || row_clicked {
        context.actions.push(action);
    }
}
