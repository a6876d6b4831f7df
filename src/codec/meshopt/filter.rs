//! Filters: decoded elements to what accessors read, in place. Numbers that the specification leaves undefined come out as
//! some number.

use super::Filter;

pub fn apply(filter: Filter, stride: usize, elements: &mut [u8]) {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => {
            each(elements, |bytes: [u8; 4]| octahedral(bytes.map(|byte| (byte as i8).into()), 127.0).map(|value| value as u8));
        }
        (Filter::Octahedral, _) => each(elements, |bytes| from_words(octahedral(words(bytes).map(u16::cast_signed), 32767.0))),
        (Filter::Quaternion, _) => each(elements, |bytes| quaternion(words(bytes).map(u16::cast_signed))),
        (Filter::Exponential, _) => each(elements, |bytes| exponential(i32::from_le_bytes(bytes)).to_le_bytes()),
        (Filter::Color, 4) => each(elements, |[y, co, cg, alpha]: [u8; 4]| {
            color([y.into(), (co as i8).into(), (cg as i8).into(), alpha.into()], 255.0).map(|value| value as u8)
        }),
        (Filter::Color, _) => each(elements, |bytes| {
            let [y, co, cg, alpha] = words(bytes);
            from_words(color([y.into(), co.cast_signed().into(), cg.cast_signed().into(), alpha.into()], 65535.0))
        }),
    }
}

fn each<const N: usize>(elements: &mut [u8], filter: impl Fn([u8; N]) -> [u8; N]) {
    for element in elements.as_chunks_mut::<N>().0 {
        *element = filter(*element);
    }
}

fn words([a, b, c, d, e, f, g, h]: [u8; 8]) -> [u16; 4] {
    [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes)
}

fn from_words(words: [u16; 4]) -> [u8; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = words.map(u16::to_le_bytes);
    [a, b, c, d, e, f, g, h]
}

/// To the nearest integer, in the lowest 16 bits: far faster than a conversion. For |value| < 2^22.
fn round(value: f32) -> u16 {
    // From 2^23 on a float has no bits for fractions.
    const INTEGERS_ONLY: f32 = 1.5 * (1 << 23) as f32;
    (value + INTEGERS_ONLY).to_bits() as u16
}

/// A unit vector from its two octahedral coordinates and what stands for 1; the fourth component is passed through.
fn octahedral([x, y, one, fourth]: [i16; 4], most: f32) -> [u16; 4] {
    let one = f32::from(one);
    let (x, y) = (f32::from(x) / one, f32::from(y) / one);
    let z = 1.0 - x.abs() - y.abs();
    // The lower half is folded outwards.
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let scale = most / (x * x + y * y + z * z).sqrt();
    [round(x * scale), round(y * scale), round(z * scale), fourth.cast_unsigned()]
}

/// A unit quaternion from three of its components; the fourth number holds what stands for 1 and, in its lowest two bits,
/// which component is left out: the largest, which is positive.
fn quaternion([x, y, z, last]: [i16; 4]) -> [u8; 8] {
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(last | 3);
    let [x, y, z] = [x, y, z].map(|value| f32::from(value) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    // The one left out goes to its place and the others follow in a circle: in two steps that need neither a branch, which
    // could not be predicted, nor a shift by a variable.
    let mut bytes = u64::from_le_bytes(from_words([w, x, y, z].map(|value| round(value * 32767.0))));
    bytes = if last & 1 == 0 { bytes } else { bytes.rotate_left(16) };
    bytes = if last & 2 == 0 { bytes } else { bytes.rotate_left(32) };
    bytes.to_le_bytes()
}

/// A number from an exponent of two in the highest eight bits and a factor in the others, both signed.
fn exponential(value: i32) -> f32 {
    let (exponent, factor) = (value >> 24, value << 8 >> 8);
    // Exponents are no less than -100 where they mean something.
    let power = f32::from_bits(((exponent + 127).max(0) as u32) << 23);
    power * factor as f32
}

/// Red, green, blue and alpha from luma, two differences of colour, and alpha below a bit that says how many there are.
fn color([y, co, cg, alpha]: [i32; 4], most: f32) -> [u16; 4] {
    let bits = 32 - alpha.leading_zeros();
    let one = (1 << bits) - 1;
    let below = alpha & (one >> 1);
    // Alpha has one bit less than the others.
    let alpha = below << 1 | below & 1;
    let scale = most / one as f32;
    [y + co - cg, y + cg, y - co - cg, alpha].map(|value| round(value as f32 * scale))
}
