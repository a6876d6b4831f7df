//! Detects foot contacts: when a foot stands on the ground, and how far it slides during that time.
//!
//! A point stands while it is low and slow relative to the model's size, as in Bindiganavale and Badler (1998) and Lee et al. (2002).
//! A standing foot that moves along the ground is what Kovar, Schreiner and Gleicher (2002) call footskate. It is measured as the distance
//! that the supporting joint ([`Contact::node`]) moves along the ground. The feet of a model that walks on the spot are measured
//! against the ground that would move under them ([`ground_velocity`]).
//!
//! A foot that moves fast between two contacts without leaving the ground slides, so both are one contact.

use std::ops::Range;

use glam::{DVec2, DVec3, Vec3Swizzles};

/// Maximum height of a standing point above its floor at sensitivity 0.5, as a fraction of the model's size.
const CONTACT_HEIGHT: f64 = 0.03;
/// Maximum speed of a standing point at sensitivity 0.5, in model sizes per second.
const CONTACT_SPEED: f64 = 0.2;
/// Factor by which height and speed limits grow from sensitivity 0.5 to 1, and shrink from 0.5 to 0.
const SENSITIVITY_FACTOR: f64 = 5.0;
/// Maximum difference between the speeds of a standing foot and of moving ground, as a fraction of the ground's speed.
const GROUND_SPEED_TOLERANCE: f64 = 0.6;
/// Maximum number of velocities that are candidates for the ground velocity.
const MAX_VELOCITIES: usize = 400;
/// The floor of a point is this quantile of its heights, so that a single deep step does not define the floor.
const FLOOR_QUANTILE: f64 = 0.1;
/// Maximum slide that is invisible, as a fraction of the model's size.
pub const MAX_INVISIBLE_SLIDE: f64 = 0.005;
/// Height above its floor at which a fast foot no longer stands, as a fraction of an invisible slide. It lifts or comes down there.
const LIFT_SHARE: f64 = 0.2;
/// Maximum slide that counts as slight, as a fraction of the model's size. Longer slides are severe.
pub const MAX_SLIGHT_SLIDE: f64 = 0.02;
/// Minimum standing time of a possible supporting joint, as a fraction of the longest standing time.
const MIN_SUPPORT_TIME: f64 = 0.75;
/// Minimum duration of contacts and of interruptions, in seconds. Shorter ones are dropped.
const MIN_DURATION: f64 = 0.06;

/// Limits within which a point counts as standing on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLimits {
    /// Maximum height above the point's floor, in meters.
    pub height: f64,
    /// Maximum speed along the ground, in meters per second.
    pub speed: f64,
    /// Maximum slide that is invisible, in meters.
    pub invisible_slide: f64,
}

impl ContactLimits {
    /// The limits at the usual sensitivity for a model of `size` meters.
    pub fn usual(size: f64) -> Self {
        Self::new(size, 0.5)
    }

    /// The limits for a model of `size` meters. `sensitivity` ranges from 0 (fewest contacts) to 1 (most).
    pub fn new(size: f64, sensitivity: f64) -> Self {
        let factor = SENSITIVITY_FACTOR.powf(2.0 * sensitivity.clamp(0.0, 1.0) - 1.0);
        Self { height: CONTACT_HEIGHT * size * factor, speed: CONTACT_SPEED * size * factor, invisible_slide: MAX_INVISIBLE_SLIDE * size }
    }
}

/// A joint of a foot and its path in a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct FootPoint {
    /// Index of the node, in model order.
    pub node: usize,
    /// One position per sample, in world space.
    pub path: Vec<DVec3>,
    /// Height at which the point usually stands, in meters.
    pub floor: f64,
}

impl FootPoint {
    /// A point with this path; see [`FootPoint`].
    pub fn new(node: usize, path: Vec<DVec3>) -> Self {
        let floor = quantile(path.iter().map(|place| place.y).collect(), FLOOR_QUANTILE);
        Self { node, path, floor }
    }
}

/// A time during which a foot stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// The sample ranges: one, or two across the seam of a loop. If there are two, the one at the end of the animation comes first.
    pub parts: Vec<ContactSpan>,
    /// The supporting joint: among those that stand longest, the one that slides least, and of several such joints the lowest.
    pub node: usize,
    /// Distance that the joint moves along the ground, in meters.
    pub slide: f64,
}

/// A contiguous range of samples within a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSpan {
    /// First sample.
    pub first: usize,
    /// Last sample, included.
    pub last: usize,
    /// Positions at which the supporting joint comes to stand and lifts again, in world space.
    pub footprint: [DVec3; 2],
}

/// How visible the slide of a contact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slide {
    /// The slide is up to [`MAX_INVISIBLE_SLIDE`].
    None,
    /// The slide is up to [`MAX_SLIGHT_SLIDE`].
    Slight,
    /// The slide is longer.
    Severe,
}

impl Contact {
    /// The visibility of the slide. `size` is the size of the model, in meters.
    pub fn severity(&self, size: f64) -> Slide {
        match self.slide / size {
            ratio if ratio <= MAX_INVISIBLE_SLIDE => Slide::None,
            ratio if ratio <= MAX_SLIGHT_SLIDE => Slide::Slight,
            _ => Slide::Severe,
        }
    }

    /// Duration of the contact in seconds. `times` has the times of all samples.
    pub fn seconds(&self, times: &[f64]) -> f64 {
        self.parts.iter().map(|part| times[part.last] - times[part.first]).sum()
    }
}

/// The number below which this fraction of the numbers lies. 0 if there are none.
fn quantile(mut numbers: Vec<f64>, fraction: f64) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get((fraction * numbers.len() as f64) as usize).copied().unwrap_or(0.0)
}

/// The velocity of the ground under a model that walks on the spot, in meters per second on x and z.
///
/// It is the velocity that most low points share, or zero if at least as many points stand still. `points` has the points of all feet.
pub fn ground_velocity<'a>(points: impl Iterator<Item = &'a FootPoint>, times: &[f64], limits: ContactLimits) -> DVec2 {
    // While feet on moving ground are low, they have the velocity of the ground.
    let low = points.flat_map(|point| {
        steps(&point.path, times).filter(move |step| step.highest <= point.floor + limits.height).map(|step| step.velocity)
    });
    let all: Vec<DVec2> = low.filter(|velocity| velocity.is_finite()).collect();
    let velocities: Vec<DVec2> = all.iter().step_by(all.len().div_ceil(MAX_VELOCITIES).max(1)).copied().collect();
    let matching =
        |ground: DVec2| velocities.iter().filter(move |velocity| velocity.distance(ground) <= max_contact_speed(ground, limits) / 2.0);
    // If two candidates match equally many velocities, the one with the smaller sum of distances to them wins.
    let score = |ground: DVec2| matching(ground).fold((0, 0.0), |(count, sum), velocity| (count + 1, sum - velocity.distance(ground)));
    let compare = |a: &(usize, f64), b: &(usize, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
    let candidates = velocities.iter().filter(|ground| ground.length() > limits.speed / 2.0).map(|&ground| (ground, score(ground)));
    match candidates.max_by(|(_, a), (_, b)| compare(a, b)) {
        // Velocities at which feet lift and come down are among the matching ones. They hardly change the median.
        Some((ground, (count, _))) if count > score(DVec2::ZERO).0 => {
            let median = |axis: fn(&DVec2) -> f64| quantile(matching(ground).map(axis).collect(), 0.5);
            DVec2::new(median(|velocity| velocity.x), median(|velocity| velocity.y))
        }
        _ => DVec2::ZERO,
    }
}

/// The maximum difference between the velocities of the ground and of a standing point, in meters per second.
fn max_contact_speed(ground: DVec2, limits: ContactLimits) -> f64 {
    limits.speed.max(GROUND_SPEED_TOLERANCE * ground.length())
}

/// The contacts of a foot. A foot stands while any of its `points` does.
///
/// `times` has the times of all samples, in seconds. `ground` is the ground's velocity, in meters per second. `loops` tells whether
/// contacts at the end continue at the start.
pub fn contacts(points: &[FootPoint], times: &[f64], ground: DVec2, limits: ContactLimits, loops: bool) -> Vec<Contact> {
    let max_speed = max_contact_speed(ground, limits);
    let slides = |point: &FootPoint| -> Vec<StepMovement> {
        let step_movement = |step: PathStep| {
            let sliding_speed = (step.velocity - ground).length();
            let is_standing = step.highest <= point.floor + limits.height && sliding_speed <= max_speed;
            let is_at_floor = step.highest <= point.floor + limits.invisible_slide;
            StepMovement {
                distance: sliding_speed * step.seconds,
                is_standing,
                is_firm: is_standing
                    && (sliding_speed <= limits.speed || step.highest <= point.floor + LIFT_SHARE * limits.invisible_slide),
                is_at_floor,
            }
        };
        steps(&point.path, times).map(step_movement).collect()
    };
    let slides: Vec<Vec<StepMovement>> = points.iter().map(slides).collect();
    let standing_steps: Vec<bool> = (1..times.len()).map(|step| slides.iter().any(|slides| slides[step - 1].is_standing)).collect();
    let foot = FootSteps { points, slides, standing_steps, limits };
    let candidates = foot.spans(times, loops).into_iter().filter_map(|spans| foot.contact(&spans));
    candidates.filter(|contact| contact.seconds(times) >= MIN_DURATION).collect()
}

/// The movement of a point relative to the ground in one step.
struct StepMovement {
    /// Distance along the ground, in meters.
    distance: f64,
    /// Whether the point stands during the step.
    is_standing: bool,
    /// Whether the point certainly stands. On fast ground, points also count as standing in the steps in which they lift or come down.
    /// There they leave their floor, or do not reach it yet, and are faster than the usual limit. These steps do not count as a slide.
    is_firm: bool,
    /// Whether the point does not visibly leave its floor.
    is_at_floor: bool,
}

/// A point that may be the supporting joint of a contact.
struct SupportingPoint {
    /// Position in the list of the foot's points.
    point: usize,
    /// Number of steps in which it stands.
    standing_steps: usize,
    /// Distance that it moves along the ground, in meters.
    slide: f64,
}

/// The points of a foot, and the steps in which each of them stands.
struct FootSteps<'a> {
    /// The joints of the foot.
    points: &'a [FootPoint],
    /// Movement by point, then by step.
    slides: Vec<Vec<StepMovement>>,
    /// Whether any point stands, per step.
    standing_steps: Vec<bool>,
    /// Limits within which a point stands.
    limits: ContactLimits,
}

impl FootSteps<'_> {
    /// The step ranges of every contact: one range, or two across the seam of a loop.
    fn spans(&self, times: &[f64], loops: bool) -> Vec<Vec<Range<usize>>> {
        let steps = self.standing_steps.len();
        let mut runs: Vec<Range<usize>> = Vec::new();
        // Short interruptions are closed, and so are those in which the foot only slides too fast.
        for step in (0..steps).filter(|&step| self.standing_steps[step]) {
            match runs.last_mut().filter(|run| times[step] - times[run.end] < MIN_DURATION || self.stays_at_floor(run.end..step)) {
                Some(run) => run.end = step + 1,
                None => runs.push(step..step + 1),
            }
        }
        // Such interruptions at the seam are closed, too.
        let goes_on = |first: &Range<usize>, last: &Range<usize>| {
            times[first.start] - times[0] + times[steps] - times[last.end] < MIN_DURATION
                || self.stays_at_floor((last.end..steps).chain(0..first.start))
        };
        let beginning = match &mut runs[..] {
            // The last run extends to the end, and the first one to the start.
            [first, .., last] if loops && goes_on(first, last) => {
                (first.start, last.end) = (0, steps);
                Some(runs.remove(0))
            }
            _ => None,
        };
        let mut spans: Vec<Vec<Range<usize>>> = runs.into_iter().map(|run| vec![run]).collect();
        spans.last_mut().into_iter().for_each(|last| last.extend(beginning.clone()));
        spans
    }

    /// Returns whether all points of the foot stay at their floors in these steps.
    fn stays_at_floor(&self, mut steps: impl Iterator<Item = usize>) -> bool {
        steps.all(|step| self.slides.iter().all(|slides| slides[step].is_at_floor))
    }

    /// The contact over these step ranges. `None` if no point of the foot stands firmly.
    fn contact(&self, spans: &[Range<usize>]) -> Option<Contact> {
        let steps: Vec<usize> = spans.iter().cloned().flatten().collect();
        let of_point = |(point, slides): (usize, &Vec<StepMovement>)| {
            let is_firm = |step: &usize| slides[*step].is_firm;
            let (first, last) = (steps.iter().position(is_firm)?, steps.iter().rposition(is_firm)?);
            // The slide includes steps of interruptions.
            let sliding = steps[first..=last].iter().filter(|step| slides[**step].is_standing || !self.standing_steps[**step]);
            let standing_steps = steps.iter().filter(|step| slides[**step].is_standing).count();
            Some(SupportingPoint { point, standing_steps, slide: sliding.map(|&step| slides[step].distance).sum() })
        };
        let all: Vec<SupportingPoint> = self.slides.iter().enumerate().filter_map(of_point).collect();
        // First choose the joints that stand about as long as the one that stands longest. Of these, those that slide about as little as
        // the one that slides least are candidates. The lowest candidate supports the foot.
        let longest = all.iter().map(|point| point.standing_steps).max()? as f64;
        let standing_longest = || all.iter().filter(|point| point.standing_steps as f64 >= MIN_SUPPORT_TIME * longest);
        let least = standing_longest().map(|point| point.slide).fold(f64::INFINITY, f64::min);
        let least_sliding = standing_longest().filter(|point| point.slide <= least + self.limits.invisible_slide);
        let &SupportingPoint { point, slide, .. } =
            least_sliding.min_by(|a, b| self.points[a.point].floor.total_cmp(&self.points[b.point].floor))?;
        let parts = spans.iter().map(|span| self.span(point, span)).collect();
        Some(Contact { parts, node: self.points[point].node, slide })
    }

    /// The span of a contact over one step range, with the footprint of the supporting point.
    fn span(&self, point: usize, span: &Range<usize>) -> ContactSpan {
        let is_standing = |step: &usize| self.slides[point][*step].is_standing;
        let (from, to) =
            (span.clone().find(is_standing).unwrap_or(span.start), span.clone().rfind(is_standing).map_or(span.end, |step| step + 1));
        let path = &self.points[point].path;
        ContactSpan { first: span.start, last: span.end, footprint: [path[from], path[to]] }
    }
}

/// The movement of a point from one sample to the next.
struct PathStep {
    /// Duration in seconds.
    seconds: f64,
    /// The higher of the heights at both samples, in meters.
    highest: f64,
    /// Velocity along the ground (x and z), in meters per second.
    velocity: DVec2,
}

/// The steps of a path, one fewer than its positions.
fn steps(path: &[DVec3], times: &[f64]) -> impl Iterator<Item = PathStep> {
    path.windows(2).zip(times.windows(2)).map(|(places, times)| {
        let seconds = times[1] - times[0];
        let velocity = if seconds > 0.0 { (places[1] - places[0]).xz() / seconds } else { DVec2::ZERO };
        PathStep { seconds, highest: places[0].y.max(places[1].y), velocity }
    })
}
