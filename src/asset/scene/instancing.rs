//! Reads EXT_mesh_gpu_instancing: the transforms of a node's mesh instances, from accessors with one element per instance. If they
//! are invalid, the mesh is drawn once, with a finding.

use glam::{Affine3A, DAffine3, DVec3, Quat, Vec3};
use serde_json::Value;

use crate::asset::accessor::{AccessorRequest, Integers, NotFinite, Reader};
use crate::asset::error::{Location, Problem};
use crate::asset::json::integer;
use crate::model::Model;
use crate::model::mesh::Mesh;
use crate::model::node::{Node, NodeIndex};

/// The name of the extension.
pub const NAME: &str = "EXT_mesh_gpu_instancing";
/// Maximum number of instances of all nodes together. This number takes 96 MiB; every device can bind 128 MiB.
const MAX_INSTANCES: usize = 2 << 20;
/// Distance from the node beyond which instances are far, as a multiple of the radius of all instances together. At smaller distances, the
/// rounding error of `f32` is below a hundred-thousandth of that radius.
const FAR_FACTOR: f64 = 100.0;
const TRANSLATION: &str = "TRANSLATION";
const ROTATION: &str = "ROTATION";
const SCALE: &str = "SCALE";

/// Writes the instances into the nodes of `model`, whose skins must already be set. Only nodes with a mesh and without a skin have
/// instances.
pub fn read(reader: &mut Reader, model: &mut Model) {
    let root = reader.root;
    let mut total = 0;
    for (source, json) in root.nodes.iter().enumerate() {
        let extension = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
        let (Some(extension), Some(node)) = (extension, model.node_from_source(source)) else { continue };
        let node = &mut model.nodes[node.index()];
        let location = Location::new("node", "nodes", source, json.name.as_deref());
        let pointer = format!("{}/extensions/{NAME}", location.pointer);
        if node.mesh.is_none() {
            let message = format!("{} has instances, but no mesh to draw.", location.words);
            reader.findings.info("NODE_INSTANCES_WITHOUT_MESH", &pointer, message);
        } else if node.skin.is_some() {
            let message = format!("{} has a skin, which positions its mesh: its instances are ignored.", location.words);
            reader.findings.warning("NODE_INSTANCES_WITH_SKIN", &pointer, message);
        } else {
            match read_instances(reader, extension, &pointer, MAX_INSTANCES - total) {
                Ok(instances) => node.instances = instances,
                Err(problem) => {
                    let message = format!("{}: {problem}; its mesh is drawn once, without instances.", location.words);
                    reader.findings.error("NODE_INSTANCES_INVALID", &pointer, message);
                }
            }
            total += node.instances.len();
        }
    }
    model.far_instances = far_instances(model);
}

/// The nodes with far instances. See [`Model::far_instances`].
fn far_instances(model: &Model) -> Vec<(NodeIndex, DVec3)> {
    let mut mesh_radii: Vec<Option<f64>> = vec![None; model.meshes.len()];
    let mut far_center = |node: &Node| {
        let mesh = node.mesh.filter(|_| !node.instances.is_empty())?;
        let mesh_radius = *mesh_radii[mesh].get_or_insert_with(|| mesh_radius(&model.meshes[mesh]));
        let (mut min, mut max, mut max_scale) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0f64);
        for DAffine3 { matrix3, translation } in node.instances.iter().map(Affine3A::as_daffine3) {
            (min, max) = (min.min(translation), max.max(translation));
            max_scale = max_scale.max(matrix3.x_axis.length()).max(matrix3.y_axis.length()).max(matrix3.z_axis.length());
        }
        let (center, radius) = ((min + max) / 2.0, (max - min).length() / 2.0 + mesh_radius * max_scale);
        (center.length() > FAR_FACTOR * radius).then_some(center)
    };
    model.node_indices().filter_map(|node| Some((node, far_center(model.node(node))?))).collect()
}

/// The largest distance of a vertex from the origin of the mesh.
fn mesh_radius(mesh: &Mesh) -> f64 {
    let positions = mesh.primitives.iter().flat_map(|primitive| &primitive.vertices.positions);
    positions.map(|position| position.as_dvec3().length()).fold(0.0, f64::max)
}

/// Reads the transform of each instance, in the node's local space. Empty if the extension has no attributes. Returns an error if
/// there are more than `max` instances.
fn read_instances(reader: &mut Reader, extension: &Value, pointer: &str, max: usize) -> Result<Vec<Affine3A>, Problem> {
    let request = |role| {
        let accessor = integer(extension.get("attributes")?.get(role)?)?;
        Some(AccessorRequest { role, accessor: usize::try_from(accessor).unwrap_or(usize::MAX) })
    };
    // All attributes are optional. Those of another name, such as _ID, are not read.
    let (translation, rotation, scale) = (request(TRANSLATION), request(ROTATION), request(SCALE));
    let mut counts = Vec::new();
    for request in [translation, rotation, scale].into_iter().flatten() {
        counts.push(reader.count(request)?);
    }
    let Some(min_count) = counts.iter().copied().min() else { return Ok(Vec::new()) };
    if counts.iter().any(|&count| count != min_count) {
        let message =
            format!("The attributes of the instances have different counts ({counts:?}); the first {min_count} instances are drawn.");
        reader.findings.error("NODE_INSTANCES_UNEQUAL_COUNTS", &format!("{pointer}/attributes"), message);
    }
    if min_count > max {
        return Err(Problem::TooMany { what: "instances", max: MAX_INSTANCES as u64 });
    }
    let translations: Vec<Vec3> = read_all(reader, translation, Integers::AsDeclared)?;
    let rotations: Vec<[f32; 4]> = read_all(reader, rotation, Integers::Normalized)?;
    let scales: Vec<Vec3> = read_all(reader, scale, Integers::AsDeclared)?;
    let transform = |i: usize| {
        let translation = translations.get(i).copied().unwrap_or(Vec3::ZERO);
        let rotation = rotations.get(i).map_or(Quat::IDENTITY, |rotation| normalized(*rotation));
        Affine3A::from_scale_rotation_translation(scales.get(i).copied().unwrap_or(Vec3::ONE), rotation, translation)
    };
    Ok((0..min_count).map(transform).collect())
}

/// The elements of an attribute. Empty if there is no such attribute.
fn read_all<T: From<[f32; N]> + Clone, const N: usize>(
    reader: &mut Reader,
    request: Option<AccessorRequest>,
    integers: Integers,
) -> Result<Vec<T>, Problem> {
    request.map_or(Ok(Vec::new()), |request| reader.read_floats(request, NotFinite::Zero, integers))
}

/// Normalizes a rotation (x, y, z, w), because quantized ones are not of unit length. Zero becomes the identity.
fn normalized(rotation: [f32; 4]) -> Quat {
    let rotation = glam::Vec4::from_array(rotation).as_dvec4();
    rotation.try_normalize().map_or(Quat::IDENTITY, |rotation| Quat::from_vec4(rotation.as_vec4()))
}
