//! Checks the times of keys: whether an animation begins at 0, whether its channels end together, and whether keys lie on frames.

use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings, Unit};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::RateSource;
use crate::model::finding::Severity;
use crate::numbers::{self, agreeing, counted};

use super::difference::is_nearly_constant;

/// Usual frame rates of keys, in frames per second.
const USUAL_RATES: [f64; 4] = [24.0, 25.0, 30.0, 60.0];
/// Minimum fraction of the key times that lie on the frames of a rate. If fewer do, the animation was not made at this rate.
const MIN_ON_FRAMES: f64 = 0.9;
/// Minimum number of key times of an animation whose rate is checked. A few keys lie on the frames of some rate by chance.
const MIN_KEY_TIMES: usize = 20;

/// Checks the key times of an animation.
pub fn check(context: &CheckContext, animation: usize, findings: &mut Findings) {
    check_first_key(context, animation, findings);
    check_ends(context, animation, findings);
    check_frames(context, animation, findings);
}

/// Reports an animation without any key at its beginning.
fn check_first_key(context: &CheckContext, animation: usize, findings: &mut Findings) {
    let sets = &context.model.animations[animation].key_times;
    let first_time = sets.iter().filter_map(|times| times.first()).copied().fold(f32::INFINITY, f32::min);
    let (first_time, limit) = (f64::from(first_time), context.settings.limit(Limit::FirstKeyTime));
    if first_time.is_finite() && first_time > limit {
        let fps = context.fps(animation);
        let name = context.animation_name(animation);
        let message = format!(
            "{name} has its first key at {first_time:.3} s ({:.1} frames at {fps:.0} fps): players hold the first pose until then.",
            first_time * fps
        );
        findings.add(CheckFinding {
            animation: Some(animation),
            time: Some(first_time),
            value: Some(first_time),
            threshold: Some(limit),
            unit: Some(Unit::Seconds),
            pointer: format!("/animations/{animation}"),
            ..CheckFinding::new(Rule::FirstKeyNotAtZero, message)
        });
    }
}

/// Reports channels that move and end before the animation.
fn check_ends(context: &CheckContext, animation: usize, findings: &mut Findings) {
    let data = &context.model.animations[animation];
    let limit = context.settings.limit(Limit::EndsEarlyTime);
    let (mut moving, mut early, mut last) = (0, Worst::default(), None);
    for channel in data.channels.iter().filter(|channel| !is_nearly_constant(context, channel, context.times(animation, channel).len())) {
        let end = f64::from(context.times(animation, channel).last().copied().unwrap_or(0.0));
        let missing = data.duration - end;
        moving += 1;
        last = last.filter(|(least, _)| *least <= missing).or(Some((missing, channel)));
        if missing > limit {
            early.add(missing, channel);
        }
    }
    let all_end_early = early.count == moving;
    // If nothing moves at the end, the channel that ends last tells since when.
    let reported = if all_end_early { last } else { early.first().copied() };
    let Some((missing, channel)) = reported else { return };
    let (name, duration) = (context.animation_name(animation), data.duration);
    let end = duration - missing;
    let message = if all_end_early {
        format!("{name} lasts {duration:.3} s, but nothing moves after {end:.3} s: a leftover key makes it longer.")
    } else {
        let channels = format!("{} {}", counted(early.count, "channel"), agreeing(early.count, "ends", "end"));
        let first_channel = context.channel_name(channel);
        format!(
            "In {name}, {channels} before the animation does. {first_channel} ends at {end:.3} s of {duration:.3} s and holds its last value."
        )
    };
    let usual = CheckFinding::new(Rule::ChannelEndsEarly, message);
    findings.add(CheckFinding {
        severity: if all_end_early { Severity::Warning } else { usual.severity },
        node: context.channel_node(channel),
        animation: Some(animation),
        time: Some(end),
        value: Some(missing),
        threshold: Some(limit),
        unit: Some(Unit::Seconds),
        pointer: CheckContext::channel_pointer(animation, channel),
        ..usual
    });
}

/// Reports keys between frames if most others lie on frames.
fn check_frames(context: &CheckContext, animation: usize, findings: &mut Findings) {
    let data = &context.model.animations[animation];
    let rate = context.document.rates.get(animation);
    // If the rate was derived from the keys, all keys lie on its frames.
    if rate.is_none_or(|rate| rate.source == RateSource::Keys) {
        return;
    }
    let total: usize = data.key_times.iter().map(Vec::len).sum();
    if total < MIN_KEY_TIMES {
        return;
    }
    let limit = context.settings.limit(Limit::OffFrameTime);
    let times = || data.key_times.iter().flatten().map(|&time| f64::from(time));
    let distance = |time: f64, fps: f64| (time - (time * fps).round() / fps).abs();
    let is_between_frames = |time: f64, fps: f64| distance(time, fps) > limit + time.abs() * 1e-6;
    let count_between = |fps: f64| times().filter(|&time| is_between_frames(time, fps)).count();
    let rates = rate.map(|rate| rate.fps).into_iter().chain(USUAL_RATES);
    let Some((count, fps)) = rates.map(|fps| (count_between(fps), fps)).min_by_key(|(count, _)| *count) else { return };
    if count == 0 || (total - count) as f64 / (total as f64) < MIN_ON_FRAMES {
        return;
    }
    let between_frames = times().filter(|&time| is_between_frames(time, fps));
    let Some(worst) = between_frames.max_by(|&a, &b| distance(a, fps).total_cmp(&distance(b, fps))) else {
        return;
    };
    let name = context.animation_name(animation);
    let message = format!(
        "{name}: {count} of {total} key times {} of {fps:.0} fps, such as {worst:.4} s (frame {}). An import that resamples moves {}.",
        agreeing(count, "lies between frames", "lie between frames"),
        numbers::frame(worst * fps, 2),
        agreeing(count, "it", "them")
    );
    findings.add(CheckFinding {
        animation: Some(animation),
        time: Some(worst),
        value: Some(distance(worst, fps)),
        threshold: Some(limit),
        unit: Some(Unit::Seconds),
        pointer: format!("/animations/{animation}"),
        ..CheckFinding::new(Rule::KeysOffFrameGrid, message)
    });
}
