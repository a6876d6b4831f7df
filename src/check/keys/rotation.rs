//! Checks rotation keys: changes of sign, rotations of more than half a turn between two keys, and quaternions that are not of unit length.

use crate::animation::keys::interpolate::degrees_between;
use crate::check::context::{CheckContext, quaternion, value};
use crate::check::finding::{CheckFinding, Findings};
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
    findings.add(CheckFinding {
        node: context.channel_node(channel),
        animation: Some(animation),
        time: context.times(animation, channel).get(key).copied().map(f64::from),
        value: Some(angle),
        threshold: Some(180.0),
        pointer: CheckContext::channel_pointer(animation, channel),
        ..CheckFinding::new(Rule::RotationFlip, message)
    });
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
    let name = context.animation_name(animation);
    let joints = |worst: &Worst<ChannelKey>, unit: &str| {
        worst.words(|number, (channel, _)| {
            let number =
                if unit.is_empty() { String::new() } else { format!(" {number:.*}{unit}", if unit == " degrees" { 0 } else { 3 }) };
            format!("{}{number}", joint(context, channel))
        })
    };
    let fault = Fault { animation, rule: Rule::RotationFlip, severity: Severity::Warning, threshold: 180.0 };
    let spinning = agreeing(spins.count, "the joint spins", "the joints spin");
    let message = format!("{name}: CUBICSPLINE quaternions change sign between two keys, so {spinning}: {}.", joints(&spins, ""));
    fault.add(context, &spins, message, findings);
    let message = format!(
        "{name}: {} by more than half a turn between two keys: {}. Players rotate {} the shorter way, in the other direction.",
        agreeing(turns.count, "a joint rotates", "joints rotate"),
        joints(&turns, " degrees"),
        agreeing(turns.count, "it", "them")
    );
    Fault { rule: Rule::RotationOver180, threshold: turn_limit, ..fault }.add(context, &turns, message, findings);
    let message = format!("{name}: rotation keys are not unit quaternions; their length differs from 1: {}.", joints(&lengths, " off"));
    Fault { rule: Rule::RotationNotUnit, threshold: unit_limit, ..fault }.add(context, &lengths, message, findings);
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
        let file_value = value(channel, key);
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

/// A kind of fault in an animation.
#[derive(Debug, Clone, Copy)]
struct Fault {
    animation: usize,
    rule: Rule,
    severity: Severity,
    threshold: f64,
}

impl Fault {
    /// Adds a finding about the worst of several channels, if there are any.
    fn add(self, context: &CheckContext, worst: &Worst<ChannelKey>, message: String, findings: &mut Findings) {
        let Some(&(value, (channel, key))) = worst.first() else { return };
        findings.add(CheckFinding {
            severity: self.severity,
            node: context.channel_node(channel),
            animation: Some(self.animation),
            time: context.times(self.animation, channel).get(key).copied().map(f64::from),
            value: Some(value),
            threshold: Some(self.threshold),
            pointer: CheckContext::channel_pointer(self.animation, channel),
            ..CheckFinding::new(self.rule, message)
        });
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
