//! A pose: local transforms and morph weights, and the walk from locals to globals.

use glam::DAffine3;

use crate::model::Model;
use crate::model::hierarchy::{Hierarchy, Trs};

/// What moves, allocated once at load.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pose {
    /// One per node, in the model's order. Not looked at where `Hierarchy::fixed_local` holds a matrix.
    pub locals: Vec<Trs>,
    /// Every node's morph weights; [`crate::model::node::Node::weights`] is its range.
    pub weights: Vec<f32>,
}

impl Pose {
    /// The rest pose.
    pub fn rest(model: &Model) -> Self {
        Self { locals: model.hierarchy.rest.clone(), weights: model.rest_weights.clone() }
    }

    /// Back to rest, so that nothing of another animation stays behind.
    pub fn reset(&mut self, model: &Model) {
        self.locals.copy_from_slice(&model.hierarchy.rest);
        self.weights.copy_from_slice(&model.rest_weights);
    }
}

/// A node's transform relative to its parent.
pub fn local_matrix(hierarchy: &Hierarchy, locals: &[Trs], node: usize) -> DAffine3 {
    match &hierarchy.fixed_local[node] {
        Some(matrix) => matrix.as_daffine3(),
        None => locals[node].to_matrix(),
    }
}

/// Global transforms of all nodes, in one pass: parents stand before their children (glTF 2.0, 3.5.3).
pub fn global_transforms(hierarchy: &Hierarchy, locals: &[Trs], globals: &mut [DAffine3]) {
    for node in 0..hierarchy.len() {
        let local = local_matrix(hierarchy, locals, node);
        globals[node] = match hierarchy.parents[node] {
            Some(parent) => globals[parent.index()] * local,
            None => local,
        };
    }
}
