//! Over the names: what the curves show, and what brings them into view.

use egui::{Button, Color32, RichText, Role, TextStyle, Ui, WidgetInfo};

use crate::ui::context::Context;
use crate::ui::style::theme;

use super::state::CurvesState;

/// Where there is less room, a double click alone fits the curves.
const WITH_FIT: f32 = 140.0;

pub fn header_ui(ui: &mut Ui, state: &mut CurvesState, context: &mut Context) {
    let room = ui.available_width();
    ui.spacing_mut().button_padding.x = 6.0;
    let about = "How fast values change, a second\nOff: the values themselves";
    toggle_ui(ui, "Velocity", about, &mut state.velocity);
    let about = "Rotations in degrees about the fixed axes X, then Y, then Z\nOff: the components of the quaternion";
    toggle_ui(ui, "Euler", about, &mut context.preferences.euler_curves);
    if room < WITH_FIT {
        return;
    }
    let fit = ui.add(Button::new(small(ui, "Fit")).fill(Color32::TRANSPARENT).stroke(egui::Stroke::NONE));
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
