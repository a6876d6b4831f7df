//! Finds the feet: ends of limbs that reach the ground in the rest pose.

use crate::animation::compiled::model::CompiledModel;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::view::View;

use super::root_motion;

/// Maximum height of a foot's joints above the model's lowest joint, as a fraction of the model's size.
const MAX_HEIGHT: f64 = 0.08;
/// Maximum distance of a foot's joints from its topmost joint, as a fraction of the model's size.
const MAX_EXTENT: f64 = 0.15;
/// Maximum number of feet, enough for a spider.
const MAX_FEET: usize = 8;

/// A foot, by node indices in model order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foot {
    /// The topmost node of the foot.
    pub node: usize,
    /// All of its nodes, including `node`.
    pub points: Vec<usize>,
}

/// The feet of the scene that the view shows. `size` is the model's, in meters.
pub fn feet(model: &Model, compiled: &CompiledModel, view: &View, size: f64) -> Vec<Foot> {
    let is_body = root_motion::body_nodes(model, view);
    let whole = is_body.iter().filter(|is_body| **is_body).count();
    let place = |node: usize| compiled.rest_globals[node].translation;
    let candidates: Vec<usize> = (0..is_body.len()).filter(|&node| is_body[node] && place(node).is_finite()).collect();
    let ground = candidates.iter().map(|&node| place(node).y).fold(f64::INFINITY, f64::min);
    // All joints of a foot are low at rest and close to its topmost joint.
    let is_part =
        |foot: usize, point: usize| is_low(place(point).y, ground, size) && place(point).distance(place(foot)) < MAX_EXTENT * size;
    let mut feet: Vec<Foot> = Vec::new();
    // Parents come first, so all other nodes of a foot are below its first one.
    for (number, &node) in candidates.iter().enumerate() {
        let end = model.hierarchy.subtree(NodeIndex(node as u32)).end;
        let points = &candidates[number..candidates.partition_point(|&point| point < end)];
        let inside = feet.last().is_some_and(|foot| foot.points.contains(&node));
        // A node that has half of the body below it is not a foot.
        if feet.len() < MAX_FEET && !inside && 2 * points.len() < whole && points.iter().all(|&point| is_part(node, point)) {
            feet.push(Foot { node, points: points.to_vec() });
        }
    }
    feet
}

/// Returns whether a height is low enough to stand on the ground. `height`, `ground` and `size` (of the model) are in meters.
pub fn is_low(height: f64, ground: f64, size: f64) -> bool {
    height - ground < MAX_HEIGHT * size
}
