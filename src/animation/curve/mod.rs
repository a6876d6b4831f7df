//! A channel as curves to be looked at: its numbers at a place between two keys, and how fast they change there. The formulas are
//! those of [`super::keys::interpolate`] (glTF 2.0, appendix C) in f64, with their derivatives by time. Rotations may be read as Euler
//! angles ([`euler`]); what is worth knowing of a whole channel is in a [`survey`].

pub mod euler;
pub mod survey;

use glam::{DQuat, DVec3, Quat};

use crate::model::animation::{Channel, Interpolation, Target};

use super::keys::interpolate;
use super::keys::keyframe::Segment;

/// How a channel's curves are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Rotations as angles about X, Y and Z in degrees, else as the components of the quaternion.
    pub euler: bool,
    /// The change in a second, else the value.
    pub velocity: bool,
}

impl Reading {
    pub fn is_euler(self, channel: &Channel) -> bool {
        self.euler && is_rotation(channel)
    }

    /// How many curves a channel gives. Velocities along axes have their length as a curve more: the speed.
    pub fn parts(self, channel: &Channel) -> usize {
        if self.has_speed(channel) { 4 } else { self.axes(channel) }
    }

    pub fn has_speed(self, channel: &Channel) -> bool {
        self.velocity && (self.is_euler(channel) || matches!(channel.target, Target::Translation(_)))
    }

    /// Whether nothing but straight lines goes from key to key.
    pub fn is_straight(self, channel: &Channel) -> bool {
        match channel.interpolation {
            Interpolation::Step => true,
            Interpolation::Linear => !is_rotation(channel),
            Interpolation::CubicSpline => false,
        }
    }

    fn axes(self, channel: &Channel) -> usize {
        if self.is_euler(channel) { 3 } else { channel.components }
    }
}

pub fn is_rotation(channel: &Channel) -> bool {
    matches!(channel.target, Target::Rotation(_))
}

/// The place `u` of the way from a key to the next. 0 and 1 are the curve's limits there, which differ where it jumps.
pub fn between(times: &[f32], key: usize, u: f64) -> Segment {
    let dt = times.get(key + 1).map_or(0.0, |&next| f64::from(next) - f64::from(times[key]));
    if dt > 0.0 { Segment { key, next: key + 1, u, dt: dt as f32 } } else { Segment { key, next: key, u: 0.0, dt: 0.0 } }
}

/// Writes as many numbers as fit into `out`, at most [`Reading::parts`]. `angles`: the unwrapped Euler angles at the segment's
/// key, which tell the turns of those within it; not looked at for anything else. Tells at how many places the channel was looked
/// at for it.
pub fn write(channel: &Channel, reading: Reading, segment: &Segment, angles: [f64; 3], out: &mut [f64]) -> usize {
    if reading.is_euler(channel) {
        let (degrees, places) = euler::follow(channel, segment, angles);
        if !reading.velocity {
            fill(out, &degrees);
            return places;
        }
        let turning = rotation(channel, segment).angular_velocity();
        let [x, y, z] = euler::rates(degrees, turning);
        fill(out, &[x, y, z, turning.length().to_degrees()]);
        return places + 1;
    }
    if is_rotation(channel) {
        let rotation = rotation(channel, segment);
        fill(out, &if reading.velocity { rotation.velocity } else { rotation.value }.to_array());
        return 1;
    }
    for (i, out) in out.iter_mut().enumerate().take(channel.components) {
        let (value, velocity) = number(channel, segment, i);
        *out = if reading.velocity { velocity } else { value };
    }
    if reading.has_speed(channel)
        && let [x, y, z, speed] = out
    {
        *speed = DVec3::new(*x, *y, *z).length();
    }
    1
}

fn fill(out: &mut [f64], numbers: &[f64]) {
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = *number;
    }
}

/// A rotation of unit length, and its derivative by time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    pub value: DQuat,
    pub velocity: DQuat,
}

impl Turning {
    /// Radians a second about the axes of the space that the node stands in.
    pub fn angular_velocity(&self) -> DVec3 {
        let turn = self.velocity * self.value.conjugate();
        DVec3::new(turn.x, turn.y, turn.z) * 2.0
    }

    fn still(value: DQuat) -> Self {
        Self { value, velocity: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0) }
    }
}

pub fn rotation(channel: &Channel, segment: &Segment) -> Turning {
    let first = if channel.interpolation == Interpolation::CubicSpline { segment.key * 3 + 1 } else { segment.key };
    let start = unit(as_written(channel, first), DQuat::IDENTITY);
    if segment.key == segment.next || channel.interpolation == Interpolation::Step {
        return Turning::still(start);
    }
    if channel.interpolation == Interpolation::Linear {
        return slerp(channel, segment, start);
    }
    let [value, velocity] = [0, 1].map(|of| {
        let component = |i| <[f64; 2]>::from(number(channel, segment, i))[of];
        DQuat::from_xyzw(component(0), component(1), component(2), component(3))
    });
    let length = value.length();
    if length <= 1e-12 || !length.is_finite() {
        return Turning::still(start);
    }
    // The sum is brought to unit length: of its change counts what is across it.
    let unit = value / length;
    Turning { value: unit, velocity: (velocity + unit * -unit.dot(velocity)) / length }
}

fn slerp(channel: &Channel, segment: &Segment, start: DQuat) -> Turning {
    let mut end = unit(as_written(channel, segment.next), start);
    if goes_the_long_way(channel, segment) {
        end = -end;
    }
    let (u, dt) = (segment.u, f64::from(segment.dt));
    let angle = 2.0 * (end - start).length().atan2((end + start).length());
    if angle.sin() < 1e-9 {
        return Turning { value: unit(start * (1.0 - u) + end * u, start), velocity: (end - start) / dt };
    }
    let across = (end - start * angle.cos()) / angle.sin();
    let (sin, cos) = (u * angle).sin_cos();
    Turning { value: start * cos + across * sin, velocity: (across * cos - start * sin) * (angle / dt) }
}

/// As the core decides it, in f32: at half a turn either way is as short.
fn goes_the_long_way(channel: &Channel, segment: &Segment) -> bool {
    let key = |at: usize, or| interpolate::normalize_or(Quat::from_slice(&channel.output[at * 4..][..4]), or);
    let start = key(segment.key, Quat::IDENTITY);
    start.dot(key(segment.next, start)) < 0.0
}

fn as_written(channel: &Channel, at: usize) -> DQuat {
    Quat::from_slice(&channel.output[at * 4..][..4]).as_dquat()
}

fn unit(q: DQuat, fallback: DQuat) -> DQuat {
    let length = q.length();
    if length > 1e-12 && length.is_finite() { q / length } else { fallback }
}

/// A component by itself, and its derivative by time.
fn number(channel: &Channel, segment: &Segment, i: usize) -> (f64, f64) {
    let n = channel.components;
    let at = |element: usize| f64::from(channel.output[element * n + i]);
    let spline = channel.interpolation == Interpolation::CubicSpline;
    let value = |key: usize| at(if spline { key * 3 + 1 } else { key });
    let start = value(segment.key);
    if segment.key == segment.next || channel.interpolation == Interpolation::Step {
        return (start, 0.0);
    }
    let (change, u, dt) = (value(segment.next) - start, segment.u, f64::from(segment.dt));
    if !spline {
        return (start + change * u, change / dt);
    }
    let (out_tangent, in_tangent) = (at(segment.key * 3 + 2), at(segment.next * 3));
    let (u2, u3) = (u * u, u * u * u);
    let value = start + change * (3.0 * u2 - 2.0 * u3) + dt * (out_tangent * (u3 - 2.0 * u2 + u) + in_tangent * (u3 - u2));
    let velocity = change * (6.0 * (u - u2)) / dt + out_tangent * (3.0 * u2 - 4.0 * u + 1.0) + in_tangent * (3.0 * u2 - 2.0 * u);
    (value, velocity)
}
