//! A primitive: its attributes as one array each, its indices as a list, its morph targets.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use gltf::json;
use gltf::json::accessor::Type;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use crate::asset::accessor::{Accessors, Reader, Want};
use crate::asset::error::{AccessorProblem, At, LoadError, Place, Problem, existing};
use crate::model::mesh::{MorphTarget, Primitive, Vertices};

use super::variants::{self, MaterialContext};
use super::{draco_primitive, influences, tangent, tex_coords, topology};

/// Reads a primitive; none where there is nothing to draw (a finding says why).
pub fn read(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    source: usize,
    looks: &MaterialContext,
    place: &Place,
) -> Result<Option<Primitive>, LoadError> {
    let Checked::Valid(mode) = json.mode else { return Err(place.error(Problem::Mode)) };
    let material = json.material.map(|material| material.value());
    material.map(|material| existing(looks.materials, material, "material")).transpose().at(place)?;
    let Some(positions) = attribute(json, Semantic::Positions) else {
        let message = format!("{} has no POSITION; it is not drawn.", place.words);
        reader.findings.warning("MESH_PRIMITIVE_NO_POSITION", &format!("{}/attributes", place.pointer), message);
        return Ok(None);
    };
    let triangles = draco_primitive::supply(reader, json, place)?;
    let vertices = shared_vertices(reader, json, looks, Want { role: "POSITION", accessor: positions }, triangles.is_some(), place)?;
    let source_vertex_count = vertices.positions.len();
    let variants = variants::mappings(json, looks, &mut reader.findings, place);
    tex_coords::check(&mut reader.findings, json, looks, place);
    let mut primitive = Primitive { source, material, variants, source_vertex_count, vertices, ..Primitive::default() };
    read_indices(reader, json, triangles.map_or(Faces::Accessor(mode), Faces::Decoded), &mut primitive, place)?;
    if primitive.indices.is_empty() {
        let message = format!("{} has too few vertices for one {:?}; it is not drawn.", place.words, primitive.topology);
        reader.findings.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", &place.pointer, message);
        return Ok(None);
    }
    let tex_coord = primitive.materials().find_map(|material| looks.materials[material].tangent_tex_coord());
    if let Some(tex_coord) = tex_coord {
        tangent::generate(reader, &mut primitive, tex_coord).at(place)?;
    }
    Ok(Some(primitive))
}

pub fn attribute(json: &json::mesh::Primitive, semantic: Semantic) -> Option<usize> {
    json.attributes.get(&Checked::Valid(semantic)).map(json::Index::value)
}

/// Where a primitive's indices come from.
enum Faces {
    /// From the accessor, if there is one, for this mode.
    Accessor(Mode),
    /// A list of triangles, whatever the mode.
    Decoded(Vec<u32>),
}

/// The vertices of a primitive, read once for all that name the same accessors. `decoded`: they are this primitive's alone.
fn shared_vertices(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    looks: &MaterialContext,
    positions: Want,
    decoded: bool,
    place: &Place,
) -> Result<Arc<Vertices>, LoadError> {
    let named = accessors(json, looks);
    let mut users = 0;
    if let Some(shared) = reader.vertices.get_mut(&named).filter(|_| !decoded) {
        shared.users = shared.users.saturating_sub(1);
        users = shared.users;
        // The last one gets them for itself.
        let known = if users == 0 { shared.vertices.take() } else { shared.vertices.clone() };
        if let Some(vertices) = known {
            return Ok(vertices);
        }
    }
    let vertices = Arc::new(read_vertices(reader, json, named.tex_coords, positions, place)?);
    if let Some(shared) = reader.vertices.get_mut(&named).filter(|_| users > 0) {
        shared.vertices = Some(vertices.clone());
    }
    Ok(vertices)
}

/// What the vertices of a primitive are read from.
pub fn accessors(json: &json::mesh::Primitive, looks: &MaterialContext) -> Accessors {
    let attributes = json.attributes.iter().filter_map(|(semantic, accessor)| match semantic {
        Checked::Valid(semantic) => Some((semantic.to_string(), accessor.value())),
        Checked::Invalid => None,
    });
    let target = |accessor: Option<json::Index<json::Accessor>>| accessor.map(|accessor| accessor.value());
    let targets = json.targets.iter().flatten().map(|json| [json.positions, json.normals, json.tangents].map(target));
    Accessors { attributes: attributes.collect(), targets: targets.collect(), tex_coords: tex_coords::of_primitive(json, looks) }
}

fn read_vertices(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    tex_coords: [usize; 2],
    positions: Want,
    place: &Place,
) -> Result<Vertices, LoadError> {
    let mut vertices = Vertices { positions: reader.floats(positions).at(place)?, ..Vertices::default() };
    read_surface(reader, json, &mut vertices, place).at(place)?;
    read_tex_coords(reader, json, tex_coords, &mut vertices, place).at(place)?;
    (vertices.influences, vertices.uneven_weights) = influences::read(reader, json, vertices.positions.len(), place).at(place)?;
    // Morph targets have their own accessors, even if these are the same ones.
    reader.supplied.clear();
    for (index, target) in json.targets.iter().flatten().enumerate() {
        let place = place.child("target", "targets", index);
        let target = read_target(reader, target, &vertices).at(&place)?;
        vertices.targets.push(target);
    }
    Ok(vertices)
}

fn read_indices(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    faces: Faces,
    primitive: &mut Primitive,
    place: &Place,
) -> Result<(), LoadError> {
    let count = primitive.source_vertex_count;
    let (mode, listed) = match (faces, json.indices) {
        (Faces::Decoded(triangles), _) => (Mode::Triangles, triangles),
        (Faces::Accessor(mode), Some(accessor)) => (mode, reader.indices(Want { role: "index", accessor: accessor.value() }).at(place)?),
        (Faces::Accessor(mode), None) => (mode, (0..count as u32).collect()),
    };
    if let Some(at) = listed.iter().position(|&vertex| vertex as usize >= count) {
        return Err(place.error(Problem::VertexIndex { at, vertex: listed[at], count }));
    }
    // Strips and fans name each vertex three times.
    let charged = reader.charge(listed.len() as u64 * 12);
    charged
        .map_err(|problem| Want { role: "index", accessor: json.indices.map_or(0, |accessor| accessor.value()) }.problem(problem))
        .at(place)?;
    let left_over = topology::left_over(mode, listed.len());
    if left_over > 0 {
        let message = format!("{} has {left_over} vertices left over after the last {mode:?}; they are ignored.", place.words);
        reader.findings.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", &place.pointer, message);
    }
    (primitive.topology, primitive.indices) = topology::expand(mode, listed);
    Ok(())
}

/// Normals, tangents and colours.
fn read_surface(reader: &mut Reader, json: &json::mesh::Primitive, vertices: &mut Vertices, place: &Place) -> Result<(), Problem> {
    if let Some(want) = optional(reader, json, Semantic::Normals, "NORMAL", vertices, place)? {
        vertices.normals = reader.floats(want)?;
        let broken = vertices.normals.iter_mut().filter_map(|normal| unit(normal, Vec3::Z)).count();
        non_unit(reader, want, broken, place);
    }
    if let Some(want) = optional(reader, json, Semantic::Tangents, "TANGENT", vertices, place)?.filter(|_| !vertices.normals.is_empty()) {
        vertices.tangents = reader.floats(want)?;
        let mut broken = 0;
        for tangent in &mut vertices.tangents {
            let mut direction = tangent.truncate();
            let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
            broken += usize::from(unit(&mut direction, Vec3::X).is_some() || (tangent.w - sign).abs() > 0.05);
            *tangent = direction.extend(sign);
        }
        non_unit(reader, want, broken, place);
    }
    if let Some(want) = optional(reader, json, Semantic::Colors(0), "COLOR_0", vertices, place)? {
        let is_rgb = reader.root.accessors.get(want.accessor).is_some_and(|json| matches!(json.type_, Checked::Valid(Type::Vec3)));
        vertices.colors = if is_rgb {
            reader.floats::<Vec3, 3>(want)?.into_iter().map(|color| color.extend(1.0)).collect()
        } else {
            reader.floats::<Vec4, 4>(want)?
        };
    }
    Ok(())
}

fn read_tex_coords(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    sets: [usize; 2],
    vertices: &mut Vertices,
    place: &Place,
) -> Result<(), Problem> {
    for (at, set) in sets.into_iter().enumerate() {
        let role = format!("TEXCOORD_{set}");
        if let Some(want) = optional(reader, json, Semantic::TexCoords(set as u32), &role, vertices, place)? {
            vertices.tex_coords[at] = reader.floats::<Vec2, 2>(want)?;
        }
    }
    Ok(())
}

/// An attribute that a primitive can do without: passed over, with a finding, where it is not one per vertex.
fn optional<'r>(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    semantic: Semantic,
    role: &'r str,
    vertices: &Vertices,
    place: &Place,
) -> Result<Option<Want<'r>>, Problem> {
    let Some(accessor) = attribute(json, semantic) else { return Ok(None) };
    let want = Want { role, accessor };
    let (found, wanted) = (reader.count(want)?, vertices.positions.len());
    if found == wanted {
        return Ok(Some(want));
    }
    let message = format!("{}: {role} has {found} elements for {wanted} vertices; it is ignored.", place.words);
    reader.findings.error("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", &format!("{}/attributes/{role}", place.pointer), message);
    Ok(None)
}

/// Makes a direction unit length; says so if it was far from it.
fn unit(direction: &mut Vec3, fallback: Vec3) -> Option<()> {
    let length = direction.length();
    *direction = if length > 0.0 && length.is_finite() { *direction / length } else { fallback };
    ((length - 1.0).abs() > 0.05).then_some(())
}

fn non_unit(reader: &mut Reader, want: Want, broken: usize, place: &Place) {
    if broken > 0 {
        let message = format!("{broken} vectors of {} are not of unit length; they are used as if they were.", want.role);
        reader.findings.error("ACCESSOR_VECTOR3_NON_UNIT", &format!("{}/attributes/{}", place.pointer, want.role), message);
    }
}

/// Differences for attributes that the primitive has; others have nothing to be added to.
fn read_target(reader: &mut Reader, json: &json::mesh::MorphTarget, vertices: &Vertices) -> Result<MorphTarget, Problem> {
    let mut read = |accessor: Option<json::Index<json::Accessor>>, role: &str, wanted: bool| {
        let Some(accessor) = accessor else { return Ok(Vec::new()) };
        let want = Want { role, accessor: accessor.value() };
        let (found, count) = (reader.count(want)?, vertices.positions.len());
        if found != count {
            return Err(want.problem(AccessorProblem::Count { found, wanted: count }));
        }
        if wanted { reader.floats::<Vec3, 3>(want) } else { Ok(Vec::new()) }
    };
    Ok(MorphTarget {
        positions: read(json.positions, "POSITION", true)?,
        normals: read(json.normals, "NORMAL", !vertices.normals.is_empty())?,
        tangents: read(json.tangents, "TANGENT", !vertices.tangents.is_empty())?,
    })
}
