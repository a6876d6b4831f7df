//! Interpolates one channel between two keys: STEP, LINEAR and CUBICSPLINE (glTF 2.0, appendix C).
//!
//! The file's keys are read directly. This is slower than compiled animations, and is used for channels that are not compiled. All but the
//! arc of slerp is computed in f64, because the difference or the length of keys may exceed f32, and the terms of a long spline may cancel
//! out.

use glam::{DQuat, DVec3, DVec4, Quat, Vec3};

use crate::model::animation::{Channel, Interpolation};

use super::keyframe::Segment;

/// Writes the channel's value at `segment` into `out`, each component by itself. Use it for translations, scales and morph weights.
///
/// # Panics
///
/// Panics if `out` does not have `channel.components` numbers.
pub fn components(channel: &Channel, segment: &Segment, out: &mut [f32]) {
    let n = channel.components;
    let value = |key: usize| match channel.interpolation {
        Interpolation::CubicSpline => &channel.output[(key * 3 + 1) * n..][..n],
        _ => &channel.output[key * n..][..n],
    };
    let start = value(segment.key);
    if segment.key == segment.next || channel.interpolation == Interpolation::Step {
        out.copy_from_slice(start);
        return;
    }
    let end = value(segment.next);
    match channel.interpolation {
        Interpolation::CubicSpline => {
            let out_tangent = &channel.output[(segment.key * 3 + 2) * n..][..n];
            let in_tangent = &channel.output[segment.next * 3 * n..][..n];
            let h = hermite(segment.u, segment.dt);
            for i in 0..n {
                let [start, out_tangent, end, in_tangent] = [start[i], out_tangent[i], end[i], in_tangent[i]].map(f64::from);
                out[i] = (h[0] * start + h[1] * out_tangent + h[2] * end + h[3] * in_tangent) as f32;
            }
        }
        _ => {
            for i in 0..n {
                // Exact at u = 0, and never past either key.
                let [start, end] = [start[i], end[i]].map(f64::from);
                out[i] = (start + segment.u * (end - start)) as f32;
            }
        }
    }
}

/// Returns the channel's translation at `segment` in meters, in f64: far from the origin, `f32` is too coarse between two keys.
pub fn translation(channel: &Channel, segment: &Segment) -> DVec3 {
    let vector = |element: usize| Vec3::from_slice(&channel.output[element * 3..][..3]).as_dvec3();
    let spline = channel.interpolation == Interpolation::CubicSpline;
    let value = |key: usize| vector(if spline { key * 3 + 1 } else { key });
    let (start, end, u) = (value(segment.key), value(segment.next), segment.u);
    if segment.key == segment.next || channel.interpolation == Interpolation::Step {
        return start;
    }
    if spline {
        let (u2, u3, dt) = (u * u, u * u * u, segment.dt);
        let tangents = vector(segment.key * 3 + 2) * (dt * (u3 - 2.0 * u2 + u)) + vector(segment.next * 3) * (dt * (u3 - u2));
        return start + (end - start) * (3.0 * u2 - 2.0 * u3) + tangents;
    }
    start + (end - start) * u
}

/// Returns the channel's rotation at `segment`, normalized. If a LINEAR or STEP key or the sum of a spline has length 0, the start key
/// replaces it, or the identity if the start key has length 0, too.
pub fn rotation(channel: &Channel, segment: &Segment) -> Quat {
    let key = |element: usize| &channel.output[element * 4..][..4];
    let value = |element: usize| Quat::from_slice(key(element));
    if channel.interpolation == Interpolation::CubicSpline {
        let start = value(segment.key * 3 + 1);
        if segment.key == segment.next {
            return normalize_or(start, Quat::IDENTITY);
        }
        // Do not negate a key: the tangents belong to the values as they are in the file (appendix C.5).
        let elements = [segment.key * 3 + 1, segment.key * 3 + 2, segment.next * 3 + 1, segment.next * 3];
        let terms = elements.into_iter().zip(hermite(segment.u, segment.dt));
        let sum: DQuat = terms.fold(DQuat::from_array([0.0; 4]), |sum, (element, weight)| sum + value(element).as_dquat() * weight);
        // Normalize before rounding, because the sum may exceed f32.
        return unit_or(sum, unit_or(start.as_dquat(), DQuat::IDENTITY)).as_quat();
    }
    if segment.key == segment.next || channel.interpolation == Interpolation::Step {
        return normalize_or(value(segment.key), Quat::IDENTITY);
    }
    let [start, end] = slerp_ends(key(segment.key), key(segment.next));
    slerp_between(start.as_quat(), end.as_quat(), segment.u as f32)
}

/// Normalizes two keys of a rotation, given as the four numbers of the file. If the start has length 0, the identity replaces it; if the
/// end has length 0, the start replaces it.
pub fn unit_keys(start: &[f32], end: &[f32]) -> [DQuat; 2] {
    let [start, end] = [start, end].map(|key| Quat::from_slice(key).as_dquat());
    let start = unit_or(start, DQuat::IDENTITY);
    [start, unit_or(end, start)]
}

/// Returns the rotations between which slerp moves: the normalized keys, the second one negated if this makes the arc shorter (appendix
/// C.4).
///
/// At half a turn both arcs are equally long, so rounding decides. Every way of sampling therefore decides by the same numbers in f64.
pub fn slerp_ends(start: &[f32], end: &[f32]) -> [DQuat; 2] {
    let [start, end] = unit_keys(start, end);
    [start, if start.dot(end) < 0.0 { -end } else { end }]
}

/// Interpolates two unit quaternions along the shorter arc (slerp, appendix C.4). `u` is from 0 to 1.
pub fn slerp(start: Quat, end: Quat, u: f32) -> Quat {
    slerp_between(start, if start.dot(end) < 0.0 { -end } else { end }, u)
}

/// Interpolates two unit quaternions that are at most a quarter of a circle apart. `u` is from 0 to 1.
///
/// The angle is computed from the lengths of difference and sum, because this is exact near 0, unlike an arc cosine.
fn slerp_between(start: Quat, end: Quat, u: f32) -> Quat {
    let angle = 2.0 * (end - start).length().atan2((end + start).length());
    let sin = angle.sin();
    if sin < 1e-6 {
        return normalize_or(start * (1.0 - u) + end * u, start);
    }
    normalize_or(start * (((1.0 - u) * angle).sin() / sin) + end * ((u * angle).sin() / sin), start)
}

/// Returns the weights of start value, out-tangent of the start, end value and in-tangent of the end (appendix C.5). `dt` is in seconds.
fn hermite(u: f64, dt: f64) -> [f64; 4] {
    let (u2, u3) = (u * u, u * u * u);
    [2.0 * u3 - 3.0 * u2 + 1.0, dt * (u3 - 2.0 * u2 + u), -2.0 * u3 + 3.0 * u2, dt * (u3 - u2)]
}

/// Normalizes a quaternion. Returns `fallback` if its length is 0. This is computed in f64, because the length may exceed f32.
pub fn normalize_or(q: Quat, fallback: Quat) -> Quat {
    unit_or(q.as_dquat(), fallback.as_dquat()).as_quat()
}

/// Normalizes a quaternion. Returns `fallback` if its length is 0.
pub fn unit_or(q: DQuat, fallback: DQuat) -> DQuat {
    let length = q.length();
    if length > 1e-12 && length.is_finite() { q / length } else { fallback }
}

/// The smaller angle between two rotations, in degrees. The rotations are unit quaternions: x, y, z, w. A quaternion and its negative are
/// the same rotation.
pub fn degrees_between(a: DVec4, b: DVec4) -> f64 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    // Half-chords are exact for small angles, unlike the arc cosine.
    (4.0 * (a - b).length().atan2((a + b).length())).to_degrees()
}
