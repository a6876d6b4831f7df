//! Numbers that are too large for `f64`, such as 1e999. JSON allows them, but the parser refuses a document that contains one.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::end_of_string;

/// Marks the string of a number for [`digits`]. U+FFFF is not a character, so no string of a file has it by accident.
pub const MARK: &str = "\u{ffff}";

/// Returns the JSON with each infinite number replaced by a string: `mark`, then the characters of the number. `None` if there is no such
/// number.
pub fn quote_infinite(json: &[u8], mark: &str) -> Option<Vec<u8>> {
    let mut quoted = Vec::new();
    let (mut position, mut copied) = (0, 0);
    while let Some(&byte) = json.get(position) {
        position = match byte {
            b'"' => end_of_string(json, position),
            b'-' | b'0'..=b'9' => {
                let end = position + json[position..].iter().take_while(|byte| is_number_byte(**byte)).count();
                if is_infinite_number(&json[position..end]) {
                    for part in [&json[copied..position], b"\"", mark.as_bytes(), &json[position..end], b"\""] {
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

/// The characters of an infinite number that [`quote_infinite`] has replaced by a marked string. `None` for another value.
pub fn digits(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix(MARK)
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
