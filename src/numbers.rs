//! Formats numbers: grouped counts, decimals that fit, significant digits. All results are for display.

/// A count with its noun: "1 finding", "2 findings", "2 meshes".
pub fn counted(count: usize, what: &str) -> String {
    let ending = match count {
        1 => "",
        _ if what.ends_with("sh") => "es",
        _ => "s",
    };
    format!("{} {what}{ending}", grouped(count))
}

/// A number with its digits in groups of three, separated by narrow spaces: 1234567 as "1 234 567".
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202F}');
        }
        text.push(digit);
    }
    text
}

/// A number with this many decimals. A value that rounds to zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_owned() } else { text }
}

/// A number with as many of the decimals as fit into `room` characters. If none fit, a power of ten.
pub fn fitted(value: f64, decimals: usize, room: usize) -> String {
    let fits = (0..=decimals).rev().map(|decimals| fixed(value, decimals)).find(|text| text.len() <= room);
    fits.unwrap_or_else(|| format!("{value:.1e}"))
}

/// A positive number with three significant digits, however large it is.
pub fn three_digits(number: f64) -> String {
    let digits = if number > 0.0 { 2 - number.log10().floor() as i32 } else { 0 };
    match digits {
        0..=6 => format!("{number:.*}", digits as usize),
        ..0 => format!("{number:.0}"),
        _ => format!("{number:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn numbers_keep_the_digits_that_fit() {
        assert_eq!(fitted(1.0, 3, 8), "1.000");
        assert_eq!(fitted(-0.0001, 3, 8), "0.000");
        assert_eq!(fitted(-0.5, 3, 8), "-0.500");
        assert_eq!(fitted(-12345.678, 3, 8), "-12345.7");
        assert_eq!(fitted(123_456_789.0, 3, 8), "1.2e8");
        assert_eq!(fitted(f64::NAN, 3, 8), "NaN");
    }
}
