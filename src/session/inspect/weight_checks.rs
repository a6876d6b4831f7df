//! Finds possible mistakes in skin weights: vertices with more joints than many programs support, weights that do not sum to one, and
//! joints that move nothing.

use crate::model::Model;
use crate::model::mesh::{Primitive, UnevenWeights};
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::pick::vertex::Vertex;

/// Number of joints per vertex that most game engines support.
pub const USUAL_JOINT_COUNT: usize = 4;
/// Number of joints per vertex that some game engines support.
pub const MANY_JOINT_COUNT: usize = 8;
/// Maximum number of vertices that are listed per kind of mistake.
const MAX_LISTED_VERTICES: usize = UnevenWeights::MAX_VERTICES;

/// Possible mistakes by kind, each in model order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Faults {
    /// Vertices that more than [`USUAL_JOINT_COUNT`] distinct joints move, with the number of these joints.
    pub too_many_joints: Listed<usize>,
    /// The vertex with the most distinct joints, if these are more than [`USUAL_JOINT_COUNT`], with the number of these joints.
    pub max_joints: Option<(Vertex, usize)>,
    /// Number of vertices with more than [`MANY_JOINT_COUNT`] distinct joints.
    pub above_many_joint_count: usize,
    /// The first vertex with a weight in a set after JOINTS_0 and WEIGHTS_0, and the number of such vertices.
    pub later_sets: Option<(Vertex, usize)>,
    /// Vertices whose weights do not sum to one in the file, with the sum.
    pub unnormalized: Listed<f32>,
    /// Number of the vertices in `unnormalized` without any weight.
    pub unweighted: usize,
    /// Joints that move no vertex and carry no mesh.
    pub joints_without_weights: Vec<NodeIndex>,
}

/// The first vertices with one kind of mistake, and the number of all such vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<T> {
    /// At most `MAX_LISTED_VERTICES` vertices, each with the value that is wrong.
    pub vertices: Vec<(Vertex, T)>,
    /// Number of all vertices of the kind.
    pub count: usize,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { vertices: Vec::new(), count: 0 }
    }
}

impl<T> Listed<T> {
    /// Counts a vertex, and lists it if there is room.
    fn add(&mut self, vertex: Vertex, value: T) {
        self.count += 1;
        if self.vertices.len() < MAX_LISTED_VERTICES {
            self.vertices.push((vertex, value));
        }
    }
}

/// Checks all weights of a document. A mesh that several nodes show is checked once, at the first of them that has a skin.
pub fn faults(document: &Document) -> Faults {
    let model = &document.model;
    let mut faults = Faults::default();
    let mut seen = vec![false; model.meshes.len()];
    let mut moves: Vec<bool> = vec![false; model.nodes.len()];
    for (node, mesh) in model.node_indices().filter_map(|node| Some((node, model.node(node).mesh?))) {
        let first = model.node(node).skin.is_some() && !std::mem::replace(&mut seen[mesh], true);
        for (primitive_index, primitive) in model.meshes[mesh].primitives.iter().enumerate() {
            // The owner joint of a rigid mesh moves it, so it is not idle.
            let Some(skin) = model.node(node).skin.filter(|_| primitive.vertices.influences.sets > 0) else {
                document.owner_joints[node.index()].iter().for_each(|owner| moves[owner.index()] = true);
                continue;
            };
            mark_moving(model, skin, primitive, &mut moves);
            if first {
                let vertex = |vertex| Vertex { node, primitive: primitive_index, vertex };
                add_vertices(primitive, vertex, &mut faults);
            }
        }
    }
    let joints = model.joints();
    faults.joints_without_weights = model.node_indices().filter(|node| joints[node.index()] && !moves[node.index()]).collect();
    faults
}

/// Adds the faulty vertices of a primitive.
fn add_vertices(primitive: &Primitive, vertex: impl Fn(u32) -> Vertex, faults: &mut Faults) {
    let influences = &primitive.vertices.influences;
    // One set of influences has at most four joints.
    let many = if influences.sets > 1 { primitive.source_vertex_count as u32 } else { 0 };
    let mut joints = Vec::new();
    for index in 0..many {
        let sets = index as usize * influences.sets..(index as usize + 1) * influences.sets;
        let weights = influences.weights.get(sets).unwrap_or_default();
        if weights.iter().skip(1).flatten().any(|weight| *weight > 0.0) {
            faults.later_sets.get_or_insert((vertex(index), 0)).1 += 1;
        }
        let count = influences.joint_count(index as usize, &mut joints);
        if count > USUAL_JOINT_COUNT {
            faults.too_many_joints.add(vertex(index), count);
            faults.above_many_joint_count += usize::from(count > MANY_JOINT_COUNT);
            if faults.max_joints.is_none_or(|(_, most)| count > most) {
                faults.max_joints = Some((vertex(index), count));
            }
        }
    }
    let uneven = &primitive.vertices.uneven_weights;
    for &(index, sum) in &uneven.listed {
        faults.unnormalized.add(vertex(index), sum);
    }
    // The loader counts all vertices but keeps only the first ones.
    faults.unnormalized.count += uneven.count - uneven.listed.len();
    faults.unweighted += uneven.zero;
}

/// Marks the joints of a skin that move a vertex of a primitive.
fn mark_moving(model: &Model, skin: usize, primitive: &Primitive, moves: &mut [bool]) {
    let influences = &primitive.vertices.influences;
    let joints = &model.skins[skin].joints;
    for (joint, _) in influences.joints.as_flattened().iter().zip(influences.weights.as_flattened()).filter(|(_, weight)| **weight > 0.0) {
        if let Some(joint) = joints.get(usize::from(*joint)) {
            moves[joint.index()] = true;
        }
    }
}
