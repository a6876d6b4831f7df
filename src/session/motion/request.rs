//! What a motion is looked at along: which nodes, at which evenly spaced moments, and what the layers' clock says then.

use crate::model::Model;
use crate::session::document::Document;
use crate::session::time::transport::{self, Moment};
use crate::session::view::layers::{self, Layer};
use crate::session::view::morph_overrides::Morphs;
use crate::session::view::{Display, Repeat, View, ViewCamera, joint_switches};

/// A motion has no more places than these, all nodes together: 24 bytes each.
pub const MOST_PLACES: usize = 1 << 21;

/// Of no more than so many seconds, an animation is looked at so often a second: curves are seen as curves.
const LONG: f64 = 120.0;
const SMOOTH: f64 = 60.0;
/// Of a step, by which the last one may be longer.
const SLACK: f64 = 0.02;
/// More steps than fit whatever they are of.
const MOST_STEPS: f64 = 1e9;
/// However many frames a second a person counts, nothing is looked at more often.
const MOST_OFTEN: f64 = 1000.0;
/// Seconds by which a clock may be off that was counted up frame by frame.
const ROUNDING: f64 = 1e-6;
/// Of a length, by which one may be off that is the same but for rounding.
const SAME: f64 = 1e-9;

/// What is looked at, and when. Equal courses give equal motions.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionRequest {
    /// Without what does not change the pose.
    pub(crate) view: View,
    /// In the model's order.
    pub(crate) nodes: Vec<usize>,
    /// Seconds that it takes.
    duration: f64,
    /// Seconds from one moment to the next; the last one may come sooner.
    step: f64,
    clock: Clock,
}

/// What the layers' clock says during one pass of the animation: it does not jump where the animation loops. Equal but for rounding.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// When the animation, or over the rest pose the longest layer, is at 0.
    pub at_zero: f64,
    /// 1; on the way back -1.
    pub rate: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { at_zero: 0.0, rate: 1.0 }
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        self.rate == other.rate && (self.at_zero - other.at_zero).abs() <= ROUNDING
    }
}

impl Clock {
    /// Of the pass that is playing at a moment.
    pub fn of(model: &Model, view: &View, moment: &Moment) -> Self {
        let rate = if moment.returning { -1.0 } else { 1.0 };
        match chosen(model, view) {
            Some(_) => Self { at_zero: moment.clock - rate * moment.time, rate },
            None => Self { at_zero: moment.clock - time(model, view, moment), rate: 1.0 },
        }
    }

    /// The same to layers that all begin anew after a cycle, if they do.
    fn within(self, cycle: Option<f64>) -> Self {
        let Some(cycle) = cycle else { return self };
        let at_zero = self.at_zero.rem_euclid(cycle);
        Self { at_zero: if cycle - at_zero < ROUNDING { 0.0 } else { at_zero }, ..self }
    }
}

impl MotionRequest {
    /// As trails and contacts look at it: at every frame, and between them where the frames of a short animation are far apart.
    pub fn of_frames(document: &Document, view: &View, nodes: &[usize], moment: &Moment) -> Self {
        let fps = document.rate(view).fps;
        let between = if duration(&document.model, view) > LONG { 1.0 } else { (SMOOTH / fps).ceil().max(1.0) };
        Self::new(&document.model, view, nodes, (fps * between).min(MOST_OFTEN), Clock::of(&document.model, view, moment))
    }

    /// The whole animation of a view, looked at `rate` times a second or as often as memory allows. `nodes`: at least these;
    /// all, where they fit, so that another selection asks for nothing new.
    pub fn new(model: &Model, view: &View, nodes: &[usize], rate: f64, clock: Clock) -> Self {
        let duration = duration(model, view);
        let wished = moments(duration, 1.0 / rate);
        let every = model.nodes.len();
        let nodes = if wished.saturating_mul(every) <= MOST_PLACES { (0..every).collect() } else { distinct(nodes, every) };
        let most = (MOST_PLACES / nodes.len().max(1)).max(2);
        let step = if wished <= most { 1.0 / rate } else { duration / (most - 1) as f64 };
        let clock = if view.layers.iter().any(|layer| layer.moves(model)) { clock.within(cycle(model, view)) } else { Clock::default() };
        Self { view: posing_part(model, view), nodes, duration, step, clock }
    }

    /// How many moments there are: the beginning, and the end.
    pub fn len(&self) -> usize {
        moments(self.duration, self.step)
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Seconds at which the moment of this number is.
    pub fn time(&self, moment: usize) -> f64 {
        if moment + 1 < self.len() { moment as f64 * self.step } else { self.duration }
    }

    /// The moment at a time, as a number with what is past of the way to the next one.
    pub fn number(&self, time: f64) -> f64 {
        let last = self.len() - 1;
        let number = (time / self.step).max(0.0);
        let before = (number.floor() as usize).min(last);
        let (from, to) = (self.time(before), self.time((before + 1).min(last)));
        before as f64 + if to > from { ((time - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 }
    }

    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Between two moments, seconds.
    pub fn step(&self) -> f64 {
        self.step
    }

    pub(crate) fn moment(&self, number: usize) -> Moment {
        let time = self.time(number);
        let clock = self.clock.at_zero + self.clock.rate * time;
        // Over the rest pose only the clock runs.
        Moment { clock, ..Moment::from(if self.view.animation.is_some() { time } else { 0.0 }) }
    }
}

/// Seconds of the animation; over the rest pose, of the longest layer, there and back where it goes back.
pub fn duration(model: &Model, view: &View) -> f64 {
    let layers = || layers::active(&view.layers, model).map(|(_, layer)| length(model, layer)).filter(|length| length.is_finite());
    match chosen(model, view) {
        Some(_) => transport::duration(model, view),
        None => layers().fold(0.0, f64::max),
    }
}

/// Seconds that a layer takes, there and back where it goes back.
fn length(model: &Model, layer: &Layer) -> f64 {
    let [start, end] = layer.range_within(model.animations[layer.animation].duration);
    let ways = if layer.repeat == Repeat::PingPong { 2.0 } else { 1.0 };
    ways * (end - start) / layer.speed.abs()
}

/// Seconds after which all layers begin anew: as many as the longest takes, where the others go into it. None: not so.
fn cycle(model: &Model, view: &View) -> Option<f64> {
    let moving = || view.layers.iter().filter(|layer| layer.moves(model));
    let longest = moving().map(|layer| length(model, layer)).fold(0.0, f64::max);
    let fits = |layer: &Layer| {
        let times = longest / length(model, layer);
        layer.repeat != Repeat::Once && (times - times.round()).abs() <= times * SAME
    };
    (longest.is_finite() && longest > ROUNDING && moving().all(fits)).then_some(longest)
}

/// Where a moment is on its course, seconds: over the rest pose only the layers' clock runs.
pub fn time(model: &Model, view: &View, moment: &Moment) -> f64 {
    let duration = duration(model, view);
    if chosen(model, view).is_some() || duration <= 0.0 { moment.time } else { moment.clock.rem_euclid(duration) }
}

/// The animation that plays; none: the rest pose.
fn chosen(model: &Model, view: &View) -> Option<usize> {
    view.animation.filter(|&animation| animation < model.animations.len())
}

/// How many moments a length has: one at the beginning, one every `step`, and one at the end. What keys are off their frames by,
/// for they are `f32`, is no step.
fn moments(duration: f64, step: f64) -> usize {
    let steps = duration / step;
    if steps > 0.0 { (steps - SLACK).ceil().clamp(1.0, MOST_STEPS) as usize + 1 } else { 1 }
}

fn distinct(nodes: &[usize], every: usize) -> Vec<usize> {
    let mut nodes: Vec<_> = nodes.iter().copied().filter(|&node| node < every).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The view without what a pose does not depend on; what is not named here counts.
fn posing_part(model: &Model, view: &View) -> View {
    View {
        animation: chosen(model, view),
        switches: joint_switches::holding(&view.switches),
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
