//! Converts rotations to Euler angles in degrees, about the fixed axes X, then Y, then Z (Blender's XYZ).
//!
//! The angles are unwrapped: they continue past half a turn and through gimbal lock without a jump.

use std::cell::Cell;

use glam::{DMat3, DQuat, DVec3};

use crate::model::animation::{Channel, Interpolation};

use super::Segment;

/// Cosine of Y below which X and Z rotate about the same axis (gimbal lock), so that only their difference or sum is known.
const GIMBAL_LOCK_COS: f64 = 1e-6;
/// The same limit for velocities, which grow without bound towards gimbal lock.
const GIMBAL_LOCK_VELOCITY_COS: f64 = 1e-3;
/// Largest change of an angle between two samples of a segment. Larger changes are subdivided.
const MAX_ANGLE_STEP_DEGREES: f64 = 30.0;
/// Maximum number of times that a segment is halved.
const MAX_HALVINGS: u32 = 12;

/// Returns the Euler angles of a unit quaternion that are nearest to the angles `near`. All are in degrees, about X, Y and Z.
pub fn nearest(rotation: DQuat, near: [f64; 3]) -> [f64; 3] {
    let m = DMat3::from_quat(rotation);
    // The matrix is Rz * Ry * Rx, so its first column is (cos y cos z, cos y sin z, -sin y).
    let (sin, cos) = (-m.x_axis.z, m.x_axis.x.hypot(m.x_axis.y));
    let y = sin.atan2(cos).to_degrees();
    if cos < GIMBAL_LOCK_COS {
        return gimbal_locked(&m, sin.signum(), near);
    }
    let x = m.y_axis.z.atan2(m.z_axis.z).to_degrees();
    let z = m.x_axis.y.atan2(m.x_axis.x).to_degrees();
    // The second solution has Y beyond 90 degrees.
    let [first, second] = [[x, y, z], [x + 180.0, 180.0 - y, z + 180.0]].map(|angles| unwrap_all(angles, near));
    if distance(first, near) <= distance(second, near) { first } else { second }
}

/// Returns the angles in gimbal lock, with X and Z as near to `near` as possible. `sign` is that of the sine of Y.
fn gimbal_locked(m: &DMat3, sign: f64, near: [f64; 3]) -> [f64; 3] {
    // The matrix gives x - z if sin y is 1, and x + z if it is -1.
    let angle = (sign * m.y_axis.x).atan2(m.y_axis.y).to_degrees();
    let change = unwrap(angle, near[0] - sign * near[2]) - (near[0] - sign * near[2]);
    let [_, y, _] = unwrap_all([0.0, sign * 90.0, 0.0], near);
    [near[0] + change / 2.0, y, near[2] - sign * change / 2.0]
}

/// Unwraps the three angles.
fn unwrap_all(angles: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| unwrap(angles[i], near[i]))
}

/// Adds whole turns to `angle` so that it is as near to `near` as possible. Both are in degrees.
fn unwrap(angle: f64, near: f64) -> f64 {
    angle + ((near - angle) / 360.0).round() * 360.0
}

/// Sum of the differences of the angles, in degrees.
fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).sum()
}

/// Returns the unwrapped angles at a position in a segment, in degrees, and the number of samples taken. `start` has the angles at the
/// segment's first key.
///
/// The segment is subdivided where the angles change fast, always at the same positions, so that the result depends on the file
/// only.
pub fn angles_at(channel: &Channel, segment: &Segment, start: [f64; 3]) -> ([f64; 3], usize) {
    let samples = Cell::new(0);
    let rotation_at = |u: f64| {
        samples.set(samples.get() + 1);
        super::rotation(channel, &Segment { u, ..*segment }).value
    };
    if segment.key == segment.next || segment.u == 0.0 || channel.interpolation == Interpolation::Step {
        return (nearest(rotation_at(0.0), start), samples.get());
    }
    // A spline may turn far and come back, so it is always halved a few times.
    let max_depth = if channel.interpolation == Interpolation::CubicSpline { MAX_HALVINGS - 3 } else { MAX_HALVINGS };
    let angles = AngleWalk { rotation_at: &rotation_at, end: segment.u, max_depth }.walk([0.0, 1.0], start, MAX_HALVINGS);
    (angles, samples.get())
}

/// Unwraps angles from the start of a segment to a position in it.
struct AngleWalk<'a, F> {
    /// Returns the rotation at a position, from 0 to 1.
    rotation_at: &'a F,
    /// The position to reach.
    end: f64,
    /// A range with more halvings left than this is always halved.
    max_depth: u32,
}

impl<F: Fn(f64) -> DQuat> AngleWalk<'_, F> {
    /// Returns the angles at the end of a range of positions, or at [`Self::end`] if the range contains it. `depth` is the number of
    /// halvings left.
    fn walk(&self, [from, to]: [f64; 2], start: [f64; 3], depth: u32) -> [f64; 3] {
        let angles = nearest((self.rotation_at)(to), start);
        let is_close = (0..3).all(|i| (angles[i] - start[i]).abs() <= MAX_ANGLE_STEP_DEGREES);
        if depth == 0 || (depth <= self.max_depth && is_close) {
            return if self.end < to { nearest((self.rotation_at)(self.end), start) } else { angles };
        }
        let middle = f64::midpoint(from, to);
        let halfway = self.walk([from, middle], start, depth - 1);
        if self.end <= middle { halfway } else { self.walk([middle, to], halfway, depth - 1) }
    }
}

/// Returns the velocities of the angles, in degrees per second. `degrees` are the angles. `angular_velocity` is about the parent's axes, in
/// radians per second.
pub fn rates(degrees: [f64; 3], angular_velocity: DVec3) -> [f64; 3] {
    let [_, (sin_y, cos_y), (sin_z, cos_z)] = degrees.map(|angle| angle.to_radians().sin_cos());
    // The angular velocity is the sum of each rate times its axis, where Y and Z turn the axis of X, and Z turns the axis of Y. The lines
    // below solve this for the rates.
    let y = cos_z * angular_velocity.y - sin_z * angular_velocity.x;
    let x = if cos_y.abs() > GIMBAL_LOCK_VELOCITY_COS {
        (cos_z * angular_velocity.x + sin_z * angular_velocity.y) / cos_y
    } else {
        // X and Z share the velocity in gimbal lock.
        -sin_y * angular_velocity.z / 2.0
    };
    [x, y, angular_velocity.z + sin_y * x].map(f64::to_degrees)
}
