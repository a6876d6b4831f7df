//! Foot contacts: when a foot stands, and how far it slides meanwhile. A point stands while it is low and slow, both against the
//! model's size, as Bindiganavale and Badler (1998) and Lee et al. (2002) tell contacts; that a standing foot moves along the
//! ground is what Kovar, Schreiner and Gleicher (2002) call footskate. What is measured is the way along the ground of one joint,
//! that which bears the foot ([`Contact::node`]), while it stands. Where the model walks on the spot, its feet are measured against
//! the ground that would run under them ([`drift`]).

use std::ops::Range;

use glam::{DVec2, DVec3, Vec3Swizzles};

/// In the middle of the slider, of the model's size: how high above its lowest a point may stand, and how fast it may be (in a
/// second).
const HEIGHT: f64 = 0.03;
const SPEED: f64 = 0.2;
/// From the middle of the slider to its end.
const RANGE: f64 = 5.0;
/// Over ground that runs a foot may be this much faster or slower, of the ground's own speed.
const SPEED_OF_DRIFT: f64 = 0.6;
/// The ground's speed is found among so many.
const MOST_VELOCITIES: usize = 400;
/// Of all heights that a point has, this share is below its floor: one deep step is not where it usually stands.
const FLOOR: f64 = 0.1;
/// A slide is not seen up to so much of the model's size, and is plain from so much on.
pub const UNSEEN: f64 = 0.005;
pub const SLIGHT: f64 = 0.02;
/// What stands for so much of the longest time may bear the foot.
const LONG: f64 = 0.75;
/// Seconds. Nothing stands for less, and what lifts for less stands on.
const BRIEF: f64 = 0.06;

/// What counts as standing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Metres above the floor of a point.
    pub height: f64,
    /// Metres a second along the ground.
    pub speed: f64,
    /// Metres that nobody sees.
    pub unseen: f64,
}

impl Limits {
    /// `sensitivity`: 0 finds the fewest contacts, 1 the most.
    pub fn new(size: f64, sensitivity: f64) -> Self {
        let times = RANGE.powf(2.0 * sensitivity.clamp(0.0, 1.0) - 1.0);
        Self { height: HEIGHT * size * times, speed: SPEED * size * times, unseen: UNSEEN * size }
    }
}

/// A joint of a foot along a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub node: usize,
    pub path: Vec<DVec3>,
    /// The height near which it stands.
    pub floor: f64,
}

impl Point {
    pub fn new(node: usize, path: Vec<DVec3>) -> Self {
        Self { node, floor: floor(&path), path }
    }
}

/// A foot stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// One; over the seam of a loop two, the one that ends with the animation first.
    pub parts: Vec<Part>,
    /// The joint that bears: of those that stand the longest the one that slides the least, and of several the lowest.
    pub node: usize,
    /// Metres that it moves along the ground, all the way.
    pub slide: f64,
}

/// From one moment to another, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    pub first: usize,
    pub last: usize,
    /// Where that which bears comes to stand, and where it lifts.
    pub print: [DVec3; 2],
}

/// How a slide looks to who watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slide {
    Unseen,
    Slight,
    Plain,
}

impl Contact {
    /// `size`: of the model.
    pub fn severity(&self, size: f64) -> Slide {
        match self.slide / size {
            share if share <= UNSEEN => Slide::Unseen,
            share if share <= SLIGHT => Slide::Slight,
            _ => Slide::Plain,
        }
    }

    /// How long it lasts. `times`: of all moments.
    pub fn seconds(&self, times: &[f64]) -> f64 {
        self.parts.iter().map(|part| times[part.last] - times[part.first]).sum()
    }
}

/// The height near which a point stands.
fn floor(path: &[DVec3]) -> f64 {
    let mut heights: Vec<f64> = path.iter().map(|place| place.y).collect();
    heights.sort_unstable_by(f64::total_cmp);
    heights.get((FLOOR * heights.len() as f64) as usize).copied().unwrap_or(0.0)
}

/// How fast the ground would run under a model that walks on the spot, metres a second: what most of what is low does, if that is
/// more than stand still. `points`: of all feet.
pub fn drift<'a>(points: impl Iterator<Item = &'a Point>, times: &[f64], limits: Limits) -> DVec2 {
    let low = points.flat_map(|point| {
        steps(&point.path, times).filter(move |step| step.highest <= point.floor + limits.height).map(|step| step.velocity)
    });
    let all: Vec<DVec2> = low.filter(|velocity| velocity.is_finite()).collect();
    let velocities: Vec<DVec2> = all.iter().step_by(all.len().div_ceil(MOST_VELOCITIES).max(1)).copied().collect();
    let keeping = |drift: DVec2| velocities.iter().filter(move |velocity| velocity.distance(drift) <= speed(drift, limits) / 2.0);
    // Of several drifts that as many keep to, the one that they keep to best.
    let kept = |drift: DVec2| keeping(drift).fold((0, 0.0), |(count, sum), velocity| (count + 1, sum - velocity.distance(drift)));
    let less = |a: &(usize, f64), b: &(usize, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
    let running = velocities.iter().filter(|drift| drift.length() > limits.speed / 2.0).map(|&drift| (drift, kept(drift)));
    match running.max_by(|(_, a), (_, b)| less(a, b)) {
        Some((drift, (count, _))) if count > kept(DVec2::ZERO).0 => keeping(drift).sum::<DVec2>() / count as f64,
        _ => DVec2::ZERO,
    }
}

/// How much faster or slower than the ground something may be that stands.
fn speed(drift: DVec2, limits: Limits) -> f64 {
    limits.speed.max(SPEED_OF_DRIFT * drift.length())
}

/// When a foot stands. `points`: its joints, of which one that stands is enough. `drift`: of the ground. `loops`: the end is where
/// the beginning is, so that what stands there goes on.
pub fn contacts(points: &[Point], times: &[f64], drift: DVec2, limits: Limits, loops: bool) -> Vec<Contact> {
    let speed = speed(drift, limits);
    let slides = |point: &Point| -> Vec<Slides> {
        let of_step = |step: Step| {
            let along = (step.velocity - drift).length();
            Slides { way: along * step.seconds, stands: step.highest <= point.floor + limits.height && along <= speed }
        };
        steps(&point.path, times).map(of_step).collect()
    };
    let slides: Vec<Vec<Slides>> = points.iter().map(slides).collect();
    let stands: Vec<bool> = (1..times.len()).map(|step| slides.iter().any(|slides| slides[step - 1].stands)).collect();
    let foot = Foot { points, slides, stands, limits };
    let found = foot.spans(times, loops).into_iter().filter_map(|spans| foot.contact(&spans));
    found.filter(|contact| contact.seconds(times) >= BRIEF).collect()
}

/// What a point does in a step.
struct Slides {
    /// Metres along the ground.
    way: f64,
    stands: bool,
}

struct Foot<'a> {
    points: &'a [Point],
    /// By point and step.
    slides: Vec<Vec<Slides>>,
    /// By step: whether any point does.
    stands: Vec<bool>,
    limits: Limits,
}

impl Foot<'_> {
    /// The steps of every contact: one run of them, or over the seam two.
    fn spans(&self, times: &[f64], loops: bool) -> Vec<Vec<Range<usize>>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for step in (0..self.stands.len()).filter(|&step| self.stands[step]) {
            match runs.last_mut().filter(|run| times[step] - times[run.end] < BRIEF) {
                Some(run) => run.end = step + 1,
                None => runs.push(step..step + 1),
            }
        }
        let beginning = match &mut runs[..] {
            // Over the seam, too, what lifts for less than is seen stands on: up to the end, and from the beginning.
            [first, .., last] if loops && times[first.start] - times[0] + times[self.stands.len()] - times[last.end] < BRIEF => {
                (first.start, last.end) = (0, self.stands.len());
                Some(runs.remove(0))
            }
            _ => None,
        };
        let mut spans: Vec<Vec<Range<usize>>> = runs.into_iter().map(|run| vec![run]).collect();
        spans.last_mut().into_iter().for_each(|last| last.extend(beginning.clone()));
        spans
    }

    fn contact(&self, spans: &[Range<usize>]) -> Option<Contact> {
        // Of each point: for how many steps it stands, and how far it slides in them. What lifts for less than is seen slides on.
        let of_point = |slides: &Vec<Slides>| {
            let steps = || spans.iter().cloned().flatten();
            let way = steps().filter(|&step| slides[step].stands || !self.stands[step]).map(|step| slides[step].way).sum();
            (steps().filter(|&step| slides[step].stands).count(), way)
        };
        let all: Vec<(usize, f64)> = self.slides.iter().map(of_point).collect();
        let longest = all.iter().map(|(count, _)| *count).max()? as f64;
        let long = || (0..all.len()).filter(|&point| all[point].0 as f64 >= LONG * longest);
        let least = long().map(|point| all[point].1).fold(f64::INFINITY, f64::min);
        let still = long().filter(|&point| all[point].1 <= least + self.limits.unseen);
        let point = still.min_by(|&a, &b| self.points[a].floor.total_cmp(&self.points[b].floor))?;
        let parts = spans.iter().map(|span| self.part(point, span)).collect();
        Some(Contact { parts, node: self.points[point].node, slide: all[point].1 })
    }

    fn part(&self, point: usize, span: &Range<usize>) -> Part {
        let stands = |step: &usize| self.slides[point][*step].stands;
        let (from, to) = (span.clone().find(stands).unwrap_or(span.start), span.clone().rfind(stands).map_or(span.end, |step| step + 1));
        let path = &self.points[point].path;
        Part { first: span.start, last: span.end, print: [path[from], path[to]] }
    }
}

/// What a point does from one moment to the next.
struct Step {
    seconds: f64,
    highest: f64,
    /// Along the ground.
    velocity: DVec2,
}

fn steps(path: &[DVec3], times: &[f64]) -> impl Iterator<Item = Step> {
    path.windows(2).zip(times.windows(2)).map(|(places, times)| {
        let seconds = times[1] - times[0];
        let velocity = if seconds > 0.0 { (places[1] - places[0]).xz() / seconds } else { DVec2::ZERO };
        Step { seconds, highest: places[0].y.max(places[1].y), velocity }
    })
}
