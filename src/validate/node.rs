//! Nodes and scenes (glTF 2.0, 3.5): transforms, attached objects, and a hierarchy without loops.

use glam::{DMat4, DVec3};
use serde_json::Value;

use crate::numbers::{counted, three_digits};
use crate::validate::accessor::data::QUATERNION_LENGTH_TOLERANCE;
use crate::validate::context::ValidationContext;
use crate::validate::node_relations::NodeRelations;
use crate::validate::read;

/// Checks all nodes, then all scenes.
pub fn check(context: &mut ValidationContext, relations: &NodeRelations) {
    for (index, json) in context.list("nodes").iter().enumerate() {
        let pointer = format!("/nodes/{index}");
        check_transform(context, json, &pointer);
        check_contents(context, json, &pointer);
        check_skin(context, index, json, relations);
    }
    check_parents(context, relations);
    check_mesh_weights(context);
    for (index, json) in context.list("scenes").iter().enumerate() {
        for (position, node) in read::indices(json, "nodes").filter(|(_, node)| relations.parent(*node).is_some()) {
            let message =
                format!("Node {node} has a parent, but a scene may list only root nodes. The node is shown with its descendants.");
            context.error("SCENE_NON_ROOT_NODE", &format!("/scenes/{index}/nodes/{position}"), message);
        }
    }
}

/// Checks the rotation and the matrix of a node.
fn check_transform(context: &mut ValidationContext, json: &Value, pointer: &str) {
    if let Some([x, y, z, w]) = read::numbers::<4>(json, "rotation") {
        let length = (x * x + y * y + z * z + w * w).sqrt();
        // The schema check reports numbers out of range.
        if [x, y, z, w].iter().all(|number| number.abs() <= 1.0) && (length - 1.0).abs() > QUATERNION_LENGTH_TOLERANCE {
            let used = if length > 0.0 { "it is normalized" } else { "no rotation is used" };
            let message = format!("The rotation has length {}; {used}.", three_digits(length));
            context.error("ROTATION_NON_UNIT", &format!("{pointer}/rotation"), message);
        }
    }
    let Some(matrix) = read::numbers::<16>(json, "matrix") else { return };
    let pointer = format!("{pointer}/matrix");
    if ["translation", "rotation", "scale"].iter().any(|key| json.get(key).is_some()) {
        let message = "The node has both a matrix and translation, rotation or scale; the matrix is used.";
        context.error("NODE_MATRIX_TRS", &pointer, message);
    }
    let matrix = DMat4::from_cols_array(&matrix);
    if matrix == DMat4::IDENTITY {
        context.info("NODE_MATRIX_DEFAULT", &pointer, "The matrix is the identity; omit it instead.");
    } else if !is_trs(&matrix) {
        let message = "The matrix cannot be decomposed into translation, rotation and scale; it is used with the last row 0, 0, 0, 1.";
        context.error("NODE_MATRIX_NON_TRS", &pointer, message);
    }
}

/// Returns whether a matrix can be decomposed: its axes are perpendicular, and its last row is that of an affine matrix.
fn is_trs(matrix: &DMat4) -> bool {
    /// Tolerance of the cosine of the angle between axes.
    const MAX_SKEW: f64 = 0.005;
    let axes: [DVec3; 3] = [matrix.x_axis.truncate(), matrix.y_axis.truncate(), matrix.z_axis.truncate()];
    let are_perpendicular = |a: DVec3, b: DVec3| a.dot(b).abs() <= MAX_SKEW * a.length() * b.length();
    let has_no_shear = are_perpendicular(axes[0], axes[1]) && are_perpendicular(axes[1], axes[2]) && are_perpendicular(axes[2], axes[0]);
    matrix.is_finite() && matrix.row(3).to_array() == [0.0, 0.0, 0.0, 1.0] && has_no_shear && matrix.determinant() != 0.0
}

/// Checks that a node with a skin or weights has a mesh, that the document has a list of lights if the node has a light, and that the
/// node's weights are as many as the morph targets.
fn check_contents(context: &mut ValidationContext, json: &Value, pointer: &str) {
    for key in ["skin", "weights"].into_iter().filter(|key| json.get(key).is_some() && read::index(json, "mesh").is_none()) {
        let message = format!("The node has `{key}`, but no mesh.");
        context.error("UNSATISFIED_DEPENDENCY", &format!("{pointer}/{key}"), message);
    }
    if context.lacks_root_extension("KHR_lights_punctual") && read::extension(json, "KHR_lights_punctual").is_some() {
        let message = "The node has a light, but the document has no KHR_lights_punctual with a list of lights.";
        context.error("UNSATISFIED_DEPENDENCY", &format!("{pointer}/extensions/KHR_lights_punctual"), message);
    }
    let Some(mesh) = read::index(json, "mesh").and_then(|mesh| context.list("meshes").get(mesh)) else { return };
    let Some(primitive) = read::list(mesh, "primitives").first() else { return };
    let targets = read::list(primitive, "targets").len();
    if let Some(weights) = json.get("weights").and_then(Value::as_array).filter(|weights| weights.len() != targets) {
        let [weights, targets] = [counted(weights.len(), "weight"), counted(targets, "morph target")];
        let message = format!("{weights} for {targets}: excess ones are ignored, missing ones are 0.");
        context.error("NODE_WEIGHTS_INVALID", &format!("{pointer}/weights"), message);
    }
}

/// Reports the weights of a mesh if they have no effect, because all nodes with the mesh have their own weights.
fn check_mesh_weights(context: &mut ValidationContext) {
    let meshes = context.list("meshes");
    let (mut used, mut needed) = (vec![false; meshes.len()], vec![false; meshes.len()]);
    for node in context.list("nodes") {
        let Some(mesh) = read::index(node, "mesh").filter(|&mesh| mesh < meshes.len()) else { continue };
        used[mesh] = true;
        needed[mesh] |= node.get("weights").is_none();
    }
    for (index, _) in meshes.iter().enumerate().filter(|(index, mesh)| mesh.get("weights").is_some() && used[*index] && !needed[*index]) {
        let message = "All nodes with this mesh have their own weights.";
        context.info("UNUSED_MESH_WEIGHTS", &format!("/meshes/{index}/weights"), message);
    }
}

/// Reports a node that is empty and unused, and compares the skin of the node with its mesh and its transform.
fn check_skin(context: &mut ValidationContext, index: usize, json: &Value, relations: &NodeRelations) {
    let pointer = format!("/nodes/{index}");
    let refers_to = |(key, array): (&str, &str)| read::index(json, key).is_some_and(|index| index < context.list(array).len());
    let has_object = [("mesh", "meshes"), ("camera", "cameras"), ("skin", "skins")].into_iter().any(refers_to);
    // An empty node may still serve as a joint, or move through an animation.
    let is_empty = !has_object && json.get("extensions").is_none() && json.get("extras").is_none();
    if is_empty && read::list(json, "children").is_empty() && !relations.is_joint(index) && !relations.is_animated(index) {
        context.info("NODE_EMPTY", &pointer, "The node is empty and unused.");
    }
    // Compare mesh and skin. Broken references are reported elsewhere.
    let Some(is_skinned) = read::index(json, "mesh").and_then(|mesh| relations.has_joints(mesh)) else { return };
    let skin = read::index(json, "skin").filter(|&skin| skin < context.list("skins").len());
    match (skin, is_skinned) {
        (Some(_), false) => {
            let message = "The node has a skin, but its mesh has no joints; it is drawn at the node.";
            return context.error("NODE_SKIN_WITH_NON_SKINNED_MESH", &pointer, message);
        }
        (None, true) => {
            let message = "The node's mesh has joints, but the node has no skin; the mesh is drawn at the node.";
            return context.warning("NODE_SKINNED_MESH_WITHOUT_SKIN", &pointer, message);
        }
        (Some(_), true) => {}
        (None, false) => return,
    }
    if relations.parent(index).is_some() {
        let message = "The parents of this node do not move its mesh, which follows the joints.";
        context.warning("NODE_SKINNED_MESH_NON_ROOT", &pointer, message);
    }
    if has_transform(json) {
        let message = "The node's own transform does not move its mesh, which follows the joints.";
        context.warning("NODE_SKINNED_MESH_LOCAL_TRANSFORMS", &pointer, message);
    }
}

/// Returns whether a node's transform differs from the identity.
fn has_transform(json: &Value) -> bool {
    let matrix = read::numbers::<16>(json, "matrix").is_some_and(|matrix| matrix != DMat4::IDENTITY.to_cols_array());
    let translation = read::numbers::<3>(json, "translation").is_some_and(|translation| translation != [0.0; 3]);
    let rotation = read::numbers::<4>(json, "rotation").is_some_and(|rotation| rotation != [0.0, 0.0, 0.0, 1.0]);
    let scale = read::numbers::<3>(json, "scale").is_some_and(|scale| scale != [1.0; 3]);
    matrix || translation || rotation || scale
}

/// Checks that every node has at most one parent, and that none is its own ancestor.
fn check_parents(context: &mut ValidationContext, relations: &NodeRelations) {
    let nodes = context.list("nodes");
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (parent, json) in nodes.iter().enumerate() {
        for (position, child) in read::indices(json, "children").filter(|(_, child)| *child < nodes.len()) {
            let previous = parents[child].replace(parent);
            if let Some(previous) = previous.filter(|previous| *previous != parent) {
                let message = format!("Node {child} is already a child of node {previous}.");
                context.error("NODE_PARENT_OVERRIDE", &format!("/nodes/{parent}/children/{position}"), message);
            }
        }
    }
    for node in relations.on_loops() {
        let message = format!("Node {node} is its own ancestor; the loop is cut.");
        context.error("NODE_LOOP", &format!("/nodes/{node}"), message);
    }
}
