//! The JSON of a file: its conversion to types, its extensions, and the values that animation pointers lead to.

pub(crate) mod direct;
pub(crate) mod document;
pub(crate) mod extensions;
pub(crate) mod infinite_number;
mod lone_surrogate;
mod morph_attributes;
pub(crate) mod object_count;
pub(crate) mod raw_pointers;
pub(crate) mod typed;

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
