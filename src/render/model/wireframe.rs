//! Computes a corner number for each vertex, from which wireframe.wgsl derives the distance of a fragment to the edges of its triangle.
//! The numbers take four bytes per vertex and are created when the wireframe of a model is first drawn. They do not change the index
//! buffers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::mesh::{Topology, Vertices};
use crate::render::actor::Actor;
use crate::render::buffers::staged_upload::StagedUpload;
use crate::render::device::gpu::Gpu;

use super::geometry::GpuVertices;

/// Attribute of vertex buffer 3.
pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![8 => Uint32];

/// Number of different corner numbers. Keep in sync with wireframe.wgsl, which has one weight per number.
const NUMBER_COUNT: u32 = 8;
/// Marks a vertex without a number.
const UNASSIGNED: u8 = u8::MAX;

/// Creates the missing corner numbers of the actors' models.
pub(crate) fn prepare(gpu: &Gpu, actors: &[Actor]) {
    for actor in actors {
        // Primitives that share vertices also share corner numbers, so all triangles of these primitives are considered together.
        let mut shared: HashMap<*const Vertices, (&GpuVertices, usize, Vec<&[u32]>)> = HashMap::new();
        let uploaded = actor.gpu.meshes.primitives();
        for (primitive, uploaded) in actor.model.primitives().zip(uploaded) {
            if primitive.topology == Topology::Triangles && uploaded.vertices.corners.get().is_none() {
                let (vertices, count) = (&uploaded.vertices, primitive.vertices.positions.len());
                let entry = shared.entry(Arc::as_ptr(&primitive.vertices)).or_insert_with(|| (vertices, count, Vec::new()));
                entry.2.push(&primitive.indices);
            }
        }
        let mut staging = StagedUpload::new(gpu);
        for (vertices, count, lists) in shared.into_values() {
            let numbers = corner_numbers(count, &lists);
            let buffer = || staging.buffer("corners", wgpu::BufferUsages::VERTEX, count, |v| u32::from(numbers[v]));
            vertices.corners.get_or_init(buffer);
        }
    }
}

/// Assigns each of `count` vertices a number below 8, such that the numbers of a triangle's corners differ. This is greedy coloring: each
/// vertex takes the smallest number that no neighbor has. If the neighbors use all eight numbers, the vertex also takes 7, and one edge is
/// not drawn.
fn corner_numbers(count: usize, lists: &[&[u32]]) -> Vec<u8> {
    let triangles = || lists.iter().flat_map(|list| list.as_chunks::<3>().0);
    // Start of each vertex's list of triangles, followed by the end of the last list.
    let mut starts = vec![0u32; count + 1];
    for corner in triangles().flatten() {
        starts[*corner as usize + 1] += 1;
    }
    for vertex in 0..count {
        starts[vertex + 1] += starts[vertex];
    }
    // The other two corners of each triangle at a vertex, vertex by vertex.
    let mut neighbors = vec![[0u32; 2]; starts[count] as usize];
    let mut next = starts.clone();
    for &[a, b, c] in triangles() {
        for (corner, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
            let slot = &mut next[corner as usize];
            neighbors[*slot as usize] = others;
            *slot += 1;
        }
    }
    let mut numbers = vec![UNASSIGNED; count];
    for vertex in 0..count {
        let others = neighbors[starts[vertex] as usize..starts[vertex + 1] as usize].iter().flatten();
        let taken =
            others.map(|&other| numbers[other as usize]).filter(|&number| number != UNASSIGNED).fold(0u8, |taken, n| taken | 1 << n);
        numbers[vertex] = taken.trailing_ones().min(NUMBER_COUNT - 1) as u8;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::corner_numbers;

    #[test]
    fn the_corners_of_every_triangle_have_different_numbers() {
        // A board of quads, a fan around its first vertex, and a tetrahedron whose corners are all neighbors.
        let side = 20u32;
        let quads = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
        let mut indices: Vec<u32> = quads.flat_map(|v| [v, v + side, v + 1, v + 1, v + side, v + side + 1]).collect();
        let count = side * side;
        indices.extend((count..count + 50).flat_map(|v| [0, v, v + 1]));
        let first = count + 51;
        indices.extend([0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2].map(|corner| first + corner));
        // Split the indices into two lists, as if two primitives shared the vertices.
        let (a, b) = indices.split_at(600);
        let numbers = corner_numbers(first as usize + 4, &[a, b]);
        for triangle in indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| numbers[triangle[i] as usize]);
            assert!(a != b && b != c && c != a && a.max(b).max(c) < 8, "{triangle:?}: {a} {b} {c}");
        }
    }
}
