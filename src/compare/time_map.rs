//! Matches the times of two animations, and chooses the times at which the animations are compared.

use serde::{Deserialize, Serialize};

use crate::animation::playback::frame_time;
use crate::model::Model;
use crate::model::animation::{Channel, Interpolation};
use crate::session::pose;

use super::Sides;

/// Samples per second, in addition to those at keys.
const SAMPLES_PER_SECOND: f64 = 60.0;
/// A sample between keys that is at most this far from another sample, in seconds, is left out. So are samples in shorter intervals.
const SAME_TIME_SECONDS: f64 = 1e-3;
/// Maximum number of key times of one animation that become samples.
const MAX_KEYS: usize = 1 << 17;
/// Maximum number of samples.
const MAX_SAMPLES: usize = 1 << 17;

/// The user's choices for matching the times of two animations.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// Whether B is stretched to the duration of A. Otherwise both play at the same speed.
    pub stretch: bool,
    /// By how much B is ahead, in seconds of B's animation.
    pub offset: f64,
}

impl Timing {
    /// The choices after A and B were swapped. The same poses meet at the same moment. The durations are those before the swap, in seconds.
    pub fn swapped(&self, durations: [f64; 2]) -> Self {
        let map = self.map(durations);
        Self { stretch: self.stretch, offset: 0.0 - map.offset / map.scale }
    }

    /// The map between the times of animations with these durations, in seconds.
    pub fn map(&self, [a, b]: [f64; 2]) -> TimeMap {
        let scale = if self.stretch && a > 0.0 && b > 0.0 { b / a } else { 1.0 };
        TimeMap { scale, offset: if self.offset.is_finite() { self.offset } else { 0.0 } }
    }
}

/// The map from times of A to times of B, both in seconds of their animation. A time outside an animation gives the pose at its nearer
/// end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeMap {
    /// Seconds of B per second of A.
    pub scale: f64,
    /// Seconds of B at the start of A.
    pub offset: f64,
}

impl TimeMap {
    /// The time of B at a time of A.
    pub fn to_b(&self, time: f64) -> f64 {
        time * self.scale + self.offset
    }

    /// The time at which B is posed at a time of A. A time that the map changes is rounded like that of a frame ([`frame_time`]): the
    /// errors of the arithmetic must not put it before a key.
    pub fn pose_time_of_b(&self, time: f64) -> f64 {
        let mapped = self.to_b(time);
        if mapped == time { mapped } else { frame_time(mapped) }
    }

    /// The time of A at a time of B.
    pub fn to_a(&self, time: f64) -> f64 {
        (time - self.offset) / self.scale
    }
}

/// The times at which the models are compared, ascending, in seconds of A, until both animations have ended: the keys of both, the moments
/// just before the keys of STEP channels, times between two keys, and sixty times per second, but at most `limit` times.
pub fn sample_times(sides: &Sides, map: &TimeMap, limit: usize) -> Vec<f64> {
    let [a, b] = sides.durations();
    let end = a.max(map.to_a(b)).max(0.0);
    let mut times = key_times(sides.a.rig.model, sides.a.animation, |time| time);
    times.extend(key_times(sides.b.rig.model, sides.b.animation, |time| map.to_a(time)));
    times.extend([0.0, end]);
    times.retain(|time| time.is_finite() && (0.0..=end).contains(time));
    times.sort_by(f64::total_cmp);
    times.dedup();
    // The animations may agree at all keys and differ between them. A spline may also agree with the other animation in the middle.
    let positions = if has_splines(sides) { &[0.25, 0.5, 0.75][..] } else { &[0.5] };
    let intervals = times.windows(2).filter(|pair| pair[1] - pair[0] > SAME_TIME_SECONDS);
    let between: Vec<f64> =
        intervals.flat_map(|pair| positions.iter().map(move |position| pair[0] + position * (pair[1] - pair[0]))).collect();
    times.extend(between);
    times.sort_by(f64::total_cmp);
    let count = (end * SAMPLES_PER_SECOND).floor().min(limit as f64) as usize;
    let rate = if (count as f64) < limit as f64 { SAMPLES_PER_SECOND } else { limit as f64 / end };
    let regular_times = (1..=count).map(|sample| sample as f64 / rate).filter(|&time| time < end && !is_near(&times, time));
    let regular_times: Vec<f64> = regular_times.collect();
    times.extend(regular_times);
    times.sort_by(f64::total_cmp);
    thin_out(&times, limit)
}

/// The key times of an animation, converted to seconds of A by `to_a`. Before each key of a STEP channel, one more time is as close as
/// `f32` allows, because the value jumps at the key. If there are too many keys, some are chosen evenly.
fn key_times(model: &Model, animation: Option<usize>, to_a: impl Fn(f64) -> f64) -> Vec<f64> {
    let Some(animation) = animation.and_then(|animation| model.animations.get(animation)) else { return Vec::new() };
    let count: usize = animation.key_times.iter().map(Vec::len).sum();
    let step = count.div_ceil(MAX_KEYS).max(1);
    let mut has_steps = vec![false; animation.key_times.len()];
    let step_channels = animation.channels.iter().filter(|channel| channel.interpolation == Interpolation::Step);
    step_channels.for_each(|channel| has_steps[channel.key_times] = true);
    let keys = animation.key_times.iter().zip(has_steps).flat_map(|(set, has_steps)| set.iter().map(move |&time| (time, has_steps)));
    let times = keys.step_by(step).flat_map(|(time, is_step)| is_step.then(|| time.next_down()).into_iter().chain([time]));
    times.map(|time| to_a(f64::from(time))).collect()
}

/// Returns whether one of the compared animations has a CUBICSPLINE channel.
fn has_splines(sides: &Sides) -> bool {
    let is_spline = |channel: &Channel| channel.interpolation == Interpolation::CubicSpline;
    [&sides.a, &sides.b].into_iter().any(|side| {
        let animation = side.animation.and_then(|animation| side.rig.model.animations.get(animation));
        animation.is_some_and(|animation| animation.channels.iter().any(is_spline))
    })
}

/// Returns whether one of the ascending `times` is so close to `time` that no separate sample is needed.
fn is_near(times: &[f64], time: f64) -> bool {
    let next = times.partition_point(|&other| other < time - SAME_TIME_SECONDS);
    times.get(next).is_some_and(|&other| other <= time + SAME_TIME_SECONDS)
}

/// The maximum number of samples for these models. Very large models have fewer.
pub fn max_samples(sides: &Sides) -> usize {
    let work = pose::estimate_work(sides.a.rig.model) + pose::estimate_work(sides.b.rig.model);
    (pose::MAX_MOTION_WORK / work.max(1)).clamp(2, MAX_SAMPLES)
}

/// Chooses at most `limit` evenly spaced entries of `times`, including the first and the last.
fn thin_out(times: &[f64], limit: usize) -> Vec<f64> {
    let (count, last) = (times.len(), limit.saturating_sub(1).max(1));
    if count <= limit {
        return times.to_vec();
    }
    (0..limit).filter_map(|i| times.get(i * (count - 1) / last)).copied().collect()
}
