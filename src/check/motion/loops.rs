//! Checks whether an animation loops without a jump: the gap between its last and first pose, the change of velocity at the seam between
//! them, and the drift of its root.

use std::ops::Range;

use glam::DVec3;

use crate::camera::bounds::Bounds;
use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings, Unit};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::animation::Target;
use crate::model::node::NodeIndex;
use crate::numbers::agreeing;

use super::Sampled;
use super::ending::{Ending, finding};
use super::key_gaps::{KeyGaps, Kind};

/// Range of the ratio of a gap to the motion within the last frame. If the ratio is in this range, the last frame is probably missing.
const ONE_FRAME_RATIO: [f64; 2] = [0.5, 1.6];
/// Minimum ratio of the largest distance of a root from its start to the distance at its end, if the root comes back.
const MIN_REACH_RATIO: f64 = 2.0;
/// Minimum ratio of the change of velocity at the seam to the largest change within the animation.
const MIN_VELOCITY_RATIO: f64 = 2.0;

/// The paths of all joints, and the movement of their root along the ground, which is subtracted.
struct Paths<'a> {
    /// Movement of the root along the ground since the start, per sample. Empty if there is no root.
    root_movement: Vec<DVec3>,
    /// The nodes that move with the root.
    root_subtree: Range<usize>,
    /// Each joint with its path in global space.
    joints: Vec<(usize, &'a [DVec3])>,
}

impl<'a> Paths<'a> {
    /// The paths of all joints and of all nodes with meshes. Both are called joints here.
    fn new(context: &CheckContext, sampled: &'a Sampled) -> Self {
        let (model, motion) = (context.model, &sampled.motion);
        let is_checked = |node: usize| context.document.joints[node] || model.nodes[node].mesh.is_some();
        let joints =
            (0..model.nodes.len()).filter(|&node| is_checked(node)).filter_map(|node| Some((node, motion.positions(node)?))).collect();
        let channels = &model.animations[sampled.animation].channels;
        let is_moved = |&&node: &&usize| channels.iter().any(|channel| channel.target == Target::Translation(NodeIndex(node as u32)));
        let root = match sampled.locomotion.root {
            Some(root) => Some((root.node, root.subtree)),
            None => sampled.rig.root_candidates.iter().find(is_moved).map(|&node| (node, NodeIndex(node as u32))),
        };
        let Some((node, top)) = root else { return Self { root_movement: Vec::new(), root_subtree: 0..0, joints } };
        let path = motion.positions(node).unwrap_or_default();
        let start = path.first().copied().unwrap_or_default();
        let root_movement = path.iter().map(|position| (*position - start).with_y(0.0)).collect();
        Self { root_movement, root_subtree: model.hierarchy.subtree(top), joints }
    }

    /// The distance along the ground between the start and the end of the root, in meters.
    fn drift(&self) -> f64 {
        self.root_movement.last().map_or(0.0, |movement| movement.length())
    }

    /// Returns whether the root moves away and comes back, at least most of the way, instead of traveling to another place.
    fn root_returns(&self) -> bool {
        let reach = self.root_movement.iter().map(|movement| movement.length()).fold(0.0, f64::max);
        reach > MIN_REACH_RATIO * self.drift()
    }

    /// The position of a joint at a sample, without the movement of the root.
    fn position(&self, node: usize, path: &[DVec3], sample: usize) -> DVec3 {
        let moves_with_root = self.root_subtree.contains(&node);
        let root_movement = if moves_with_root { self.root_movement.get(sample).copied().unwrap_or_default() } else { DVec3::ZERO };
        path.get(sample).copied().unwrap_or_default() - root_movement
    }
}

/// Checks an animation if it almost closes, or if its name says that it is a loop.
pub fn check(context: &CheckContext, sampled: &Sampled, findings: &mut Findings) {
    let last = sampled.motion.request.len() - 1;
    let (settings, size) = (context.settings, context.rest.size);
    let paths = Paths::new(context, sampled);
    let (mut gaps, mut gap_sum, mut range_sum) = (Worst::default(), 0.0, 0.0);
    for &(node, path) in &paths.joints {
        let gap = paths.position(node, path, last).distance(paths.position(node, path, 0));
        let mut bounds = Bounds::EMPTY;
        (0..=last).for_each(|sample| bounds.add(paths.position(node, path, sample)));
        let range = (bounds.max - bounds.min).length();
        if gap.is_finite() && range.is_finite() && !bounds.is_empty() {
            (gap_sum, range_sum) = (gap_sum + gap, range_sum + range);
            if gap > settings.limit(Limit::LoopGapDistance) * size {
                gaps.add(gap, (node, path));
            }
        }
    }
    let [rotations, scales] = [Kind::Rotation, Kind::Scale].map(|kind| KeyGaps::new(context, sampled.animation, kind));
    // Whether any joint moves, apart from the movement of the root along the ground.
    let moves = range_sum > 1e-6 * size;
    let is_closed = (!moves || gap_sum <= settings.limit(Limit::LoopClosure) * range_sum) && rotations.is_closed(context);
    let ending = Ending::new(context, sampled.animation, is_closed);
    if last < 2 || !ending.is_loop() {
        return;
    }
    KeyGaps::new(context, sampled.animation, Kind::Weight).report(context, sampled.animation, ending, findings);
    if let Some(&(gap, (node, path))) = gaps.first().filter(|_| moves) {
        let position = |sample| paths.position(node, path, sample);
        let last_step = last.checked_sub(sampled.stride).map_or(DVec3::ZERO, |previous| position(last) - position(previous));
        let ratio = gap / last_step.length();
        // If the last pose is beyond the first one, there is a frame too many instead.
        let goes_on = (position(0) - position(last)).dot(last_step) > 0.0;
        let is_one_frame = goes_on && ratio > ONE_FRAME_RATIO[0] && ratio < ONE_FRAME_RATIO[1];
        let opening = ending.opening(context, sampled.animation);
        report_distances(context, sampled, &gaps, is_one_frame, &opening, findings);
    } else if ![rotations, scales].iter().any(|gaps| gaps.report(context, sampled.animation, ending, findings)) {
        if moves || paths.root_returns() {
            check_drift(context, sampled, &paths, findings);
        }
        if moves {
            check_velocities(context, sampled, &paths, findings);
        }
    }
}

/// Reports joints that do not end at the position where they start. `opening` begins the message.
fn report_distances(
    context: &CheckContext,
    sampled: &Sampled,
    gaps: &Worst<(usize, &[DVec3])>,
    is_one_frame: bool,
    opening: &str,
    findings: &mut Findings,
) {
    let Some(&(gap, (node, _))) = gaps.first() else { return };
    let joints = gaps.words(|gap, (node, _)| format!("{} by {}", context.node_name(NodeIndex(*node as u32)), context.length(gap)));
    let consequence = if is_one_frame {
        " That is about one frame of motion: the last frame, which repeats the first, is probably missing."
    } else {
        " A loop jumps there."
    };
    let message = format!("{opening}: {joints}.{consequence}");
    let threshold = Some(context.settings.limit(Limit::LoopGapDistance) * context.rest.size);
    findings.add(CheckFinding {
        value: Some(gap),
        threshold,
        unit: Some(Unit::Meters),
        ..finding(context, sampled.animation, Some(node), Rule::LoopGap, message)
    });
}

/// Reports a root that does not end at its start position, although the character stays in place.
fn check_drift(context: &CheckContext, sampled: &Sampled, paths: &Paths, findings: &mut Findings) {
    let drift = paths.drift();
    let limit = context.settings.limit(Limit::RootDrift) * context.rest.size;
    if sampled.locomotion.root.is_some() || drift <= limit || !drift.is_finite() {
        return;
    }
    let name = context.node_name(NodeIndex(paths.root_subtree.start as u32));
    let message = format!(
        "{} loops in place, but {name} ends {} away from its start: the character jumps back at each loop, or drifts away.",
        context.animation_name(sampled.animation),
        context.length(drift)
    );
    let usual = finding(context, sampled.animation, Some(paths.root_subtree.start), Rule::RootDriftInLoop, message);
    findings.add(CheckFinding { value: Some(drift), threshold: Some(limit), unit: Some(Unit::Meters), ..usual });
}

/// Reports joints whose velocity changes abruptly at the seam.
fn check_velocities(context: &CheckContext, sampled: &Sampled, paths: &Paths, findings: &mut Findings) {
    let (request, stride) = (&sampled.motion.request, sampled.stride);
    let samples = request.len();
    // The last step may be shorter than a frame, so velocities are measured over whole frames.
    if samples <= 3 * stride {
        return;
    }
    let limit = context.settings.limit(Limit::LoopVelocity) * context.rest.size;
    let mut jumps = Worst::default();
    for &(node, path) in &paths.joints {
        let velocity = |from: usize, to: usize| {
            let seconds = request.time(to) - request.time(from);
            if seconds > 0.0 { (path[to] - path[from]) / seconds } else { DVec3::ZERO }
        };
        let seam = velocity(samples - 1 - stride, samples - 1).distance(velocity(0, stride));
        if !seam.is_finite() || seam <= limit {
            continue;
        }
        let change = |sample: usize| velocity(sample - stride, sample).distance(velocity(sample, sample + stride));
        let largest_change = (stride..samples - stride).step_by(stride).map(change).fold(0.0, f64::max);
        if seam > MIN_VELOCITY_RATIO * largest_change {
            jumps.add(seam, node);
        }
    }
    let Some(&(jump, node)) = jumps.first() else { return };
    let joints = jumps.words(|jump, node| format!("{} by {jump:.2} m/s", context.node_name(NodeIndex(*node as u32))));
    let message = format!(
        "{} closes, but {} velocity at the seam more than anywhere else: {joints}. A loop jerks there.",
        context.animation_name(sampled.animation),
        agreeing(jumps.count, "a joint changes its", "joints change their")
    );
    let usual = finding(context, sampled.animation, Some(node), Rule::LoopVelocityGap, message);
    findings.add(CheckFinding { value: Some(jump), threshold: Some(limit), unit: Some(Unit::MetersPerSecond), ..usual });
}
