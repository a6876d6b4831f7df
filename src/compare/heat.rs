//! Computes the colors of the difference view: heat from 0, where A coincides with B, to 1 at the largest distance.
//!
//! If both files have the same vertices, the heat of each vertex is computed from its distance, so that the view also shows quantization
//! errors. Other vertices blend the heats of their joints, which are stored as one tint per palette entry of A.

use std::collections::BTreeMap;

use glam::Vec4;

use crate::animation::hierarchy::deform::{self, VertexPose};
use crate::colors::{self, UNMOVED};
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;
use crate::session::inspect::heat_map::VertexHeats;
use crate::session::pose::solve::Posed;

use super::measure;
use super::node_pairs::NodePairs;
use super::pairing::{self, PrimitivePair, Topologies};

/// Maximum number of vertices with individual heats, over all primitives. The GPU holds one number for each.
const MAX_VERTICES: usize = 1 << 23;
/// Number of vertices that are measured between two calls of `keep_going`.
const VERTICES_PER_BLOCK: usize = 1 << 14;

/// A pose of each model at the same moment.
#[derive(Clone, Copy)]
pub struct PosePair<'a> {
    pub a: &'a Posed,
    pub b: &'a Posed,
}

impl<'a> PosePair<'a> {
    /// Returns the parts of both poses that move vertices.
    pub fn vertices(&self) -> [VertexPose<'a>; 2] {
        [self.a, self.b].map(Posed::vertex_pose)
    }
}

/// The models whose poses are compared, with their paired nodes and followed vertices.
#[derive(Clone, Copy)]
pub struct HeatSource<'a> {
    pub models: [&'a Model; 2],
    pub node_pairs: &'a NodePairs,
    pub followed: &'a [FollowedPrimitive],
}

/// A primitive that has the same vertices in both files, so that the distance of each vertex can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FollowedPrimitive {
    /// The nodes that show it in A and in B.
    nodes: [NodeIndex; 2],
    /// Index of the primitive, the same in both meshes.
    primitive: usize,
    /// Number of vertices in each file.
    vertex_count: usize,
}

/// Returns the primitives whose vertices have individual heats.
pub fn followed([a, b]: [&Model; 2], node_pairs: &NodePairs) -> Vec<FollowedPrimitive> {
    let mut topologies = Topologies::default();
    let pairs = pairing::primitives(a, b, node_pairs).into_iter().filter(|pair| topologies.are_same(pair));
    let mut remaining = MAX_VERTICES;
    let fits = |pair: &PrimitivePair| {
        let remaining_after = remaining.checked_sub(pair.a.vertices.positions.len());
        remaining = remaining_after.unwrap_or(remaining);
        remaining_after.is_some() && pair.a.source_vertex_count > 0
    };
    let follow =
        |pair: PrimitivePair| FollowedPrimitive { nodes: pair.nodes, primitive: pair.index, vertex_count: pair.a.source_vertex_count };
    pairs.filter(fits).map(follow).collect()
}

/// One tint per palette entry of A: the heat of the joint's distance in x, and zeros in y, z and w. For a joint without counterpart,
/// x, y and z are a neutral color and w is 1. The vertex shader blends tints as it does for the heat map of skin weights. Heat is 1 at
/// `max_distance`, in meters.
pub fn tints(source: HeatSource, poses: PosePair, max_distance: f64) -> Vec<Vec4> {
    let HeatSource { models: [model, _], node_pairs, .. } = source;
    let neutral = colors::linear(UNMOVED).extend(1.0);
    let tint = |node: NodeIndex| {
        let other = node_pairs.to_b.get(node.index()).copied().flatten();
        let distance =
            |other: NodeIndex| measure::distance(poses.a.globals[node.index()].translation, poses.b.globals[other.index()].translation);
        other.map_or(neutral, |other| Vec4::X * heat(distance(other), max_distance))
    };
    let mut tints = vec![neutral; model.palette_len];
    for skin in &model.skins {
        skin.entries().for_each(|(entry, joint, _)| tints[entry] = tint(joint));
    }
    for (node, entry) in model.node_indices().filter_map(|node| Some((node, model.node(node).rigid_matrix?))) {
        tints[entry] = tint(node);
    }
    tints
}

/// The heat of each vertex of the followed primitives, which is 1 at `max_distance`, in meters. Returns `None` if `keep_going` returns
/// false before the end.
pub fn vertex_heats(source: HeatSource, poses: [VertexPose; 2], max_distance: f64, keep_going: &dyn Fn() -> bool) -> Option<VertexHeats> {
    let mut found = VertexHeats { heats: Vec::new(), starts: BTreeMap::new() };
    for followed in source.followed {
        let primitive = |side: usize| primitive(source.models[side], followed.nodes[side], followed.primitive);
        let (Some(a), Some(b)) = (primitive(0), primitive(1)) else { continue };
        let start = found.heats.len();
        for block_start in (0..followed.vertex_count).step_by(VERTICES_PER_BLOCK) {
            if !keep_going() {
                return None;
            }
            let block = block_start..(block_start + VERTICES_PER_BLOCK).min(followed.vertex_count);
            let [a, b] = [(0, a), (1, b)].map(|(side, primitive)| {
                let (model, node, pose) = (source.models[side], followed.nodes[side], poses[side]);
                deform::positions(model, node, primitive, pose, block.clone())
            });
            found.heats.extend(a.iter().zip(&b).map(|(a, b)| heat(measure::distance(*a, *b), max_distance)));
        }
        for &original in &a.vertices.originals {
            found.heats.push(found.heats[start + original as usize]);
        }
        found.starts.insert((followed.nodes[0], followed.primitive), start);
    }
    Some(found)
}

/// The heat of a distance, from 0 to 1 at `max_distance`. Both distances are in meters.
fn heat(distance: f64, max_distance: f64) -> f32 {
    if max_distance > 0.0 { (distance / max_distance).clamp(0.0, 1.0) as f32 } else { 0.0 }
}

/// A primitive of a node's mesh, by its index.
fn primitive(model: &Model, node: NodeIndex, index: usize) -> Option<&Primitive> {
    model.meshes.get(model.nodes.get(node.index())?.mesh?)?.primitives.get(index)
}
