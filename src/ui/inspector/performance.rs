//! The performance section: timings of the last frame and a graph of the last few seconds. The application provides the numbers. The
//! section itself requests no redraws, so the numbers stay the same until the window is redrawn.

use egui::{Align2, Color32, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::numbers::{self, grouped};
use crate::ui::context::Context;
use crate::ui::context::app_status::{HISTORY_SECONDS, Performance};
use crate::ui::style::theme;
use crate::ui::widgets::value_rows;

/// Time of one frame at 60 frames per second, in milliseconds.
const FRAME_MS_AT_60_FPS: f32 = 1000.0 / 60.0;
/// Height of the graph, in points.
const GRAPH_HEIGHT: f32 = 72.0;

/// Draws the numbers and the graph.
pub fn performance_ui(ui: &mut Ui, context: &Context) {
    let performance = &context.status.performance;
    graph_ui(ui, performance);
    let ms = |ms: f64| format!("{ms:.2} ms");
    value_rows::count_ui(ui, "Panels", &ms(performance.ui_ms.into()));
    value_rows::count_ui(ui, "Pose", &ms(performance.pose_ms.into()));
    if performance.joints > 0 {
        value_rows::count_ui(ui, "Per joint", &format!("{:.1} ns", f64::from(performance.pose_ms) * 1e6 / performance.joints as f64));
    }
    value_rows::count_ui(ui, "Draw", &ms(performance.draw_ms.into()));
    value_rows::count_ui(ui, "GPU", &performance.gpu_ms.map_or("Not available".to_owned(), ms));
    value_rows::count_ui(ui, "Upload", &numbers::bytes(performance.upload_bytes));
    value_rows::count_ui(ui, "Instances", &grouped(performance.instances));
    if !context.status.statistics.adapter.is_empty() {
        value_rows::text_ui(ui, "Adapter", &context.status.statistics.adapter);
    }
}

/// Draws the CPU time of each recent frame, and a line at the time that 60 frames per second allow.
fn graph_ui(ui: &mut Ui, performance: &Performance) {
    let (outer, response) = ui.allocate_exact_size(vec2(ui.available_width(), GRAPH_HEIGHT + 8.0), Sense::hover());
    let accessible_name = format!("Frame time: {:.2} ms", performance.total_ms());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &accessible_name));
    if !ui.is_rect_visible(outer) {
        return;
    }
    let palette = theme::palette(ui.ctx());
    let rect = outer.shrink2(vec2(0.0, 4.0));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, theme::RADIUS, palette.field);
    let longest = performance.history.iter().map(|sample| sample.ms).fold(0.0, f32::max);
    let top = scale(longest);
    let y = |ms: f32| rect.bottom() - (ms / top).min(1.0) * rect.height();
    let small = theme::number_font();
    painter.hline(rect.x_range(), y(FRAME_MS_AT_60_FPS), Stroke::new(1.0, palette.outline));
    bars(&painter, rect, performance, &y, palette.accent);
    painter.text(rect.left_top() + vec2(4.0, 2.0), Align2::LEFT_TOP, format!("{top:.0} ms"), small.clone(), palette.secondary);
    painter.text(pos2(rect.right() - 4.0, y(FRAME_MS_AT_60_FPS) + 1.0), Align2::RIGHT_TOP, "60 fps", small, palette.secondary);
    response.on_hover_text(format!("{accessible_name}\nCPU time of panels, pose and drawing per frame, last {HISTORY_SECONDS:.0} s"));
}

/// Draws one bar per frame, the newest at the right edge.
fn bars(painter: &egui::Painter, rect: Rect, performance: &Performance, y: &impl Fn(f32) -> f32, color: Color32) {
    let Some(last) = performance.history.back() else { return };
    let per_second = f64::from(rect.width()) / HISTORY_SECONDS;
    painter.extend(performance.history.iter().map(|sample| {
        let x = rect.right() - ((last.start - sample.start) * per_second) as f32 - 0.5;
        Shape::line_segment([pos2(x, rect.bottom()), pos2(x, y(sample.ms))], Stroke::new(1.0, color))
    }));
}

/// The milliseconds at the top of the graph: 25, 50, 100 and so on. Doubling steps keep the scale from changing often.
fn scale(longest: f32) -> f32 {
    let mut top = 25.0;
    while top < longest && top < 1e6 {
        top *= 2.0;
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_includes_the_longest_frame_and_the_line_at_60_fps() {
        assert_eq!([0.0, 19.0, 26.0, 300.0].map(scale), [25.0, 25.0, 50.0, 400.0]);
    }
}
