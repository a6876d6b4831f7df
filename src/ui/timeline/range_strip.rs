//! The range strip above the ruler: an overview of the whole animation, with handles for the in and out points, and the scroll bar of
//! a zoomed ruler.

use egui::{CursorIcon, Id, Painter, Rangef, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::session::view::playback_range;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::style::text;
use crate::ui::style::theme::{self, Palette};

use super::snap;
use super::time_axis::TimeAxis;
use super::transport_bar;
use super::zoom::TimelineZoom;

/// Height of the strip, in points.
pub const HEIGHT: f32 = 10.0;
// Widths of the part of a grip inside the range, and of the whole grip, in points. The painted bracket is half as wide as that part.
const INNER_GRIP_WIDTH: f32 = 8.0;
const GRIP_WIDTH: f32 = 24.0;
/// Minimum width of the visible span in the strip, in points.
const MIN_VISIBLE_WIDTH: f32 = 8.0;

/// Draws the strip over the whole animation and handles its drags. A double click clears the range.
pub fn range_strip_ui(ui: &mut Ui, zoom: &mut TimelineZoom, context: &mut Context, rect: Rect) {
    let duration = playback_range::duration(&context.document.model, context.view);
    let axis = &TimeAxis::new(rect, [0.0, duration]);
    let painter = ui.painter_at(rect);
    let palette = theme::palette(ui.ctx());
    painter.rect_filled(rect, 0.0, palette.field);
    let strip = scroll_bar_ui(ui, zoom, rect, axis);
    let [start, end] = playback_range::range(&context.document.model, context.view);
    let range = Rect::from_x_y_ranges(axis.x(start)..=axis.x(end), rect.y_range()).shrink2(vec2(0.0, 2.0));
    if context.view.range.is_some() {
        painter.rect_filled(range, 2.0, palette.selection);
    }
    let visible = zoom.span(duration).map(|time| axis.x(time));
    paint_visible(&painter, Rangef::new(visible[0], visible[1]), range, &strip, palette);
    painter.vline(axis.x(context.transport.time()), rect.y_range(), Stroke::new(1.5, palette.playhead));
    // The grips extend outwards, so that they never overlap.
    let inner = INNER_GRIP_WIDTH.min(range.width() / 2.0);
    let grip = |left: f32, right: f32| Rect::from_x_y_ranges(left..=right, rect.y_range());
    let in_grip = grip(range.left() - (GRIP_WIDTH - inner), range.left() + inner);
    let out_grip = grip(range.right() - inner, range.right() + (GRIP_WIDTH - inner));
    let in_point = handle(ui, in_grip, "In point", start);
    let out_point = handle(ui, out_grip, "Out point", end);
    let (in_time, out_time) = (dragged_time(ui, axis, &in_point, start), dragged_time(ui, axis, &out_point, end));
    bracket(&painter, range.left(), rect, 1.0, &in_point, palette);
    bracket(&painter, range.right(), rect, -1.0, &out_point, palette);
    // A point stops before it reaches the other one.
    if let Some(time) = in_time {
        let time = snap::snapped(context, time, ui.input(|input| input.modifiers.command));
        if time < end {
            playback::set_range(context, [time, end]);
        }
    }
    if let Some(time) = out_time {
        let time = snap::snapped(context, time, ui.input(|input| input.modifiers.command));
        if time > start {
            playback::set_range(context, [start, time]);
        }
    }
    if [&strip, &in_point, &out_point].into_iter().any(Response::double_clicked) {
        context.view.range = None;
    }
}

/// Scrolls a zoomed ruler: a drag moves the visible span, and a press outside the span first centers the span at the pointer.
fn scroll_bar_ui(ui: &Ui, zoom: &mut TimelineZoom, rect: Rect, axis: &TimeAxis) -> Response {
    let strip = ui.interact(rect, ui.scope_id().with("range strip"), Sense::click_and_drag());
    let duration = axis.span[1];
    let [start, end] = zoom.span(duration);
    strip.widget_info(|| WidgetInfo { value: Some(start), ..WidgetInfo::labeled(Role::ScrollBar, true, "Visible time") });
    if let Some(pointer) = strip.interact_pointer_pos().filter(|_| strip.clicked() || strip.drag_started()) {
        let time = axis.time(pointer.x - strip.drag_delta().x);
        if !(start..=end).contains(&time) {
            zoom.scroll(time - f64::midpoint(start, end), duration);
        }
    }
    if strip.dragged() {
        zoom.scroll(f64::from(strip.drag_delta().x / axis.width) * duration, duration);
    }
    if zoom.zoomed_span(duration).is_none() {
        return strip;
    }
    if let Some(pointer) = strip.hover_pos() {
        let over_transport = pos2(pointer.x, rect.top() - transport_bar::HEIGHT);
        text::tooltip_over(&strip, over_transport, "The visible part of the animation. Drag to scroll");
    }
    strip
}

/// Paints the visible span. The range shows through it.
fn paint_visible(painter: &Painter, visible: Rangef, range: Rect, strip: &Response, palette: &Palette) {
    let missing = (MIN_VISIBLE_WIDTH - visible.span()).max(0.0);
    let rect = Rect::from_x_y_ranges(visible.expand(missing / 2.0), range.y_range());
    let is_whole = visible.span() >= painter.clip_rect().width() - 2.0 * TimeAxis::PADDING - 0.5;
    match is_whole {
        // If the whole animation is visible, the visible span is not painted over a range that the user set.
        true if rect != range => {}
        true => {
            painter.rect_filled(rect, 2.0, palette.hover);
        }
        false => {
            let is_highlighted = strip.hovered() || strip.dragged();
            painter.rect_filled(rect, 2.0, palette.outline.gamma_multiply(if is_highlighted { 0.8 } else { 0.5 }));
        }
    }
}

/// Makes an in or out point draggable.
fn handle(ui: &Ui, rect: Rect, label: &str, time: f64) -> Response {
    let id: Id = ui.scope_id().with(label);
    let response = ui.interact(rect, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::ResizeHorizontal);
    response.widget_info(|| WidgetInfo { value: Some(time), ..WidgetInfo::labeled(Role::Slider, true, label) });
    let over_transport = pos2(rect.center().x, rect.top() - transport_bar::HEIGHT);
    text::tooltip_over(&response, over_transport, &format!("{label}: {time:.3} s (double-click to clear the range)"));
    response
}

/// The time to which the in or out point at `time` is dragged. `None` if it is not dragged. The point keeps its distance to the pointer,
/// which may have grabbed it outside the range.
fn dragged_time(ui: &Ui, axis: &TimeAxis, response: &Response, time: f64) -> Option<f64> {
    let pointer = response.interact_pointer_pos().filter(|_| response.dragged())?;
    if response.drag_started() {
        let grabbed = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        ui.data_mut(|data| data.insert_temp(response.id, grabbed.x - axis.x(time)));
    }
    let offset: f32 = ui.data(|data| data.get_temp(response.id)).unwrap_or_default();
    Some(axis.time(pointer.x - offset))
}

/// Paints a square bracket that opens towards the range: to the right if `direction` is 1, to the left if it is -1.
fn bracket(painter: &Painter, x: f32, rect: Rect, direction: f32, response: &Response, palette: &Palette) {
    let is_highlighted = response.hovered() || response.dragged();
    let (width, color) = if is_highlighted { (2.5, palette.accent) } else { (1.5, palette.text) };
    let stroke = Stroke::new(width, color);
    let (top, bottom, tip) = (rect.top() + 1.0, rect.bottom() - 1.0, x + direction * INNER_GRIP_WIDTH / 2.0);
    painter.line(vec![pos2(tip, top), pos2(x, top), pos2(x, bottom), pos2(tip, bottom)], stroke);
}
