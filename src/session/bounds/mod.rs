//! How large what is shown is, over a whole animation: what the camera frames and the near plane keeps clear of.
//!
//! Accessor bounds say nothing about a skinned mesh, and boxes moved with each joint are far too large where weights are
//! smooth. A pose's box is that of its deformed outlines ([`mesh`]). [`mesh_bounds`] is the other kind, for picking: made of the joints'
//! boxes, too large at most, never too small.

pub mod instances;
pub mod mesh;

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;

use crate::animation::compiled::model::CompiledModel;
use crate::animation::hierarchy::deform;
use crate::camera::Bounds;
use crate::model::Model;
use crate::model::node::NodeIndex;

use super::locomotion::root_cache::RootCache;
use super::pose::geometry_mask::VisibleIndices;
use super::pose::solve::{self, Posed};
use super::time::transport::{self, Moment};
use super::view::{View, layers};

use mesh::MeshBounds;

/// An animation is looked at at no more than so many times: a two-hour file opens as fast as a short one.
const MOST_SAMPLES: usize = 256;
/// Of all samples together: deformed vertices of outlines, so that a heavy model opens as fast as a light one.
const MOST_VERTICES: usize = 200_000;

/// Outlines of meshes of which parts are hidden, by node and place in its mesh's primitives: what sticks out of the rest.
type Cut = BTreeMap<(NodeIndex, usize), Vec<usize>>;

fn cut(model: &Model, extents: &MeshBounds, left: &VisibleIndices) -> Cut {
    let outline = |(&(node, at), indices): (&(NodeIndex, usize), &Vec<u32>)| {
        let mesh = model.node(node).mesh?;
        let mut kept = vec![false; model.meshes[mesh].primitives[at].vertices.positions.len()];
        indices.iter().for_each(|&vertex| kept[vertex as usize] = true);
        let outline = &extents.meshes[mesh][at].outline;
        Some(((node, at), outline.iter().copied().filter(|&vertex| kept[vertex]).collect()))
    };
    left.iter().filter_map(outline).collect()
}

/// The box of what a pose shows: visible meshes in the scene, and the joints where there is no mesh or the skeleton is drawn.
fn pose_bounds(model: &Model, view: &View, extents: &MeshBounds, cut: &Cut, posed: &Posed, hull: &mut Hull) -> Bounds {
    let mut all = Bounds::EMPTY;
    for (i, node) in model.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.filter(|_| posed.shown[i]) else { continue };
        let (index, placed) = (NodeIndex(i as u32), extents.placed.get(&i));
        for (at, (primitive, extents)) in model.meshes[mesh].primitives.iter().zip(&extents.meshes[mesh]).enumerate() {
            if posed.left.get(&(index, at)).is_some_and(Vec::is_empty) {
                continue;
            }
            let outline = cut.get(&(index, at)).unwrap_or(&extents.outline).iter().copied();
            let positions = match placed {
                Some(placed) => placed.outline(model, posed, index, at),
                None => deform::positions(model, index, primitive, &posed.transforms, &posed.pose.weights, outline),
            };
            for position in positions {
                all.add(position);
                hull.add(position);
            }
        }
    }
    if all.is_empty() || view.display.skeleton {
        let joints = model.joints();
        let any_joint = joints.contains(&true);
        for (i, global) in posed.globals.iter().enumerate() {
            if joints[i] || (!any_joint && all.is_empty() && posed.shown[i]) {
                all.add(global.translation);
                hull.add(global.translation);
            }
        }
    }
    all
}

/// The places furthest out in many directions.
struct Hull {
    directions: [DVec3; 48],
    furthest: [(f64, DVec3); 48],
}

impl Hull {
    fn new() -> Self {
        // Evenly over the sphere, along a spiral of golden angles.
        let directions = std::array::from_fn(|i| {
            let y = 1.0 - 2.0 * (i as f64 + 0.5) / 48.0;
            let (sin, cos) = (i as f64 * 2.399_963_229_728_653).sin_cos();
            let ring = (1.0 - y * y).sqrt();
            DVec3::new(ring * cos, y, ring * sin)
        });
        Self { directions, furthest: [(f64::NEG_INFINITY, DVec3::ZERO); 48] }
    }

    fn add(&mut self, point: DVec3) {
        for (direction, furthest) in self.directions.iter().zip(&mut self.furthest) {
            let along = point.dot(*direction);
            if along.is_finite() && along > furthest.0 {
                *furthest = (along, point);
            }
        }
    }

    fn points(&self) -> Vec<DVec3> {
        self.furthest.iter().filter(|(along, _)| along.is_finite()).map(|(_, point)| *point).collect()
    }
}

/// The box of some nodes and all below them: their places, their meshes, and what they carry as joints. Of a single place, a
/// twentieth of the whole about it.
pub fn nodes_bounds(model: &Model, extents: &MeshBounds, posed: &Posed, nodes: &[NodeIndex], whole: &Bounds) -> Bounds {
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

/// A box that holds a node's mesh as it is posed, and may be much larger; empty without one.
pub fn mesh_bounds(model: &Model, extents: &MeshBounds, posed: &Posed, i: usize) -> Bounds {
    let node = &model.nodes[i];
    let Some(mesh) = node.mesh else { return Bounds::EMPTY };
    let weights = &posed.pose.weights[node.weights.clone()];
    let mut all = Bounds::EMPTY;
    for primitive in extents.of_node(i, mesh) {
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

/// A box in the space of the mesh that holds a primitive as a node morphs it.
pub fn primitive_bounds(model: &Model, extents: &MeshBounds, posed: &Posed, i: usize, primitive: usize) -> Bounds {
    let Some(mesh) = model.nodes[i].mesh else { return Bounds::EMPTY };
    let extents = &extents.meshes[mesh][primitive];
    finite(&morphed(&extents.whole, &extents.targets, &posed.pose.weights[model.nodes[i].weights.clone()]))
}

/// Everything the view's animation and its layers show from their first keys to their last: its box, and the outermost places; none of
/// them where the box is made up.
pub fn animation_bounds(
    model: &Model,
    prepared: &Arc<CompiledModel>,
    roots: &RootCache,
    view: &View,
    extents: &MeshBounds,
) -> (Bounds, Vec<DVec3>) {
    let mut posed = Posed::sharing(model, prepared.clone(), roots.clone());
    let duration = transport::duration(model, view);
    let layers = || layers::active(&view.layers, model).map(|(_, layer)| (layer, &model.animations[layer.animation]));
    let playing = view.animation.and_then(|a| model.animations.get(a)).into_iter().chain(layers().map(|(_, animation)| animation));
    let keys = playing.flat_map(|animation| animation.key_times.iter().map(Vec::len)).max().unwrap_or(0);
    // Between two keys a joint seldom leaves the box of both; two samples a key interval are plenty.
    let drawn = model.nodes.iter().filter_map(|node| node.mesh).flat_map(|mesh| &extents.meshes[mesh]);
    let vertices: usize = drawn.map(|primitive| primitive.outline.len()).sum();
    let most = (MOST_VERTICES / (vertices + model.nodes.len()).max(1)).clamp(8, MOST_SAMPLES);
    let samples = (keys * 2).clamp(1, most);
    let lengths = layers().filter(|(layer, _)| layer.speed != 0.0).map(|(layer, animation)| animation.duration / layer.speed.abs());
    let longest = lengths.filter(|length| length.is_finite()).fold(duration, f64::max);
    let (mut all, mut hull) = (Bounds::EMPTY, Hull::new());
    let mut outlines = None;
    for i in 0..samples {
        let elapsed = if samples == 1 { 0.0 } else { longest * i as f64 / (samples - 1) as f64 };
        // An animation that is shorter than a layer goes on looping under it.
        let time = if elapsed <= duration || duration <= 0.0 { elapsed } else { elapsed % duration };
        // A layer that loops is never at its out point, only just before.
        let clock = elapsed * (1.0 - 1e-9);
        solve::pose(model, view, Moment { clock, ..Moment::from(time) }, &mut posed);
        let outlines = outlines.get_or_insert_with(|| cut(model, extents, &posed.left));
        all = all.union(&pose_bounds(model, view, extents, outlines, &posed, &mut hull));
    }
    let padded = padded(all);
    (padded, if padded == all { hull.points() } else { Vec::new() })
}

/// How large a scene is where nothing plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtRest {
    pub scene: Option<usize>,
    /// The sides of its box, metres; none: nothing in it has a size.
    pub size: Option<DVec3>,
}

impl AtRest {
    pub fn new(model: &Model, prepared: &Arc<CompiledModel>, roots: &RootCache, scene: Option<usize>, extents: &MeshBounds) -> Self {
        let view = View { scene, ..View::default() };
        let (bounds, outermost) = animation_bounds(model, prepared, roots, &view, extents);
        Self { scene, size: (!outermost.is_empty()).then(|| bounds.max - bounds.min) }
    }
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
