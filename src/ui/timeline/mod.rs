//! The timeline panel: the transport bar, the range strip, the ruler, then lanes and rows with names at the left. The playhead is drawn
//! over all of them. The panel reads the transport and the animation. Pointer input seeks, zooms or edits the range.

pub mod curves;
pub mod dope_sheet;
pub mod error_lane;
pub mod graph;
pub mod key_columns;
pub mod layer_strips;
pub mod locomotion;
pub mod range_strip;
pub mod ruler;
pub mod scrub;
pub mod snap;
pub mod time_axis;
pub mod track_area;
pub mod transport_bar;
pub mod typed_time;
pub mod zoom;

use std::sync::Arc;

use egui::{
    Align, Align2, FontId, Galley, Layout, Painter, Rangef, Rect, Response, Role, Sense, Shape, Stroke, Ui, UiBuilder, Vec2, WidgetInfo,
    pos2, vec2,
};

use crate::animation::playback::whole_frame;
use crate::session::view::playback_range;

use super::actions::Action;
use super::context::Context;
use super::context::preferences::{NAMES_WIDTHS, RulerUnit, Snap, TimelineRows};
use super::context::request::Request;
use super::style::theme::{self, Palette};
use super::style::{text, time_text};
use super::widgets::menu_item;
use super::widgets::splitter::{Axis, Divider};

use curves::state::CurvesState;
use dope_sheet::state::DopeSheetState;
use layer_strips::LayerStripsState;
use ruler::{KeyMarks, Tick};
use scrub::Scrub;
use time_axis::TimeAxis;
use track_area::TrackArea;
use transport_bar::transport_row_ui;
use typed_time::TypedTime;
use zoom::TimelineZoom;

/// Height of the range strip and the ruler together, which is also the height of the header left of them, in points.
const HEAD_HEIGHT: f32 = range_strip::HEIGHT + ruler::HEIGHT;
/// Half the width of the largest key mark, in points.
const MAX_KEY_RADIUS: f32 = 5.0;
/// Minimum size of the playhead's head without the tip below it, in points.
const MIN_PLAYHEAD_SIZE: Vec2 = vec2(12.0, 14.0);

/// State of the timeline.
#[derive(Debug, Clone, Default)]
pub struct TimelineState {
    /// The drag of the playhead on the ruler, if there is one.
    pub scrub: Option<Scrub>,
    /// The time or frame that the user types in the transport bar.
    typed: Option<TypedTime>,
    /// The visible part of the animation.
    pub zoom: TimelineZoom,
    key_marks: KeyMarks,
    pub layer_strips: LayerStripsState,
    /// Distance that the foot contacts are scrolled, in points.
    contacts_scroll: f32,
    pub sheet: DopeSheetState,
    pub curves: CurvesState,
}

/// The rectangles below the transport bar.
struct TimelineRects {
    /// The header left of the strip and the ruler.
    head: Rect,
    strip: Rect,
    ruler: Rect,
    /// Names and tracks of the lanes.
    lanes: [Rect; 2],
    /// Names and tracks of the rows.
    rows: [Rect; 2],
}

impl TimelineRects {
    /// Divides the area below the transport bar. `names` is the width of the names, `lanes` the height of the lanes, in points.
    fn new(area: Rect, names: f32, lanes: f32) -> Self {
        let (left, tracks) = area.split_left_right_at_x(area.left() + names);
        let (head, below) = tracks.split_top_bottom_at_y(area.top() + HEAD_HEIGHT);
        let (strip, ruler) = head.split_top_bottom_at_y(area.top() + range_strip::HEIGHT);
        let with_names = |rect: Rect| [Rect::from_x_y_ranges(left.x_range(), rect.y_range()), rect];
        let (lanes, rows) = below.split_top_bottom_at_y((below.top() + lanes).min(below.bottom()));
        Self { head: left.with_max_y(head.bottom()), strip, ruler, lanes: with_names(lanes), rows: with_names(rows) }
    }
}

/// The kind of rows to show. There are none if the file has no animations.
pub fn rows(context: &Context) -> TimelineRows {
    if context.document.model.animations.is_empty() { TimelineRows::None } else { context.preferences.timeline_rows }
}

/// The height of a timeline without rows, in points. If the file has no animations, this is only the transport bar.
pub fn height_without_rows(context: &Context) -> f32 {
    if context.document.model.animations.is_empty() {
        return transport_bar::HEIGHT;
    }
    transport_bar::HEIGHT + HEAD_HEIGHT + lanes_height(context)
}

/// The height of the lanes, in points. Without an animation there are no lanes, because they have no time axis.
fn lanes_height(context: &Context) -> f32 {
    if context.document.model.existing_animation(context.view.animation).is_none() {
        return 0.0;
    }
    layer_strips::height(context) + locomotion::height(context) + error_lane::height(context)
}

/// The text of a timeline without an animation.
fn pose_text(context: &Context) -> &'static str {
    if context.view.bind_pose {
        "Bind pose. Select an animation to play."
    } else if playback_range::layers_move(&context.document.model, context.view) {
        "Layers over the rest pose. Select an animation to see them over time."
    } else {
        "Rest pose. Select an animation to play."
    }
}

/// Draws the timeline.
pub fn timeline_ui(ui: &mut Ui, state: &mut TimelineState, context: &mut Context) {
    ui.spacing_mut().item_spacing.y = 0.0;
    transport_row_ui(ui, &mut state.typed, scrub::resumes(state.scrub), context);
    let area = ui.available_rect_before_wrap();
    ui.take_available_space();
    if context.document.model.animations.is_empty() {
        return;
    }
    let (model, palette) = (&context.document.model, theme::palette(ui.ctx()));
    ui.painter().rect_filled(area, 0.0, palette.field);
    // The rest pose and the bind pose have no time.
    if model.existing_animation(context.view.animation).is_none() {
        message_ui(ui, area, pose_text(context));
        return;
    }
    let duration = playback_range::duration(model, context.view);
    let lanes = lanes_height(context);
    // Without rows and lanes there are no names, and the ruler gets the whole width.
    let has_names = rows(context) != TimelineRows::None || lanes > 0.0;
    let width = context.preferences.names_width.min(area.width() / 2.0);
    let rects = TimelineRects::new(area, if has_names { width } else { 0.0 }, lanes);
    state.zoom.follow_playhead(context.transport, duration, state.scrub.is_some());
    let axis = TimeAxis::new(rects.strip, state.zoom.span(duration));
    if has_names {
        ui.painter().rect_filled(area.with_max_x(rects.strip.left()), 0.0, palette.panel);
        head_ui(ui, state, context, rects.head);
    }
    let tracks = area.with_min_x(rects.strip.left());
    if duration > 0.0 {
        range_strip::range_strip_ui(ui, &mut state.zoom, context, rects.strip);
        ruler_ui(ui, state, context, rects.ruler, &axis);
        rows_ui(ui, state, context, &rects, &axis);
        zoom::zoom_ui(ui, &mut state.zoom, context, rects.strip.union(rects.ruler), &axis, true);
        // Over lanes and rows, the wheel without Ctrl scrolls instead of zooming.
        zoom::zoom_ui(ui, &mut state.zoom, context, rects.lanes[1].union(rects.rows[1]), &axis, false);
        // The line of the playhead does not cross the message that stands in place of missing curves.
        let has_message = rows(context) == TimelineRows::Curves && state.curves.channels.is_empty();
        let bottom = if has_message { rects.rows[1].top() } else { tracks.bottom() };
        let below_strip = tracks.with_min_y(rects.ruler.top()).with_max_y(bottom);
        paint_playhead(&ui.painter_at(below_strip), axis.x(context.transport.time()), below_strip, playhead_text(context), palette);
    } else {
        message_ui(ui, rects.strip.union(rects.ruler), "All keys of this animation are at 0 s");
        rows_ui(ui, state, context, &rects, &axis);
    }
    if has_names {
        names_grip_ui(ui, context, area, rects.strip.left());
    }
}

/// Draws the header of the rows, beside the ruler.
fn head_ui(ui: &mut Ui, state: &mut TimelineState, context: &mut Context, rect: Rect) {
    let place = UiBuilder::new().id_salt("rows").max_rect(rect.shrink2(vec2(theme::MARGIN, 0.0)));
    let ui = &mut ui.new_child(place.layout(Layout::right_to_left(Align::Center)));
    ui.spacing_mut().item_spacing.x = 2.0;
    snap::snap_ui(ui, context);
    match rows(context) {
        TimelineRows::None => {}
        TimelineRows::DopeSheet => dope_sheet::head_ui(ui, &mut state.sheet),
        TimelineRows::Curves => {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| curves::header_ui(ui, &mut state.curves, context));
        }
    }
}

/// Draws a message in the middle of `rect`, shortened to its width.
fn message_ui(ui: &Ui, rect: Rect, message: &str) {
    let (color, font) = (theme::palette(ui.ctx()).secondary, FontId::proportional(11.0));
    let short = text::elide_middle(ui, message, &font, rect.width() - 2.0 * theme::MARGIN);
    ui.painter_at(rect).text(rect.center(), Align2::CENTER_CENTER, short, font, color);
}

/// Draws the lanes and rows below the ruler, with a faint line at each numbered tick.
fn rows_ui(ui: &mut Ui, state: &mut TimelineState, context: &mut Context, rects: &TimelineRects, axis: &TimeAxis) {
    let [names, tracks] = rects.lanes;
    let all = tracks.union(rects.rows[1]);
    let line = Stroke::new(1.0, theme::palette(ui.ctx()).divider.gamma_multiply(0.4));
    for tick in ticks(ui, context, axis).into_iter().filter(|tick| tick.label.is_some()) {
        ui.painter_at(all).vline(tick.x, all.y_range(), line);
    }
    let (strips, lanes) = TrackArea { names, tracks, axis }.split_at_y(names.top() + layer_strips::height(context));
    layer_strips::layer_strips_ui(ui, &mut state.layer_strips, context, &strips);
    let (errors, lanes) = lanes.split_at_y(lanes.names.top() + error_lane::height(context));
    error_lane::error_lane_ui(ui, context, &errors);
    locomotion::lanes_ui(ui, &mut state.contacts_scroll, context, &lanes);
    let [names, tracks] = rects.rows;
    let area = TrackArea { names, tracks, axis };
    match rows(context) {
        TimelineRows::None => {}
        TimelineRows::DopeSheet => dope_sheet::sheet_ui(ui, &mut state.sheet, context, &area),
        TimelineRows::Curves => curves::curves_ui(ui, &mut state.curves, context, &area),
    }
    let range = playback_range::range(&context.document.model, context.view);
    dim_outside(&ui.painter_at(all), all, axis, range, theme::palette(ui.ctx()));
}

/// Draws the line between names and tracks.
fn names_grip_ui(ui: &Ui, context: &mut Context, area: Rect, x: f32) {
    let grip = Rect::from_x_y_ranges(x - 4.0..=x + 2.0, area.y_range());
    let divider = Divider { label: "Name column width", axis: Axis::Horizontal, grip, line: x - 0.5, at: x };
    if let Some(x) = divider.show(ui, &mut context.window.list_focused) {
        context.preferences.names_width = (x - area.left()).clamp(NAMES_WIDTHS[0], NAMES_WIDTHS[1]);
    }
}

/// Draws the ruler, and handles drags of the playhead and the context menu.
fn ruler_ui(ui: &Ui, state: &mut TimelineState, context: &mut Context, rect: Rect, axis: &TimeAxis) {
    let response = ui.interact(rect, ui.scope_id().with("ruler"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo { value: Some(context.transport.time()), ..WidgetInfo::labeled(Role::Slider, true, "Time ruler") });
    scrub::scrub(ui, &mut state.scrub, context, &response, axis);
    let (painter, palette) = (ui.painter_at(rect), theme::palette(ui.ctx()));
    state.key_marks.refresh(context.document, context.view.animation, axis);
    let (head, _) = playhead_head(&painter, axis.x(context.transport.time()), rect, playhead_text(context), palette);
    let (ticks, range) = (ticks(ui, context, axis), playback_range::range(&context.document.model, context.view));
    ruler::paint_ticks(&painter, rect, &ticks, palette);
    ruler::paint_keys(&painter, rect, &state.key_marks, palette);
    dim_outside(&painter, rect, axis, range, palette);
    // Numbers are painted after the dimming, so that a number at the end of the range is either bright or dim as a whole.
    ruler::paint_numbers(&painter, rect, &ticks, [head.x_range(), in_range(axis, range)], palette);
    ruler_menu(context, &response);
    if let Some(pointer) = response.hover_pos().filter(|_| state.scrub.is_none()) {
        let free = ui.input(|input| input.modifiers.command);
        let time = snap::snapped(context, axis.time(pointer.x).clamp(axis.span[0], axis.span[1]), free);
        let text = time_text::time_text(context, time);
        let top = rect.top() - range_strip::HEIGHT - transport_bar::HEIGHT;
        text::tooltip_over(&response, pos2(pointer.x, top), &text);
    }
}

/// The ticks in the unit that the user chose.
fn ticks(ui: &Ui, context: &Context, axis: &TimeAxis) -> Vec<Tick> {
    let fps = context.document.rate(context.view).fps;
    ruler::ticks(ui.painter(), axis, context.preferences.ruler, fps)
}

/// Ends the drags of the playhead and of layers when the button is released, also if they are no longer shown. A hidden field is canceled.
pub fn end_drags(ui: &Ui, state: &mut TimelineState, context: &mut Context) {
    if !context.preferences.timeline {
        state.typed = None;
    }
    if ui.input(|input| input.pointer.primary_down()) {
        return;
    }
    state.layer_strips.drag = None;
    scrub::end(&mut state.scrub, context);
}

/// Draws the ruler's context menu.
fn ruler_menu(context: &mut Context, response: &Response) {
    let menu = |ui: &mut Ui| {
        menu_item::actions(ui, context, &[Action::SetIn, Action::SetOut, Action::ClearRange, Action::FitTimeline]);
        ui.separator();
        for unit in RulerUnit::ALL {
            menu_item::choice(ui, unit.label(), &mut context.preferences.ruler, unit);
        }
        ui.separator();
        for snap in Snap::ALL {
            menu_item::choice(ui, snap.label(), &mut context.preferences.snap, snap);
        }
        ui.separator();
        if menu_item::item(ui, "Copy time", "", None).clicked() {
            context.requests.push(Request::CopyText(context.transport.time().to_string()));
            ui.close();
        }
    };
    response.context_menu(|ui| menu_item::rows(ui, menu));
}

/// Dims the area outside the range. The keys at the ends of the range are not dimmed.
fn dim_outside(painter: &Painter, rect: Rect, axis: &TimeAxis, range: [f64; 2], palette: &Palette) {
    let dim = palette.field.gamma_multiply(0.5);
    let bright = in_range(axis, range);
    painter.rect_filled(rect.with_max_x(bright.min.max(rect.left())), 0.0, dim);
    painter.rect_filled(rect.with_min_x(bright.max.min(rect.right())), 0.0, dim);
}

/// The x coordinates that are not dimmed: the range, and the halves of the keys at its ends that lie outside.
fn in_range(axis: &TimeAxis, [start, end]: [f64; 2]) -> Rangef {
    Rangef::new(axis.x(start) - MAX_KEY_RADIUS, axis.x(end) + MAX_KEY_RADIUS)
}

/// The number in the playhead's head: the current frame, or the time in seconds if the ruler shows seconds.
fn playhead_text(context: &Context) -> String {
    let time = context.transport.time();
    match context.preferences.ruler {
        RulerUnit::Frames => format!("{:.0}", whole_frame(time, context.document.rate(context.view).fps)),
        RulerUnit::Seconds => format!("{time:.2}"),
    }
}

/// Paints the playhead as a line, with a pointed head that holds `text` at the top of `rect`. The head of a playhead outside of `rect` is
/// dimmer, and points to the side where the playhead is.
fn paint_playhead(painter: &Painter, x: f32, rect: Rect, text: String, palette: &Palette) {
    painter.vline(x, rect.y_range(), Stroke::new(1.5, palette.playhead));
    let (head, text) = playhead_head(painter, x, rect, text, palette);
    let half = MIN_PLAYHEAD_SIZE.x / 2.0;
    let is_visible = rect.x_range().contains(x);
    let color = if is_visible { palette.playhead } else { palette.secondary };
    let point = if is_visible {
        let base = head.bottom() - 1.0;
        vec![pos2(x - half, base), pos2(x + half, base), pos2(x, base + half)]
    } else {
        let (base, tip) = if x < rect.left() { (head.left(), rect.left()) } else { (head.right(), rect.right()) };
        vec![pos2(base, head.top()), pos2(tip, head.center().y), pos2(base, head.bottom())]
    };
    painter.rect_filled(head, 2.0, color);
    painter.add(Shape::convex_polygon(point, color, Stroke::NONE));
    painter.galley(head.center() - text.size() / 2.0, text, palette.field);
}

/// The rectangle of the playhead's head at the top of `rect`, and its text.
fn playhead_head(painter: &Painter, x: f32, rect: Rect, text: String, palette: &Palette) -> (Rect, Arc<Galley>) {
    let text = painter.layout_no_wrap(text, theme::number_font(), palette.field);
    let width = (text.size().x + 8.0).max(MIN_PLAYHEAD_SIZE.x);
    // The head stays inside the ruler, and its tip stays on the line. A playhead outside of the ruler has its tip at the ruler's edge.
    let margin = if rect.x_range().contains(x) { 0.0 } else { MIN_PLAYHEAD_SIZE.x / 2.0 };
    let min = rect.left() + margin;
    let left = (x - width / 2.0).clamp(min, (rect.right() - margin - width).max(min));
    (Rect::from_min_size(pos2(left, rect.top()), vec2(width, MIN_PLAYHEAD_SIZE.y)), text)
}
