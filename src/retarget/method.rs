//! The two ways to carry keyframes over, and which one fits two rest poses.

use glam::{DAffine3, DQuat, DVec3};

use crate::animation::hierarchy::pose::local_matrix;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;

use super::binding::{Binding, Pair};
use super::rest::{extent, rest_globals};
use super::sampler;

/// Largest angle between two rest rotations that agree, in radians: one degree.
pub const ROTATION_TOLERANCE: f64 = std::f64::consts::PI / 180.0;
/// Largest distance between two rest translations that agree, as a fraction of the largest extent of the bound joints at rest. It is also
/// the largest difference between two scales that agree.
pub const LENGTH_TOLERANCE: f64 = 0.01;

/// How keyframes are carried over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Local transforms as they are. Keys and interpolation stay.
    Direct,
    /// Global rotations relative to the rest pose, baked to keys. See [`super::rotation`].
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
/// and if no unbound node moves a bound one. Otherwise [`Method::Rotation`]. Nodes that no animation moves, nor any below them, do not count.
pub fn choose(source: &Model, target: &Model, binding: &Binding) -> Method {
    let (partners, moved) = (binding.partners(source.nodes.len()), moved_nodes(source));
    let is_source: Vec<bool> = partners.iter().map(Option::is_some).collect();
    let mut is_target = vec![false; target.nodes.len()];
    for pair in &binding.pairs {
        is_target[pair.target.index()] = true;
    }
    let globals = rest_globals(source);
    let length = extent(&globals, binding.pairs.iter().map(|pair| pair.source)).max(f64::MIN_POSITIVE) * LENGTH_TOLERANCE;
    let chains = [chains(source, &is_source, &moved), chains(target, &is_target, &[])];
    let agrees = |pair: &Pair| {
        let [s, t] = [&chains[0][pair.source.index()], &chains[1][pair.target.index()]];
        let is_same_chain = s.above.and_then(|above| partners[above.index()]) == t.above && !s.moves;
        let locals = [local(source, pair.source), local(target, pair.target)];
        is_same_chain && is_alike(&locals[0], &locals[1], length) && (s.above.is_none() || is_alike(&s.relative, &t.relative, length))
    };
    let counts = above_moved(source, &moved);
    let is_concerned = |pair: &&Pair| counts[pair.source.index()] || chains[0][pair.source.index()].moves;
    let agree = binding.pairs.iter().filter(is_concerned).all(agrees);
    if agree { Method::Direct } else { Method::Rotation }
}

/// The nodes between a node and its nearest bound ancestor.
#[derive(Clone, Copy)]
struct Chain {
    /// The nearest bound ancestor.
    above: Option<NodeIndex>,
    /// The rest transform relative to that ancestor, or to the world if there is none.
    relative: DAffine3,
    /// Whether an animation moves a node in between.
    moves: bool,
}

/// The chain of each node. `moved` is empty if nothing moves.
fn chains(model: &Model, is_bound: &[bool], moved: &[bool]) -> Vec<Chain> {
    let mut chains: Vec<Chain> = Vec::with_capacity(model.nodes.len());
    for node in model.node_indices() {
        let local = local(model, node);
        chains.push(match model.hierarchy.parent(node) {
            None => Chain { above: None, relative: local, moves: false },
            Some(parent) if is_bound[parent.index()] => Chain { above: Some(parent), relative: local, moves: false },
            Some(parent) => {
                let Chain { above, relative, moves } = chains[parent.index()];
                Chain { above, relative: relative * local, moves: moves || moved.get(parent.index()) == Some(&true) }
            }
        });
    }
    chains
}

/// Returns for each node whether an animation of the model moves, turns or scales it.
pub fn moved_nodes(model: &Model) -> Vec<bool> {
    let mut moved = vec![false; model.nodes.len()];
    for channel in model.animations.iter().flat_map(|animation| &animation.channels) {
        let is_transform = |target: &Target| !matches!(target, Target::Weights(_));
        if let Some(node) = sampler::core_target(model, channel.target).filter(is_transform).and_then(Target::node) {
            moved[node.index()] = true;
        }
    }
    moved
}

/// Returns for each node whether it or a node below it is moved.
fn above_moved(model: &Model, moved: &[bool]) -> Vec<bool> {
    let mut above = moved.to_vec();
    for node in (0..above.len()).rev() {
        if let Some(parent) = model.hierarchy.parents[node] {
            above[parent.index()] |= above[node];
        }
    }
    above
}

/// The rest transform of a node relative to its parent.
fn local(model: &Model, node: NodeIndex) -> DAffine3 {
    local_matrix(&model.hierarchy, &model.hierarchy.rest, node.index())
}

/// Returns whether two transforms agree. `length` is the tolerance of translations, in meters.
fn is_alike(a: &DAffine3, b: &DAffine3, length: f64) -> bool {
    let parts = |matrix: &DAffine3| -> (DVec3, DQuat) {
        let trs = Trs::from_matrix(&matrix.as_affine3a());
        (trs.scale.as_dvec3(), trs.rotation.as_dquat())
    };
    let [(scale_a, rotation_a), (scale_b, rotation_b)] = [parts(a), parts(b)];
    (a.translation - b.translation).length() <= length
        && (scale_a - scale_b).abs().max_element() <= LENGTH_TOLERANCE * scale_a.abs().max_element()
        && rotation_a.angle_between(rotation_b) <= ROTATION_TOLERANCE
}
