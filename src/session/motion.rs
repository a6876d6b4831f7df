//! Where nodes are at evenly spaced moments of an animation, in f64 and in world space: what trails, paths, speeds and contacts
//! are worked out from. Every moment is posed by [`posing::pose`], so that a point of it is where the node is drawn then.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::animation::prepared::Prepared;
use crate::model::Model;

use super::document::Document;
use super::layer;
use super::morphs::Morphs;
use super::posing::{self, Posed};
use super::switches::{NodeSwitches, Switch};
use super::transport::{self, Moment};
use super::view::{Display, Repeat, View, ViewCamera};

/// A motion has no more places than these, all nodes together: 24 bytes each.
pub const MOST_PLACES: usize = 1 << 21;

/// Of no more than so many seconds, an animation is looked at so often a second: curves are seen as curves.
const LONG: f64 = 120.0;
const SMOOTH: f64 = 60.0;
/// Of a step, by which the last one may be longer.
const SLACK: f64 = 0.02;
/// More steps than fit whatever they are of.
const MOST_STEPS: f64 = 1e9;
/// Seconds by which a clock may be off that was counted up frame by frame.
const ROUNDING: f64 = 1e-6;

/// What is looked at, and when. Equal courses give equal motions.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Without what does not change the pose.
    view: View,
    /// In the model's order.
    nodes: Vec<usize>,
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
}

impl Course {
    /// As trails and contacts look at it: at every frame, and between them where the frames of a short animation are far apart.
    pub fn of_frames(document: &Document, view: &View, nodes: &[usize], moment: &Moment) -> Self {
        let fps = document.rate(view).fps;
        let between = if duration(&document.model, view) > LONG { 1.0 } else { (SMOOTH / fps).ceil().max(1.0) };
        Self::new(&document.model, view, nodes, fps * between, Clock::of(&document.model, view, moment))
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
        let layers_move = view.layers.iter().any(|layer| layer.moves(model));
        Self { view: posing_part(model, view), nodes, duration, step, clock: if layers_move { clock } else { Clock::default() } }
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

    fn moment(&self, number: usize) -> Moment {
        let time = self.time(number);
        let clock = self.clock.at_zero + self.clock.rate * time;
        // Over the rest pose only the clock runs.
        Moment { clock, ..Moment::from(if self.view.animation.is_some() { time } else { 0.0 }) }
    }
}

/// The places of some nodes along a course.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    pub course: Course,
    /// Of the first node at every moment, then of the second...
    places: Vec<DVec3>,
    /// By node, as far as somebody asked.
    speeds: Vec<OnceLock<Speeds>>,
}

/// How fast a node is, metres a second.
#[derive(Debug, Clone, PartialEq)]
pub struct Speeds {
    /// At each moment.
    pub all: Vec<f64>,
    pub top: f64,
}

impl Motion {
    /// Poses the model at every moment; none: it was not to go on.
    pub fn sample(model: &Model, prepared: &Arc<Prepared>, course: &Course, go_on: impl Fn() -> bool) -> Option<Self> {
        let mut posed = Posed::with(model, prepared.clone());
        let count = course.len();
        let mut places = vec![DVec3::ZERO; count * course.nodes.len()];
        for number in 0..count {
            if !go_on() {
                return None;
            }
            posing::pose(model, &course.view, course.moment(number), &mut posed);
            for (row, &node) in course.nodes.iter().enumerate() {
                places[row * count + number] = posed.globals[node].translation;
            }
        }
        Some(Self { course: course.clone(), places, speeds: vec![OnceLock::new(); course.nodes.len()] })
    }

    /// Where a node is at each moment; none: it was not asked for.
    pub fn of(&self, node: usize) -> Option<&[DVec3]> {
        self.places.chunks_exact(self.course.len()).nth(self.row(node)?)
    }

    /// How fast a node is; none: it was not asked for.
    pub fn speeds(&self, node: usize) -> Option<&Speeds> {
        let speeds = self.speeds.get(self.row(node)?)?;
        Some(speeds.get_or_init(|| {
            let all = speeds_of(self.of(node).unwrap_or_default(), |moment| self.course.time(moment));
            Speeds { top: all.iter().copied().filter(|speed| speed.is_finite()).fold(0.0, f64::max), all }
        }))
    }

    /// Where a node is at a time, between two moments on the straight line.
    pub fn place(&self, node: usize, time: f64) -> Option<DVec3> {
        let places = self.of(node)?;
        let number = self.course.number(time);
        let before = (number.floor() as usize).min(places.len().checked_sub(1)?);
        let after = (before + 1).min(places.len() - 1);
        Some(places[before].lerp(places[after], number - number.floor()))
    }

    fn row(&self, node: usize) -> Option<usize> {
        self.course.nodes.binary_search(&node).ok()
    }

    /// Places in it, of all nodes together.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// How fast something is at each of its places, metres a second: the mean of the way there and the way on, at the ends of the one
/// way there is. `time`: when it is at the place of a number.
pub fn speeds_of(places: &[DVec3], time: impl Fn(usize) -> f64) -> Vec<f64> {
    let last = places.len().saturating_sub(1);
    let speed = |i: usize| {
        let (from, to) = (i.saturating_sub(1), (i + 1).min(last));
        let length: f64 = (from..to).map(|i| places[i].distance(places[i + 1])).sum();
        let elapsed = time(to) - time(from);
        if elapsed > 0.0 { length / elapsed } else { 0.0 }
    };
    (0..places.len()).map(speed).collect()
}

/// Seconds of the animation; over the rest pose, of the longest layer, there and back where it goes back.
pub fn duration(model: &Model, view: &View) -> f64 {
    let length = |layer: &layer::Layer| {
        let [start, end] = layer.range_within(model.animations[layer.animation].duration);
        let ways = if layer.repeat == Repeat::PingPong { 2.0 } else { 1.0 };
        ways * (end - start) / layer.speed.abs()
    };
    let layers = || layer::active(&view.layers, model).map(|(_, layer)| length(layer)).filter(|length| length.is_finite());
    match chosen(model, view) {
        Some(_) => transport::duration(model, view),
        None => layers().fold(0.0, f64::max),
    }
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
        switches: posing_switches(&view.switches),
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

/// What holds nodes still; the others say what is drawn and how.
fn posing_switches(switches: &BTreeMap<usize, NodeSwitches>) -> BTreeMap<usize, NodeSwitches> {
    let held = switches.iter().filter(|(_, node)| node.animated != Switch::default());
    held.map(|(&source, node)| (source, NodeSwitches { animated: node.animated, ..NodeSwitches::default() })).collect()
}
