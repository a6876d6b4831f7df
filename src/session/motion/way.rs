//! A trail in numbers: how long the way of a node is, how fast the node is, and when it is the fastest. Read off the motion that
//! the trail is drawn from.

use super::sampled::SampledMotion;

/// Speeds that differ by less, as a share, are the same but for rounding: keys are `f32`.
const SAME: f64 = 1e-4;

/// Of a node in a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrailStats {
    /// Metres.
    pub length: f64,
    /// The greatest speed, metres a second.
    pub top: f64,
    /// When it is first that fast.
    pub top_time: f64,
}

impl TrailStats {
    /// None: the motion does not have the node.
    pub fn new(motion: &SampledMotion, node: usize, [from, to]: [f64; 2]) -> Option<Self> {
        let (course, speeds) = (&motion.course, &motion.speeds(node)?.all);
        let numbers = [course.number(from), course.number(to)];
        let [first, last] = [numbers[0].ceil() as usize, numbers[1].floor() as usize];
        let (mut place, end) = (motion.place(node, from)?, motion.place(node, to)?);
        let mut length = 0.0;
        for &next in motion.of(node)?.get(first..=last).unwrap_or_default().iter().chain([&end]) {
            length += place.distance(next);
            place = next;
        }
        let [first, last] = numbers.map(|number| number.round() as usize);
        let moments = || (first..=last).filter(|&moment| speeds[moment].is_finite());
        let top = moments().map(|moment| speeds[moment]).fold(0.0, f64::max);
        let at = moments().find(|&moment| speeds[moment] >= top * (1.0 - SAME));
        Some(Self { length, top, top_time: at.map_or(from, |moment| course.time(moment).clamp(from, to)) })
    }
}

/// How fast a node is at a time, metres a second: at the nearest moment, whose colour the trail has there.
pub fn speed(motion: &SampledMotion, node: usize, time: f64) -> Option<f64> {
    let number = motion.course.number(time).round() as usize;
    motion.speeds(node)?.all.get(number).copied()
}
