//! The JSON of a file: its conversion to types, its extensions, and the values that animation pointers lead to.

pub(crate) mod direct;
pub(crate) mod document;
pub(crate) mod extensions;
pub(crate) mod fault;
pub(crate) mod infinite_number;
mod lone_surrogate;
mod morph_attributes;
pub(crate) mod object_count;
pub(crate) mod raw_pointers;
pub(crate) mod typed;

use serde_json::Value;

/// A non-negative integer. JSON may also write 3 as 3.0 (glTF 2.0, 2.7).
pub fn integer(value: &Value) -> Option<u64> {
    /// Below this number, f64 represents every integer.
    const EXACT_INTEGER_LIMIT: f64 = (1u64 << 53) as f64;
    value.as_u64().or_else(|| {
        value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..EXACT_INTEGER_LIMIT).contains(number)).map(|number| number as u64)
    })
}

/// A copy of a value in which no integer has a fraction or an exponent, because the types refuse such integers.
pub fn with_plain_integers(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(with_plain_integers).collect(),
        Value::Object(object) => object.iter().map(|(key, value)| (key.as_str(), with_plain_integers(value))).collect(),
        other => integer(other).map_or_else(|| other.clone(), Value::from),
    }
}

/// One past the closing quote of the string that begins at `start`, or the end of a text that does not close it.
fn end_of_string(json: &[u8], start: usize) -> usize {
    let mut position = start + 1;
    while let Some(&byte) = json.get(position) {
        match byte {
            b'"' => return position + 1,
            b'\\' => position += 2,
            _ => position += 1,
        }
    }
    json.len()
}
