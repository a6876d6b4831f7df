//! Computes the colors of the difference view: heat from 0, where A coincides with B, to 1 at the largest distance.
//!
//! Where both files have the same vertices, each vertex has the heat of its own distance, so that the view also shows what quantizing
//! moved. Other vertices blend the heats of their joints: one tint per palette entry of A.

use std::collections::BTreeMap;

use glam::{DAffine3, Vec4};

use crate::animation::hierarchy::deform;
use crate::colors::{self, UNMOVED};
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;
use crate::session::inspect::heat_map::VertexHeats;
use crate::session::pose::solve::Posed;

use super::binding::Binding;
use super::measure;
use super::pairing::{self, PrimitivePair};

/// Maximum number of vertices that have a heat of their own, over all primitives. The GPU holds one number for each.
const MAX_VERTICES: usize = 1 << 23;
/// Number of vertices between two questions whether to go on.
const BLOCK: usize = 1 << 14;

/// A pose of each model at the same moment.
#[derive(Clone, Copy)]
pub struct PosePair<'a> {
    pub a: &'a Posed,
    pub b: &'a Posed,
}

impl<'a> PosePair<'a> {
    /// What moves the vertices of A and B.
    pub fn vertices(&self) -> [VertexPose<'a>; 2] {
        [self.a, self.b].map(|posed| VertexPose { transforms: &posed.joint_transforms, weights: &posed.pose.weights })
    }
}

/// The part of a pose that moves vertices: the palette in global space, and the morph weights.
#[derive(Debug, Clone, Copy)]
pub struct VertexPose<'a> {
    pub transforms: &'a [DAffine3],
    pub weights: &'a [f32],
}

/// The models whose poses are compared, and which nodes and vertices belong together.
#[derive(Clone, Copy)]
pub struct HeatSource<'a> {
    pub models: [&'a Model; 2],
    pub binding: &'a Binding,
    pub followed: &'a [FollowedPrimitive],
}

/// A primitive whose vertices are the same in both files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FollowedPrimitive {
    /// The nodes that show it in A and in B.
    nodes: [NodeIndex; 2],
    /// Index among the primitives of both meshes.
    place: usize,
    /// Number of vertices.
    vertices: usize,
}

/// The primitives whose vertices have heats of their own.
pub fn followed([a, b]: [&Model; 2], binding: &Binding) -> Vec<FollowedPrimitive> {
    let pairs = pairing::primitives(a, b, binding).into_iter().filter(PrimitivePair::has_same_topology);
    let mut left = MAX_VERTICES;
    let mut fits = |followed: &FollowedPrimitive| {
        let rest = left.checked_sub(followed.vertices);
        left = rest.unwrap_or(left);
        rest.is_some() && followed.vertices > 0
    };
    let all = pairs.map(|pair| FollowedPrimitive { nodes: pair.nodes, place: pair.place, vertices: pair.a.vertices.positions.len() });
    all.filter(|followed| fits(followed)).collect()
}

/// One tint per palette entry of A: the heat of the joint's own distance in x, and zeros; or a neutral color and a one in w for a joint
/// without counterpart. The vertex shader blends them as it does for the heat map of skin weights. `most` is the distance of heat 1, in
/// meters.
pub fn tints(source: HeatSource, poses: PosePair, most: f64) -> Vec<Vec4> {
    let HeatSource { models: [model, _], binding, .. } = source;
    let neutral = colors::linear(UNMOVED).extend(1.0);
    let tint = |node: NodeIndex| {
        let other = binding.to_b.get(node.index()).copied().flatten();
        let distance =
            |other: NodeIndex| measure::distance(poses.a.globals[node.index()].translation, poses.b.globals[other.index()].translation);
        other.map_or(neutral, |other| Vec4::X * heat(distance(other), most))
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

/// The heat of each vertex of the followed primitives. `None` if `keep_going` returns false before the end.
pub fn vertex_heats(source: HeatSource, poses: [VertexPose; 2], most: f64, keep_going: &dyn Fn() -> bool) -> Option<VertexHeats> {
    let mut found = VertexHeats { heats: Vec::new(), starts: BTreeMap::new() };
    for followed in source.followed {
        let primitive = |side: usize| {
            let primitive = primitive(source.models[side], followed.nodes[side], followed.place)?;
            // Geometry may have been freed after the upload.
            (primitive.vertices.positions.len() == followed.vertices).then_some(primitive)
        };
        let (Some(a), Some(b)) = (primitive(0), primitive(1)) else { continue };
        let start = found.heats.len();
        for first in (0..followed.vertices).step_by(BLOCK) {
            if !keep_going() {
                return None;
            }
            let block = first..(first + BLOCK).min(followed.vertices);
            let [a, b] = [(0, a), (1, b)].map(|(side, primitive)| {
                let (model, node, pose) = (source.models[side], followed.nodes[side], poses[side]);
                deform::positions(model, node, primitive, pose.transforms, pose.weights, block.clone())
            });
            found.heats.extend(a.iter().zip(&b).map(|(a, b)| heat(measure::distance(*a, *b), most)));
        }
        found.starts.insert((followed.nodes[0], followed.place), start);
    }
    Some(found)
}

/// The heat of a distance, from 0 to 1. `most` is the distance of heat 1, both in meters.
fn heat(distance: f64, most: f64) -> f32 {
    if most > 0.0 { (distance / most).clamp(0.0, 1.0) as f32 } else { 0.0 }
}

/// A primitive of a node's mesh.
fn primitive(model: &Model, node: NodeIndex, place: usize) -> Option<&Primitive> {
    model.meshes.get(model.nodes.get(node.index())?.mesh?)?.primitives.get(place)
}
