//! Finds the root, the node that carries the model through the world, and measures its travel along the ground.
//!
//! The ground is the plane of x and z; +Y is up (glTF 2.0, 3.4).

use std::ops::Range;

use glam::{DVec3, Vec3Swizzles};

use crate::animation::compiled::model::CompiledModel;
use crate::animation::hierarchy::far_nodes;
use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::node::NodeIndex;
use crate::session::motion::request::MotionRequest;
use crate::session::motion::sampled::{self, SampledMotion};
use crate::session::pose::Rig;
use crate::session::pose::in_place::{Root, RootStatus};
use crate::session::view::{View, layers};

use super::rigs;

/// A node travels if it moves farther from its start than this fraction of the model's size. Less counts as swaying.
const MIN_TRAVEL: f64 = 0.15;
/// Number of samples of an animation for finding the root.
const SEARCH_SAMPLES: f64 = 96.0;

/// Samples the whole animation of the view and all of its layers, and finds the node that carries the model. `None` if the model stays in
/// place.
pub fn find(rig: Rig, view: &View) -> Option<Root> {
    let Rig { model, compiled } = rig;
    let (candidates, view) = (root_candidates(model, view), View { in_place: false, bind_pose: false, ..view.clone() });
    let request = MotionRequest::with_late_layers(model, &view, &candidates, SEARCH_SAMPLES);
    let motion = SampledMotion::sample(rig, &request, RootStatus::None, || true)?;
    root(model, &view, &candidates, size(model, compiled), &motion)
}

/// The root among `candidates`, whose positions are in `motion`. `size` is the size of the model, in meters. `None` if no candidate
/// travels.
pub fn root(model: &Model, view: &View, candidates: &[usize], size: f64, motion: &SampledMotion) -> Option<Root> {
    let candidates: Vec<usize> = candidates.iter().copied().filter(|&node| is_moved(model, view, node)).collect();
    let paths: Vec<_> = candidates.iter().map(|&node| motion.positions(node).unwrap_or_default()).collect();
    let node = candidates[first_traveling(&paths, size)?];
    Some(Root { node, subtree: subtree(model, NodeIndex(node as u32)), start: *motion.positions(node)?.first()? })
}

/// Returns whether an animation translates the node itself. A node that is only carried along by a falling body does not count.
fn is_moved(model: &Model, view: &View, node: usize) -> bool {
    let layers = layers::active(&view.layers, model).map(|(_, layer)| layer.animation);
    let mut playing = view.animation.into_iter().chain(layers).filter_map(|animation| model.animations.get(animation));
    playing.any(|animation| animation.channels.iter().any(|channel| channel.target == Target::Translation(NodeIndex(node as u32))))
}

/// The size of the model in meters: the extent at rest of the joints of its largest rig, or of all joints if no rig has an extent, or of
/// the whole model if it has no joints.
pub fn size(model: &Model, compiled: &CompiledModel) -> f64 {
    let joints = rigs::in_scene(model, &model.joints());
    let diameter = |nodes: Range<usize>| {
        let mut bounds = Bounds::EMPTY;
        nodes.filter(|&node| joints[node]).for_each(|node| bounds.add(compiled.rest_globals[node].translation));
        2.0 * bounds.radius()
    };
    let largest = rigs::rigs(model, &joints).into_iter().map(diameter).fold(0.0, f64::max);
    let diameter = if largest > 0.0 { largest } else { diameter(0..joints.len()) };
    if diameter > 0.0 { diameter } else { 2.0 * far_nodes::size(model, &compiled.rest_globals) }
}

/// The index of the first path that leads away from its start. `size` is the size of the model, in meters.
pub fn first_traveling(paths: &[&[DVec3]], size: f64) -> Option<usize> {
    let distance = |path: &&[DVec3]| path.iter().map(|position| position.xz().distance(path[0].xz())).fold(0.0, f64::max);
    paths.iter().position(|path| distance(path) > MIN_TRAVEL * size)
}

/// The nodes that have more than half of the body in their subtree, the topmost first.
pub fn root_candidates(model: &Model, view: &View) -> Vec<usize> {
    let is_body = body_nodes(model, view);
    // The number of body nodes before each node, and the total. A subtree is a range, so a difference of two entries counts its body nodes.
    let mut before = vec![0];
    before.extend(is_body.iter().scan(0, |sum, &is_body| {
        *sum += usize::from(is_body);
        Some(*sum)
    }));
    let count = |nodes: Range<usize>| before[nodes.end] - before[nodes.start];
    let body_count = count(0..is_body.len());
    (0..is_body.len()).filter(|&node| 2 * count(model.hierarchy.subtree(NodeIndex(node as u32))) > body_count).collect()
}

/// Returns for each node whether it is part of the body, in model order. The body consists of the scene's joints, or of its nodes with a
/// mesh if it has no joints, or of its skeleton if the file has neither.
pub fn body_nodes(model: &Model, view: &View) -> Vec<bool> {
    let in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
    let in_scene_and = |flags: &[bool]| -> Vec<bool> { in_scene.iter().zip(flags).map(|(&in_scene, &flag)| in_scene && flag).collect() };
    let joints = in_scene_and(&model.joints());
    if model.is_motion_only() {
        return in_scene_and(&model.skeleton_nodes(model.scene_or_default(view.scene)));
    }
    let meshes: Vec<bool> = model.nodes.iter().map(|node| node.mesh.is_some()).collect();
    if joints.contains(&true) { joints } else { in_scene_and(&meshes) }
}

/// The top of the subtree that moves with a root. It is the root or its nearest ancestor above all joints of the skins that it moves.
fn subtree(model: &Model, node: NodeIndex) -> NodeIndex {
    let below = model.hierarchy.subtree(node);
    let skins = model.skins.iter().filter(|skin| skin.joints.iter().any(|joint| below.contains(&joint.index())));
    let joints = || skins.clone().flat_map(|skin| &skin.joints).map(|joint| joint.index());
    // A subtree is a range, so it has all joints if it has the first and the last one.
    let ends = [joints().min(), joints().max()];
    let has_all = |top: &NodeIndex| ends.iter().flatten().all(|joint| model.hierarchy.subtree(*top).contains(joint));
    let mut ancestors = std::iter::successors(Some(node), |&up| model.hierarchy.parent(up));
    ancestors.find(has_all).unwrap_or(node)
}

/// Travel of a root along the ground.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Travel {
    /// Straight distance from start to end, in meters.
    pub distance: f64,
    /// Length of the path, in meters.
    pub length: f64,
    /// Mean speed, in meters per second.
    pub mean: f64,
    /// Largest speed, in meters per second.
    pub top: f64,
}

/// Measures a path. `time` gives the time of a position, in seconds.
pub fn travel(path: &[DVec3], time: impl Fn(usize) -> f64) -> Travel {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return Travel::default() };
    let ground = on_ground(path, 0.0);
    let length = ground.windows(2).map(|step| step[0].distance(step[1])).sum();
    let seconds = time(path.len() - 1) - time(0);
    let top = sampled::speeds(&ground, time).into_iter().fold(0.0, f64::max);
    let mean = if seconds > 0.0 { length / seconds } else { 0.0 };
    Travel { distance: first.xz().distance(last.xz()), length, mean, top }
}

/// The path projected onto the horizontal plane at `height`, in meters.
pub fn on_ground(path: &[DVec3], height: f64) -> Vec<DVec3> {
    path.iter().map(|place| place.with_y(height)).collect()
}
