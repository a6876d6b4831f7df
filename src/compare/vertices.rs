//! Measures the distances between corresponding vertices of both models. Quantizing vertices does not change the movement of joints, so
//! only these distances show quantization errors.

use crate::animation::hierarchy::deform::{self, VertexPose};
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;
use crate::session::pose;
use crate::session::pose::in_place::Roots;
use crate::session::pose::solve::Posed;

use super::Sides;
use super::measure::{self, ErrorCurve};
use super::node_pairs::NodePairs;
use super::pairing::{self, PrimitivePair, Topologies};
use super::time_map::TimeMap;

/// Maximum number of deformed vertices over all evenly chosen samples. The samples at the largest differences of joints and of morph
/// weights are always measured.
pub const MAX_DEFORMED_VERTICES: usize = 1 << 21;
/// Maximum number of vertices that are compared. Many nodes can show the same vertices, so a small file can have any number of them.
pub const MAX_VERTICES: usize = 1 << 27;
/// Maximum number of vertices whose largest distances are in memory at the same time, unless a primitive alone has more.
const MAX_BLOCK_VERTICES: usize = 1 << 23;
/// Number of vertices of a primitive that are deformed at once.
pub const VERTICES_PER_PART: usize = 1 << 14;

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
    /// Number of vertices of A that were not compared, because the topology of their primitives differs, because B lacks their mesh, or
    /// because there are more than [`MAX_VERTICES`].
    pub skipped: usize,
}

/// Measures vertices at these times, in seconds of A. The inner result is `None` if no primitive has the same topology in both files. The
/// outer result is `None` if `keep_going` returns false before the end.
pub fn measure(
    sides: &Sides,
    map: &TimeMap,
    primitives: &EqualPrimitives,
    times: &[f64],
    keep_going: &dyn Fn() -> bool,
) -> Option<Option<VertexErrors>> {
    let EqualPrimitives { comparable, skipped } = primitives;
    let compared = primitives.vertex_count();
    let Some(first) = comparable.iter().find(|pair| pair.a.source_vertex_count > 0) else { return Some(None) };
    let mut errors = VertexErrors {
        distance_max: 0.0,
        distance_mean: 0.0,
        node: first.nodes[0],
        primitive: first.a.source,
        vertex: 0,
        time: 0.0,
        compared,
        skipped: *skipped,
    };
    let models = [sides.a.rig.model, sides.b.rig.model];
    let (mut posed_a, mut posed_b) = (sides.a.rig.posed(), sides.b.rig.posed());
    let (view_a, view_b) = (sides.a.view(), sides.b.view());
    for block in blocks(comparable, MAX_BLOCK_VERTICES) {
        // The largest distance of each vertex.
        let mut largest: Vec<f64> = vec![0.0; count(block)];
        for &time in times {
            pose::pose(models[0], &view_a, time, Roots::default(), &mut posed_a);
            pose::pose(models[1], &view_b, map.pose_time_of_b(time), Roots::default(), &mut posed_b);
            let posed = PosedModels { models, poses: [&posed_a, &posed_b].map(Posed::vertex_pose), time };
            posed.measure_block(block, &mut largest, &mut errors, keep_going)?;
        }
        errors.distance_mean += largest.iter().sum::<f64>();
    }
    errors.distance_mean /= compared.max(1) as f64;
    Some(Some(errors))
}

/// A and B in their poses at one moment.
struct PosedModels<'a> {
    models: [&'a Model; 2],
    poses: [VertexPose<'a>; 2],
    /// The time in seconds of A.
    time: f64,
}

impl PosedModels<'_> {
    /// Measures all vertices of a block. `largest` are their largest distances so far. `None` if `keep_going` returns false.
    fn measure_block(
        &self,
        block: &[PrimitivePair],
        mut largest: &mut [f64],
        errors: &mut VertexErrors,
        keep_going: &dyn Fn() -> bool,
    ) -> Option<()> {
        for pair in block {
            let largest_of_pair;
            (largest_of_pair, largest) = largest.split_at_mut(pair.a.source_vertex_count);
            for (part, largest) in largest_of_pair.chunks_mut(VERTICES_PER_PART).enumerate() {
                if !keep_going() {
                    return None;
                }
                self.measure_part(pair, part * VERTICES_PER_PART, largest, errors);
            }
        }
        Some(())
    }

    /// Measures the vertices of a primitive from `start` on, one for each element of `largest`.
    fn measure_part(&self, pair: &PrimitivePair, start: usize, largest: &mut [f64], errors: &mut VertexErrors) {
        let vertices = start..start + largest.len();
        let positions = |side: usize, primitive: &Primitive| {
            deform::positions(self.models[side], pair.nodes[side], primitive, self.poses[side], vertices.clone())
        };
        let (a, b) = (positions(0, pair.a), positions(1, pair.b));
        for (vertex, ((a, b), largest)) in vertices.zip(a.iter().zip(&b).zip(largest)) {
            let distance = measure::distance(*a, *b);
            *largest = largest.max(distance);
            if distance > errors.distance_max {
                (errors.distance_max, errors.time) = (distance, self.time);
                (errors.node, errors.primitive, errors.vertex) = (pair.nodes[0], pair.a.source, vertex);
            }
        }
    }
}

/// The primitives with the same topology in both files, whose vertices are compared.
#[derive(Debug)]
pub struct EqualPrimitives<'a> {
    comparable: Vec<PrimitivePair<'a>>,
    /// Number of vertices of A in the other primitives.
    skipped: usize,
}

impl<'a> EqualPrimitives<'a> {
    /// Finds the primitives of paired nodes. Skips those beyond [`MAX_VERTICES`].
    pub fn new([a, b]: [&'a Model; 2], node_pairs: &NodePairs) -> Self {
        let Self { comparable, skipped } = Self::chosen(pairing::primitives(a, b, node_pairs), MAX_VERTICES);
        Self { comparable, skipped: skipped.saturating_add(pairing::unpaired_vertices(a, b, node_pairs)) }
    }

    /// The primitives whose vertices are compared.
    pub fn pairs(&self) -> &[PrimitivePair<'a>] {
        &self.comparable
    }

    /// The number of vertices that are compared.
    pub fn vertex_count(&self) -> usize {
        count(&self.comparable)
    }

    /// Chooses the primitives with the same topology, in order, while they have at most `max_vertices` together. A primitive that does not
    /// fit is skipped.
    fn chosen(pairs: Vec<PrimitivePair<'a>>, max_vertices: usize) -> Self {
        let (mut comparable, mut skipped) = (Vec::new(), 0usize);
        let mut topologies = Topologies::default();
        let mut remaining = max_vertices;
        for pair in pairs {
            let vertices = pair.a.source_vertex_count;
            if vertices <= remaining && topologies.are_same(&pair) {
                remaining -= vertices;
                comparable.push(pair);
            } else {
                skipped = skipped.saturating_add(vertices);
            }
        }
        Self { comparable, skipped }
    }
}

/// Splits pairs into blocks of at most `max_vertices`. A pair with more vertices is a block of its own.
fn blocks<'p, 'a>(pairs: &'p [PrimitivePair<'a>], max_vertices: usize) -> impl Iterator<Item = &'p [PrimitivePair<'a>]> {
    let mut block_vertices = pairs.first().map_or(0, |pair| pair.a.source_vertex_count);
    pairs.chunk_by(move |_, next| {
        block_vertices = block_vertices.saturating_add(next.a.source_vertex_count);
        let fits = block_vertices <= max_vertices;
        if !fits {
            block_vertices = next.a.source_vertex_count;
        }
        fits
    })
}

/// The number of vertices of these primitives.
fn count(pairs: &[PrimitivePair]) -> usize {
    pairs.iter().map(|pair| pair.a.source_vertex_count).sum()
}

/// The times at which this many vertices are measured: those of the largest differences of joints and of morph weights, and evenly chosen
/// others, at which at most `max_deformed` vertices are deformed. These are all times if there are few vertices.
pub fn times(curve: &ErrorCurve, vertex_count: usize, max_deformed: usize) -> Vec<f64> {
    let largest = |values: &Vec<f64>| (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    let largest_samples = [&curve.distances, &curve.angles, &curve.matrices, &curve.weights].into_iter().filter_map(largest);
    let count = (max_deformed / vertex_count.max(1)).min(curve.times.len());
    let last = curve.times.len().saturating_sub(1);
    let even_samples = (0..count).map(|i| i * last / (count - 1).max(1));
    let mut samples: Vec<usize> = even_samples.chain(largest_samples).collect();
    samples.sort_unstable();
    samples.dedup();
    samples.into_iter().filter_map(|sample| curve.times.get(sample)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(primitives: &[Primitive]) -> Vec<PrimitivePair<'_>> {
        primitives.iter().map(|primitive| PrimitivePair { nodes: [NodeIndex(0); 2], index: 0, a: primitive, b: primitive }).collect()
    }

    fn primitives(vertex_counts: &[usize]) -> Vec<Primitive> {
        vertex_counts.iter().map(|&source_vertex_count| Primitive { source_vertex_count, ..Primitive::default() }).collect()
    }

    fn vertex_counts(pairs: &[PrimitivePair]) -> Vec<usize> {
        pairs.iter().map(|pair| pair.a.source_vertex_count).collect()
    }

    #[test]
    fn primitives_beyond_the_maximum_number_of_vertices_are_skipped() {
        let primitives = primitives(&[3, 4, 5, 0, 2]);
        for (max, compared, skipped) in
            [(14, vec![3, 4, 5, 0, 2], 0), (13, vec![3, 4, 5, 0], 2), (9, vec![3, 4, 0, 2], 5), (0, vec![0], 14)]
        {
            let chosen = EqualPrimitives::chosen(pairs(&primitives), max);
            assert_eq!((vertex_counts(&chosen.comparable), chosen.skipped), (compared, skipped), "{max}");
        }
    }

    #[test]
    fn large_meshes_are_measured_when_joints_or_morph_weights_differ_most_and_small_meshes_always() {
        let peak_at = |peak: usize| (0..100).map(|sample| f64::from(u8::from(sample == peak))).collect();
        let curve = ErrorCurve {
            times: (0..100).map(f64::from).collect(),
            distances: peak_at(31),
            angles: peak_at(7),
            matrices: peak_at(58),
            weights: peak_at(80),
        };
        assert_eq!(times(&curve, 301, 300), [7.0, 31.0, 58.0, 80.0]);
        assert_eq!(times(&curve, 3, 300), curve.times);
    }

    #[test]
    fn blocks_hold_all_primitives_in_order_and_no_more_vertices_than_allowed() {
        let primitives = primitives(&[3, 4, 9, 1, 1, 5, 0, 7]);
        let pairs = pairs(&primitives);
        let blocks: Vec<_> = blocks(&pairs, 7).map(vertex_counts).collect();
        assert_eq!(blocks, [vec![3, 4], vec![9], vec![1, 1, 5, 0], vec![7]]);
        assert_eq!(super::blocks(&[], 7).count(), 0);
    }
}
