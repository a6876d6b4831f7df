//! The motion trail: which part of an animation it shows about a moment, as stretches of time that are drawn as one line each.

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::time::transport::{self, Moment};
use crate::session::view::{Depth, Repeat, View};

use super::request::{self, MotionRequest};
use super::sampled::SampledMotion;

/// As a view has it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Trail {
    pub shown: bool,
    /// Seconds before and after the playhead; none: the whole range.
    pub window: Option<f64>,
    pub depth: Depth,
}

/// A window is never smaller, seconds.
pub const LEAST_WINDOW: f64 = 0.01;

/// What the trails of a moment are drawn from; none where there are none.
pub fn course(document: &Document, view: &View, moment: &Moment) -> Option<MotionRequest> {
    if !view.display.trail.shown || !transport::moves(&document.model, view) {
        return None;
    }
    let nodes = nodes(&document.model, view);
    (!nodes.is_empty()).then(|| MotionRequest::of_frames(document, view, &nodes, moment))
}

/// The greatest speed of these nodes anywhere in a motion, metres a second.
pub fn top_speed(motion: &SampledMotion, nodes: &[usize]) -> f64 {
    nodes.iter().filter_map(|&node| motion.speeds(node)).map(|speeds| speeds.top).fold(0.0, f64::max)
}

/// The nodes that have a trail: what is selected, in the model's order.
pub fn nodes(model: &Model, view: &View) -> Vec<usize> {
    let mut nodes: Vec<_> = view.selection.iter().filter_map(|&source| model.node_from_source(source)).map(NodeIndex::index).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The stretches of time that the trail shows when the animation is at `time`. A window goes on at the other end where the
/// animation loops.
pub fn stretches(model: &Model, view: &View, time: f64) -> Vec<[f64; 2]> {
    let [start, end] = range(model, view, time);
    let length = end - start;
    let Some(window) = view.display.trail.window.map(|window| window.max(LEAST_WINDOW)).filter(|window| 2.0 * window < length) else {
        return vec![[start, end]];
    };
    let [from, to] = [time - window, time + window];
    let mut stretches = vec![[from.max(start), to.min(end)]];
    if view.repeat == Repeat::Loop {
        stretches.extend((from < start).then_some([from + length, end]));
        stretches.extend((to > end).then_some([start, to - length]));
    }
    stretches
}

/// The colour of a speed as a share of the greatest.
pub fn speed_color(speeds: &[[u8; 3]; 5], share: f64) -> [u8; 3] {
    let at = share.clamp(0.0, 1.0) * (speeds.len() - 1) as f64;
    let below = (at as usize).min(speeds.len() - 2);
    let (low, high) = (speeds[below], speeds[below + 1]);
    [0, 1, 2].map(|i| (f64::from(low[i]) + (f64::from(high[i]) - f64::from(low[i])) * (at - below as f64)).round() as u8)
}

/// The range that is played; all of the animation where a person looks beyond it.
pub fn range(model: &Model, view: &View, time: f64) -> [f64; 2] {
    let [start, end] = transport::range(model, view);
    if end > start && (start..=end).contains(&time) { [start, end] } else { [0.0, request::duration(model, view)] }
}
