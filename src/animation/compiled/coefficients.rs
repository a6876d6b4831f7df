//! A channel's keys to the numbers of its rows ([`crate::animation::compiled`]), in f64 until they are written. Rotations come out at unit
//! length, and numbers too small to matter as zero: denormal noise in exported keys makes arithmetic many times slower.

use glam::DQuat;

use crate::model::animation::{Channel, Interpolation, Target};

/// Smaller numbers are noise.
const NOISE: f64 = 1e-15;
/// Radians: a smaller turn between two keys is none.
const LEAST_TURN: f64 = 1e-7;

/// The channel's one value, if every time gives the same.
pub fn constant(channel: &Channel) -> Option<Vec<f32>> {
    let n = channel.components;
    if n == 0 {
        return Some(Vec::new());
    }
    let spline = channel.interpolation == Interpolation::CubicSpline;
    let values = || channel.output.chunks_exact(n).skip(usize::from(spline)).step_by(if spline { 3 } else { 1 });
    let first = values().next()?;
    let still = |group: usize| channel.output.chunks_exact(n).skip(group).step_by(3).all(|tangent| tangent.iter().all(|&x| x == 0.0));
    let same = values().all(|value| value == first) && (!spline || channel.output.len() == 3 * n || still(0) && still(2));
    if !same {
        return None;
    }
    Some(match channel.target {
        Target::Rotation(_) => rotation(first, DQuat::IDENTITY).to_array().map(|x| x as f32).to_vec(),
        _ => first.to_vec(),
    })
}

/// Writes the numbers that lead from `key` to the next into `out` and says how many: of a transform its components, each
/// coefficient for all of them before the next one; of weights those of `component` alone.
pub fn coefficients(channel: &Channel, times: &[f32], key: usize, component: usize, out: &mut [f32; 16]) -> usize {
    let is_rotation = matches!(channel.target, Target::Rotation(_));
    let is_weights = matches!(channel.target, Target::Weights(_));
    let last = key + 1 >= times.len();
    let width = if is_weights { 1 } else { channel.components };
    let spline = channel.interpolation == Interpolation::CubicSpline;
    let at = |group: usize, i: usize| f64::from(channel.output[group * channel.components + component + i]);
    let value = |key: usize, i: usize| at(if spline { key * 3 + 1 } else { key }, i);
    let mut write = |place: usize, x: f64| out[place] = if x.abs() < NOISE { 0.0 } else { x as f32 };
    match channel.interpolation {
        Interpolation::Step | Interpolation::Linear if is_rotation => {
            let slice = |key: usize| &channel.output[key * 4..][..4];
            let start = rotation(slice(key), DQuat::IDENTITY);
            start.to_array().into_iter().enumerate().for_each(|(i, x)| write(i, x));
            if channel.interpolation == Interpolation::Step {
                return 4;
            }
            let turn = if last { [0.0; 4] } else { turn(start, rotation(slice(key + 1), start)) };
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
                // Appendix C.5 in powers of u; tangents are per second.
                let [a, b, c] = if last {
                    [0.0; 3]
                } else {
                    let dt = f64::from(times[key + 1]) - f64::from(times[key]);
                    let (v0, v1) = (value(key, i), value(key + 1, i));
                    let (out_tangent, in_tangent) = (dt * at(key * 3 + 2, i), dt * at((key + 1) * 3, i));
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

/// At unit length; of a zero quaternion `fallback`.
fn rotation(q: &[f32], fallback: DQuat) -> DQuat {
    let q = DQuat::from_array([q[0], q[1], q[2], q[3]].map(f64::from));
    let length = q.length();
    if length > 1e-12 && length.is_finite() { q / length } else { fallback }
}

/// The direction in which slerp leaves `start` for `end` the shorter way, as long as the angle between them (appendix C.4).
fn turn(start: DQuat, end: DQuat) -> [f64; 4] {
    let end = if start.dot(end) < 0.0 { -end } else { end };
    // From both half-chords: exact near 0, where an arc cosine would not be.
    let theta = 2.0 * (end - start).length().atan2((end + start).length());
    if theta < LEAST_TURN {
        return [0.0; 4];
    }
    ((end - start * theta.cos()) * (theta / theta.sin())).to_array()
}
