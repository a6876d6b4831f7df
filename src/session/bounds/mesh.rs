//! What is known of every mesh without a pose, made once a model: its boxes, by joint and morph target, and its outline: the vertices
//! that stick out furthest among those that a joint moves most.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use glam::{DVec3, Vec3, Vec3A};

use crate::camera::Bounds;
use crate::model::Model;
use crate::model::mesh::{Primitive, Vertices};

use super::instances::{self, Instance};

/// An outline is chosen among no more vertices than so many of a primitive.
const MOST_CANDIDATES: usize = 100_000;
/// In which an outline sticks out: along the axes and the diagonals of space, both ways.
const DIRECTIONS: [Vec3; 7] =
    [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 1.0), Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(1.0, 1.0, -1.0)];

/// Boxes of every mesh's primitives, made once a model.
#[derive(Debug, Clone)]
pub struct MeshBounds {
    /// By mesh and primitive.
    pub meshes: Vec<Vec<PrimitiveExtents>>,
    /// By node: of meshes that stand in many places.
    pub placed: BTreeMap<usize, Instance>,
}

#[derive(Debug, Clone)]
pub struct PrimitiveExtents {
    pub whole: Bounds,
    /// By index in the skin's joints: the vertices that the joint moves.
    pub joints: Vec<(u16, Bounds)>,
    /// The differences of each morph target.
    pub targets: Vec<Bounds>,
    /// Vertices that stick out.
    pub outline: Vec<usize>,
}

impl MeshBounds {
    pub fn new(model: &Model) -> Self {
        let mut known: HashMap<*const Vertices, PrimitiveExtents> = HashMap::new();
        let mut of = |primitive: &Primitive| {
            known.entry(Arc::as_ptr(&primitive.vertices)).or_insert_with(|| primitive_extents(&primitive.vertices)).clone()
        };
        let meshes: Vec<Vec<_>> = model.meshes.iter().map(|mesh| mesh.primitives.iter().map(&mut of).collect()).collect();
        Self { placed: instances::extents(model, &meshes), meshes }
    }

    /// Of a mesh as a node shows it.
    pub fn of_node(&self, node: usize, mesh: usize) -> &[PrimitiveExtents] {
        self.placed.get(&node).map_or(&self.meshes[mesh], |placed| &placed.primitives)
    }
}

fn primitive_extents(vertices: &Vertices) -> PrimitiveExtents {
    let bounds = |points: &[Vec3]| points.iter().fold(Ends::NONE, |ends, point| ends.with(*point)).bounds();
    let influences = &vertices.influences;
    let most = influences.joints.iter().flatten().max().map_or(0, |&joint| joint as usize + 1);
    let mut joints = vec![Ends::NONE; if influences.sets == 0 { 0 } else { most }];
    for (i, (set, weights)) in influences.joints.iter().zip(&influences.weights).enumerate() {
        let Some(position) = vertices.positions.get(i / influences.sets.max(1)) else { break };
        for (joint, weight) in set.iter().zip(weights) {
            if *weight > 0.0 {
                let ends = &mut joints[*joint as usize];
                *ends = ends.with(*position);
            }
        }
    }
    let joints = joints.iter().map(Ends::bounds).enumerate().filter(|(_, bounds)| !bounds.is_empty());
    let joints = joints.map(|(i, bounds)| (i as u16, bounds)).collect();
    // A vertex that a target does not move counts as a difference of zero: the box holds the origin.
    let delta = |deltas: &[Vec3]| Bounds { min: DVec3::ZERO, max: DVec3::ZERO }.union(&bounds(deltas));
    let targets = vertices.targets.iter().map(|target| delta(&target.positions)).collect();
    PrimitiveExtents { whole: bounds(&vertices.positions), joints, targets, outline: outline(vertices) }
}

/// A box of vertices, in the precision that they have.
#[derive(Debug, Clone, Copy)]
struct Ends {
    min: Vec3A,
    max: Vec3A,
}

impl Ends {
    const NONE: Self = Self { min: Vec3A::INFINITY, max: Vec3A::NEG_INFINITY };

    fn with(self, point: Vec3) -> Self {
        let point = Vec3A::from(point);
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    fn bounds(&self) -> Bounds {
        Bounds { min: self.min.as_dvec3(), max: self.max.as_dvec3() }
    }
}

/// The vertices furthest in each direction, of all that the same joint moves most, and of all that a morph target moves.
fn outline(vertices: &Vertices) -> Vec<usize> {
    let step = vertices.positions.len().div_ceil(MOST_CANDIDATES).max(1);
    let candidates = || (0..vertices.positions.len()).step_by(step).filter(|&v| vertices.positions[v].is_finite());
    let groups = candidates().map(|v| strongest_joint(vertices, v) + 1).max().unwrap_or(0);
    let mut chosen = BTreeSet::new();
    furthest(candidates().map(|v| (strongest_joint(vertices, v), v, vertices.positions[v])), groups, &mut chosen);
    for target in vertices.targets.iter().filter(|target| !target.positions.is_empty()) {
        let moved = candidates().filter(|&v| target.positions[v] != Vec3::ZERO);
        furthest(moved.map(|v| (0, v, vertices.positions[v] + target.positions[v])), 1, &mut chosen);
    }
    chosen.into_iter().collect()
}

/// Of (group, vertex, position): for each group the vertices with the least and the largest position along each direction.
pub fn furthest<V: Copy + Ord>(vertices: impl Iterator<Item = (usize, V, Vec3)>, groups: usize, chosen: &mut BTreeSet<V>) {
    let mut ends: Vec<[Option<(f32, V)>; 2 * DIRECTIONS.len()]> = vec![[None; 2 * DIRECTIONS.len()]; groups];
    for (group, vertex, position) in vertices {
        for (i, direction) in DIRECTIONS.iter().enumerate() {
            let along = position.dot(*direction);
            for (end, along) in [(2 * i, along), (2 * i + 1, -along)] {
                let furthest = &mut ends[group][end];
                if furthest.is_none_or(|(most, _)| along > most) {
                    *furthest = Some((along, vertex));
                }
            }
        }
    }
    chosen.extend(ends.iter().flatten().flatten().map(|(_, vertex)| vertex));
}

/// The joint with the largest weight; 0 without influences.
fn strongest_joint(vertices: &Vertices, vertex: usize) -> usize {
    let sets = vertices.influences.sets;
    let of_vertex = vertex * sets..(vertex + 1) * sets;
    let joints = vertices.influences.joints[of_vertex.clone()].as_flattened();
    let weights = vertices.influences.weights[of_vertex].as_flattened();
    let strongest = joints.iter().zip(weights).max_by(|a, b| a.1.total_cmp(b.1));
    strongest.map_or(0, |(joint, _)| usize::from(*joint))
}
