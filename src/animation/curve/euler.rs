//! Rotations as Euler angles in degrees: about the fixed axes X, then Y, then Z (what Blender calls XYZ), unwrapped, so that
//! they go on past half a turn and through gimbal lock without a jump.

use std::cell::Cell;

use glam::{DMat3, DQuat, DVec3};

use crate::model::animation::{Channel, Interpolation};

use super::Segment;

/// Within this cosine of Y, X and Z turn about the same axis: only their difference (or sum) says anything.
const LOCKED: f64 = 1e-6;
/// The same for velocities, which grow without limit towards it.
const NEARLY_LOCKED: f64 = 1e-3;
/// Angles further apart than this, in degrees, are looked at in between.
const STRIDE: f64 = 30.0;
/// How often a stretch between two keys is halved, at most.
const DEEPEST: u32 = 12;

/// Of all the angles that mean this rotation, those nearest to others.
pub fn nearest(rotation: DQuat, near: [f64; 3]) -> [f64; 3] {
    let m = DMat3::from_quat(rotation);
    let (sin, cos) = (-m.x_axis.z, m.x_axis.x.hypot(m.x_axis.y));
    let y = sin.atan2(cos).to_degrees();
    if cos < LOCKED {
        return locked(&m, sin.signum(), near);
    }
    let x = m.y_axis.z.atan2(m.z_axis.z).to_degrees();
    let z = m.x_axis.y.atan2(m.x_axis.x).to_degrees();
    // The other solution goes over the top.
    let [this, other] = [[x, y, z], [x + 180.0, 180.0 - y, z + 180.0]].map(|angles| turned_to(angles, near));
    if distance(this, near) <= distance(other, near) { this } else { other }
}

/// With Y at a right angle (`sign`: of its sine), X and Z change as little as will do.
fn locked(m: &DMat3, sign: f64, near: [f64; 3]) -> [f64; 3] {
    // sin y = 1: the angle of x - z; -1: of x + z.
    let angle = (sign * m.y_axis.x).atan2(m.y_axis.y).to_degrees();
    let change = turn_to(angle, near[0] - sign * near[2]) - (near[0] - sign * near[2]);
    let [_, y, _] = turned_to([0.0, sign * 90.0, 0.0], near);
    [near[0] + change / 2.0, y, near[2] - sign * change / 2.0]
}

fn turned_to(angles: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| turn_to(angles[i], near[i]))
}

/// Whole turns away, as near as can be.
fn turn_to(angle: f64, near: f64) -> f64 {
    angle + ((near - angle) / 360.0).round() * 360.0
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).sum()
}

/// The angles at a place between two keys, on the way from those at the first of them. The way is looked at as closely as it
/// bends, always at the same places: what comes out depends on the file alone. Tells at how many.
pub fn follow(channel: &Channel, segment: &Segment, start: [f64; 3]) -> ([f64; 3], usize) {
    let places = Cell::new(0);
    let at = |u: f64| {
        places.set(places.get() + 1);
        super::rotation(channel, &Segment { u, ..*segment }).value
    };
    if segment.key == segment.next || segment.u == 0.0 || channel.interpolation == Interpolation::Step {
        return (nearest(at(0.0), start), places.get());
    }
    // A spline may turn far and come back.
    let coarsest = if channel.interpolation == Interpolation::CubicSpline { DEEPEST - 3 } else { DEEPEST };
    let angles = Way { at: &at, to: segment.u, coarsest }.walk([0.0, 1.0], start, DEEPEST);
    (angles, places.get())
}

struct Way<'a, F> {
    /// The rotation at a place.
    at: &'a F,
    /// Where to go.
    to: f64,
    /// Stretches are halved down to this depth in any case.
    coarsest: u32,
}

impl<F: Fn(f64) -> DQuat> Way<'_, F> {
    /// The angles at the end of a stretch, or where the way ends within it.
    fn walk(&self, [from, end]: [f64; 2], start: [f64; 3], depth: u32) -> [f64; 3] {
        let angles = nearest((self.at)(end), start);
        let is_close = (0..3).all(|i| (angles[i] - start[i]).abs() <= STRIDE);
        if depth == 0 || (depth <= self.coarsest && is_close) {
            return if self.to < end { nearest((self.at)(self.to), start) } else { angles };
        }
        let middle = f64::midpoint(from, end);
        let halfway = self.walk([from, middle], start, depth - 1);
        if self.to <= middle { halfway } else { self.walk([middle, end], halfway, depth - 1) }
    }
}

/// How fast the angles change (degrees a second) where a rotation turns by `turning` (radians a second) about its parent's axes.
pub fn rates(degrees: [f64; 3], turning: DVec3) -> [f64; 3] {
    let [_, (sin_y, cos_y), (sin_z, cos_z)] = degrees.map(|angle| angle.to_radians().sin_cos());
    let y = cos_z * turning.y - sin_z * turning.x;
    let x = if cos_y.abs() > NEARLY_LOCKED {
        (cos_z * turning.x + sin_z * turning.y) / cos_y
    } else {
        // X and Z share what they can do.
        -sin_y * turning.z / 2.0
    };
    [x, y, turning.z + sin_y * x].map(f64::to_degrees)
}
