//! Reads nodes with their transforms, and scenes (glTF 2.0, 3.5). Nodes are put into depth-first order ([`hierarchy`]), then read.
//! The model refers to nodes by their position in this order.

pub(crate) mod camera;
pub(crate) mod hierarchy;
pub(crate) mod instancing;
pub(crate) mod skin;

use std::collections::BTreeMap;

use glam::{Affine3A, Mat4, Quat, Vec3A};
use gltf::json;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::hierarchy::{Hierarchy, Trs};
use crate::model::mesh::Mesh;
use crate::model::node::{ExtraProperty, Node, NodeIndex};
use crate::model::{Model, Scene};
use crate::numbers::{counted, three_digits};

use super::error::{At, LoadError, Location, Problem, existing};
use super::findings::Findings;

use hierarchy::NodeOrder;

/// Maximum number of morph weights of all nodes together. A limit is needed because a thousand nodes can share a mesh with a thousand
/// targets.
const MAX_MORPH_WEIGHTS: u64 = 16 << 20;
/// Maximum number of primitives that are drawn, each counted once per node. A limit is needed because thousands of nodes can share a mesh
/// with thousands of primitives, and every picture lists them all.
const MAX_DRAWN_PRIMITIVES: u64 = 8 << 20;

/// Writes hierarchy, nodes and scenes into `model`, whose meshes, cameras and lights must already be set. [`skin::read`] later assigns each
/// node its part of the matrix palette.
pub fn read(root: &json::Root, model: &mut Model, findings: &mut Findings) -> Result<(), LoadError> {
    let order = hierarchy::order(root, findings)?;
    model.mesh_weight_nodes = vec![Vec::new(); model.meshes.len()];
    model.node_of_source = vec![NodeIndex(0); order.sources.len()];
    let mut drawn_primitives = 0;
    for (position, &source) in order.sources.iter().enumerate() {
        model.node_of_source[source] = NodeIndex(position as u32);
        let json = &root.nodes[source];
        let location = || Location::new("node", "nodes", source, json.name.as_deref());
        let mut node = read_node(root, json, source, model).map_err(|problem| location().error(problem))?;
        if node.skin.is_some() && node.mesh.is_none() {
            findings.error("UNSATISFIED_DEPENDENCY", &format!("/nodes/{source}/skin"), "The node has a skin, but no mesh.");
            node.skin = None;
        }
        let mesh = node.mesh.map(|mesh| (mesh, &model.meshes[mesh]));
        drawn_primitives += mesh.map_or(0, |(_, mesh)| mesh.primitives.len() as u64);
        if drawn_primitives > MAX_DRAWN_PRIMITIVES {
            return Err(location().error(Problem::TooMany { what: "drawn primitives", max: MAX_DRAWN_PRIMITIVES }));
        }
        node.weights = append_rest_weights(root, source, mesh, &mut model.rest_weights, findings)?;
        // Animations of the mesh's weights affect only nodes that define no weights.
        if let Some(mesh) = node.mesh.filter(|_| json.weights.is_none()) {
            model.mesh_weight_nodes[mesh].push(NodeIndex(position as u32));
        }
        model.nodes.push(node);
    }
    model.hierarchy = read_transforms(root, order, findings);
    read_scenes(root, model, findings)
}

/// Reads one node without its transform and weights. `source` is its index in the file. Returns an error if the node refers to
/// something that does not exist.
fn read_node(root: &json::Root, json: &json::Node, source: usize, model: &Model) -> Result<Node, Problem> {
    let mesh = json.mesh.map(|mesh| mesh.value());
    let skin = json.skin.map(|skin| skin.value());
    let camera = json.camera.map(|camera| camera.value());
    let light = json.extensions.as_ref().and_then(|extensions| extensions.khr_lights_punctual.as_ref()).map(|light| light.light.value());
    mesh.map(|mesh| existing(&root.meshes, mesh, "mesh")).transpose()?;
    skin.map(|skin| existing(&root.skins, skin, "skin")).transpose()?;
    camera.map(|camera| existing(&root.cameras, camera, "camera")).transpose()?;
    light.map(|light| existing(&model.lights, light, "light")).transpose()?;
    let visibility = json.extensions.as_ref().and_then(|extensions| extensions.others.get("KHR_node_visibility"));
    let visible = visibility.and_then(|extension| extension.get("visible")).and_then(Value::as_bool).unwrap_or(true);
    let extras = json.extras.as_deref().map(read_extras).unwrap_or_default();
    Ok(Node { name: json.name.clone(), source, mesh, skin, camera, light, visible, extras, ..Node::default() })
}

/// Reads the properties of `extras`, sorted by name. Their values stay text, because parsed values can take many times as much memory.
fn read_extras(extras: &RawValue) -> Vec<ExtraProperty> {
    match serde_json::from_str::<BTreeMap<String, &RawValue>>(extras.get()) {
        Ok(properties) => {
            properties.into_iter().map(|(name, value)| ExtraProperty { name: Some(name), json: value.get().to_owned() }).collect()
        }
        Err(_) => vec![ExtraProperty { name: None, json: extras.get().to_owned() }],
    }
}

/// Appends the node's rest weights to `rest_weights`, which holds those of all nodes. A node has one weight per morph target: its own
/// weights, or those of its mesh, or zeros. Returns their range. `mesh` is the node's mesh with its index.
fn append_rest_weights(
    root: &json::Root,
    source: usize,
    mesh: Option<(usize, &Mesh)>,
    rest_weights: &mut Vec<f32>,
    findings: &mut Findings,
) -> Result<std::ops::Range<usize>, LoadError> {
    let node_weights = root.nodes[source].weights.as_deref();
    let start = rest_weights.len();
    let Some((index, mesh)) = mesh else { return Ok(start..start) };
    let location = || Location::new("node", "nodes", source, root.nodes[source].name.as_deref());
    if (start + mesh.target_count) as u64 > MAX_MORPH_WEIGHTS {
        return Err(location().error(Problem::TooMany { what: "morph weights", max: MAX_MORPH_WEIGHTS }));
    }
    if let Some(count) = node_weights.map(<[f32]>::len).filter(|count| *count != mesh.target_count) {
        let [weights, targets] = [counted(count, "weight"), counted(mesh.target_count, "morph target")];
        let message = format!("{weights} for {targets}: excess ones are ignored, missing ones are 0.");
        findings.error("NODE_WEIGHTS_INVALID", &format!("/nodes/{source}/weights"), message);
    }
    let weights = node_weights.or(root.meshes[index].weights.as_deref()).unwrap_or_default();
    let finite = weights.iter().map(|&weight| if weight.is_finite() { weight } else { 0.0 });
    rest_weights.extend(finite.chain(std::iter::repeat(0.0)).take(mesh.target_count));
    Ok(start..rest_weights.len())
}

/// Reads the local transform of each node: translation, rotation and scale (TRS). A matrix is kept beside its TRS, because a TRS
/// cannot represent every matrix exactly.
fn read_transforms(root: &json::Root, order: NodeOrder, findings: &mut Findings) -> Hierarchy {
    let mut rest = Vec::with_capacity(order.sources.len());
    let mut fixed_local = Vec::with_capacity(order.sources.len());
    for &source in &order.sources {
        let matrix = read_matrix(&root.nodes[source], source, findings);
        rest.push(matrix.as_ref().map_or_else(|| read_trs(&root.nodes[source], source, findings), Trs::from_matrix));
        fixed_local.push(matrix.map(Box::new));
    }
    let parents = order.parents.into_iter().map(|parent| parent.map(NodeIndex)).collect();
    Hierarchy { fixed_local, ..Hierarchy::from_parents(parents, rest) }
}

/// Reads the matrix of a node, column-major in the file. `None` if it has none. The last row is dropped.
fn read_matrix(json: &json::Node, source: usize, findings: &mut Findings) -> Option<Affine3A> {
    let numbers = json.matrix.as_ref()?;
    let pointer = format!("/nodes/{source}/matrix");
    if json.translation.is_some() || json.rotation.is_some() || json.scale.is_some() {
        findings.error("NODE_MATRIX_TRS", &pointer, "The node has both a matrix and translation, rotation or scale; the matrix is used.");
    }
    let matrix = Mat4::from_cols_array(numbers);
    if !matrix.is_finite() {
        findings.error("NODE_MATRIX_INVALID", &pointer, "The matrix is not finite; the identity is used.");
        return Some(Affine3A::IDENTITY);
    }
    if matrix.row(3).to_array() != [0.0, 0.0, 0.0, 1.0] {
        findings.error("NODE_MATRIX_NON_TRS", &pointer, "The last row of the matrix is not 0, 0, 0, 1; it is replaced.");
    }
    Some(Affine3A::from_mat4(matrix))
}

/// Reads translation, rotation and scale of a node, with the specification's defaults. The rotation is not normalized.
fn read_trs(json: &json::Node, source: usize, findings: &mut Findings) -> Trs {
    let trs = Trs {
        translation: json.translation.map_or(Vec3A::ZERO, Vec3A::from),
        rotation: json.rotation.map_or(Quat::IDENTITY, |rotation| Quat::from_array(rotation.0)),
        scale: json.scale.map_or(Vec3A::ONE, Vec3A::from),
    };
    let pointer = || format!("/nodes/{source}");
    if !(trs.translation.is_finite() && trs.rotation.is_finite() && trs.scale.is_finite()) {
        findings.error("NODE_TRANSFORM_INVALID", &pointer(), "The transform is not finite; the identity is used.");
        return Trs::IDENTITY;
    }
    let length = trs.rotation.length();
    if (length - 1.0).abs() > 0.01 {
        let remedy = if length > 0.0 { "it is normalized" } else { "no rotation is used" };
        let message = format!("The rotation has length {}; {remedy}.", three_digits(length.into()));
        findings.error("ROTATION_NON_UNIT", &format!("{}/rotation", pointer()), message);
    }
    trs
}

/// Reads the scenes and the default scene. Returns an error if a listed node does not exist.
fn read_scenes(root: &json::Root, model: &mut Model, findings: &mut Findings) -> Result<(), LoadError> {
    for (index, json) in root.scenes.iter().enumerate() {
        let location = Location::new("scene", "scenes", index, json.name.as_deref());
        // The root nodes with their positions in the list.
        let mut roots = Vec::with_capacity(json.nodes.len());
        for (position, source) in json.nodes.iter().map(json::Index::value).enumerate() {
            let node = *existing(&model.node_of_source, source, "node").at(&location)?;
            if model.hierarchy.parent(node).is_some() {
                let message =
                    format!("Node {source} has a parent, but a scene may list only root nodes. The node is shown with its descendants.");
                findings.error("SCENE_NON_ROOT_NODE", &format!("{}/nodes/{position}", location.pointer), message);
            }
            roots.push((node, position));
        }
        // If a node is listed twice, show it once.
        roots.sort_unstable();
        if let Some([_, (_, position)]) = roots.array_windows().find(|[(first, _), (second, _)]| first == second) {
            let pointer = format!("{}/nodes/{position}", location.pointer);
            findings.error("DUPLICATE_ELEMENTS", &pointer, "The scene lists a node twice; the second is ignored.");
        }
        roots.dedup_by_key(|(node, _)| *node);
        let roots = roots.into_iter().map(|(node, _)| node).collect();
        model.scenes.push(Scene { name: json.name.clone(), roots });
    }
    if let Some(scene) = root.scene.map(|scene| scene.value()) {
        let location = Location { words: "the file".into(), pointer: "/scene".into() };
        existing(&model.scenes, scene, "scene").at(&location)?;
        model.default_scene = Some(scene);
    }
    Ok(())
}
