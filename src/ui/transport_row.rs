//! The row that plays: buttons, repeat mode, speed, the time in seconds and in frames.

use egui::{Align, DragValue, Layout, RichText, TextStyle, Ui, vec2};

use crate::animation::playback;
use crate::session::transport;
use crate::session::view::Repeat;

use super::actions::Action;
use super::{Frame, icons, perform, playing, text, theme};

pub const HEIGHT: f32 = 36.0;
/// Below these widths the words, then the speed give way.
const ROOMY: f32 = 640.0;
const TIGHT: f32 = 470.0;

pub fn transport_row_ui(ui: &mut Ui, frame: &mut Frame) {
    let width = ui.available_width();
    let row = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(width, HEIGHT), row, |ui| {
        ui.set_min_height(HEIGHT);
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(theme::MARGIN / 2.0);
        let possible = transport::duration(&frame.document.model, frame.view) > 0.0;
        ui.add_enabled_ui(possible, |ui| {
            buttons_ui(ui, frame);
            ui.add_space(theme::MARGIN);
            repeat_ui(ui, frame);
            if width >= TIGHT {
                ui.add_space(theme::MARGIN);
                speed_ui(ui, frame, width >= ROOMY);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.add_space(theme::MARGIN);
                time_ui(ui, frame, width >= ROOMY);
            });
        });
    });
}

fn buttons_ui(ui: &mut Ui, frame: &mut Frame) {
    // While the ruler is dragged time stands still, but the button says what happens afterwards.
    let playing = frame.state.timeline.scrubbing.unwrap_or(frame.transport.playing());
    let (icon, label) = if playing { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
    let buttons = [
        (Action::First, icons::FIRST, Action::First.label()),
        (Action::PreviousFrame, icons::PREVIOUS_FRAME, Action::PreviousFrame.label()),
        (Action::PlayPause, icon, label),
        (Action::NextFrame, icons::NEXT_FRAME, Action::NextFrame.label()),
        (Action::Last, icons::LAST, Action::Last.label()),
    ];
    for (action, icon, label) in buttons {
        let button = ui.push_id(action, |ui| icons::sized_button(ui, icon, label, icons::TRANSPORT_SIZE, icons::TRANSPORT_BUTTON)).inner;
        if button.on_hover_text(format!("{label} ({})", action.shortcut())).clicked() {
            perform::perform(action, frame);
        }
    }
}

fn repeat_ui(ui: &mut Ui, frame: &mut Frame) {
    let icon = match frame.view.repeat {
        Repeat::Loop => icons::REPEAT_LOOP,
        Repeat::Once => icons::REPEAT_ONCE,
        Repeat::PingPong => icons::REPEAT_PING_PONG,
    };
    let label = playing::repeat_label(frame.view.repeat);
    let button = ui.push_id("repeat", |ui| icons::button(ui, icon, label)).inner;
    if button.on_hover_text(format!("{label} ({})", Action::Repeat.shortcut())).clicked() {
        perform::perform(Action::Repeat, frame);
    }
}

/// Dragged or typed; the gap between -0.1 and 0.1 is stepped over.
fn speed_ui(ui: &mut Ui, frame: &mut Frame, roomy: bool) {
    let [slowest, fastest] = playing::SPEEDS;
    let gapless = |speed: f64| speed - slowest.copysign(speed);
    let mut value = gapless(frame.view.speed);
    let label = ui.label(RichText::new(if roomy { "Speed" } else { "" }).weak());
    ui.add_space(2.0);
    let drag = DragValue::new(&mut value)
        .speed(0.01)
        .range(gapless(-fastest)..=gapless(fastest))
        .custom_formatter(move |value, _| format!("{:.2}x", value + slowest.copysign(value)))
        .custom_parser(move |text| text.trim().trim_end_matches('x').parse().ok().map(|speed| gapless(playing::clamped_speed(speed))));
    let response = ui.add_sized(vec2(56.0, theme::CONTROL), drag).labelled_by(label.id);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "Speed"));
    if response.on_hover_text("Speed, 0.1x to 4x; negative plays backwards").changed() {
        frame.view.speed = playing::clamped_speed((value + slowest.copysign(value)).clamp(-fastest, fastest));
    }
    let changed = frame.view.speed != 1.0;
    let reset = ui.add_visible(changed, |ui: &mut Ui| icons::button(ui, icons::RESET, Action::NormalSpeed.label()));
    if reset.on_hover_text(Action::NormalSpeed.tooltip()).clicked() {
        perform::perform(Action::NormalSpeed, frame);
    }
}

/// From right to left: rate, frames, seconds.
fn time_ui(ui: &mut Ui, frame: &mut Frame, roomy: bool) {
    let model = &frame.document.model;
    let (time, duration) = (frame.transport.time(), transport::duration(model, frame.view));
    let rate = transport::rate(model, frame.view);
    if frame.view.rate.is_some()
        && icons::button(ui, icons::RESET, "Infer the rate from the keys").on_hover_text("Infer the rate from the keys").clicked()
    {
        frame.view.rate = None;
    }
    if rate.guessed {
        ui.label(RichText::new(if roomy { "(guessed)" } else { "(?)" }).text_style(TextStyle::Small).weak())
            .on_hover_text("The keys do not tell how many frames a second the animation was made at");
    }
    let unit = ui.label("fps");
    let mut fps = rate.fps;
    let drag = DragValue::new(&mut fps).speed(0.1).range(1.0..=1000.0).custom_formatter(|fps, _| rate_text(fps));
    let response = ui.add(drag).labelled_by(unit.id);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, "Frames a second"));
    if response.on_hover_text("Frames a second").changed() {
        frame.view.rate = Some(fps);
    }
    ui.label(RichText::new("at").weak());
    let (now, last) = (frame_text(playback::frame_of(time, rate.fps)), frame_text(playback::frame_of(duration, rate.fps)));
    // As wide as it can get, so that nothing beside it moves.
    let digits = frame_text(duration * rate.fps).len().max(last.len()).max(4);
    ui.label(text::number(format!("{now:>digits$} / {last}")));
    ui.label(RichText::new("frame").weak());
    ui.add_space(theme::MARGIN);
    let digits = format!("{duration:.3}").len();
    ui.label(text::number(format!("{time:>digits$.3} s")));
}

/// "24", "29.97".
fn rate_text(fps: f64) -> String {
    format!("{fps:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// "12" on a frame, "12.4" between two.
pub fn frame_text(frame: f64) -> String {
    if frame == frame.round() { format!("{frame:.0}") } else { format!("{frame:.1}") }
}
