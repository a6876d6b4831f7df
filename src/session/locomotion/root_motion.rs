//! Root motion: which node carries the model through the world, and how far and how fast it goes along the ground. The ground is
//! x and z, up is +Y (glTF 2.0, 3.4).

use std::ops::Range;
use std::sync::Arc;

use glam::{DVec3, Vec3Swizzles};

use crate::animation::compiled::model::CompiledModel;
use crate::animation::hierarchy::far_nodes;
use crate::camera::Bounds;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::node::NodeIndex;
use crate::session::motion::request::{self, Clock, MotionRequest};
use crate::session::motion::sampled::{self, SampledMotion};
use crate::session::view::{View, layers};

use super::root_cache::RootCache;

/// What comes further than this from where it began, of the model's size, travels; less is swaying.
const TRAVELS: f64 = 0.15;
/// The root is looked for at so many moments of an animation.
const MOMENTS: f64 = 96.0;

/// The node that travels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Root {
    /// In the model's order.
    pub node: usize,
    /// What moves along with it: a node with all below it. Feet that hang beside the hips are in it, too.
    pub carried: NodeIndex,
    /// Where it is when the animation begins.
    pub home: DVec3,
}

/// Finds the node that carries the model along in the view's animation; none: it stays where it is.
pub fn find(model: &Model, prepared: &Arc<CompiledModel>, view: &View) -> Option<Root> {
    let (bearers, view) = (bearers(model, view), View { in_place: false, ..view.clone() });
    let rate = MOMENTS / request::duration(model, &view).max(1e-3);
    let course = MotionRequest::new(model, &view, &bearers, rate, Clock::default());
    let motion = SampledMotion::sample(model, prepared, &RootCache::default(), &course, || true)?;
    root(model, &view, &bearers, size(model, prepared), &motion)
}

/// The same, where a motion of the bearers is there. `size`: of the model.
pub fn root(model: &Model, view: &View, bearers: &[usize], size: f64, motion: &SampledMotion) -> Option<Root> {
    let bearers: Vec<usize> = bearers.iter().copied().filter(|&node| is_moved(model, view, node)).collect();
    let paths: Vec<_> = bearers.iter().map(|&node| motion.of(node).unwrap_or_default()).collect();
    let node = bearers[traveller(&paths, size)?];
    let carried = carried(model, NodeIndex(node as u32));
    Some(Root { node, carried, home: *motion.of(node)?.first()? })
}

/// Whether an animation moves a node by itself: a body that falls over turns about what does not travel.
fn is_moved(model: &Model, view: &View, node: usize) -> bool {
    let layers = layers::active(&view.layers, model).map(|(_, layer)| layer.animation);
    let mut playing = view.animation.into_iter().chain(layers).filter_map(|animation| model.animations.get(animation));
    playing.any(|animation| animation.channels.iter().any(|channel| channel.target == Target::Translation(NodeIndex(node as u32))))
}

/// How large the model is, metres: across its joints at rest, whatever stands around it; without joints across all there is.
pub fn size(model: &Model, prepared: &CompiledModel) -> f64 {
    let mut bounds = Bounds::EMPTY;
    let joints = model.joints();
    prepared.rest_globals.iter().zip(&joints).filter(|(_, joint)| **joint).for_each(|(global, _)| bounds.add(global.translation));
    let spread = 2.0 * bounds.radius();
    if spread > 0.0 { spread } else { 2.0 * far_nodes::size(model, &prepared.rest_globals) }
}

/// The first of these paths that leads away from its beginning.
pub fn traveller(paths: &[&[DVec3]], size: f64) -> Option<usize> {
    let away = |path: &&[DVec3]| path.iter().map(|place| place.xz().distance(path[0].xz())).fold(0.0, f64::max);
    paths.iter().position(|path| away(path) > TRAVELS * size)
}

/// The nodes of the scene that more than half of the model hangs on, the topmost first.
pub fn bearers(model: &Model, view: &View) -> Vec<usize> {
    let borne = borne(model, view);
    // How many come before each node, and how many there are: a subtree is a range.
    let mut before = vec![0];
    before.extend(borne.iter().scan(0, |sum, &borne| {
        *sum += usize::from(borne);
        Some(*sum)
    }));
    let count = |nodes: Range<usize>| before[nodes.end] - before[nodes.start];
    let whole = count(0..borne.len());
    (0..borne.len()).filter(|&node| 2 * count(model.hierarchy.subtree(NodeIndex(node as u32))) > whole).collect()
}

/// By node: what the model is made of, in the scene. Its joints; where it has none, what draws something.
pub fn borne(model: &Model, view: &View) -> Vec<bool> {
    let in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
    let both = |these: &[bool]| -> Vec<bool> { in_scene.iter().zip(these).map(|(&inside, &this)| inside && this).collect() };
    let joints = both(&model.joints());
    let meshes: Vec<bool> = model.nodes.iter().map(|node| node.mesh.is_some()).collect();
    if joints.contains(&true) { joints } else { both(&meshes) }
}

/// The node itself; where it moves joints, the lowest that all joints of their skins hang on.
fn carried(model: &Model, node: NodeIndex) -> NodeIndex {
    let below = model.hierarchy.subtree(node);
    let skins = model.skins.iter().filter(|skin| skin.joints.iter().any(|joint| below.contains(&joint.index())));
    let joints: Vec<usize> = skins.flat_map(|skin| &skin.joints).map(|joint| joint.index()).collect();
    let holds = |up: &NodeIndex| joints.iter().all(|joint| model.hierarchy.subtree(*up).contains(joint));
    let mut ups = std::iter::successors(Some(node), |&up| model.hierarchy.parent(up));
    ups.find(holds).unwrap_or(node)
}

/// How far something goes along the ground, and how fast.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Travel {
    /// Metres from the beginning to the end, as the crow flies.
    pub distance: f64,
    /// Metres along the way.
    pub length: f64,
    /// Metres a second: on average, and at most.
    pub mean: f64,
    pub most: f64,
}

/// `time`: when it is at the place of a number.
pub fn travel(path: &[DVec3], time: impl Fn(usize) -> f64) -> Travel {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return Travel::default() };
    let ground = on_ground(path, 0.0);
    let length = ground.windows(2).map(|step| step[0].distance(step[1])).sum();
    let seconds = time(path.len() - 1) - time(0);
    let most = sampled::speeds_of(&ground, time).into_iter().fold(0.0, f64::max);
    let mean = if seconds > 0.0 { length / seconds } else { 0.0 };
    Travel { distance: first.xz().distance(last.xz()), length, mean, most }
}

/// The path straight below, or above.
pub fn on_ground(path: &[DVec3], height: f64) -> Vec<DVec3> {
    path.iter().map(|place| place.with_y(height)).collect()
}
