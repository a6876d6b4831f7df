//! Draws the ground speed of the root as a graph on the time axis.

use std::sync::Arc;

use egui::{Align2, FontId, Label, Rect, RectAlign, Role, Sense, Shape, Stroke, TextStyle, Tooltip, Ui, WidgetInfo, pos2, vec2};

use crate::session::locomotion::Locomotion;
use crate::ui::context::Context;
use crate::ui::style::time_text;
use crate::ui::style::{text, theme};
use crate::ui::timeline::time_axis::TimeAxis;
use crate::ui::timeline::track_area::TrackArea;

use super::message_ui;

/// Height of the lane, in points.
pub const HEIGHT: f32 = 44.0;
// Space above the greatest speed, in points. The text of that speed is drawn there.
const TOP_MARGIN: f32 = 14.0;
// Space below the line of speed zero, in points.
const BOTTOM_MARGIN: f32 = 4.0;

/// Draws the lane. At the left are the speed at the playhead and the average speed. At the right is the graph. A tooltip shows the speed at
/// the time under the pointer.
pub fn speed_ui(ui: &mut Ui, context: &Context, locomotion: Option<&Arc<Locomotion>>, area: &TrackArea) {
    let &TrackArea { names, tracks: track, axis } = area;
    let (palette, units) = (theme::palette(ui.ctx()), context.preferences.units);
    let left = pos2(names.left() + theme::MARGIN, names.top() + 12.0);
    let painter = ui.painter_at(names);
    painter.text(left, Align2::LEFT_CENTER, "Speed", TextStyle::Body.resolve(ui.style()), palette.text);
    ui.painter_at(area.all()).hline(names.left()..=track.right(), names.bottom(), ui.visuals().widgets.noninteractive.bg_stroke);
    let Some(locomotion) = locomotion else { return message_ui(ui, track, "Calculating...") };
    let Some(root) = &locomotion.root else { return no_travel_ui(ui, context, locomotion, track) };
    let time = context.transport.moment().played_time(&context.document.model, context.view);
    let (current, max) = (locomotion.speed(time).unwrap_or_default(), locomotion.travel.top);
    let right = pos2(names.right() - theme::MARGIN, left.y);
    painter.text(right, Align2::RIGHT_CENTER, units.speed(current), theme::number_font(), palette.text);
    let node = context.document.model.nodes[root.node].label();
    let font = FontId::proportional(11.0);
    let below = pos2(left.x, names.top() + 31.0);
    let average = format!("{node}, average {}", units.speed(locomotion.travel.mean));
    let short = text::elide_middle(ui, &average, &font, names.width() - 2.0 * theme::MARGIN);
    painter.text(below, Align2::LEFT_CENTER, short, font, palette.secondary);
    graph(ui, locomotion, (max, &units.speed(max)), track, axis);

    let response = ui.interact(track, ui.scope_id().with("speed"), Sense::hover());
    response.widget_info(|| {
        let label = format!("Speed of {node}: {} now, max {}", units.speed(current), units.speed(max));
        WidgetInfo { value: Some(current), ..WidgetInfo::labeled(Role::Label, true, label) }
    });
    let Some(pointer) = response.hover_pos() else { return };
    let time = axis.time(pointer.x).clamp(axis.span[0], axis.span[1]);
    let speed = locomotion.speed(time).unwrap_or_default();
    let mut tooltip = Tooltip::for_enabled(&response);
    tooltip.popup = tooltip.popup.anchor(Rect::from_center_size(pointer, vec2(0.0, 24.0))).align(RectAlign::TOP_START);
    tooltip.show(|ui| ui.add(Label::new(format!("{}\n{}", units.speed(speed), time_text::time_text(context, time))).extend()));
}

/// Draws a message that the root does not travel. If the feet imply a speed of the ground, the message contains it.
fn no_travel_ui(ui: &Ui, context: &Context, locomotion: &Arc<Locomotion>, track: Rect) {
    let drift = locomotion.ground_velocity.length();
    let in_place = format!("In place: feet imply {}", context.preferences.units.speed(drift));
    message_ui(ui, track, if drift > 0.0 { &in_place } else { "This animation has no root motion" });
}

/// Draws the graph with at most one sample per point of width. `max` is the speed at the top, in meters per second, and `label` its text.
fn graph(ui: &Ui, locomotion: &Locomotion, (max, label): (f64, &str), track: Rect, axis: &TimeAxis) {
    let (painter, palette) = (ui.painter_at(track), theme::palette(ui.ctx()));
    let y = |speed: f64| track.bottom() - BOTTOM_MARGIN - (speed / max.max(1e-12)) as f32 * (track.height() - TOP_MARGIN - BOTTOM_MARGIN);
    let sample_at = |time: f64| locomotion.times.partition_point(|&other| other < time);
    let (first, end) = (sample_at(axis.span[0]).saturating_sub(1), (sample_at(axis.span[1]) + 1).min(locomotion.times.len()));
    let chunk_length = (end - first).div_ceil(track.width().max(1.0) as usize).max(1);
    let mut points = Vec::new();
    for chunk in (first..end).step_by(chunk_length) {
        // Take the greatest speed of the samples that share a point, so that peaks stay visible.
        let samples = chunk..(chunk + chunk_length).min(end);
        let fastest = samples.max_by(|&a, &b| locomotion.speeds[a].total_cmp(&locomotion.speeds[b])).unwrap_or(chunk);
        points.push(pos2(axis.x(locomotion.times[fastest]), y(locomotion.speeds[fastest])));
    }
    let base = y(0.0);
    let fill = palette.accent.gamma_multiply(0.18);
    // The area below the graph may not be convex, so each piece between two points is filled separately.
    for ends in points.windows(2) {
        let area = vec![pos2(ends[0].x, base), ends[0], ends[1], pos2(ends[1].x, base)];
        painter.add(Shape::convex_polygon(area, fill, Stroke::NONE));
    }
    painter.add(Shape::line(points, Stroke::new(1.5, palette.accent)));
    let corner = track.left_top() + vec2(TimeAxis::PADDING + 5.0, 2.0);
    painter.text(corner, Align2::LEFT_TOP, label, FontId::proportional(10.0), palette.secondary);
}
