//! Samples each animation once, within a budget for the whole file, and runs the checks that need the motion.

pub mod ending;
pub mod feet;
pub mod key_gaps;
pub mod loops;

use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings};
use crate::check::rule::Rule;
use crate::model::animation::{Animation, Channel, Target};
use crate::numbers;
use crate::session::document::Document;
use crate::session::locomotion::{Locomotion, LocomotionRig};
use crate::session::motion::request::{self, Clock, MAX_POSITIONS, MotionRequest};
use crate::session::motion::sampled::SampledMotion;
use crate::session::pose;
use crate::session::pose::in_place::RootStatus;
use crate::session::view::View;

/// Maximum work of sampling all animations together, in the unit of [`pose::estimate_work`]. It takes about half a second.
const MAX_WORK: usize = 1 << 24;
/// Minimum number of samples of an animation whose motion is checked.
const MIN_SAMPLES: usize = 8;

/// An animation with its sampled motion.
#[derive(Debug)]
pub struct Sampled {
    /// Index of the animation.
    pub animation: usize,
    /// Positions of all nodes.
    pub motion: SampledMotion,
    /// The root and the feet of the rig.
    pub rig: LocomotionRig,
    /// Root motion and foot contacts.
    pub locomotion: Locomotion,
    /// The view that plays the animation.
    pub view: View,
    /// Number of samples per frame.
    pub stride: usize,
}

/// The work that sampling may still take. The animations that are left share it evenly.
#[derive(Debug)]
pub struct Budget {
    /// Remaining work; see [`MAX_WORK`].
    work: usize,
    /// Number of animations that are not sampled yet.
    remaining_animations: usize,
    /// Number of animations that were sampled coarsely or not at all.
    reduced_animations: usize,
}

impl Budget {
    /// The whole budget of a document.
    pub fn new(document: &Document) -> Self {
        Self { work: MAX_WORK, remaining_animations: document.model.animations.len(), reduced_animations: 0 }
    }

    /// Takes a share of the work for the next animation. Returns the number of samples, at most `wanted`. The positions of all nodes fit
    /// into a motion, because [`MotionRequest::new`] leaves out most joints otherwise.
    fn take_samples(&mut self, work_per_sample: usize, nodes: usize, wanted: usize) -> usize {
        let share = self.work / self.remaining_animations.max(1) / work_per_sample.max(1);
        let share = share.min(MAX_POSITIONS / nodes.max(1));
        self.remaining_animations = self.remaining_animations.saturating_sub(1);
        let samples = wanted.min(share);
        self.reduced_animations += usize::from(samples < wanted);
        self.work = self.work.saturating_sub(samples.saturating_mul(work_per_sample));
        samples
    }

    /// Reports that animations were not sampled fully.
    pub fn report(&self, findings: &mut Findings) {
        if self.reduced_animations > 0 {
            let message = format!(
                "The file has more motion than is sampled: {} {} checked coarsely, or by {} keys alone.",
                numbers::counted(self.reduced_animations, "animation"),
                numbers::agreeing(self.reduced_animations, "was", "were"),
                numbers::agreeing(self.reduced_animations, "its", "their")
            );
            findings.add(CheckFinding::new(Rule::CheckIncomplete, message));
        }
    }
}

/// The number of samples that show an animation smoothly, and their rate. One sample if it moves no node.
fn wanted_samples(document: &Document, animation: usize) -> (usize, f64) {
    let data = &document.model.animations[animation];
    let moves = |target: Target| matches!(target, Target::Translation(_) | Target::Rotation(_) | Target::Scale(_));
    if data.duration <= 0.0 || !data.channels.iter().any(|channel| moves(channel.target)) {
        return (1, 0.0);
    }
    let rate = request::smooth_rate(data.duration, document.rates[animation].fps);
    ((data.duration * rate).ceil().min(1e9) as usize + 1, rate)
}

/// Estimates the work of checking a document: that of all sampled poses, plus the numbers of keys and vertices.
pub fn estimate_work(document: &Document) -> usize {
    let model = &document.model;
    let own_count = model.own_animation_count();
    let samples: usize = (0..own_count).map(|animation| wanted_samples(document, animation).0).fold(0, usize::saturating_add);
    let keys = |animation: &Animation| {
        let channel_keys = |channel: &Channel| animation.key_times.get(channel.key_times).map_or(0, Vec::len);
        animation.channels.iter().map(channel_keys).sum::<usize>()
    };
    let keys: usize = model.animations[..own_count].iter().map(keys).sum();
    let vertices: usize = model.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|primitive| primitive.source_vertex_count).sum();
    samples.saturating_mul(pose::estimate_work(model)).min(MAX_WORK).saturating_add(keys).saturating_add(vertices)
}

/// Samples an animation and checks its motion. `None` if `progress` returns false.
pub fn check(
    context: &CheckContext,
    animation: usize,
    budget: &mut Budget,
    findings: &mut Findings,
    progress: &dyn Fn(f32) -> bool,
) -> Option<()> {
    progress(0.0).then_some(())?;
    let model = context.model;
    let data = &model.animations[animation];
    let (wanted, smooth_rate) = wanted_samples(context.document, animation);
    if wanted <= 1 {
        budget.take_samples(0, 0, 0);
        key_gaps::check_weights(context, animation, findings);
        return Some(());
    }
    let view = View { animation: Some(animation), ..View::default() };
    let samples = budget.take_samples(pose::estimate_work(model), model.nodes.len(), wanted);
    if samples < MIN_SAMPLES.min(wanted) {
        key_gaps::check_weights(context, animation, findings);
        return Some(());
    }
    let rate = if samples < wanted { (samples - 1).max(1) as f64 / data.duration } else { smooth_rate };
    let rig = LocomotionRig::new(context.rig(), &view);
    let request = MotionRequest::new(model, &view, &rig.nodes(), rate, Clock::default());
    // Sampling reports no progress, but can be stopped.
    let motion = SampledMotion::sample(context.rig(), &request, RootStatus::None, || progress(0.0))?;
    let locomotion = Locomotion::new(context.rig(), &view, &rig, &motion);
    let stride = (1.0 / (context.fps(animation) * motion.request.step())).round().clamp(1.0, 1e6) as usize;
    let sampled = Sampled { animation, motion, rig, locomotion, view, stride };
    loops::check(context, &sampled, findings);
    feet::check(context, &sampled, findings);
    Some(())
}
