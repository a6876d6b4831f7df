//! Measures what `sinew diff` reports in addition to a [`Comparison`]: the bounds of meshes whose topology or node differs, and the largest errors
//! of the other animations. The window does not show them, so it does not wait for them.

use crate::session::document::Document;

use super::binding::Binding;
use super::bounds::{self, BoundsError, DifferingMeshes};
use super::clock::{self, Timing};
use super::measure::{self, Measured};
use super::vertices::{self, EqualPrimitives, MAX_DEFORMED_VERTICES, VertexErrors};
use super::{Comparison, Sides};

/// What `sinew diff` reports in addition to a [`Comparison`].
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
    /// The largest distance of a vertex, in meters; `None` if no primitive has the same topology in both files.
    pub vertex_distance: Option<f64>,
    /// The largest difference of bounds, in meters; `None` if no mesh has another topology or node in B.
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
    binding: &'a Binding,
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
    let Comparison { animations, time_map, binding, measured, .. } = comparison;
    let models = documents.map(|document| &*document.model);
    let (primitives, meshes) = (EqualPrimitives::new(models, binding), DifferingMeshes::new(models, binding));
    let times = vertices::times(&measured.curve, meshes.vertex_count, MAX_DEFORMED_VERTICES);
    let bounds = bounds::measure(&Sides::new(documents, *animations), time_map, &meshes, &times, keep_going)?;
    let meshes = ComparedMeshes { documents, binding, primitives, meshes };
    // Together, the other animations take about as long as the first one if there are very many vertices.
    let max_deformed = MAX_DEFORMED_VERTICES / others.len().max(1);
    let errors = |&animations: &[usize; 2]| {
        Some(AnimationErrors { animations, errors: largest_errors(&meshes, animations, max_deformed, keep_going)? })
    };
    Some(Supplement { bounds, other_animations: others.iter().map(errors).collect::<Option<_>>()? })
}

/// Measures a pair of animations. At evenly chosen samples, at most `max_deformed` vertices are deformed.
fn largest_errors(
    meshes: &ComparedMeshes,
    animations: [usize; 2],
    max_deformed: usize,
    keep_going: &dyn Fn() -> bool,
) -> Option<LargestErrors> {
    let ComparedMeshes { documents, binding, primitives, meshes } = meshes;
    let sides = Sides::new(*documents, animations.map(Some));
    let map = Timing::default().map(sides.durations());
    let measured = measure::measure(&sides, binding, &map, &clock::sample_times(&sides, &map), keep_going)?;
    let times = |vertex_count: usize| vertices::times(&measured.curve, vertex_count, max_deformed);
    let vertices = vertices::measure(&sides, &map, primitives, &times(primitives.vertex_count()), keep_going)?;
    let bounds = bounds::measure(&sides, &map, meshes, &times(meshes.vertex_count), keep_going)?;
    Some(LargestErrors::new(&measured, vertices, bounds))
}
