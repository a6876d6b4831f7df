//! Finds STEP channels with gradual changes in animations most of whose moving channels interpolate.

use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::{Channel, Interpolation, Target};
use crate::numbers::{agreeing, counted};

use super::difference::is_nearly_constant;

/// Minimum number of keys of a gradual change.
const MIN_KEYS: usize = 4;
/// Largest step between two keys of a gradual change, as a fraction of the range of its values. A switch has larger steps.
const MAX_GRADUAL_STEP: f32 = 0.5;

/// Checks the STEP channels of an animation.
pub fn check(context: &CheckContext, animation: usize, findings: &mut Findings) {
    let channels = &context.model.animations[animation].channels;
    let keys = |channel: &Channel| context.times(animation, channel).len();
    let moving = || channels.iter().filter(|channel| !is_nearly_constant(context, channel, keys(channel)));
    let is_step = |channel: &&Channel| channel.interpolation == Interpolation::Step;
    let smooth_count = moving().filter(|channel| !is_step(channel)).count();
    let mut gradual = Worst::default();
    let mut step_count = 0;
    for channel in moving().filter(is_step) {
        // A pointer may lead to a boolean, which is never interpolated, so channels with pointers are not reported.
        let is_discrete = matches!(channel.target, Target::Pointer(_));
        step_count += usize::from(!is_discrete);
        if !is_discrete && is_gradual(channel, keys(channel)) {
            gradual.add(0.0, channel);
        }
    }
    let (limit, share) = (context.settings.limit(Limit::StepShare), smooth_count as f64 / (smooth_count + step_count).max(1) as f64);
    let Some((_, channel)) = gradual.first().filter(|_| share >= limit) else { return };
    let message = format!(
        "{}: {} {} STEP although the values change gradually and {} interpolate{}, so the motion stutters: {}.",
        context.animation_name(animation),
        counted(gradual.count, "channel"),
        agreeing(gradual.count, "uses", "use"),
        counted(smooth_count, "other channel"),
        agreeing(smooth_count, "s", ""),
        gradual.words(|_, channel| context.channel_name(channel))
    );
    findings.add(CheckFinding {
        node: context.channel_node(channel),
        animation: Some(animation),
        time: context.times(animation, channel).get(1).copied().map(f64::from),
        value: Some(share),
        threshold: Some(limit),
        pointer: CheckContext::channel_pointer(animation, channel),
        ..CheckFinding::new(Rule::StepAmongSmooth, message)
    });
}

/// Returns whether no value of a channel differs much from the previous one.
fn is_gradual(channel: &Channel, keys: usize) -> bool {
    let range = |part: usize| {
        let values = (0..keys).filter_map(|key| channel.value(key).get(part).copied());
        let (low, high) = values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        high - low
    };
    let step = |part: usize| {
        let number = |key: usize| channel.value(key).get(part).copied().unwrap_or(0.0);
        (1..keys).map(|key| (number(key) - number(key - 1)).abs()).fold(0.0, f32::max)
    };
    keys >= MIN_KEYS && (0..channel.components).all(|part| step(part) <= MAX_GRADUAL_STEP * range(part))
}
