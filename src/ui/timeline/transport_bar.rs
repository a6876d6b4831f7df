//! The transport bar: playback buttons, loop mode, speed, and the time in seconds and frames. Parts that do not fit are left out.

use egui::{Align, Color32, DragValue, Layout, Rect, RichText, Role, Sense, TextStyle, Ui, UiBuilder, WidgetInfo, vec2};

use crate::animation::frame_rate::RateSource;
use crate::session::view::Repeat;
use crate::session::view::playback_range;
use crate::ui::actions::table::Action;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::preferences::TimelineRows;
use crate::ui::style::time_text::{frame_text, rate_text};
use crate::ui::style::{icons, theme};

use super::typed_time::{self, Readout, TimeUnit, TypedTime};

/// Height of the bar, in points.
pub const HEIGHT: f32 = 36.0;
// Widths of the bar's parts, in points. In a narrow window, the words are left out first, then the note on the rate, the rate, the speed,
// the frames, the tabs and the seconds.
/// Width of the playback buttons and the loop mode.
const BUTTONS_WIDTH: f32 = 208.0;
/// Width of the five playback buttons, without the loop mode, in points.
const PLAYBACK_WIDTH: f32 = 5.0 * icons::TRANSPORT_BUTTON + 4.0 * 2.0;
const TABS_WIDTH: f32 = 58.0;
const SPEED_WIDTH: f32 = 100.0;
const RATE_WIDTH: f32 = 86.0;
const WORDS_WIDTH: f32 = 108.0;
/// Width of the button that resets a chosen rate, in points.
const RESET_WIDTH: f32 = 30.0;
/// Width of the note on a rate that is assumed or taken from other animations, in points.
const RATE_NOTE_WIDTH: f32 = 60.0;

/// The parts of the bar that fit. Each value includes all parts before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FittingParts {
    Buttons,
    Seconds,
    Tabs,
    Frames,
    Speed,
    Rate,
    RateNote,
    Words,
}

/// Draws the bar: tabs, loop mode and speed at the left, playback in the middle, time at the right. During a drag on the ruler,
/// `resumes_after_scrub` tells whether playback resumes after the drag.
pub fn transport_row_ui(ui: &mut Ui, typed: &mut Option<TypedTime>, resumes_after_scrub: Option<bool>, context: &mut Context) {
    // If the file has no animations, the panel is only as high as the bar. The panel's top line then takes one point of that height.
    let size = vec2(ui.available_width(), HEIGHT.min(ui.available_height()));
    let (bar, _) = ui.allocate_exact_size(size, Sense::hover());
    let inside = bar.shrink2(vec2(theme::MARGIN, 0.0));
    let readouts = readouts(context);
    let fitting = fitting_parts(ui, context, &readouts, bar.width());
    let has_animations = !context.document.model.animations.is_empty();
    let left = part(ui, "left", inside, Layout::left_to_right(Align::Center), context, |ui, context| {
        if !has_animations {
            ui.label(RichText::new("This file has no animations").color(theme::palette(ui.ctx()).secondary));
            return;
        }
        if fitting >= FittingParts::Tabs {
            tabs_ui(ui, context);
            ui.add_space(theme::MARGIN);
        }
        repeat_ui(ui, context);
        if fitting >= FittingParts::Speed {
            speed_ui(ui, context, fitting);
        }
    });
    let right = part(ui, "right", inside, Layout::right_to_left(Align::Center), context, |ui, context| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if has_animations {
            time_ui(ui, typed, context, &readouts, fitting);
        }
    });
    // The buttons are in the middle of the bar, or as near to it as the parts at both sides allow.
    let first = left.right() + theme::MARGIN;
    let last = (right.left() - theme::MARGIN - PLAYBACK_WIDTH).max(first);
    let start = (bar.center().x - PLAYBACK_WIDTH / 2.0).clamp(first, last);
    part(ui, "playback", inside.with_min_x(start), Layout::left_to_right(Align::Center), context, |ui, context| {
        buttons_ui(ui, resumes_after_scrub, context);
    });
}

/// Draws a part of the bar. The part is disabled if there is nothing to play. Returns the rectangle that the part fills.
fn part(ui: &mut Ui, id: &str, rect: Rect, layout: Layout, context: &mut Context, content: impl FnOnce(&mut Ui, &mut Context)) -> Rect {
    let mut child = ui.new_child(UiBuilder::new().id_salt(id).max_rect(rect).layout(layout));
    child.spacing_mut().item_spacing.x = 2.0;
    if !playback_range::moves(&context.document.model, context.view) {
        child.disable();
    }
    content(&mut child, context);
    child.min_rect()
}

/// The time and the frame at the playhead.
fn readouts(context: &Context) -> [Readout; 2] {
    let model = &context.document.model;
    let (time, duration) = (context.transport.time(), playback_range::duration(model, context.view));
    let fps = context.document.rate(context.view).fps;
    let (frame, last) = (frame_text(time, fps), frame_text(duration, fps));
    let seconds = format!("{time:.3}");
    let frame_digits = format!("{:.1}", duration * fps).len();
    let second_digits = format!("{duration:.3}").len();
    // Figure spaces are as wide as digits, so the number does not move when its digits change.
    [
        Readout { unit: TimeUnit::Seconds, text: format!("{seconds:\u{2007}>second_digits$} s"), number: seconds },
        Readout { unit: TimeUnit::Frames, text: format!("{frame:\u{2007}>frame_digits$} / {last}"), number: frame },
    ]
}

/// Finds the parts that fit into a bar of this width, in points.
fn fitting_parts(ui: &Ui, context: &Context, [seconds, frames]: &[Readout; 2], width: f32) -> FittingParts {
    let measure = |readout: &Readout| {
        let text = ui.painter().layout_no_wrap(readout.text.clone(), theme::number_font(), Color32::PLACEHOLDER);
        text.size().x + 2.0 * typed_time::PADDING
    };
    let rate = context.document.rate(context.view);
    let reset = if context.view.rate.is_some() { RESET_WIDTH } else { 0.0 };
    let note = if rate_note(rate.source).is_some() { RATE_NOTE_WIDTH } else { 0.0 };
    let widths = [
        (FittingParts::Seconds, BUTTONS_WIDTH + measure(seconds) + 22.0),
        (FittingParts::Tabs, TABS_WIDTH),
        (FittingParts::Frames, measure(frames) + 6.0),
        (FittingParts::Speed, SPEED_WIDTH),
        (FittingParts::Rate, RATE_WIDTH + reset + note / 2.0),
        (FittingParts::RateNote, note / 2.0),
        (FittingParts::Words, WORDS_WIDTH),
    ];
    let mut remaining = width;
    let fitting = widths.into_iter().take_while(|(_, part_width)| {
        remaining -= part_width;
        remaining >= 0.0
    });
    fitting.last().map_or(FittingParts::Buttons, |(parts, _)| parts)
}

/// Draws the playback buttons.
fn buttons_ui(ui: &mut Ui, resumes_after_scrub: Option<bool>, context: &mut Context) {
    // Playback stops while the ruler is dragged, but the button shows whether it resumes.
    let playing = resumes_after_scrub.unwrap_or(context.transport.is_playing());
    let (icon, label) = if playing { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
    let buttons = [
        (Action::First, icons::FIRST, Action::First.label()),
        (Action::PreviousFrame, icons::PREVIOUS_FRAME, Action::PreviousFrame.label()),
        (Action::PlayPause, icon, label),
        (Action::NextFrame, icons::NEXT_FRAME, Action::NextFrame.label()),
        (Action::Last, icons::LAST, Action::Last.label()),
    ];
    for (action, icon, label) in buttons {
        let sized = |ui: &mut Ui| match action {
            Action::PlayPause => icons::filled_button(ui, icon, label, icons::TRANSPORT_SIZE, icons::TRANSPORT_BUTTON),
            _ => icons::sized_button(ui, icon, label, icons::TRANSPORT_SIZE, icons::TRANSPORT_BUTTON),
        };
        // Layers that play over the rest pose have no frames to step through.
        let disabled_reason = action.disabled_reason(context);
        let button = ui.push_id(action, |ui| ui.add_enabled_ui(disabled_reason.is_none(), sized).inner).inner;
        let button = button.on_disabled_hover_text(disabled_reason.unwrap_or_default());
        if button.on_hover_text(format!("{label} ({})", action.shortcut())).clicked() {
            context.actions.push(action);
        }
    }
}

/// Draws the button that changes the loop mode.
fn repeat_ui(ui: &mut Ui, context: &mut Context) {
    let icon = match context.view.repeat {
        Repeat::Loop => icons::REPEAT_LOOP,
        Repeat::Once => icons::REPEAT_ONCE,
        Repeat::PingPong => icons::REPEAT_PING_PONG,
    };
    let label = &format!("Loop mode: {}", playback::repeat_label(context.view.repeat).to_lowercase());
    let button = ui.push_id("repeat", |ui| icons::button(ui, icon, label)).inner;
    if button.on_hover_text(format!("{label} ({})", Action::Repeat.shortcut())).clicked() {
        context.actions.push(Action::Repeat);
    }
}

/// Draws the tabs that pick the rows below the ruler. Clicking the open tab closes the rows.
fn tabs_ui(ui: &mut Ui, context: &mut Context) {
    let tabs = [(TimelineRows::Sheet, icons::DOPE_SHEET, "Dope sheet"), (TimelineRows::Curves, icons::CURVES, "Curves")];
    for (rows, icon, label) in tabs {
        let shown = &mut context.preferences.timeline_rows;
        let tab = icons::toggle(ui, icon, label, *shown == rows);
        if tab.on_hover_text(format!("{label} ({})", Action::TimelineRows.shortcut())).clicked() {
            *shown = if *shown == rows { TimelineRows::None } else { rows };
        }
    }
}

/// Draws the speed, which can be dragged or typed. Dragging skips the gap between -0.1 and 0.1.
fn speed_ui(ui: &mut Ui, context: &mut Context, fitting: FittingParts) {
    let [slowest, fastest] = playback::SPEEDS;
    // The dragged value is the speed without the gap around 0.
    let without_gap = |speed: f64| speed - slowest.copysign(speed);
    let mut value = without_gap(context.view.speed);
    let label = ui.label(RichText::new(if fitting >= FittingParts::Words { "Speed" } else { "" }).weak());
    ui.add_space(2.0);
    let drag = DragValue::new(&mut value)
        .speed(0.01)
        .range(without_gap(-fastest)..=without_gap(fastest))
        .custom_formatter(move |value, _| format!("{:.2}x", value + slowest.copysign(value)))
        .custom_parser(move |text| text.trim().trim_end_matches('x').parse().ok().map(|speed| without_gap(playback::clamped_speed(speed))));
    let changed = context.view.speed != 1.0;
    let drag = ui.scope(|ui| {
        // The color reminds the user that this is not the file's speed.
        ui.visuals_mut().override_text_color = changed.then_some(theme::palette(ui.ctx()).warning);
        ui.add_sized(vec2(56.0, theme::CONTROL), drag)
    });
    let response = drag.inner.labelled_by(label.id);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Speed"));
    if response.on_hover_text("Playback speed, 0.1x to 4x; negative plays backward").changed() {
        context.view.speed = playback::clamped_speed((value + slowest.copysign(value)).clamp(-fastest, fastest));
    }
    let reset = ui.add_visible(changed, |ui: &mut Ui| icons::button(ui, icons::RESET, Action::NormalSpeed.label()));
    if reset.on_hover_text(Action::NormalSpeed.tooltip()).clicked() {
        context.actions.push(Action::NormalSpeed);
    }
}

/// Draws the rate, the frames and the seconds, from right to left.
fn time_ui(ui: &mut Ui, typed: &mut Option<TypedTime>, context: &mut Context, [seconds, frames]: &[Readout; 2], fitting: FittingParts) {
    if fitting >= FittingParts::Rate {
        rate_ui(ui, context, fitting);
    }
    if fitting >= FittingParts::Frames {
        typed_time::readout_ui(ui, typed, context, frames);
    }
    if fitting >= FittingParts::Words {
        ui.weak("frame");
    }
    if fitting >= FittingParts::Seconds {
        ui.add_space(theme::MARGIN);
        typed_time::readout_ui(ui, typed, context, seconds);
    }
}

/// The note on a rate that is assumed or taken from other animations, and the tooltip of the note.
fn rate_note(source: RateSource) -> Option<[&'static str; 2]> {
    match source {
        RateSource::Chosen | RateSource::Keys => None,
        RateSource::OtherAnimations => {
            Some(["(others)", "The rate of the file's other animations: the keys of this one are not evenly spaced"])
        }
        RateSource::Assumed => Some(["(assumed)", "Assumed: the frame rate cannot be detected from the keys"]),
    }
}

/// Draws the frame rate, which the user can change, and a note if the rate is assumed or taken from other animations.
fn rate_ui(ui: &mut Ui, context: &mut Context, fitting: FittingParts) {
    let rate = context.document.rate(context.view);
    let reset = "Detect the frame rate from the keys";
    if context.view.rate.is_some() && icons::button(ui, icons::RESET, reset).on_hover_text(reset).clicked() {
        context.view.rate = None;
    }
    if let Some([note, hint]) = rate_note(rate.source) {
        let note = if fitting >= FittingParts::RateNote { note } else { "(?)" };
        ui.label(RichText::new(note).text_style(TextStyle::Small).weak()).on_hover_text(hint);
    }
    let unit = ui.label("fps");
    let mut fps = rate.fps;
    let drag = DragValue::new(&mut fps).speed(0.1).range(1.0..=1000.0).custom_formatter(|fps, _| rate_text(fps));
    let response = ui.add(drag).labelled_by(unit.id);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Frames per second"));
    let hint = match rate.source {
        RateSource::Keys => "Frames per second, detected from the spacing of the keys",
        _ => "Frames per second",
    };
    if response.on_hover_text(hint).changed() {
        context.view.rate = Some(fps);
    }
    if fitting >= FittingParts::Words {
        ui.weak("at");
    }
}
