//! Deforms vertices in the same way as the vertex shader, but on the CPU and in f64: for picking, for `sinew pose --vertices`, and to test
//! the shader.

use glam::{DAffine3, DMat3, DVec3};

use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;

/// The part of a pose that moves vertices.
#[derive(Debug, Clone, Copy)]
pub struct VertexPose<'a> {
    /// The palette in global space ([`super::skinning::joint_transforms`]), with the overrides of joints that are switched off.
    pub transforms: &'a [DAffine3],
    /// The point in global space that the drawn palette is relative to ([`super::far_nodes::FarNodes::anchor`]).
    pub anchor: DVec3,
    /// All morph weights.
    pub weights: &'a [f32],
}

/// Returns the global positions of some vertices of a primitive of `node`, in meters. The vertices are morphed, then skinned by all
/// influence sets (glTF 2.0, 3.7.3.3). If the node has no skin or the primitive has no influences, the transform of the node moves them
/// instead.
///
/// `vertices` are vertex indices. Instances of the node are ignored.
///
/// # Panics
///
/// Panics if a vertex index is outside the primitive.
pub fn positions(
    model: &Model,
    node: NodeIndex,
    primitive: &Primitive,
    pose: VertexPose,
    vertices: impl Iterator<Item = usize>,
) -> Vec<DVec3> {
    positions_from_morphed(model, node, primitive, pose, morphed(model, node, primitive, pose.weights), vertices)
}

/// Returns the same as [`positions`]. `morphed` maps a vertex index to its morphed position in mesh space.
pub fn positions_from_morphed(
    model: &Model,
    node: NodeIndex,
    primitive: &Primitive,
    pose: VertexPose,
    morphed: impl Fn(usize) -> DVec3,
    vertices: impl Iterator<Item = usize>,
) -> Vec<DVec3> {
    let (index, node) = (node, model.node(node));
    let sets = primitive.vertices.influences.sets;
    match node.skin.filter(|_| sets > 0) {
        Some(skin) => {
            let joints = &pose.transforms[model.skins[skin].matrices.clone()];
            vertices.map(|vertex| skinned(primitive, joints, pose.anchor, vertex, morphed(vertex))).collect()
        }
        None => {
            // The palette entry of a node with far instances contains their center.
            let node_from_center = DAffine3::from_translation(-model.instances_center(index));
            let global_from_node = node.rigid_matrix.map_or(DAffine3::IDENTITY, |entry| pose.transforms[entry] * node_from_center);
            vertices.map(|vertex| global_from_node.transform_point3(morphed(vertex))).collect()
        }
    }
}

/// Returns for some vertices of a primitive of `node` how a small displacement in mesh space moves the vertex in global space: the linear
/// part of the transform that [`positions`] applies.
///
/// # Panics
///
/// Panics if a vertex index is outside the primitive.
pub fn linear_transforms(
    model: &Model,
    node: NodeIndex,
    primitive: &Primitive,
    pose: VertexPose,
    vertices: impl Iterator<Item = usize>,
) -> Vec<DMat3> {
    let node = model.node(node);
    match node.skin.filter(|_| primitive.vertices.influences.sets > 0) {
        Some(skin) => {
            let joints = &pose.transforms[model.skins[skin].matrices.clone()];
            let linear = |vertex| influences(primitive, vertex).map(|(joint, weight)| joints[joint].matrix3 * weight);
            vertices.map(|vertex| linear(vertex).fold(DMat3::ZERO, |sum, part| sum + part)).collect()
        }
        None => {
            let linear = node.rigid_matrix.map_or(DMat3::IDENTITY, |entry| pose.transforms[entry].matrix3);
            vertices.map(|_| linear).collect()
        }
    }
}

/// Returns a function from vertex index to morphed position in mesh space. `weights` are all morph weights of the pose.
pub fn morphed<'a>(model: &Model, node: NodeIndex, primitive: &'a Primitive, weights: &[f32]) -> impl Fn(usize) -> DVec3 + use<'a> {
    let weights = &weights[model.node(node).weights.clone()];
    let targets: Vec<_> = primitive
        .vertices
        .targets
        .iter()
        .zip(weights)
        .filter(|(target, weight)| **weight != 0.0 && !target.positions.is_empty())
        .map(|(target, weight)| (&target.positions, f64::from(*weight)))
        .collect();
    move |vertex: usize| {
        let base = primitive.vertices.positions[vertex].as_dvec3();
        targets.iter().fold(base, |position, (deltas, weight)| position + deltas[vertex].as_dvec3() * *weight)
    }
}

/// Skins one vertex, from mesh space to global space. `joints` are the palette entries of the skin.
///
/// As in the vertex shader, the weighted sum is relative to the anchor. The weights may sum to slightly more or less than 1, which would
/// move a vertex far from the origin by meters.
fn skinned(primitive: &Primitive, joints: &[DAffine3], anchor: DVec3, vertex: usize, position: DVec3) -> DVec3 {
    let relative = influences(primitive, vertex).map(|(joint, weight)| (joints[joint].transform_point3(position) - anchor) * weight);
    anchor + relative.sum::<DVec3>()
}

/// The joints that a vertex follows, by their position in the skin, with their weights.
pub fn influences(primitive: &Primitive, vertex: usize) -> impl Iterator<Item = (usize, f64)> {
    primitive.vertices.influences.of_vertex(vertex).map(|(joint, weight)| (joint, f64::from(weight)))
}
