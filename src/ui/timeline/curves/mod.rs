//! The curve editor: the channels of the selected nodes over time, as values or velocities. It reads the animation, keeps the tessellated
//! lines in [`CurvesState`], and draws the names at the left and the lines on the ruler's time axis.

pub mod channel;
pub mod dash;
pub mod hit;
pub mod hue;
pub mod marks;
pub mod names;
pub mod plot;
pub mod samples;
pub mod state;
pub mod value_axis;

use egui::{Align, Button, Color32, Label, Layout, RichText, Role, TextStyle, Ui, UiBuilder, WidgetInfo, vec2};

use crate::ui::context::Context;
use crate::ui::style::theme;

use super::track_area::TrackArea;

use state::CurvesState;

/// Minimum width of the header that shows the fit button, in points. In a narrower header, a double click or the context menu of the plot
/// still fits the curves.
const MIN_WIDTH_FOR_FIT: f32 = 140.0;

/// Draws the names and the plot.
pub fn curves_ui(ui: &mut Ui, state: &mut CurvesState, context: &mut Context, area: &TrackArea) {
    let &TrackArea { names, tracks, axis } = area;
    if !state.update(context.document, context.view, context.preferences.euler_curves) {
        // The survey of the keys continues in the next frame.
        ui.ctx().request_repaint();
    }
    if state.channels.is_empty() {
        let text = RichText::new(no_curves_reason(context)).text_style(TextStyle::Small).color(theme::palette(ui.ctx()).secondary);
        // The margin keeps the text clear of the playhead at time 0.
        let inner = tracks.shrink2(vec2(3.0 * theme::MARGIN, 0.0));
        let place = UiBuilder::new().id_salt("no curves").max_rect(inner).layout(Layout::top_down(Align::Center));
        let mut message = ui.new_child(place);
        message.add_space((tracks.height() / 2.0 - theme::INSPECTOR_ROW_HEIGHT / 2.0).max(0.0));
        message.add(Label::new(text).wrap());
    } else {
        let mut list = ui.new_child(UiBuilder::new().id_salt("curve names").max_rect(names));
        list.set_clip_rect(list.max_rect().intersect(ui.clip_rect()));
        names::names_ui(&mut list, state, context);
        plot::plot_ui(ui, state, context, tracks, axis);
    }
    // The names and the plot both highlight the curve under the pointer, and either of them may find it. So both use the result of the last
    // frame.
    let hovered_next = state.hovered_next.take();
    if state.hovered != hovered_next {
        state.hovered = hovered_next;
        ui.ctx().request_repaint();
    }
}

/// The reason why no curve is shown.
fn no_curves_reason(context: &Context) -> &'static str {
    match context.view.selection.as_slice() {
        [] => "Select a node to see its curves",
        [_] => "This animation does not animate the selected node",
        _ => "This animation animates none of the selected nodes",
    }
}

/// Draws the header above the names: switches for velocities and Euler angles, and the button that fits the curves.
pub fn header_ui(ui: &mut Ui, state: &mut CurvesState, context: &mut Context) {
    let room = ui.available_width();
    ui.spacing_mut().button_padding.x = 6.0;
    let hint = "Rate of change per second\nOff: values";
    toggle_ui(ui, "Velocity", hint, &mut state.velocity);
    let hint = "Rotations as XYZ Euler angles in degrees\nOff: quaternion components";
    toggle_ui(ui, "Euler", hint, &mut context.preferences.euler_curves);
    if room < MIN_WIDTH_FOR_FIT {
        return;
    }
    let fit = ui.add(Button::new(small(ui, "Fit")).fill(Color32::TRANSPARENT).stroke(egui::Stroke::NONE));
    fit.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Fit curves"));
    if fit.on_hover_text("Fit visible curves (double-click the curves)").clicked() {
        state.fit();
    }
}

/// Draws a switch as a small button.
fn toggle_ui(ui: &mut Ui, label: &str, hint: &str, on: &mut bool) {
    let palette = theme::palette(ui.ctx());
    let color = if *on { palette.accent } else { palette.secondary };
    let fill = if *on { palette.selection } else { Color32::TRANSPARENT };
    let text = small(ui, label).color(color);
    let response = ui.add(Button::new(text).fill(fill).stroke(egui::Stroke::NONE));
    response.widget_info(|| WidgetInfo::selected(Role::Switch, true, *on, label));
    if response.on_hover_text(hint).clicked() {
        *on = !*on;
    }
}

/// A text in the small font.
fn small(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).font(TextStyle::Small.resolve(ui.style())).color(theme::palette(ui.ctx()).secondary)
}
