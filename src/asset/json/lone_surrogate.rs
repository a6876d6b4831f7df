//! Escapes of one half of a surrogate pair, such as `\ud800` without the other half. They encode no character, and the parser refuses a
//! document that contains one.

/// Returns the JSON with each lone surrogate replaced by U+FFFD, the replacement character. `None` if there is none.
pub fn replace(json: &[u8]) -> Option<Vec<u8>> {
    let mut replaced = Vec::new();
    let (mut position, mut copied) = (0, 0);
    // Valid JSON has backslashes only in strings.
    while let Some(offset) = json[position..].iter().position(|&byte| byte == b'\\') {
        position += offset;
        let is_pair = matches!(escaped_unit(json, position + 6), Some(0xDC00..=0xDFFF));
        position = match escaped_unit(json, position) {
            Some(0xD800..=0xDBFF) if is_pair => position + 12,
            Some(0xD800..=0xDFFF) => {
                replaced.extend_from_slice(&json[copied..position]);
                replaced.extend_from_slice(b"\\ufffd");
                copied = position + 6;
                copied
            }
            _ => (position + 2).min(json.len()),
        };
    }
    replaced.extend_from_slice(&json[copied..]);
    (copied > 0).then_some(replaced)
}

/// The UTF-16 code unit that is escaped at a position, as in `\u0041`. `None` if there is no such escape.
fn escaped_unit(json: &[u8], position: usize) -> Option<u16> {
    let digits = json.get(position..)?.strip_prefix(b"\\u")?.first_chunk::<4>()?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit * 16 + char::from(digit).to_digit(16)? as u16))
}
