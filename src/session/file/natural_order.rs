//! Sorts names as people do: upper and lower case alike, and numbers by their value.

use std::cmp::Ordering;

/// Compares two names: `walk2` comes before `Walk10`. Names that differ only in case or leading zeros are in the order of their characters.
pub fn compare(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let order = match (rest_a.chars().next(), rest_b.chars().next()) {
            (Some(first_a), Some(first_b)) if first_a.is_ascii_digit() && first_b.is_ascii_digit() => {
                let (number_a, number_b);
                (number_a, rest_a) = split_number(rest_a);
                (number_b, rest_b) = split_number(rest_b);
                // Without leading zeros, the longer number is the larger one.
                number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b))
            }
            (Some(first_a), Some(first_b)) => {
                (rest_a, rest_b) = (&rest_a[first_a.len_utf8()..], &rest_b[first_b.len_utf8()..]);
                first_a.to_lowercase().cmp(first_b.to_lowercase())
            }
            (None, None) => return a.cmp(b),
            (first_a, first_b) => return first_a.cmp(&first_b),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Splits the digits at the beginning of a text from the rest. Leading zeros are left out.
fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (digits.trim_start_matches('0'), rest)
}
