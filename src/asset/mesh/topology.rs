//! Converts strips, fans and loops to lists of points, lines and triangles (glTF 2.0, 3.7.2.1), the only topologies of the model.

use gltf::json::mesh::Mode;

use crate::model::mesh::Topology;

/// The number of vertices, out of `count`, that do not complete a line or triangle.
pub fn excess(mode: Mode, count: usize) -> usize {
    match mode {
        Mode::Points => 0,
        Mode::Lines => count % 2,
        Mode::Triangles => count % 3,
        Mode::LineLoop | Mode::LineStrip => {
            if count < 2 {
                count
            } else {
                0
            }
        }
        Mode::TriangleStrip | Mode::TriangleFan => {
            if count < 3 {
                count
            } else {
                0
            }
        }
    }
}

/// Converts vertices to a list of points, lines or triangles, with one, two or three vertices each. The order of the vertices is the
/// specification's, so that triangles keep their front side.
pub fn expand(mode: Mode, mut vertices: Vec<u32>) -> (Topology, Vec<u32>) {
    vertices.truncate(vertices.len() - excess(mode, vertices.len()));
    let v = &vertices;
    match mode {
        Mode::Points => (Topology::Points, vertices),
        Mode::Lines => (Topology::Lines, vertices),
        Mode::Triangles => (Topology::Triangles, vertices),
        Mode::LineStrip => (Topology::Lines, v.windows(2).flatten().copied().collect()),
        Mode::LineLoop => {
            let closing = [v.last(), v.first()].into_iter().flatten();
            (Topology::Lines, v.windows(2).flatten().chain(closing).copied().collect())
        }
        // Every other triangle would face the wrong way, so its last two vertices are swapped.
        Mode::TriangleStrip => {
            let triangle = |(i, w): (usize, &[u32])| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[0], w[2], w[1]] };
            (Topology::Triangles, v.windows(3).enumerate().flat_map(triangle).collect())
        }
        Mode::TriangleFan => {
            // The specification's order: the hub is the last vertex of each triangle.
            let hub = v.first().copied().unwrap_or_default();
            (Topology::Triangles, v.get(1..).unwrap_or_default().windows(2).flat_map(|w| [w[0], w[1], hub]).collect())
        }
    }
}
