//! Computes the bounds and extreme points of a primitive. Extreme points are the outermost vertices of each joint.

use std::collections::BTreeSet;

use glam::{DVec3, Vec3};

use crate::camera::bounds::{Bounds, VertexBounds};
use crate::model::Model;
use crate::model::mesh::Vertices;

/// Maximum number of vertices of a primitive that are candidates for extreme points.
const MAX_CANDIDATES: usize = 100_000;
/// Directions in which points are extreme: axes, space diagonals, edge diagonals, and directions near the axes. Each is used both ways. A
/// ball that is rotated in any way reaches at most 5.5 % of its radius beyond these points.
const DIRECTIONS: [Vec3; 25] = [
    Vec3::X,
    Vec3::Y,
    Vec3::Z,
    Vec3::new(1.0, 1.0, 1.0),
    Vec3::new(-1.0, 1.0, 1.0),
    Vec3::new(1.0, -1.0, 1.0),
    Vec3::new(1.0, 1.0, -1.0),
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::new(-1.0, 1.0, 0.0),
    Vec3::new(1.0, 0.0, 1.0),
    Vec3::new(-1.0, 0.0, 1.0),
    Vec3::new(0.0, 1.0, 1.0),
    Vec3::new(0.0, -1.0, 1.0),
    Vec3::new(3.0, 1.0, 1.0),
    Vec3::new(3.0, -1.0, 1.0),
    Vec3::new(3.0, 1.0, -1.0),
    Vec3::new(3.0, -1.0, -1.0),
    Vec3::new(1.0, 3.0, 1.0),
    Vec3::new(-1.0, 3.0, 1.0),
    Vec3::new(1.0, 3.0, -1.0),
    Vec3::new(-1.0, 3.0, -1.0),
    Vec3::new(1.0, 1.0, 3.0),
    Vec3::new(-1.0, 1.0, 3.0),
    Vec3::new(1.0, -1.0, 3.0),
    Vec3::new(-1.0, -1.0, 3.0),
];
/// The first directions, which are used for each of several joints, for morph targets, for instances and in large scenes, so that there are
/// few points. A ball reaches up to 19.3 % of its radius beyond them.
pub const FEW_DIRECTIONS: [Vec3; 7] = *DIRECTIONS.first_chunk().unwrap();
/// Weight of a morph target at which its offsets decide which vertices are extreme. Large weights and several targets that move the same
/// vertices have extreme points that differ from those at weight 1.
const LARGE_WEIGHT: f32 = 8.0;
/// Number of nodes with meshes from which on a scene is large: its bounds hardly depend on the shape of a single node.
const LARGE_SCENE_NODES: usize = 500;

/// Bounds of a primitive at rest, in the space of its mesh.
#[derive(Debug, Clone)]
pub struct PrimitiveBounds {
    /// Bounds of all vertices.
    pub whole: Bounds,
    /// For each joint that moves vertices: its index in the skin's joints, and the bounds of these vertices.
    pub joints: Vec<(u16, Bounds)>,
    /// Bounds of the position offsets of each morph target.
    pub targets: Vec<Bounds>,
    /// Indices of the extreme vertices, in ascending order.
    pub extreme_points: Vec<usize>,
    /// For each extreme point: the morph targets that move it, in ascending order, each with its position offset. Most targets of a face
    /// move only a part of it, so most of these lists are short.
    pub point_offsets: Vec<Vec<(usize, Vec3)>>,
}

impl PrimitiveBounds {
    /// The bounds of a primitive with these vertices. `is_in_large_scene` is the answer of [`is_large_scene`].
    pub fn new(vertices: &Vertices, is_in_large_scene: bool) -> Self {
        let influences = &vertices.influences;
        let joint_count = influences.joints.iter().flatten().max().map_or(0, |&joint| joint as usize + 1);
        let mut joints = vec![VertexBounds::EMPTY; if influences.sets == 0 { 0 } else { joint_count }];
        // The largest weight of each joint on any vertex.
        let mut max_weights = vec![0f32; joints.len()];
        for (i, (set, weights)) in influences.joints.iter().zip(&influences.weights).enumerate() {
            let Some(position) = vertices.positions.get(i / influences.sets.max(1)) else { break };
            for (joint, weight) in set.iter().zip(weights) {
                if *weight > 0.0 {
                    joints[*joint as usize].add(*position);
                    max_weights[*joint as usize] = max_weights[*joint as usize].max(*weight);
                }
            }
        }
        let joints = joints.iter().map(VertexBounds::bounds).enumerate().filter(|(_, bounds)| !bounds.is_empty());
        let joints = joints.map(|(i, bounds)| (i as u16, bounds)).collect();
        // A vertex that a target does not move has an offset of zero, so the bounds contain the origin.
        let targets = vertices.targets.iter().map(|target| VertexBounds::ORIGIN.with(&target.positions).bounds()).collect();
        let extreme_points = extreme_points(vertices, &max_weights, is_in_large_scene);
        let offsets_of_point = |&vertex: &usize| {
            let offsets = vertices.targets.iter().map(|target| target.positions.get(vertex).copied().unwrap_or_default());
            offsets.enumerate().filter(|(_, offset)| *offset != Vec3::ZERO).collect()
        };
        let point_offsets = extreme_points.iter().map(offsets_of_point).collect();
        Self { whole: VertexBounds::EMPTY.with(&vertices.positions).bounds(), joints, targets, extreme_points, point_offsets }
    }

    /// Returns a function from an extreme point to its morphed position in mesh space. `vertices` are those of the primitive, and `weights`
    /// those of its node. With finite weights, the results equal those of [`crate::animation::hierarchy::deform::morphed`].
    ///
    /// # Panics
    ///
    /// The function panics if the vertex is not an extreme point.
    pub fn morphed<'a>(&'a self, vertices: &'a Vertices, weights: &'a [f32]) -> impl Fn(usize) -> DVec3 {
        move |vertex: usize| {
            let index = self.extreme_points.binary_search(&vertex).expect("only extreme points are morphed");
            let offsets = self.point_offsets[index].iter().filter_map(|&(target, offset)| Some((offset, *weights.get(target)?)));
            offsets
                .filter(|(_, weight)| *weight != 0.0)
                .fold(vertices.positions[vertex].as_dvec3(), |position, (offset, weight)| position + offset.as_dvec3() * f64::from(weight))
        }
    }
}

/// Indices of the outermost vertices in each direction: for each joint, among the vertices on which it has the largest weight or, if there
/// are none, among those that it moves most; for each morph target, among the vertices that it moves. `max_weights` are the joints' largest
/// weights on any vertex.
fn extreme_points(vertices: &Vertices, max_weights: &[f32], is_in_large_scene: bool) -> Vec<usize> {
    let step = vertices.positions.len().div_ceil(MAX_CANDIDATES).max(1);
    let candidates = || (0..vertices.positions.len()).step_by(step).filter(|&v| vertices.positions[v].is_finite());
    let mut is_strongest = vec![false; max_weights.len().max(1)];
    candidates().for_each(|v| is_strongest[strongest_joint(vertices, v)] = true);
    let groups = is_strongest.iter().rposition(|is_strongest| *is_strongest).map_or(0, |joint| joint + 1);
    let mut chosen = BTreeSet::new();
    // At rest, each joint forms one group: wherever the joint moves, its outermost vertices remain near the outermost ones.
    let points = candidates().map(|v| (strongest_joint(vertices, v), v, vertices.positions[v]));
    if groups > 1 || is_in_large_scene {
        furthest(points, groups, &FEW_DIRECTIONS, &mut chosen);
    } else {
        furthest(points, groups, &DIRECTIONS, &mut chosen);
    }
    let is_weak: Vec<bool> = is_strongest.iter().zip(max_weights).map(|(strongest, max)| !strongest && *max > 0.0).collect();
    if is_weak.contains(&true) {
        let moves_most = |&(joint, weight): &(usize, f32)| is_weak[joint] && weight >= max_weights[joint] / 2.0;
        let joints = |v| vertices.influences.of_vertex(v).filter(moves_most).map(move |(joint, _)| (joint, v, vertices.positions[v]));
        furthest(candidates().flat_map(joints), is_weak.len(), &FEW_DIRECTIONS, &mut chosen);
    }
    for target in vertices.targets.iter().filter(|target| !target.positions.is_empty()) {
        for weight in [1.0, LARGE_WEIGHT] {
            let moved = candidates().filter(|&v| target.positions[v] != Vec3::ZERO);
            // Morph targets move vertices of any joint, so they form a single group.
            furthest(moved.map(|v| (0, v, vertices.positions[v] + weight * target.positions[v])), 1, &FEW_DIRECTIONS, &mut chosen);
        }
    }
    chosen.into_iter().collect()
}

/// Returns whether so many nodes have meshes that few extreme points of each are enough.
pub fn is_large_scene(model: &Model) -> bool {
    model.nodes.iter().filter(|node| node.mesh.is_some()).count() >= LARGE_SCENE_NODES
}

/// Adds to `chosen` the outermost vertices of each group in each direction. `vertices` yields group, vertex and position.
pub fn furthest<V: Copy + Ord, const N: usize>(
    vertices: impl Iterator<Item = (usize, V, Vec3)>,
    groups: usize,
    directions: &[Vec3; N],
    chosen: &mut BTreeSet<V>,
) {
    let mut ends = vec![[[None::<(f32, V)>; 2]; N]; groups];
    for (group, vertex, position) in vertices {
        for (direction, [front, back]) in directions.iter().zip(&mut ends[group]) {
            let distance = position.dot(*direction);
            for (furthest, distance) in [(front, distance), (back, -distance)] {
                if furthest.is_none_or(|(max, _)| distance > max) {
                    *furthest = Some((distance, vertex));
                }
            }
        }
    }
    chosen.extend(ends.as_flattened().as_flattened().iter().flatten().map(|(_, vertex)| vertex));
}

/// The joint with the largest weight on a vertex; 0 without influences.
fn strongest_joint(vertices: &Vertices, vertex: usize) -> usize {
    vertices.influences.of_vertex(vertex).max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(joint, _)| joint)
}

#[cfg(test)]
mod tests {
    use crate::model::mesh::MorphTarget;

    use super::*;

    #[test]
    fn extreme_points_are_morphed_by_the_targets_that_move_them() {
        // The second target moves nothing, the third only the last vertex.
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.0, 2.0, -1.0)];
        let target = |positions: Vec<Vec3>| MorphTarget { positions, normals: Vec::new(), tangents: Vec::new() };
        let targets = vec![target(vec![Vec3::Y, Vec3::Z, Vec3::ONE]), target(Vec::new()), target(vec![Vec3::ZERO, Vec3::ZERO, Vec3::X])];
        let vertices = Vertices { positions, targets, ..Vertices::default() };
        let bounds = PrimitiveBounds::new(&vertices, false);
        assert_eq!(bounds.extreme_points, [0, 1, 2]);
        assert_eq!(bounds.point_offsets.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 2]);
        let morphed = |weights: &[f32]| [0, 1, 2].map(bounds.morphed(&vertices, weights));
        assert_eq!(morphed(&[0.5, 9.0, 2.0]), [DVec3::Y * 0.5, DVec3::new(1.0, 0.0, 0.5), DVec3::new(2.5, 2.5, -0.5)]);
        assert_eq!(morphed(&[0.0; 3]), [DVec3::ZERO, DVec3::X, DVec3::new(0.0, 2.0, -1.0)]);
        assert_eq!(morphed(&[]), morphed(&[0.0; 3]), "without weights");
    }
}
