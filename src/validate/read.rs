//! Reads values from raw JSON. Functions return `None` if a value is missing or of another type: the schema check reports such a value, so
//! the other checks may skip it.

use serde_json::Value;

use crate::asset::error::shortened;
use crate::asset::json::infinite_number;
pub use crate::asset::json::integer;

/// The elements of an array property. Empty if there is none.
pub fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A non-negative integer property.
pub fn unsigned(value: &Value, key: &str) -> Option<u64> {
    integer(value.get(key)?)
}

/// An index property.
pub fn index(value: &Value, key: &str) -> Option<usize> {
    usize::try_from(unsigned(value, key)?).ok()
}

/// The indices in an array, with their positions.
pub fn indices<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = (usize, usize)> + use<'a> {
    list(value, key).iter().enumerate().filter_map(|(position, element)| Some((position, usize::try_from(integer(element)?).ok()?)))
}

/// A number property.
pub fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key)?.as_f64()
}

/// An array property of exactly `N` numbers.
pub fn numbers<const N: usize>(value: &Value, key: &str) -> Option<[f64; N]> {
    let elements: Option<Vec<f64>> = value.get(key)?.as_array().filter(|list| list.len() == N)?.iter().map(Value::as_f64).collect();
    elements?.try_into().ok()
}

/// A string property.
pub fn string<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    text(value.get(key)?)
}

/// The text of a string. `None` for the string that stands for an infinite number.
pub fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|_| infinite_number::digits(value).is_none())
}

/// The object of an extension of this value.
pub fn extension<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get("extensions")?.get(name)
}

/// A key of the file, shortened and escaped for a JSON pointer (RFC 6901).
pub fn escaped(key: &str) -> String {
    shortened(key).replace('~', "~0").replace('/', "~1")
}
