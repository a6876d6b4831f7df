//! Divides a name into parts: `RightHandIndex3_034` into `Right`, `Hand`, `Index3_` and `034`. A separator belongs to the part before it.

use unicode_segmentation::GraphemeCursor;

use super::prefix::common_prefix;

/// Maximum number of parts. The last one holds the rest of the name.
const MAX_PARTS: usize = 24;
/// Parts with more characters than this are divided where a difference from a neighbor begins or ends.
const MAX_UNDIVIDED_CHARS: usize = 8;

/// The parts of a name, in order. Joined together, they give the name.
pub fn parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut before, mut has_letter) = (0, None, false);
    for (index, char) in name.char_indices() {
        let begins = before.is_some_and(|before: char| {
            char.is_alphanumeric() && (!before.is_alphanumeric() || (char.is_uppercase() && !before.is_uppercase()))
        });
        if begins && has_letter && parts.len() + 1 < MAX_PARTS {
            parts.push(&name[start..index]);
            (start, has_letter) = (index, false);
        }
        has_letter |= char.is_alphanumeric();
        before = Some(char);
    }
    if start < name.len() {
        parts.push(&name[start..]);
    }
    parts
}

/// The parts of a name, with long parts divided at the start and the end of the range in which the name differs from each of these
/// neighbors.
pub fn parts_among<'a>(name: &'a str, neighbors: &[&str]) -> Vec<&'a str> {
    let mut cuts: Vec<usize> = neighbors.iter().flat_map(|other| differing_range(name, other)).collect();
    cuts.sort_unstable();
    let mut divided = Vec::new();
    let mut end = 0;
    for part in parts(name) {
        let mut start = end;
        end += part.len();
        if part.chars().nth(MAX_UNDIVIDED_CHARS).is_some() {
            for &cut in cuts.iter().filter(|&&cut| cut < end) {
                if cut > start {
                    divided.push(&name[start..cut]);
                    start = cut;
                }
            }
        }
        divided.push(&name[start..end]);
    }
    divided
}

/// Returns whether a part has digits but no letters.
pub fn is_number(part: &str) -> bool {
    part.chars().any(char::is_numeric) && !part.chars().any(char::is_alphabetic)
}

/// The range of bytes, as start and end, in which a name differs from another one. Both lie between graphemes.
fn differing_range(name: &str, other: &str) -> [usize; 2] {
    let prefix = common_prefix(name, other);
    let rest = name.len().min(other.len()) - prefix;
    let (mut from, mut to) = (prefix, name.len());
    for (char, other) in name.chars().rev().zip(other.chars().rev()) {
        if char != other || name.len() - to + char.len_utf8() > rest {
            break;
        }
        to -= char.len_utf8();
    }
    let is_boundary = |at: usize| GraphemeCursor::new(at, name.len(), true).is_boundary(name, 0).unwrap_or(true);
    while !is_boundary(from) {
        from = name.floor_char_boundary(from - 1);
    }
    while !is_boundary(to) {
        to = name.ceil_char_boundary(to + 1);
    }
    [from, to]
}
