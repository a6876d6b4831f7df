//! Computes the colors of the difference view: one tint per palette entry of A, from how far its joint is from that of B.

use glam::Vec4;

use crate::colors::{self, UNMOVED};
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::pose::solve::Posed;

use super::binding::Binding;
use super::measure;

/// A pose of each model at the same moment.
#[derive(Clone, Copy)]
pub struct PosePair<'a> {
    pub a: &'a Posed,
    pub b: &'a Posed,
}

/// One tint per palette entry of A: heat in x, from 0 where the joints coincide to 1 at a distance of `most` meters; or a neutral color and
/// a one in w for a joint without counterpart. The vertex shader blends them as it does for the heat map of skin weights.
pub fn tints(model: &Model, poses: PosePair, binding: &Binding, most: f64) -> Vec<Vec4> {
    let neutral = colors::linear(UNMOVED).extend(1.0);
    let tint = |node: NodeIndex| match binding.to_b.get(node.index()).copied().flatten() {
        Some(other) => Vec4::X * heat(poses, [node, other], most),
        None => neutral,
    };
    let mut tints = vec![neutral; model.palette_len];
    for skin in &model.skins {
        tints[skin.matrices.clone()].iter_mut().zip(&skin.joints).for_each(|(entry, &joint)| *entry = tint(joint));
    }
    for (node, entry) in model.node_indices().filter_map(|node| Some((node, model.node(node).rigid_matrix?))) {
        tints[entry] = tint(node);
    }
    tints
}

/// The heat of a pair of nodes, from 0 to 1.
fn heat(poses: PosePair, [a, b]: [NodeIndex; 2], most: f64) -> f32 {
    let distance = measure::distance(poses.a.globals[a.index()].translation, poses.b.globals[b.index()].translation);
    if most > 0.0 { (distance / most).clamp(0.0, 1.0) as f32 } else { 0.0 }
}
