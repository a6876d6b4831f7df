//! Checks rotation keys: changes of sign, rotations of more than half a turn between two keys, and quaternions that are not of unit length.

use crate::animation::keys::interpolate::degrees_between;
use crate::check::context::{CheckContext, quaternion};
use crate::check::finding::{CheckFinding, Findings, Unit};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::{Channel, Interpolation, Target};
use crate::model::finding::Severity;
use crate::numbers::{agreeing, counted};
use crate::session::names::NameStyle;

/// Limit of the angle between the rotations of two keys of opposite sign. Below it, the rotation along the shorter arc is intended, and the
/// sign is a mistake. Above it, the longer arc may be intended. The limit allows quarter and third turns, whose last key often repeats the
/// first one.
const MAX_FLIP_DEGREES: f64 = 121.0;

/// A channel and the index of one of its keys.
type ChannelKey<'a> = (&'a Channel, usize);

/// Counts LINEAR rotations that change their sign, for the whole file, because an exporter corrects the signs everywhere or nowhere.
pub fn check_flips(context: &CheckContext, findings: &mut Findings) {
    let (mut flips, mut animations) = (Worst::default(), 0);
    for (index, animation) in context.model.animations.iter().enumerate() {
        let count_before = flips.count;
        for channel in animation.channels.iter().filter(|channel| is_rotation(channel) && channel.interpolation == Interpolation::Linear) {
            let Extremes { flip, .. } = extremes(channel, context.times(index, channel).len());
            if let Some((angle, key)) = flip.0 {
                flips.add(angle, (index, channel, key));
            }
        }
        animations += usize::from(flips.count > count_before);
    }
    let Some(&(angle, (animation, channel, key))) = flips.first() else { return };
    let joints = flips.words(|_, (animation, channel, _)| format!("{} in {}", joint(context, channel), context.animation_name(*animation)));
    let message = format!(
        "Quaternions change sign between two keys, in {}: {joints}. glTF players correct it; others spin the {}.",
        counted(animations, "animation"),
        agreeing(flips.count, "joint", "joints")
    );
    let (threshold, unit) = (Some(180.0), Some(Unit::Degrees));
    findings.add(CheckFinding { threshold, unit, ..finding(context, Rule::RotationFlip, animation, (angle, (channel, key)), message) });
}

/// Checks the rotations of an animation.
pub fn check(context: &CheckContext, animation: usize, findings: &mut Findings) {
    let turn_limit = context.settings.limit(Limit::TurnAngle);
    let unit_limit = context.settings.limit(Limit::UnitLength);
    let (mut spins, mut turns, mut lengths) = (Worst::default(), Worst::default(), Worst::default());
    for channel in context.model.animations[animation].channels.iter().filter(|channel| is_rotation(channel)) {
        let Extremes { flip, turn, length } = extremes(channel, context.times(animation, channel).len());
        // Splines do not negate keys, so they take the longer way.
        if channel.interpolation == Interpolation::CubicSpline {
            flip.add_to(&mut spins, channel, 0.0);
        } else {
            turn.add_to(&mut turns, channel, turn_limit);
        }
        length.add_to(&mut lengths, channel, unit_limit);
    }
    report_spins(context, animation, &spins, findings);
    report_turns(context, animation, &turns, findings);
    report_lengths(context, animation, &lengths, findings);
}

/// Reports CUBICSPLINE rotations that change their sign.
fn report_spins(context: &CheckContext, animation: usize, spins: &Worst<ChannelKey>, findings: &mut Findings) {
    let Some(&worst) = spins.first() else { return };
    let message = format!(
        "{}: CUBICSPLINE quaternions change sign between two keys, so {}: {}.",
        context.animation_name(animation),
        agreeing(spins.count, "the joint spins", "the joints spin"),
        joints(context, spins, |_| String::new())
    );
    let (severity, threshold, unit) = (Severity::Warning, Some(180.0), Some(Unit::Degrees));
    findings.add(CheckFinding { severity, threshold, unit, ..finding(context, Rule::RotationFlip, animation, worst, message) });
}

/// Reports rotations of more than half a turn.
fn report_turns(context: &CheckContext, animation: usize, turns: &Worst<ChannelKey>, findings: &mut Findings) {
    let Some(&worst) = turns.first() else { return };
    let message = format!(
        "{}: {} by more than half a turn between two keys: {}. Players rotate {} the shorter way, in the other direction.",
        context.animation_name(animation),
        agreeing(turns.count, "a joint rotates", "joints rotate"),
        joints(context, turns, |angle| format!(" {angle:.0} degrees")),
        agreeing(turns.count, "it", "them")
    );
    let (threshold, unit) = (Some(context.settings.limit(Limit::TurnAngle)), Some(Unit::Degrees));
    findings.add(CheckFinding { threshold, unit, ..finding(context, Rule::RotationOver180, animation, worst, message) });
}

/// Reports quaternions that are not of unit length.
fn report_lengths(context: &CheckContext, animation: usize, lengths: &Worst<ChannelKey>, findings: &mut Findings) {
    let Some(&worst) = lengths.first() else { return };
    let message = format!(
        "{}: rotation keys are not unit quaternions; their length differs from 1: {}.",
        context.animation_name(animation),
        joints(context, lengths, |difference| format!(" {difference:.3} off"))
    );
    let threshold = Some(context.settings.limit(Limit::UnitLength));
    findings.add(CheckFinding { threshold, ..finding(context, Rule::RotationNotUnit, animation, worst, message) });
}

/// The names of the worst joints, each followed by its number in words.
fn joints(context: &CheckContext, worst: &Worst<ChannelKey>, number_words: impl Fn(f64) -> String) -> String {
    worst.words(|number, (channel, _)| format!("{}{}", joint(context, channel), number_words(number)))
}

/// Returns whether a channel drives a rotation.
fn is_rotation(channel: &Channel) -> bool {
    matches!(channel.target, Target::Rotation(_))
}

/// The worst keys of a channel.
#[derive(Debug, Default)]
struct Extremes {
    /// The change of sign between the most similar rotations. Its number is the longer arc between them, in degrees.
    flip: Extreme,
    /// The largest rotation of more than half a turn, in degrees.
    turn: Extreme,
    /// The largest difference of a length from 1.
    length: Extreme,
}

/// Finds the worst keys of a rotation channel.
fn extremes(channel: &Channel, keys: usize) -> Extremes {
    let mut extremes = Extremes::default();
    let mut previous = None;
    for key in 0..keys {
        let file_value = channel.value(key);
        extremes.length.add((norm(file_value) - 1.0).abs(), key);
        let Some(q) = quaternion(file_value) else { continue };
        let Some(previous) = previous.replace(q).filter(|_| channel.interpolation != Interpolation::Step) else { continue };
        if q.dot(previous) < 0.0 {
            let shorter_arc = degrees_between(previous, q);
            let extreme = if shorter_arc < MAX_FLIP_DEGREES { &mut extremes.flip } else { &mut extremes.turn };
            extreme.add(360.0 - shorter_arc, key);
        }
    }
    extremes
}

/// The name of the joint that a rotation channel drives.
fn joint<'a>(context: &CheckContext<'a>, channel: &Channel) -> &'a str {
    channel.target.node().map_or("", |node| context.document.names.node(node, NameStyle::Full))
}

/// A finding about a key of an animation, with the value that it is about and the usual severity of its check.
fn finding(
    context: &CheckContext,
    rule: Rule,
    animation: usize,
    (value, (channel, key)): (f64, ChannelKey),
    message: String,
) -> CheckFinding {
    CheckFinding {
        node: context.channel_node(channel),
        animation: Some(animation),
        time: context.times(animation, channel).get(key).copied().map(f64::from),
        value: Some(value),
        pointer: CheckContext::channel_pointer(animation, channel),
        ..CheckFinding::new(rule, message)
    }
}

/// The largest number of a channel, and its key.
#[derive(Debug, Default)]
struct Extreme(Option<(f64, usize)>);

impl Extreme {
    /// Replaces the number if another one is larger.
    fn add(&mut self, number: f64, key: usize) {
        if number.is_finite() && self.0.is_none_or(|(largest, _)| number > largest) {
            self.0 = Some((number, key));
        }
    }

    /// Adds the channel to a list if its largest number is above a limit.
    fn add_to<'a>(&self, worst: &mut Worst<ChannelKey<'a>>, channel: &'a Channel, limit: f64) {
        if let Some((number, key)) = self.0.filter(|(number, _)| *number > limit) {
            worst.add(number, (channel, key));
        }
    }
}

/// The length of a quaternion.
fn norm(q: &[f32]) -> f64 {
    q.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}
