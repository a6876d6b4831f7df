//! The trail dots under the pointer: a card shows the joint, time and speed of a dot, and a click moves the playhead to its time.

use egui::{Color32, CursorIcon, Stroke, Ui, vec2};
use glam::DVec2;

use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::motion::trail;
use crate::session::motion::trail_measures::{self, TrailMark};
use crate::session::pick;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::session::view::display::Depth;
use crate::session::view::playback_range;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::style::theme;
use crate::ui::style::time_text;
use crate::ui::widgets::hover_card::{self, CardPosition, CardRow, HoverCard};

use super::pick_query::MAX_CPU_PICK_VERTICES;

/// Distances that differ by less than this, in points, count as equal. Except for rounding errors, the dot of the current time is at its
/// joint.
const DISTANCE_TOLERANCE: f64 = 0.5;

/// A dot under the pointer, and the speed of its node at the time of the dot. Speeds are in meters per second.
#[derive(Debug, Clone, Copy)]
pub struct HoveredDot {
    pub dot: TrailMark,
    speed: f64,
    /// Maximum speed of all trails.
    top_speed: f64,
}

/// Returns the dot under a point. A dot takes precedence over meshes, and over joints that are farther from the point.
pub fn under(context: &Context, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> Option<HoveredDot> {
    let (document, view, moment) = (context.document, &*context.view, context.transport.moment());
    let motion = context.analyses.motions.get_or_request(&trail::request(document, view, &moment)?)?;
    let time = moment.played_time(&document.model, view);
    let (dot, distance) =
        trail_measures::under(&trail_measures::trail_marks(document, view, &motion, projection, time), projection, point)?;
    let joint = pick::joints_under(document, view, posed, projection, point).first().copied();
    let joint = joint.and_then(|joint| projection.project(posed.globals[joint.index()].translation));
    if joint.is_some_and(|joint| joint.point.distance(point) <= distance + DISTANCE_TOLERANCE)
        || is_hidden(context, posed, projection, &dot)
    {
        return None;
    }
    let top_speed = trail::top_speed(&motion, &trail::nodes(&document.model, view));
    Some(HoveredDot { dot, speed: trail_measures::speed(&motion, dot.node, dot.time)?, top_speed })
}

/// Returns whether the mesh hides the dot. For models with many vertices the test takes too long, so every dot counts as visible.
fn is_hidden(context: &Context, posed: &Posed, projection: &ScreenProjection, dot: &TrailMark) -> bool {
    let View { display, .. } = &*context.view;
    let Some(projected) = projection.project(dot.position).filter(|_| display.trail.depth == Depth::Occluded && !display.xray) else {
        return false;
    };
    pick::vertices_under(context.document, posed, projection, projected.point) < MAX_CPU_PICK_VERTICES
        && pick::meshes_under(context.document, context.view, posed, projection, projected.point)
            .first()
            .is_some_and(|hit| hit.depth < projected.depth)
}

/// Returns whether a click can move the playhead. It cannot while layers play over the rest pose.
pub fn can_seek(context: &Context) -> bool {
    playback_range::duration(&context.document.model, context.view) > 0.0
}

/// Moves the playhead to the time of the dot.
pub fn seek_to(context: &mut Context, hovered: &HoveredDot) {
    context.transport.pause();
    playback::seek(context, hovered.dot.time);
}

/// Draws a ring around the dot and a card beside it.
pub fn hovered_ui(ui: &mut Ui, context: &Context, projection: &ScreenProjection, hovered: &HoveredDot, position: CardPosition) {
    let rect = position.inside;
    let (units, node) = (context.preferences.units, NodeIndex(hovered.dot.node as u32));
    let palette = theme::palette(ui.ctx());
    if let Some(projected) = projection.project(hovered.dot.position) {
        let (painter, center) = (ui.painter_at(rect), rect.min + vec2(projected.point.x as f32, projected.point.y as f32));
        painter.circle_stroke(center, 6.0, Stroke::new(3.0, palette.viewport));
        painter.circle_stroke(center, 6.0, Stroke::new(1.5, palette.text));
    }
    if can_seek(context) {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
    let [r, g, b] = trail::speed_color(&palette.speeds, if hovered.top_speed > 0.0 { hovered.speed / hovered.top_speed } else { 0.0 });
    let (time, speed) = (time_text::time_text(context, hovered.dot.time), units.speed(hovered.speed));
    let accessible_name = format!("{} at {time}: {speed}", context.document.model.node(node).label());
    let rows = vec![CardRow { color: Color32::from_rgb(r, g, b), name: time, value: speed }];
    hover_card::hover_card_ui(
        ui,
        &HoverCard { id: "trail dot", title: context.node_name(node).to_owned(), accessible_name, rows },
        position,
    );
}
