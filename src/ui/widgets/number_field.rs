//! Number fields whose values may have more digits than the fields show.

use egui::DragValue;
use egui::emath::Numeric;

/// A field for a value that is shown with a number of decimals.
pub fn with_decimals<Num: Numeric>(value: &mut Num, decimals: usize) -> DragValue<'_> {
    exact(value, move |number| format!("{number:.decimals$}")).fixed_decimals(decimals)
}

/// A field for a value that is shown as the text that `text` returns.
pub fn with_text<'a, Num: Numeric>(value: &'a mut Num, text: impl Fn(f64) -> String + Copy + 'a) -> DragValue<'a> {
    exact(value, text).custom_formatter(move |number, _| text(number))
}

/// A field that keeps its value if the new value has the same text, because egui parses the rounded text again when the field loses the
/// keyboard focus. A typed number is set when typing ends, so that it is one undo step. Numbers that are not finite are ignored.
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
