//! Generates tangents with MikkTSpace, as the specification asks for where a normal texture needs them
//! (glTF 2.0, 3.7.2.1). The algorithm works on triangle corners: a vertex whose corners get different tangents is split.

use std::collections::HashMap;
use std::sync::Arc;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec3, Vec4};

use crate::asset::accessor::{AccessorRequest, Reader};
use crate::asset::error::Problem;
use crate::model::mesh::{Primitive, Topology, Vertices};

/// The triangles in the form that the algorithm reads, and the tangent of each corner. A face is a triangle.
struct Corners<'a> {
    primitive: &'a Primitive,
    /// The set of texture coordinates in the vertices: 0 or 1.
    tex_coord: usize,
    /// The result: xyz is the direction, w the sign of the bitangent. Indexed like `indices`.
    tangents: Vec<Vec4>,
}

impl Corners<'_> {
    /// The vertex at a corner of a triangle.
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.primitive.indices[face * 3 + corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.primitive.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.primitive.vertices.positions[self.vertex(face, corner)].to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.primitive.vertices.normals[self.vertex(face, corner)].to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.primitive.vertices.tex_coords[self.tex_coord][self.vertex(face, corner)].to_array()
    }

    /// Stores the tangent of a corner. A face without area gets any direction.
    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let [x, y, z, sign] = space.unwrap_or_default().tangent_encoded();
        let direction = Vec3::new(x, y, z);
        let direction = if direction.is_finite() { direction.normalize_or(Vec3::X) } else { Vec3::X };
        // v of glTF points down the image, but green of its normal textures points up.
        self.tangents[face * 3 + corner] = direction.extend(-sign);
    }
}

/// Gives the primitive tangents along `tex_coord` (0 or 1), if it has none but has normals and these texture coordinates.
/// Vertices that need several tangents are copied to the end of every array. Errors if the copies exceed the memory limit.
pub fn generate(reader: &mut Reader, primitive: &mut Primitive, tex_coord: usize) -> Result<(), Problem> {
    let uses =
        primitive.topology == Topology::Triangles && primitive.vertices.tangents.is_empty() && !primitive.vertices.normals.is_empty();
    if !uses || primitive.vertices.tex_coords[tex_coord].is_empty() {
        return Ok(());
    }
    let mut corners = Corners { tangents: vec![Vec4::X; primitive.indices.len()], primitive, tex_coord };
    // It cannot fail: the error type has no variants.
    let _ = generate_tangents(&mut corners);
    let tangents = corners.tangents;
    split(reader, primitive, &tangents)
}

/// Gives each vertex its tangent. `corners` has one per index; indices of corners with other tangents lead to copies.
fn split(reader: &mut Reader, primitive: &mut Primitive, corners: &[Vec4]) -> Result<(), Problem> {
    let count = primitive.vertices.positions.len();
    // The tangent of each vertex, copies included. The first corner decides about the original.
    let mut tangents: Vec<Option<Vec4>> = vec![None; count];
    // Copies by vertex and tangent, so that equal corners share one.
    let mut copies: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
    let mut originals = Vec::new();
    for (index, &tangent) in primitive.indices.iter_mut().zip(corners) {
        let first = *tangents[*index as usize].get_or_insert(tangent);
        if first == tangent {
            continue;
        }
        let original = *index;
        *index = *copies.entry((original, tangent.to_array().map(f32::to_bits))).or_insert_with(|| {
            originals.push(original as usize);
            tangents.push(Some(tangent));
            (tangents.len() - 1) as u32
        });
    }
    // Bytes of a vertex with all its attributes; those of a copy are charged like read ones.
    let vertex_bytes = 64 + primitive.vertices.influences.sets * 24 + primitive.vertices.targets.len() * 36;
    let charged = reader.charge((originals.len() * vertex_bytes) as u64);
    charged.map_err(|problem| AccessorRequest { role: "generated TANGENT", accessor: 0 }.problem(problem))?;
    let vertices = Arc::make_mut(&mut primitive.vertices);
    vertices.tangents = tangents.into_iter().map(|tangent| tangent.unwrap_or(Vec4::X)).collect();
    copy_vertices(vertices, &originals);
    Ok(())
}

/// Appends copies of vertices to every array except the tangents. Targets have no tangents of their own, because the primitive
/// had none when they were read.
fn copy_vertices(vertices: &mut Vertices, originals: &[usize]) {
    fn copy<T: Copy>(attribute: &mut Vec<T>, originals: &[usize]) {
        if !attribute.is_empty() {
            attribute.reserve_exact(originals.len());
            for &original in originals {
                attribute.push(attribute[original]);
            }
        }
    }
    copy(&mut vertices.positions, originals);
    copy(&mut vertices.normals, originals);
    copy(&mut vertices.colors, originals);
    vertices.tex_coords.iter_mut().for_each(|tex_coords| copy(tex_coords, originals));
    for target in &mut vertices.targets {
        copy(&mut target.positions, originals);
        copy(&mut target.normals, originals);
    }
    let sets = vertices.influences.sets;
    for &original in originals {
        vertices.influences.joints.extend_from_within(original * sets..(original + 1) * sets);
        vertices.influences.weights.extend_from_within(original * sets..(original + 1) * sets);
    }
}
