//! The trunk: nodes so far out that `f32` is too coarse for what hangs on them, and what they themselves hang on. A parent or a
//! root motion 100 km from the origin would make the model tremble by millimetres. These few are posed in f64, relative to an
//! anchor that is one of them; everything else hangs on them or is near the origin, and `f32` is exact enough for it.
//! In most files the trunk is empty and the anchor is the origin.

use glam::{DAffine3, DVec3};

use crate::model::Model;
use crate::model::animation::{Animation, Interpolation, Target};
use crate::model::hierarchy::Trs;
use crate::model::mesh::Mesh;

use super::pose;

/// What lies further out than so many times the size of the model belongs to the trunk: within, `f32` errs by less than a
/// millionth of that size.
const FAR: f64 = 16.0;

#[derive(Debug, Clone, Default)]
pub struct Trunk {
    /// Parents before children.
    pub nodes: Vec<usize>,
    /// For each: where its parent stands in `nodes`.
    parents: Vec<Option<usize>>,
    /// Palette entries of these nodes: place in `nodes`, place in the palette, inverse bind matrix.
    pub entries: Vec<(usize, usize, DAffine3)>,
    /// Which of `nodes` is the anchor.
    anchor: Option<usize>,
}

/// `rest_globals`: global transforms of the rest pose. `center`: the node near which the model is.
pub fn trunk(model: &Model, rest_globals: &[DAffine3], center: usize) -> Trunk {
    let reach = FAR * size(model, rest_globals);
    let mut inside = vec![false; model.nodes.len()];
    let scale = |node: usize| model.hierarchy.parents[node].map_or(1.0, |parent| largest_scale(&rest_globals[parent.index()]));
    for (node, inside) in inside.iter_mut().enumerate() {
        *inside = pose::local_matrix(&model.hierarchy, &model.hierarchy.rest, node).translation.length() * scale(node) > reach;
    }
    for channel in model.animations.iter().flat_map(|animation| &animation.channels) {
        let Target::Translation(node) = channel.target else { continue };
        let furthest = channel.output.iter().fold(0.0f32, |furthest, x| furthest.max(x.abs()));
        // Tangents are per second and may be large without any value being so.
        let is_far = channel.interpolation != Interpolation::CubicSpline || values_reach(&channel.output, reach / scale(node.index()));
        inside[node.index()] |= f64::from(furthest) * scale(node.index()) > reach && is_far;
    }
    for skin in &model.skins {
        for (joint, inverse_bind_matrix) in skin.joints.iter().zip(&skin.inverse_bind_matrices) {
            let scale = largest_scale(&rest_globals[joint.index()]);
            inside[joint.index()] |= inverse_bind_matrix.translation.as_dvec3().length() * scale > reach;
        }
    }
    for node in (0..inside.len()).rev() {
        if let Some(parent) = model.hierarchy.parents[node].filter(|_| inside[node]) {
            inside[parent.index()] = true;
        }
    }
    made_of(model, &inside, center)
}

fn values_reach(output: &[f32], reach: f64) -> bool {
    output.chunks_exact(9).any(|key| key[3..6].iter().any(|x| f64::from(x.abs()) > reach))
}

fn made_of(model: &Model, inside: &[bool], center: usize) -> Trunk {
    let nodes: Vec<usize> = (0..inside.len()).filter(|&node| inside[node]).collect();
    let place = |node: usize| nodes.binary_search(&node).ok();
    let parents = nodes.iter().map(|&node| model.hierarchy.parents[node].and_then(|parent| place(parent.index()))).collect();
    let mut entries = Vec::new();
    for skin in &model.skins {
        for ((entry, joint), inverse_bind_matrix) in skin.matrices.clone().zip(&skin.joints).zip(&skin.inverse_bind_matrices) {
            entries.extend(place(joint.index()).map(|at| (at, entry, inverse_bind_matrix.as_daffine3())));
        }
    }
    entries.extend(nodes.iter().enumerate().filter_map(|(at, &node)| Some((at, model.nodes[node].rigid_matrix?, DAffine3::IDENTITY))));
    let mut ups = std::iter::successors((center < inside.len()).then_some(center), |&node| Some(model.hierarchy.parents[node]?.index()));
    let anchor = ups.find_map(place);
    Trunk { nodes, parents, entries, anchor }
}

impl Trunk {
    /// Global transforms of its nodes. `far`: translations sampled in f64, by node.
    pub fn globals(&self, model: &Model, locals: &[Trs], far: &[(usize, DVec3)], globals: &mut Vec<DAffine3>) {
        globals.clear();
        for (&node, parent) in self.nodes.iter().zip(&self.parents) {
            let mut local = pose::local_matrix(&model.hierarchy, locals, node);
            if let Some((_, translation)) = far.iter().find(|(other, _)| *other == node) {
                local.translation = *translation;
            }
            globals.push(parent.map_or(local, |parent| globals[parent] * local));
        }
    }

    /// The place that palettes and the camera are relative to.
    pub fn anchor(&self, globals: &[DAffine3]) -> DVec3 {
        let anchor = self.anchor.and_then(|at| globals.get(at)).map_or(DVec3::ZERO, |global| global.translation);
        if anchor.is_finite() { anchor } else { DVec3::ZERO }
    }

    /// Channels whose translations are to be sampled in f64.
    pub fn channels(&self, animation: &Animation) -> Vec<usize> {
        let is_far = |target: Target| matches!(target, Target::Translation(node) if self.nodes.binary_search(&node.index()).is_ok());
        (0..animation.channels.len()).filter(|&channel| is_far(animation.channels[channel].target)).collect()
    }
}

/// How far what is seen reaches from its middle: joints and nodes with meshes, and the meshes themselves.
pub fn size(model: &Model, rest_globals: &[DAffine3]) -> f64 {
    let joints = model.joints();
    let seen = (0..model.nodes.len()).filter(|&node| joints[node] || model.nodes[node].mesh.is_some());
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut largest_mesh = 0.0f64;
    for node in seen {
        let place = rest_globals[node].translation;
        (low, high) = (low.min(place), high.max(place));
        if let Some(mesh) = model.nodes[node].mesh.filter(|_| model.nodes[node].skin.is_none()) {
            largest_mesh = largest_mesh.max(mesh_size(&model.meshes[mesh]) * largest_scale(&rest_globals[node]));
        }
    }
    let spread = if low.is_finite() && high.is_finite() { (high - low).length() / 2.0 } else { 0.0 };
    let size = spread.max(largest_mesh);
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// From few vertices: only the order of magnitude matters.
fn mesh_size(mesh: &Mesh) -> f64 {
    let of = |positions: &[glam::Vec3]| {
        let step = (positions.len() / 256).max(1);
        let first = positions.first().copied().unwrap_or_default();
        positions.iter().step_by(step).map(|position| f64::from(position.distance(first))).fold(0.0, f64::max)
    };
    mesh.primitives.iter().map(|primitive| of(&primitive.vertices.positions)).fold(0.0, f64::max)
}

fn largest_scale(matrix: &DAffine3) -> f64 {
    let m = matrix.matrix3;
    m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length())
}
