//! Finds keys and channels that could go: keys on the line between their neighbors, channels that never change, scale that stays 1, and
//! animations without motion. The first three are counted over the whole file, because an exporter writes them everywhere or nowhere.

use crate::model::animation::{Animation, Channel, Interpolation, Target};
use crate::model::finding::Severity;

use super::context::{CheckContext, angle, quaternion, value};
use super::finding::{CheckFinding, Findings, Worst};
use super::rule::{Limit, Rule};

/// Differences below this, as a fraction of the larger number or of 1, are rounding.
const ROUNDING: f32 = 1e-5;
/// Fewest bytes that are worth a finding.
const MIN_BYTES: usize = 1024;

/// Counts over all animations of a file.
#[derive(Debug, Default)]
struct Counts {
    /// Keys of moving channels, and those that could go.
    keys: usize,
    redundant: usize,
    redundant_bytes: usize,
    /// Animations by their number of redundant keys.
    redundant_in: Worst<usize>,
    constant: Share,
    scale: Share,
}

/// Channels with one fault.
#[derive(Debug, Default)]
struct Share {
    channels: usize,
    bytes: usize,
    first: Option<(usize, String, Option<usize>)>,
}

impl Share {
    /// Counts a channel.
    fn add(&mut self, context: &CheckContext, animation: usize, channel: &Channel, keys: usize) {
        self.channels += 1;
        // One key must stay.
        self.bytes += bytes(channel, keys) * keys.saturating_sub(1) / keys.max(1);
        self.first.get_or_insert_with(|| (animation, CheckContext::channel_pointer(animation, channel), context.channel_node(channel)));
    }
}

/// Counts what could go in all animations.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let mut counts = Counts::default();
    for (index, animation) in context.model.animations.iter().enumerate() {
        if !no_motion(context, index, animation, findings) {
            count(context, index, animation, &mut counts);
        }
    }
    redundant(context, &counts, findings);
    share(context, Rule::ConstantChannel, &counts.constant, findings);
    share(context, Rule::ScaleStaysOne, &counts.scale, findings);
}

/// Reports an animation in which nothing changes. Returns whether it is one.
fn no_motion(context: &CheckContext, index: usize, animation: &Animation, findings: &mut Findings) -> bool {
    if animation.channels.iter().any(|channel| !is_constant(channel, context.times(index, channel).len())) {
        return false;
    }
    let name = context.animation_name(index);
    let is_pose = animation.duration <= 0.0 || animation.channels.iter().all(|channel| context.times(index, channel).len() <= 1);
    let message = match (animation.channels.is_empty(), is_pose) {
        (true, _) => format!("{name} has no channel that can be played."),
        (false, true) => format!("{name} is a single pose without motion."),
        (false, false) => {
            format!("{name} lasts {:.3} s, but none of its {} channels changes.", animation.duration, animation.channels.len())
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

/// Counts the channels of one animation.
fn count(context: &CheckContext, index: usize, animation: &Animation, counts: &mut Counts) {
    let mut in_animation = 0;
    for channel in &animation.channels {
        let times = context.times(index, channel);
        if is_constant(channel, times.len()) {
            if times.len() > 1 && is_scale_one(context, channel) {
                counts.scale.add(context, index, channel, times.len());
            } else if times.len() > 2 {
                counts.constant.add(context, index, channel, times.len());
            }
            continue;
        }
        counts.keys += times.len();
        let redundant = redundant_keys(context, channel, times);
        in_animation += redundant;
        counts.redundant_bytes += bytes(channel, redundant);
    }
    counts.redundant += in_animation;
    if in_animation > 0 {
        counts.redundant_in.add(in_animation as f64, index);
    }
}

/// Bytes of the values of this many keys, as 32-bit floats.
fn bytes(channel: &Channel, keys: usize) -> usize {
    let groups = if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    keys.saturating_mul(channel.components * groups * size_of::<f32>())
}

/// Reports redundant keys if they are many.
fn redundant(context: &CheckContext, counts: &Counts, findings: &mut Findings) {
    let (limit, share) = (context.settings.limit(Limit::RedundantShare), counts.redundant as f64 / counts.keys.max(1) as f64);
    let Some((_, animation)) = counts.redundant_in.first() else { return };
    if share <= limit || counts.redundant_bytes < MIN_BYTES {
        return;
    }
    let message = format!(
        "{} of {} keys ({:.0} %, about {}) could go without a visible change, most of them in {}.",
        counts.redundant,
        counts.keys,
        share * 100.0,
        size(counts.redundant_bytes),
        context.animation_name(*animation)
    );
    findings.add(CheckFinding {
        animation: Some(*animation),
        value: Some(share),
        threshold: Some(limit),
        ..CheckFinding::new(Rule::RedundantKeys, message)
    });
}

/// Reports channels that hold one value, if they take much room.
fn share(context: &CheckContext, rule: Rule, share: &Share, findings: &mut Findings) {
    let Some((animation, pointer, node)) = share.first.clone().filter(|_| share.bytes >= MIN_BYTES) else { return };
    let (channels, bytes) = (share.channels, size(share.bytes));
    let first =
        node.and_then(|node| context.model.node_from_source(node)).map_or_else(String::new, |node| context.node_name(node).to_owned());
    let place = format!("the first drives {first} in {}", context.animation_name(animation));
    let message = match rule {
        Rule::ScaleStaysOne => format!("{channels} scale channels stay at 1 and could go (about {bytes}); {place}."),
        _ => format!("{channels} channels have several keys, but never change: one key is enough (about {bytes} less); {place}."),
    };
    let value = Some(channels as f64);
    findings.add(CheckFinding { node, animation: Some(animation), value, pointer, ..CheckFinding::new(rule, message) });
}

/// A size in bytes, for a message.
fn size(bytes: usize) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes.div_ceil(1 << 10)) } else { format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)) }
}

/// Returns whether a channel has one value at all times. Both signs of a quaternion are one rotation. `keys` is its number of keys.
pub fn is_constant(channel: &Channel, keys: usize) -> bool {
    let first = value(channel, 0);
    let near = |a: f32, b: f32| (a - b).abs() <= ROUNDING * a.abs().max(1.0);
    let is_rotation = matches!(channel.target, Target::Rotation(_));
    let is_same = |key: usize| {
        let other = value(channel, key);
        let same = first.iter().zip(other).all(|(&a, &b)| near(a, b));
        same || (is_rotation && channel.interpolation != Interpolation::CubicSpline && first.iter().zip(other).all(|(&a, &b)| near(a, -b)))
    };
    let is_flat = |key: usize| {
        let n = channel.components;
        let part = |part: usize| channel.output.get((key * 3 + part) * n..(key * 3 + part + 1) * n).unwrap_or_default();
        part(0).iter().chain(part(2)).all(|tangent| tangent.abs() <= ROUNDING)
    };
    (1..keys).all(is_same) && (channel.interpolation != Interpolation::CubicSpline || keys < 2 || (0..keys).all(is_flat))
}

/// Returns whether a constant channel sets a scale of 1 that the rest pose has, too.
fn is_scale_one(context: &CheckContext, channel: &Channel) -> bool {
    let Target::Scale(node) = channel.target else { return false };
    let is_one = |scale: &[f32]| !scale.is_empty() && scale.iter().all(|x| (x - 1.0).abs() <= 1e-4);
    let rest = context.model.hierarchy.rest.get(node.index()).map_or([0.0; 3], |rest| rest.scale.to_array());
    is_one(value(channel, 0)) && is_one(&rest)
}

/// The number of keys that interpolation between the last kept key and the next one replaces, as in glTF-Transform's `resample`.
fn redundant_keys(context: &CheckContext, channel: &Channel, times: &[f32]) -> usize {
    let keys = times.len();
    let (mut kept, mut redundant) = (0, 0);
    for key in 1..keys.saturating_sub(1) {
        let same = |a: usize, b: usize| difference(context, channel, value(channel, a), value(channel, b)) <= 1.0;
        let is_redundant = match channel.interpolation {
            Interpolation::Step => same(kept, key),
            // A spline key with equal neighbors and flat tangents changes nothing; others need a fit.
            Interpolation::CubicSpline => false,
            Interpolation::Linear => is_between(context, channel, times, [kept, key, key + 1]),
        };
        if is_redundant {
            redundant += 1;
        } else {
            kept = key;
        }
    }
    redundant
}

/// Returns whether the middle one of three keys lies where interpolation between the others would put it.
fn is_between(context: &CheckContext, channel: &Channel, times: &[f32], [from, key, to]: [usize; 3]) -> bool {
    let span = times[to] - times[from];
    let u = if span > 0.0 { f64::from((times[key] - times[from]) / span) } else { 0.0 };
    let (start, end) = (value(channel, from), value(channel, to));
    if let (true, Some(a), Some(b)) = (matches!(channel.target, Target::Rotation(_)), quaternion(start), quaternion(end)) {
        // Beyond a right angle, slerp is no longer near the straight line.
        let sign = if a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        let theta = angle(a, b).to_radians() / 2.0;
        let weight = |u: f64| if theta > 1e-6 { (u * theta).sin() / theta.sin() } else { u };
        let mixed: Vec<f32> = a.iter().zip(&b).map(|(a, b)| (a * weight(1.0 - u) + sign * b * weight(u)) as f32).collect();
        return difference(context, channel, &mixed, value(channel, key)) <= 1.0;
    }
    let mixed: Vec<f32> = start.iter().zip(end).map(|(a, b)| a + (b - a) * u as f32).collect();
    difference(context, channel, &mixed, value(channel, key)) <= 1.0
}

/// The difference of two values, in tolerances.
fn difference(context: &CheckContext, channel: &Channel, a: &[f32], b: &[f32]) -> f64 {
    let settings = context.settings;
    if let (Target::Rotation(_), Some(a), Some(b)) = (channel.target, quaternion(a), quaternion(b)) {
        return ratio(angle(a, b), settings.limit(Limit::RedundantAngle));
    }
    let unit = if matches!(channel.target, Target::Translation(_)) { context.rest.size } else { 1.0 };
    let largest = a.iter().zip(b).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
    ratio(largest, settings.limit(Limit::RedundantDistance) * unit)
}

/// A number in units of a tolerance, which may be 0.
fn ratio(number: f64, tolerance: f64) -> f64 {
    if number <= tolerance { number / tolerance.max(f64::MIN_POSITIVE) } else { f64::INFINITY }
}
