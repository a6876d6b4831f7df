//! Meshes: their primitives (read in [`primitive`]), morph target counts and names.

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
use super::error::{LoadError, Place};
use super::file::progress::{Progress, Stage};

use variants::MaterialContext;

/// The custom of all exporters for naming morph targets.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Extras {
    target_names: Vec<String>,
}

/// Every mesh of the file. `looks` tell which primitives need tangents.
pub fn read(reader: &mut Reader, looks: &MaterialContext, progress: &Progress) -> Result<Vec<Mesh>, LoadError> {
    progress.begin(Stage::Meshes)?;
    for json in reader.root.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        reader.vertices.entry(primitive::accessors(json, looks)).or_default().users += 1;
    }
    let mut meshes = Vec::with_capacity(reader.root.meshes.len());
    for (index, json) in reader.root.meshes.iter().enumerate() {
        let place = Place::new("mesh", "meshes", index, json.name.as_deref());
        meshes.push(mesh(reader, json, looks, &place, progress)?);
        progress.step(index + 1, reader.root.meshes.len())?;
    }
    Ok(meshes)
}

fn mesh(reader: &mut Reader, json: &json::Mesh, looks: &MaterialContext, place: &Place, progress: &Progress) -> Result<Mesh, LoadError> {
    let mut mesh = Mesh { name: json.name.clone(), ..Mesh::default() };
    if json.primitives.is_empty() {
        reader.findings.error(
            "EMPTY_ENTITY",
            &format!("{}/primitives", place.pointer),
            "The mesh has no primitives; nothing of it is drawn.",
        );
    }
    for (source, primitive) in json.primitives.iter().enumerate() {
        let place = place.child("primitive", "primitives", source);
        mesh.primitives.extend(primitive::read(reader, primitive, source, looks, &place)?);
        progress.check()?;
    }
    // Counted in the file, so that it holds for a primitive that was left out, too.
    let targets = |primitive: &json::mesh::Primitive| primitive.targets.as_ref().map_or(0, Vec::len);
    mesh.target_count = json.primitives.iter().map(targets).max().unwrap_or(0);
    let first = json.primitives.first().map_or(0, targets);
    for (source, _) in json.primitives.iter().enumerate().filter(|(_, primitive)| targets(primitive) != first) {
        let place = place.child("primitive", "primitives", source);
        let message = format!("{} has not as many morph targets as the first one; missing ones move nothing.", place.words);
        reader.findings.error("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &place.pointer, message);
    }
    let short = |primitive: &&mut Primitive| primitive.vertices.targets.len() != mesh.target_count;
    for primitive in mesh.primitives.iter_mut().filter(short) {
        Arc::make_mut(&mut primitive.vertices).targets.resize_with(mesh.target_count, MorphTarget::default);
    }
    if json.weights.as_ref().is_some_and(|weights| weights.len() != mesh.target_count) {
        let message = format!("The mesh's weights are not as many as its {} morph targets.", mesh.target_count);
        reader.findings.error("MESH_INVALID_WEIGHTS_COUNT", &format!("{}/weights", place.pointer), message);
    }
    let extras: Option<Extras> = json.extras.as_ref().and_then(|extras| serde_json::from_str(extras.get()).ok());
    mesh.target_names = extras.unwrap_or_default().target_names;
    mesh.target_names.truncate(mesh.target_count);
    Ok(mesh)
}
