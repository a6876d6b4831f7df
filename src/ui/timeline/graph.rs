//! Draws values over time as a line with a filled area below it, in a lane of the timeline.

use egui::{Align2, Color32, FontId, Mesh, Rect, Shape, Stroke, Ui, pos2, vec2};

use crate::ui::style::theme;

use super::time_axis::TimeAxis;

/// Height of a lane with a graph, in points.
pub const HEIGHT: f32 = 44.0;
// Space above the maximum, which holds its text, and space below zero, in points.
const TOP_MARGIN: f32 = 14.0;
const BOTTOM_MARGIN: f32 = 4.0;
/// If the maximum is smaller than this, the values are rounding errors and are drawn near zero.
const MIN_TOP: f64 = 1e-12;

/// The values of a graph, and how they are drawn.
pub struct Graph<'a> {
    /// The times of the values in seconds, in ascending order.
    pub times: &'a [f64],
    /// Values of 0 or more.
    pub values: &'a [f64],
    /// The value at the top.
    pub max: f64,
    /// The text of the maximum.
    pub label: &'a str,
    pub color: Color32,
}

impl Graph<'_> {
    /// Draws the graph with at most one point per point of width.
    pub fn ui(&self, ui: &Ui, track: Rect, axis: &TimeAxis) {
        let painter = ui.painter_at(track);
        let height = track.height() - TOP_MARGIN - BOTTOM_MARGIN;
        let y = |value: f64| track.bottom() - BOTTOM_MARGIN - (value / self.max.max(MIN_TOP)).clamp(0.0, 1.0) as f32 * height;
        let points: Vec<_> = self.peaks(track.width(), axis).into_iter().map(|i| pos2(axis.x(self.times[i]), y(self.values[i]))).collect();
        let (base, fill) = (y(0.0), self.color.gamma_multiply(0.18));
        // The area below the line: two vertices per point, and two triangles between neighbors. The line hides their jagged edge.
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
        painter.add(Shape::line(points, Stroke::new(1.5, self.color)));
        let corner = track.left_top() + vec2(TimeAxis::PADDING + 5.0, 2.0);
        painter.text(corner, Align2::LEFT_TOP, self.label, FontId::proportional(10.0), theme::palette(ui.ctx()).secondary);
    }

    /// The indices of the samples to draw: of the visible samples that share a point of the width, the one with the largest value, so that
    /// peaks stay visible.
    fn peaks(&self, width: f32, axis: &TimeAxis) -> Vec<usize> {
        let sample_at = |time: f64| self.times.partition_point(|&other| other < time);
        let count = self.times.len().min(self.values.len());
        let (first, end) = (sample_at(axis.span[0]).saturating_sub(1), (sample_at(axis.span[1]) + 1).min(count));
        let chunk_length = end.saturating_sub(first).div_ceil(width.max(1.0) as usize).max(1);
        let chunks = (first..end).step_by(chunk_length).map(|chunk| chunk..(chunk + chunk_length).min(end));
        chunks.filter_map(|chunk| chunk.max_by(|&a, &b| self.values[a].total_cmp(&self.values[b]))).collect()
    }
}
