//! Above the names: what the curves show, and what brings them into view.

use egui::{Button, Color32, Rect, RichText, Role, TextStyle, Ui, UiBuilder, WidgetInfo};

use crate::ui::{Frame, theme};

use super::state::CurvesState;

pub const HEIGHT: f32 = 28.0;

pub fn header_ui(ui: &mut Ui, frame: &mut Frame, state: &mut CurvesState, rect: Rect) {
    let place = rect.shrink2(egui::vec2(4.0, 2.0));
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let mut row = ui.new_child(UiBuilder::new().id_salt("curves header").max_rect(place).layout(layout));
    row.spacing_mut().item_spacing.x = 2.0;
    row.spacing_mut().button_padding.x = 6.0;
    let about = "How fast values change, a second\nOff: the values themselves";
    toggle_ui(&mut row, "Velocity", about, &mut state.velocity);
    let about = "Rotations in degrees about the fixed axes X, then Y, then Z\nOff: the components of the quaternion";
    toggle_ui(&mut row, "Euler", about, &mut frame.state.preferences.euler_curves);
    let fit = row.add(Button::new(small(&row, "Fit")).fill(Color32::TRANSPARENT).stroke(egui::Stroke::NONE));
    fit.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Fit curves"));
    if fit.on_hover_text("Fit the values that are drawn (double click on the curves)").clicked() {
        state.fit();
    }
}

fn toggle_ui(ui: &mut Ui, label: &str, about: &str, on: &mut bool) {
    let palette = theme::palette(ui.ctx());
    let color = if *on { palette.accent } else { palette.secondary };
    let fill = if *on { palette.selection } else { Color32::TRANSPARENT };
    let text = small(ui, label).color(color);
    let response = ui.add(Button::new(text).fill(fill).stroke(egui::Stroke::NONE));
    response.widget_info(|| WidgetInfo::selected(Role::Switch, true, *on, label));
    if response.on_hover_text(about).clicked() {
        *on = !*on;
    }
}

fn small(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).font(TextStyle::Small.resolve(ui.style())).color(theme::palette(ui.ctx()).secondary)
}
