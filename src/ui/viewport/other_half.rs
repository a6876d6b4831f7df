//! The comparison in the viewport: labels and legends, and the pointer over the half of B, which moves the same camera.

use egui::{Id, PointerButton, Rect, Role, Sense, Stroke, Ui, WidgetInfo};
use glam::DVec2;

use crate::camera::Camera;
use crate::captions::joint_names::{self, Names};
use crate::captions::legends::comparison;
use crate::session::camera::screen::ScreenProjection;
use crate::session::view::display::JointNames;
use crate::ui::actions::navigation::{self, Gesture};
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::context::comparison::OtherPose;
use crate::ui::style::theme;

/// Minimum width of a half that shows its label, in points.
const MIN_LABELED_WIDTH: f32 = 100.0;

/// Moves the camera by drags and the wheel over the half of B, as over that of A.
pub fn controls_ui(ui: &mut Ui, context: &mut Context, rect: Rect) {
    let grip = ui.style().interaction.resize_grab_radius_side;
    let response = ui.interact(rect.shrink(grip + 1.0), Id::unique("viewport of B"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Viewport of B"));
    let modifiers = ui.input(|input| input.modifiers);
    for button in [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary] {
        let gesture = navigation::gesture(context.preferences.navigation, button, modifiers);
        if let Some(gesture) = gesture.filter(|gesture| response.dragged_by(button) && *gesture != Gesture::Select) {
            let delta = response.drag_delta();
            camera::change_orbit(context, |orbit| navigation::drag(orbit, gesture, delta, rect.size()));
        }
    }
    if let Some(pointer) = response.hover_pos() {
        super::apply_scroll(ui, context, pointer, rect);
    }
}

/// Draws the labels and legends of the comparison over the viewport, and the names of B's joints. `halves` are the places of A and B.
pub fn readouts_ui(ui: &Ui, context: &Context, [left, right]: [Rect; 2], other: OtherPose, camera: &Camera) {
    let Some(status) = &context.status.comparison else { return };
    let colors = theme::picture_colors(ui.ctx());
    let is_split = left != right;
    let paint = |rect: Rect, legend: &comparison::Legend| {
        // Even a small half has a label, because the halves look alike.
        if rect.width() > MIN_LABELED_WIDTH {
            comparison::paint(&ui.painter_at(rect), colors, rect, legend);
        }
    };
    paint(left, &status.legend(colors, context.preferences.units));
    if !is_split {
        return;
    }
    paint(right, &status.other_legend());
    let line = Stroke::new(1.0, theme::palette(ui.ctx()).divider);
    ui.painter().vline((left.right() + right.left()) / 2.0, left.y_range(), line);
    if other.view.display.names != JointNames::None {
        let projection = ScreenProjection { camera: *camera, size: DVec2::new(right.width().into(), right.height().into()) };
        let OtherPose { document, view, posed } = other;
        let names = Names { document, view, posed, projection: &projection, hovered: None, style: context.preferences.names };
        joint_names::paint(&ui.painter_at(right), colors, right.min, &names);
    }
}
