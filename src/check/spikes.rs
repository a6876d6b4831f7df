//! Finds joints that pop: they jump within one frame, much farther than in the frames around it.

use glam::DVec3;

use crate::model::animation::{Interpolation, Target};
use crate::model::node::NodeIndex;

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings, Worst};
use super::motion::Sampled;
use super::rule::{Limit, Rule};

/// Frames on each side that a jump is compared with.
const WINDOW: usize = 4;

/// A jump of a joint.
#[derive(Debug, Clone, Copy)]
struct Spike {
    node: usize,
    /// The frame in which it happens.
    frame: usize,
    /// Distance in meters.
    distance: f64,
    /// Distance by that of the frames around.
    ratio: f64,
}

/// Checks all joints. Joints that are carried along by a jumping ancestor are not named.
pub fn check(context: &CheckContext, sampled: &Sampled, findings: &mut Findings) {
    let model = context.model;
    let limits = [Limit::SpikeDistance, Limit::SpikeRatio].map(|limit| context.settings.limit(limit));
    let limits = [limits[0] * context.rest.size, limits[1]];
    let stepped = stepped(context, sampled.animation);
    // The frames at which each node, or an ancestor, jumps. Parents come first.
    let mut carried: Vec<Option<usize>> = vec![None; model.nodes.len()];
    let mut skipped = vec![false; model.nodes.len()];
    let mut spikes = Worst::default();
    for node in 0..model.nodes.len() {
        let parent = model.hierarchy.parents[node].map(NodeIndex::index);
        skipped[node] = stepped[node] || parent.is_some_and(|parent| skipped[parent]);
        carried[node] = parent.and_then(|parent| carried[parent]);
        let is_part = context.document.joints[node] || model.nodes[node].mesh.is_some();
        let Some(path) = sampled.motion.positions(node).filter(|_| is_part && !skipped[node]) else { continue };
        let Some(spike) = spike(node, path, sampled.stride, limits) else { continue };
        if carried[node].is_none_or(|frame| frame.abs_diff(spike.frame) > 1) {
            spikes.add(spike.distance, spike);
        }
        carried[node] = Some(spike.frame);
    }
    let Some(&(distance, worst)) = spikes.first() else { return };
    let time = |spike: &Spike| sampled.motion.request.time((spike.frame * sampled.stride).min(sampled.motion.request.len() - 1));
    let joints = spikes.words(|distance, spike| {
        format!("{} {} at {:.3} s", context.node_name(NodeIndex(spike.node as u32)), context.length(distance), time(spike))
    });
    let times = if worst.ratio < 1000.0 {
        format!("{:.0} times farther than in the frames around", worst.ratio)
    } else {
        "and rests around it".to_owned()
    };
    let message = format!("{}: a joint pops within one frame, {times}: {joints}.", context.animation_name(sampled.animation));
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

/// For each node: whether a STEP channel moves it, so that it is meant to jump.
fn stepped(context: &CheckContext, animation: usize) -> Vec<bool> {
    let mut stepped = vec![false; context.model.nodes.len()];
    for channel in context.model.animations[animation].channels.iter().filter(|channel| channel.interpolation == Interpolation::Step) {
        if let Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) = channel.target {
            stepped[node.index()] = true;
        }
    }
    stepped
}

/// The longest jump of a path beyond both limits: a distance in meters, and a multiple of the distances around it.
fn spike(node: usize, path: &[DVec3], stride: usize, [min_distance, min_ratio]: [f64; 2]) -> Option<Spike> {
    let frames: Vec<DVec3> = path.iter().step_by(stride).copied().collect();
    let steps: Vec<f64> = frames.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let mut worst: Option<Spike> = None;
    for (frame, &distance) in steps.iter().enumerate() {
        let is_worse = worst.is_none_or(|worst| distance > worst.distance);
        // With less than a window of frames on a side, nothing tells a jump from a fast start or end.
        if distance <= min_distance || !distance.is_finite() || !is_worse || frame < WINDOW || frame + WINDOW >= steps.len() {
            continue;
        }
        let around = median(&steps[frame - WINDOW..frame]).max(median(&steps[frame + 1..=frame + WINDOW]));
        if distance > min_ratio * around {
            worst = Some(Spike { node, frame, distance, ratio: if around > 0.0 { distance / around } else { f64::INFINITY } });
        }
    }
    worst
}

/// The upper median of a few numbers.
fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}
