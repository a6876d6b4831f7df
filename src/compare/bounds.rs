//! Measures how far the bounds of meshes differ whose topology or node differs. Their vertices have no counterparts, because optimizers
//! merge, remove and reorder vertices. Vertices that move by a distance move the sides of their bounds at most as far.

use std::collections::HashMap;

use glam::DVec3;

use crate::animation::hierarchy::deform;
use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::model::mesh::{Mesh, Primitive};
use crate::model::node::NodeIndex;
use crate::session::pose;
use crate::session::pose::in_place::Roots;
use crate::session::pose::solve::Posed;

use super::Sides;
use super::node_pairs::NodePairs;
use super::pairing::{self, PrimitivePair};
use super::time_map::TimeMap;
use super::vertices::{MAX_VERTICES, VERTICES_PER_PART};

/// The largest difference between the bounds of meshes whose topology or node differs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundsError {
    /// The largest distance between the same side of both bounds, in meters. Infinite if only one mesh has vertices.
    pub distance_max: f64,
    /// The node of A whose bounds differ most.
    pub node: NodeIndex,
    /// The time of the largest distance, in seconds of A.
    pub time: f64,
}

/// The meshes of paired nodes whose topology or node differs.
#[derive(Debug, Default)]
pub struct DifferingMeshes {
    pairs: Vec<MeshPair>,
    /// For A and B, the vertices that are measured, by the index of the mesh.
    vertices: [MeshVertices; 2],
    /// Number of vertices in both files that are measured.
    pub vertex_count: usize,
}

/// A node of A with a mesh, and the nodes of B that show its mesh ([`pairing::mesh_nodes`]).
#[derive(Debug)]
struct MeshPair {
    a: NodeIndex,
    b: Vec<NodeIndex>,
}

impl DifferingMeshes {
    /// Finds the nodes of A whose mesh has another topology or another node in B. A mesh is left out if the vertices of both files would
    /// exceed [`MAX_VERTICES`] with it.
    pub fn new([a, b]: [&Model; 2], node_pairs: &NodePairs) -> Self {
        let mut found = Self::default();
        // Nodes that share a mesh share its topology.
        let mut known: HashMap<[usize; 2], bool> = HashMap::new();
        for (in_a, in_b) in node_pairs.pairs() {
            let Some(mesh_a) = a.node(in_a).mesh else { continue };
            let in_b = match b.node(in_b).mesh {
                Some(mesh_b) if *known.entry([mesh_a, mesh_b]).or_insert_with(|| have_same_topology([a, b], [in_a, in_b])) => continue,
                _ => pairing::mesh_nodes(b, node_pairs, in_b),
            };
            if in_b.is_empty() {
                continue;
            }
            let [vertices_a, vertices_b] = &mut found.vertices;
            let count = vertices_a.count(a, in_a) + in_b.iter().map(|&node| vertices_b.count(b, node)).sum::<usize>();
            if count <= MAX_VERTICES - found.vertex_count {
                found.vertex_count += count;
                found.pairs.push(MeshPair { a: in_a, b: in_b });
            }
        }
        found
    }
}

/// Returns whether the meshes of two nodes have equally many primitives, all with the same topology.
fn have_same_topology([a, b]: [&Model; 2], nodes: [NodeIndex; 2]) -> bool {
    let (Some(mesh_a), Some(mesh_b)) = (pairing::mesh(a, nodes[0]), pairing::mesh(b, nodes[1])) else { return false };
    let mut pairs = mesh_a.primitives.iter().zip(&mesh_b.primitives).enumerate();
    mesh_a.primitives.len() == mesh_b.primitives.len()
        && pairs.all(|(index, (a, b))| PrimitivePair { nodes, index, a, b }.has_same_topology())
}

/// The vertices that points, lines and triangles use, per primitive, by the index of the mesh. The others are in no picture, and optimizers
/// remove them.
#[derive(Debug, Default)]
struct MeshVertices {
    of_mesh: HashMap<usize, Vec<Vec<u32>>>,
}

impl MeshVertices {
    /// The number of vertices of a node's mesh.
    fn count(&mut self, model: &Model, node: NodeIndex) -> usize {
        let (Some(index), Some(mesh)) = (model.node(node).mesh, pairing::mesh(model, node)) else { return 0 };
        let used = self.of_mesh.entry(index).or_insert_with(|| used_vertices(mesh));
        used.iter().map(Vec::len).sum()
    }

    /// Grows `bounds` to include the mesh of a node in this pose.
    fn add_to(&self, bounds: &mut Bounds, model: &Model, node: NodeIndex, posed: &Posed) {
        let used = model.node(node).mesh.and_then(|mesh| self.of_mesh.get(&mesh));
        let (Some(used), Some(mesh)) = (used, pairing::mesh(model, node)) else { return };
        for (primitive, vertices) in mesh.primitives.iter().zip(used) {
            for part in vertices.chunks(VERTICES_PER_PART) {
                let vertices = part.iter().map(|&vertex| vertex as usize);
                let positions = deform::positions(model, node, primitive, posed.vertex_pose(), vertices);
                positions.into_iter().for_each(|position| bounds.add(position));
            }
        }
    }
}

/// The vertices that each primitive uses, without the copies that loading has made.
fn used_vertices(mesh: &Mesh) -> Vec<Vec<u32>> {
    let used = |primitive: &Primitive| {
        let mut used: Vec<u32> = primitive.indices.iter().map(|&vertex| primitive.source_vertex(vertex)).collect();
        used.sort_unstable();
        used.dedup();
        used
    };
    mesh.primitives.iter().map(used).collect()
}

/// Measures the bounds at these times, in seconds of A. The inner result is `None` if there are no such meshes. The outer result is `None`
/// if `keep_going` returns false before the end.
pub fn measure(
    sides: &Sides,
    map: &TimeMap,
    meshes: &DifferingMeshes,
    times: &[f64],
    keep_going: &dyn Fn() -> bool,
) -> Option<Option<BoundsError>> {
    let Some(first) = meshes.pairs.first() else { return Some(None) };
    let mut error = BoundsError { distance_max: 0.0, node: first.a, time: 0.0 };
    let (model_a, model_b) = (sides.a.rig.model, sides.b.rig.model);
    let (mut posed_a, mut posed_b) = (sides.a.rig.posed(), sides.b.rig.posed());
    let (view_a, view_b) = (sides.a.view(), sides.b.view());
    for &time in times {
        pose::pose(model_a, &view_a, time, Roots::default(), &mut posed_a);
        pose::pose(model_b, &view_b, map.pose_time_of_b(time), Roots::default(), &mut posed_b);
        for pair in &meshes.pairs {
            if !keep_going() {
                return None;
            }
            let [mut a, mut b] = [Bounds::EMPTY; 2];
            meshes.vertices[0].add_to(&mut a, model_a, pair.a, &posed_a);
            pair.b.iter().for_each(|&node| meshes.vertices[1].add_to(&mut b, model_b, node, &posed_b));
            let distance = distance(&a, &b);
            if distance > error.distance_max {
                error = BoundsError { distance_max: distance, node: pair.a, time };
            }
        }
    }
    Some(Some(error))
}

/// The largest distance between the same side of two boxes. Infinite if only one of them is empty.
fn distance(a: &Bounds, b: &Bounds) -> f64 {
    match (a.is_empty(), b.is_empty()) {
        (true, true) => 0.0,
        (false, false) => [a.min - b.min, a.max - b.max].map(DVec3::abs).map(DVec3::max_element).into_iter().fold(0.0, f64::max),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_of_bounds_is_that_of_the_side_that_moved_farthest() {
        let bounds = |min: [f64; 3], max: [f64; 3]| Bounds { min: min.into(), max: max.into() };
        let unit = bounds([0.0; 3], [1.0; 3]);
        for (other, expected) in [
            (unit, 0.0),
            (bounds([0.0, -0.25, 0.0], [1.0, 1.5, 1.0]), 0.5),
            (bounds([-3.0, 0.0, 0.0], [1.0; 3]), 3.0),
            (Bounds::EMPTY, f64::INFINITY),
        ] {
            assert_eq!([distance(&unit, &other), distance(&other, &unit)], [expected; 2], "{other:?}");
        }
        assert_eq!(distance(&Bounds::EMPTY, &Bounds::EMPTY), 0.0);
    }
}
