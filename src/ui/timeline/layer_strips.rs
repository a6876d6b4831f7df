//! The layer strips between the ruler and the rows: one lane per layer, with mute, name and weight at the left, and a bar that covers the
//! time in which the layer's animation runs in the current pass. Dragging the bar changes the layer's offset; dragging its end changes the
//! speed.

use egui::{Align2, CursorIcon, EventFilter, Key, Label, PointerButton, Rect, Response, Role, Sense, Stroke, StrokeKind, TextStyle};
use egui::{Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::session::motion::request::Clock;
use crate::session::time::layer_strip::{self, LayerStrip};
use crate::session::view::layers::{Layer, Mode};
use crate::session::view::playback_range;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::{list, number_field};

use super::snap;
use super::time_axis::TimeAxis;
use super::track_area::TrackArea;

/// Height of a lane, in points.
const LANE_HEIGHT: f32 = theme::TREE_ROW_HEIGHT;
/// Maximum number of lanes shown without scrolling.
const MAX_SHOWN_LANES: usize = 5;
/// Width of the weight field, in points.
const WEIGHT_WIDTH: f32 = 44.0;
/// Width of the grip at a bar's end, in points.
const GRIP_WIDTH: f32 = 6.0;
/// Runs of a repeating layer that are narrower than this, in points, are drawn as one bar.
const MIN_RUN_WIDTH: f32 = 3.0;

/// The state of the strips.
#[derive(Debug, Clone, Default)]
pub struct LayerStripsState {
    /// Distance that the lanes are scrolled, in points.
    scroll: f32,
    pub drag: Option<Drag>,
}

/// The dragged bar, as it was when the drag began.
#[derive(Debug, Clone, Copy)]
pub struct Drag {
    /// Index of the layer.
    number: usize,
    /// Offset and speed of the layer before the drag.
    offset: f64,
    speed: f64,
    strip: LayerStrip,
    /// The clock at the position at which the bar was grabbed, in seconds.
    from: f64,
    /// The pass in which the bar was grabbed. Its bars stay until the drag ends, even if playback goes on.
    pass: Clock,
}

/// The part of a bar that is dragged.
#[derive(Debug, Clone, Copy, PartialEq)]
enum DraggedPart {
    Bar,
    End,
}

/// The part of a layer's lane that is drawn: its name or its bar.
struct LanePart<'a> {
    /// Index of the layer.
    number: usize,
    title: &'a str,
    rect: Rect,
    clip: Rect,
    /// The pass that the bars show, and the axis of its clock.
    pass: Clock,
    axis: &'a TimeAxis,
}

/// A part of a bar that can be dragged.
struct Handle<'a> {
    part: DraggedPart,
    strip: LayerStrip,
    response: &'a Response,
}

/// The height of the lanes that are shown without scrolling, in points. 0 if there are no layers.
pub fn height(context: &Context) -> f32 {
    context.view.layers.len().min(MAX_SHOWN_LANES) as f32 * LANE_HEIGHT
}

/// Draws the visible lanes.
pub fn layer_strips_ui(ui: &mut Ui, state: &mut LayerStripsState, context: &mut Context, area: &TrackArea) {
    if context.view.layers.is_empty() {
        return;
    }
    let palette = theme::palette(ui.ctx());
    let (&TrackArea { names, tracks, axis }, all) = (area, area.all());
    let current = Clock::from_moment(&context.document.model, context.view, &context.transport.moment());
    let pass = state.drag.map_or(current, |drag| drag.pass);
    let axis = &TimeAxis { span: axis.span.map(|time| pass.at(time)), ..*axis };
    area.scroll(ui, &mut state.scroll, context.view.layers.len() as f32 * LANE_HEIGHT);
    let offset = state.scroll;
    ui.painter().rect_filled(names, 0.0, palette.panel);
    for number in 0..context.view.layers.len() {
        let row = |rect: Rect| {
            Rect::from_min_size(pos2(rect.left(), rect.top() + number as f32 * LANE_HEIGHT - offset), vec2(rect.width(), LANE_HEIGHT))
        };
        if row(all).intersects(all) {
            let title = context.layer_name(&context.view.layers[number]);
            name_ui(ui, context, &LanePart { number, title: &title, rect: row(names), clip: names, pass, axis });
            track_ui(ui, state, context, &LanePart { number, title: &title, rect: row(tracks), clip: tracks, pass, axis });
            ui.painter_at(all).hline(all.x_range(), row(all).bottom(), ui.visuals().widgets.noninteractive.bg_stroke);
        }
    }
}

/// Draws the mute button, the name and the weight.
fn name_ui(ui: &mut Ui, context: &mut Context, track: &LanePart) {
    let &LanePart { number, title, rect, clip, .. } = track;
    let palette = theme::palette(ui.ctx());
    let mut row = ui.new_child(UiBuilder::new().id_salt(("lane", number)).max_rect(rect.shrink2(vec2(2.0, 0.0))));
    row.shrink_clip_rect(clip);
    let layer = &mut context.view.layers[number];
    let (icon, verb) = if layer.muted { (icons::HIDDEN, "Unmute") } else { (icons::VISIBLE, "Mute") };
    let square = Rect::from_min_size(rect.min + vec2(2.0, 0.0), vec2(icons::BUTTON_SIDE, LANE_HEIGHT));
    let mut place = row.new_child(UiBuilder::new().max_rect(square));
    let mute = icons::sized_button(&mut place, icon, &format!("{verb} strip of layer {}, {title}", number + 1), 14.0, LANE_HEIGHT);
    if mute.on_hover_text(verb).clicked() {
        layer.muted = !layer.muted;
    }
    let weight_rect =
        Rect::from_min_max(pos2(rect.right() - WEIGHT_WIDTH - 6.0, rect.top() + 1.0), pos2(rect.right() - 6.0, rect.bottom() - 1.0));
    row.spacing_mut().interact_size.y = weight_rect.height();
    row.spacing_mut().button_padding.y = 0.0;
    let weight = number_field::with_decimals(&mut layer.weight, 2).range(0.0..=1.0).speed(0.005);
    row.put(weight_rect, weight).accessible_name(format!("Weight in strip of layer {}, {title}", number + 1)).on_hover_text("Weight");
    let font = TextStyle::Body.resolve(ui.style());
    let left = square.right() + 4.0;
    let sign = if layer.mode == Mode::Additive { "+ " } else { "" };
    let short = text::elide_middle(ui, &format!("{sign}{title}"), &font, weight_rect.left() - left - 6.0);
    let color = if layer.muted { palette.disabled } else { palette.text };
    row.painter().text(pos2(left, rect.center().y), Align2::LEFT_CENTER, short, font, color);
}

/// Draws the bar of a layer, and handles drags, clicks and arrow keys on it.
fn track_ui(ui: &mut Ui, state: &mut LayerStripsState, context: &mut Context, track: &LanePart) {
    let &LanePart { number, title, rect, clip, pass, axis } = track;
    let layer = context.view.layers[number].clone();
    let model = &context.document.model;
    let duration = model.animation_duration(Some(layer.animation));
    let pass_start = pass.at(0.0).min(pass.at(playback_range::duration(model, context.view)));
    // The dragged run stays the first one until the drag ends.
    let dragged = state.drag.filter(|drag| drag.number == number).map(|drag| drag.strip);
    let strip = LayerStrip::new(&layer, duration, pass_start).map(|strip| dragged.map_or(strip, |dragged| strip.at_run_of(&dragged)));
    let bar = strip.map_or(rect, |strip| run_rect(&strip, strip.start, track));
    paint(ui, &layer, strip.as_ref(), &LanePart { rect: rect.shrink2(vec2(0.0, 3.0)), ..*track });

    // A repeating layer can be dragged anywhere in its lane.
    let repeats = strip.is_none_or(|strip| strip.repeats);
    let body = (if repeats { rect } else { bar.intersect(rect) }).intersect(clip);
    let id = ui.scope_id().with(("lane", number));
    let response = ui.interact(body, id, Sense::click_and_drag());
    let accessible_name = format!("Strip of layer {}, {title}", number + 1);
    response.widget_info(|| WidgetInfo { value: Some(layer.offset), ..WidgetInfo::labeled(Role::Slider, true, &accessible_name) });
    let end_x = strip.map_or(bar.right(), |strip| axis.x(strip.end()));
    let end = Rect::from_center_size(pos2(end_x, rect.center().y), vec2(GRIP_WIDTH, LANE_HEIGHT)).intersect(clip);
    let stretch = ui.interact(end, id.with("end"), Sense::drag());
    if let Some(strip) = strip {
        stretch.widget_info(|| WidgetInfo {
            value: Some(layer.speed),
            ..WidgetInfo::labeled(Role::Slider, true, format!("End of strip of layer {}, {title}", number + 1))
        });
        drag(ui, state, context, track, &Handle { part: DraggedPart::Bar, strip, response: &response });
        let stretch = stretch.on_hover_cursor(CursorIcon::ResizeHorizontal);
        drag(ui, state, context, track, &Handle { part: DraggedPart::End, strip, response: &stretch });
        arrows(ui, context, track, &response, strip);
    }
    if response.clicked() {
        context.window.open_layer = Some(number);
        context.preferences.left_panel = true;
    }
    let percent = layer.weight * 100.0;
    let hint = format!("{title}\nweight {percent:.0} %, speed {:.2}x, offset {:.3} s", layer.speed, layer.offset);
    // During a drag, the tooltip would cover the ruler. The text does not wrap when a number in it becomes longer.
    if state.drag.is_none() {
        text::tooltip_above(&response, Label::new(hint).extend());
    }
}

/// Ends the drag and restores the layer's offset and speed. Returns false if no layer is dragged.
pub fn cancel_drag(state: &mut LayerStripsState, context: &mut Context) -> bool {
    let Some(drag) = state.drag.take() else { return false };
    if let Some(layer) = context.view.layers.get_mut(drag.number) {
        (layer.offset, layer.speed) = (drag.offset, drag.speed);
    }
    true
}

/// Moves the bar, or stretches it at its end. It snaps like the playhead.
fn drag(ui: &Ui, state: &mut LayerStripsState, context: &mut Context, track: &LanePart, handle: &Handle) {
    let (&LanePart { number, pass, axis, .. }, &Handle { part, strip, response }) = (track, handle);
    let Some(pointer) = response.interact_pointer_pos() else { return };
    if response.drag_started_by(PointerButton::Primary) {
        let from = axis.time(ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer).x);
        let Layer { offset, speed, .. } = context.view.layers[number];
        state.drag = Some(Drag { number, offset, speed, strip, from, pass });
    }
    if response.dragged_by(PointerButton::Primary)
        && let Some(Drag { offset, speed, strip, from, .. }) = state.drag
    {
        let shift = axis.time(pointer.x) - from;
        let inverted = ui.input(|input| input.modifiers.command);
        let snapped = |clock: f64| pass.at(snap::nearest(context, pass.time(clock), inverted));
        // The change is applied to the layer as it was before the drag, so that snapping does not accumulate.
        let layer = Layer { offset, speed, ..context.view.layers[number].clone() };
        context.view.layers[number] = match part {
            DraggedPart::Bar => layer_strip::moved(&layer, &strip, snapped(strip.start + shift)),
            DraggedPart::End => layer_strip::stretched(&layer, &strip, snapped(strip.end() + shift) - strip.start),
        };
    }
}

/// Moves the layer by frames with the arrow keys.
fn arrows(ui: &Ui, context: &mut Context, &LanePart { number, pass, .. }: &LanePart, response: &Response, strip: LayerStrip) {
    if !response.has_focus() {
        return;
    }
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    context.window.list_focused = true;
    let frames = |(key, shift): (Key, bool)| match key {
        Key::ArrowLeft if shift => -10.0,
        Key::ArrowLeft => -1.0,
        Key::ArrowRight if shift => 10.0,
        Key::ArrowRight => 1.0,
        _ => 0.0,
    };
    let frames: f64 = list::arrows(ui).into_iter().map(frames).sum();
    if frames != 0.0 {
        let fps = context.document.rate(context.view).fps;
        let layer = &mut context.view.layers[number];
        *layer = layer_strip::moved(layer, &strip, strip.start + pass.rate * frames / fps);
    }
}

/// Paints the layer's first run, and its repeats in a dimmer color. The bars are filled from below up to a height that shows the weight. A
/// layer whose time does not advance has no strip, and its bar fills the whole lane.
fn paint(ui: &Ui, layer: &Layer, strip: Option<&LayerStrip>, track: &LanePart) {
    let &LanePart { rect, clip, axis, .. } = track;
    let (painter, palette) = (ui.painter_at(clip), theme::palette(ui.ctx()));
    let color = if layer.muted { palette.disabled } else { palette.accent };
    let bar = |bar: Rect, strength: f32| {
        let bar = bar.intersect(clip.expand(theme::RADIUS));
        painter.rect_filled(bar, theme::RADIUS, color.gamma_multiply(0.15 * strength));
        let filled = bar.with_min_y(bar.bottom() - bar.height() * layer.effective_weight() as f32);
        painter.rect_filled(filled, theme::RADIUS, color.gamma_multiply(0.55 * strength));
        painter.rect_stroke(bar, theme::RADIUS, Stroke::new(1.0, color.gamma_multiply(strength)), StrokeKind::Inside);
    };
    let Some(strip) = strip else { return bar(rect, 0.4) };
    let first = run_rect(strip, strip.start, track);
    if strip.repeats && first.width() < MIN_RUN_WIDTH {
        bar(rect, 0.4);
    } else {
        let max_runs = (rect.width() / MIN_RUN_WIDTH) as usize + 2;
        let ends = [axis.time(clip.left()), axis.time(clip.right())];
        let shown = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        for start in strip.runs(shown, max_runs).filter(|&start| start != strip.start) {
            bar(run_rect(strip, start, track), 0.4);
        }
    }
    bar(first, 1.0);
}

/// The rectangle of the run that starts at `start` on the clock.
fn run_rect(strip: &LayerStrip, start: f64, track: &LanePart) -> Rect {
    let (start, end) = (track.axis.x(start), track.axis.x(start + strip.length));
    Rect::from_x_y_ranges(start.min(end)..=start.max(end), track.rect.y_range())
}
