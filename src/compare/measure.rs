//! Measures the distances between paired nodes of two posed models in global space, and the angles between their global rotations.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::animation::keys::interpolate::degrees_between;
use crate::model::node::NodeIndex;
use crate::session::pose;
use crate::session::pose::in_place::Roots;

use super::Sides;
use super::node_pairs::NodePairs;
use super::time_map::TimeMap;

/// Largest angle between rotations that counts as 0, in degrees. Rotations of scaled matrices differ by rounding to `f64`; rounding keys to
/// `f32` turns a joint by much more.
const ROUNDING_DEGREES: f64 = 1e-9;
/// Minimum length of an axis that determines a rotation, as a fraction of the longest axis. A shorter one may be rounding.
const MIN_AXIS_LENGTH: f64 = 1e-6;
/// Maximum number of steps of a polar decomposition. Each step halves the largest scale until it is near 1, and a few more steps converge.
const MAX_POLAR_STEPS: usize = 60;
/// Change of a matrix in a step at which the polar decomposition has converged. The error after a step is about the square of its change.
const POLAR_ACCURACY: f64 = 1e-7;

/// The distance and the angle between two paired nodes over the whole comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointError {
    pub a: NodeIndex,
    pub b: NodeIndex,
    /// The largest distance, in meters.
    pub distance_max: f64,
    /// The distance averaged over time, in meters.
    pub distance_mean: f64,
    /// The largest angle between the global rotations, in degrees.
    pub angle_max: f64,
    /// The time, in seconds of A, at which the largest distance first occurs, or the largest angle if the distance is always 0.
    pub time: f64,
}

/// The largest differences of all nodes at each sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ErrorCurve {
    /// The times of the samples, ascending, in seconds of A.
    pub times: Vec<f64>,
    /// The largest distance at each time, in meters.
    pub distances: Vec<f64>,
    /// The largest angle at each time, in degrees.
    pub angles: Vec<f64>,
    /// The largest difference of a number in the global matrices without translation at each time. It also shows scale and shear.
    pub matrices: Vec<f64>,
    /// The largest difference of a morph weight at each time.
    pub weights: Vec<f64>,
}

/// The errors of all paired nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// The error of each paired node, in descending order of the largest distance, then of the largest angle.
    pub joints: Vec<JointError>,
    /// The largest errors over time.
    pub curve: ErrorCurve,
    /// The largest distance of all nodes, in meters.
    pub distance_max: f64,
    /// The largest angle of all nodes, in degrees.
    pub angle_max: f64,
}

/// Poses both models at `times`, which are ascending and in seconds of A, and measures every paired node. `None` if `keep_going` returns
/// false before the end.
pub fn measure(sides: &Sides, node_pairs: &NodePairs, map: &TimeMap, times: &[f64], keep_going: &dyn Fn() -> bool) -> Option<Measured> {
    let (mut a, mut b) = (sides.a.rig.posed(), sides.b.rig.posed());
    let (view_a, view_b) = (sides.a.view(), sides.b.view());
    let mut errors: Vec<ErrorSum> = node_pairs.pairs().map(|(a, b)| ErrorSum::new(a, b)).collect();
    let mut curve = ErrorCurve { times: times.to_vec(), ..ErrorCurve::default() };
    for (sample, &time) in times.iter().enumerate() {
        if !keep_going() {
            return None;
        }
        pose::pose(sides.a.rig.model, &view_a, time, Roots::default(), &mut a);
        pose::pose(sides.b.rig.model, &view_b, map.pose_time_of_b(time), Roots::default(), &mut b);
        let weight = weight(times, sample);
        let (mut distance_max, mut angle_max, mut matrix_max, mut weight_max) = (0f64, 0f64, 0f64, 0f64);
        for error in &mut errors {
            let (global_a, global_b) = (&a.globals[error.a.index()], &b.globals[error.b.index()]);
            let (distance, angle) = (distance(global_a.translation, global_b.translation), angle(global_a, global_b));
            error.add(time, weight, distance, angle);
            (distance_max, angle_max) = (distance_max.max(distance), angle_max.max(angle));
            let matrices = [global_a, global_b].map(|global| global.matrix3.to_cols_array());
            matrix_max = matrix_max.max(largest_difference(&matrices[0], &matrices[1]));
            let weights_a = &a.pose.weights[sides.a.rig.model.node(error.a).weights.clone()];
            let weights_b = &b.pose.weights[sides.b.rig.model.node(error.b).weights.clone()];
            weight_max = weight_max.max(largest_difference(weights_a, weights_b));
        }
        curve.distances.push(distance_max);
        curve.angles.push(angle_max);
        curve.matrices.push(matrix_max);
        curve.weights.push(weight_max);
    }
    let mut joints: Vec<JointError> = errors.iter().map(ErrorSum::error).collect();
    joints.sort_by(|a, b| b.distance_max.total_cmp(&a.distance_max).then(b.angle_max.total_cmp(&a.angle_max)));
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let (distance_max, angle_max) = (largest(&curve.distances), largest(&curve.angles));
    Some(Measured { joints, curve, distance_max, angle_max })
}

/// The largest difference between corresponding numbers; 0 if there are none.
fn largest_difference<T: Copy + Into<f64>>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| (a.into() - b.into()).abs()).fold(0.0, f64::max)
}

/// The weight of a sample in a mean over time: half the time between its neighbors, in seconds. 1 for a single sample.
fn weight(times: &[f64], sample: usize) -> f64 {
    let last = times.len().saturating_sub(1);
    if last == 0 {
        return 1.0;
    }
    (times[(sample + 1).min(last)] - times[sample.saturating_sub(1)]) / 2.0
}

/// Sums up the errors of a pair of nodes, sample by sample.
struct ErrorSum {
    a: NodeIndex,
    b: NodeIndex,
    distance_max: f64,
    distance_time: f64,
    angle_max: f64,
    angle_time: f64,
    /// The sum of all distances times their weights, and the sum of the weights.
    weighted_distance_sum: f64,
    weight_sum: f64,
}

impl ErrorSum {
    fn new(a: NodeIndex, b: NodeIndex) -> Self {
        Self { a, b, distance_max: 0.0, distance_time: 0.0, angle_max: 0.0, angle_time: 0.0, weighted_distance_sum: 0.0, weight_sum: 0.0 }
    }

    fn add(&mut self, time: f64, weight: f64, distance: f64, angle: f64) {
        if distance > self.distance_max {
            (self.distance_max, self.distance_time) = (distance, time);
        }
        if angle > self.angle_max {
            (self.angle_max, self.angle_time) = (angle, time);
        }
        self.weighted_distance_sum += weight * distance;
        self.weight_sum += weight;
    }

    fn error(&self) -> JointError {
        JointError {
            a: self.a,
            b: self.b,
            distance_max: self.distance_max,
            distance_mean: if self.weight_sum > 0.0 { self.weighted_distance_sum / self.weight_sum } else { 0.0 },
            angle_max: self.angle_max,
            time: if self.distance_max > 0.0 { self.distance_time } else { self.angle_time },
        }
    }
}

/// The distance between two points, in meters. Infinite if a point is not finite, unless both points are identical.
pub fn distance(a: DVec3, b: DVec3) -> f64 {
    if a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits) {
        return 0.0;
    }
    let distance = a.distance(b);
    if distance.is_finite() { distance } else { f64::INFINITY }
}

/// The angle between the rotations of two transforms, in degrees. 0 up to [`ROUNDING_DEGREES`], and if one of them has no rotation, because
/// at most one of its axes has a length.
pub fn angle(a: &DAffine3, b: &DAffine3) -> f64 {
    if a.matrix3 == b.matrix3 {
        return 0.0;
    }
    let nearest = || Some((nearest_rotation(a.matrix3)?, nearest_rotation(b.matrix3)?));
    // If a matrix is flat, both rotations are taken from the same two axes. A third axis without length follows from them.
    let from_axes = |axes| Some((rotation(a.matrix3, axes)?, rotation(b.matrix3, axes)?));
    let rotations = nearest().or_else(|| [[0, 1, 2], [2, 0, 1], [1, 2, 0]].into_iter().find_map(from_axes));
    let Some((a, b)) = rotations else { return 0.0 };
    Some(degrees_between(a.into(), b.into())).filter(|angle| *angle > ROUNDING_DEGREES).unwrap_or_default()
}

/// The rotation of a matrix without its scale, shear and mirroring: the orthogonal factor of its polar decomposition. Unlike its axes, this
/// rotation does not depend on the scale of a parent. `None` if the matrix is flat, or nearly so.
///
/// Computed by Newton's method (N. Higham, "Computing the polar decomposition with applications", 1986).
fn nearest_rotation(matrix: DMat3) -> Option<DQuat> {
    let lengths = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::length);
    let volume = matrix.determinant();
    if volume.abs() <= MIN_AXIS_LENGTH * lengths.iter().product::<f64>() || !volume.is_finite() {
        return None;
    }
    // A point reflection commutes with every rotation, so it can be removed.
    let mut nearest = matrix * volume.cbrt().recip();
    for _ in 0..MAX_POLAR_STEPS {
        let next = (nearest + nearest.inverse().transpose()) * 0.5;
        let is_done = next.abs_diff_eq(nearest, POLAR_ACCURACY);
        nearest = next;
        if is_done {
            return Some(DQuat::from_mat3(&nearest));
        }
    }
    None
}

/// The rotation of a matrix without its scale, shear and mirroring, from the first two of these axes. `None` if one of the two has no
/// length, or if they are parallel.
fn rotation(matrix: DMat3, [first, second, third]: [usize; 3]) -> Option<DQuat> {
    let min_length = MIN_AXIS_LENGTH * matrix.x_axis.length().max(matrix.y_axis.length()).max(matrix.z_axis.length());
    let direction = |axis: DVec3| axis.try_normalize().filter(|_| axis.length() > min_length);
    let x = direction(matrix.col(first))?;
    let y = direction(matrix.col(second) - x * x.dot(matrix.col(second)))?;
    let z = x.cross(y);
    let mirrored = if z.dot(matrix.col(third)) < 0.0 { -1.0 } else { 1.0 };
    // A point reflection commutes with every rotation, so it can be removed.
    let [x, y] = [x * mirrored, y * mirrored];
    let mut frame = DMat3::ZERO;
    for (axis, direction) in [(first, x), (second, y), (third, x.cross(y))] {
        *frame.col_mut(axis) = direction;
    }
    Some(DQuat::from_mat3(&frame))
}
