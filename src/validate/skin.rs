//! Skins: that the joints have a common root, which scenes they are in, and inverse bind matrices of the right form. The parents of
//! nodes are worked out here, once for all checks.

use std::collections::HashSet;

use gltf::json::accessor::{ComponentType, Type};
use serde_json::Value;

use super::read;
use super::subject::{Duty, Subject, format};

/// Where a node stands in depth-first order.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    root: usize,
    first: usize,
    /// Behind its last descendant.
    end: usize,
}

/// What nodes have to do with each other, by the file's indices.
pub struct Skinning {
    parents: Vec<Option<usize>>,
    /// None: the node hangs on a loop.
    places: Vec<Option<Place>>,
    joints: HashSet<usize>,
    animated: HashSet<usize>,
    /// For each mesh, whether a primitive of it has joints.
    skinned: Vec<bool>,
}

impl Skinning {
    pub fn new(root: &Value) -> Self {
        let nodes = read::list(root, "nodes");
        let mut parents = vec![None; nodes.len()];
        for (parent, json) in nodes.iter().enumerate() {
            for (_, child) in read::indices(json, "children") {
                // As for the validator, the last one counts; loading refuses such a file.
                if let Some(found) = parents.get_mut(child) {
                    *found = Some(parent);
                }
            }
        }
        let places = places(&parents);
        let joints = read::list(root, "skins").iter().flat_map(|skin| read::indices(skin, "joints")).map(|(_, joint)| joint).collect();
        let channels = read::list(root, "animations").iter().flat_map(|animation| read::list(animation, "channels"));
        let animated = channels.filter_map(|channel| read::index(channel.get("target")?, "node")).collect();
        let is_skinned = |mesh: &Value| {
            let has = |primitive: &Value, name| primitive.get("attributes").is_some_and(|attributes| attributes.get(name).is_some());
            read::list(mesh, "primitives").iter().any(|primitive| has(primitive, "JOINTS_0") && has(primitive, "WEIGHTS_0"))
        };
        let skinned = read::list(root, "meshes").iter().map(is_skinned).collect();
        Self { parents, places, joints, animated, skinned }
    }

    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents.get(node).copied().flatten()
    }

    pub fn is_joint(&self, node: usize) -> bool {
        self.joints.contains(&node)
    }

    pub fn is_animated(&self, node: usize) -> bool {
        self.animated.contains(&node)
    }

    /// Whether a mesh has joints; none: there is no such mesh.
    pub fn has_joints(&self, mesh: usize) -> Option<bool> {
        self.skinned.get(mesh).copied()
    }

    fn root(&self, node: usize) -> Option<usize> {
        Some(self.places.get(node).copied().flatten()?.root)
    }

    /// Whether `ancestor` is this node or above it.
    fn is_above(&self, ancestor: usize, node: usize) -> bool {
        let place = |node: usize| self.places.get(node).copied().flatten();
        place(ancestor).zip(place(node)).is_some_and(|(above, below)| (above.first..above.end).contains(&below.first))
    }

    /// The nodes that are their own ancestors.
    pub fn on_loops(&self) -> Vec<usize> {
        let mut on_loops = Vec::new();
        let mut seen = vec![false; self.parents.len()];
        for start in (0..self.parents.len()).filter(|&node| self.places[node].is_none()) {
            // To where the way up was already walked: what it closes with, if anything, is a new loop.
            let (mut way, mut node) = (Vec::new(), start);
            while !std::mem::replace(&mut seen[node], true) {
                way.push(node);
                let Some(parent) = self.parent(node) else { break };
                node = parent;
            }
            if let Some(first) = way.iter().position(|&other| other == node) {
                on_loops.extend_from_slice(&way[first..]);
            }
        }
        on_loops.sort_unstable();
        on_loops
    }
}

/// Depth-first from every root; what no root leads to hangs on a loop and has no place.
fn places(parents: &[Option<usize>]) -> Vec<Option<Place>> {
    let mut children = vec![Vec::new(); parents.len()];
    for (node, parent) in parents.iter().enumerate() {
        if let Some(parent) = *parent {
            children[parent].push(node);
        }
    }
    let mut places: Vec<Option<Place>> = vec![None; parents.len()];
    let mut next = 0;
    for root in (0..parents.len()).filter(|&node| parents[node].is_none()) {
        let mut stack = vec![(root, false)];
        while let Some((node, is_left)) = stack.pop() {
            if is_left {
                places[node].get_or_insert_default().end = next;
                continue;
            }
            places[node] = Some(Place { root, first: next, end: next });
            next += 1;
            stack.push((node, true));
            stack.extend(children[node].iter().map(|&child| (child, false)));
        }
    }
    places
}

pub fn check(subject: &mut Subject, skinning: &Skinning) {
    for (index, json) in subject.list("skins").iter().enumerate() {
        let place = format!("/skins/{index}");
        let joints: Vec<usize> =
            read::indices(json, "joints").map(|(_, joint)| joint).filter(|&joint| joint < skinning.parents.len()).collect();
        check_root(subject, json, &joints, skinning, &place);
        check_matrices(subject, json, &format!("{place}/inverseBindMatrices"));
    }
    check_scenes(subject, skinning);
}

fn check_root(subject: &mut Subject, json: &Value, joints: &[usize], skinning: &Skinning, place: &str) {
    let Some(first) = joints.first().map(|&joint| skinning.root(joint)) else { return };
    if joints.iter().any(|&joint| skinning.root(joint) != first) {
        let message = "The joints have no common root; each part moves with its own.";
        subject.error("SKIN_NO_COMMON_ROOT", &format!("{place}/joints"), message);
    }
    let Some(skeleton) = read::index(json, "skeleton").filter(|&skeleton| skeleton < skinning.parents.len()) else { return };
    if !joints.iter().all(|&joint| skinning.is_above(skeleton, joint)) {
        let message = format!("Node {skeleton} is not above all joints; nothing here depends on it.");
        subject.error("SKIN_SKELETON_INVALID", &format!("{place}/skeleton"), message);
    }
}

fn check_matrices(subject: &mut Subject, json: &Value, place: &str) {
    let Some((index, accessor)) = subject.accessor(json, "inverseBindMatrices") else { return };
    let Some(layout) = accessor.layout else { return };
    if layout.shape == Type::Mat4 && layout.component == ComponentType::F32 {
        subject.duties.push((index, Duty::InverseBindMatrices, place.to_owned()));
    } else {
        subject.error("SKIN_IBM_INVALID_FORMAT", place, format!("Inverse bind matrices cannot be {}.", format(&accessor)));
    }
    let joints = read::list(json, "joints").len() as u64;
    if layout.count < joints {
        let message = format!("{} inverse bind matrices for {joints} joints.", layout.count);
        subject.error("INVALID_IBM_ACCESSOR_COUNT", place, message);
    }
}

/// A node with a skin is shown in scenes that have its joints. Of a thousand scenes nothing is said: it would take for ever.
fn check_scenes(subject: &mut Subject, skinning: &Skinning) {
    const MOST: usize = 16;
    let scenes: Vec<HashSet<usize>> =
        subject.list("scenes").iter().take(MOST).map(|scene| read::indices(scene, "nodes").map(|(_, node)| node).collect()).collect();
    let root_of_skin = |skin: &Value| read::indices(skin, "joints").find_map(|(_, joint)| skinning.root(joint));
    let skin_roots: Vec<Option<usize>> = subject.list("skins").iter().map(root_of_skin).collect();
    for (index, json) in subject.list("nodes").iter().enumerate() {
        let skin = read::index(json, "skin").filter(|_| json.get("mesh").is_some());
        let Some(root) = skin.and_then(|skin| *skin_roots.get(skin)?) else { continue };
        let Some(own) = skinning.root(index) else { continue };
        if scenes.iter().any(|roots| roots.contains(&own) && !roots.contains(&root)) {
            let message = "The node is shown in a scene that does not have the joints of its skin.";
            subject.error("NODE_SKIN_NO_SCENE", &format!("/nodes/{index}"), message);
        }
    }
}
