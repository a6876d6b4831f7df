//! The motion trail: selects the nodes and the time span that it shows, and colors it by speed.

use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::time::moment::Moment;
use crate::session::view::{Repeat, View, playback_range};

use super::request::MotionRequest;
use super::sampled::SampledMotion;

/// Minimum length of the trail's window on either side of the playhead, in seconds.
pub const MIN_WINDOW: f64 = 0.01;

/// The motion that the trails are drawn from. `None` if no trail is shown.
pub fn request(document: &Document, view: &View, moment: &Moment) -> Option<MotionRequest> {
    if !view.display.trail.shown || !playback_range::moves(&document.model, view) {
        return None;
    }
    let nodes = nodes(&document.model, view);
    (!nodes.is_empty()).then(|| MotionRequest::from_frames(document, view, &nodes, moment))
}

/// The largest speed of these nodes anywhere in a motion, in meters per second.
pub fn top_speed(motion: &SampledMotion, nodes: &[usize]) -> f64 {
    nodes.iter().filter_map(|&node| motion.speeds(node)).map(|speeds| speeds.top).fold(0.0, f64::max)
}

/// The nodes that have a trail: the selected ones, as sorted indices in model order.
pub fn nodes(model: &Model, view: &View) -> Vec<usize> {
    let mut nodes: Vec<_> = view.selection.iter().filter_map(|&source| model.node_from_source(source)).map(NodeIndex::index).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The time segments that the trail shows when the animation is at `time`, in seconds; each is drawn as one line. In a loop, a window
/// that reaches beyond one end continues at the other.
pub fn segments(model: &Model, view: &View, time: f64) -> Vec<[f64; 2]> {
    let [start, end] = playback_range::range_around(model, view, time);
    let length = end - start;
    let Some(window) = view.display.trail.window.map(|window| window.max(MIN_WINDOW)).filter(|window| 2.0 * window < length) else {
        return vec![[start, end]];
    };
    let [from, to] = [time - window, time + window];
    let mut segments = vec![[from.max(start), to.min(end)]];
    if view.repeat == Repeat::Loop {
        segments.extend((from < start).then_some([from + length, end]));
        segments.extend((to > end).then_some([start, to - length]));
    }
    segments
}

/// The sRGB color of a speed, which is `fraction` of the largest speed. `stops` are colors at evenly spaced fractions.
pub fn speed_color(stops: &[[u8; 3]; 5], fraction: f64) -> [u8; 3] {
    let position = fraction.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let stop = (position as usize).min(stops.len() - 2);
    let (low, high) = (stops[stop], stops[stop + 1]);
    [0, 1, 2].map(|i| (f64::from(low[i]) + (f64::from(high[i]) - f64::from(low[i])) * (position - stop as f64)).round() as u8)
}
