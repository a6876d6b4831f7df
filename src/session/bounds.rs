//! How large what is shown is, over a whole animation: what the camera frames and the near plane keeps clear of.
//!
//! Accessor bounds say nothing about a skinned mesh. For every primitive the rest positions are boxed per joint once; a
//! pose's box is the union of those boxes moved by the joints' matrices. Too large at most, never too small.

use glam::{DVec3, Vec3};

use crate::camera::Bounds;
use crate::model::Model;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;

use super::posing::{self, Posed};
use super::view::View;

/// An animation is looked at at no more than so many times: a two-hour file opens as fast as a short one.
const MOST_SAMPLES: usize = 256;

/// Boxes of every mesh's primitives, made once a model.
#[derive(Debug, Clone)]
pub struct Extents {
    meshes: Vec<Vec<PrimitiveExtents>>,
}

#[derive(Debug, Clone)]
struct PrimitiveExtents {
    whole: Bounds,
    /// By index in the skin's joints: the vertices that the joint moves.
    joints: Vec<(u16, Bounds)>,
    /// The differences of each morph target.
    targets: Vec<Bounds>,
}

impl Extents {
    pub fn new(model: &Model) -> Self {
        let meshes = model.meshes.iter().map(|mesh| mesh.primitives.iter().map(primitive_extents).collect()).collect();
        Self { meshes }
    }
}

fn primitive_extents(primitive: &Primitive) -> PrimitiveExtents {
    let bounds = |points: &[Vec3]| {
        points.iter().fold(Bounds::EMPTY, |mut bounds, point| {
            bounds.add(point.as_dvec3());
            bounds
        })
    };
    let influences = &primitive.influences;
    let most = influences.joints.iter().flatten().max().map_or(0, |&joint| joint as usize + 1);
    let mut joints = vec![Bounds::EMPTY; if influences.sets == 0 { 0 } else { most }];
    for (i, (set, weights)) in influences.joints.iter().zip(&influences.weights).enumerate() {
        let Some(position) = primitive.positions.get(i / influences.sets.max(1)) else { break };
        for (joint, weight) in set.iter().zip(weights) {
            if *weight > 0.0 {
                joints[*joint as usize].add(position.as_dvec3());
            }
        }
    }
    let joints = joints.into_iter().enumerate().filter(|(_, bounds)| !bounds.is_empty()).map(|(i, bounds)| (i as u16, bounds)).collect();
    // A vertex that a target does not move counts as a difference of zero: the box holds the origin.
    let delta = |deltas: &[Vec3]| Bounds { min: DVec3::ZERO, max: DVec3::ZERO }.union(&bounds(deltas));
    let targets = primitive.targets.iter().map(|target| delta(&target.positions)).collect();
    PrimitiveExtents { whole: bounds(&primitive.positions), joints, targets }
}

/// The box of what a pose shows: visible meshes in the scene, and the joints where there is no mesh or the skeleton is drawn.
pub fn pose_bounds(model: &Model, view: &View, extents: &Extents, posed: &Posed) -> Bounds {
    let mut all =
        (0..model.nodes.len()).filter(|&i| posed.shown[i]).fold(Bounds::EMPTY, |all, i| all.union(&mesh_bounds(model, extents, posed, i)));
    if all.is_empty() || view.display.skeleton {
        let joints = model.joints();
        let any_joint = joints.contains(&true);
        for (i, global) in posed.globals.iter().enumerate() {
            if joints[i] || (!any_joint && all.is_empty() && posed.shown[i]) {
                all.add(global.translation);
            }
        }
    }
    all
}

/// The box of some nodes and all below them: their places, their meshes, and what they carry as joints. Of a single place, a
/// twentieth of the whole about it.
pub fn nodes_bounds(model: &Model, extents: &Extents, posed: &Posed, nodes: &[NodeIndex], whole: &Bounds) -> Bounds {
    let mut inside = vec![false; model.nodes.len()];
    for node in nodes {
        inside[model.hierarchy.subtree(*node)].fill(true);
    }
    let mut all = Bounds::EMPTY;
    for i in (0..model.nodes.len()).filter(|&i| inside[i]) {
        all.add(posed.globals[i].translation);
        all = all.union(&mesh_bounds(model, extents, posed, i));
    }
    for node in &model.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin.map(|skin| &model.skins[skin])) else { continue };
        for (joint, bounds) in extents.meshes[mesh].iter().flat_map(|primitive| &primitive.joints) {
            if skin.joints.get(*joint as usize).is_some_and(|joint| inside[joint.index()]) {
                all = all.union(&finite(&bounds.transformed(&posed.transforms[skin.matrices.start + *joint as usize])));
            }
        }
    }
    let least = whole.radius() / 20.0;
    if all.radius() < least { Bounds { min: all.center() - least, max: all.center() + least } } else { all }
}

/// The box of a node's mesh as it is posed; empty without one.
pub fn mesh_bounds(model: &Model, extents: &Extents, posed: &Posed, i: usize) -> Bounds {
    let node = &model.nodes[i];
    let Some(mesh) = node.mesh else { return Bounds::EMPTY };
    let weights = &posed.pose.weights[node.weights.clone()];
    let mut all = Bounds::EMPTY;
    for primitive in &extents.meshes[mesh] {
        let grow = |bounds: &Bounds| morphed(bounds, &primitive.targets, weights);
        match node.skin.filter(|_| !primitive.joints.is_empty()).map(|skin| &model.skins[skin]) {
            Some(skin) => {
                let transforms = &posed.transforms[skin.matrices.clone()];
                for (joint, bounds) in &primitive.joints {
                    let Some(transform) = transforms.get(*joint as usize) else { continue };
                    all = all.union(&finite(&grow(bounds).transformed(transform)));
                }
            }
            None => all = all.union(&finite(&grow(&primitive.whole).transformed(&posed.globals[i]))),
        }
    }
    all
}

/// The box of everything the view's animation shows from its first key to its last.
pub fn animation_bounds(model: &Model, view: &View, extents: &Extents) -> Bounds {
    let mut posed = Posed::new(model);
    let animation = view.animation.and_then(|a| model.animations.get(a));
    let keys = animation.map_or(0, |animation| animation.key_times.iter().map(Vec::len).max().unwrap_or(0));
    // Between two keys a joint seldom leaves the box of both; two samples a key interval are plenty.
    let samples = (keys * 2).clamp(1, MOST_SAMPLES);
    let duration = animation.map_or(0.0, |animation| animation.duration);
    let mut all = Bounds::EMPTY;
    for i in 0..samples {
        let time = if samples == 1 { 0.0 } else { duration * i as f64 / (samples - 1) as f64 };
        posing::pose(model, view, time, &mut posed);
        all = all.union(&pose_bounds(model, view, extents, &posed));
    }
    padded(all)
}

/// A box with a size: of a single point (or nothing) a metre about it, so that the camera has something to frame.
fn padded(bounds: Bounds) -> Bounds {
    let center = bounds.center();
    if bounds.radius() > 1e-9 * (1.0 + center.length()) {
        return bounds;
    }
    Bounds { min: center - DVec3::splat(0.5), max: center + DVec3::splat(0.5) }
}

fn morphed(bounds: &Bounds, targets: &[Bounds], weights: &[f32]) -> Bounds {
    let mut grown = *bounds;
    for (target, &weight) in targets.iter().zip(weights) {
        let (a, b) = (target.min * f64::from(weight), target.max * f64::from(weight));
        if a.is_finite() && b.is_finite() {
            grown.min += a.min(b);
            grown.max += a.max(b);
        }
    }
    grown
}

fn finite(bounds: &Bounds) -> Bounds {
    if bounds.min.is_finite() && bounds.max.is_finite() { *bounds } else { Bounds::EMPTY }
}
