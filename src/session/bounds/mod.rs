//! Computes the bounds of the shown content over a whole animation. The camera frames these bounds, and the near plane stays clear
//! of them.
//!
//! Accessor bounds say nothing about a skinned mesh, and boxes that move with each joint are far too large if weights are smooth. So
//! the bounds of a pose are those of its deformed extreme points ([`primitive`]). [`mesh_bounds`] serves picking: it combines the boxes
//! of the joints, which may be too large but never too small.

mod hull;
pub mod instances;
pub mod key;
pub mod mesh;
pub mod primitive;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use glam::DVec3;

use crate::animation::hierarchy::deform;
use crate::camera::Orbit;
use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::model::animation::Animation;
use crate::model::mesh::UnevenWeights;
use crate::model::node::{Node, NodeIndex};
use crate::model::skin::Skin;

use super::pose::geometry_mask::VisibleIndices;
use super::pose::in_place::{RootStatus, Roots};
use super::pose::solve::Posed;
use super::pose::{self, Rig, skeleton};
use super::time::moment::Moment;
use super::view::{Repeat, View, layers, playback_range};

use hull::Hull;
use mesh::MeshBounds;
use primitive::PrimitiveBounds;

/// Maximum number of poses that are measured per animation, so that a two-hour file opens as fast as a short one.
const MAX_SAMPLES: usize = 256;
/// Number of poses that are measured of an animation with few keys, if the model is not too heavy. Between two keys a joint may turn by
/// half a turn.
const MIN_SAMPLES: usize = 32;
/// Maximum number of deformed vertices and nodes over all samples, so that a heavy model opens as fast as a light one. At least 8 poses are
/// measured, even if they exceed this number.
const MAX_DEFORMED_VERTICES: usize = 200_000;
/// Number of deformed vertices and nodes over all samples from which on measuring is slow: about 50 ms.
const MIN_SLOW_VERTICES: usize = 1_000_000;

/// Largest difference between 1 and the sum of a vertex's weights, with room for rounding.
const MAX_WEIGHT_SUM_ERROR: f64 = 2.0 * UnevenWeights::SUM_TOLERANCE;

/// The drawn extreme points of primitives of which only a part is drawn, by node and by index among the primitives of the mesh.
type DrawnPoints = BTreeMap<(NodeIndex, usize), Vec<usize>>;

/// The extreme points within the drawn index subsets.
fn drawn_points(model: &Model, meshes: &MeshBounds, visible: &VisibleIndices) -> DrawnPoints {
    let points = |(&(node, primitive), indices): (&(NodeIndex, usize), &Arc<[u32]>)| {
        let mesh = model.node(node).mesh?;
        let mut drawn = vec![false; model.meshes[mesh].primitives[primitive].vertices.positions.len()];
        indices.iter().for_each(|&vertex| drawn[vertex as usize] = true);
        let points = &meshes.meshes[mesh][primitive].extreme_points;
        Some(((node, primitive), points.iter().copied().filter(|&vertex| drawn[vertex]).collect()))
    };
    visible.iter().filter_map(points).collect()
}

/// The model whose poses are measured.
#[derive(Clone, Copy)]
struct MeasuredScene<'a> {
    model: &'a Model,
    view: &'a View,
    meshes: &'a MeshBounds,
    /// Whether the skeleton shows each node, in model order.
    joints: &'a [bool],
}

/// Adds the shown parts of one pose to a hull: visible meshes in the scene, and the skeleton if there is no mesh or the skeleton is drawn.
fn add_pose(measured: MeasuredScene, drawn: &DrawnPoints, posed: &Posed, hull: &mut Hull) {
    let MeasuredScene { model, view, meshes, joints } = measured;
    let (mut has_points, mut skinned) = (false, HashSet::new());
    for (i, node) in model.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.filter(|_| posed.shown[i]) else { continue };
        let (index, instance) = (NodeIndex(i as u32), meshes.instances.get(&i));
        for (primitive_index, (primitive, bounds)) in model.meshes[mesh].primitives.iter().zip(&meshes.meshes[mesh]).enumerate() {
            if posed.visible_indices.get(&(index, primitive_index)).is_some_and(|indices| indices.is_empty()) {
                continue;
            }
            let drawn = drawn.get(&(index, primitive_index));
            // Equal vertices with the same skin lie at the same place, whichever node draws them. A small file can have many such nodes.
            let follows_joints = primitive.vertices.influences.sets > 0 && node.weights.is_empty();
            if let Some(skin) = node.skin.filter(|_| follows_joints && drawn.is_none() && instance.is_none())
                && !skinned.insert((skin, Arc::as_ptr(&primitive.vertices)))
            {
                continue;
            }
            if drawn.is_none() && instance.is_none() && is_enclosed(model, node, bounds, posed, hull) {
                has_points = true;
                continue;
            }
            // Only extreme points are deformed. There are a few per joint, however many vertices the mesh has.
            let points = drawn.unwrap_or(&bounds.extreme_points).iter().copied();
            let positions = match instance {
                Some(instance) => instance.posed_points(model, posed, index, primitive_index),
                None => {
                    let morphed = bounds.morphed(&primitive.vertices, &posed.pose.weights[node.weights.clone()]);
                    deform::positions_from_morphed(model, index, primitive, posed.vertex_pose(), morphed, points)
                }
            };
            for position in positions {
                has_points |= position.is_finite();
                hull.add(position);
            }
        }
    }
    // Joints may lie outside of all meshes, and a model may consist of nodes only.
    if !has_points || view.display.asks_for_skeleton() {
        // If there is a mesh, only the start of each joint's segment is added.
        let ends = if has_points { 1 } else { 2 };
        for position in skeleton::joint_segments(model, joints, &posed.globals).iter().flatten().flat_map(|segment| &segment[..ends]) {
            hull.add(*position);
        }
    }
}

/// Returns whether all of a primitive certainly lies within a hull, so that its points need not be deformed. This is the case for most of a
/// large scene.
fn is_enclosed(model: &Model, node: &Node, bounds: &PrimitiveBounds, posed: &Posed, hull: &Hull) -> bool {
    if !node.weights.is_empty() {
        return false;
    }
    match node.skin.filter(|_| !bounds.joints.is_empty()).map(|skin| &posed.joint_transforms[model.skins[skin].matrices.clone()]) {
        // A skinned vertex lies between the positions to which its joints would move it, apart from the error of the sum of its weights.
        Some(transforms) => bounds.joints.iter().all(|(joint, bounds)| {
            transforms
                .get(usize::from(*joint))
                .is_some_and(|transform| hull.encloses(bounds, transform, posed.anchor, MAX_WEIGHT_SUM_ERROR))
        }),
        None => node.rigid_matrix.is_some_and(|entry| hull.encloses(&bounds.whole, &posed.joint_transforms[entry], posed.anchor, 0.0)),
    }
}

/// The bounds of some nodes and their subtrees: their positions, their meshes, and the vertices that they move as joints, in world space.
/// Bounds with a radius below a twentieth of that of `whole` are replaced by a cube with the same center. Half the side of the cube is that
/// twentieth.
pub fn nodes_bounds(model: &Model, meshes: &MeshBounds, posed: &Posed, nodes: &[NodeIndex], whole: &Bounds) -> Bounds {
    let inside = model.hierarchy.in_subtrees(nodes.iter().copied());
    let mut all = Bounds::EMPTY;
    for i in (0..model.nodes.len()).filter(|&i| inside[i]) {
        all.add(posed.globals[i].translation);
        all = all.union(&mesh_bounds(model, meshes, posed, i));
    }
    // A mesh elsewhere in the scene may be skinned to joints of the subtrees.
    for node in &model.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin.map(|skin| &model.skins[skin])) else { continue };
        let is_inside = |joint: usize| skin.joints.get(joint).is_some_and(|joint| inside[joint.index()]);
        for primitive in &meshes.meshes[mesh] {
            all = all.union(&skinned_bounds(primitive, node, skin, posed, is_inside));
        }
    }
    let min_half_size = whole.radius() / 20.0;
    if all.radius() < min_half_size { Bounds { min: all.center() - min_half_size, max: all.center() + min_half_size } } else { all }
}

/// Bounds that contain a node's mesh in a pose, in world space. They may be much larger than the mesh, and are empty without a mesh.
pub fn mesh_bounds(model: &Model, meshes: &MeshBounds, posed: &Posed, i: usize) -> Bounds {
    let node = &model.nodes[i];
    let Some(mesh) = node.mesh else { return Bounds::EMPTY };
    let weights = &posed.pose.weights[node.weights.clone()];
    let mut all = Bounds::EMPTY;
    for primitive in meshes.node_primitives(i, mesh) {
        all = all.union(&match node.skin.filter(|_| !primitive.joints.is_empty()).map(|skin| &model.skins[skin]) {
            Some(skin) => skinned_bounds(primitive, node, skin, posed, |_| true),
            None => finite(&morphed(&primitive.whole, &primitive.targets, weights).transformed(&posed.globals[i])),
        });
    }
    all
}

/// The bounds of the vertices that some joints of a node's skin move, in world space. `includes` chooses the joints by their index in the
/// skin.
fn skinned_bounds(primitive: &PrimitiveBounds, node: &Node, skin: &Skin, posed: &Posed, includes: impl Fn(usize) -> bool) -> Bounds {
    let (transforms, weights) = (&posed.joint_transforms[skin.matrices.clone()], &posed.pose.weights[node.weights.clone()]);
    let mut all = Bounds::EMPTY;
    for (joint, bounds) in primitive.joints.iter().filter(|(joint, _)| includes(usize::from(*joint))) {
        let Some(transform) = transforms.get(usize::from(*joint)) else { continue };
        all = all.union(&finite(&morphed(bounds, &primitive.targets, weights).transformed(transform)));
    }
    all
}

/// The bounds of a primitive with the morph weights of a node, in mesh space.
pub fn primitive_bounds(model: &Model, meshes: &MeshBounds, posed: &Posed, i: usize, primitive: usize) -> Bounds {
    let Some(mesh) = model.nodes[i].mesh else { return Bounds::EMPTY };
    let bounds = &meshes.meshes[mesh][primitive];
    finite(&morphed(&bounds.whole, &bounds.targets, &posed.pose.weights[model.nodes[i].weights.clone()]))
}

/// The bounds of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct AnimationBounds {
    /// The bounds in world space, in meters. They always have a size.
    pub bounds: Bounds,
    /// The outermost points within the bounds. Empty if the shown content has no size.
    pub hull: Vec<DVec3>,
}

impl AnimationBounds {
    /// The bounds and outermost points of a hull.
    fn from_hull(hull: &Hull) -> Self {
        let bounds = padded(hull.bounds);
        Self { bounds, hull: if bounds == hull.bounds { hull.points() } else { Vec::new() } }
    }

    /// The orbit with the same direction as `orbit`, at the distance at which the bounds fill the view. `aspect` is the picture's width
    /// over its height.
    pub fn fit(&self, orbit: &Orbit, aspect: f64) -> Orbit {
        match self.hull.is_empty() {
            true => orbit.fitted(&self.bounds, aspect),
            false => orbit.fitted_to(self.hull.iter().copied(), self.bounds.center(), aspect),
        }
    }
}

/// The bounds of the content that the view's animation and layers show, from their first keys to their last. `root` is the root of the
/// animation if the view is kept in place.
pub fn animation_bounds(rig: Rig, view: &View, root: RootStatus, meshes: &MeshBounds) -> AnimationBounds {
    let model = rig.model;
    let mut posed = rig.posed();
    let joints = model.skeleton_nodes(model.scene_or_default(view.scene));
    let (measured, roots) = (MeasuredScene { model, view, meshes, joints: &joints }, Roots::new(root));
    let (mut hull, mut drawn) = (Hull::new(), None);
    for moment in sampled_moments(model, view, meshes) {
        pose::pose(model, view, moment, roots, &mut posed);
        // Switches do not change during an animation, so the first pose decides which points are drawn.
        let drawn = drawn.get_or_insert_with(|| drawn_points(model, meshes, &posed.visible_indices));
        add_pose(measured, drawn, &posed, &mut hull);
    }
    AnimationBounds::from_hull(&hull)
}

/// The bounds of the content that the view shows at a moment. `roots` are the roots at that moment if the view is kept in place.
pub fn moment_bounds(rig: Rig, view: &View, moment: Moment, roots: Roots, meshes: &MeshBounds) -> AnimationBounds {
    let model = rig.model;
    let joints = model.skeleton_nodes(model.scene_or_default(view.scene));
    let (mut posed, mut hull) = (rig.posed(), Hull::new());
    pose::pose(model, view, moment, roots, &mut posed);
    let drawn = drawn_points(model, meshes, &posed.visible_indices);
    add_pose(MeasuredScene { model, view, meshes, joints: &joints }, &drawn, &posed, &mut hull);
    AnimationBounds::from_hull(&hull)
}

/// Returns whether measuring the content that the view shows takes long, because its poses have very many nodes and extreme points.
pub fn is_slow(model: &Model, view: &View, meshes: &MeshBounds) -> bool {
    work_per_pose(model, meshes).saturating_mul(sampled_moments(model, view, meshes).count()) >= MIN_SLOW_VERTICES
}

/// Number of nodes and of extreme points of a pose.
fn work_per_pose(model: &Model, meshes: &MeshBounds) -> usize {
    let shown = model.nodes.iter().filter_map(|node| node.mesh).flat_map(|mesh| &meshes.meshes[mesh]);
    model.nodes.len() + shown.map(|primitive| primitive.extreme_points.len()).sum::<usize>()
}

/// Moments from the start to the end of the playing animation and layers: the keys of the animation, and the moments halfway between them.
/// With layers, or with too many or too few keys, some of the moments are evenly spaced.
fn sampled_moments(model: &Model, view: &View, meshes: &MeshBounds) -> impl Iterator<Item = Moment> {
    let duration = playback_range::duration(model, view);
    let layers = || layers::active(&view.layers, model).map(|(_, layer)| (layer, &model.animations[layer.animation]));
    let animation = view.animation.and_then(|a| model.animations.get(a));
    let playing = animation.into_iter().chain(layers().map(|(_, animation)| animation));
    // The largest number of keys in a set of key times indicates how often the motion may change direction.
    let keys = playing.flat_map(|animation| animation.key_times.iter().map(Vec::len)).max().unwrap_or(0);
    let max_samples = (MAX_DEFORMED_VERTICES / work_per_pose(model, meshes).max(1)).clamp(8, MAX_SAMPLES);
    let mut times = times_at_keys(animation, max_samples);
    let spaced =
        |[start, end]: [f64; 2], count: usize| (0..count).map(move |i| start + (end - start) * i as f64 / (count.max(2) - 1) as f64);
    // Keys may crowd in a short part of the animation, and layers have keys at other times.
    if times.len() > max_samples || layers().next().is_some() {
        times = times.iter().step_by(times.len().div_ceil(max_samples / 2)).copied().collect();
        let spans = played_spans(model, view);
        let most = (max_samples - times.len()) / spans.len().max(1);
        let count = (keys * 2).saturating_sub(1).max(MIN_SAMPLES).min(most).max(2);
        times.extend(spans.into_iter().flat_map(|span| spaced(span, count)));
    } else if let Some(&end) = times.last().filter(|&&end| end > 0.0 && times.len() < MIN_SAMPLES) {
        let count = MIN_SAMPLES.min(max_samples.saturating_sub(times.len()));
        times.extend(spaced([0.0, end], count));
    }
    // A layer that loops is never at its out point, only just before it. A layer that plays once is at both ends of its span.
    let times = times.into_iter().map(|elapsed| (elapsed, elapsed * (1.0 - 1e-9)));
    let ends = once_span(model, view).into_iter().flatten().map(|end| (end, end));
    times.chain(ends).map(move |(elapsed, clock)| {
        // An animation that is shorter than a layer keeps looping under it.
        let time = if (0.0..=duration).contains(&elapsed) || duration <= 0.0 { elapsed } else { elapsed.rem_euclid(duration) };
        Moment { clock, ..Moment::from(time) }
    })
}

/// Spans of the layers' clock, in seconds, that together show every pose of a view: one that covers the animation and all repeating layers,
/// and one that covers all layers that play once, which may begin earlier or end later.
fn played_spans(model: &Model, view: &View) -> Vec<[f64; 2]> {
    let repeating = layers::active(&view.layers, model).map(|(_, layer)| layer).filter(|layer| layer.repeat != Repeat::Once);
    let lengths = repeating.map(|layer| model.animations[layer.animation].duration / layer.speed.abs());
    let longest = lengths.filter(|length| length.is_finite()).fold(playback_range::duration(model, view), f64::max);
    std::iter::once([0.0, longest]).chain(once_span(model, view)).filter(|[start, end]| end > start).collect()
}

/// The span of the layers' clock, in seconds, that covers all layers that play once. `None` if there are none.
fn once_span(model: &Model, view: &View) -> Option<[f64; 2]> {
    let runs = layers::active(&view.layers, model).filter_map(|(_, layer)| playback_range::only_run(model, layer));
    runs.reduce(|[start, end], [other_start, other_end]| [start.min(other_start), end.max(other_end)])
}

/// The start of an animation, its key times and the times halfway between them, in ascending order. Of sets with more than `max_keys` key
/// times, only some are used.
fn times_at_keys(animation: Option<&Animation>, max_keys: usize) -> Vec<f64> {
    let sets = animation.map_or(&[][..], |animation| &animation.key_times);
    let keys = sets.iter().flat_map(|set| set.iter().step_by(set.len().div_ceil(max_keys).max(1)));
    let mut times: Vec<f64> = std::iter::once(0.0).chain(keys.map(|&key| f64::from(key)).filter(|&key| key > 0.0)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    // Between two keys a joint rarely leaves the bounds of both and of the pose halfway between them.
    let halfway: Vec<f64> = times.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    times.extend(halfway);
    times.sort_by(f64::total_cmp);
    times
}

/// The size of a scene in the rest pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestSize {
    /// The scene that was measured, by its index in the file.
    pub scene: Option<usize>,
    /// The sides of its bounds, in meters; `None` if nothing in the scene has a size.
    pub size: Option<DVec3>,
}

impl RestSize {
    /// Measures a scene in the rest pose.
    pub fn new(rig: Rig, scene: Option<usize>, meshes: &MeshBounds) -> Self {
        let view = View { scene, ..View::default() };
        let AnimationBounds { bounds, hull } = animation_bounds(rig, &view, RootStatus::None, meshes);
        Self { scene, size: (!hull.is_empty()).then(|| bounds.max - bounds.min) }
    }
}

/// The bounds, or a cube of one meter around them if they are a single point or empty, so that the camera has a volume to frame.
fn padded(bounds: Bounds) -> Bounds {
    let center = bounds.center();
    if bounds.radius() > 1e-9 * (1.0 + center.length()) {
        return bounds;
    }
    Bounds { min: center - DVec3::splat(0.5), max: center + DVec3::splat(0.5) }
}

/// Bounds of a primitive with these morph weights. `targets` has the bounds of each morph target's offsets.
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

/// The bounds, or empty ones if they are not finite.
fn finite(bounds: &Bounds) -> Bounds {
    if bounds.min.is_finite() && bounds.max.is_finite() { *bounds } else { Bounds::EMPTY }
}
