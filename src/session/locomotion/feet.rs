//! Finds the feet: ends of limbs that reach the ground in the rest pose.

use crate::animation::compiled::model::CompiledModel;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::view::View;

use super::root_motion;

/// Maximum height of a foot's joints above the model's lowest joint, as a fraction of the model's size.
const MAX_FOOT_HEIGHT: f64 = 0.08;
/// Maximum distance of a foot's joints from its topmost joint, as a fraction of the model's size.
const MAX_FOOT_EXTENT: f64 = 0.15;
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

/// The feet of the scene that the view shows. `size` is the size of the model, in meters.
pub fn feet(model: &Model, compiled: &CompiledModel, view: &View, size: f64) -> Vec<Foot> {
    let is_body = root_motion::body_nodes(model, view);
    let body_count = is_body.iter().filter(|is_body| **is_body).count();
    let rest_position = |node: usize| compiled.rest_globals[node].translation;
    let candidates: Vec<usize> = (0..is_body.len()).filter(|&node| is_body[node] && rest_position(node).is_finite()).collect();
    let ground = candidates.iter().map(|&node| rest_position(node).y).fold(f64::INFINITY, f64::min);
    // All joints of a foot are low at rest and close to its topmost joint.
    let belongs = |foot: usize, point: usize| {
        is_low(rest_position(point).y, ground, size) && rest_position(point).distance(rest_position(foot)) < MAX_FOOT_EXTENT * size
    };
    let mut feet: Vec<Foot> = Vec::new();
    // Parents come first, so all other nodes of a foot are below its first one.
    for (index, &node) in candidates.iter().enumerate() {
        let end = model.hierarchy.subtree(NodeIndex(node as u32)).end;
        let points = &candidates[index..candidates.partition_point(|&point| point < end)];
        let is_in_last_foot = feet.last().is_some_and(|foot| foot.points.contains(&node));
        // A node that has half of the body below it is not a foot.
        if feet.len() < MAX_FEET && !is_in_last_foot && 2 * points.len() < body_count && points.iter().all(|&point| belongs(node, point)) {
            feet.push(Foot { node, points: points.to_vec() });
        }
    }
    feet
}

/// Returns whether a height is low enough to stand on the ground. `height`, `ground` and `size` (of the model) are in meters.
pub fn is_low(height: f64, ground: f64, size: f64) -> bool {
    height - ground < MAX_FOOT_HEIGHT * size
}
