//! The two methods to carry keyframes over, and the choice between them, which depends on the rest poses.

use glam::{DAffine3, DQuat, DVec3};

use crate::animation::hierarchy::pose::local_matrix;
use crate::model::Model;
use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;

use super::binding::{Binding, Pair};
use super::rest::{extent, rest_globals};
use super::sampler::moved_nodes;

/// Largest angle between two rest rotations that agree: one degree.
pub const ROTATION_TOLERANCE_RADIANS: f64 = std::f64::consts::PI / 180.0;
/// Largest distance between two rest translations that agree, as a fraction of the largest extent of the bound joints at rest. Also the
/// largest relative difference between two scales that agree.
pub const LENGTH_TOLERANCE: f64 = 0.01;

/// The method to carry keyframes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Local transforms are copied, with their keys and interpolation.
    Direct,
    /// Global rotations relative to the rest pose are carried over and baked to keys. See [`super::rotation`].
    Rotation,
}

impl Method {
    /// The name in labels.
    pub fn label(self) -> &'static str {
        match self {
            Self::Direct => "Direct",
            Self::Rotation => "By rotation",
        }
    }
}

/// Chooses [`Method::Direct`] if the rest poses of all bound nodes agree, each relative to its parent and to its nearest bound ancestor,
/// and if no unbound node moves a bound one. Otherwise chooses [`Method::Rotation`]. A bound node is ignored if neither its subtree nor its
/// `Chain` has an animated node.
pub fn choose(source: &Model, target: &Model, binding: &Binding) -> Method {
    let (counterparts, moved) = (binding.counterparts(source.nodes.len()), moved_nodes(source));
    let is_source: Vec<bool> = counterparts.iter().map(Option::is_some).collect();
    let mut is_target = vec![false; target.nodes.len()];
    for pair in &binding.pairs {
        is_target[pair.target.index()] = true;
    }
    let globals = rest_globals(source);
    let distance = extent(&globals, binding.pairs.iter().map(|pair| pair.source)).max(f64::MIN_POSITIVE) * LENGTH_TOLERANCE;
    let [source_chains, target_chains] = [chains(source, &is_source, &moved), chains(target, &is_target, &[])];
    let agrees = |pair: &Pair| {
        let [a, b] = [&source_chains[pair.source.index()], &target_chains[pair.target.index()]];
        let is_same_chain = a.ancestor.and_then(|ancestor| counterparts[ancestor.index()]) == b.ancestor && !a.is_moved;
        let locals = [local(source, pair.source), local(target, pair.target)];
        is_same_chain
            && are_similar(&locals[0], &locals[1], distance)
            && (a.ancestor.is_none() || are_similar(&a.relative, &b.relative, distance))
    };
    let has_moved_subtree = has_moved_subtree(source, &moved);
    let is_relevant = |pair: &&Pair| has_moved_subtree[pair.source.index()] || source_chains[pair.source.index()].is_moved;
    let agree = binding.pairs.iter().filter(is_relevant).all(agrees);
    if agree { Method::Direct } else { Method::Rotation }
}

/// The unbound nodes between a node and its nearest bound ancestor.
#[derive(Clone, Copy)]
struct Chain {
    /// The nearest bound ancestor.
    ancestor: Option<NodeIndex>,
    /// The node's rest transform relative to that ancestor, or its global rest transform if there is none.
    relative: DAffine3,
    /// Whether an animation moves a node of the chain.
    is_moved: bool,
}

/// The chain of each node. `moved` tells for each node whether an animation moves it; it is empty if none does.
fn chains(model: &Model, is_bound: &[bool], moved: &[bool]) -> Vec<Chain> {
    let mut chains: Vec<Chain> = Vec::with_capacity(model.nodes.len());
    for node in model.node_indices() {
        let local = local(model, node);
        chains.push(match model.hierarchy.parent(node) {
            None => Chain { ancestor: None, relative: local, is_moved: false },
            Some(parent) if is_bound[parent.index()] => Chain { ancestor: Some(parent), relative: local, is_moved: false },
            Some(parent) => {
                let Chain { ancestor, relative, is_moved } = chains[parent.index()];
                Chain { ancestor, relative: relative * local, is_moved: is_moved || moved.get(parent.index()) == Some(&true) }
            }
        });
    }
    chains
}

/// Returns for each node whether it or a descendant is moved.
fn has_moved_subtree(model: &Model, moved: &[bool]) -> Vec<bool> {
    let mut has_moved_subtree = moved.to_vec();
    for node in (0..moved.len()).rev() {
        if let Some(parent) = model.hierarchy.parents[node] {
            has_moved_subtree[parent.index()] |= has_moved_subtree[node];
        }
    }
    has_moved_subtree
}

/// The rest transform of a node relative to its parent.
fn local(model: &Model, node: NodeIndex) -> DAffine3 {
    local_matrix(&model.hierarchy, &model.hierarchy.rest, node.index())
}

/// Returns whether two transforms agree. `distance` is the tolerance of translations, in meters.
fn are_similar(a: &DAffine3, b: &DAffine3, distance: f64) -> bool {
    let parts = |matrix: &DAffine3| -> (DVec3, DQuat) {
        let trs = Trs::from_matrix(&matrix.as_affine3a());
        (trs.scale.as_dvec3(), trs.rotation.as_dquat())
    };
    let [(scale_a, rotation_a), (scale_b, rotation_b)] = [parts(a), parts(b)];
    (a.translation - b.translation).length() <= distance
        && (scale_a - scale_b).abs().max_element() <= LENGTH_TOLERANCE * scale_a.abs().max_element()
        && rotation_a.angle_between(rotation_b) <= ROTATION_TOLERANCE_RADIANS
}
