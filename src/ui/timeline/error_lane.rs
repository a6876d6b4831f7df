//! Draws the lane of a comparison: the largest distance between the joints of both files over time.

use egui::{Align2, FontId, Label, Mesh, Rect, RectAlign, Role, Sense, Shape, Stroke, TextStyle, Tooltip, Ui, WidgetInfo, pos2, vec2};

use crate::compare::measure::ErrorCurve;
use crate::compare::text::{significant, small_distance};
use crate::ui::context::Context;
use crate::ui::context::comparison::{NO_COUNTERPARTS, NOT_COMPARABLE};
use crate::ui::style::{text, theme, time_text};

use super::time_axis::TimeAxis;
use super::track_area::TrackArea;

/// Height of the lane, in points.
const HEIGHT: f32 = 44.0;
// Space above the largest distance, which holds its number, and space below zero, in points.
const TOP_MARGIN: f32 = 14.0;
const BOTTOM_MARGIN: f32 = 4.0;

/// The height of the lane, in points. 0 without a comparison.
pub fn height(context: &Context) -> f32 {
    if context.status.comparison.as_ref().is_some_and(|status| status.found.is_some()) { HEIGHT } else { 0.0 }
}

/// Draws the lane: the distance at the playhead at the left, the curve at the right. Hovering shows the distance at the time under the
/// pointer.
pub fn error_lane_ui(ui: &Ui, context: &Context, area: &TrackArea) {
    let Some(found) = context.status.comparison.as_ref().and_then(|status| status.found.as_ref()) else { return };
    let &TrackArea { names, tracks: track, axis } = area;
    let (palette, units, curve) = (theme::palette(ui.ctx()), context.preferences.units, &found.measured.curve);
    ui.painter().rect_filled(names, 0.0, palette.panel);
    let left = pos2(names.left() + theme::MARGIN, names.top() + 12.0);
    let painter = ui.painter_at(names);
    painter.text(left, Align2::LEFT_CENTER, "Joint distance to B", TextStyle::Body.resolve(ui.style()), palette.text);
    ui.painter_at(area.all()).hline(names.left()..=track.right(), names.bottom(), ui.visuals().widgets.noninteractive.bg_stroke);
    let [distance, angle] = values_at(curve, context.transport.time());
    let is_comparable = !found.measured.joints.is_empty();
    let font = FontId::proportional(11.0);
    let current = match is_comparable {
        true => format!("{}, {}\u{b0} now", small_distance(units, distance), significant(angle)),
        false => NOT_COMPARABLE.to_owned(),
    };
    let short = text::elide_middle(ui, &current, &font, names.width() - 2.0 * theme::MARGIN);
    painter.text(pos2(left.x, names.top() + 31.0), Align2::LEFT_CENTER, short, font, palette.secondary);
    let response = ui.interact(track, ui.scope_id().with("distance to B"), Sense::hover());
    if !is_comparable {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Joint distance to B: {NOT_COMPARABLE}")));
        response.on_hover_text(NO_COUNTERPARTS);
        return;
    }
    let max = small_distance(units, found.measured.distance_max);
    curve_ui(ui, curve, (found.measured.distance_max, &max), track, axis);

    response.widget_info(|| {
        let label = format!("Joint distance to B: {} now, max {max}", small_distance(units, distance));
        WidgetInfo { value: Some(distance), ..WidgetInfo::labeled(Role::Label, true, label) }
    });
    let Some(pointer) = response.hover_pos() else { return };
    let time = axis.time(pointer.x).clamp(axis.span[0], axis.span[1]);
    let [distance, angle] = values_at(curve, time);
    let mut tooltip = Tooltip::for_enabled(&response);
    tooltip.popup = tooltip.popup.anchor(Rect::from_center_size(pointer, vec2(0.0, 24.0))).align(RectAlign::TOP_START);
    let hint = format!("{}, {}\u{b0}\n{}", small_distance(units, distance), significant(angle), time_text::time_text(context, time));
    tooltip.show(|ui| ui.add(Label::new(hint).extend()));
}

/// The largest distance and angle at a time: the values of the last sample up to this time.
fn values_at(curve: &ErrorCurve, time: f64) -> [f64; 2] {
    let sample = curve.times.partition_point(|&other| other <= time).saturating_sub(1);
    [&curve.distances, &curve.angles].map(|values| values.get(sample).copied().unwrap_or_default())
}

/// Draws the curve with at most one sample per point of width. `max` is the distance at the top, in meters, and `label` its text.
fn curve_ui(ui: &Ui, curve: &ErrorCurve, (max, label): (f64, &str), track: Rect, axis: &TimeAxis) {
    let (painter, palette) = (ui.painter_at(track), theme::palette(ui.ctx()));
    let height = track.height() - TOP_MARGIN - BOTTOM_MARGIN;
    let y = |distance: f64| track.bottom() - BOTTOM_MARGIN - (distance / max.max(1e-300)).clamp(0.0, 1.0) as f32 * height;
    let sample_at = |time: f64| curve.times.partition_point(|&other| other < time);
    let count = curve.times.len().min(curve.distances.len());
    let (first, end) = (sample_at(axis.span[0]).saturating_sub(1), (sample_at(axis.span[1]) + 1).min(count));
    let chunk_length = end.saturating_sub(first).div_ceil(track.width().max(1.0) as usize).max(1);
    let mut points = Vec::new();
    for chunk in (first..end).step_by(chunk_length) {
        // Take the largest distance of the samples that share a point, so that peaks stay visible.
        let largest =
            (chunk..(chunk + chunk_length).min(end)).max_by(|&a, &b| curve.distances[a].total_cmp(&curve.distances[b])).unwrap_or(chunk);
        points.push(pos2(axis.x(curve.times[largest]), y(curve.distances[largest])));
    }
    let (base, fill) = (y(0.0), palette.warning.gamma_multiply(0.18));
    // The area below the curve: two vertices per point, and two triangles between neighbors. The line hides their jagged edge.
    let mut area = Mesh::default();
    for point in &points {
        area.colored_vertex(pos2(point.x, base), fill);
        area.colored_vertex(*point, fill);
    }
    for first in (0..points.len().saturating_sub(1)).map(|i| 2 * i as u32) {
        area.add_triangle(first, first + 1, first + 2);
        area.add_triangle(first + 1, first + 3, first + 2);
    }
    painter.add(area);
    painter.add(Shape::line(points, Stroke::new(1.5, palette.warning)));
    let corner = track.left_top() + vec2(TimeAxis::PADDING + 5.0, 2.0);
    painter.text(corner, Align2::LEFT_TOP, label, FontId::proportional(10.0), palette.secondary);
}
