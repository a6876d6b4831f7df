//! Computes the colors of the difference view: one tint per palette entry of A, from how far what it moves is from its counterpart in B.
//!
//! Where both files have the same vertices, that is the mean distance of some vertices of the entry, so that the view also shows what
//! quantizing moved. Otherwise it is the distance of the joints.

use std::collections::BTreeMap;

use glam::Vec4;

use crate::animation::hierarchy::deform;
use crate::colors::{self, UNMOVED};
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;
use crate::session::pose::solve::Posed;

use super::binding::Binding;
use super::measure;
use super::pairing::{self, PrimitivePair};

/// Vertices that are followed per palette entry, and over all entries.
const MAX_PER_ENTRY: usize = 8;
const MAX_VERTICES: usize = 4096;
/// Smallest weight with which a joint moves a vertex that stands for it.
const MIN_WEIGHT: f32 = 0.5;

/// A pose of each model at the same moment.
#[derive(Clone, Copy)]
pub struct PosePair<'a> {
    pub a: &'a Posed,
    pub b: &'a Posed,
}

/// The models whose poses are compared, and which nodes and vertices belong together.
#[derive(Clone, Copy)]
pub struct HeatSource<'a> {
    pub models: [&'a Model; 2],
    pub binding: &'a Binding,
    pub followed: &'a [FollowedPrimitive],
}

/// Vertices of a primitive that are the same in both files, each with the palette entry of A that it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowedPrimitive {
    nodes: [NodeIndex; 2],
    /// Index among the primitives of the mesh.
    place: usize,
    vertices: Vec<usize>,
    entries: Vec<usize>,
}

/// Chooses vertices to follow for each palette entry of A.
pub fn followed([a, b]: [&Model; 2], binding: &Binding) -> Vec<FollowedPrimitive> {
    let pairs = pairing::primitives(a, b, binding).into_iter().filter(PrimitivePair::has_same_topology);
    let mut left = MAX_VERTICES;
    let mut follow = |pair: PrimitivePair| {
        let mut of_entry: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (entry, vertex) in entries(a, &pair) {
            of_entry.entry(entry).or_default().push(vertex);
        }
        let chosen = of_entry.into_iter().flat_map(|(entry, vertices)| {
            let step = vertices.len().div_ceil(MAX_PER_ENTRY).max(1);
            vertices.into_iter().step_by(step).map(move |vertex| (vertex, entry))
        });
        let (vertices, entries): (Vec<_>, Vec<_>) = chosen.take(left).unzip();
        left -= vertices.len();
        FollowedPrimitive { nodes: pair.nodes, place: pair.place, vertices, entries }
    };
    pairs.map(&mut follow).filter(|followed| !followed.vertices.is_empty()).collect()
}

/// The palette entries and the vertices that each moves most.
fn entries(model: &Model, pair: &PrimitivePair) -> Vec<(usize, usize)> {
    let node = model.node(pair.nodes[0]);
    let influences = &pair.a.vertices.influences;
    let vertices = 0..pair.a.source_vertex_count;
    match (node.skin.and_then(|skin| model.skins.get(skin)), node.rigid_matrix) {
        (Some(skin), _) if influences.sets > 0 => {
            let mut found = Vec::new();
            for vertex in vertices {
                let range = vertex * influences.sets..(vertex + 1) * influences.sets;
                let pairs = influences.joints[range.clone()].iter().flatten().zip(influences.weights[range].iter().flatten());
                let strong = pairs.filter(|(_, weight)| **weight >= MIN_WEIGHT).map(|(joint, _)| skin.matrices.start + usize::from(*joint));
                found.extend(strong.take(1).map(|entry| (entry, vertex)));
            }
            found
        }
        (None, Some(entry)) => vertices.map(|vertex| (entry, vertex)).collect(),
        _ => Vec::new(),
    }
}

/// One tint per palette entry of A: heat in x, from 0 where both coincide to 1 at a distance of `most` meters; or a neutral color and a one
/// in w for a joint without counterpart. The vertex shader blends them as it does for the heat map of skin weights.
pub fn tints(source: HeatSource, poses: PosePair, most: f64) -> Vec<Vec4> {
    let HeatSource { models: [model, _], binding, .. } = source;
    let neutral = colors::linear(UNMOVED).extend(1.0);
    let heat = |distance: f64| Vec4::X * if most > 0.0 { (distance / most).clamp(0.0, 1.0) as f32 } else { 0.0 };
    let tint = |node: NodeIndex| {
        let other = binding.to_b.get(node.index()).copied().flatten();
        let distance =
            |other: NodeIndex| measure::distance(poses.a.globals[node.index()].translation, poses.b.globals[other.index()].translation);
        other.map_or(neutral, |other| heat(distance(other)))
    };
    let mut tints = vec![neutral; model.palette_len];
    for skin in &model.skins {
        tints[skin.matrices.clone()].iter_mut().zip(&skin.joints).for_each(|(entry, &joint)| *entry = tint(joint));
    }
    for (node, entry) in model.node_indices().filter_map(|node| Some((node, model.node(node).rigid_matrix?))) {
        tints[entry] = tint(node);
    }
    for (entry, (sum, count)) in vertex_distances(source, poses) {
        if let Some(tint) = tints.get_mut(entry) {
            *tint = heat(sum / f64::from(count));
        }
    }
    tints
}

/// The sum of the distances of the followed vertices of each palette entry, and their number.
fn vertex_distances(source: HeatSource, poses: PosePair) -> BTreeMap<usize, (f64, u32)> {
    let mut sums: BTreeMap<usize, (f64, u32)> = BTreeMap::new();
    for followed in source.followed {
        let positions = |side: usize, posed: &Posed| {
            let (model, node) = (source.models[side], followed.nodes[side]);
            let primitive = primitive(model, node, followed.place)?;
            // Geometry may have been freed after the upload.
            let has_all = followed.vertices.iter().all(|&vertex| vertex < primitive.vertices.positions.len());
            let vertices = followed.vertices.iter().copied();
            has_all.then(|| deform::positions(model, node, primitive, &posed.joint_transforms, &posed.pose.weights, vertices))
        };
        let (Some(a), Some(b)) = (positions(0, poses.a), positions(1, poses.b)) else { continue };
        for ((a, b), entry) in a.iter().zip(&b).zip(&followed.entries) {
            let (sum, count) = sums.entry(*entry).or_default();
            (*sum, *count) = (*sum + measure::distance(*a, *b), *count + 1);
        }
    }
    sums
}

/// A primitive of a node's mesh.
fn primitive(model: &Model, node: NodeIndex, place: usize) -> Option<&Primitive> {
    model.meshes.get(model.nodes.get(node.index())?.mesh?)?.primitives.get(place)
}
