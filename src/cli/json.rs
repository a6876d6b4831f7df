//! Writes results as JSON. Every character that a terminal could interpret is written as an escape sequence, as in `\u202e`, which parses
//! to the same text.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::model::label::is_unsafe;

/// Writes a value on several lines, indented.
pub fn write_pretty<T: Serialize>(value: &T, out: impl Write) -> io::Result<()> {
    write(value, out, PrettyFormatter::new())
}

/// Writes a value on a single line.
pub fn write_compact<T: Serialize>(value: &T, out: impl Write) -> io::Result<()> {
    write(value, out, CompactFormatter)
}

/// Writes a value and a line break.
fn write<T: Serialize>(value: &T, mut out: impl Write, formatter: impl Formatter) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut out, Escaped(formatter)))?;
    writeln!(out)
}

/// A formatter that escapes unsafe characters in strings, and leaves everything else to another formatter.
struct Escaped<F>(F);

impl<F: Formatter> Formatter for Escaped<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        // Each part ends with an unsafe character, except perhaps the last one.
        for part in fragment.split_inclusive(is_unsafe) {
            let safe = part.trim_end_matches(is_unsafe);
            out.write_all(safe.as_bytes())?;
            for unit in part[safe.len()..].encode_utf16() {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }

    // The methods that `PrettyFormatter` overrides.

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn unsafe_characters_are_escaped_in_keys_and_values_and_parse_to_the_same_text() {
        let text = "a\"\n\u{7f}\u{9b}2J\u{200f}\u{202e}\u{2028}\u{2066}\u{e0067}\u{e007f}\u{e4} \u{8d70}\u{1f600}";
        let value = json!({ text: [text, 1.5, null, {}, []], "plain": { "\u{202e}": text } });
        let (mut pretty, mut compact) = (Vec::new(), Vec::new());
        write_pretty(&value, &mut pretty).unwrap();
        write_compact(&value, &mut compact).unwrap();
        for bytes in [pretty, compact] {
            assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap(), value);
            let printed = String::from_utf8(bytes).unwrap();
            assert_eq!(printed.chars().find(|&char| char != '\n' && is_unsafe(char)), None, "{printed}");
            assert!(printed.contains(r#"a\"\n\u007f\u009b2J\u200f\u202e\u2028\u2066\udb40\udc67"#), "{printed}");
            assert!(printed.contains("\u{e4} \u{8d70}\u{1f600}"), "{printed}");
        }
    }

    #[test]
    fn safe_text_is_written_as_serde_json_writes_it() {
        let value = json!({ "name": "L\u{e4}ufer \"1\"", "values": [1, 2.5e-9, -0.0, null, true, [], {}], "empty": {} });
        let (mut pretty, mut compact) = (Vec::new(), Vec::new());
        write_pretty(&value, &mut pretty).unwrap();
        write_compact(&value, &mut compact).unwrap();
        assert_eq!(String::from_utf8(pretty).unwrap(), serde_json::to_string_pretty(&value).unwrap() + "\n");
        assert_eq!(String::from_utf8(compact).unwrap(), value.to_string() + "\n");
    }
}
