//! Reads a primitive (glTF 2.0, 3.7.2): one array per attribute, the indices as a list, and the morph targets. Vertices are read, or
//! shared with another primitive that has the same accessors. Then indices are expanded.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use gltf::json;
use gltf::json::accessor::Type;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use crate::asset::accessor::{AccessorRequest, Integers, NotFinite, Reader, VertexAccessors};
use crate::asset::error::{AccessorProblem, At, LoadError, Location, Problem, existing};
use crate::model::mesh::{MorphTarget, Primitive, Vertices};
use crate::numbers::{agreeing, counted};

use super::attribute::attribute;
use super::variants::{self, MaterialContext};
use super::{draco_primitive, influences, tex_coords, topology};

/// Tolerance of the length of normals and tangents, and of the sign of tangents. Values within the tolerance cause no finding.
const LENGTH_TOLERANCE: f32 = 0.05;

/// A primitive in the file.
pub struct PrimitiveSource<'a> {
    pub json: &'a json::mesh::Primitive,
    /// Index in the mesh.
    pub index: usize,
    /// Number of morph targets of the mesh.
    pub target_count: usize,
    /// The materials and variants of the file.
    pub context: &'a MaterialContext<'a>,
    pub location: Location,
}

/// Reads a primitive. `None`, with a finding, if there is nothing to draw. Returns an error if the primitive refers to an element that does
/// not exist, or if an accessor cannot be read.
pub fn read(reader: &mut Reader, source: &PrimitiveSource) -> Result<Option<Primitive>, LoadError> {
    let PrimitiveSource { json, index, context, location, .. } = source;
    let Checked::Valid(mode) = json.mode else { return Err(location.error(Problem::Mode)) };
    let material = json.material.map(|material| material.value());
    material.map(|material| existing(context.materials, material, "material")).transpose().at(location)?;
    let Some(positions) = attribute(json, Semantic::Positions) else {
        let message = format!("{} has no POSITION; it is not drawn.", location.words);
        reader.findings.warning("MESH_PRIMITIVE_NO_POSITION", &format!("{}/attributes", location.pointer), message);
        return Ok(None);
    };
    // The reader needs the decoded Draco attributes before it reads attributes.
    let triangles = draco_primitive::supply(reader, json, location)?;
    let positions = AccessorRequest { role: "POSITION", accessor: positions };
    let vertices = shared_vertices(reader, source, positions, triangles.is_some())?;
    let source_vertex_count = vertices.positions.len();
    let variants = variants::mappings(json, context, &mut reader.findings, location);
    tex_coords::check(&mut reader.findings, json, context, location);
    let mut primitive = Primitive { source: *index, material, variants, source_vertex_count, vertices, ..Primitive::default() };
    read_indices(reader, source, triangles.map_or(Faces::Accessor(mode), Faces::Decoded), positions, &mut primitive)?;
    if primitive.indices.is_empty() {
        let message = format!("{} has too few vertices for {}; it is not drawn.", location.words, primitive.topology.element());
        reader.findings.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", &location.pointer, message);
        return Ok(None);
    }
    Ok(Some(primitive))
}

/// The source of a primitive's indices.
enum Faces {
    /// Indices from the index accessor, or consecutive vertices if there is no accessor.
    Accessor(Mode),
    /// The vertices of triangles from Draco data. The primitive's mode does not matter.
    Decoded(Vec<u32>),
}

/// The vertices of a primitive, shared by all that use the same accessors. Vertices from Draco data (`from_draco`) are never
/// shared, since two blocks may give the same accessors different elements.
fn shared_vertices(
    reader: &mut Reader,
    source: &PrimitiveSource,
    positions: AccessorRequest,
    from_draco: bool,
) -> Result<Arc<Vertices>, LoadError> {
    let accessors = accessors(source.json, source.context, source.target_count);
    // The number of primitives that need these vertices later.
    let mut users = 0;
    if let Some(shared) = reader.vertices.get_mut(&accessors).filter(|_| !from_draco) {
        shared.users = shared.users.saturating_sub(1);
        users = shared.users;
        // The last user takes the vertices out of the map.
        let vertices = if users == 0 { shared.vertices.take() } else { shared.vertices.clone() };
        if let Some(vertices) = vertices {
            return Ok(vertices);
        }
    }
    let vertices = Arc::new(read_vertices(reader, source, accessors.tex_coords, positions)?);
    if let Some(shared) = reader.vertices.get_mut(&accessors).filter(|_| users > 0) {
        shared.vertices = Some(vertices.clone());
    }
    Ok(vertices)
}

/// The accessors that a primitive's vertices are read from. Primitives with equal accessors have equal vertices. `target_count` is the
/// number of morph targets of the mesh.
pub fn accessors(json: &json::mesh::Primitive, context: &MaterialContext, target_count: usize) -> VertexAccessors {
    let attributes = json.attributes.iter().filter_map(|(semantic, accessor)| match semantic {
        Checked::Valid(semantic) => Some((semantic.to_string(), accessor.value())),
        Checked::Invalid => None,
    });
    let target = |accessor: Option<json::Index<json::Accessor>>| accessor.map(|accessor| accessor.value());
    let targets = json.targets.iter().flatten().map(|json| [json.positions, json.normals, json.tangents].map(target));
    VertexAccessors {
        attributes: attributes.collect(),
        targets: targets.collect(),
        target_count,
        tex_coords: tex_coords::primitive_sets(json, context),
    }
}

/// Reads attributes and morph targets. Positions determine the number of vertices.
fn read_vertices(
    reader: &mut Reader,
    source: &PrimitiveSource,
    tex_coord_sets: [usize; 2],
    positions: AccessorRequest,
) -> Result<Vertices, LoadError> {
    let PrimitiveSource { json, location, .. } = source;
    let mut vertices = Vertices { positions: reader.floats(positions).at(location)?, ..Vertices::default() };
    read_surface(reader, source, &mut vertices).at(location)?;
    read_tex_coords(reader, source, tex_coord_sets, &mut vertices).at(location)?;
    (vertices.influences, vertices.uneven_weights) = influences::read(reader, json, vertices.positions.len(), location).at(location)?;
    // Draco data has no morph targets. A target that uses the same accessor as an attribute must read the elements in the file, not the
    // decoded ones.
    reader.supplied.clear();
    for (index, target) in json.targets.iter().flatten().enumerate() {
        let location = location.child("target", "targets", index);
        let target = read_target(reader, target, &vertices).at(&location)?;
        vertices.targets.push(target);
    }
    // Give every primitive of a mesh the same number of targets. Added ones are empty.
    let added = source.target_count - vertices.targets.len();
    let charged = reader.charge((added * size_of::<MorphTarget>()) as u64);
    charged.map_err(|problem| positions.problem(problem)).at(location)?;
    vertices.targets.resize_with(source.target_count, MorphTarget::default);
    Ok(vertices)
}

/// Sets topology and indices. Indices are checked against the number of vertices, then expanded to a list.
fn read_indices(
    reader: &mut Reader,
    source: &PrimitiveSource,
    faces: Faces,
    positions: AccessorRequest,
    primitive: &mut Primitive,
) -> Result<(), LoadError> {
    let PrimitiveSource { json, location, .. } = source;
    let count = primitive.source_vertex_count;
    let (mode, indices) = match (faces, json.indices) {
        (Faces::Decoded(triangles), _) => (Mode::Triangles, triangles),
        (Faces::Accessor(mode), Some(accessor)) => {
            (mode, reader.indices(AccessorRequest { role: "index", accessor: accessor.value() }).at(location)?)
        }
        // Without indices, vertices are used in order.
        (Faces::Accessor(mode), None) => (mode, (0..count as u32).collect()),
    };
    if let Some(position) = indices.iter().position(|&vertex| vertex as usize >= count) {
        return Err(location.error(Problem::VertexIndex { position, vertex: indices[position], count }));
    }
    // An index of a strip or fan becomes up to three indices of four bytes.
    let charged = reader.charge(indices.len() as u64 * 12);
    charged.map_err(|problem| indices_request(json, positions).problem(problem)).at(location)?;
    let excess = topology::excess(mode, indices.len());
    (primitive.topology, primitive.indices) = topology::expand(mode, indices);
    // A primitive without any element is reported as a whole.
    if excess > 0 && !primitive.indices.is_empty() {
        let [complete, are] = [agreeing(excess, "does", "do"), agreeing(excess, "it is", "they are")];
        let (vertices, element) = (counted(excess, "vertex"), primitive.topology.element());
        let message = format!("{vertices} of {} {complete} not complete {element}; {are} ignored.", location.words);
        reader.findings.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", &location.pointer, message);
    }
    Ok(())
}

/// The accessor that determines the number of indices: the index accessor, or the position accessor if the vertices are used in order.
fn indices_request<'a>(json: &json::mesh::Primitive, positions: AccessorRequest<'a>) -> AccessorRequest<'a> {
    json.indices.map_or(positions, |accessor| AccessorRequest { role: "index", accessor: accessor.value() })
}

/// Reads normals, tangents and colors (COLOR_0). Normals and tangents are normalized.
fn read_surface(reader: &mut Reader, source: &PrimitiveSource, vertices: &mut Vertices) -> Result<(), Problem> {
    if let Some(request) = optional_attribute(reader, source, Semantic::Normals, "NORMAL", vertices)? {
        vertices.normals = reader.read_floats(request, NotFinite::Keep, Integers::AsDeclared)?;
        let (mut wrong, mut replaced) = (0, 0);
        for normal in &mut vertices.normals {
            let not_finite = replace_not_finite(normal.as_mut());
            // A vector with replaced numbers is reported already.
            wrong += usize::from(normalize(normal, Vec3::Z) && not_finite == 0);
            replaced += not_finite;
        }
        reader.report_replaced(request, replaced);
        report_non_unit(reader, request, wrong, &source.location);
    }
    let tangents = optional_attribute(reader, source, Semantic::Tangents, "TANGENT", vertices)?;
    if let Some(request) = tangents.filter(|_| !vertices.normals.is_empty()) {
        vertices.tangents = reader.read_floats(request, NotFinite::Keep, Integers::AsDeclared)?;
        let (mut wrong, mut replaced) = (0, 0);
        for tangent in &mut vertices.tangents {
            let not_finite = replace_not_finite(tangent.as_mut());
            replaced += not_finite;
            // The sign in w gives the direction of the bitangent; it must be 1 or -1 (glTF 2.0, 3.7.2.1).
            let mut direction = tangent.truncate();
            let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
            let is_wrong = normalize(&mut direction, Vec3::X) || (tangent.w - sign).abs() > LENGTH_TOLERANCE;
            wrong += usize::from(is_wrong && not_finite == 0);
            *tangent = direction.extend(sign);
        }
        reader.report_replaced(request, replaced);
        report_non_unit(reader, request, wrong, &source.location);
    }
    if let Some(request) = optional_attribute(reader, source, Semantic::Colors(0), "COLOR_0", vertices)? {
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

/// Reads the two texture coordinate sets that the primitive's materials use.
fn read_tex_coords(reader: &mut Reader, source: &PrimitiveSource, sets: [usize; 2], vertices: &mut Vertices) -> Result<(), Problem> {
    for (position, set) in sets.into_iter().enumerate() {
        let role = format!("TEXCOORD_{set}");
        if let Some(request) = optional_attribute(reader, source, Semantic::TexCoords(set as u32), &role, vertices)? {
            vertices.tex_coords[position] = reader.floats::<Vec2, 2>(request)?;
        }
    }
    Ok(())
}

/// The accessor of an optional attribute. `None` if the primitive does not have the attribute, or, with a finding, if it does not
/// have one element per vertex.
fn optional_attribute<'r>(
    reader: &mut Reader,
    source: &PrimitiveSource,
    semantic: Semantic,
    role: &'r str,
    vertices: &Vertices,
) -> Result<Option<AccessorRequest<'r>>, Problem> {
    let location = &source.location;
    let Some(accessor) = attribute(source.json, semantic) else { return Ok(None) };
    let request = AccessorRequest { role, accessor };
    let (found, wanted) = (reader.count(request)?, vertices.positions.len());
    if found == wanted {
        return Ok(Some(request));
    }
    let (found, are, wanted) = (counted(found, "element"), agreeing(wanted, "is", "are"), counted(wanted, "vertex"));
    let message = format!("{}: {role} has {found}, but there {are} {wanted}; it is ignored.", location.words);
    reader.findings.error("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", &format!("{}/attributes/{role}", location.pointer), message);
    Ok(None)
}

/// Replaces numbers that are not finite by 0. Returns how many there were.
fn replace_not_finite(numbers: &mut [f32]) -> usize {
    let mut replaced = 0;
    for number in numbers.iter_mut().filter(|number| !number.is_finite()) {
        *number = 0.0;
        replaced += 1;
    }
    replaced
}

/// Normalizes a direction. `fallback` replaces a direction whose length is 0 or not finite. Returns whether the original length differed
/// from 1 by more than the tolerance.
fn normalize(direction: &mut Vec3, fallback: Vec3) -> bool {
    let length = direction.length();
    *direction = if length > 0.0 && length.is_finite() { *direction / length } else { fallback };
    (length - 1.0).abs() > LENGTH_TOLERANCE
}

/// Adds a finding about `count` vectors that were not of unit length.
fn report_non_unit(reader: &mut Reader, request: AccessorRequest, count: usize, location: &Location) {
    if count > 0 {
        let (is, them) = (agreeing(count, "is", "are"), agreeing(count, "it", "them"));
        let message = format!("{} of {} {is} not of unit length; Sinew normalizes {them}.", counted(count, "vector"), request.role);
        reader.findings.error("ACCESSOR_VECTOR3_NON_UNIT", &format!("{}/attributes/{}", location.pointer, request.role), message);
    }
}

/// Reads the displacements of a morph target. For an attribute that the primitive does not have, only the number of displacements is
/// checked.
fn read_target(reader: &mut Reader, json: &json::mesh::MorphTarget, vertices: &Vertices) -> Result<MorphTarget, Problem> {
    let mut read = |accessor: Option<json::Index<json::Accessor>>, role: &str, is_used: bool| {
        let Some(accessor) = accessor else { return Ok(Vec::new()) };
        let request = AccessorRequest { role, accessor: accessor.value() };
        let (found, count) = (reader.count(request)?, vertices.positions.len());
        if found != count {
            return Err(request.problem(AccessorProblem::Count { found, wanted: count }));
        }
        if is_used { reader.floats::<Vec3, 3>(request) } else { Ok(Vec::new()) }
    };
    Ok(MorphTarget {
        positions: read(json.positions, "POSITION", true)?,
        normals: read(json.normals, "NORMAL", !vertices.normals.is_empty())?,
        tangents: read(json.tangents, "TANGENT", !vertices.tangents.is_empty())?,
    })
}
