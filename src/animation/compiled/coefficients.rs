//! Computes a channel's coefficients ([`crate::animation::compiled`]) from its keys.
//!
//! All computation is in f64; the results are rounded when they are stored. Rotations are normalized, and numbers too small to matter
//! become zero: denormal noise in exported keys slows arithmetic down by up to 46 %.

use glam::{DQuat, Quat};

use crate::animation::keys::interpolate;
use crate::model::animation::{Channel, Interpolation, Target};

/// Coefficients below this magnitude are noise and become zero.
const MIN_MAGNITUDE: f64 = 1e-15;
/// Coefficients of numbers up to this magnitude fit into `f32`: a coefficient is at most 6 + 3 [`MAX_SPLINE_TANGENT`] times as large.
const MAX_MAGNITUDE: f32 = 1e34;
/// Splines between rotations up to this magnitude can be normalized in `f32`: the squares of the sums of their terms fit, too.
const MAX_ROTATION_MAGNITUDE: f32 = 1e15;
/// Maximum tangent of a spline that is precise in `f32`, multiplied by the length of its segment and relative to the values at both keys,
/// or to 1 if these are smaller. The terms of the tangents cancel out at the end of the segment, which leaves an error of up to 4e-7 of
/// the product, so this limit keeps the error below 1e-5 of the values.
const MAX_SPLINE_TANGENT: f64 = 24.0;
/// Two keys whose rotations differ by less than twice this angle count as equal.
const MIN_HALF_ANGLE_RADIANS: f64 = 1e-7;

/// Returns the channel's value if it never changes, with rotations normalized; `None` if it changes.
pub fn constant(channel: &Channel) -> Option<Vec<f32>> {
    let n = channel.components;
    if n == 0 {
        return Some(Vec::new());
    }
    let spline = channel.interpolation == Interpolation::CubicSpline;
    // CUBICSPLINE keys are in-tangent, value, out-tangent (glTF 2.0, 3.11), so every third element is a value.
    let values = || channel.output.chunks_exact(n).skip(usize::from(spline)).step_by(if spline { 3 } else { 1 });
    let first = values().next()?;
    let is_flat = |group: usize| channel.output.chunks_exact(n).skip(group).step_by(3).all(|tangent| tangent.iter().all(|&x| x == 0.0));
    // A spline between equal values still moves if a tangent is not zero, unless it has one key only.
    let is_constant = values().all(|value| value == first) && (!spline || channel.output.len() == 3 * n || is_flat(0) && is_flat(2));
    if !is_constant {
        return None;
    }
    Some(match channel.target {
        Target::Rotation(_) => interpolate::normalize_or(Quat::from_slice(first), Quat::IDENTITY).to_array().to_vec(),
        _ => first.to_vec(),
    })
}

/// Returns whether the coefficients of the channel are precise in `f32`. `times` are the channel's key times, in seconds.
pub fn are_precise(channel: &Channel, times: &[f32]) -> bool {
    let is_spline = channel.interpolation == Interpolation::CubicSpline;
    let is_rotation = matches!(channel.target, Target::Rotation(_));
    if !is_spline && is_rotation {
        // Keys are normalized.
        return true;
    }
    let max_magnitude = if is_rotation { MAX_ROTATION_MAGNITUDE } else { MAX_MAGNITUDE };
    let are_small = || channel.output.iter().all(|x| x.abs() <= max_magnitude);
    are_small() && (!is_spline || has_small_tangents(channel, times))
}

/// Returns whether no tangent of a spline exceeds [`MAX_SPLINE_TANGENT`]. `times` are the channel's key times, in seconds.
fn has_small_tangents(channel: &Channel, times: &[f32]) -> bool {
    let n = channel.components;
    times.windows(2).enumerate().all(|(key, pair)| {
        let dt = f64::from(pair[1]) - f64::from(pair[0]);
        let magnitude = |group: usize, i: usize| f64::from(channel.output[group * n + i].abs());
        (0..n).all(|i| {
            let tangent = magnitude(key * 3 + 2, i).max(magnitude((key + 1) * 3, i));
            let value = magnitude(key * 3 + 1, i).max(magnitude((key + 1) * 3 + 1, i));
            dt * tangent <= MAX_SPLINE_TANGENT * value.max(1.0)
        })
    })
}

/// Writes the coefficients of the segment from `key` to the next into `out` and returns their number.
///
/// For transforms, these are the first coefficients of all components, then the second coefficients, and so on. For weights, these are
/// the coefficients of `component` only. `times` are the channel's key times, in seconds.
pub fn coefficients(channel: &Channel, times: &[f32], key: usize, component: usize, out: &mut [f32; 16]) -> usize {
    let is_rotation = matches!(channel.target, Target::Rotation(_));
    let is_weights = matches!(channel.target, Target::Weights(_));
    let last = key + 1 >= times.len();
    let width = if is_weights { 1 } else { channel.components };
    let spline = channel.interpolation == Interpolation::CubicSpline;
    let element = |group: usize, i: usize| f64::from(channel.output[group * channel.components + component + i]);
    let value = |key: usize, i: usize| element(if spline { key * 3 + 1 } else { key }, i);
    let mut write = |index: usize, x: f64| out[index] = if x.abs() < MIN_MAGNITUDE { 0.0 } else { x as f32 };
    match channel.interpolation {
        Interpolation::Step | Interpolation::Linear if is_rotation => {
            let slice = |key: usize| &channel.output[key * 4..][..4];
            let [start, end] = interpolate::slerp_ends(slice(key), slice(if last { key } else { key + 1 }));
            start.to_array().into_iter().enumerate().for_each(|(i, x)| write(i, x));
            if channel.interpolation == Interpolation::Step {
                return 4;
            }
            let turn = if last { [0.0; 4] } else { turn(start, end) };
            turn.into_iter().enumerate().for_each(|(i, x)| write(4 + i, x));
            8
        }
        Interpolation::Step => {
            (0..width).for_each(|i| write(i, value(key, i)));
            width
        }
        Interpolation::Linear => {
            for i in 0..width {
                write(i, value(key, i));
                write(width + i, if last { 0.0 } else { value(key + 1, i) - value(key, i) });
            }
            2 * width
        }
        Interpolation::CubicSpline => {
            for i in 0..width {
                // The last key has no segment after it, so its value is kept. All other keys store the spline of glTF 2.0, appendix C.5, as
                // a polynomial in u. Tangents are per second.
                let [a, b, c] = if last {
                    [0.0; 3]
                } else {
                    let dt = f64::from(times[key + 1]) - f64::from(times[key]);
                    let (v0, v1) = (value(key, i), value(key + 1, i));
                    let (out_tangent, in_tangent) = (dt * element(key * 3 + 2, i), dt * element((key + 1) * 3, i));
                    [out_tangent, 3.0 * (v1 - v0) - 2.0 * out_tangent - in_tangent, 2.0 * (v0 - v1) + out_tangent + in_tangent]
                };
                for (power, x) in [value(key, i), a, b, c].into_iter().enumerate() {
                    write(power * width + i, x);
                }
            }
            4 * width
        }
    }
}

/// Returns the direction in which slerp leaves `start` for `end`, scaled to the angle between them in radians (glTF 2.0, appendix C.4).
/// They are those of [`interpolate::slerp_ends`].
fn turn(start: DQuat, end: DQuat) -> [f64; 4] {
    // The angle is computed from the lengths of difference and sum, because this is exact near 0, unlike an arc cosine.
    let theta = 2.0 * (end - start).length().atan2((end + start).length());
    if theta < MIN_HALF_ANGLE_RADIANS {
        return [0.0; 4];
    }
    ((end - start * theta.cos()) * (theta / theta.sin())).to_array()
}
