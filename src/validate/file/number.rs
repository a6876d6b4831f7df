//! Numbers that `f64` cannot hold (1e999). JSON allows them, but the parser refuses the whole text.

use serde::de::IgnoredAny;
use serde_json::Value;

/// The JSON with such numbers as strings of the same digits. `None` if it has none.
pub fn quote_infinite(json: &[u8]) -> Option<Vec<u8>> {
    let mut quoted = Vec::new();
    let (mut at, mut copied) = (0, 0);
    while let Some(&byte) = json.get(at) {
        at = match byte {
            b'"' => end_of_string(json, at),
            b'-' | b'0'..=b'9' => {
                let end = at + json[at..].iter().take_while(|byte| is_part(**byte)).count();
                if is_infinite_number(&json[at..end]) {
                    for part in [&json[copied..at], b"\"", &json[at..end], b"\""] {
                        quoted.extend_from_slice(part);
                    }
                    copied = end;
                }
                end
            }
            _ => at + 1,
        };
    }
    quoted.extend_from_slice(&json[copied..]);
    (copied > 0).then_some(quoted)
}

/// Returns whether a value is a string that [`quote_infinite`] writes.
pub fn is_infinite(value: &Value) -> bool {
    value.as_str().is_some_and(|text| is_infinite_number(text.as_bytes()))
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Returns whether this is a number of JSON that is infinite as `f64`.
fn is_infinite_number(text: &[u8]) -> bool {
    let number = || std::str::from_utf8(text).ok()?.parse::<f64>().ok();
    text.iter().copied().all(is_part) && number().is_some_and(f64::is_infinite) && serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

/// One past the closing quote of the string that begins at `start`.
fn end_of_string(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}
