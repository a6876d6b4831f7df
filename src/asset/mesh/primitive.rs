//! A primitive (glTF 2.0, 3.7.2): its attributes as one array each, its indices as a list, and its morph targets. Vertices are
//! read or taken from another primitive with the same accessors; then indices are expanded and tangents generated.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use gltf::json;
use gltf::json::accessor::Type;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use crate::asset::accessor::{AccessorRequest, Reader, VertexAccessors};
use crate::asset::error::{AccessorProblem, At, LoadError, Location, Problem, existing};
use crate::model::mesh::{MorphTarget, Primitive, Vertices};

use super::attribute::attribute;
use super::variants::{self, MaterialContext};
use super::{draco_primitive, influences, tangent, tex_coords, topology};

/// Reads a primitive. `source` is its index in the mesh. `None`, with a finding, if there is nothing to draw. Errors if it
/// refers to something that does not exist, or an accessor cannot be read.
pub fn read(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    source: usize,
    context: &MaterialContext,
    location: &Location,
) -> Result<Option<Primitive>, LoadError> {
    let Checked::Valid(mode) = json.mode else { return Err(location.error(Problem::Mode)) };
    let material = json.material.map(|material| material.value());
    material.map(|material| existing(context.materials, material, "material")).transpose().at(location)?;
    let Some(positions) = attribute(json, Semantic::Positions) else {
        let message = format!("{} has no POSITION; it is not drawn.", location.words);
        reader.findings.warning("MESH_PRIMITIVE_NO_POSITION", &format!("{}/attributes", location.pointer), message);
        return Ok(None);
    };
    // Decoded Draco attributes must be with the reader before the attributes are read.
    let triangles = draco_primitive::supply(reader, json, location)?;
    let vertices =
        shared_vertices(reader, json, context, AccessorRequest { role: "POSITION", accessor: positions }, triangles.is_some(), location)?;
    let source_vertex_count = vertices.positions.len();
    let variants = variants::mappings(json, context, &mut reader.findings, location);
    tex_coords::check(&mut reader.findings, json, context, location);
    let mut primitive = Primitive { source, material, variants, source_vertex_count, vertices, ..Primitive::default() };
    read_indices(reader, json, triangles.map_or(Faces::Accessor(mode), Faces::Decoded), &mut primitive, location)?;
    if primitive.indices.is_empty() {
        let message = format!("{} has too few vertices for {:?}; it is not drawn.", location.words, primitive.topology);
        reader.findings.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", &location.pointer, message);
        return Ok(None);
    }
    // Only a material with a normal texture or anisotropy needs tangents.
    let tex_coord = primitive.materials().find_map(|material| context.materials[material].tangent_tex_coord());
    if let Some(tex_coord) = tex_coord {
        tangent::generate(reader, &mut primitive, tex_coord).at(location)?;
    }
    Ok(Some(primitive))
}

/// The source of a primitive's indices.
enum Faces {
    /// The index accessor, or consecutive vertices without one.
    Accessor(Mode),
    /// Decoded triangles, whatever the mode.
    Decoded(Vec<u32>),
}

/// The vertices of a primitive, shared by all that use the same accessors. Vertices from Draco data (`decoded`) are never
/// shared, since two blocks may give the same accessors different elements.
fn shared_vertices(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    context: &MaterialContext,
    positions: AccessorRequest,
    decoded: bool,
    location: &Location,
) -> Result<Arc<Vertices>, LoadError> {
    let named = accessors(json, context);
    // The number of primitives that still need these vertices.
    let mut users = 0;
    if let Some(shared) = reader.vertices.get_mut(&named).filter(|_| !decoded) {
        shared.users = shared.users.saturating_sub(1);
        users = shared.users;
        // The last user takes them out of the map.
        let known = if users == 0 { shared.vertices.take() } else { shared.vertices.clone() };
        if let Some(vertices) = known {
            return Ok(vertices);
        }
    }
    let vertices = Arc::new(read_vertices(reader, json, named.tex_coords, positions, location)?);
    if let Some(shared) = reader.vertices.get_mut(&named).filter(|_| users > 0) {
        shared.vertices = Some(vertices.clone());
    }
    Ok(vertices)
}

/// The accessors that a primitive's vertices are read from. Primitives with equal ones have equal vertices.
pub fn accessors(json: &json::mesh::Primitive, context: &MaterialContext) -> VertexAccessors {
    let attributes = json.attributes.iter().filter_map(|(semantic, accessor)| match semantic {
        Checked::Valid(semantic) => Some((semantic.to_string(), accessor.value())),
        Checked::Invalid => None,
    });
    let target = |accessor: Option<json::Index<json::Accessor>>| accessor.map(|accessor| accessor.value());
    let targets = json.targets.iter().flatten().map(|json| [json.positions, json.normals, json.tangents].map(target));
    VertexAccessors { attributes: attributes.collect(), targets: targets.collect(), tex_coords: tex_coords::primitive_sets(json, context) }
}

/// Reads attributes and morph targets. Positions determine the number of vertices.
fn read_vertices(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    tex_coords: [usize; 2],
    positions: AccessorRequest,
    location: &Location,
) -> Result<Vertices, LoadError> {
    let mut vertices = Vertices { positions: reader.floats(positions).at(location)?, ..Vertices::default() };
    read_surface(reader, json, &mut vertices, location).at(location)?;
    read_tex_coords(reader, json, tex_coords, &mut vertices, location).at(location)?;
    (vertices.influences, vertices.uneven_weights) = influences::read(reader, json, vertices.positions.len(), location).at(location)?;
    // Morph targets have accessors of their own, even if the indices are equal.
    reader.supplied.clear();
    for (index, target) in json.targets.iter().flatten().enumerate() {
        let location = location.child("target", "targets", index);
        let target = read_target(reader, target, &vertices).at(&location)?;
        vertices.targets.push(target);
    }
    Ok(vertices)
}

/// Sets topology and indices. Indices are checked against the number of vertices, then expanded to a list.
fn read_indices(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    faces: Faces,
    primitive: &mut Primitive,
    location: &Location,
) -> Result<(), LoadError> {
    let count = primitive.source_vertex_count;
    let (mode, listed) = match (faces, json.indices) {
        (Faces::Decoded(triangles), _) => (Mode::Triangles, triangles),
        (Faces::Accessor(mode), Some(accessor)) => {
            (mode, reader.indices(AccessorRequest { role: "index", accessor: accessor.value() }).at(location)?)
        }
        // Without indices, vertices are used in order.
        (Faces::Accessor(mode), None) => (mode, (0..count as u32).collect()),
    };
    if let Some(at) = listed.iter().position(|&vertex| vertex as usize >= count) {
        return Err(location.error(Problem::VertexIndex { at, vertex: listed[at], count }));
    }
    // A strip or fan refers to each vertex three times.
    let charged = reader.charge(listed.len() as u64 * 12);
    charged
        .map_err(|problem| {
            AccessorRequest { role: "index", accessor: json.indices.map_or(0, |accessor| accessor.value()) }.problem(problem)
        })
        .at(location)?;
    let excess = topology::excess(mode, listed.len());
    if excess > 0 {
        let message = format!("{excess} vertices of {} do not complete a {mode:?}; they are ignored.", location.words);
        reader.findings.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", &location.pointer, message);
    }
    (primitive.topology, primitive.indices) = topology::expand(mode, listed);
    Ok(())
}

/// Reads normals, tangents and colors (COLOR_0). Normals and tangents are normalized.
fn read_surface(reader: &mut Reader, json: &json::mesh::Primitive, vertices: &mut Vertices, location: &Location) -> Result<(), Problem> {
    if let Some(request) = optional(reader, json, Semantic::Normals, "NORMAL", vertices, location)? {
        vertices.normals = reader.floats(request)?;
        let broken = vertices.normals.iter_mut().filter_map(|normal| unit(normal, Vec3::Z)).count();
        non_unit(reader, request, broken, location);
    }
    if let Some(request) =
        optional(reader, json, Semantic::Tangents, "TANGENT", vertices, location)?.filter(|_| !vertices.normals.is_empty())
    {
        vertices.tangents = reader.floats(request)?;
        let mut broken = 0;
        for tangent in &mut vertices.tangents {
            // The sign in w tells the direction of the bitangent; it must be 1 or -1 (glTF 2.0, 3.7.2.1).
            let mut direction = tangent.truncate();
            let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
            broken += usize::from(unit(&mut direction, Vec3::X).is_some() || (tangent.w - sign).abs() > 0.05);
            *tangent = direction.extend(sign);
        }
        non_unit(reader, request, broken, location);
    }
    if let Some(request) = optional(reader, json, Semantic::Colors(0), "COLOR_0", vertices, location)? {
        // Colors may lack alpha.
        let is_rgb = reader.root.accessors.get(request.accessor).is_some_and(|json| matches!(json.type_, Checked::Valid(Type::Vec3)));
        vertices.colors = if is_rgb {
            reader.floats::<Vec3, 3>(request)?.into_iter().map(|color| color.extend(1.0)).collect()
        } else {
            reader.floats::<Vec4, 4>(request)?
        };
    }
    Ok(())
}

/// Reads the two texture coordinate sets that are drawn.
fn read_tex_coords(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    sets: [usize; 2],
    vertices: &mut Vertices,
    location: &Location,
) -> Result<(), Problem> {
    for (at, set) in sets.into_iter().enumerate() {
        let role = format!("TEXCOORD_{set}");
        if let Some(request) = optional(reader, json, Semantic::TexCoords(set as u32), &role, vertices, location)? {
            vertices.tex_coords[at] = reader.floats::<Vec2, 2>(request)?;
        }
    }
    Ok(())
}

/// An optional attribute. `None` if the primitive does not have it, or, with a finding, if it does not have one element per
/// vertex.
fn optional<'r>(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    semantic: Semantic,
    role: &'r str,
    vertices: &Vertices,
    location: &Location,
) -> Result<Option<AccessorRequest<'r>>, Problem> {
    let Some(accessor) = attribute(json, semantic) else { return Ok(None) };
    let request = AccessorRequest { role, accessor };
    let (found, wanted) = (reader.count(request)?, vertices.positions.len());
    if found == wanted {
        return Ok(Some(request));
    }
    let message = format!("{}: {role} has {found} elements, but there are {wanted} vertices; it is ignored.", location.words);
    reader.findings.error("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", &format!("{}/attributes/{role}", location.pointer), message);
    Ok(None)
}

/// Normalizes a direction; `fallback` replaces one without length. Returns `Some` if its length was far from 1.
fn unit(direction: &mut Vec3, fallback: Vec3) -> Option<()> {
    let length = direction.length();
    *direction = if length > 0.0 && length.is_finite() { *direction / length } else { fallback };
    ((length - 1.0).abs() > 0.05).then_some(())
}

/// Reports `broken` vectors whose length was far from 1.
fn non_unit(reader: &mut Reader, request: AccessorRequest, broken: usize, location: &Location) {
    if broken > 0 {
        let message = format!("{broken} vectors of {} are not of unit length; they are normalized.", request.role);
        reader.findings.error("ACCESSOR_VECTOR3_NON_UNIT", &format!("{}/attributes/{}", location.pointer, request.role), message);
    }
}

/// Reads the displacements of a morph target. Those of attributes that the primitive does not have are checked, but not kept.
fn read_target(reader: &mut Reader, json: &json::mesh::MorphTarget, vertices: &Vertices) -> Result<MorphTarget, Problem> {
    let mut read = |accessor: Option<json::Index<json::Accessor>>, role: &str, wanted: bool| {
        let Some(accessor) = accessor else { return Ok(Vec::new()) };
        let request = AccessorRequest { role, accessor: accessor.value() };
        let (found, count) = (reader.count(request)?, vertices.positions.len());
        if found != count {
            return Err(request.problem(AccessorProblem::Count { found, wanted: count }));
        }
        if wanted { reader.floats::<Vec3, 3>(request) } else { Ok(Vec::new()) }
    };
    Ok(MorphTarget {
        positions: read(json.positions, "POSITION", true)?,
        normals: read(json.normals, "NORMAL", !vertices.normals.is_empty())?,
        tangents: read(json.tangents, "TANGENT", !vertices.tangents.is_empty())?,
    })
}
