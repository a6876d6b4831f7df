//! Uses MikkTSpace to generate the tangents that a normal texture needs, as the specification recommends (glTF 2.0, 3.7.2.1). The algorithm
//! works on triangle corners. If the corners at a vertex get different tangents, the vertex is split. MikkTSpace compares all corners at a
//! vertex with each other, so tangents are averaged instead if very many triangles meet at one vertex, or at all vertices of the file.

use std::collections::HashMap;
use std::sync::Arc;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{DVec2, Mat2, Vec2, Vec3, Vec4};
use gltf::json::mesh::Semantic;

use crate::asset::accessor::{AccessorRequest, Reader};
use crate::asset::error::{At, LoadError, Location};
use crate::asset::file::progress::Progress;
use crate::model::material::Material;
use crate::model::mesh::{Mesh, MorphTarget, Primitive, Topology, Vertices};
use crate::model::texture::TextureTransform;
use crate::numbers::grouped;

use super::attribute::attribute;

/// Maximum number of triangle corners at one position with equal normals and texture coordinates. MikkTSpace calls itself once for each of
/// them, and its time grows with the square of their number.
const MAX_CORNERS_PER_VERTEX: usize = 500;

/// Maximum number of comparisons of corners in a file, at vertices with more than `USUAL_CORNERS_PER_VERTEX`. A small file could otherwise
/// make MikkTSpace run for hours, because primitives that share vertices can turn their textures differently.
const MAX_COMPARISONS: u64 = 100_000_000;

/// For vertices with at most this number of corners, MikkTSpace takes little time. Most vertices have about six.
const USUAL_CORNERS_PER_VERTEX: usize = 32;

/// The texture coordinates that tangents follow.
#[derive(Debug, Clone, Copy)]
struct TangentTexCoord {
    /// The set in the vertices: 0 or 1.
    set: usize,
    /// Turns and mirrors the coordinates.
    transform: Mat2,
}

impl TangentTexCoord {
    /// The coordinates of a set, with the part of KHR_texture_transform that changes tangents: the direction of v, which is the second row
    /// of the matrix, and the sign of the determinant. Without a rotation, all positive scales therefore give the identity. A transform
    /// without area, which an animation may change, is left out.
    fn new(set: usize, TextureTransform { rotation, scale, .. }: TextureTransform) -> Self {
        let scale = scale.as_dvec2();
        let determinant = scale.x * scale.y;
        if determinant == 0.0 {
            return Self { set, transform: Mat2::IDENTITY };
        }
        let (sin, cos) = f64::from(rotation).sin_cos();
        // Rounded, because a quarter turn is not exact.
        let v = (DVec2::new(-sin * scale.x, cos * scale.y).normalize() * 1e6).round() / 1e6;
        let u = DVec2::new(v.y, -v.x) * determinant.signum();
        // Adding 0 makes -0 and 0 equal.
        let column = |u: f64, v: f64| Vec2::new(u as f32, v as f32) + 0.0;
        Self { set, transform: Mat2::from_cols(column(u.x, v.x), column(u.y, v.y)) }
    }

    /// The transformed coordinates of a vertex.
    fn at(&self, vertices: &Vertices, vertex: usize) -> Vec2 {
        self.transform * vertices.tex_coords[self.set][vertex]
    }
}

/// The triangles of a primitive in the form that MikkTSpace reads, and the resulting tangents. A face is a triangle.
struct Corners<'a> {
    primitive: &'a Primitive,
    /// The first corner of each face. Triangles with two equal positions are left out: they are invisible, and MikkTSpace needs too much
    /// time for them.
    faces: Vec<usize>,
    tex_coord: TangentTexCoord,
    /// The tangent of each corner, in the order of the primitive's indices: xyz is the direction, w the sign of the bitangent. `None` for
    /// triangles that are left out.
    tangents: Vec<Option<Vec4>>,
}

impl<'a> Corners<'a> {
    /// Collects the triangles of a primitive.
    fn new(primitive: &'a Primitive, tex_coord: TangentTexCoord) -> Self {
        let position = |corner: usize| primitive.vertices.positions[primitive.indices[corner] as usize];
        let is_visible = |&first: &usize| {
            let [a, b, c] = [0, 1, 2].map(|corner| position(first + corner));
            a != b && b != c && c != a
        };
        let faces = (0..primitive.indices.len()).step_by(3).filter(is_visible).collect();
        Self { primitive, faces, tex_coord, tangents: vec![None; primitive.indices.len()] }
    }

    /// The vertex at a corner of a triangle.
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.primitive.indices[self.faces[face] + corner] as usize
    }

    /// The numbers of corners whose position, normal and texture coordinates are equal. MikkTSpace treats them as one vertex.
    fn corners_per_vertex(&self) -> Vec<usize> {
        let mut counts: HashMap<[u32; 8], usize> = HashMap::new();
        for (face, corner) in (0..self.faces.len()).flat_map(|face| [(face, 0), (face, 1), (face, 2)]) {
            let ([x, y, z], [nx, ny, nz]) = (self.position(face, corner), self.normal(face, corner));
            let [u, v] = self.tex_coord(face, corner);
            *counts.entry([x, y, z, nx, ny, nz, u, v].map(f32::to_bits)).or_default() += 1;
        }
        counts.into_values().collect()
    }

    /// Gives all corners at a vertex the average tangent of its triangles.
    fn average(&mut self) {
        let vertices = &self.primitive.vertices;
        // Sums of the directions of u and v.
        let mut sums = vec![[Vec3::ZERO; 2]; vertices.positions.len()];
        for face in 0..self.faces.len() {
            let corners = [0, 1, 2].map(|corner| self.vertex(face, corner));
            let [position, from_b, from_c] = corners.map(|vertex| vertices.positions[vertex]);
            let [tex_coord, uv_b, uv_c] = corners.map(|vertex| self.tex_coord.at(vertices, vertex));
            let (edges, uvs) = ([from_b - position, from_c - position], [uv_b - tex_coord, uv_c - tex_coord]);
            let sign = uvs[0].perp_dot(uvs[1]).signum();
            let u = (edges[0] * uvs[1].y - edges[1] * uvs[0].y).normalize_or_zero() * sign;
            let v = (edges[1] * uvs[0].x - edges[0] * uvs[1].x).normalize_or_zero() * sign;
            for vertex in corners {
                sums[vertex] = [sums[vertex][0] + u, sums[vertex][1] + v];
            }
        }
        for &first in &self.faces {
            for corner in first..first + 3 {
                let vertex = self.primitive.indices[corner] as usize;
                let (normal, [u, v]) = (vertices.normals[vertex], sums[vertex]);
                let direction = u.reject_from_normalized(normal).normalize_or(normal.any_orthonormal_vector());
                // In glTF, v points down the image, but the green channel of normal textures points up.
                let sign = if normal.cross(direction).dot(v) > 0.0 { -1.0 } else { 1.0 };
                self.tangents[corner] = Some(direction.extend(sign));
            }
        }
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.faces.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    // MikkTSpace and `corners_per_vertex` distinguish -0 from 0. Adding 0 makes them equal.
    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        (self.primitive.vertices.positions[self.vertex(face, corner)] + 0.0).to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        (self.primitive.vertices.normals[self.vertex(face, corner)] + 0.0).to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        (self.tex_coord.at(&self.primitive.vertices, self.vertex(face, corner)) + 0.0).to_array()
    }

    /// Stores the tangent of a corner. The tangents of a face without area have an arbitrary direction.
    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let [x, y, z, sign] = space.unwrap_or_default().tangent_encoded();
        let direction = Vec3::new(x, y, z);
        let direction = if direction.is_finite() { direction.normalize_or(Vec3::X) } else { Vec3::X };
        // In glTF, v points down the image, but the green channel of normal textures points up.
        self.tangents[self.faces[face] + corner] = Some(direction.extend(-sign));
    }
}

/// A primitive without tangents whose material needs them.
struct Untangented<'a> {
    primitive: &'a mut Primitive,
    /// The accessor of its positions, for messages.
    positions: usize,
    location: Location,
}

/// Generates tangents for the primitives whose materials need them, if they have normals and texture coordinates, but no tangents. Returns
/// an error if copied vertices exceed the memory limit.
pub fn generate(reader: &mut Reader, meshes: &mut [Mesh], materials: &[Material], progress: &Progress) -> Result<(), LoadError> {
    // Primitives with the same vertices and the same texture coordinates share the vertices with tangents, too.
    let mut groups: Vec<(TangentTexCoord, Vec<Untangented>)> = Vec::new();
    let mut group_indices: HashMap<(*const Vertices, usize, [u32; 4]), usize> = HashMap::new();
    for (index, mesh) in meshes.iter_mut().enumerate() {
        let location = Location::new("mesh", "meshes", index, mesh.name.as_deref());
        for primitive in &mut mesh.primitives {
            // Only a material with a normal texture, of the base or the clearcoat, or with anisotropy needs tangents.
            let tex_coord = primitive.materials().find_map(|material| materials[material].tangent_tex_coord());
            let Some((set, transform)) = tex_coord.filter(|&(set, _)| lacks_tangents(primitive, set)) else { continue };
            let tex_coord = TangentTexCoord::new(set, transform);
            let json = &reader.root.meshes[index].primitives[primitive.source];
            let Some(positions) = attribute(json, Semantic::Positions) else { continue };
            let key = (Arc::as_ptr(&primitive.vertices), set, tex_coord.transform.to_cols_array().map(f32::to_bits));
            let group = *group_indices.entry(key).or_insert_with(|| {
                groups.push((tex_coord, Vec::new()));
                groups.len() - 1
            });
            let location = location.child("primitive", "primitives", primitive.source);
            groups[group].1.push(Untangented { primitive, positions, location });
        }
    }
    let mut comparisons_left = MAX_COMPARISONS;
    groups.into_iter().try_for_each(|(tex_coord, group)| generate_shared(reader, group, tex_coord, &mut comparisons_left, progress))
}

/// Returns whether tangents along this set of texture coordinates (0 or 1) are missing, but can be generated.
fn lacks_tangents(primitive: &Primitive, set: usize) -> bool {
    let vertices = &primitive.vertices;
    let has_input = !vertices.normals.is_empty() && !vertices.tex_coords[set].is_empty();
    primitive.topology == Topology::Triangles && vertices.tangents.is_empty() && has_input
}

/// Generates tangents for primitives that share their vertices. Vertices that need several tangents are copied to the end of every array.
fn generate_shared(
    reader: &mut Reader,
    mut group: Vec<Untangented>,
    tex_coord: TangentTexCoord,
    comparisons_left: &mut u64,
    progress: &Progress,
) -> Result<(), LoadError> {
    let Some(first) = group.first() else { return Ok(()) };
    let copies = AccessorRequest { role: "with generated tangents, POSITION", accessor: first.positions };
    let (location, mut vertices) = (first.location.clone(), first.primitive.vertices.clone());
    let mut split = Split { tangents: vec![None; vertices.positions.len()], ..Split::default() };
    let unset = Arc::default();
    for (index, same) in first_equal(&group).into_iter().enumerate() {
        progress.check()?;
        if same < index {
            // Primitives with the same triangles get the same indices.
            group[index].primitive.indices = group[same].primitive.indices.clone();
        } else {
            let Untangented { primitive, location, .. } = &mut group[index];
            let tangents = corner_tangents(reader, primitive, tex_coord, comparisons_left, location);
            split.assign(&mut primitive.indices, &tangents);
        }
        // `vertices` is then the only reference, unless other primitives use the vertices without tangents.
        group[index].primitive.vertices = Arc::clone(&unset);
    }
    // Approximate size of a vertex with all its attributes. Copies count against the memory limit, as the vertices in the file do.
    let has_data = |target: &&MorphTarget| !target.positions.is_empty() || !target.normals.is_empty();
    let vertex_bytes = 64 + vertices.influences.sets * 24 + vertices.targets.iter().filter(has_data).count() * 36;
    let copied = split.originals.len() + if Arc::strong_count(&vertices) > 1 { vertices.positions.len() } else { 0 };
    reader.charge((copied * vertex_bytes) as u64).map_err(|problem| copies.problem(problem)).at(&location)?;
    let with_tangents = Arc::make_mut(&mut vertices);
    with_tangents.tangents = split.tangents.into_iter().map(|tangent| tangent.unwrap_or(Vec4::X)).collect();
    copy_vertices(with_tangents, &split.originals);
    with_tangents.originals = split.originals;
    for Untangented { primitive, .. } in group {
        primitive.vertices = Arc::clone(&vertices);
    }
    Ok(())
}

/// For each primitive, the index of the first one with the same triangles. Their accessors may differ, so the triangles are compared.
fn first_equal(group: &[Untangented]) -> Vec<usize> {
    let mut firsts: HashMap<&[u32], usize> = HashMap::new();
    group.iter().enumerate().map(|(index, Untangented { primitive, .. })| *firsts.entry(&primitive.indices).or_insert(index)).collect()
}

/// The tangent of each corner of a primitive's triangles, in the order of its indices. `None` for triangles without area.
fn corner_tangents(
    reader: &mut Reader,
    primitive: &Primitive,
    tex_coord: TangentTexCoord,
    comparisons_left: &mut u64,
    location: &Location,
) -> Vec<Option<Vec4>> {
    let mut corners = Corners::new(primitive, tex_coord);
    let counts = corners.corners_per_vertex();
    let max_corners = counts.iter().copied().max().unwrap_or(0);
    let unusual = counts.iter().filter(|&&count| count > USUAL_CORNERS_PER_VERTEX);
    let comparisons: u64 = unusual.map(|&count| (count as u64).pow(2)).sum();
    if max_corners <= MAX_CORNERS_PER_VERTEX && comparisons <= *comparisons_left {
        *comparisons_left -= comparisons;
        // This cannot fail: the error type has no variants.
        let _ = generate_tangents(&mut corners);
    } else {
        let reason = if max_corners > MAX_CORNERS_PER_VERTEX {
            format!("{} triangles meet at one vertex", grouped(max_corners))
        } else {
            "very many triangles meet at the vertices of this file".to_owned()
        };
        let message = format!("{}: {reason}; generated tangents are averaged.", location.words);
        reader.findings.warning("MESH_PRIMITIVE_TANGENTS_AVERAGED", &location.pointer, message);
        corners.average();
    }
    corners.tangents
}

/// Assigns the tangents of corners to vertices, which several primitives may share. A vertex keeps the tangent of its first corner; corners
/// with other tangents refer to copies of the vertex.
#[derive(Default)]
struct Split {
    /// The tangent of each vertex, copies included. `None` until a corner with a tangent uses the vertex.
    tangents: Vec<Option<Vec4>>,
    /// Copies by vertex and tangent, so that equal corners share one.
    copies: HashMap<(u32, [u32; 4]), u32>,
    /// The vertex that each copy is made from.
    originals: Vec<u32>,
}

impl Split {
    /// Assigns the tangents of a primitive. `corners` has one element per index; `None` accepts any tangent.
    fn assign(&mut self, indices: &mut [u32], corners: &[Option<Vec4>]) {
        for (index, &tangent) in indices.iter_mut().zip(corners) {
            let Some(tangent) = tangent else { continue };
            if *self.tangents[*index as usize].get_or_insert(tangent) == tangent {
                continue;
            }
            let original = *index;
            *index = *self.copies.entry((original, tangent.to_array().map(f32::to_bits))).or_insert_with(|| {
                self.originals.push(original);
                self.tangents.push(Some(tangent));
                (self.tangents.len() - 1) as u32
            });
        }
    }
}

/// Appends copies of the vertices `originals` to every array except the tangents. Morph targets have no tangents, because the
/// primitive had none when they were read.
fn copy_vertices(vertices: &mut Vertices, originals: &[u32]) {
    fn copy<T: Copy>(attribute: &mut Vec<T>, originals: &[u32]) {
        if !attribute.is_empty() {
            attribute.reserve_exact(originals.len());
            for &original in originals {
                attribute.push(attribute[original as usize]);
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
    for original in originals.iter().map(|&original| original as usize) {
        vertices.influences.joints.extend_from_within(original * sets..(original + 1) * sets);
        vertices.influences.weights.extend_from_within(original * sets..(original + 1) * sets);
    }
}
