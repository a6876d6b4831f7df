//! Encodes and decodes RGB9E5: three mantissas of nine bits each and one shared exponent of five bits, in four bytes.

use glam::Vec3;

/// Bias of the exponent.
const BIAS: i32 = 15;
/// Bits of a mantissa.
const MANTISSA_BITS: i32 = 9;
/// Largest channel that the format can hold.
pub const MAX_VALUE: f32 = 65408.0;

/// Encodes light to the nearest value. Negative channels and NaN become 0; channels that are too large become [`MAX_VALUE`].
pub fn encode(light: Vec3) -> u32 {
    let [r, g, b] = light.to_array().map(|c| if c > 0.0 { c.min(MAX_VALUE) } else { 0.0 });
    let largest = r.max(g).max(b);
    // The exponent bits of the float are the floor of its base-2 logarithm.
    let floor = (largest.to_bits() >> 23) as i32 - 127;
    let mut exponent = floor.max(-BIAS - 1) + 1 + BIAS;
    let scale = |exponent: i32| f32::from_bits(((127 + BIAS + MANTISSA_BITS - exponent) as u32) << 23);
    // Rounding up the mantissa may need one more bit.
    if (largest * scale(exponent) + 0.5) as u32 == 1 << MANTISSA_BITS {
        exponent += 1;
    }
    let mantissa = |c: f32| (c * scale(exponent) + 0.5) as u32;
    mantissa(r) | mantissa(g) << 9 | mantissa(b) << 18 | (exponent as u32) << 27
}

/// Decodes a texel.
pub fn decode(texel: u32) -> Vec3 {
    let exponent = (texel >> 27) as i32 - BIAS - MANTISSA_BITS;
    let scale = f32::from_bits(((127 + exponent) as u32) << 23);
    Vec3::new((texel & 511) as f32, (texel >> 9 & 511) as f32, (texel >> 18 & 511) as f32) * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_keeps_light_within_a_five_hundredth_of_its_largest_channel() {
        for light in
            [Vec3::ZERO, Vec3::ONE, Vec3::new(0.1, 2.0, 0.7), Vec3::splat(1e-4), Vec3::new(511.7, 3.0, 0.0), Vec3::splat(MAX_VALUE)]
        {
            let back = decode(encode(light));
            assert!((back - light).abs().max_element() <= light.max_element() / 500.0 + 1e-7, "{light} becomes {back}");
        }
    }

    #[test]
    fn negative_channels_and_nan_become_0_and_infinity_becomes_the_largest_value() {
        assert_eq!(decode(encode(Vec3::new(-1.0, f32::NAN, f32::INFINITY))), Vec3::new(0.0, 0.0, MAX_VALUE));
    }
}
