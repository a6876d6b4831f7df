//! Meshes (glTF 2.0, 3.7.2): their primitives (read by [`primitive`]), and the number, rest weights and names of morph targets.

pub(crate) mod attribute;
pub(crate) mod draco_primitive;
pub(crate) mod influences;
pub(crate) mod primitive;
pub(crate) mod tangent;
pub(crate) mod tex_coords;
pub(crate) mod topology;
pub(crate) mod variants;

use std::sync::Arc;

use gltf::json;
use serde::Deserialize;

use crate::model::mesh::{Mesh, MorphTarget, Primitive};

use super::accessor::Reader;
use super::error::{LoadError, Location};
use super::file::progress::{Progress, Stage};

use variants::MaterialContext;

/// The property of `extras` where exporters store the names of morph targets (an implementation note of glTF 2.0,
/// 3.7.2.2).
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Extras {
    target_names: Vec<String>,
}

/// Reads every mesh of the file. `context` tells which primitives need tangents and which texture coordinates.
pub fn read(reader: &mut Reader, context: &MaterialContext, progress: &Progress) -> Result<Vec<Mesh>, LoadError> {
    progress.start(Stage::Meshes)?;
    // Count the users of each set of vertices first, so that the last one can take them without a copy.
    for json in reader.root.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        reader.vertices.entry(primitive::accessors(json, context)).or_default().users += 1;
    }
    let mut meshes = Vec::with_capacity(reader.root.meshes.len());
    for (index, json) in reader.root.meshes.iter().enumerate() {
        let location = Location::new("mesh", "meshes", index, json.name.as_deref());
        meshes.push(mesh(reader, json, context, &location, progress)?);
        progress.step(index + 1, reader.root.meshes.len())?;
    }
    Ok(meshes)
}

/// Reads one mesh. Primitives without anything to draw are left out.
fn mesh(
    reader: &mut Reader,
    json: &json::Mesh,
    context: &MaterialContext,
    location: &Location,
    progress: &Progress,
) -> Result<Mesh, LoadError> {
    let mut mesh = Mesh { name: json.name.clone(), ..Mesh::default() };
    if json.primitives.is_empty() {
        reader.findings.error("EMPTY_ENTITY", &format!("{}/primitives", location.pointer), "The mesh has no primitives; nothing is drawn.");
    }
    for (source, primitive) in json.primitives.iter().enumerate() {
        let location = location.child("primitive", "primitives", source);
        mesh.primitives.extend(primitive::read(reader, primitive, source, context, &location)?);
        progress.check()?;
    }
    // Count targets in the JSON, to include primitives that were left out.
    let targets = |primitive: &json::mesh::Primitive| primitive.targets.as_ref().map_or(0, Vec::len);
    mesh.target_count = json.primitives.iter().map(targets).max().unwrap_or(0);
    let first = json.primitives.first().map_or(0, targets);
    for (source, _) in json.primitives.iter().enumerate().filter(|(_, primitive)| targets(primitive) != first) {
        let location = location.child("primitive", "primitives", source);
        let message = format!("{} has fewer or more morph targets than the first one; missing ones have no effect.", location.words);
        reader.findings.error("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &location.pointer, message);
    }
    // Give every primitive the same number of targets. Missing ones are empty.
    let short = |primitive: &&mut Primitive| primitive.vertices.targets.len() != mesh.target_count;
    for primitive in mesh.primitives.iter_mut().filter(short) {
        Arc::make_mut(&mut primitive.vertices).targets.resize_with(mesh.target_count, MorphTarget::default);
    }
    if json.weights.as_ref().is_some_and(|weights| weights.len() != mesh.target_count) {
        let message = format!("The number of the mesh's weights differs from its {} morph targets.", mesh.target_count);
        reader.findings.error("MESH_INVALID_WEIGHTS_COUNT", &format!("{}/weights", location.pointer), message);
    }
    let extras: Option<Extras> = json.extras.as_ref().and_then(|extras| serde_json::from_str(extras.get()).ok());
    mesh.target_names = extras.unwrap_or_default().target_names;
    mesh.target_names.truncate(mesh.target_count);
    Ok(mesh)
}
