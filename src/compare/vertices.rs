//! Measures the distances between corresponding vertices of both models. Quantizing vertices does not change the movement of joints, so
//! only these distances show quantization errors.

use crate::animation::hierarchy::deform;
use crate::model::node::NodeIndex;
use crate::session::pose;
use crate::session::pose::in_place::Roots;

use super::Sides;
use super::binding::Binding;
use super::clock::TimeMap;
use super::measure::{self, ErrorCurve, Measured};
use super::pairing::{self, PrimitivePair};

/// Maximum number of evenly chosen samples.
const MAX_SAMPLES: usize = 32;
/// Maximum number of deformed vertices over all evenly chosen samples. The samples at the largest distance and angle of the joints are
/// always measured.
const MAX_DEFORMED_VERTICES: usize = 1 << 21;

/// The distances of the vertices of all primitives with the same topology in both files.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexErrors {
    /// The largest distance, in meters.
    pub distance_max: f64,
    /// The mean over all vertices of their largest distances, in meters.
    pub distance_mean: f64,
    /// The vertex with the largest distance: the node of A, the primitive (its index in the file) and the vertex.
    pub node: NodeIndex,
    pub primitive: usize,
    pub vertex: usize,
    /// The time of the largest distance, in seconds of A.
    pub time: f64,
    /// Number of vertices that were compared.
    pub compared: usize,
    /// Number of vertices that were not compared, because the topology of their primitives differs.
    pub skipped: usize,
}

/// Measures vertices at some of the times at which joints were measured. The inner result is `None` if no primitive has the same topology
/// in both files. The outer result is `None` if `keep_going` returns false before the end.
pub fn measure(
    sides: &Sides,
    binding: &Binding,
    map: &TimeMap,
    measured: &Measured,
    keep_going: &dyn Fn() -> bool,
) -> Option<Option<VertexErrors>> {
    let pairs = pairing::primitives(sides.a.rig.model, sides.b.rig.model, binding);
    let (comparable, different): (Vec<_>, Vec<_>) = pairs.into_iter().partition(PrimitivePair::has_same_topology);
    let count = |pairs: &[PrimitivePair]| pairs.iter().map(|pair| pair.a.source_vertex_count).sum();
    let (compared, skipped): (usize, usize) = (count(&comparable), count(&different));
    let Some(first) = comparable.iter().find(|pair| pair.a.source_vertex_count > 0) else { return Some(None) };
    let mut errors = VertexErrors {
        distance_max: 0.0,
        distance_mean: 0.0,
        node: first.nodes[0],
        primitive: first.a.source,
        vertex: 0,
        time: 0.0,
        compared,
        skipped,
    };
    // The largest distance of each vertex.
    let mut distances: Vec<f64> = vec![0.0; compared];
    let (mut posed_a, mut posed_b) = (sides.a.rig.posed(), sides.b.rig.posed());
    let (view_a, view_b) = (sides.a.view(), sides.b.view());
    for time in times(&measured.curve, compared) {
        pose::pose(sides.a.rig.model, &view_a, time, Roots::default(), &mut posed_a);
        pose::pose(sides.b.rig.model, &view_b, map.to_b(time), Roots::default(), &mut posed_b);
        let mut remaining = &mut distances[..];
        for pair in &comparable {
            if !keep_going() {
                return None;
            }
            let vertices = 0..pair.a.source_vertex_count;
            let primitive_distances;
            (primitive_distances, remaining) = remaining.split_at_mut(vertices.len());
            let (transforms, weights) = (&posed_a.joint_transforms, &posed_a.pose.weights);
            let a = deform::positions(sides.a.rig.model, pair.nodes[0], pair.a, transforms, weights, vertices.clone());
            let (transforms, weights) = (&posed_b.joint_transforms, &posed_b.pose.weights);
            let b = deform::positions(sides.b.rig.model, pair.nodes[1], pair.b, transforms, weights, vertices);
            for (vertex, ((a, b), largest)) in a.iter().zip(&b).zip(primitive_distances).enumerate() {
                let distance = measure::distance(*a, *b);
                *largest = largest.max(distance);
                if distance > errors.distance_max {
                    (errors.distance_max, errors.time) = (distance, time);
                    (errors.node, errors.primitive, errors.vertex) = (pair.nodes[0], pair.a.source, vertex);
                }
            }
        }
    }
    errors.distance_mean = distances.iter().sum::<f64>() / compared.max(1) as f64;
    Some(Some(errors))
}

/// The times at which vertices are measured: those of the largest distance and of the largest angle of the joints, and evenly chosen
/// others.
fn times(curve: &ErrorCurve, vertex_count: usize) -> Vec<f64> {
    let largest = |values: &[f64]| (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    let count = (MAX_DEFORMED_VERTICES / vertex_count.max(1)).min(MAX_SAMPLES).min(curve.times.len());
    let last = curve.times.len().saturating_sub(1);
    let even_samples = (0..count).map(|i| i * last / (count - 1).max(1));
    let mut samples: Vec<usize> = even_samples.chain(largest(&curve.distances)).chain(largest(&curve.angles)).collect();
    samples.sort_unstable();
    samples.dedup();
    samples.into_iter().filter_map(|sample| curve.times.get(sample)).copied().collect()
}
