//! Paints the keys of the curves as marks whose shape shows the interpolation, and the tangents of splines as handles. Crowded keys get no
//! marks.

use egui::{Color32, Painter, Pos2, Rangef, Shape, Stroke, pos2, vec2};

use crate::animation::curve::{self, CurveQuantity};
use crate::animation::keys::keyframe::Segment;
use crate::model::animation::{Animation, Channel, Interpolation};
use crate::ui::context::key_selection::KeySelection;
use crate::ui::style::theme;
use crate::ui::timeline::time_axis::TimeAxis;

use super::channel::ShownChannel;
use super::value_axis::PlotAxes;

/// Size of a mark, in points. Keys nearer to each other than this have no marks.
pub const SIZE: f32 = 6.0;
/// Width that the rim adds to a selected mark, in points.
const RIM_WIDTH: f32 = 4.0;
/// Keys nearer to each other than this, in points, have no handles.
const MIN_HANDLE_GAP: f32 = 24.0;

/// The keys in this range of x coordinates that are at least `gap` points from their neighbors, with their x coordinates.
fn isolated_keys(times: &[f32], axis: &TimeAxis, x_range: Rangef, gap: f32) -> Vec<(usize, f32)> {
    let from = times.partition_point(|&key| f64::from(key) < axis.time(x_range.min));
    let to = times.partition_point(|&key| f64::from(key) <= axis.time(x_range.max));
    // With more keys, most are nearer to each other than `gap`, and testing each of them would take too long.
    if (to - from) as f32 > 2.0 * x_range.span() / gap {
        return Vec::new();
    }
    (from..to).filter(|&key| is_isolated(times, key, axis, gap)).map(|key| (key, axis.x(times[key].into()))).collect()
}

/// Returns whether no other key is nearer than `gap` points.
pub fn is_isolated(times: &[f32], key: usize, axis: &TimeAxis, gap: f32) -> bool {
    let mut neighbors = [key.checked_sub(1), Some(key + 1)].into_iter().flatten().filter_map(|key| times.get(key));
    neighbors.all(|&other| (axis.x(other.into()) - axis.x(times[key].into())).abs() >= gap)
}

/// Paints marks on the drawn curves of a channel, in the curves' colors. Selected marks have a rim.
pub fn paint_keys(
    painter: &Painter,
    shown: &ShownChannel,
    selected: &KeySelection,
    animation: &Animation,
    axes: PlotAxes,
    drawn: &[usize],
) {
    let (channel, times) = shown.data(animation);
    let mut numbers = vec![0.0; shown.curves.len()];
    for (key, x) in isolated_keys(times, axes.time, painter.clip_rect().x_range(), SIZE) {
        if !shown.survey.write(channel, &curve::between(times, key, 0.0), &mut numbers) {
            continue;
        }
        let selected = selected.contains(shown.index, key);
        // As with the lines, the first part is above the others.
        for &part in drawn.iter().rev() {
            let center = pos2(x, axes.values.y(numbers[part]));
            if painter.clip_rect().expand(SIZE).contains(center) {
                if selected {
                    painter.add(mark(center, SIZE + RIM_WIDTH, channel.interpolation, theme::palette(painter.ctx()).playhead));
                }
                painter.add(mark(center, SIZE, channel.interpolation, shown.color(painter.ctx(), part)));
            }
        }
    }
}

/// The mark of a key: a circle for CUBICSPLINE, a square for STEP, a diamond for LINEAR.
fn mark(center: Pos2, size: f32, interpolation: Interpolation, color: Color32) -> Shape {
    let half = size / 2.0;
    match interpolation {
        Interpolation::CubicSpline => Shape::circle_filled(center, half, color),
        Interpolation::Step => Shape::rect_filled(egui::Rect::from_center_size(center, egui::Vec2::splat(size - 1.0)), 0.0, color),
        Interpolation::Linear => {
            let half = half + 0.7;
            let corners = [vec2(0.0, -half), vec2(half, 0.0), vec2(0.0, half), vec2(-half, 0.0)];
            Shape::convex_polygon(corners.map(|corner| center + corner).to_vec(), color, Stroke::NONE)
        }
    }
}

/// Paints the in and out tangents of keys as handles. A handle spans a third of the time to the previous or next key, as in the equivalent
/// Bezier curve. The file's tangents are per second.
pub fn paint_tangents(painter: &Painter, shown: &ShownChannel, animation: &Animation, axes: PlotAxes, drawn: &[usize]) {
    let (channel, times) = shown.data(animation);
    if channel.interpolation != Interpolation::CubicSpline {
        return;
    }
    for (key, x) in isolated_keys(times, axes.time, painter.clip_rect().x_range(), MIN_HANDLE_GAP) {
        let before = key.checked_sub(1).map(|before| (curve::between(times, before, 1.0), -1.0));
        for (segment, direction) in before.into_iter().chain([(curve::between(times, key, 0.0), 1.0)]) {
            let Some([values, velocities]) = values_and_velocities(shown, channel, &segment).filter(|_| segment.dt > 0.0) else { continue };
            let third = direction * segment.dt / 3.0;
            let tip = axes.time.x(f64::from(times[key]) + third);
            for &part in drawn {
                let color = shown.color(painter.ctx(), part).gamma_multiply(0.7);
                let (from, to) = (pos2(x, axes.values.y(values[part])), pos2(tip, axes.values.y(values[part] + velocities[part] * third)));
                painter.line_segment([from, to], Stroke::new(1.0, color));
                painter.circle(to, 2.5, theme::palette(painter.ctx()).field, Stroke::new(1.0, color));
            }
        }
    }
}

/// The values of all curves on a segment, and their change per second.
fn values_and_velocities(shown: &ShownChannel, channel: &Channel, segment: &Segment) -> Option<[Vec<f64>; 2]> {
    let read = |velocity| {
        let mut numbers = vec![0.0; shown.curves.len()];
        let quantity = CurveQuantity { velocity, ..shown.survey.quantity() };
        shown.survey.write_as(quantity, channel, segment, &mut numbers).then_some(numbers)
    };
    Some([read(false)?, read(true)?])
}
