//! Evaluates a channel as curves to draw: its values between two keys, and their velocities.
//!
//! The formulas are those of [`super::keys::interpolate`] (glTF 2.0, appendix C) in f64, with their derivatives by time. Rotations
//! can be read as Euler angles ([`euler`]). A [`survey`] has the ranges of a whole channel.

pub mod euler;
pub mod survey;

use glam::{DQuat, DVec3, Quat};

use crate::model::animation::{Channel, Interpolation, Target};

use super::keys::interpolate;
use super::keys::keyframe::{self, Segment};

/// The quantity that the curves of a channel show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveQuantity {
    /// Whether rotations are angles about X, Y and Z, in degrees, instead of quaternion components.
    pub euler: bool,
    /// Whether the curves show the change per second instead of the value.
    pub velocity: bool,
}

impl CurveQuantity {
    /// Returns whether the channel is read as Euler angles.
    pub fn is_euler(self, channel: &Channel) -> bool {
        self.euler && is_rotation(channel)
    }

    /// Number of curves of a channel. Velocities of translations and Euler angles have one more curve for the speed.
    pub fn curve_count(self, channel: &Channel) -> usize {
        if self.has_speed(channel) { 4 } else { self.axes(channel) }
    }

    /// Returns whether the last curve is a speed.
    pub fn has_speed(self, channel: &Channel) -> bool {
        self.velocity && (self.is_euler(channel) || matches!(channel.target, Target::Translation(_)))
    }

    /// Returns whether all curves are straight lines between keys.
    pub fn is_straight(self, channel: &Channel) -> bool {
        match channel.interpolation {
            Interpolation::Step => true,
            Interpolation::Linear => !is_rotation(channel),
            Interpolation::CubicSpline => false,
        }
    }

    /// Number of curves without the speed.
    fn axes(self, channel: &Channel) -> usize {
        if self.is_euler(channel) { 3 } else { channel.components }
    }
}

/// Returns whether the channel drives a rotation.
pub fn is_rotation(channel: &Channel) -> bool {
    matches!(channel.target, Target::Rotation(_))
}

/// Returns the segment from `key` to the next key, with the position `u` in it, from 0 to 1. At `u` = 0 and `u` = 1, it gives the one-sided
/// limits of the curve, which differ from those of the neighboring segments where the curve jumps. `times` are key times in seconds.
pub fn between(times: &[f32], key: usize, u: f64) -> Segment {
    let dt = times.get(key + 1).map_or(0.0, |&next| f64::from(next) - f64::from(times[key]));
    if dt > 0.0 { Segment { key, next: key + 1, u, dt } } else { Segment { key, next: key, u: 0.0, dt: 0.0 } }
}

/// Returns the segment at `time`, in seconds. A key has no velocity of its own, so at a key this is the start of the segment after it, and
/// at the last key the end of the segment before it.
pub fn at(channel: &Channel, times: &[f32], time: f64) -> Segment {
    let found = keyframe::find(times, time, &mut 0);
    let key = found.key;
    // STEP has no velocity, and before its last key it does not have the value of that key.
    if found.next != key || time != f64::from(times[key]) || channel.interpolation == Interpolation::Step {
        return found;
    }
    let before = key.checked_sub(1).filter(|&before| key + 1 == times.len() && times[before] < times[key]);
    before.map_or_else(|| between(times, key, 0.0), |before| between(times, before, 1.0))
}

/// Writes the values of the channel's curves at `segment`: as many as `out` has elements, at most [`CurveQuantity::curve_count`]. Returns
/// the number of samples taken.
///
/// `angles` are the unwrapped Euler angles at the segment's key, in degrees. They are ignored unless the channel is read as Euler angles.
pub fn write(channel: &Channel, quantity: CurveQuantity, segment: &Segment, angles: [f64; 3], out: &mut [f64]) -> usize {
    if quantity.is_euler(channel) {
        let (degrees, samples) = euler::angles_at(channel, segment, angles);
        if !quantity.velocity {
            fill(out, &degrees);
            return samples;
        }
        // The rates of the angles say little about how fast a node rotates, so the speed is the length of the angular velocity.
        let velocity = rotation(channel, segment).angular_velocity();
        let [x, y, z] = euler::rates(degrees, velocity);
        fill(out, &[x, y, z, velocity.length().to_degrees()]);
        return samples + 1;
    }
    if is_rotation(channel) {
        let rotation = rotation(channel, segment);
        fill(out, &if quantity.velocity { rotation.velocity } else { rotation.value }.to_array());
        return 1;
    }
    for (i, out) in out.iter_mut().enumerate().take(channel.components) {
        let (value, velocity) = component(channel, segment, i);
        *out = if quantity.velocity { velocity } else { value };
    }
    if quantity.has_speed(channel)
        && let [x, y, z, speed] = out
    {
        *speed = DVec3::new(*x, *y, *z).length();
    }
    1
}

/// Copies as many numbers as `out` has elements.
fn fill(out: &mut [f64], numbers: &[f64]) {
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = *number;
    }
}

/// A rotation and its velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotationSample {
    /// The rotation, of unit length.
    pub value: DQuat,
    /// The derivative of `value`, per second.
    pub velocity: DQuat,
}

impl RotationSample {
    /// Returns the angular velocity about the axes of the parent, in radians per second.
    pub fn angular_velocity(&self) -> DVec3 {
        // This follows from q' = (w, 0) q / 2, where w is the angular velocity.
        let turn = self.velocity * self.value.conjugate();
        DVec3::new(turn.x, turn.y, turn.z) * 2.0
    }

    /// A rotation that does not change.
    fn still(value: DQuat) -> Self {
        Self { value, velocity: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0) }
    }
}

/// Returns the rotation of a rotation channel at `segment`.
pub fn rotation(channel: &Channel, segment: &Segment) -> RotationSample {
    let element = if channel.interpolation == Interpolation::CubicSpline { segment.key * 3 + 1 } else { segment.key };
    let start = interpolate::unit_or(Quat::from_slice(&channel.output[element * 4..][..4]).as_dquat(), DQuat::IDENTITY);
    if segment.key == segment.next || channel.interpolation == Interpolation::Step {
        return RotationSample::still(start);
    }
    if channel.interpolation == Interpolation::Linear {
        return slerp(channel, segment);
    }
    let [value, velocity] = [0, 1].map(|derivative| {
        let component = |i| <[f64; 2]>::from(component(channel, segment, i))[derivative];
        DQuat::from_xyzw(component(0), component(1), component(2), component(3))
    });
    let length = value.length();
    if length <= 1e-12 || !length.is_finite() {
        return RotationSample::still(start);
    }
    // The value is normalized, so only the part of the velocity perpendicular to it has an effect.
    let unit = value / length;
    RotationSample { value: unit, velocity: (velocity + unit * -unit.dot(velocity)) / length }
}

/// The rotation and velocity of a LINEAR segment (glTF 2.0, appendix C.4).
fn slerp(channel: &Channel, segment: &Segment) -> RotationSample {
    let key = |key: usize| &channel.output[key * 4..][..4];
    let [start, end] = interpolate::slerp_ends(key(segment.key), key(segment.next));
    let (u, dt) = (segment.u, segment.dt);
    let angle = 2.0 * (end - start).length().atan2((end + start).length());
    if angle.sin() < 1e-9 {
        // The keys are almost equal, so a straight line is exact enough.
        return RotationSample { value: interpolate::unit_or(start * (1.0 - u) + end * u, start), velocity: (end - start) / dt };
    }
    // `across` has unit length and is perpendicular to `start`, so the rotation moves on a circle between them.
    let across = (end - start * angle.cos()) / angle.sin();
    let (sin, cos) = (u * angle).sin_cos();
    RotationSample { value: start * cos + across * sin, velocity: (across * cos - start * sin) * (angle / dt) }
}

/// Returns component `i` of the interpolated value, and its derivative per second.
fn component(channel: &Channel, segment: &Segment, i: usize) -> (f64, f64) {
    let number_at = |element: usize| f64::from(channel.output[element * channel.components + i]);
    let spline = channel.interpolation == Interpolation::CubicSpline;
    let value = |key: usize| number_at(if spline { key * 3 + 1 } else { key });
    let start = value(segment.key);
    if segment.key == segment.next || channel.interpolation == Interpolation::Step {
        return (start, 0.0);
    }
    let (change, u, dt) = (value(segment.next) - start, segment.u, segment.dt);
    if !spline {
        return (start + change * u, change / dt);
    }
    // The Hermite spline of glTF 2.0, appendix C.5, and its derivative by time.
    let (out_tangent, in_tangent) = (number_at(segment.key * 3 + 2), number_at(segment.next * 3));
    let (u2, u3) = (u * u, u * u * u);
    let value = start + change * (3.0 * u2 - 2.0 * u3) + dt * (out_tangent * (u3 - 2.0 * u2 + u) + in_tangent * (u3 - u2));
    let velocity = change * (6.0 * (u - u2)) / dt + out_tangent * (3.0 * u2 - 4.0 * u + 1.0) + in_tangent * (3.0 * u2 - 2.0 * u);
    (value, velocity)
}
