//! Poses the far nodes: nodes that are so far from the origin that `f32` is too coarse for their descendants.
//!
//! A parent or a root motion 100 km from the origin would make the model tremble by millimeters. Far nodes and their ancestors are
//! posed in f64, relative to an anchor, which is one of them. `f32` is exact enough for all other nodes, because their own transforms
//! are small. Most files have no far nodes, and the anchor is the origin.

use glam::{DAffine3, DVec3};

use crate::model::Model;
use crate::model::animation::{Animation, Interpolation, Target};
use crate::model::hierarchy::Trs;
use crate::model::mesh::Mesh;
use crate::model::node::NodeIndex;

use super::pose;

/// Distance beyond which nodes are far, as a multiple of the model's size. At smaller distances, the rounding error of `f32` is below a
/// millionth of that size.
const FAR_FACTOR: f64 = 16.0;

/// The far nodes of a model.
#[derive(Debug, Clone, Default)]
pub struct FarNodes {
    /// Node indices, parents before children.
    pub nodes: Vec<usize>,
    /// For each far node, the index of its parent in `nodes`. `None` if it has no parent.
    parents: Vec<Option<usize>>,
    /// The palette entries of the far nodes.
    pub entries: Vec<FarEntry>,
    /// Index in `nodes` of the node that the anchor moves with.
    anchor: Option<usize>,
    /// Position of the anchor in the space of that node. It is not the origin if the node's instances are far from it.
    anchor_position: DVec3,
}

/// A palette entry of a far node.
#[derive(Debug, Clone)]
pub struct FarEntry {
    /// Index in [`FarNodes::nodes`].
    pub far_node: usize,
    /// Index in the palette.
    pub entry: usize,
    /// Inverse bind matrix of the joint; for a rigid node, the translation to the center of its far instances, or the identity.
    pub inverse_bind_matrix: DAffine3,
}

impl FarNodes {
    /// Finds the far nodes. `rest_globals` has the global transforms of the rest pose, one per node. `center` is the index of a node near
    /// the middle of the model.
    pub fn new(model: &Model, rest_globals: &[DAffine3], center: usize) -> Self {
        // A node is far if its translation (at rest or in any animation) or that of one of its inverse bind matrices exceeds `reach`.
        let reach = FAR_FACTOR * size(model, rest_globals);
        let mut is_far = vec![false; model.nodes.len()];
        let scale = |node: usize| model.hierarchy.parents[node].map_or(1.0, |parent| largest_scale(&rest_globals[parent.index()]));
        for (node, is_far) in is_far.iter_mut().enumerate() {
            *is_far = pose::local_matrix(&model.hierarchy, &model.hierarchy.rest, node).translation.length() * scale(node) > reach;
        }
        for channel in model.animations.iter().flat_map(|animation| &animation.channels) {
            let Target::Translation(node) = channel.target else { continue };
            let furthest = channel.output.iter().fold(0.0f32, |furthest, x| furthest.max(x.abs()));
            // Tangents are per second, so they may be large even if all values are small.
            let has_far_values =
                channel.interpolation != Interpolation::CubicSpline || values_reach(&channel.output, reach / scale(node.index()));
            is_far[node.index()] |= f64::from(furthest) * scale(node.index()) > reach && has_far_values;
        }
        for skin in &model.skins {
            for (joint, inverse_bind_matrix) in skin.joints.iter().zip(&skin.inverse_bind_matrices) {
                let scale = largest_scale(&rest_globals[joint.index()]);
                is_far[joint.index()] |= inverse_bind_matrix.translation.as_dvec3().length() * scale > reach;
            }
        }
        model.far_instances.iter().for_each(|(node, _)| is_far[node.index()] = true);
        // Ancestors of far nodes are far too, so that the parent of a far node is known in f64. Go backward, to visit children first.
        for node in (0..is_far.len()).rev() {
            if let Some(parent) = model.hierarchy.parents[node].filter(|_| is_far[node]) {
                is_far[parent.index()] = true;
            }
        }
        Self::with_nodes(model, &is_far, center)
    }

    /// Collects parents, palette entries and the anchor of the far nodes. `is_far` has one entry per node, in model order.
    fn with_nodes(model: &Model, is_far: &[bool], center: usize) -> Self {
        let nodes: Vec<usize> = (0..is_far.len()).filter(|&node| is_far[node]).collect();
        let index_of = |node: usize| nodes.binary_search(&node).ok();
        let parents = nodes.iter().map(|&node| model.hierarchy.parents[node].and_then(|parent| index_of(parent.index()))).collect();
        let mut entries = Vec::new();
        for skin in &model.skins {
            for (entry, joint, inverse_bind_matrix) in skin.entries() {
                entries.extend(index_of(joint.index()).map(|far_node| FarEntry {
                    far_node,
                    entry,
                    inverse_bind_matrix: inverse_bind_matrix.as_daffine3(),
                }));
            }
        }
        entries.extend(nodes.iter().enumerate().filter_map(|(far_node, &node)| {
            let inverse_bind_matrix = DAffine3::from_translation(model.instances_center(NodeIndex(node as u32)));
            Some(FarEntry { far_node, entry: model.nodes[node].rigid_matrix?, inverse_bind_matrix })
        }));
        // The anchor is the nearest far node at or above the center, or the far instances of the center.
        let mut ancestors =
            std::iter::successors((center < is_far.len()).then_some(center), |&node| Some(model.hierarchy.parents[node]?.index()));
        let anchor = ancestors.find_map(index_of);
        Self { nodes, parents, entries, anchor, anchor_position: model.instances_center(NodeIndex(center as u32)) }
    }

    /// Writes the global transforms of the far nodes, in the order of `nodes`. `far` has node index and translation of the nodes that are
    /// sampled in f64, by ascending index.
    pub fn globals(&self, model: &Model, locals: &[Trs], far: &[(usize, DVec3)], globals: &mut Vec<DAffine3>) {
        globals.clear();
        for (&node, parent) in self.nodes.iter().zip(&self.parents) {
            let local = pose::far_local_matrix(&model.hierarchy, locals, far, node);
            globals.push(parent.map_or(local, |parent| globals[parent] * local));
        }
    }

    /// Returns the point, in global space, that palettes and the camera are relative to. `globals` has one entry per far node.
    pub fn anchor(&self, globals: &[DAffine3]) -> DVec3 {
        let global = self.anchor.and_then(|far_node| globals.get(far_node));
        let anchor = global.map_or(DVec3::ZERO, |global| global.transform_point3(self.anchor_position));
        if anchor.is_finite() { anchor } else { DVec3::ZERO }
    }

    /// Returns the indices of channels whose translations must be sampled in f64, ordered by node.
    pub fn channels(&self, animation: &Animation) -> Vec<usize> {
        let is_far = |target: Target| matches!(target, Target::Translation(node) if self.nodes.binary_search(&node.index()).is_ok());
        let mut channels: Vec<usize> =
            (0..animation.channels.len()).filter(|&channel| is_far(animation.channels[channel].target)).collect();
        channels.sort_by_key(|&channel| animation.channels[channel].target.node());
        channels
    }
}

/// Returns whether any value (not tangent) of CUBICSPLINE keys exceeds `reach`, in meters.
fn values_reach(output: &[f32], reach: f64) -> bool {
    output.chunks_exact(9).any(|key| key[3..6].iter().any(|x| f64::from(x.abs()) > reach))
}

/// Estimates the radius of the model, in meters, from joints, nodes with meshes, and the meshes themselves. Returns 1 if the model has none
/// of these.
///
/// `rest_globals` has the global transforms of the rest pose, one per node.
pub fn size(model: &Model, rest_globals: &[DAffine3]) -> f64 {
    let joints = model.joints();
    // A skinned mesh lies at its joints, wherever its node is (glTF 2.0, 3.7.3.3).
    let visible =
        (0..model.nodes.len()).filter(|&node| joints[node] || model.nodes[node].mesh.is_some() && model.nodes[node].skin.is_none());
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut largest_mesh = 0.0f64;
    let mut mesh_sizes: Vec<Option<f64>> = vec![None; model.meshes.len()];
    for node in visible {
        let position = rest_globals[node].translation;
        (low, high) = (low.min(position), high.max(position));
        if let Some(mesh) = model.nodes[node].mesh.filter(|_| model.nodes[node].skin.is_none()) {
            let mesh_size = *mesh_sizes[mesh].get_or_insert_with(|| mesh_size(&model.meshes[mesh]));
            largest_mesh = largest_mesh.max(mesh_size * largest_scale(&rest_globals[node]));
        }
    }
    let spread = if low.is_finite() && high.is_finite() { (high - low).length() / 2.0 } else { 0.0 };
    let size = spread.max(largest_mesh);
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// Estimates the size of a mesh from a few vertices, because only the order of magnitude matters.
fn mesh_size(mesh: &Mesh) -> f64 {
    let reach = |positions: &[glam::Vec3]| {
        let step = (positions.len() / 256).max(1);
        let first = positions.first().copied().unwrap_or_default();
        positions.iter().step_by(step).map(|position| f64::from(position.distance(first))).fold(0.0, f64::max)
    };
    mesh.primitives.iter().map(|primitive| reach(&primitive.vertices.positions)).fold(0.0, f64::max)
}

/// The largest scale along the axes of a matrix.
fn largest_scale(matrix: &DAffine3) -> f64 {
    let m = matrix.matrix3;
    m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length())
}
