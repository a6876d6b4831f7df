//! Describes how to sample a motion: the nodes, the evenly spaced times, and the layers' clock at those times.

use crate::animation::playback;
use crate::model::Model;
use crate::session::document::Document;
use crate::session::pose;
use crate::session::time::moment::Moment;
use crate::session::view::display::Display;
use crate::session::view::layers::{self, Layer};
use crate::session::view::morph_overrides::Morphs;
use crate::session::view::playback_range::{self, layer_duration, played_duration};
use crate::session::view::{Repeat, View, ViewCamera, joint_switches};

/// Maximum number of positions in a motion, over all nodes. Each takes 24 bytes.
pub const MAX_POSITIONS: usize = 1 << 21;

/// Animations up to this long, in seconds, are sampled at least at [`SMOOTH_RATE`].
const MAX_SMOOTH_DURATION: f64 = 120.0;
/// Samples per second at which curves look smooth.
const SMOOTH_RATE: f64 = 60.0;
/// Maximum sampling rate, in samples per second, whatever frame rate is chosen.
const MAX_RATE: f64 = 1000.0;
/// Tolerance on the last step, as a fraction of a step.
const LAST_STEP_TOLERANCE: f64 = 0.02;
/// Maximum number of steps of a motion. [`MAX_POSITIONS`] limits it further.
const MAX_STEPS: f64 = 1e9;
/// Tolerance on a clock that was summed up frame by frame, in seconds.
const CLOCK_TOLERANCE: f64 = 1e-6;
/// Tolerance on the ratio of two durations, as a fraction.
const RATIO_TOLERANCE: f64 = 1e-9;

/// The nodes of a motion and the times at which they are sampled. Equal requests give equal motions.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionRequest {
    /// The view, with defaults for all settings that the pose does not depend on.
    pub(crate) view: View,
    /// Sorted node indices, in model order.
    pub(crate) nodes: Vec<usize>,
    /// Duration of the motion, in seconds.
    duration: f64,
    /// Seconds between two samples; the last step may be shorter.
    step: f64,
    /// The layers' clock.
    clock: Clock,
}

/// The layers' clock during one pass of the animation. Two clocks are equal if they differ only by rounding.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// The clock in seconds when the animation is at time 0. Over the rest pose, a pass lasts as long as the longest layer, and this is the
    /// clock at the start of the pass.
    pub at_zero: f64,
    /// Clock seconds per second of the animation: 1, or -1 while ping-pong playback returns.
    pub rate: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { at_zero: 0.0, rate: 1.0 }
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        self.rate == other.rate && (self.at_zero - other.at_zero).abs() <= CLOCK_TOLERANCE
    }
}

impl Clock {
    /// The clock of the pass that plays at a moment.
    pub fn from_moment(model: &Model, view: &View, moment: &Moment) -> Self {
        let rate = if moment.returning { -1.0 } else { 1.0 };
        match model.existing_animation(view.animation) {
            Some(_) => Self { at_zero: moment.clock - rate * moment.time, rate },
            None => Self { at_zero: moment.clock - moment.played_time(model, view), rate: 1.0 },
        }
    }

    /// The clock at a time of the animation. Both are in seconds.
    pub fn at(self, time: f64) -> f64 {
        self.at_zero + self.rate * time
    }

    /// The time of the animation at which the clock has this value. Both are in seconds.
    pub fn time(self, clock: f64) -> f64 {
        (clock - self.at_zero) * self.rate
    }

    /// The clock wrapped into a cycle after which all layers restart. Unchanged without a cycle.
    fn wrapped(self, cycle: Option<f64>) -> Self {
        let Some(cycle) = cycle else { return self };
        let at_zero = self.at_zero.rem_euclid(cycle);
        Self { at_zero: if cycle - at_zero < CLOCK_TOLERANCE { 0.0 } else { at_zero }, ..self }
    }
}

impl MotionRequest {
    /// A request for trails and contacts. It samples every frame, and also between the frames of a short animation if they are far apart.
    pub fn from_frames(document: &Document, view: &View, nodes: &[usize], moment: &Moment) -> Self {
        let (model, fps) = (&*document.model, document.rate(view).fps);
        Self::new(model, view, nodes, smooth_rate(played_duration(model, view), fps), Clock::from_moment(model, view, moment))
    }

    /// A request for the whole duration that the view plays, sampled `rate` times per second or as often as [`MAX_POSITIONS`] allows.
    ///
    /// It covers at least `nodes`, and all nodes if they fit, so that a change of the selection needs no new motion.
    pub fn new(model: &Model, view: &View, nodes: &[usize], rate: f64, clock: Clock) -> Self {
        let duration = played_duration(model, view);
        let (nodes, step) = within_limits(model, nodes, duration, rate);
        // Without moving layers the clock has no effect, so it must not make requests differ.
        let clock = if playback_range::layers_move(model, view) { clock.wrapped(cycle(model, view)) } else { Clock::default() };
        Self { view: posing_view(model, view), nodes, duration, step, clock }
    }

    /// A request that also includes the runs of all layers that play once, even if they end later than the animation. It has about `steps`
    /// steps, or as many as [`MAX_POSITIONS`] allows.
    pub fn with_late_layers(model: &Model, view: &View, nodes: &[usize], steps: f64) -> Self {
        let ends = layers::active(&view.layers, model).filter_map(|(_, layer)| Some(playback_range::only_run(model, layer)?[1]));
        let duration = ends.fold(played_duration(model, view), f64::max);
        let (nodes, step) = within_limits(model, nodes, duration, steps / duration.max(1e-3));
        Self { view: posing_view(model, view), nodes, duration, step, clock: Clock::default() }
    }

    /// The number of samples. The first one is at the start, the last one at the end.
    pub fn len(&self) -> usize {
        sample_count(self.duration, self.step)
    }

    /// Returns whether the request has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The time of a sample, in seconds. A sample on a frame shows the key of this frame.
    pub fn time(&self, sample: usize) -> f64 {
        if sample + 1 < self.len() { playback::frame_time(sample as f64 * self.step) } else { self.duration }
    }

    /// The index of the last sample up to a time in seconds, plus the fraction of the step to the next sample.
    pub fn sample_number(&self, time: f64) -> f64 {
        let last = self.len() - 1;
        let position = (time / self.step).max(0.0);
        let before = (position.floor() as usize).min(last);
        let (from, to) = (self.time(before), self.time((before + 1).min(last)));
        before as f64 + if to > from { ((time - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Duration of the motion, in seconds.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Seconds between two samples; the last step may be shorter.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The moment of a sample.
    pub(crate) fn moment(&self, sample: usize) -> Moment {
        let time = self.time(sample);
        // Over the rest pose only the clock advances.
        Moment { clock: self.clock.at(time), is_frame: true, ..Moment::from(if self.view.animation.is_some() { time } else { 0.0 }) }
    }
}

/// The nodes of a motion, and the seconds between two samples. With `rate` samples per second, or as many as [`MAX_POSITIONS`] allows.
fn within_limits(model: &Model, nodes: &[usize], duration: f64, rate: f64) -> (Vec<usize>, f64) {
    let wanted_samples = sample_count(duration, 1.0 / rate);
    let all = model.nodes.len();
    // With all nodes, another selection finds its nodes in the same motion.
    let nodes = if wanted_samples.saturating_mul(all) <= MAX_POSITIONS { (0..all).collect() } else { distinct(nodes, all) };
    let max_samples = (MAX_POSITIONS / nodes.len().max(1)).min(pose::MAX_MOTION_WORK / pose::estimate_work(model).max(1)).max(2);
    let step = if wanted_samples <= max_samples { 1.0 / rate } else { duration / (max_samples - 1) as f64 };
    (nodes, step)
}

/// Samples per second of a motion with this duration and frame rate: one per frame of a long motion; for a short one, the smallest multiple
/// of the frame rate that is not below `SMOOTH_RATE`.
pub fn smooth_rate(duration: f64, fps: f64) -> f64 {
    let per_frame = if duration > MAX_SMOOTH_DURATION { 1.0 } else { (SMOOTH_RATE / fps).ceil().max(1.0) };
    (fps * per_frame).min(MAX_RATE)
}

/// Seconds after which all layers restart together: the duration of the longest layer, if it is a multiple of the durations of all others.
/// `None` if not.
fn cycle(model: &Model, view: &View) -> Option<f64> {
    let moving = || view.layers.iter().filter(|layer| layer.moves(model));
    let longest = moving().map(|layer| layer_duration(model, layer)).fold(0.0, f64::max);
    let divides = |layer: &Layer| {
        let ratio = longest / layer_duration(model, layer);
        layer.repeat != Repeat::Once && (ratio - ratio.round()).abs() <= ratio * RATIO_TOLERANCE
    };
    (longest.is_finite() && longest > CLOCK_TOLERANCE && moving().all(divides)).then_some(longest)
}

/// The number of samples for a duration: one at the start, one every `step`, and one at the end. Because key times are `f32`,
/// rounding may put the end slightly after the last frame; this adds no step.
fn sample_count(duration: f64, step: f64) -> usize {
    let steps = duration / step;
    if steps > 0.0 { (steps - LAST_STEP_TOLERANCE).ceil().clamp(1.0, MAX_STEPS) as usize + 1 } else { 1 }
}

/// The nodes that exist, sorted and without duplicates. `count` is the model's number of nodes.
fn distinct(nodes: &[usize], count: usize) -> Vec<usize> {
    let mut nodes: Vec<_> = nodes.iter().copied().filter(|&node| node < count).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The view, with defaults for all settings that the poses of nodes do not depend on.
fn posing_view(model: &Model, view: &View) -> View {
    View {
        animation: model.existing_animation(view.animation),
        switches: joint_switches::animated_switches(&view.switches),
        range: None,
        repeat: Repeat::default(),
        speed: 1.0,
        rate: None,
        playlist: Vec::new(),
        cross_fade: 0.0,
        morphs: Morphs::new(),
        selection: Vec::new(),
        camera: ViewCamera::default(),
        follow: None,
        display: Display::default(),
        ..view.clone()
    }
}
