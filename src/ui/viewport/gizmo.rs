//! The axis gizmo in the corner of the viewport. It shows the camera's orientation. A click on an axis chooses one of the six
//! standard views.

use egui::{Align2, Color32, FontId, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};

use glam::DVec3;

use crate::camera::Camera;
use crate::session::camera::orbit_controls::StandardView;
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::style::theme;

/// Width and height of the gizmo, in points. The ring around a hovered ball may extend 2 points beyond this square.
pub const SIZE: f32 = 48.0;
/// Distance from the viewport's edges, in points.
const INSET: f32 = 16.0;
/// Radius of the ball at the end of an axis, in points.
const BALL_RADIUS: f32 = 8.0;
/// Length of an axis up to the center of its ball, in points.
const ARM: f32 = SIZE / 2.0 - BALL_RADIUS + 2.0;

/// The rectangle of the gizmo in a viewport.
pub fn rect(viewport: Rect) -> Rect {
    let center = viewport.right_top() + vec2(-INSET - SIZE / 2.0, INSET + SIZE / 2.0);
    Rect::from_center_size(center, Vec2::splat(2.0 * (ARM + BALL_RADIUS)))
}

/// Draws the gizmo and handles clicks on it. A viewport that is too small has none.
pub fn gizmo_ui(ui: &mut Ui, context: &mut Context, viewport: Rect, camera: &Camera) {
    let units = context.preferences.units;
    let rect = rect(viewport);
    if !viewport.contains_rect(rect) {
        return;
    }
    let center = rect.center();
    // Farther axes come first, so that nearer axes are painted over them and receive the clicks.
    let mut sides = StandardView::ALL.map(|side| (side, camera.view_from_world.matrix3 * side.direction()));
    sides.sort_by(|a, b| a.1.z.total_cmp(&b.1.z));
    for (side, direction) in sides {
        let ball_center = center + vec2(direction.x as f32, -direction.y as f32) * ARM;
        let ball = Rect::from_center_size(ball_center, Vec2::splat(BALL_RADIUS * 2.0));
        let response = ui.interact(ball, egui::Id::unique(("gizmo", side.name())), Sense::CLICK);
        let faces_user = direction.z > 0.999_999;
        let label = format!("{} view", side.name());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        ball_ui(ui, center, ball_center, units.turned(side.direction()), response.hovered());
        // A click on the axis that faces the user chooses the opposite view.
        let goal = if faces_user { side.opposite() } else { side };
        if response.clicked() {
            camera::look(context, goal);
        }
        response.on_hover_text(format!("{} view ({})", goal.name(), axis_name(units.turned(goal.direction()))));
    }
}

/// Draws the ball at one end of an axis. `direction` is in the coordinate system that the user has chosen. `origin` is the center of the
/// gizmo.
fn ball_ui(ui: &Ui, origin: Pos2, center: Pos2, direction: DVec3, hovered: bool) {
    let (axis, positive) = axis(direction);
    let palette = theme::palette(ui.ctx());
    let (color, painter) = (palette.axes[axis], ui.painter());
    let letter = |text: &str, color: Color32| {
        painter.text(center, Align2::CENTER_CENTER, text, FontId::new(10.0, theme::section_font().family), color);
    };
    if positive {
        painter.line_segment([origin, center], Stroke::new(2.0, color));
        painter.circle_filled(center, BALL_RADIUS - 1.0, color);
        letter(&axis_name(direction)[1..], palette.on_accent);
    } else {
        painter.circle(center, BALL_RADIUS - 2.5, palette.viewport, Stroke::new(1.5, color));
        if hovered {
            letter(&axis_name(direction)[1..], palette.text);
        }
    }
    if hovered {
        painter.circle_stroke(center, BALL_RADIUS, Stroke::new(1.5, palette.text));
    }
}

/// Index of the axis, 0 to 2, and whether this is its positive end.
fn axis(direction: DVec3) -> (usize, bool) {
    let axis = direction.abs().max_position();
    (axis, direction[axis] > 0.0)
}

/// The name of the axis that a direction points along: "+X".
fn axis_name(direction: DVec3) -> String {
    let (axis, positive) = axis(direction);
    format!("{}{}", if positive { '+' } else { '-' }, ['X', 'Y', 'Z'][axis])
}
