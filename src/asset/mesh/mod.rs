//! Reads meshes (glTF 2.0, 3.7.2): their primitives with [`primitive`], and the number and names of morph targets.

pub(crate) mod attribute;
pub(crate) mod draco_primitive;
pub(crate) mod influences;
pub(crate) mod primitive;
pub(crate) mod tangent;
pub(crate) mod tex_coords;
pub(crate) mod topology;
pub(crate) mod variants;

use gltf::json;
use serde::Deserialize;

use crate::model::mesh::Mesh;
use crate::numbers::counted;

use super::accessor::Reader;
use super::error::{LoadError, Location};
use super::file::progress::{Progress, Stage};

use primitive::PrimitiveSource;
use variants::MaterialContext;

/// The `extras` of a mesh, where exporters store the names of morph targets (implementation note of glTF 2.0, 3.7.2.2).
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Extras {
    target_names: Vec<String>,
}

/// Reads every mesh of the file. `context` tells which primitives need tangents, and which texture coordinates they need.
pub fn read(reader: &mut Reader, context: &MaterialContext, progress: &Progress) -> Result<Vec<Mesh>, LoadError> {
    progress.start(Stage::Meshes)?;
    // First count the primitives that share vertices, so that the reader can free the vertices after the last of these primitives.
    for mesh in &reader.root.meshes {
        let target_count = max_target_count(mesh);
        for json in &mesh.primitives {
            reader.vertices.entry(primitive::accessors(json, context, target_count)).or_default().users += 1;
        }
    }
    let mut meshes = Vec::with_capacity(reader.root.meshes.len());
    for (index, json) in reader.root.meshes.iter().enumerate() {
        let location = Location::new("mesh", "meshes", index, json.name.as_deref());
        meshes.push(read_mesh(reader, json, context, &location, progress)?);
        progress.step(index + 1, reader.root.meshes.len())?;
    }
    tangent::generate(reader, &mut meshes, context.materials, progress)?;
    Ok(meshes)
}

/// The number of morph targets of a primitive in the file.
fn target_count(primitive: &json::mesh::Primitive) -> usize {
    primitive.targets.as_ref().map_or(0, Vec::len)
}

/// The number of morph targets of a mesh. Targets are counted in the JSON, to include primitives that are left out.
fn max_target_count(mesh: &json::Mesh) -> usize {
    mesh.primitives.iter().map(target_count).max().unwrap_or(0)
}

/// Reads one mesh. Primitives without anything to draw are left out.
fn read_mesh(
    reader: &mut Reader,
    json: &json::Mesh,
    context: &MaterialContext,
    location: &Location,
    progress: &Progress,
) -> Result<Mesh, LoadError> {
    let mut mesh = Mesh { name: json.name.clone(), target_count: max_target_count(json), ..Mesh::default() };
    if json.primitives.is_empty() {
        reader.findings.error("EMPTY_ENTITY", &format!("{}/primitives", location.pointer), "The mesh has no primitives; nothing is drawn.");
    }
    for (source, primitive) in json.primitives.iter().enumerate() {
        let location = location.child("primitive", "primitives", source);
        let primitive = PrimitiveSource { json: primitive, index: source, target_count: mesh.target_count, context, location };
        mesh.primitives.extend(primitive::read(reader, &primitive)?);
        progress.check()?;
    }
    let first_count = json.primitives.first().map_or(0, target_count);
    for (source, _) in json.primitives.iter().enumerate().filter(|(_, primitive)| target_count(primitive) != first_count) {
        let location = location.child("primitive", "primitives", source);
        let message = format!("{} has fewer or more morph targets than the first one; missing ones have no effect.", location.words);
        reader.findings.error("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &location.pointer, message);
    }
    if json.weights.as_ref().is_some_and(|weights| weights.len() != mesh.target_count) {
        let weight_count = json.weights.as_ref().map_or(0, Vec::len);
        let [weights, targets] = [(weight_count, "weight"), (mesh.target_count, "morph target")].map(|(count, what)| counted(count, what));
        let message = format!("The mesh has {weights} for {targets}.");
        reader.findings.error("MESH_INVALID_WEIGHTS_COUNT", &format!("{}/weights", location.pointer), message);
    }
    let extras: Option<Extras> = json.extras.as_ref().and_then(|extras| serde_json::from_str(extras.get()).ok());
    mesh.target_names = extras.unwrap_or_default().target_names;
    mesh.target_names.truncate(mesh.target_count);
    Ok(mesh)
}
