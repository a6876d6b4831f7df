//! Simplifies triangle lists, for moving pictures on software rasterizers: these spend most of their time on vertices and triangles if a
//! model has many. The vertices of a mesh are clustered on a grid of cubic cells (Rossignac and Borrel 1993, "Multi-resolution 3D
//! approximations for rendering complex scenes"). One vertex of each cluster replaces the others, and triangles that collapse are left out.
//! The lists refer to the vertices of the full mesh, so skinning, morph targets and textures need no other data.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use crate::model::Model;
use crate::model::mesh::{Mesh, Primitive, Topology};
use crate::model::node::Node;

/// Smallest number of triangles of a model that is worth simplifying. Software rasterizers draw fewer triangles fast enough.
const MIN_TRIANGLES: usize = 50_000;
/// Approximate number of triangles of a simplified model.
const TARGET_TRIANGLES: usize = 100_000;
/// Largest number of triangles of a simplified model, relative to the full one. It decides for models with fewer than 300,000 triangles.
const MAX_TRIANGLE_RATIO: f64 = 1.0 / 3.0;
/// Smallest number of triangles that a mesh is simplified to. With fewer, it would not be recognizable.
const MIN_MESH_TRIANGLES: usize = 1000;
/// Simplified lists are used if the mesh has at least this number of times as many triangles.
const MIN_REDUCTION: usize = 2;
/// Smallest area of a simplified primitive, relative to the full one. Primitives of small separate parts, such as leaves, lose more and are
/// drawn in full.
const MIN_AREA_RATIO: f64 = 0.8;

/// Triangle lists by mesh and primitive. `None` if the primitive is not simplified. The indices refer to the full primitive's vertices.
pub type SimplifiedLists = Vec<Vec<Option<Vec<u32>>>>;

/// Returns whether a model has so many triangles that simplifying it is worthwhile.
pub fn is_worthwhile(model: &Model) -> bool {
    drawn_triangles(model) >= MIN_TRIANGLES
}

/// Returns the number of triangles of all nodes together, with all their instances.
fn drawn_triangles(model: &Model) -> usize {
    let triangles: Vec<usize> = model.meshes.iter().map(mesh_triangles).collect();
    let of_node = |node: &Node| Some(triangles.get(node.mesh?)?.saturating_mul(node.instances.len().max(1)));
    model.nodes.iter().filter_map(of_node).fold(0, usize::saturating_add)
}

fn mesh_triangles(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(Primitive::triangle_count).sum()
}

/// Simplifies the meshes of a model to about [`TARGET_TRIANGLES`], or to [`MAX_TRIANGLE_RATIO`] of its triangles if these are fewer. All
/// meshes are simplified by the same factor, but none below [`MIN_MESH_TRIANGLES`]. Asks before each mesh whether to cancel, and returns
/// `None` if so.
pub fn simplified_lists(model: &Model, is_canceled: impl Fn() -> bool) -> Option<SimplifiedLists> {
    let factor = (TARGET_TRIANGLES as f64 / drawn_triangles(model).max(1) as f64).min(MAX_TRIANGLE_RATIO);
    let target = |mesh: &Mesh| ((mesh_triangles(mesh) as f64 * factor) as usize).max(MIN_MESH_TRIANGLES);
    model.meshes.iter().map(|mesh| (!is_canceled()).then(|| simplified_mesh(mesh, target(mesh)))).collect()
}

/// Simplifies the primitives of a mesh to about `target` triangles together.
fn simplified_mesh(mesh: &Mesh, target: usize) -> Vec<Option<Vec<u32>>> {
    let full = vec![None; mesh.primitives.len()];
    let count = mesh_triangles(mesh);
    // Meshes of a file can share vertices of which each uses only a few. Going through all vertices for each mesh would take too long.
    let Some(joined) = JoinedVertices::new(mesh, 3 * count) else { return full };
    let Some(grid) = Grid::new(&joined, target) else { return full };
    let representatives = representatives(&joined, &grid);
    let moved = |corners: &[u32; 3]| corners.map(|vertex| representatives[vertex as usize]);
    let lists = joined.triangles.iter().zip(&joined.starts).map(|(triangles, start)| {
        let remaining: Vec<[u32; 3]> = triangles.iter().map(moved).filter(|[a, b, c]| a != b && b != c && c != a).collect();
        let is_similar = joined.area(&remaining) >= joined.area(triangles) * MIN_AREA_RATIO;
        is_similar.then(|| remaining.as_flattened().iter().map(|vertex| vertex - start).collect::<Vec<_>>()).filter(|list| !list.is_empty())
    });
    let lists: Vec<_> = lists.collect();
    let sizes =
        mesh.primitives.iter().zip(&lists).map(|(primitive, list)| list.as_ref().map_or(primitive.triangle_count(), |list| list.len() / 3));
    if sizes.sum::<usize>() * MIN_REDUCTION <= count { lists } else { full }
}

/// The vertices and triangles of all primitives of a mesh. Primitives with the same vertices share them.
struct JoinedVertices {
    positions: Vec<Vec3>,
    /// Where the vertices of each primitive start.
    starts: Vec<u32>,
    /// The triangles of each primitive, as indices of `positions`. Empty for points and lines.
    triangles: Vec<Vec<[u32; 3]>>,
}

impl JoinedVertices {
    /// Joins the primitives of a mesh. Returns `None` if there are more than `max_count` vertices.
    fn new(mesh: &Mesh, max_count: usize) -> Option<Self> {
        let (mut joined, mut known) = (Self { positions: Vec::new(), starts: Vec::new(), triangles: Vec::new() }, HashMap::new());
        for Primitive { vertices, topology, indices, .. } in &mesh.primitives {
            let start = *known.entry(Arc::as_ptr(vertices)).or_insert(joined.positions.len() as u32);
            if start as usize == joined.positions.len() {
                if joined.positions.len() + vertices.positions.len() > max_count {
                    return None;
                }
                joined.positions.extend_from_slice(&vertices.positions);
            }
            joined.starts.push(start);
            let triangles = if *topology == Topology::Triangles { indices.as_chunks::<3>().0 } else { &[] };
            joined.triangles.push(triangles.iter().map(|corners| corners.map(|vertex| vertex + start)).collect());
        }
        Some(joined)
    }

    /// Returns the area of a triangle. 0 if it is not finite.
    fn triangle_area(&self, corners: &[u32; 3]) -> f64 {
        let [a, b, c] = corners.map(|vertex| self.positions[vertex as usize].as_dvec3());
        let area = (b - a).cross(c - a).length() / 2.0;
        if area.is_finite() { area } else { 0.0 }
    }

    /// Returns the area of triangles together.
    fn area(&self, triangles: &[[u32; 3]]) -> f64 {
        triangles.iter().map(|corners| self.triangle_area(corners)).sum()
    }

    /// Returns the bits of a vertex's position. They are equal for equal positions.
    fn position_bits(&self, vertex: u32) -> [u32; 3] {
        // Adding zero turns -0 into 0.
        (self.positions[vertex as usize] + 0.0).to_array().map(f32::to_bits)
    }

    /// Lists the vertices in an order in which those with the same position are neighbors.
    fn sorted_by_position(&self) -> Vec<u32> {
        let mut sorted: Vec<u32> = (0..self.positions.len() as u32).collect();
        sorted.sort_unstable_by_key(|&vertex| (self.position_bits(vertex), vertex));
        sorted
    }
}

/// The grid on which vertices are clustered.
struct Grid {
    /// Side of a cell, in the units of the positions.
    side: f32,
}

impl Grid {
    /// Chooses the side of the cells so that about `target` triangles remain. Returns `None` if the triangles have no area.
    fn new(joined: &JoinedVertices, target: usize) -> Option<Self> {
        // A surface in a random orientation crosses 1.5 cells per area of a cell's face. A cell has one vertex, and a mesh has about twice
        // as many triangles as vertices.
        let side = |area: f64| (3.0 * area / target as f64).sqrt();
        let areas = || joined.triangles.iter().flatten().map(|corners| joined.triangle_area(corners));
        let coarse = side(areas().sum());
        // Triangles that are larger than a cell remain anyway, so they do not count. Otherwise the cells of a character that stands on a
        // large ground would be too large.
        let side = side(areas().filter(|&area| area <= coarse * coarse).sum()) as f32;
        side.is_normal().then_some(Self { side })
    }

    /// Returns the cell of a position. Cells far from the origin, compared with their side, are merged.
    fn cell(&self, position: Vec3) -> [i32; 3] {
        // Casts to `i32` saturate, and NaN becomes 0.
        (position / self.side).floor().to_array().map(|coordinate| coordinate as i32)
    }

    /// Returns the squared distance of a position from the center of its cell.
    fn distance_from_center(&self, position: Vec3) -> f32 {
        let scaled = position / self.side;
        (scaled - scaled.floor() - 0.5).length_squared()
    }
}

/// Returns, for each vertex, the vertex that replaces it. A cluster consists of the vertices of a cell that are connected inside the cell,
/// so surfaces that pass through the same cell are not merged. Vertices of a primitive with the same position are connected, also if they
/// differ in other attributes, as along seams. A vertex of such a cluster is replaced by a copy with attributes of its own side if there is
/// one. Between primitives, the vertices of the border replace all others, so that the border stays closed.
fn representatives(joined: &JoinedVertices, grid: &Grid) -> Vec<u32> {
    let count = joined.positions.len() as u32;
    let cells: Vec<[i32; 3]> = joined.positions.iter().map(|&position| grid.cell(position)).collect();
    let mut sides = Clusters { parents: (0..count).collect() };
    for &[a, b, c] in joined.triangles.iter().flatten() {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            if cells[from as usize] == cells[to as usize] {
                sides.join(from, to);
            }
        }
    }
    let mut clusters = Clusters { parents: sides.parents.clone() };
    let mut copies = vec![1; count as usize];
    let mut starts = joined.starts.clone();
    starts.sort_unstable();
    // The vertices of a primitive lie between two starts.
    let primitive = |vertex: u32| starts.partition_point(|&start| start <= vertex);
    for same in
        joined.sorted_by_position().chunk_by(|&a, &b| joined.position_bits(a) == joined.position_bits(b)).filter(|same| same.len() > 1)
    {
        for pair in same.windows(2).filter(|pair| primitive(pair[0]) == primitive(pair[1])) {
            clusters.join(pair[0], pair[1]);
        }
        same.iter().for_each(|&vertex| copies[vertex as usize] = same.len() as u32);
    }
    // The vertex of a cluster that has most copies, then the nearest to the center of the cell. The position decides between equals, so
    // that all primitives at a border choose the same one.
    let rank = |vertex: u32| {
        (Reverse(copies[vertex as usize]), grid.distance_from_center(joined.positions[vertex as usize]), joined.position_bits(vertex))
    };
    let mut nearest: Vec<u32> = (0..count).collect();
    for vertex in 0..count {
        let root = clusters.root(vertex) as usize;
        if rank(vertex) < rank(nearest[root]) {
            nearest[root] = vertex;
        }
    }
    let mut own_copies: Vec<Option<u32>> = vec![None; count as usize];
    for vertex in 0..count {
        let nearest = nearest[clusters.root(vertex) as usize];
        if joined.position_bits(vertex) == joined.position_bits(nearest) {
            own_copies[sides.root(vertex) as usize].get_or_insert(vertex);
        }
    }
    (0..count).map(|vertex| own_copies[sides.root(vertex) as usize].unwrap_or(nearest[clusters.root(vertex) as usize])).collect()
}

/// Disjoint sets of vertices.
struct Clusters {
    /// The parent of each vertex in the tree of its cluster. The root is its own parent.
    parents: Vec<u32>,
}

impl Clusters {
    /// Returns the root of a vertex's cluster, and shortens the path to it.
    fn root(&mut self, mut vertex: u32) -> u32 {
        loop {
            let parent = self.parents[vertex as usize];
            if parent == vertex {
                return vertex;
            }
            self.parents[vertex as usize] = self.parents[parent as usize];
            vertex = parent;
        }
    }

    /// Joins the clusters of two vertices.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
#[path = "../../../tests/common/sphere.rs"]
mod generator;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::generator::{grid_indices, sphere_positions};
    use super::*;
    use crate::model::mesh::Vertices;

    /// A model with one node, which shows these primitives.
    fn model(primitives: Vec<Primitive>) -> Model {
        let meshes = vec![Mesh { primitives, ..Mesh::default() }];
        Model { meshes, nodes: vec![Node { mesh: Some(0), ..Node::default() }], ..Model::default() }
    }

    fn primitive(positions: Vec<Vec3>, indices: Vec<u32>) -> Primitive {
        Primitive { vertices: Vertices { positions, ..Vertices::default() }.into(), indices, ..Primitive::default() }
    }

    /// A sphere of radius 1, with a seam from pole to pole: the first and the last column have the same positions.
    fn sphere(rows: u32, columns: u32) -> Primitive {
        primitive(sphere_positions(rows, columns), grid_indices(rows, columns))
    }

    /// The positions of the corners of all remaining triangles.
    fn triangles(model: &Model) -> Vec<[Vec3; 3]> {
        let lists = simplified_lists(model, || false).unwrap();
        let primitives = model.meshes[0].primitives.iter().zip(&lists[0]);
        let remaining = primitives.flat_map(|(primitive, list)| {
            let indices = list.as_ref().expect("the mesh is simplified").as_chunks::<3>().0;
            indices.iter().map(|corners| corners.map(|vertex| primitive.vertices.positions[vertex as usize] + 0.0))
        });
        remaining.collect()
    }

    /// Whether each edge belongs to as many triangles in one direction as in the other.
    fn is_closed(triangles: &[[Vec3; 3]]) -> bool {
        let mut edges: HashMap<[[u32; 3]; 2], i32> = HashMap::new();
        for &[a, b, c] in triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let [from, to] = [from, to].map(|position| position.to_array().map(f32::to_bits));
                *edges.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
            }
        }
        edges.retain(|[from, to], _| from != to);
        edges.values().all(|count| *count == 0)
    }

    #[test]
    fn a_sphere_with_a_seam_keeps_its_shape_and_stays_closed() {
        let model = model(vec![sphere(400, 601)]);
        assert!(is_worthwhile(&model), "478,800 triangles");
        let triangles = triangles(&model);
        assert!((TARGET_TRIANGLES / 2..TARGET_TRIANGLES * 3 / 2).contains(&triangles.len()), "{}", triangles.len());
        assert!(is_closed(&triangles));
        let volume: f64 = triangles.iter().map(|corners| corners.map(Vec3::as_dvec3)).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
        let expected = 4.0 / 3.0 * std::f64::consts::PI;
        assert!((volume.abs() - expected).abs() < 0.005 * expected, "{volume}");
    }

    #[test]
    fn a_model_of_medium_size_keeps_about_a_third_of_its_triangles() {
        let model = model(vec![sphere(200, 201)]);
        let full = model.meshes[0].primitives[0].triangle_count();
        assert!(is_worthwhile(&model) && full < TARGET_TRIANGLES, "{full}");
        let count = triangles(&model).len();
        assert!((full / 4..full * 5 / 12).contains(&count), "{count} of {full}");
    }

    #[test]
    fn a_border_between_primitives_stays_closed() {
        // Two halves of a sphere, each with vertices of its own.
        let whole = sphere(401, 601);
        let half = |triangles: &[u32]| primitive(whole.vertices.positions.clone(), triangles.to_vec());
        let (north, south) = whole.indices.split_at(whole.indices.len() / 2);
        let used = |half: Primitive| {
            let first = *half.indices.iter().min().expect("triangles") as usize;
            let last = *half.indices.iter().max().expect("triangles") as usize;
            let indices = half.indices.iter().map(|vertex| vertex - first as u32).collect();
            primitive(half.vertices.positions[first..=last].to_vec(), indices)
        };
        assert!(is_closed(&triangles(&model(vec![used(half(north)), used(half(south))]))));
    }

    #[test]
    fn sheets_in_the_same_cells_are_not_merged() {
        let side = 400;
        let sheet = |height: f32| {
            let point = |i: u32| Vec3::new((i / side) as f32, height, (i % side) as f32);
            primitive((0..side * side).map(point).collect(), grid_indices(side, side))
        };
        let triangles = triangles(&model(vec![sheet(0.2), sheet(0.3)]));
        for corners in &triangles {
            assert!(corners.iter().all(|corner| corner.y == corners[0].y), "{corners:?}");
        }
        let [lower, upper] = [0.2, 0.3].map(|height| triangles.iter().filter(|corners| corners[0].y == height).count());
        assert_eq!(lower, upper);
        assert!(lower > TARGET_TRIANGLES / 4, "{lower}");
    }

    #[test]
    fn each_instance_counts_and_no_mesh_becomes_unrecognizable() {
        let mut model = model(vec![sphere(80, 121)]);
        assert!(!is_worthwhile(&model), "18,960 triangles");
        model.nodes[0].instances = vec![glam::Affine3A::IDENTITY; 1000];
        assert!(is_worthwhile(&model));
        let count = triangles(&model).len();
        assert!((MIN_MESH_TRIANGLES / 2..MIN_MESH_TRIANGLES * 3 / 2).contains(&count), "{count}");
    }

    #[test]
    fn triangles_without_shared_vertices_stay_closed() {
        let smooth = sphere(400, 601);
        let positions: Vec<Vec3> = smooth.indices.iter().map(|&vertex| smooth.vertices.positions[vertex as usize]).collect();
        let indices = (0..positions.len() as u32).collect();
        let triangles = triangles(&model(vec![primitive(positions, indices)]));
        assert!((TARGET_TRIANGLES / 2..TARGET_TRIANGLES * 3 / 2).contains(&triangles.len()), "{}", triangles.len());
        assert!(is_closed(&triangles));
    }

    #[test]
    fn a_large_ground_does_not_make_a_character_vanish() {
        let corners = [(-1e3, -1e3), (1e3, -1e3), (1e3, 1e3), (-1e3, 1e3)];
        let ground = primitive(corners.map(|(x, z)| Vec3::new(x, -1.0, z)).to_vec(), vec![0, 2, 1, 0, 3, 2]);
        let lists = simplified_lists(&model(vec![sphere(400, 601), ground]), || false).unwrap();
        let triangles = lists[0][0].as_ref().expect("the sphere is simplified").len() / 3;
        assert!((TARGET_TRIANGLES / 2..TARGET_TRIANGLES * 3 / 2).contains(&triangles), "{triangles}");
        assert_eq!(lists[0][1].as_deref(), Some(&[0, 2, 1, 0, 3, 2][..]));
    }

    #[test]
    fn small_separate_parts_are_drawn_in_full() {
        let quad = |i: u32| {
            let at = Vec3::new((i / 400) as f32, 0.0, (i % 400) as f32);
            [(0.0, 0.0), (0.01, 0.0), (0.0, 0.01), (0.01, 0.01)].map(|(x, z)| at + Vec3::new(x, 0.0, z))
        };
        let positions = (0..160_000).flat_map(quad).collect();
        let indices = (0..160_000).flat_map(|i| [0, 1, 2, 2, 1, 3].map(|corner| 4 * i + corner)).collect();
        let model = model(vec![primitive(positions, indices)]);
        assert!(is_worthwhile(&model));
        assert_eq!(simplified_lists(&model, || false).unwrap(), [[None]]);
    }

    #[test]
    fn degenerate_and_not_finite_triangles_are_drawn_in_full() {
        for position in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY, Vec3::MAX] {
            let model = model(vec![primitive(vec![position; 1000], (0..300_000 * 3).map(|i| i % 1000).collect())]);
            assert_eq!(simplified_lists(&model, || false).unwrap(), [[None]], "{position}");
        }
    }

    #[test]
    fn vertices_that_many_meshes_share_are_not_read_for_each_of_them() {
        let primitive = Primitive { indices: vec![0, 5000, 9000], ..sphere(1000, 1001) };
        assert!(JoinedVertices::new(&Mesh { primitives: vec![primitive], ..Mesh::default() }, 3).is_none());
    }

    #[test]
    fn a_mesh_that_uses_few_of_its_vertices_is_drawn_in_full() {
        let whole = sphere(400, 601);
        let indices = &whole.indices[600_000..660_000];
        let (first, last) = (*indices.iter().min().expect("indices"), *indices.iter().max().expect("indices"));
        let own_positions = whole.vertices.positions[first as usize..=last as usize].to_vec();
        let lists = |primitive: Primitive| {
            let mut model = model(vec![primitive]);
            model.nodes[0].instances = vec![glam::Affine3A::IDENTITY; 100];
            simplified_lists(&model, || false).unwrap()
        };
        let own = primitive(own_positions, indices.iter().map(|vertex| vertex - first).collect());
        assert!(lists(own)[0][0].is_some(), "the same triangles, alone, are simplified");
        assert_eq!(lists(Primitive { vertices: whole.vertices, indices: indices.to_vec(), ..Primitive::default() }), [[None]]);
    }
}
