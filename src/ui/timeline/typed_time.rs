//! The time and the frame in the transport bar. A click turns a readout into a text field: Enter or a click elsewhere goes to the typed
//! time, Esc cancels.

use egui::text::CCursorRange;
use egui::{Align2, Button, Key, Role, TextEdit, Ui, WidgetInfo, vec2};

use crate::animation::playback::frame_time;
use crate::session::document::DocumentId;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::{text, theme};

/// Space at the left and right of a readout, in points.
pub const PADDING: f32 = 4.0;

/// The unit of a readout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeUnit {
    Seconds,
    Frames,
}

impl TimeUnit {
    /// The name for screen readers.
    fn label(self) -> &'static str {
        match self {
            Self::Seconds => "Time",
            Self::Frames => "Frame",
        }
    }
}

/// A readout of the time.
pub struct Readout {
    pub unit: TimeUnit,
    /// The text while nothing is typed. It is padded to its maximum width in this animation, so that the parts beside it do not move.
    pub text: String,
    /// The number in the text. It is the initial text of the field.
    pub number: String,
}

/// The text in the open field.
#[derive(Debug, Clone)]
pub struct TypedTime {
    unit: TimeUnit,
    text: String,
    /// The text that the field was opened with.
    initial: String,
    /// Whether the field was just opened, and does not have the keyboard focus yet.
    is_new: bool,
    /// The document and its animation in the last frame. The text is meant for them.
    subject: (DocumentId, Option<usize>),
}

/// Draws the readout, or the field that replaces it.
pub fn readout_ui(ui: &mut Ui, typed: &mut Option<TypedTime>, context: &mut Context, readout: &Readout) {
    if typed.as_ref().is_some_and(|typed| typed.unit == readout.unit) {
        return field_ui(ui, typed, context, readout);
    }
    let label = readout.unit.label();
    let button = ui.scope(|ui| {
        ui.spacing_mut().button_padding = vec2(PADDING, 0.0);
        ui.add(Button::new(text::number(&readout.text)).frame_when_inactive(false))
    });
    let (button, enabled) = (button.inner, ui.is_enabled());
    button.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, format!("{label}: {}", readout.text.trim())));
    if button.on_hover_text(format!("Click to type a {}", label.to_lowercase())).clicked() {
        let (text, initial) = (readout.number.clone(), readout.number.clone());
        *typed = Some(TypedTime { unit: readout.unit, text, initial, is_new: true, subject: subject(context) });
    }
}

/// Returns the document and the animation that a typed time is meant for.
fn subject(context: &Context) -> (DocumentId, Option<usize>) {
    (context.document.id, context.view.animation)
}

/// Draws the field. It closes when it loses the keyboard focus. If the click that takes the focus chooses another animation, the text is
/// dropped.
fn field_ui(ui: &mut Ui, typed: &mut Option<TypedTime>, context: &mut Context, readout: &Readout) {
    let Some(open) = typed else { return };
    let is_other = std::mem::replace(&mut open.subject, subject(context)) != open.subject;
    let id = ui.make_persistent_id(("typed time", open.unit));
    let font = theme::number_font();
    let width = ui.painter().layout_no_wrap(readout.text.clone(), font.clone(), egui::Color32::PLACEHOLDER).size().x;
    // Once the field has the focus, all of its text is selected, so that typing replaces the number.
    if open.is_new && ui.memory(|memory| memory.has_focus(id)) {
        open.is_new = false;
        let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
        state.cursor.set_char_range(Some(CCursorRange::select_all_str(&open.text)));
        state.store(ui.ctx(), id);
    }
    let field = TextEdit::singleline(&mut open.text).id(id).font(font).align(Align2::RIGHT_CENTER).desired_width(width + 3.0 * PADDING);
    let response = ui.add(field).accessible_name(open.unit.label());
    if open.is_new {
        response.request_focus();
    } else if !response.has_focus() {
        // A field that was only opened does not stop playback.
        let is_unchanged = open.text == open.initial && !ui.input(|input| input.key_pressed(Key::Enter));
        let is_canceled = is_unchanged || is_other || ui.input(|input| input.key_pressed(Key::Escape));
        match time(open, context) {
            _ if is_canceled => {}
            Some(time) => {
                context.transport.pause();
                playback::seek(context, time);
            }
            None if open.text.trim().is_empty() => {}
            None => context.requests.push(Request::ShowMessage(format!("Not a number: {}", open.text))),
        }
        *typed = None;
    }
}

/// The typed time in seconds. `None` if the text is not a finite number.
fn time(typed: &TypedTime, context: &Context) -> Option<f64> {
    let text = typed.text.trim();
    let number: f64 = match typed.unit {
        TimeUnit::Seconds => text.trim_end_matches('s').trim_end().parse().ok()?,
        TimeUnit::Frames => text.parse().ok()?,
    };
    let seconds = match typed.unit {
        TimeUnit::Seconds => number,
        TimeUnit::Frames => frame_time(number / context.document.rate(context.view).fps),
    };
    seconds.is_finite().then_some(seconds)
}
