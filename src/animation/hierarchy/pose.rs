//! A pose: local transforms and morph weights, and the walk from locals to globals.

use glam::{DAffine3, DVec3};

use crate::model::Model;
use crate::model::hierarchy::{Hierarchy, Trs};

/// What moves, allocated once at load.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pose {
    /// One per node, in the model's order. Not looked at where `Hierarchy::fixed_local` holds a matrix.
    pub locals: Vec<Trs>,
    /// Every node's morph weights; [`crate::model::node::Node::weights`] is its range.
    pub weights: Vec<f32>,
    /// The numbers of what KHR_animation_pointer drives; [`crate::model::pointer::Pointer::values`] is each one's range.
    pub pointer_values: Vec<f32>,
}

impl Pose {
    /// The rest pose.
    pub fn rest(model: &Model) -> Self {
        Self { locals: model.hierarchy.rest.clone(), weights: model.rest_weights.clone(), pointer_values: model.rest_driven.clone() }
    }

    /// Back to rest, so that nothing of another animation stays behind.
    pub fn reset(&mut self, model: &Model) {
        self.locals.copy_from_slice(&model.hierarchy.rest);
        self.weights.copy_from_slice(&model.rest_weights);
        self.pointer_values.copy_from_slice(&model.rest_driven);
    }

    /// Brings some nodes, with what pointers drive of them, back to rest.
    pub fn hold(&mut self, model: &Model, nodes: &[usize]) {
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
                self.pointer_values[pointer.values.clone()].copy_from_slice(&model.rest_driven[pointer.values.clone()]);
            }
        }
    }
}

/// A node's transform relative to its parent.
pub fn local_matrix(hierarchy: &Hierarchy, locals: &[Trs], node: usize) -> DAffine3 {
    match &hierarchy.fixed_local[node] {
        Some(matrix) => matrix.as_daffine3(),
        None => locals[node].to_matrix(),
    }
}

/// Global transforms of all nodes in f64, in one pass: parents stand before their children (glTF 2.0, 3.5.3). What numbers are
/// read from; pictures are made from [`super::globals`]. `far`: translations known in f64, by node ([`super::far_nodes`]).
pub fn global_transforms(hierarchy: &Hierarchy, locals: &[Trs], far: &[(usize, DVec3)], globals: &mut [DAffine3]) {
    for node in 0..hierarchy.len() {
        let mut local = local_matrix(hierarchy, locals, node);
        if let Some((_, translation)) = far.iter().find(|(other, _)| *other == node) {
            local.translation = *translation;
        }
        globals[node] = match hierarchy.parents[node] {
            Some(parent) => globals[parent.index()] * local,
            None => local,
        };
    }
}
