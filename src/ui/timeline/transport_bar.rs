//! The transport bar: playback buttons, loop mode, speed, and the time in seconds and frames. Parts that do not fit are in a menu at the
//! right end.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Button, Color32, Layout, PopupCloseBehavior, Rect, RichText, Role, Sense, TextStyle, TextWrapMode, Ui, UiBuilder, Vec2,
    WidgetInfo, WidgetText, vec2,
};

use crate::model::animation::RateSource;
use crate::numbers;
use crate::session::view::Repeat;
use crate::session::view::playback_range;
use crate::ui::actions::Action;
use crate::ui::choices::REPEATS;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::preferences::TimelineRows;
use crate::ui::style::time_text::frame_text;
use crate::ui::style::{icons, theme};
use crate::ui::widgets::number_field;

use super::typed_time::{self, Readout, TimeUnit, TypedTime};

/// Height of the bar, in points.
pub const HEIGHT: f32 = 36.0;
// Widths of the bar's parts, in points. In a narrow window, the words are left out first, then the note on the rate, the rate, the speed,
// the seconds, the tabs, the loop mode and the frames. If the frames are too long, the seconds take their place.
/// Width of the five playback buttons.
const PLAYBACK_WIDTH: f32 = playback_width(5);
/// Width of the playback buttons, the margins of the bar, and the gaps beside the buttons.
const BUTTONS_WIDTH: f32 = PLAYBACK_WIDTH + 4.0 * theme::MARGIN;
const REPEAT_WIDTH: f32 = 26.0;
/// Width of the button of the menu, with its gap.
const MENU_WIDTH: f32 = 30.0;
const TABS_WIDTH: f32 = 58.0;
const SPEED_WIDTH: f32 = 100.0;
const RATE_WIDTH: f32 = 86.0;
const WORDS_WIDTH: f32 = 108.0;
/// Width of the button that resets a chosen rate, in points.
const RESET_WIDTH: f32 = 30.0;
/// Width of the note on a rate that is assumed or taken from other animations, in points.
const RATE_NOTE_WIDTH: f32 = 60.0;
/// Width of the labels in the menu, in points.
const MENU_LABEL_WIDTH: f32 = 80.0;

/// The playback buttons, from left to right.
const ALL_BUTTONS: [Action; 5] = [Action::First, Action::PreviousFrame, Action::PlayPause, Action::NextFrame, Action::Last];

/// The parts of the bar that fit. Each value includes all parts before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FittingParts {
    /// Playback buttons without the jumps to the first and the last frame.
    FewButtons,
    Buttons,
    FirstReadout,
    Repeat,
    Tabs,
    SecondReadout,
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
    let readouts = readouts(ui, context, bar.width());
    let fitting = fitting_parts(ui, context, &readouts, bar.width());
    let has_animations = !context.document.model.animations.is_empty();
    let left = part(ui, "left", inside, Layout::left_to_right(Align::Center), context, |ui, context| {
        if !has_animations {
            no_animations_ui(ui, bar.width());
            return;
        }
        if fitting >= FittingParts::Tabs {
            tabs_ui(ui, context);
            ui.add_space(theme::MARGIN);
        }
        if fitting >= FittingParts::Repeat {
            repeat_ui(ui, context);
        }
        if fitting >= FittingParts::Speed {
            playback_ui(ui, context, |ui, context| speed_ui(ui, context, fitting));
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
    let actions: &[Action] = if fitting >= FittingParts::Buttons { &ALL_BUTTONS } else { &ALL_BUTTONS[1..4] };
    let width = playback_width(actions.len());
    let last = (right.left() - theme::MARGIN - width).max(first);
    let start = (bar.center().x - width / 2.0).clamp(first, last);
    part(ui, "playback", inside.with_min_x(start), Layout::left_to_right(Align::Center), context, |ui, context| {
        buttons_ui(ui, actions, resumes_after_scrub, context);
    });
}

/// The width of this number of playback buttons, in points.
const fn playback_width(buttons: usize) -> f32 {
    buttons as f32 * icons::TRANSPORT_BUTTON_SIDE + (buttons - 1) as f32 * 2.0
}

/// Says that there is nothing to play, if this fits beside the playback buttons into a bar of this width, in points.
fn no_animations_ui(ui: &mut Ui, width: f32) {
    let text = WidgetText::from(RichText::new("This file has no animations").color(theme::palette(ui.ctx()).secondary));
    let galley = text.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Body);
    if BUTTONS_WIDTH + galley.size().x <= width {
        ui.label(galley);
    }
}

/// Draws a part of the bar. Returns the rectangle that the part fills.
fn part(ui: &mut Ui, id: &str, rect: Rect, layout: Layout, context: &mut Context, content: impl FnOnce(&mut Ui, &mut Context)) -> Rect {
    let mut child = ui.new_child(UiBuilder::new().id_salt(id).max_rect(rect).layout(layout));
    child.spacing_mut().item_spacing.x = 2.0;
    content(&mut child, context);
    child.min_rect()
}

/// Draws controls of playback. They are disabled if there is nothing to play.
fn playback_ui(ui: &mut Ui, context: &mut Context, content: impl FnOnce(&mut Ui, &mut Context)) {
    let moves = playback_range::moves(&context.document.model, context.view);
    ui.add_enabled_ui(moves, |ui| content(ui, context));
}

/// The frame and the time at the playhead, the more important one first: the frame, unless it does not fit into a bar of this width, in
/// points.
fn readouts(ui: &Ui, context: &Context, width: f32) -> [Readout; 2] {
    let model = &context.document.model;
    let (time, duration) = (context.transport.time(), playback_range::duration(model, context.view));
    let fps = context.document.rate(context.view).fps;
    let (frame, last) = (frame_text(time, fps), frame_text(duration, fps));
    let seconds = format!("{time:.3}");
    let frame_digits = format!("{:.1}", duration * fps).len();
    let second_digits = format!("{duration:.3}").len();
    // Figure spaces are as wide as digits, so the number does not move when its digits change.
    let seconds = Readout { unit: TimeUnit::Seconds, text: format!("{seconds:\u{2007}>second_digits$} s"), number: seconds };
    let frames = Readout { unit: TimeUnit::Frames, text: format!("{frame:\u{2007}>frame_digits$} / {last}"), number: frame };
    if BUTTONS_WIDTH + readout_width(ui, &frames) + MENU_WIDTH <= width { [frames, seconds] } else { [seconds, frames] }
}

/// The width of a readout, in points.
fn readout_width(ui: &Ui, readout: &Readout) -> f32 {
    let text = ui.painter().layout_no_wrap(readout.text.clone(), theme::number_font(), Color32::PLACEHOLDER);
    text.size().x + 2.0 * typed_time::PADDING
}

/// Finds the parts that fit into a bar of this width, in points.
fn fitting_parts(ui: &Ui, context: &Context, [first, second]: &[Readout; 2], width: f32) -> FittingParts {
    let note = note_width(context);
    let widths = [
        (FittingParts::FirstReadout, readout_width(ui, first)),
        (FittingParts::Repeat, REPEAT_WIDTH),
        (FittingParts::Tabs, TABS_WIDTH),
        (FittingParts::SecondReadout, readout_width(ui, second) + 20.0),
        (FittingParts::Speed, SPEED_WIDTH),
        (FittingParts::Rate, rate_width(context) + note / 2.0),
        (FittingParts::RateNote, note / 2.0),
        (FittingParts::Words, WORDS_WIDTH),
    ];
    let fitting = |mut remaining: f32| {
        let fitting = widths.into_iter().take_while(|(_, part_width)| {
            remaining -= part_width;
            remaining >= 0.0
        });
        fitting.last().map_or(FittingParts::Buttons, |(parts, _)| parts)
    };
    let remaining = width - BUTTONS_WIDTH;
    match fitting(remaining) {
        parts if !needs_menu(parts) => parts,
        _ if remaining < MENU_WIDTH => FittingParts::FewButtons,
        parts => fitting(remaining - MENU_WIDTH).min(parts),
    }
}

/// The width of the rate without its note, in points.
fn rate_width(context: &Context) -> f32 {
    RATE_WIDTH + if context.view.rate.is_some() { RESET_WIDTH } else { 0.0 }
}

/// The width of the note on the rate, in points. 0 without a note.
fn note_width(context: &Context) -> f32 {
    if rate_note(context.document.rate(context.view).source).is_some() { RATE_NOTE_WIDTH } else { 0.0 }
}

/// Returns whether controls are left out of the bar. The words and the note on the rate are no controls.
fn needs_menu(fitting: FittingParts) -> bool {
    fitting < FittingParts::Rate
}

/// Draws the playback buttons of these actions.
fn buttons_ui(ui: &mut Ui, actions: &[Action], resumes_after_scrub: Option<bool>, context: &mut Context) {
    // Playback stops while the ruler is dragged, but the button shows whether it resumes.
    let is_playing = resumes_after_scrub.unwrap_or(context.transport.is_playing());
    let playing = is_playing && playback_range::moves(&context.document.model, context.view);
    let play_button = if playing { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
    for &action in actions {
        let (icon, label) = match action {
            Action::First => (icons::FIRST, action.label()),
            Action::PreviousFrame => (icons::PREVIOUS_FRAME, action.label()),
            Action::NextFrame => (icons::NEXT_FRAME, action.label()),
            Action::Last => (icons::LAST, action.label()),
            _ => play_button,
        };
        let sized = |ui: &mut Ui| match action {
            Action::PlayPause => icons::filled_button(ui, icon, label, icons::TRANSPORT_ICON_SIZE, icons::TRANSPORT_BUTTON_SIDE),
            _ => icons::sized_button(ui, icon, label, icons::TRANSPORT_ICON_SIZE, icons::TRANSPORT_BUTTON_SIDE),
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

/// Draws the button that changes the loop mode. Layers that play over the rest pose have their own modes.
fn repeat_ui(ui: &mut Ui, context: &mut Context) {
    let icon = match context.view.repeat {
        Repeat::Loop => icons::REPEAT_LOOP,
        Repeat::Once => icons::REPEAT_ONCE,
        Repeat::PingPong => icons::REPEAT_PING_PONG,
    };
    let label = REPEATS.iter().find(|(_, repeat)| *repeat == context.view.repeat).map_or("", |(label, _)| label);
    let label = &format!("Loop mode: {}", label.to_lowercase());
    let disabled_reason = Action::Repeat.disabled_reason(context);
    let button = |ui: &mut Ui| ui.add_enabled_ui(disabled_reason.is_none(), |ui| icons::button(ui, icon, label)).inner;
    let button = ui.push_id("repeat", button).inner.on_disabled_hover_text(disabled_reason.unwrap_or_default());
    if button.on_hover_text(format!("{label} ({})", Action::Repeat.shortcut())).clicked() {
        context.actions.push(Action::Repeat);
    }
}

/// Draws the tabs that pick the rows below the ruler. Clicking the open tab closes the rows.
fn tabs_ui(ui: &mut Ui, context: &mut Context) {
    let tabs = [(TimelineRows::DopeSheet, icons::DOPE_SHEET, "Dope sheet"), (TimelineRows::Curves, icons::CURVES, "Curves")];
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
    // The dragged value is the speed without the gap around 0. The slowest speeds become 0 and -0, which differ only in their sign.
    let without_gap = |speed: f64| (speed.abs() - slowest).max(0.0).copysign(speed);
    let before = without_gap(context.view.speed);
    let mut value = before;
    let label = ui.label(RichText::new(if fitting >= FittingParts::Words { "Speed" } else { "" }).weak());
    ui.add_space(2.0);
    let drag = number_field::with_text(&mut value, move |value| format!("{:.2}x", value + slowest.copysign(value)))
        .speed(0.01)
        .range(without_gap(-fastest)..=without_gap(fastest))
        .clamp_existing_to_range(false)
        .custom_parser(move |text| text.trim().trim_end_matches('x').parse().ok().map(|speed| without_gap(playback::clamped_speed(speed))));
    let changed = context.view.speed != 1.0;
    let drag = ui.scope(|ui| {
        // The color reminds the user that this is not the file's speed.
        ui.visuals_mut().override_text_color = changed.then_some(theme::palette(ui.ctx()).warning);
        ui.add_sized(vec2(56.0, theme::CONTROL_HEIGHT), drag)
    });
    let response = drag.inner.labelled_by(label.id);
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Speed"));
    response.on_hover_text("Playback speed, 0.1x to 4x; negative plays backward");
    if value.total_cmp(&before).is_ne() {
        context.view.speed = playback::clamped_speed((value + slowest.copysign(value)).clamp(-fastest, fastest));
    }
    let reset = ui.add_visible(changed, |ui: &mut Ui| icons::button(ui, icons::RESET, Action::NormalSpeed.label()));
    if reset.on_hover_text(Action::NormalSpeed.tooltip()).clicked() {
        context.actions.push(Action::NormalSpeed);
    }
}

/// Draws the rate, the frames and the seconds, from right to left.
fn time_ui(ui: &mut Ui, typed: &mut Option<TypedTime>, context: &mut Context, readouts: &[Readout; 2], fitting: FittingParts) {
    if needs_menu(fitting) {
        menu_button_ui(ui, typed, context, readouts, fitting);
    }
    let [first, second] = readouts;
    if fitting >= FittingParts::Rate {
        rate_ui(ui, context, fitting);
    }
    playback_ui(ui, context, |ui, context| {
        if fitting >= FittingParts::FirstReadout {
            typed_time::readout_ui(ui, typed, context, first);
        }
        if fitting >= FittingParts::Words {
            ui.weak("frame");
        }
        if fitting >= FittingParts::SecondReadout {
            ui.add_space(theme::MARGIN);
            typed_time::readout_ui(ui, typed, context, second);
        }
    });
}

/// Draws the button of a menu with the controls that do not fit into the bar.
fn menu_button_ui(ui: &mut Ui, typed: &mut Option<TypedTime>, context: &mut Context, readouts: &[Readout; 2], fitting: FittingParts) {
    const LABEL: &str = "More playback controls";
    let button = Button::new("...").min_size(Vec2::splat(icons::BUTTON_SIDE)).frame_when_inactive(false);
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (button, _) = MenuButton::from_button(button).config(config).ui(ui, |ui| menu_ui(ui, typed, context, readouts, fitting));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, LABEL));
    button.on_hover_text(LABEL);
}

/// Draws the controls that do not fit into the bar, each in a row with a label.
fn menu_ui(ui: &mut Ui, typed: &mut Option<TypedTime>, context: &mut Context, readouts: &[Readout; 2], fitting: FittingParts) {
    for (readout, part) in readouts.iter().zip([FittingParts::FirstReadout, FittingParts::SecondReadout]) {
        if fitting < part {
            let label = if readout.unit == TimeUnit::Frames { "Frame" } else { "Time" };
            menu_row_ui(ui, label, |ui| playback_ui(ui, context, |ui, context| typed_time::readout_ui(ui, typed, context, readout)));
        }
    }
    if fitting < FittingParts::Tabs {
        menu_row_ui(ui, "Rows", |ui| tabs_ui(ui, context));
    }
    if fitting < FittingParts::Repeat {
        menu_row_ui(ui, "Loop mode", |ui| repeat_ui(ui, context));
    }
    if fitting < FittingParts::Speed {
        menu_row_ui(ui, "Speed", |ui| playback_ui(ui, context, |ui, context| speed_ui(ui, context, fitting)));
    }
    menu_row_ui(ui, "Frame rate", |ui| {
        // The rate is drawn from right to left.
        let size = vec2(rate_width(context) + note_width(context), theme::CONTROL_HEIGHT);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| rate_ui(ui, context, FittingParts::RateNote));
    });
}

/// Draws a row of the menu.
fn menu_row_ui(ui: &mut Ui, label: &str, control: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(vec2(MENU_LABEL_WIDTH, theme::CONTROL_HEIGHT), layout, |ui| {
            ui.set_min_width(MENU_LABEL_WIDTH);
            ui.label(label);
        });
        control(ui);
    });
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
    let drag = number_field::with_text(&mut fps, numbers::rate).speed(0.1).range(1.0..=1000.0).clamp_existing_to_range(false);
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
