//! Finds the feet: ends of limbs that reach the ground in the rest pose.

use crate::animation::compiled::model::CompiledModel;
use crate::camera::bounds::Bounds;
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
    let is_candidate = |node: usize| is_body[node] && rest_position(node).is_finite();
    let candidates: Vec<usize> = (0..is_body.len()).filter(|&node| is_candidate(node)).collect();
    // The bounds of the candidates in each node's subtree. Parents come before their children.
    let mut extents = vec![Bounds::EMPTY; is_body.len()];
    for node in (0..is_body.len()).rev() {
        if is_candidate(node) {
            extents[node].add(rest_position(node));
        }
        if let Some(parent) = model.hierarchy.parents[node] {
            extents[parent.index()] = extents[parent.index()].union(&extents[node]);
        }
    }
    let ground = candidates.iter().map(|&node| rest_position(node).y).fold(f64::INFINITY, f64::min);
    // All joints of a foot are low at rest and close to its topmost joint. The bounds rule out most nodes with many joints below them.
    let is_foot = |foot: usize, points: &[usize]| {
        let (Bounds { min, max }, position) = (extents[foot], rest_position(foot));
        is_low(max.y, ground, size)
            && (max - position).max(position - min).max_element() < MAX_FOOT_EXTENT * size
            && points.iter().all(|&point| rest_position(point).distance(position) < MAX_FOOT_EXTENT * size)
    };
    let (mut feet, mut last_end): (Vec<Foot>, usize) = (Vec::new(), 0);
    // Parents come first, so all other nodes of a foot are below its first one.
    for (index, &node) in candidates.iter().enumerate() {
        let end = model.hierarchy.subtree(NodeIndex(node as u32)).end;
        let points = &candidates[index..candidates.partition_point(|&point| point < end)];
        // A node that has half of the body below it is not a foot, nor is a node of the last foot.
        if feet.len() < MAX_FEET && node >= last_end && 2 * points.len() < body_count && is_foot(node, points) {
            feet.push(Foot { node, points: points.to_vec() });
            last_end = end;
        }
    }
    feet
}

/// Returns whether a height is low enough to stand on the ground. `height`, `ground` and `size` (of the model) are in meters.
pub fn is_low(height: f64, ground: f64, size: f64) -> bool {
    height - ground < MAX_FOOT_HEIGHT * size
}
