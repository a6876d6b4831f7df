//! Which joints are feet: the ends of limbs that come down to the ground, with all that hangs on them.

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::contact;
use super::motion::Motion;
use super::view::View;

/// A foot's joints stand no higher than this above the lowest of all, and hang no further from it, of the model's size.
const LOW: f64 = 0.08;
const NEAR: f64 = 0.15;
/// A spider has them all.
const MOST: usize = 8;

/// In the model's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foot {
    /// All of the foot hangs on it.
    pub node: usize,
    pub points: Vec<usize>,
}

/// The joints that may be part of a foot: of a model without any, the nodes of the scene that draw something.
pub fn candidates(model: &Model, view: &View) -> Vec<usize> {
    let in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
    let joints = model.joints();
    let any_joint = joints.contains(&true);
    let counts = |node: usize| in_scene[node] && if any_joint { joints[node] } else { model.nodes[node].mesh.is_some() };
    (0..in_scene.len()).filter(|&node| counts(node)).collect()
}

/// The feet, as they move. `size`: of the model.
pub fn feet(model: &Model, view: &View, motion: &Motion, size: f64) -> Vec<Foot> {
    let candidates = candidates(model, view);
    let mut floors = vec![f64::INFINITY; model.nodes.len()];
    for &node in &candidates {
        let floor = motion.of(node).map_or(f64::INFINITY, contact::floor);
        floors[node] = if floor.is_finite() { floor } else { f64::INFINITY };
    }
    let ground = floors.iter().copied().fold(f64::INFINITY, f64::min);
    let below = |node: usize| {
        let subtree = model.hierarchy.subtree(NodeIndex(node as u32));
        candidates.iter().copied().filter(move |point| subtree.contains(point))
    };
    let first = |node: usize| motion.of(node).and_then(|path| path.first());
    let is_near = |a: usize, b: usize| first(a).zip(first(b)).is_some_and(|(a, b)| a.distance(*b) < NEAR * size);
    let is_foot = |node: usize| below(node).all(|point| floors[point] < ground + LOW * size && is_near(node, point));
    let mut feet: Vec<Foot> = Vec::new();
    // Parents come first: the first node that is one holds all of its foot.
    for &node in &candidates {
        let inside = feet.last().is_some_and(|foot: &Foot| foot.points.contains(&node));
        if feet.len() < MOST && !inside && is_foot(node) {
            feet.push(Foot { node, points: below(node).collect() });
        }
    }
    feet
}
