//! Measures motion trails: the positions of their frame marks, their lengths and their speeds.

use glam::{DVec2, DVec3};

use crate::animation::playback;
use crate::camera::bounds::Bounds;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::view::View;

use super::sampled::SampledMotion;
use super::trail;

/// Distance within which the pointer hits a mark, in points.
const MARK_REACH: f64 = 7.0;
/// Minimum distance between marks on the picture at the mean speed, in points.
const MIN_SPACING: f64 = 12.0;
/// Numbers of frames between marks, to be multiplied by a power of ten.
const FRAME_STEPS: [usize; 3] = [1, 2, 5];
/// Maximum number of marks on all trails together.
const MAX_MARKS: f64 = 4000.0;

/// Speeds that differ by less than this fraction count as equal, because keys are `f32`.
const SPEED_TOLERANCE: f64 = 1e-4;

/// A frame mark on a trail: the position of a node at a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrailMark {
    /// Index of the node, in model order.
    pub node: usize,
    /// Time in seconds.
    pub time: f64,
    /// Position in world space.
    pub position: DVec3,
}

/// The frame marks of all trails when the animation is at `time`, in seconds.
pub fn trail_marks(document: &Document, view: &View, motion: &SampledMotion, projection: &ScreenProjection, time: f64) -> Vec<TrailMark> {
    let Some(frames) = frames_between(document, view, motion, projection) else { return Vec::new() };
    let interval = frames as f64 / document.rate(view).fps;
    let segments = trail::segments(&document.model, view, time);
    let mut marks = Vec::new();
    for node in trail::nodes(&document.model, view) {
        for [from, to] in &segments {
            let (first, last) = ((from / interval - 1e-6).ceil() as usize, (to / interval + 1e-6).floor() as usize);
            let times = (first..=last).map(|mark| playback::frame_time(mark as f64 * interval));
            marks.extend(times.filter_map(|time| Some(TrailMark { node, time, position: motion.position(node, time)? })));
        }
    }
    marks
}

/// The mark nearest to the position `point` on the picture, and the distance between them in logical points. `None` if no mark is within
/// reach. If several marks are equally near, the one in front is returned.
pub fn under(marks: &[TrailMark], projection: &ScreenProjection, point: DVec2) -> Option<(TrailMark, f64)> {
    let projected = marks
        .iter()
        .filter_map(|&mark| projection.project(mark.position).map(|projected| (mark, projected.point.distance(point), projected.depth)));
    let nearest =
        projected.filter(|(_, distance, _)| *distance <= MARK_REACH).min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)))?;
    Some((nearest.0, nearest.1))
}

/// The number of frames between two marks, the same for all trails. `None` if the animation has fewer frames.
///
/// It is large enough that the marks of a node that moves at the mean speed can be told apart on the picture. The marks of
/// faster nodes lie further apart.
pub fn frames_between(document: &Document, view: &View, motion: &SampledMotion, projection: &ScreenProjection) -> Option<usize> {
    let nodes = trail::nodes(&document.model, view);
    let (mut samples, mut speeds, mut bounds) = (0, 0.0, Bounds::EMPTY);
    for of_node in nodes.iter().filter_map(|&node| motion.speeds(node)) {
        bounds = bounds.union(&of_node.bounds);
        samples += of_node.all.len();
        speeds += of_node.sum;
    }
    let frame = 1.0 / document.rate(view).fps;
    // Distance between two successive frames on the picture, in points, at the mean speed.
    let spacing = speeds / samples.max(1) as f64 * frame * projection.points_per_meter(bounds.center()).unwrap_or(1.0);
    let min_frames = if spacing > 0.0 { MIN_SPACING / spacing } else { f64::INFINITY };
    let frames = motion.request.duration() / frame;
    let min_frames = min_frames.max(frames * nodes.len() as f64 / MAX_MARKS);
    let units = std::iter::successors(Some(1), |unit| Some(unit * 10)).take_while(|unit| *unit < 1_000_000);
    let every = units.flat_map(|unit| FRAME_STEPS.map(|every| every * unit)).find(|&every| every as f64 >= min_frames);
    every.filter(|&every| every as f64 <= frames + 0.5)
}

/// Length and speed of a node's trail within a segment of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrailStats {
    /// Meters along the trail.
    pub distance: f64,
    /// The largest speed, in meters per second.
    pub top: f64,
    /// The time at which that speed is first reached, in seconds.
    pub top_time: f64,
}

impl TrailStats {
    /// Measures the trail between two times, in seconds. `None` if the motion does not have the node.
    pub fn new(motion: &SampledMotion, node: usize, [from, to]: [f64; 2]) -> Option<Self> {
        let (request, speeds) = (&motion.request, &motion.speeds(node)?.all);
        let numbers = [request.sample_number(from), request.sample_number(to)];
        let [first, last] = [numbers[0].ceil() as usize, numbers[1].floor() as usize];
        // Both ends lie between samples, so the first and the last step are shorter than a full step.
        let (mut position, end) = (motion.position(node, from)?, motion.position(node, to)?);
        let mut distance = 0.0;
        for &next in motion.positions(node)?.get(first..=last).unwrap_or_default().iter().chain([&end]) {
            distance += position.distance(next);
            position = next;
        }
        // The first sample within the tolerance is taken, because equal speeds differ by rounding.
        let [first, last] = numbers.map(|number| number.round() as usize);
        let samples = || (first..=last).filter(|&sample| speeds[sample].is_finite());
        let top = samples().map(|sample| speeds[sample]).fold(0.0, f64::max);
        let at = samples().find(|&sample| speeds[sample] >= top * (1.0 - SPEED_TOLERANCE));
        Some(Self { distance, top, top_time: at.map_or(from, |sample| request.time(sample).clamp(from, to)) })
    }
}

/// The speed of a node at the sample nearest to a time, in meters per second. The trail's color shows the same value there.
pub fn speed(motion: &SampledMotion, node: usize, time: f64) -> Option<f64> {
    let number = motion.request.sample_number(time).round() as usize;
    motion.speeds(node)?.all.get(number).copied()
}
