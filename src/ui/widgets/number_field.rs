//! Number fields whose values may have more digits than the fields show.

use std::ops::RangeInclusive;

use egui::emath::Numeric;
use egui::{DragValue, Id, Key, Response, Ui, Widget};

/// A field for a number. A typed number is set when typing ends, so that it is one undo step; Esc cancels it.
#[must_use = "add it to a Ui"]
pub struct NumberField<'a>(DragValue<'a>);

/// A field for a value that is shown with a number of decimals.
pub fn with_decimals<Num: Numeric>(value: &mut Num, decimals: usize) -> NumberField<'_> {
    NumberField(exact(value, move |number| format!("{number:.decimals$}")).fixed_decimals(decimals))
}

/// A field for a value that is shown as the text that `text` returns.
pub fn with_text<'a, Num: Numeric>(value: &'a mut Num, text: impl Fn(f64) -> String + Copy + 'a) -> NumberField<'a> {
    NumberField(exact(value, text).custom_formatter(move |number, _| text(number)))
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
        Self(self.0.range(range))
    }

    /// Whether a value outside the range is moved into it as soon as it is shown.
    pub fn clamp_existing_to_range(self, clamps: bool) -> Self {
        Self(self.0.clamp_existing_to_range(clamps))
    }

    /// The change of the value by a drag over one point.
    pub fn speed(self, speed: f64) -> Self {
        Self(self.0.speed(speed))
    }

    pub fn suffix(self, suffix: &str) -> Self {
        Self(self.0.suffix(suffix))
    }

    pub fn min_decimals(self, decimals: usize) -> Self {
        Self(self.0.min_decimals(decimals))
    }

    /// Converts a typed text to a value. `None` if the text is not a number.
    pub fn custom_parser(self, parse: impl 'a + Fn(&str) -> Option<f64>) -> Self {
        Self(self.0.custom_parser(parse))
    }
}

impl Widget for NumberField<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let field = if is_canceled(ui, ui.next_auto_id()) { self.0.custom_parser(|_| None) } else { self.0 };
        ui.add(field)
    }
}

/// Returns whether the text in the field is canceled by Esc. egui sets the typed number in the two passes after the focus is lost, and
/// knows only in the first one that the key was Esc.
fn is_canceled(ui: &Ui, field: Id) -> bool {
    let (id, pass) = (field.with("canceled"), ui.ctx().cumulative_pass_nr());
    if ui.memory(|memory| memory.had_focus_last_frame(field)) && ui.input(|input| input.key_pressed(Key::Escape)) {
        ui.data_mut(|data| data.insert_temp(id, pass));
    }
    ui.data(|data| data.get_temp::<u64>(id)).is_some_and(|canceled| pass <= canceled + 1)
}
