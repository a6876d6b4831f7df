//! Number fields whose values may have more digits than the fields show.

use std::ops::RangeInclusive;

use egui::accesskit::Action;
use egui::emath::Numeric;
use egui::{DragValue, Event, Id, Key, Response, Ui, Widget};

/// A field for a number. A typed number is set when typing ends, so that it is one undo step; Esc cancels it.
#[must_use = "add it to a Ui"]
pub struct NumberField<'a> {
    field: DragValue<'a>,
    /// The change of the value by a drag over one point.
    speed: f64,
    /// The smallest change of the value by a key: one unit of the last digit that is shown. 0 if the value is shown as another text.
    min_step: f64,
}

/// A field for a value that is shown with a number of decimals.
pub fn with_decimals<Num: Numeric>(value: &mut Num, decimals: usize) -> NumberField<'_> {
    let field = exact(value, move |number| format!("{number:.decimals$}")).fixed_decimals(decimals);
    NumberField { field, speed: 1.0, min_step: 0.1f64.powi(decimals as i32) }
}

/// A field for a value that is shown as the text that `text` returns.
pub fn with_text<'a, Num: Numeric>(value: &'a mut Num, text: impl Fn(f64) -> String + Copy + 'a) -> NumberField<'a> {
    NumberField { field: exact(value, text).custom_formatter(move |number, _| text(number)), speed: 1.0, min_step: 0.0 }
}

/// A field that keeps its value if the new value has the same text, because egui parses the rounded text again when the field loses the
/// keyboard focus. Numbers that are not finite are ignored.
fn exact<'a, Num: Numeric>(value: &'a mut Num, text: impl Fn(f64) -> String + 'a) -> DragValue<'a> {
    let field = DragValue::from_get_set(move |new| {
        let is_new = |new: &Num| new.to_f64().is_finite() && text(new.to_f64()) != text(value.to_f64());
        if let Some(new) = new.map(Num::from_f64).filter(is_new) {
            *value = new;
        }
        value.to_f64()
    });
    field.update_while_editing(false)
}

impl<'a> NumberField<'a> {
    /// The range of typed and dragged values.
    pub fn range<Num: Numeric>(self, range: RangeInclusive<Num>) -> Self {
        Self { field: self.field.range(range), ..self }
    }

    /// Whether a value outside the range is moved into it as soon as it is shown.
    pub fn clamp_existing_to_range(self, clamps: bool) -> Self {
        Self { field: self.field.clamp_existing_to_range(clamps), ..self }
    }

    /// The change of the value by a drag over one point. The arrow keys change the value by at least one unit of its last digit.
    pub fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    pub fn suffix(self, suffix: &str) -> Self {
        Self { field: self.field.suffix(suffix), ..self }
    }

    pub fn min_decimals(self, decimals: usize) -> Self {
        Self { field: self.field.min_decimals(decimals), ..self }
    }

    /// Converts a typed text to a value. `None` if the text is not a number.
    pub fn custom_parser(self, parse: impl 'a + Fn(&str) -> Option<f64>) -> Self {
        Self { field: self.field.custom_parser(parse), ..self }
    }
}

impl Widget for NumberField<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let id = ui.next_auto_id();
        // egui rounds each step to the digits that are shown, so a smaller step by a key would change nothing.
        let speed = if is_stepped(ui, id) { self.speed.max(self.min_step) } else { self.speed };
        let field = self.field.speed(speed);
        ui.add(if is_canceled(ui, id) { field.custom_parser(|_| None) } else { field })
    }
}

/// Returns whether keys or a screen reader can change the value in this frame.
fn is_stepped(ui: &Ui, field: Id) -> bool {
    let is_requested = |action| ui.input(|input| input.num_accesskit_action_requests(field, action) > 0);
    ui.memory(|memory| memory.has_focus(field)) || is_requested(Action::Increment) || is_requested(Action::Decrement)
}

/// Returns whether the text in the field is canceled by Esc. egui sets the typed number in the two passes after the focus is lost, and
/// knows only in the first one that the key was Esc.
fn is_canceled(ui: &Ui, field: Id) -> bool {
    let (id, pass) = (field.with("canceled"), ui.ctx().cumulative_pass_nr());
    let ends_typing = |event: &Event| match event {
        Event::Key { key, pressed: true, .. } => [Key::Enter, Key::Tab, Key::Escape].contains(key).then_some(*key),
        _ => None,
    };
    // In a slow frame, Esc may follow the key that has ended typing.
    let ended_by = ui.input(|input| input.events.iter().find_map(ends_typing));
    if ui.memory(|memory| memory.had_focus_last_frame(field)) && ended_by == Some(Key::Escape) {
        ui.data_mut(|data| data.insert_temp(id, pass));
    }
    ui.data(|data| data.get_temp::<u64>(id)).is_some_and(|canceled| pass <= canceled + 1)
}
