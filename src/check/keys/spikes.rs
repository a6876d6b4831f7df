//! Finds joints that pop: their local transform changes much more between two keys than just before and after. Descendants of such a joint
//! jump, too, but only local transforms are compared, so the finding names the cause.

use std::collections::BTreeMap;

use glam::{DVec4, Vec3, Vec4};

use crate::animation::keys::interpolate::degrees_between;
use crate::animation::keys::{interpolate, keyframe};
use crate::check::context::{CheckContext, quaternion};
use crate::check::finding::{CheckFinding, Findings, Unit};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::{Channel, Interpolation, Target};
use crate::model::node::NodeIndex;
use crate::numbers::agreeing;

use super::difference::{ValueMeasure, scale_words};

/// Number of steps on each side that a jump is compared with. With fewer steps, a jump cannot be distinguished from a fast start or end.
const WINDOW_STEPS: usize = 4;
/// Minimum length of a jump back, as a fraction of the jump away.
const MIN_RETURN: f64 = 0.7;
/// Keys are evenly spaced if their intervals differ by at most this factor.
const MAX_UNEVENNESS: f64 = 1.5;
/// Tolerance of times, as a fraction of a step. Key times are single precision.
const TIME_TOLERANCE: f64 = 0.01;

/// The numbers that decide whether a change is a jump.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Minimum distance that the end of the branch moves, in meters.
    distance: f64,
    /// Minimum ratio of this distance to the distance per step just before and after.
    ratio: f64,
    /// Longest time between two evenly spaced keys, in seconds.
    interval: f64,
    /// Duration of a frame, in seconds. Keys at this interval need not be evenly spaced.
    frame: f64,
}

/// A jump of a node.
#[derive(Debug, Clone, Copy)]
struct Jump<'a> {
    channel: &'a Channel,
    /// The distance that the end of the branch moves, in meters.
    distance: f64,
    /// The key after the jump.
    key: usize,
    /// Ratio of the distance to the distance per step just before and after.
    ratio: f64,
    /// The time of the popped pose, in seconds.
    time: f64,
}

/// A channel, with the data that converts changes of its value to distances.
struct Track<'a> {
    channel: &'a Channel,
    times: &'a [f32],
    measure: ValueMeasure,
    /// The distance that the branch extends, in meters.
    reach: f64,
}

/// Checks the keys of an animation. STEP channels are meant to jump.
pub fn check(context: &CheckContext, animation: usize, findings: &mut Findings) {
    let [distance, ratio, interval] =
        [Limit::SpikeDistance, Limit::SpikeRatio, Limit::SpikeInterval].map(|limit| context.settings.limit(limit));
    let fps = context.fps(animation);
    let limits = Limits { distance: distance * context.rest.size, ratio, interval, frame: 1.0 / fps };
    let channels = &context.model.animations[animation].channels;
    let mut jumps: BTreeMap<usize, Jump> = BTreeMap::new();
    for channel in channels.iter().filter(|channel| channel.interpolation != Interpolation::Step) {
        let (Target::Translation(node) | Target::Rotation(node) | Target::Scale(node)) = channel.target else { continue };
        let Some(&Some(reach)) = context.rest.reaches.get(node.index()) else { continue };
        let track = Track { channel, times: context.times(animation, channel), measure: ValueMeasure::new(context, channel), reach };
        let known = jumps.get(&node.index()).map_or(0.0, |jump| jump.distance);
        if let Some(jump) = track.worst_jump(&limits).filter(|jump| jump.distance > known) {
            jumps.insert(node.index(), jump);
        }
    }
    let mut spikes = Worst::default();
    // Of equal jumps, the jump of the ancestor comes first.
    jumps.into_iter().for_each(|(node, jump)| spikes.add(jump.distance, (node, jump)));
    report(context, animation, &spikes, limits.distance, findings);
}

/// Adds the finding, if a joint jumps.
fn report(context: &CheckContext, animation: usize, spikes: &Worst<(usize, Jump)>, threshold: f64, findings: &mut Findings) {
    let Some(&(distance, (node, worst))) = spikes.first() else { return };
    let joints = spikes.words(|_, (node, jump)| {
        let [from, to] = [jump.key - 1, jump.key].map(|key| jump.channel.value(key));
        let change = match jump.channel.target {
            Target::Rotation(_) => format!("turns by {:.0} degrees", ValueMeasure::new(context, jump.channel).difference(from, to)),
            Target::Scale(_) => format!("scales {}", scale_words(from, to)),
            _ => format!("moves by {}", context.length(jump.distance)),
        };
        format!("{} {change} at {:.3} s", context.node_name(NodeIndex(*node as u32)), jump.time)
    });
    let comparison = match worst.ratio {
        ratio if ratio < 1000.0 => format!("{ratio:.0} times as far as just before and after"),
        _ => "without motion just before and after".to_owned(),
    };
    let jumps = agreeing(spikes.count, "a joint jumps between two keys,", "joints jump between two keys, the worst");
    findings.add(CheckFinding {
        node: Some(context.model.nodes[node].source),
        animation: Some(animation),
        time: Some(worst.time),
        value: Some(distance),
        threshold: Some(threshold),
        unit: Some(Unit::Meters),
        pointer: CheckContext::channel_pointer(animation, worst.channel),
        ..CheckFinding::new(Rule::VelocitySpike, format!("{}: {jumps} {comparison}: {joints}.", context.animation_name(animation)))
    });
}

impl<'a> Track<'a> {
    /// The longest jump that exceeds the limits.
    fn worst_jump(&self, limits: &Limits) -> Option<Jump<'a>> {
        let mut worst: Option<Jump> = None;
        let mut last_distance = 0.0;
        for key in 1..self.times.len() {
            let [from, to] = [key - 1, key].map(|key| self.key_value(key));
            let distance = self.distance(from, to);
            let was_far = std::mem::replace(&mut last_distance, distance) > limits.distance;
            let is_worse = worst.is_none_or(|worst| distance > worst.distance);
            if distance <= limits.distance || !distance.is_finite() || !is_worse {
                continue;
            }
            let Some(step) = self.step_around(key, limits) else { continue };
            let Some(before) = self.usual_step(key - 1, -step, distance, limits) else { continue };
            let Some(after) = self.usual_step(key, step, distance, limits) else { continue };
            let around = before.max(after);
            if distance > limits.ratio * around {
                let ratio = if around > 0.0 { distance / around } else { f64::INFINITY };
                // After a jump away, this is the jump back, and the popped pose is before it.
                let time = f64::from(self.times[if was_far { key - 1 } else { key }]);
                worst = Some(Jump { channel: self.channel, distance, key, ratio, time });
            }
        }
        worst
    }

    /// The duration, in seconds, of the steps that the interval that ends at a key is compared with: that of the interval, but at least a
    /// frame. `None` if the interval is too long for a jump, or too near to the start or the end of the keys.
    fn step_around(&self, key: usize, limits: &Limits) -> Option<f64> {
        let time = |key: usize| self.times.get(key).map(|&time| f64::from(time));
        let (start, end) = (time(key.checked_sub(1)?)?, time(key)?);
        let step = (end - start).max(limits.frame);
        let is_one_frame = step <= limits.frame * (1.0 + TIME_TOLERANCE);
        if !(is_one_frame || (step <= limits.interval && self.is_evenly_spaced(key))) {
            return None;
        }
        let (window, tolerance) = (WINDOW_STEPS as f64 * step, TIME_TOLERANCE * step);
        if start - window < time(0)? - tolerance || end + window > time(self.times.len() - 1)? + tolerance {
            return None;
        }
        Some(step)
    }

    /// The median of the distances of the steps after a key, or before it if `step` is negative. `None` if they show that a change by
    /// `distance` beside them is no jump. The first steps show this for most changes, so the rest are not measured.
    fn usual_step(&self, key: usize, step: f64, distance: f64, limits: &Limits) -> Option<f64> {
        let (start, mut hint) = (f64::from(self.times[key]), key as u32);
        let mut from = self.value_at(start, &mut hint);
        let mut steps = [0.0; WINDOW_STEPS];
        let mut long_steps = 0;
        for (index, length) in steps.iter_mut().enumerate() {
            let to = self.value_at(start + step * (index + 1) as f64, &mut hint);
            *length = self.distance(std::mem::replace(&mut from, to), to);
            // A fast motion speeds up and slows down. Beside a jump, the motion is as usual, or jumps back.
            if index == 0 && limits.ratio * *length > distance && *length < MIN_RETURN * distance {
                return None;
            }
            // With so many long steps, the median is long, too.
            long_steps += usize::from(limits.ratio * *length >= distance);
            if long_steps >= WINDOW_STEPS - WINDOW_STEPS / 2 {
                return None;
            }
        }
        Some(median(steps))
    }

    /// Returns whether the interval that ends at a key is about as long as the intervals around it.
    fn is_evenly_spaced(&self, key: usize) -> bool {
        let Some(first) = key.checked_sub(WINDOW_STEPS + 1) else { return false };
        let Some(times) = self.times.get(first..=key + WINDOW_STEPS) else { return false };
        let intervals = || times.windows(2).map(|pair| f64::from(pair[1]) - f64::from(pair[0]));
        let (shortest, longest) = (intervals().fold(f64::INFINITY, f64::min), intervals().fold(0.0, f64::max));
        longest <= MAX_UNEVENNESS * shortest
    }

    /// The value of a key, padded with zeros. Rotations are unit quaternions.
    fn key_value(&self, key: usize) -> DVec4 {
        let value = self.channel.value(key);
        if matches!(self.channel.target, Target::Rotation(_)) {
            return quaternion(value).unwrap_or(DVec4::W);
        }
        let component = |i: usize| value.get(i).copied().map_or(0.0, f64::from);
        DVec4::new(component(0), component(1), component(2), component(3))
    }

    /// The interpolated value at a time, in the form of [`Self::key_value`]. `hint` is a key near this time.
    fn value_at(&self, time: f64, hint: &mut u32) -> DVec4 {
        let segment = keyframe::find(self.times, time, hint);
        match self.channel.target {
            Target::Rotation(_) => Vec4::from(interpolate::rotation(self.channel, &segment)).as_dvec4(),
            Target::Translation(_) => interpolate::translation(self.channel, &segment).extend(0.0),
            _ => {
                let mut scale = [0.0; 3];
                interpolate::components(self.channel, &segment, &mut scale);
                Vec3::from(scale).as_dvec3().extend(0.0)
            }
        }
    }

    /// The distance in meters that the change between two values moves the end of the branch.
    fn distance(&self, from: DVec4, to: DVec4) -> f64 {
        match self.channel.target {
            Target::Rotation(_) => 2.0 * (degrees_between(from, to).to_radians() / 2.0).sin() * self.reach,
            Target::Translation(_) => self.measure.distance(from.truncate(), to.truncate()),
            _ => self.measure.scale_ratio(from.truncate(), to.truncate()) * self.reach,
        }
    }
}

/// The median of a few numbers. If their count is even, this is the larger of the two middle numbers.
fn median<const N: usize>(mut numbers: [f64; N]) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(N / 2).copied().unwrap_or(0.0)
}
