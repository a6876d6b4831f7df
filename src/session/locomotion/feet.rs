//! Which joints are feet: the ends of limbs that come down to the ground where the model rests, with all that hangs on them.

use crate::animation::compiled::model::CompiledModel;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::view::View;

use super::root_motion;

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

/// The feet of what the view shows. `size`: of the model.
pub fn feet(model: &Model, prepared: &CompiledModel, view: &View, size: f64) -> Vec<Foot> {
    let borne = root_motion::borne(model, view);
    let whole = borne.iter().filter(|borne| **borne).count();
    let place = |node: usize| prepared.rest_globals[node].translation;
    let candidates: Vec<usize> = (0..borne.len()).filter(|&node| borne[node] && place(node).is_finite()).collect();
    let ground = candidates.iter().map(|&node| place(node).y).fold(f64::INFINITY, f64::min);
    let is_part = |foot: usize, point: usize| is_low(place(point).y, ground, size) && place(point).distance(place(foot)) < NEAR * size;
    let mut feet: Vec<Foot> = Vec::new();
    // Parents come first: the first node that is one holds all of its foot.
    for (number, &node) in candidates.iter().enumerate() {
        let end = model.hierarchy.subtree(NodeIndex(node as u32)).end;
        let points = &candidates[number..candidates.partition_point(|&point| point < end)];
        let inside = feet.last().is_some_and(|foot| foot.points.contains(&node));
        if feet.len() < MOST && !inside && 2 * points.len() < whole && points.iter().all(|&point| is_part(node, point)) {
            feet.push(Foot { node, points: points.to_vec() });
        }
    }
    feet
}

/// Whether something at this height may stand.
pub fn is_low(height: f64, ground: f64, size: f64) -> bool {
    height - ground < LOW * size
}
