//! Skins (glTF 2.0, 3.7.3): whether the joints have a common root, whether scenes have both the mesh and the joints, and the format of
//! inverse bind matrices.

use std::collections::HashSet;

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use crate::numbers::{agreeing, counted};
use crate::validate::context::{ValidationContext, ValueRule, format};
use crate::validate::node_relations::NodeRelations;
use crate::validate::read;

/// Checks all skins.
pub fn check(context: &mut ValidationContext, relations: &NodeRelations) {
    for (index, json) in context.list("skins").iter().enumerate() {
        let pointer = format!("/skins/{index}");
        let joints: Vec<usize> =
            read::indices(json, "joints").map(|(_, joint)| joint).filter(|&joint| joint < relations.node_count()).collect();
        check_root(context, json, &joints, relations, &pointer);
        check_matrices(context, json, &format!("{pointer}/inverseBindMatrices"));
    }
    check_scenes(context, relations);
}

/// Checks that all joints are below one root, and below the skin's `skeleton` if it has one.
fn check_root(context: &mut ValidationContext, json: &Value, joints: &[usize], relations: &NodeRelations, pointer: &str) {
    let first_root = joints.first().map(|&joint| relations.root(joint));
    let is_listed = !read::list(json, "joints").is_empty();
    if is_listed && (first_root.is_none() || joints.iter().any(|&joint| Some(relations.root(joint)) != first_root)) {
        let message = "The joints have no common root; each part moves with its own root.";
        context.error("SKIN_NO_COMMON_ROOT", &format!("{pointer}/joints"), message);
    }
    let Some(skeleton) = read::index(json, "skeleton").filter(|&skeleton| skeleton < relations.node_count()) else { return };
    if joints.is_empty() || !joints.iter().all(|&joint| relations.is_above(skeleton, joint)) {
        let message = format!("Node {skeleton} is not an ancestor of all joints; it is ignored.");
        context.error("SKIN_SKELETON_INVALID", &format!("{pointer}/skeleton"), message);
    }
}

/// Checks the format and the number of the inverse bind matrices. Their values are checked later.
fn check_matrices(context: &mut ValidationContext, json: &Value, pointer: &str) {
    let Some((index, accessor)) = context.accessor(json, "inverseBindMatrices") else { return };
    let Some(layout) = accessor.layout else { return };
    if layout.shape == Type::Mat4 && layout.component == ComponentType::F32 {
        context.value_rules.push((index, ValueRule::InverseBindMatrices, pointer.to_owned()));
    } else {
        context.error("SKIN_IBM_INVALID_FORMAT", pointer, format!("Inverse bind matrices cannot be {}.", format(&accessor)));
    }
    let [matrices, joints] = [layout.count as usize, read::list(json, "joints").len()];
    if matrices < joints {
        let are = agreeing(matrices, "is", "are");
        let message = format!("There {are} {}, but {}.", counted(matrices, "inverse bind matrix"), counted(joints, "joint"));
        context.error("INVALID_IBM_ACCESSOR_COUNT", pointer, message);
    }
}

/// Checks that scenes with a skinned node also have its joints. Only the first few scenes are checked, to limit the time.
fn check_scenes(context: &mut ValidationContext, relations: &NodeRelations) {
    const MAX_SCENES: usize = 16;
    let scenes: Vec<HashSet<usize>> =
        context.list("scenes").iter().take(MAX_SCENES).map(|scene| read::indices(scene, "nodes").map(|(_, node)| node).collect()).collect();
    let root_of_skin = |skin: &Value| read::indices(skin, "joints").find_map(|(_, joint)| relations.root(joint));
    let skin_roots: Vec<Option<usize>> = context.list("skins").iter().map(root_of_skin).collect();
    for (index, json) in context.list("nodes").iter().enumerate() {
        let skin = read::index(json, "skin").filter(|_| json.get("mesh").is_some());
        let Some(joint_root) = skin.and_then(|skin| *skin_roots.get(skin)?) else { continue };
        let Some(node_root) = relations.root(index) else { continue };
        // A scene with the root of the node must also have the root of the joints.
        if scenes.iter().any(|roots| roots.contains(&node_root) && !roots.contains(&joint_root)) {
            let message = "The node is in a scene without the joints of its skin.";
            context.error("NODE_SKIN_NO_SCENE", &format!("/nodes/{index}"), message);
        }
    }
}
