//! Measures what `sinew diff` reports in addition to a [`Comparison`]: the bounds of meshes whose topology or node differs, and the largest
//! errors of the other animations. The window does not show them, so it does not wait for them.

use crate::model::Model;
use crate::session::document::Document;
use crate::session::pose;

use super::bounds::{self, BoundsError, DifferingMeshes};
use super::measure::{self, ErrorCurve, Measured};
use super::node_pairs::NodePairs;
use super::time_map::{self, Timing};
use super::vertices::{self, EqualPrimitives, MAX_DEFORMED_VERTICES, VertexErrors};
use super::{Comparison, Sides};

/// Work of all other animations together, as a multiple of [`pose::MAX_MOTION_WORK`]. Comparing the poses takes longer than posing, so this
/// is about 20 seconds.
const MAX_RELATIVE_WORK: usize = 8;
/// Vertices that are deformed for all other animations together, as a multiple of those for the first one.
const MAX_RELATIVE_VERTICES: usize = 64;

/// The errors that `sinew diff` reports in addition to a [`Comparison`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Supplement {
    /// The largest difference of bounds in the compared animations; `None` if no mesh has another topology or node in B.
    pub bounds: Option<BoundsError>,
    /// The errors of the other animations.
    pub other_animations: Vec<AnimationErrors>,
}

/// The errors of an animation of A and its counterpart in B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnimationErrors {
    /// The animations of A and B.
    pub animations: [usize; 2],
    pub errors: LargestErrors,
}

/// The largest errors in two animations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LargestErrors {
    /// The largest distance of a joint, in meters.
    pub joint_distance: f64,
    /// The largest angle of a joint, in degrees.
    pub joint_angle: f64,
    /// The largest distance of a vertex, in meters; `None` if no primitive has the same topology in both files, or if there are too many
    /// vertices for all animations.
    pub vertex_distance: Option<f64>,
    /// The largest difference of bounds, in meters; `None` if no mesh has another topology or node in B, or if there are too many vertices
    /// for all animations.
    pub bounds_distance: Option<f64>,
}

impl LargestErrors {
    /// The largest of the measured errors.
    pub fn new(measured: &Measured, vertices: Option<VertexErrors>, bounds: Option<BoundsError>) -> Self {
        Self {
            joint_distance: measured.distance_max,
            joint_angle: measured.angle_max,
            vertex_distance: vertices.map(|vertices| vertices.distance_max),
            bounds_distance: bounds.map(|bounds| bounds.distance_max),
        }
    }
}

/// The documents and the parts of their meshes that are measured in each pair of animations.
struct ComparedMeshes<'a> {
    documents: [&'a Document; 2],
    node_pairs: &'a NodePairs,
    primitives: EqualPrimitives<'a>,
    meshes: DifferingMeshes,
}

/// Measures the supplement of a comparison of two documents. `others` are further animations of A and B that are compared. `None` if
/// `keep_going` returns false before the end.
pub fn measure(
    documents: [&Document; 2],
    comparison: &Comparison,
    others: &[[usize; 2]],
    keep_going: &dyn Fn() -> bool,
) -> Option<Supplement> {
    let Comparison { animations, time_map, node_pairs, measured, .. } = comparison;
    let models = documents.map(|document| &*document.model);
    let (primitives, meshes) = (EqualPrimitives::new(models, node_pairs), DifferingMeshes::new(models, node_pairs));
    let times = vertices::times(&measured.curve, meshes.vertex_count, MAX_DEFORMED_VERTICES);
    let bounds = bounds::measure(&Sides::new(documents, *animations), time_map, &meshes, &times, keep_going)?;
    let meshes = ComparedMeshes { documents, node_pairs, primitives, meshes };
    let mut room = Room { share: others.len().max(1), vertices: MAX_RELATIVE_VERTICES * MAX_DEFORMED_VERTICES };
    let errors = |&animations: &[usize; 2]| {
        Some(AnimationErrors { animations, errors: largest_errors(&meshes, animations, &mut room, keep_going)? })
    };
    Some(Supplement { bounds, other_animations: others.iter().map(errors).collect::<Option<_>>()? })
}

/// The maximum number of other animations of these models that are measured, each at two times or more, within [`MAX_RELATIVE_WORK`].
pub fn max_animations(models: [&Model; 2]) -> usize {
    let work: usize = models.map(pose::estimate_work).iter().sum();
    MAX_RELATIVE_WORK * pose::MAX_MOTION_WORK / (2 * work.max(1))
}

/// The amount of work that is left for the other animations.
struct Room {
    /// Number of animations that share the samples and the vertices of one.
    share: usize,
    /// Number of vertices that may still be deformed.
    vertices: usize,
}

impl Room {
    /// The times at which this many vertices are measured. Empty if there is no room left for them.
    fn times(&mut self, curve: &ErrorCurve, vertex_count: usize) -> Vec<f64> {
        let times = vertices::times(curve, vertex_count, MAX_DEFORMED_VERTICES / self.share);
        match self.vertices.checked_sub(times.len().saturating_mul(vertex_count)) {
            Some(left) => {
                self.vertices = left;
                times
            }
            None => Vec::new(),
        }
    }
}

/// Measures a pair of animations.
fn largest_errors(
    meshes: &ComparedMeshes,
    animations: [usize; 2],
    room: &mut Room,
    keep_going: &dyn Fn() -> bool,
) -> Option<LargestErrors> {
    let ComparedMeshes { documents, node_pairs, primitives, meshes } = meshes;
    let sides = Sides::new(*documents, animations.map(Some));
    let map = Timing::default().map(sides.durations());
    let samples = time_map::sample_times(&sides, &map, (time_map::max_samples(&sides) / room.share).max(2));
    let measured = measure::measure(&sides, node_pairs, &map, &samples, keep_going)?;
    let times = room.times(&measured.curve, primitives.vertex_count());
    let vertices = vertices::measure(&sides, &map, primitives, &times, keep_going)?.filter(|_| !times.is_empty());
    let times = room.times(&measured.curve, meshes.vertex_count);
    let bounds = bounds::measure(&sides, &map, meshes, &times, keep_going)?.filter(|_| !times.is_empty());
    Some(LargestErrors::new(&measured, vertices, bounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_vertices_are_measured_once_the_room_for_them_is_used_up() {
        let curve = ErrorCurve { times: vec![0.0, 1.0, 2.0], distances: vec![0.0, 1.0, 0.0], ..ErrorCurve::default() };
        let mut room = Room { share: 2, vertices: 500 };
        assert_eq!(room.times(&curve, 100), [0.0, 1.0, 2.0]);
        assert_eq!(room.times(&curve, 100), [0.0; 0], "200 vertices are left, and three samples need 300");
        // Half of the vertices are too few for evenly chosen samples, so that only the one with the largest distance is left.
        assert_eq!(room.times(&curve, MAX_DEFORMED_VERTICES), [0.0; 0]);
        room.vertices = MAX_DEFORMED_VERTICES;
        assert_eq!(room.times(&curve, MAX_DEFORMED_VERTICES), [1.0]);
    }
}
