//! Makes text from a file safe to print on one line of a terminal, and prints messages.

use std::fmt::Display;
use std::io::{self, Write};

use crate::model::label::is_unsafe;

/// Maximum number of characters of a name.
pub const MAX_NAME_CHARS: usize = 120;
/// Maximum number of characters of a message, which can quote several names.
pub const MAX_MESSAGE_CHARS: usize = 2000;

/// Prints a line on stderr. A line that cannot be printed is dropped, because Sinew does its work even if stderr is closed or full.
pub fn print_message(text: impl Display) {
    // The line is written as a whole, so that lines of several threads do not mix.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Escapes control characters, line breaks and bidirectional marks (`\u{202e}`), and replaces the characters after the first `max_chars` by
/// their number. Without this, a file could move the cursor or hide text.
pub fn escape(text: &str, max_chars: usize) -> String {
    let (kept, omitted) = truncate(text, max_chars);
    escape_if(kept, is_unsafe) + &omitted
}

/// A name in quotes, truncated to [`MAX_NAME_CHARS`]. Escapes the same characters as [`escape`], quotes and backslashes.
pub fn quote(name: &str) -> String {
    let (kept, omitted) = truncate(name, MAX_NAME_CHARS);
    format!("\"{}\"{omitted}", escape_if(kept, |char| is_unsafe(char) || matches!(char, '"' | '\\')))
}

/// Escapes some characters as in Rust.
fn escape_if(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if is_escaped(char) { escaped.extend(char.escape_default()) } else { escaped.push(char) }
    }
    escaped
}

/// The first `max_chars` characters, and a text with the number of the remaining characters. The text is empty if none remain.
fn truncate(text: &str, max_chars: usize) -> (&str, String) {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => (&text[..end], format!("... ({} more characters)", text[end..].chars().count())),
        None => (text, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_bidirectional_marks_are_escaped() {
        assert_eq!(escape("a\n\u{1b}[31mb\u{202e}c\u{9b}", 100), "a\\n\\u{1b}[31mb\\u{202e}c\\u{9b}");
        assert_eq!(escape("Gehen, 走る, \u{645}\u{634}\u{6cc}", 100), "Gehen, 走る, \u{645}\u{634}\u{6cc}");
        assert_eq!(quote("นั่ง e\u{301} C:\\a"), "\"นั่ง e\u{301} C:\\\\a\"", "combining marks stay");
        assert_eq!(quote("say \"hi\"\t\u{202e}"), "\"say \\\"hi\\\"\\t\\u{202e}\"");
    }

    #[test]
    fn truncated_text_ends_with_the_number_of_omitted_characters() {
        assert_eq!(escape("äöüß", 2), "äö... (2 more characters)");
        assert_eq!(escape("äöüß", 4), "äöüß");
        assert!(quote(&"n".repeat(100_000)).ends_with("n\"... (99880 more characters)"));
    }
}
