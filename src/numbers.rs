//! Formats numbers: grouped counts, decimals that fit, significant digits. All results are for display.

use std::fmt::Display;

/// A count with its noun: "1 finding", "2 findings", "2 meshes", "2 vertices", "2 branches", "2 sets of key times".
pub fn counted(count: usize, what: &str) -> String {
    let (stem, ending) = match what {
        _ if count == 1 => (what, ""),
        "vertex" => ("vert", "ices"),
        "inverse bind matrix" => ("inverse bind matri", "ces"),
        "set of key times" => ("sets of key times", ""),
        _ if what.ends_with("sh") || what.ends_with("ch") => (what, "es"),
        _ => (what, "s"),
    };
    format!("{} {stem}{ending}", grouped(count))
}

/// The form of a word that agrees with a count: "1 of 22 nodes has", "2 of 22 nodes have".
pub fn agreeing<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// A whole number, not negative, with its digits in groups of three: 1234567 as "1,234,567".
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    debug_assert!(digits.bytes().all(|byte| byte.is_ascii_digit()), "{digits}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in bytes, in decimal units: "1.2 MB".
pub fn bytes(count: u64) -> String {
    match count {
        0..1000 => format!("{count} B"),
        // From here on, one decimal rounds up to the next unit.
        1000..999_950 => format!("{:.1} kB", count as f64 / 1e3),
        999_950..999_950_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// A number with this many decimals. A value that rounds to zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_owned() } else { text }
}

/// A number with up to `decimals` decimals, as many as fit into `room` characters. If it does not fit even without decimals, it is written
/// with a power of ten.
pub fn fitted(value: f64, decimals: usize, room: usize) -> String {
    let fits = (0..=decimals).rev().map(|decimals| fixed(value, decimals)).find(|text| text.len() <= room);
    fits.unwrap_or_else(|| format!("{value:.1e}"))
}

/// A positive number with three significant digits. A number of 1000 or more keeps all digits before the decimal point. A number below
/// 0.0001 is written with two digits and a power of ten.
pub fn three_digits(number: f64) -> String {
    // Rounding may add a digit before the decimal point, as in 9.996.
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    let digits = if rounded > 0.0 { 2 - rounded.log10().floor() as i32 } else { 0 };
    match digits {
        0..=6 => format!("{number:.*}", digits as usize),
        ..0 => format!("{number:.0}"),
        _ => format!("{number:.1e}"),
    }
}

/// A frame number with up to this many decimals: "12", or "12.4" between two frames. It is never rounded up, because a frame lasts until
/// the next one begins: just before frame 48, every label says 47.
pub fn frame(frame: f64, decimals: u32) -> String {
    let scale = 10f64.powi(decimals as i32);
    // The product of a time and a rate may be slightly too small.
    let cut = ((frame + 1e-4) * scale).floor() / scale;
    if cut.fract() == 0.0 { format!("{cut:.0}") } else { format!("{cut:.*}", decimals as usize) }
}

/// A frame rate with up to three decimals: "24", "23.976".
pub fn rate(fps: f64) -> String {
    fixed(fps, 3).trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{bytes, fitted, three_digits};

    #[test]
    fn numbers_keep_the_digits_that_fit() {
        assert_eq!(fitted(1.0, 3, 8), "1.000");
        assert_eq!(fitted(-0.0001, 3, 8), "0.000");
        assert_eq!(fitted(-0.5, 3, 8), "-0.500");
        assert_eq!(fitted(-12345.678, 3, 8), "-12345.7");
        assert_eq!(fitted(123_456_789.0, 3, 8), "1.2e8");
        assert_eq!(fitted(f64::NAN, 3, 8), "NaN");
    }

    #[test]
    fn numbers_and_sizes_that_round_up_keep_three_digits_and_get_the_next_unit() {
        let numbers = [9.996, 9.994, 0.999_6, 99.96, 999.6, 1234.0, 0.5, 0.001, 0.000_02];
        assert_eq!(numbers.map(three_digits), ["10.0", "9.99", "1.00", "100", "1000", "1234", "0.500", "0.00100", "2.0e-5"]);
        let sizes = [999, 999_900, 999_999, 12_345_678, 999_999_999, 12_000_000_000];
        assert_eq!(sizes.map(bytes), ["999 B", "999.9 kB", "1.0 MB", "12.3 MB", "1.0 GB", "12.0 GB"]);
    }
}
