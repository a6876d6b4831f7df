//! Numbers that are too large for `f64`, such as 1e999. JSON allows them, but the parser refuses a document that contains one.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::end_of_string;

/// Returns the JSON with each infinite number replaced by a string of the same characters. `None` if there is no such number.
pub fn quote_infinite(json: &[u8]) -> Option<Vec<u8>> {
    let mut quoted = Vec::new();
    let (mut position, mut copied) = (0, 0);
    while let Some(&byte) = json.get(position) {
        position = match byte {
            b'"' => end_of_string(json, position),
            b'-' | b'0'..=b'9' => {
                let end = position + json[position..].iter().take_while(|byte| is_number_byte(**byte)).count();
                if is_infinite_number(&json[position..end]) {
                    for part in [&json[copied..position], b"\"", &json[position..end], b"\""] {
                        quoted.extend_from_slice(part);
                    }
                    copied = end;
                }
                end
            }
            _ => position + 1,
        };
    }
    quoted.extend_from_slice(&json[copied..]);
    (copied > 0).then_some(quoted)
}

/// Returns whether a value is a string that [`quote_infinite`] writes.
pub fn is_infinite(value: &Value) -> bool {
    value.as_str().is_some_and(|text| is_infinite_number(text.as_bytes()))
}

/// Returns whether a JSON number may contain this character.
fn is_number_byte(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Returns whether this is a JSON number that is infinite as `f64`.
fn is_infinite_number(text: &[u8]) -> bool {
    let number = || std::str::from_utf8(text).ok()?.parse::<f64>().ok();
    text.iter().copied().all(is_number_byte) && number().is_some_and(f64::is_infinite) && serde_json::from_slice::<IgnoredAny>(text).is_ok()
}
