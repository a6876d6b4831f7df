//! Draws the lane of a comparison: the largest distance between the joints of both files over time.

use egui::{Align2, FontId, Role, Sense, TextStyle, Ui, WidgetInfo, pos2};

use crate::compare::measure::ErrorCurve;
use crate::compare::text::small_distance;
use crate::numbers::three_digits;
use crate::ui::context::Context;
use crate::ui::context::comparison::{NO_COUNTERPARTS, NOT_COMPARABLE};
use crate::ui::style::{text, theme, time_text};

use super::graph::{self, Graph};
use super::track_area::TrackArea;

/// The height of the lane, in points. 0 without a comparison.
pub fn height(context: &Context) -> f32 {
    if context.comparison.as_deref().is_some_and(|status| status.found.is_some()) { graph::HEIGHT } else { 0.0 }
}

/// Draws the lane: the distance at the playhead at the left, the curve at the right. Hovering shows the distance at the time under the
/// pointer.
pub fn error_lane_ui(ui: &Ui, context: &Context, area: &TrackArea) {
    let Some(found) = context.comparison.as_deref().and_then(|status| status.found.as_ref()) else { return };
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
        true => format!("{}, {}\u{b0} now", small_distance(units, distance), three_digits(angle)),
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
    let (times, values) = (&curve.times, &curve.distances);
    Graph { times, values, max: found.measured.distance_max, label: &max, color: palette.warning }.ui(ui, track, axis);

    response.widget_info(|| {
        let label = format!("Joint distance to B: {} now, max {max}", small_distance(units, distance));
        WidgetInfo { value: Some(distance), ..WidgetInfo::labeled(Role::Label, true, label) }
    });
    let Some(pointer) = response.hover_pos() else { return };
    let time = axis.time(pointer.x).clamp(axis.span[0], axis.span[1]);
    let [distance, angle] = values_at(curve, time);
    let hint = format!("{}, {}\u{b0}\n{}", small_distance(units, distance), three_digits(angle), time_text::time_text(context, time));
    text::tooltip_at_pointer(&response, &hint);
}

/// The largest distance and angle at a time, interpolated between the samples as the curve is drawn.
fn values_at(curve: &ErrorCurve, time: f64) -> [f64; 2] {
    let after = curve.times.partition_point(|&other| other <= time);
    let before = after.saturating_sub(1);
    let fraction = match (curve.times.get(before), curve.times.get(after)) {
        (Some(start), Some(end)) => ((time - start) / (end - start)).clamp(0.0, 1.0),
        _ => 0.0,
    };
    [&curve.distances, &curve.angles].map(|values| {
        let value = |sample: usize| values.get(sample).copied();
        let start = value(before).unwrap_or_default();
        start + (value(after).unwrap_or(start) - start) * fraction
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_samples_are_interpolated() {
        let curve =
            ErrorCurve { times: vec![0.0, 2.0, 3.0], distances: vec![1.0, 2.0, 0.0], angles: vec![0.0, 8.0, 4.0], ..ErrorCurve::default() };
        for (time, values) in
            [(-1.0, [1.0, 0.0]), (0.0, [1.0, 0.0]), (0.5, [1.25, 2.0]), (2.5, [1.0, 6.0]), (3.0, [0.0, 4.0]), (9.0, [0.0, 4.0])]
        {
            assert_eq!(values_at(&curve, time), values, "at {time}");
        }
        assert_eq!(values_at(&ErrorCurve::default(), 1.0), [0.0; 2]);
    }
}
