//! Compares the first and the last keys of an animation that loops: rotations and scales of joints, and morph weights.

use std::ops::Range;

use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings, Unit};
use crate::check::keys::difference::{ValueMeasure, scale_words};
use crate::check::keys::morphs;
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::{Channel, Target};
use crate::model::node::NodeIndex;
use crate::numbers::agreeing;

use super::ending::{Ending, finding};

/// The kinds of values that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Rotation,
    Scale,
    Weight,
}

impl Kind {
    /// The largest difference that is no gap, in the unit of [`ValueMeasure::difference`].
    fn limit(self, context: &CheckContext) -> f64 {
        context.settings.limit(match self {
            Self::Rotation => Limit::LoopGapAngle,
            Self::Scale => Limit::LoopGapScale,
            Self::Weight => Limit::LoopGapWeight,
        })
    }

    /// The components of a channel that are compared together. Each morph weight is compared by itself.
    fn parts(self, context: &CheckContext, channel: &Channel) -> Vec<Range<usize>> {
        match (self, channel.target) {
            (Self::Rotation, Target::Rotation(_)) | (Self::Scale, Target::Scale(_)) => std::iter::once(0..channel.components).collect(),
            (Self::Weight, Target::Weights(_) | Target::Pointer(_)) if morphs::driven_target(context, channel, 0).is_some() => {
                (0..channel.components).map(|weight| weight..weight + 1).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The differences between the first and the last values of one kind.
pub struct KeyGaps<'a> {
    kind: Kind,
    /// Channels and their components whose differences exceed the limit.
    gaps: Worst<(&'a Channel, Range<usize>)>,
    /// Sum of all differences.
    gap_sum: f64,
    /// Sum of the largest differences between the first and any other key.
    range_sum: f64,
}

impl<'a> KeyGaps<'a> {
    /// Compares the keys of an animation.
    pub fn new(context: &CheckContext<'a>, animation: usize, kind: Kind) -> Self {
        let mut gaps = Self { kind, gaps: Worst::default(), gap_sum: 0.0, range_sum: 0.0 };
        for channel in &context.model.animations[animation].channels {
            let (measure, last) = (ValueMeasure::new(context, channel), context.times(animation, channel).len().saturating_sub(1));
            for part in kind.parts(context, channel) {
                let values = |key: usize| channel.value(key).get(part.clone()).unwrap_or_default();
                let from_first = |key: usize| measure.difference(values(0), values(key));
                let (gap, range) = (from_first(last), (0..=last).map(from_first).fold(0.0, f64::max));
                if !gap.is_finite() || !range.is_finite() {
                    continue;
                }
                (gaps.gap_sum, gaps.range_sum) = (gaps.gap_sum + gap, gaps.range_sum + range);
                if gap > kind.limit(context) {
                    gaps.gaps.add(gap, (channel, part));
                }
            }
        }
        gaps
    }

    /// Returns whether the values end near their start, compared with how far they change.
    pub fn is_closed(&self, context: &CheckContext) -> bool {
        self.gap_sum <= context.settings.limit(Limit::LoopClosure) * self.range_sum
    }

    /// Reports the values that do not end as they start, if the animation is a loop. Returns whether there are any. `ending` tells how
    /// positions and rotations end.
    pub fn report(&self, context: &CheckContext, animation: usize, ending: Ending, findings: &mut Findings) -> bool {
        let ending = Ending { is_closed: ending.is_closed && self.is_closed(context), ..ending };
        let Some((gap, (channel, part))) = self.gaps.first().filter(|_| ending.is_loop()) else { return false };
        let gaps = self.gaps.words(|gap, (channel, part)| self.words(context, animation, gap, channel, part.start));
        let [one, many] = match self.kind {
            Kind::Rotation => ["a joint is rotated", "joints are rotated"],
            Kind::Scale => ["a joint is scaled", "joints are scaled"],
            Kind::Weight => ["a morph weight differs", "morph weights differ"],
        };
        let message = format!("{}; {}: {gaps}.", ending.opening(context, animation), agreeing(self.gaps.count, one, many));
        let node = driven_node(context, channel, part.start).map(NodeIndex::index);
        let unit = (self.kind == Kind::Rotation).then_some(Unit::Degrees);
        let usual = finding(context, animation, node, Rule::LoopGap, message);
        findings.add(CheckFinding { value: Some(*gap), threshold: Some(self.kind.limit(context)), unit, ..usual });
        true
    }

    /// A gap in words: "Head by 5.0 degrees".
    fn words(&self, context: &CheckContext, animation: usize, gap: f64, channel: &Channel, component: usize) -> String {
        let last = context.times(animation, channel).len().saturating_sub(1);
        let [first, last] = [0, last].map(|key| channel.value(key));
        let name = || driven_node(context, channel, component).map_or("", |node| context.node_name(node));
        match self.kind {
            Kind::Rotation => format!("{} by {gap:.1} degrees", name()),
            Kind::Scale => format!("{} {}", name(), scale_words(first, last)),
            Kind::Weight => {
                let target = morphs::driven_target(context, channel, component).map_or_else(String::new, |(_, target)| target);
                let [from, to] = [first, last].map(|value| value.get(component).copied().unwrap_or_default());
                format!("{target} from {from:.2} to {to:.2}")
            }
        }
    }
}

/// Checks an animation that moves no node: the morph weights that it drives.
pub fn check_weights(context: &CheckContext, animation: usize, findings: &mut Findings) {
    let ending = Ending::new(context, animation, true);
    KeyGaps::new(context, animation, Kind::Weight).report(context, animation, ending, findings);
}

/// The node that a component of a channel drives.
fn driven_node(context: &CheckContext, channel: &Channel, component: usize) -> Option<NodeIndex> {
    context.model.target_node(channel.target).or_else(|| morphs::driven_target(context, channel, component)?.0)
}
