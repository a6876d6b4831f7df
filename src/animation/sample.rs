//! An animation at a time: keyframes to local transforms and morph weights.

use glam::Vec3A;

use crate::model::Model;
use crate::model::animation::{Animation, Target};

use super::interpolate;
use super::keyframe::{self, Segment};
use super::pose::Pose;

/// Remembers, for each distinct set of key times, where the last search ended. Only speed depends on it, never the result.
#[derive(Debug, Clone, Default)]
pub struct Cursors(Vec<u32>);

impl Cursors {
    /// Room for the animation with the most sets of key times.
    pub fn new(model: &Model) -> Self {
        Self(vec![0; model.animations.iter().map(|animation| animation.key_times.len()).max().unwrap_or(0)])
    }
}

/// Writes what `animation` drives at `time` (seconds on its own key times, clamped to them, never looped) into `pose`,
/// which holds the rest pose before. Nodes that are not `animated` are passed over.
pub fn sample(model: &Model, animation: &Animation, time: f64, animated: &[bool], cursors: &mut Cursors, pose: &mut Pose) {
    let mut found: Option<(usize, Segment)> = None;
    for channel in &animation.channels {
        let node = channel.target.node().index();
        if !animated[node] {
            continue;
        }
        // Channels are grouped by key times: one search serves the whole run.
        let segment = match found {
            Some((key_times, segment)) if key_times == channel.key_times => segment,
            _ => keyframe::find(&animation.key_times[channel.key_times], time, &mut cursors.0[channel.key_times]),
        };
        found = Some((channel.key_times, segment));

        let vector = || {
            let mut v = [0.0; 3];
            interpolate::components(channel, &segment, &mut v);
            Vec3A::from(v)
        };
        match channel.target {
            Target::Translation(_) => pose.locals[node].translation = vector(),
            Target::Scale(_) => pose.locals[node].scale = vector(),
            Target::Rotation(_) => pose.locals[node].rotation = interpolate::rotation(channel, &segment),
            Target::Weights(_) => {
                interpolate::components(channel, &segment, &mut pose.weights[model.nodes[node].weights.clone()]);
            }
        }
    }
}
