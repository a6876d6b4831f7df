//! Filters that turn decoded elements, in place, into the values that accessors read. A result that the specification
//! leaves undefined may be any number.

use super::Filter;

/// Applies a filter to elements of `stride` bytes.
pub fn apply(filter: Filter, stride: usize, elements: &mut [u8]) {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => {
            map_elements(elements, |bytes: [u8; 4]| octahedral(bytes.map(|byte| (byte as i8).into()), 127.0).map(|value| value as u8));
        }
        (Filter::Octahedral, _) => map_elements(elements, |bytes| from_words(octahedral(words(bytes).map(u16::cast_signed), 32767.0))),
        (Filter::Quaternion, _) => map_elements(elements, |bytes| quaternion(words(bytes).map(u16::cast_signed))),
        (Filter::Exponential, _) => map_elements(elements, |bytes| exponential(i32::from_le_bytes(bytes)).to_le_bytes()),
        (Filter::Color, 4) => map_elements(elements, |[y, co, cg, alpha]: [u8; 4]| {
            color([y.into(), (co as i8).into(), (cg as i8).into(), alpha.into()], 255.0).map(|value| value as u8)
        }),
        (Filter::Color, _) => map_elements(elements, |bytes| {
            let [y, co, cg, alpha] = words(bytes);
            from_words(color([y.into(), co.cast_signed().into(), cg.cast_signed().into(), alpha.into()], 65535.0))
        }),
    }
}

/// Applies a function to each element of `N` bytes.
fn map_elements<const N: usize>(elements: &mut [u8], filter: impl Fn([u8; N]) -> [u8; N]) {
    for element in elements.as_chunks_mut::<N>().0 {
        *element = filter(*element);
    }
}

/// Reads four little-endian words.
fn words([a, b, c, d, e, f, g, h]: [u8; 8]) -> [u16; 4] {
    [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes)
}

/// Writes four little-endian words.
fn from_words(words: [u16; 4]) -> [u8; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = words.map(u16::to_le_bytes);
    [a, b, c, d, e, f, g, h]
}

/// Rounds to the nearest integer and returns its lowest 16 bits, for |value| < 2^22. This is much faster than a conversion to an integer.
fn round(value: f32) -> u16 {
    // From 2^23 on, a float has no fraction bits, so the addition itself rounds.
    const INTEGERS_ONLY: f32 = 1.5 * (1 << 23) as f32;
    (value + INTEGERS_ONLY).to_bits() as u16
}

/// Decodes a unit vector from two octahedral coordinates and the number that represents 1. The fourth component passes through. `max`
/// represents 1 in the result.
fn octahedral([x, y, one, fourth]: [i16; 4], max: f32) -> [u16; 4] {
    let one = f32::from(one);
    let (x, y) = (f32::from(x) / one, f32::from(y) / one);
    let z = 1.0 - x.abs() - y.abs();
    // Unfold the lower half of the octahedron.
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let scale = max / (x * x + y * y + z * z).sqrt();
    [round(x * scale), round(y * scale), round(z * scale), fourth.cast_unsigned()]
}

/// Decodes a unit quaternion from three components. The highest bits of the fourth number represent the value 1, and its lowest two bits
/// tell which component is missing: the largest one, which is positive.
fn quaternion([x, y, z, last]: [i16; 4]) -> [u8; 8] {
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(last | 3);
    let [x, y, z] = [x, y, z].map(|value| f32::from(value) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    // Rotate the missing component to its place in two steps. A branch on the component could not be predicted, and shifts by a variable
    // are slow.
    let mut bytes = u64::from_le_bytes(from_words([w, x, y, z].map(|value| round(value * 32767.0))));
    bytes = if last & 1 == 0 { bytes } else { bytes.rotate_left(16) };
    bytes = if last & 2 == 0 { bytes } else { bytes.rotate_left(32) };
    bytes.to_le_bytes()
}

/// Decodes a number: a signed factor times a power of two, whose signed exponent is in the highest eight bits.
fn exponential(value: i32) -> f32 {
    let (exponent, factor) = (value >> 24, value << 8 >> 8);
    // Valid exponents are at least -100.
    let power = f32::from_bits(((exponent + 127).max(0) as u32) << 23);
    power * factor as f32
}

/// Decodes red, green, blue and alpha from luma, two color differences and alpha. The position of the highest set bit of alpha gives the
/// number of bits per channel.
fn color([y, co, cg, alpha]: [i32; 4], max: f32) -> [u16; 4] {
    let bits = 32 - alpha.leading_zeros();
    let one = (1 << bits) - 1;
    let value = alpha & (one >> 1);
    // Alpha has one bit less than the other channels.
    let alpha = value << 1 | value & 1;
    let scale = max / one as f32;
    [y + co - cg, y + cg, y - co - cg, alpha].map(|value| round(value as f32 * scale))
}
