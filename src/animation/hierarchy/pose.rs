//! A pose (local transforms, morph weights, pointer values), and its global transforms in f64.

use glam::{DAffine3, DVec3};

use crate::model::Model;
use crate::model::hierarchy::{Hierarchy, Trs};

/// All values of a model that animations change, allocated once at load.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pose {
    /// Local transforms, one per node, in model order. Ignored for nodes with a matrix in [`Hierarchy::fixed_local`].
    pub locals: Vec<Trs>,
    /// Morph weights of all nodes; [`crate::model::node::Node::weights`] is a node's range.
    pub weights: Vec<f32>,
    /// Values of all KHR_animation_pointer targets; [`crate::model::pointer::Pointer::values`] is a pointer's range.
    pub pointer_values: Vec<f32>,
}

impl Pose {
    /// Returns the rest pose.
    pub fn rest(model: &Model) -> Self {
        Self {
            locals: model.hierarchy.rest.clone(),
            weights: model.rest_weights.clone(),
            pointer_values: model.rest_pointer_values.clone(),
        }
    }

    /// Resets all values to rest, so that no value of another animation remains.
    pub fn reset(&mut self, model: &Model) {
        self.locals.copy_from_slice(&model.hierarchy.rest);
        self.weights.copy_from_slice(&model.rest_weights);
        self.pointer_values.copy_from_slice(&model.rest_pointer_values);
    }

    /// Resets some nodes to rest, with the pointer values that belong to them. `nodes` are ascending indices.
    pub fn reset_nodes(&mut self, model: &Model, nodes: &[usize]) {
        for &node in nodes {
            self.locals[node] = model.hierarchy.rest[node];
            let weights = model.nodes[node].weights.clone();
            self.weights[weights.clone()].copy_from_slice(&model.rest_weights[weights]);
        }
        if nodes.is_empty() {
            return;
        }
        for pointer in &model.pointers {
            if pointer.property.node().is_some_and(|node| nodes.binary_search(&node.index()).is_ok()) {
                self.pointer_values[pointer.values.clone()].copy_from_slice(&model.rest_pointer_values[pointer.values.clone()]);
            }
        }
    }
}

/// Returns a node's transform relative to its parent. `locals` has one entry per node.
pub fn local_matrix(hierarchy: &Hierarchy, locals: &[Trs], node: usize) -> DAffine3 {
    match &hierarchy.fixed_local[node] {
        Some(matrix) => matrix.as_daffine3(),
        None => locals[node].to_matrix(),
    }
}

/// Does the same for a node that may be sampled in f64. `far` has node index and translation of the nodes that are, by ascending index.
pub fn far_local_matrix(hierarchy: &Hierarchy, locals: &[Trs], far: &[(usize, DVec3)], node: usize) -> DAffine3 {
    let local = local_matrix(hierarchy, locals, node);
    match far.binary_search_by_key(&node, |(node, _)| *node) {
        Ok(found) => DAffine3 { translation: far[found].1, ..local },
        Err(_) => local,
    }
}

/// Writes the global transforms of all nodes in f64, in one pass, because parents precede their children (glTF 2.0, 3.5.3).
///
/// Commands and panels show these numbers; pictures are drawn from [`super::globals`]. `locals` and `globals` have one entry per node, in
/// model order. `far` has node index and translation of nodes that are sampled in f64 ([`super::far_nodes`]), by ascending index.
pub fn global_transforms(hierarchy: &Hierarchy, locals: &[Trs], far: &[(usize, DVec3)], globals: &mut [DAffine3]) {
    update_global_transforms(hierarchy, 0..hierarchy.len(), locals, far, globals);
}

/// Writes the global transforms of some nodes, parents first. The global transforms of all ancestors that are not among these nodes must be
/// up to date. The other arguments are as for [`global_transforms`].
pub fn update_global_transforms(
    hierarchy: &Hierarchy,
    nodes: impl Iterator<Item = usize>,
    locals: &[Trs],
    far: &[(usize, DVec3)],
    globals: &mut [DAffine3],
) {
    for node in nodes {
        let local = far_local_matrix(hierarchy, locals, far, node);
        globals[node] = match hierarchy.parents[node] {
            Some(parent) => globals[parent.index()] * local,
            None => local,
        };
    }
}
