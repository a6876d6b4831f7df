//! Finds joints that jump within one frame, much farther than in the frames around it.

use glam::DVec3;

use crate::model::animation::{Interpolation, Target};
use crate::model::node::NodeIndex;

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings, Worst};
use super::motion::Sampled;
use super::rule::{Limit, Rule};

/// Number of frames on each side that a jump is compared with.
const WINDOW_FRAMES: usize = 4;

/// A jump of a joint.
#[derive(Debug, Clone, Copy)]
struct Spike {
    node: usize,
    /// The frame in which the joint jumps.
    frame: usize,
    /// Distance of the jump, in meters.
    distance: f64,
    /// Ratio of the distance to that in the frames around.
    ratio: f64,
}

/// Checks all joints. Joints that jump only because an ancestor jumps are not reported.
pub fn check(context: &CheckContext, sampled: &Sampled, findings: &mut Findings) {
    let model = context.model;
    let limits = [Limit::SpikeDistance, Limit::SpikeRatio].map(|limit| context.settings.limit(limit));
    let limits = [limits[0] * context.rest.size, limits[1]];
    let is_stepped = nodes_with_step_channels(context, sampled.animation);
    // For each node, the frame in which it or an ancestor jumps.
    let mut jump_frames: Vec<Option<usize>> = vec![None; model.nodes.len()];
    let mut is_skipped = vec![false; model.nodes.len()];
    let mut spikes = Worst::default();
    for node in 0..model.nodes.len() {
        let parent = model.hierarchy.parents[node].map(NodeIndex::index);
        is_skipped[node] = is_stepped[node] || parent.is_some_and(|parent| is_skipped[parent]);
        jump_frames[node] = parent.and_then(|parent| jump_frames[parent]);
        let is_checked = context.document.joints[node] || model.nodes[node].mesh.is_some();
        let Some(path) = sampled.motion.positions(node).filter(|_| is_checked && !is_skipped[node]) else { continue };
        let Some(spike) = find_spike(node, path, sampled.stride, limits) else { continue };
        if jump_frames[node].is_none_or(|frame| frame.abs_diff(spike.frame) > 1) {
            spikes.add(spike.distance, spike);
        }
        jump_frames[node] = Some(spike.frame);
    }
    let Some(&(distance, worst)) = spikes.first() else { return };
    let time = |spike: &Spike| sampled.motion.request.time((spike.frame * sampled.stride).min(sampled.motion.request.len() - 1));
    let joints = spikes.words(|distance, spike| {
        format!("{} {} at {:.3} s", context.node_name(NodeIndex(spike.node as u32)), context.length(distance), time(spike))
    });
    let comparison = if worst.ratio < 1000.0 {
        format!("{:.0} times as far as in the frames around it", worst.ratio)
    } else {
        "and does not move in the frames around it".to_owned()
    };
    let message = format!("{}: a joint jumps within one frame, {comparison}: {joints}.", context.animation_name(sampled.animation));
    findings.add(CheckFinding {
        node: Some(model.nodes[worst.node].source),
        animation: Some(sampled.animation),
        time: Some(time(&worst)),
        value: Some(distance),
        threshold: Some(limits[0]),
        pointer: format!("/animations/{}", sampled.animation),
        ..CheckFinding::new(Rule::VelocitySpike, message)
    });
}

/// Returns for each node whether a STEP channel moves it. Such a node is meant to jump.
fn nodes_with_step_channels(context: &CheckContext, animation: usize) -> Vec<bool> {
    let mut is_stepped = vec![false; context.model.nodes.len()];
    for channel in context.model.animations[animation].channels.iter().filter(|channel| channel.interpolation == Interpolation::Step) {
        if let Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) = channel.target {
            is_stepped[node.index()] = true;
        }
    }
    is_stepped
}

/// Finds the longest jump of a path that exceeds both limits: a distance in meters, and a ratio to the distances around it. `stride` is the
/// number of samples per frame.
fn find_spike(node: usize, path: &[DVec3], stride: usize, [min_distance, min_ratio]: [f64; 2]) -> Option<Spike> {
    let frames: Vec<DVec3> = path.iter().step_by(stride).copied().collect();
    let steps: Vec<f64> = frames.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let mut worst: Option<Spike> = None;
    for (frame, &distance) in steps.iter().enumerate() {
        let is_worse = worst.is_none_or(|worst| distance > worst.distance);
        // With too few frames on a side, a jump cannot be distinguished from a fast start or end.
        let has_window = frame >= WINDOW_FRAMES && frame + WINDOW_FRAMES < steps.len();
        if distance <= min_distance || !distance.is_finite() || !is_worse || !has_window {
            continue;
        }
        let around = median(&steps[frame - WINDOW_FRAMES..frame]).max(median(&steps[frame + 1..=frame + WINDOW_FRAMES]));
        if distance > min_ratio * around {
            worst = Some(Spike { node, frame, distance, ratio: if around > 0.0 { distance / around } else { f64::INFINITY } });
        }
    }
    worst
}

/// The median of a few numbers; of an even number, the larger of the two middle ones.
fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}
