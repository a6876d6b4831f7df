//! Checks whether an animation loops without a jump: the gap between its last and first pose, the change of velocity there, and the
//! drift of its root.

use glam::{DVec3, Vec3Swizzles};

use crate::camera::Bounds;
use crate::model::animation::Target;
use crate::model::node::NodeIndex;

use super::context::{CheckContext, angle, quaternion, value};
use super::finding::{CheckFinding, Findings, Worst};
use super::motion::Sampled;
use super::rule::{Limit, Rule};

/// A gap within these factors of the last frame's motion is a missing last frame.
const ONE_FRAME: [f64; 2] = [0.5, 1.6];
/// A change of velocity at the seam must be this much larger than any within the animation.
const VELOCITY_RATIO: f64 = 2.0;
/// Words in the name of an animation that is meant to loop.
const LOOP_WORDS: [&str; 2] = ["loop", "cycle"];

/// The paths of all joints without the movement of their root along the ground.
struct Paths<'a> {
    /// Movement of the root along the ground since the start, per sample. Empty without one.
    carried: Vec<DVec3>,
    /// The nodes that move with it.
    carrier: std::ops::Range<usize>,
    /// Each joint with its path in world space.
    joints: Vec<(usize, &'a [DVec3])>,
}

impl<'a> Paths<'a> {
    /// The paths of the joints, or of nodes with meshes.
    fn new(context: &CheckContext, sampled: &'a Sampled) -> Self {
        let (model, motion) = (context.model, &sampled.motion);
        let is_part = |node: usize| context.document.joints[node] || model.nodes[node].mesh.is_some();
        let joints =
            (0..model.nodes.len()).filter(|&node| is_part(node)).filter_map(|node| Some((node, motion.positions(node)?))).collect();
        let channels = &model.animations[sampled.animation].channels;
        let is_moved = |&&node: &&usize| channels.iter().any(|channel| channel.target == Target::Translation(NodeIndex(node as u32)));
        let root = match sampled.locomotion.root {
            Some(root) => Some((root.node, root.subtree)),
            None => sampled.rig.root_candidates.iter().find(is_moved).map(|&node| (node, NodeIndex(node as u32))),
        };
        let Some((node, top)) = root else { return Self { carried: Vec::new(), carrier: 0..0, joints } };
        let path = motion.positions(node).unwrap_or_default();
        let start = path.first().copied().unwrap_or_default();
        Self { carried: path.iter().map(|place| (*place - start).with_y(0.0)).collect(), carrier: model.hierarchy.subtree(top), joints }
    }

    /// The position of a joint at a sample, without the movement of the root.
    fn place(&self, node: usize, path: &[DVec3], sample: usize) -> DVec3 {
        let carried = if self.carrier.contains(&node) { self.carried.get(sample).copied().unwrap_or_default() } else { DVec3::ZERO };
        path.get(sample).copied().unwrap_or_default() - carried
    }
}

/// Checks an animation that looks like a loop.
pub fn check(context: &CheckContext, sampled: &Sampled, findings: &mut Findings) {
    let last = sampled.motion.request.len() - 1;
    let (settings, size) = (context.settings, context.rest.size);
    let paths = Paths::new(context, sampled);
    let (mut gaps, mut all_gaps, mut all_ranges) = (Worst::default(), 0.0, 0.0);
    for &(node, path) in &paths.joints {
        let gap = paths.place(node, path, last).distance(paths.place(node, path, 0));
        let mut bounds = Bounds::EMPTY;
        (0..=last).for_each(|sample| bounds.add(paths.place(node, path, sample)));
        let range = (bounds.max - bounds.min).length();
        if gap.is_finite() && range.is_finite() && !bounds.is_empty() {
            (all_gaps, all_ranges) = (all_gaps + gap, all_ranges + range);
            if gap > settings.limit(Limit::LoopGapDistance) * size {
                gaps.add(gap, (node, path));
            }
        }
    }
    let name = context.model.animations[sampled.animation].name.as_deref().unwrap_or_default();
    let is_named = LOOP_WORDS.iter().any(|word| name.len() < 1000 && name.to_lowercase().contains(word));
    let turned = Turned::new(context, sampled.animation);
    let closure = settings.limit(Limit::LoopClosure);
    let is_closed = all_gaps <= closure * all_ranges && turned.gaps <= closure * turned.ranges;
    if last < 2 || all_ranges <= 1e-6 * size || !(is_closed || is_named) {
        return;
    }
    let turned = turned.joints;
    if let Some(&(gap, (node, path))) = gaps.first() {
        let step =
            last.checked_sub(sampled.stride).map_or(0.0, |before| paths.place(node, path, last).distance(paths.place(node, path, before)));
        let is_one_frame = gap > step * ONE_FRAME[0] && gap < step * ONE_FRAME[1];
        distance_gap(context, sampled, &gaps, is_one_frame, findings);
    } else if turned.count > 0 {
        angle_gap(context, sampled, &turned, findings);
    } else {
        drift(context, sampled, &paths, findings);
        velocity_gap(context, sampled, &paths, findings);
    }
}

/// A finding about a joint of the animation, at its end.
fn finding(context: &CheckContext, sampled: &Sampled, node: usize, rule: Rule, message: String) -> CheckFinding {
    CheckFinding {
        node: Some(context.model.nodes[node].source),
        animation: Some(sampled.animation),
        time: Some(sampled.motion.request.duration()),
        pointer: format!("/animations/{}", sampled.animation),
        ..CheckFinding::new(rule, message)
    }
}

/// Reports joints that end away from where they start.
fn distance_gap(context: &CheckContext, sampled: &Sampled, gaps: &Worst<(usize, &[DVec3])>, is_one_frame: bool, findings: &mut Findings) {
    let Some(&(gap, (node, _))) = gaps.first() else { return };
    let joints = gaps.words(|gap, (node, _)| format!("{} by {}", context.node_name(NodeIndex(*node as u32)), context.length(gap)));
    let why = if is_one_frame {
        " That is about one frame of motion: the last frame, which repeats the first, is probably missing."
    } else {
        " A loop jumps there."
    };
    let message = format!("{} ends near its first pose, but not on it: {joints}.{why}", context.animation_name(sampled.animation));
    let threshold = Some(context.settings.limit(Limit::LoopGapDistance) * context.rest.size);
    findings.add(CheckFinding { value: Some(gap), threshold, ..finding(context, sampled, node, Rule::LoopGap, message) });
}

/// The rotations of an animation at its end, against those at its start.
#[derive(Default)]
struct Turned {
    /// Joints whose rotation differs, relative to their parents, in degrees.
    joints: Worst<NodeIndex>,
    /// Sum of all differences, and of the largest turns away from the start, in degrees.
    gaps: f64,
    ranges: f64,
}

impl Turned {
    fn new(context: &CheckContext, animation: usize) -> Self {
        let mut turned = Self::default();
        for channel in &context.model.animations[animation].channels {
            let Target::Rotation(node) = channel.target else { continue };
            let last = context.times(animation, channel).len().saturating_sub(1);
            let Some(first) = quaternion(value(channel, 0)) else { continue };
            let from_first = |key: usize| quaternion(value(channel, key)).map_or(0.0, |q| angle(first, q));
            let gap = from_first(last);
            turned.gaps += gap;
            turned.ranges += (0..=last).map(from_first).fold(0.0, f64::max);
            if gap > context.settings.limit(Limit::LoopGapAngle) {
                turned.joints.add(gap, node);
            }
        }
        turned
    }
}

/// Reports joints that end turned.
fn angle_gap(context: &CheckContext, sampled: &Sampled, turned: &Worst<NodeIndex>, findings: &mut Findings) {
    let Some(&(angle, node)) = turned.first() else { return };
    let joints = turned.words(|angle, node| format!("{} by {angle:.1} degrees", context.node_name(*node)));
    let message = format!("{} ends near its first pose, but joints are turned: {joints}.", context.animation_name(sampled.animation));
    let threshold = Some(context.settings.limit(Limit::LoopGapAngle));
    findings.add(CheckFinding { value: Some(angle), threshold, ..finding(context, sampled, node.index(), Rule::LoopGap, message) });
}

/// Reports a root that ends beside its start although the character stays in place.
fn drift(context: &CheckContext, sampled: &Sampled, paths: &Paths, findings: &mut Findings) {
    let (drift, limit) =
        (paths.carried.last().map_or(0.0, |last| last.xz().length()), context.settings.limit(Limit::RootDrift) * context.rest.size);
    if sampled.locomotion.root.is_some() || drift <= limit || !drift.is_finite() {
        return;
    }
    let name = context.node_name(NodeIndex(paths.carrier.start as u32));
    let message = format!(
        "{} loops in place, but {name} ends {} beside its start: the character jumps back at each loop, or creeps away.",
        context.animation_name(sampled.animation),
        context.length(drift)
    );
    let usual = finding(context, sampled, paths.carrier.start, Rule::RootDriftInLoop, message);
    findings.add(CheckFinding { value: Some(drift), threshold: Some(limit), ..usual });
}

/// Reports joints whose velocity changes abruptly at the seam.
fn velocity_gap(context: &CheckContext, sampled: &Sampled, paths: &Paths, findings: &mut Findings) {
    let (request, stride) = (&sampled.motion.request, sampled.stride);
    let samples = request.len();
    // The last step may be shorter than a frame, so velocities are taken over whole frames.
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
        let inside = (stride..samples - stride).step_by(stride).map(|at| velocity(at - stride, at).distance(velocity(at, at + stride)));
        if seam > VELOCITY_RATIO * inside.fold(0.0, f64::max) {
            jumps.add(seam, node);
        }
    }
    let Some(&(jump, node)) = jumps.first() else { return };
    let joints = jumps.words(|jump, node| format!("{} by {jump:.2} m/s", context.node_name(NodeIndex(*node as u32))));
    let message = format!(
        "{} closes, but joints change their velocity at the seam more than anywhere else: {joints}. A loop looks as if it hits something.",
        context.animation_name(sampled.animation)
    );
    let usual = finding(context, sampled, node, Rule::LoopVelocityGap, message);
    findings.add(CheckFinding { value: Some(jump), threshold: Some(limit), ..usual });
}
