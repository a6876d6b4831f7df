//! Finds redundant keys and channels: keys on the line between their neighbors, channels that never change, scale that is always 1, and
//! animations without motion. The first three are counted for the whole file, because an exporter writes them everywhere or nowhere.

use glam::DVec4;

use crate::animation::keys::interpolate::degrees_between;
use crate::check::context::{CheckContext, quaternion};
use crate::check::finding::{CheckFinding, Findings};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::{Animation, Channel, Interpolation, Target};
use crate::model::finding::Severity;
use crate::numbers::{self, agreeing, counted, grouped};

use super::difference::{ValueMeasure, is_nearly_constant};

/// Maximum number of consecutive keys that count as redundant, so that the time for long animations stays short.
const MAX_RUN_KEYS: usize = 32;

/// Counts over all animations of a file.
#[derive(Debug, Default)]
struct Counts {
    /// Number of keys of moving channels.
    keys: usize,
    /// Number of redundant keys among them, and their size.
    redundant_keys: usize,
    redundant_bytes: usize,
    /// Animations with redundant keys. The value of each is its number of redundant keys.
    animations: Worst<usize>,
    /// Channels that never change, although they have more than two keys. Those in `scale_channels` are not counted here.
    constant_channels: ChannelCount,
    /// Scale channels with several keys, all of them 1, for nodes whose scale at rest is also 1.
    scale_channels: ChannelCount,
}

/// Channels with the same fault.
#[derive(Debug, Default)]
struct ChannelCount {
    channels: usize,
    /// Size of their redundant keys.
    bytes: usize,
    first: Option<FirstChannel>,
}

/// The first channel with a fault.
#[derive(Debug, Clone)]
struct FirstChannel {
    animation: usize,
    /// JSON pointer of the channel.
    pointer: String,
    /// The file's index of the node that the channel drives.
    node: Option<usize>,
}

impl ChannelCount {
    /// Counts a channel of which this many keys can be removed.
    fn add(&mut self, context: &CheckContext, animation: usize, channel: &Channel, redundant_keys: usize) {
        self.channels += 1;
        self.bytes += bytes(channel, redundant_keys);
        self.first.get_or_insert_with(|| FirstChannel {
            animation,
            pointer: CheckContext::channel_pointer(animation, channel),
            node: context.channel_node(channel),
        });
    }
}

/// Checks all animations.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let mut counts = Counts::default();
    for (index, animation) in context.model.animations.iter().enumerate() {
        if !report_no_motion(context, index, animation, findings) {
            count_channels(context, index, animation, &mut counts);
        }
    }
    report_keys(context, &counts, findings);
    report_channels(context, Rule::ConstantChannel, &counts.constant_channels, findings);
    report_channels(context, Rule::ScaleStaysOne, &counts.scale_channels, findings);
}

/// Reports an animation in which nothing changes. Returns whether nothing changes.
fn report_no_motion(context: &CheckContext, index: usize, animation: &Animation, findings: &mut Findings) -> bool {
    if animation.channels.iter().any(|channel| !is_nearly_constant(context, channel, context.times(index, channel).len())) {
        return false;
    }
    let name = context.animation_name(index);
    let is_pose = animation.duration <= 0.0 || animation.channels.iter().all(|channel| context.times(index, channel).len() <= 1);
    let message = match (animation.channels.is_empty(), is_pose) {
        (true, _) => format!("{name} has no channel that can be played."),
        (false, true) => format!("{name} is a single pose without motion."),
        (false, false) => {
            let count = animation.channels.len();
            let channels = if count == 1 { "its channel never" } else { &*format!("none of its {count} channels") };
            format!("{name} lasts {:.3} s, but {channels} changes.", animation.duration)
        }
    };
    let usual = CheckFinding::new(Rule::NoMotion, message);
    findings.add(CheckFinding {
        severity: if is_pose && !animation.channels.is_empty() { Severity::Info } else { usual.severity },
        animation: Some(index),
        pointer: format!("/animations/{index}"),
        ..usual
    });
    true
}

/// Counts redundant keys and channels of one animation.
fn count_channels(context: &CheckContext, index: usize, animation: &Animation, counts: &mut Counts) {
    let mut redundant_in_animation = 0;
    for channel in &animation.channels {
        let times = context.times(index, channel);
        if is_nearly_constant(context, channel, times.len()) {
            if times.len() > 1 && is_scale_one(context, channel) {
                counts.scale_channels.add(context, index, channel, times.len());
            } else if times.len() > 2 {
                // One key must stay.
                counts.constant_channels.add(context, index, channel, times.len() - 1);
            }
            continue;
        }
        counts.keys += times.len();
        let redundant = redundant_keys(context, channel, times);
        redundant_in_animation += redundant;
        counts.redundant_bytes += bytes(channel, redundant);
    }
    counts.redundant_keys += redundant_in_animation;
    if redundant_in_animation > 0 {
        counts.animations.add(redundant_in_animation as f64, index);
    }
}

/// Size of the values of this many keys as 32-bit floats, in bytes.
fn bytes(channel: &Channel, keys: usize) -> usize {
    let groups = if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    keys.saturating_mul(channel.components * groups * size_of::<f32>())
}

/// Returns whether so many redundant bytes are worth a finding.
fn are_reported(context: &CheckContext, bytes: usize) -> bool {
    bytes as f64 >= context.settings.limit(Limit::RedundantBytes)
}

/// Reports redundant keys if there are many.
fn report_keys(context: &CheckContext, counts: &Counts, findings: &mut Findings) {
    let (limit, share) = (context.settings.limit(Limit::RedundantShare), counts.redundant_keys as f64 / counts.keys.max(1) as f64);
    let Some((_, animation)) = counts.animations.first() else { return };
    if share <= limit || !are_reported(context, counts.redundant_bytes) {
        return;
    }
    let message = format!(
        "{} of {} keys ({:.0} %, about {}) can be removed without a visible change, most of them in {}.",
        grouped(counts.redundant_keys),
        grouped(counts.keys),
        share * 100.0,
        numbers::bytes(counts.redundant_bytes as u64),
        context.animation_name(*animation)
    );
    findings.add(CheckFinding {
        animation: Some(*animation),
        value: Some(share),
        threshold: Some(limit),
        ..CheckFinding::new(Rule::RedundantKeys, message)
    });
}

/// Reports channels that never change, if they take much memory.
fn report_channels(context: &CheckContext, rule: Rule, count: &ChannelCount, findings: &mut Findings) {
    let Some(first) = count.first.clone().filter(|_| are_reported(context, count.bytes)) else { return };
    let FirstChannel { animation, pointer, node } = first;
    let (channels, size) = (count.channels, numbers::bytes(count.bytes as u64));
    let node_name =
        node.and_then(|node| context.model.node_from_source(node)).map_or_else(String::new, |node| context.node_name(node).to_owned());
    let first = agreeing(channels, "it", "the first");
    let place = format!("{first} drives {node_name} in {}", context.animation_name(animation));
    let message = match rule {
        Rule::ScaleStaysOne => {
            let stay = agreeing(channels, "stays", "stay");
            format!("{} {stay} at 1 and can be removed (about {size}); {place}.", counted(channels, "scale channel"))
        }
        _ => {
            let have = agreeing(channels, "has several keys, but never changes", "have several keys, but never change");
            format!("{} {have}: one key is enough (about {size} less); {place}.", counted(channels, "channel"))
        }
    };
    let value = Some(channels as f64);
    findings.add(CheckFinding { node, animation: Some(animation), value, pointer, ..CheckFinding::new(rule, message) });
}

/// Returns whether a constant channel sets a scale of 1 that the rest pose has, too.
fn is_scale_one(context: &CheckContext, channel: &Channel) -> bool {
    let Target::Scale(node) = channel.target else { return false };
    let is_one = |scale: &[f32]| !scale.is_empty() && scale.iter().all(|x| (x - 1.0).abs() <= 1e-4);
    let rest = context.model.hierarchy.rest.get(node.index()).map_or([0.0; 3], |rest| rest.scale.to_array());
    is_one(channel.value(0)) && is_one(&rest)
}

/// The number of keys that interpolation between the previous kept key and the next key can replace. All removed keys between these two
/// must stay close to the line, because small errors add up over many keys.
fn redundant_keys(context: &CheckContext, channel: &Channel, times: &[f32]) -> usize {
    let keys = times.len();
    let mut lines = Lines::new(context, channel, times);
    let (mut kept, mut redundant) = (0, 0);
    for key in 1..keys.saturating_sub(1) {
        let is_redundant = match channel.interpolation {
            Interpolation::Step => lines.is_near(channel.value(kept), channel.value(key)),
            // Whether a spline key can be removed is not known without fitting new tangents.
            Interpolation::CubicSpline => false,
            Interpolation::Linear => key - kept <= MAX_RUN_KEYS && lines.interpolates(kept, key + 1),
        };
        if is_redundant {
            redundant += 1;
        } else {
            kept = key;
        }
    }
    redundant
}

/// The lines between keys of a channel, and how far other keys may lie from them.
struct Lines<'a> {
    channel: &'a Channel,
    times: &'a [f32],
    measure: ValueMeasure,
    /// The largest difference that is not visible, in the unit of [`ValueMeasure::difference`].
    tolerance: f64,
    /// The unit quaternions of all keys, if all can be normalized. Empty if the channel is no rotation.
    rotations: Vec<DVec4>,
    /// An interpolated value.
    mixed: Vec<f32>,
}

impl<'a> Lines<'a> {
    fn new(context: &CheckContext, channel: &'a Channel, times: &'a [f32]) -> Self {
        let limit = |limit: Limit| context.settings.limit(limit);
        let tolerance = match channel.target {
            Target::Translation(_) => limit(Limit::RedundantDistance) * context.rest.size,
            Target::Rotation(_) => limit(Limit::RedundantAngle),
            _ => limit(Limit::RedundantDistance),
        };
        let rotations: Option<Vec<DVec4>> = match channel.target {
            Target::Rotation(_) => (0..times.len()).map(|key| quaternion(channel.value(key))).collect(),
            _ => None,
        };
        let (rotations, mixed) = (rotations.unwrap_or_default(), vec![0.0; channel.components]);
        Self { channel, times, measure: ValueMeasure::new(context, channel), tolerance, rotations, mixed }
    }

    /// Returns whether a value can replace another one.
    fn is_near(&self, a: &[f32], b: &[f32]) -> bool {
        self.measure.difference(a, b) <= self.tolerance
    }

    /// Returns whether interpolation between two keys gives all keys between them.
    fn interpolates(&mut self, from: usize, to: usize) -> bool {
        if self.rotations.is_empty() { self.interpolates_numbers(from, to) } else { self.interpolates_rotations(from, to) }
    }

    /// [`Self::interpolates`] for numbers.
    fn interpolates_numbers(&mut self, from: usize, to: usize) -> bool {
        let (start, end) = (self.channel.value(from), self.channel.value(to));
        (from + 1..to).all(|key| {
            let u = self.fraction(from, key, to) as f32;
            for (mixed, (a, b)) in self.mixed.iter_mut().zip(start.iter().zip(end)) {
                *mixed = a + (b - a) * u;
            }
            self.is_near(&self.mixed, self.channel.value(key))
        })
    }

    /// [`Self::interpolates`] for rotations.
    fn interpolates_rotations(&self, from: usize, to: usize) -> bool {
        let (a, b) = (self.rotations[from], self.rotations[to]);
        let b = if a.dot(b) < 0.0 { -b } else { b };
        let theta = degrees_between(a, b).to_radians() / 2.0;
        let weight = |u: f64| if theta > 1e-6 { (u * theta).sin() / theta.sin() } else { u };
        // The tangent of a quarter of the angle between two rotations is the length of the difference of their unit quaternions, divided by
        // the length of the sum.
        let max_ratio = (self.tolerance.min(180.0) / 4.0).to_radians().tan().powi(2);
        (from + 1..to).all(|key| {
            let (u, rotation) = (self.fraction(from, key, to), self.rotations[key]);
            let mixed = a * weight(1.0 - u) + b * weight(u);
            let rotation = if mixed.dot(rotation) < 0.0 { -rotation } else { rotation };
            (mixed - rotation).length_squared() <= max_ratio * (mixed + rotation).length_squared()
        })
    }

    /// The time of a key as a fraction of the time between two other keys.
    fn fraction(&self, from: usize, key: usize, to: usize) -> f64 {
        let span = self.times[to] - self.times[from];
        if span > 0.0 { f64::from((self.times[key] - self.times[from]) / span) } else { 0.0 }
    }
}
