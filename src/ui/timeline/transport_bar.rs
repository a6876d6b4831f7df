//! The transport bar: playback buttons, repeat mode, speed, and the time in seconds and frames.

use egui::{Align, Color32, DragValue, Layout, RichText, Role, TextStyle, Ui, WidgetInfo, vec2};

use crate::animation::frame_rate::RateSource;
use crate::animation::playback::frame_of;
use crate::session::view::Repeat;
use crate::session::view::playback_range;
use crate::ui::actions::action::Action;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::preferences::TimelineRows;
use crate::ui::style::{icons, text, theme};

use super::time_text::{frame_text, rate_text};

pub const HEIGHT: f32 = 36.0;
/// Widths of the bar's parts, in points. In a narrow window the words go first, then the rate, the speed and the frames.
const BUTTONS_WIDTH: f32 = 208.0;
const TABS_WIDTH: f32 = 58.0;
const SPEED_WIDTH: f32 = 100.0;
const RATE_WIDTH: f32 = 86.0;
const WORDS_WIDTH: f32 = 108.0;
/// Widths of parts that appear only for a chosen rate, and only for a guessed rate, in points.
const RESET_WIDTH: f32 = 30.0;
const GUESSED_WIDTH: f32 = 60.0;

/// Which parts of the bar fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Room {
    Buttons,
    Seconds,
    Tabs,
    Frames,
    Speed,
    Rate,
    Guessed,
    Words,
}

/// The time as text, with the greatest width it has in this animation, so that nothing beside it moves.
struct Readout {
    seconds: String,
    frames: String,
}

/// Draws the bar.
pub fn transport_row_ui(ui: &mut Ui, scrubbed_while_playing: Option<bool>, context: &mut Context) {
    let width = ui.available_width();
    let row = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(width, HEIGHT), row, |ui| {
        ui.set_min_height(HEIGHT);
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(theme::MARGIN / 2.0);
        let readout = readout(context);
        let room = room(ui, context, &readout, width);
        let possible = playback_range::moves(&context.document.model, context.view);
        ui.add_enabled_ui(possible, |ui| {
            buttons_ui(ui, scrubbed_while_playing, context);
            ui.add_space(theme::MARGIN);
            repeat_ui(ui, context);
            if room >= Room::Tabs {
                ui.add_space(theme::MARGIN);
                tabs_ui(ui, context);
            }
            if room >= Room::Speed {
                ui.add_space(theme::MARGIN);
                speed_ui(ui, context, room);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.add_space(theme::MARGIN);
                time_ui(ui, context, &readout, room);
            });
        });
    });
}

fn readout(context: &Context) -> Readout {
    let model = &context.document.model;
    let (time, duration) = (context.transport.time(), playback_range::duration(model, context.view));
    let fps = context.document.rate(context.view).fps;
    let (now, last) = (frame_text(frame_of(time, fps)), frame_text(frame_of(duration, fps)));
    let frame_digits = format!("{:.1}", duration * fps).len();
    let second_digits = format!("{duration:.3}").len();
    Readout { seconds: format!("{time:>second_digits$.3} s"), frames: format!("{now:>frame_digits$} / {last}") }
}

fn room(ui: &Ui, context: &Context, readout: &Readout, width: f32) -> Room {
    let measure = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), theme::number_font(), Color32::PLACEHOLDER).size().x;
    let rate = context.document.rate(context.view);
    let reset = if context.view.rate.is_some() { RESET_WIDTH } else { 0.0 };
    let guessed = if source_words(rate.source).is_some() { GUESSED_WIDTH } else { 0.0 };
    let needs = [
        (Room::Seconds, BUTTONS_WIDTH + measure(&readout.seconds) + 22.0),
        (Room::Tabs, TABS_WIDTH),
        (Room::Frames, measure(&readout.frames) + 6.0),
        (Room::Speed, SPEED_WIDTH),
        (Room::Rate, RATE_WIDTH + reset + guessed / 2.0),
        (Room::Guessed, guessed / 2.0),
        (Room::Words, WORDS_WIDTH),
    ];
    let mut left = width;
    let fits = needs.into_iter().take_while(|(_, need)| {
        left -= need;
        left >= 0.0
    });
    fits.last().map_or(Room::Buttons, |(room, _)| room)
}

fn buttons_ui(ui: &mut Ui, scrubbed_while_playing: Option<bool>, context: &mut Context) {
    // Time stands still while the ruler is dragged, but the button shows what happens afterwards.
    let playing = scrubbed_while_playing.unwrap_or(context.transport.playing());
    let (icon, label) = if playing { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
    let buttons = [
        (Action::First, icons::FIRST, Action::First.label()),
        (Action::PreviousFrame, icons::PREVIOUS_FRAME, Action::PreviousFrame.label()),
        (Action::PlayPause, icon, label),
        (Action::NextFrame, icons::NEXT_FRAME, Action::NextFrame.label()),
        (Action::Last, icons::LAST, Action::Last.label()),
    ];
    for (action, icon, label) in buttons {
        let sized = |ui: &mut Ui| icons::sized_button(ui, icon, label, icons::TRANSPORT_SIZE, icons::TRANSPORT_BUTTON);
        // Layers that play over the rest pose have no frames to step through.
        let disabled_reason = action.disabled_reason(context);
        let button = ui.push_id(action, |ui| ui.add_enabled_ui(disabled_reason.is_none(), sized).inner).inner;
        let button = button.on_disabled_hover_text(disabled_reason.unwrap_or_default());
        if button.on_hover_text(format!("{label} ({})", action.shortcut())).clicked() {
            context.actions.push(action);
        }
    }
}

fn repeat_ui(ui: &mut Ui, context: &mut Context) {
    let icon = match context.view.repeat {
        Repeat::Loop => icons::REPEAT_LOOP,
        Repeat::Once => icons::REPEAT_ONCE,
        Repeat::PingPong => icons::REPEAT_PING_PONG,
    };
    let label = playback::repeat_label(context.view.repeat);
    let button = ui.push_id("repeat", |ui| icons::button(ui, icon, label)).inner;
    if button.on_hover_text(format!("{label} ({})", Action::Repeat.shortcut())).clicked() {
        context.actions.push(Action::Repeat);
    }
}

/// The tabs that pick the rows below the ruler. Clicking the open tab closes them.
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

/// The speed, dragged or typed. It skips the gap between -0.1 and 0.1.
fn speed_ui(ui: &mut Ui, context: &mut Context, room: Room) {
    let [slowest, fastest] = playback::SPEEDS;
    let gapless = |speed: f64| speed - slowest.copysign(speed);
    let mut value = gapless(context.view.speed);
    let label = ui.label(RichText::new(if room >= Room::Words { "Speed" } else { "" }).weak());
    ui.add_space(2.0);
    let drag = DragValue::new(&mut value)
        .speed(0.01)
        .range(gapless(-fastest)..=gapless(fastest))
        .custom_formatter(move |value, _| format!("{:.2}x", value + slowest.copysign(value)))
        .custom_parser(move |text| text.trim().trim_end_matches('x').parse().ok().map(|speed| gapless(playback::clamped_speed(speed))));
    let response = ui.add_sized(vec2(56.0, theme::CONTROL), drag).labelled_by(label.id);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Speed"));
    if response.on_hover_text("Speed, 0.1x to 4x; negative plays backwards").changed() {
        context.view.speed = playback::clamped_speed((value + slowest.copysign(value)).clamp(-fastest, fastest));
    }
    let changed = context.view.speed != 1.0;
    let reset = ui.add_visible(changed, |ui: &mut Ui| icons::button(ui, icons::RESET, Action::NormalSpeed.label()));
    if reset.on_hover_text(Action::NormalSpeed.tooltip()).clicked() {
        context.actions.push(Action::NormalSpeed);
    }
}

/// Draws the rate, the frames and the seconds, from right to left.
fn time_ui(ui: &mut Ui, context: &mut Context, readout: &Readout, room: Room) {
    if room >= Room::Rate {
        rate_ui(ui, context, room);
    }
    if room >= Room::Frames {
        ui.label(text::number(&readout.frames));
    }
    if room >= Room::Words {
        ui.weak("frame");
    }
    if room >= Room::Seconds {
        ui.add_space(theme::MARGIN);
        ui.label(text::number(&readout.seconds));
    }
}

/// The label and the explanation of a rate that is not the animation's own.
fn source_words(source: RateSource) -> Option<[&'static str; 2]> {
    match source {
        RateSource::Chosen | RateSource::Keys => None,
        RateSource::OtherAnimations => {
            Some(["(others)", "The rate of the file's other animations: the keys of this one are not evenly spaced"])
        }
        RateSource::Assumed => Some(["(guessed)", "Guessed: the keys do not tell how many frames a second the animation was made at"]),
    }
}

fn rate_ui(ui: &mut Ui, context: &mut Context, room: Room) {
    let rate = context.document.rate(context.view);
    let infer = "Infer the rate from the keys";
    if context.view.rate.is_some() && icons::button(ui, icons::RESET, infer).on_hover_text(infer).clicked() {
        context.view.rate = None;
    }
    if let Some([label, about]) = source_words(rate.source) {
        ui.label(RichText::new(if room >= Room::Guessed { label } else { "(?)" }).text_style(TextStyle::Small).weak()).on_hover_text(about);
    }
    let unit = ui.label("fps");
    let mut fps = rate.fps;
    let drag = DragValue::new(&mut fps).speed(0.1).range(1.0..=1000.0).custom_formatter(|fps, _| rate_text(fps));
    let response = ui.add(drag).labelled_by(unit.id);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Frames a second"));
    let about = if rate.source == RateSource::Keys { "Frames a second, by the spacing of the keys" } else { "Frames a second" };
    if response.on_hover_text(about).changed() {
        context.view.rate = Some(fps);
    }
    if room >= Room::Words {
        ui.weak("at");
    }
}
