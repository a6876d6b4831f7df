//! Foot contacts: when a foot stands, and how far it slides meanwhile. A point stands while it is low and slow, both against the
//! model's size, as Bindiganavale and Badler (1998) and Lee et al. (2002) tell contacts; that a standing foot moves along the
//! ground is what Kovar, Schreiner and Gleicher (2002) call footskate. Where the model walks on the spot, its feet are measured
//! against the ground that would run under them ([`drift`]).

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
const UNSEEN: f64 = 0.005;
const SLIGHT: f64 = 0.02;
/// Seconds. Nothing stands for less, and what lifts for less stands on.
const BRIEF: f64 = 0.06;

/// What counts as standing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Metres above the floor of a point.
    pub height: f64,
    /// Metres a second along the ground.
    pub speed: f64,
}

impl Limits {
    /// `sensitivity`: 0 finds the fewest contacts, 1 the most.
    pub fn new(size: f64, sensitivity: f64) -> Self {
        let times = RANGE.powf(2.0 * sensitivity.clamp(0.0, 1.0) - 1.0);
        Self { height: HEIGHT * size * times, speed: SPEED * size * times }
    }
}

/// From one moment to another a foot stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Numbers of moments.
    pub first: usize,
    pub last: usize,
    /// Metres along the ground, all the way.
    pub slide: f64,
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
    pub fn slide(&self, size: f64) -> Slide {
        match self.slide / size {
            share if share <= UNSEEN => Slide::Unseen,
            share if share <= SLIGHT => Slide::Slight,
            _ => Slide::Plain,
        }
    }
}

/// The height near which a point stands.
pub fn floor(path: &[DVec3]) -> f64 {
    let mut heights: Vec<f64> = path.iter().map(|place| place.y).collect();
    heights.sort_unstable_by(f64::total_cmp);
    heights.get((FLOOR * heights.len() as f64) as usize).copied().unwrap_or(0.0)
}

/// How fast the ground would run under a model that walks on the spot, metres a second: what most of what is low does, if that is
/// more than stand still. `points`: of all feet.
pub fn drift(points: &[&[DVec3]], times: &[f64], limits: Limits) -> DVec2 {
    let low = points.iter().flat_map(|path| {
        let floor = floor(path);
        steps(path, times).filter(move |step| step.highest <= floor + limits.height).map(|step| step.velocity)
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

/// When a foot stands. `points`: paths of its joints, of which one that stands is enough; it slides as far as the one that
/// slides least. `drift`: of the ground.
pub fn contacts(points: &[&[DVec3]], times: &[f64], drift: DVec2, limits: Limits) -> Vec<Contact> {
    let speed = speed(drift, limits);
    // By step: how far what stands slides in it, and the least that any point does.
    let mut standing = vec![None::<f64>; times.len().saturating_sub(1)];
    let mut least = vec![f64::INFINITY; standing.len()];
    for path in points {
        let floor = floor(path);
        for (number, step) in steps(path, times).enumerate() {
            let along = (step.velocity - drift).length();
            let slide = along * step.seconds;
            least[number] = least[number].min(slide);
            if step.highest <= floor + limits.height && along <= speed {
                standing[number] = Some(standing[number].map_or(slide, |other| other.min(slide)));
            }
        }
    }
    let mut found: Vec<Contact> = Vec::new();
    for (number, slide) in standing.iter().enumerate().filter_map(|(number, slide)| Some((number, (*slide)?))) {
        match found.last_mut().filter(|contact| times[number] - times[contact.last] < BRIEF) {
            Some(contact) => {
                contact.slide += least[contact.last..number].iter().sum::<f64>() + slide;
                contact.last = number + 1;
            }
            None => found.push(Contact { first: number, last: number + 1, slide }),
        }
    }
    found.retain(|contact| times[contact.last] - times[contact.first] >= BRIEF);
    found
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
