//! The dots of the trails: at which frames they stand and where, and which of them lies under a point.

use glam::{DVec2, DVec3};

use crate::camera::Bounds;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::view::View;

use super::sampled::SampledMotion;
use super::trail;

/// A dot is meant within so many points.
const REACH: f64 = 7.0;
/// Points from one dot to the next, at least, at the mean speed of what has a trail.
const APART: f64 = 12.0;
/// Frames from one dot to the next are one of these, times a power of ten.
const EVERY: [usize; 3] = [1, 2, 5];
/// All trails together have no more dots.
const MOST_DOTS: f64 = 4000.0;

/// Where a node is at a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrailMark {
    pub node: usize,
    /// Seconds.
    pub time: f64,
    pub place: DVec3,
}

/// All dots of the trails when the animation is at `time`.
pub fn dots(document: &Document, view: &View, motion: &SampledMotion, sight: &ScreenProjection, time: f64) -> Vec<TrailMark> {
    let Some(every) = frames_between(document, view, motion, sight) else { return Vec::new() };
    let between = every as f64 / document.rate(view).fps;
    let stretches = trail::stretches(&document.model, view, time);
    let mut dots = Vec::new();
    for node in trail::nodes(&document.model, view) {
        for [from, to] in &stretches {
            let (first, last) = ((from / between - 1e-6).ceil() as usize, (to / between + 1e-6).floor() as usize);
            let times = (first..=last).map(|dot| dot as f64 * between);
            dots.extend(times.filter_map(|time| Some(TrailMark { node, time, place: motion.place(node, time)? })));
        }
    }
    dots
}

/// The dot nearest to a point of the picture, within reach of it, and how many points away it is; of those on top of each other
/// the one in front.
pub fn under(dots: &[TrailMark], sight: &ScreenProjection, point: DVec2) -> Option<(TrailMark, f64)> {
    let seen = dots.iter().filter_map(|&dot| sight.project(dot.place).map(|seen| (dot, seen.point.distance(point), seen.depth)));
    let found = seen.filter(|(_, away, _)| *away <= REACH).min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)))?;
    Some((found.0, found.1))
}

/// Frames from one dot of the trails to the next: so many that they can be told apart on the picture, and the same for all, so
/// that what is faster has them further apart. None: more than the animation has.
pub fn frames_between(document: &Document, view: &View, motion: &SampledMotion, sight: &ScreenProjection) -> Option<usize> {
    let nodes = trail::nodes(&document.model, view);
    let (mut moments, mut speeds, mut bounds) = (0, 0.0, Bounds::EMPTY);
    for of_node in nodes.iter().filter_map(|&node| motion.speeds(node)) {
        bounds = bounds.union(&of_node.bounds);
        moments += of_node.all.len();
        speeds += of_node.sum;
    }
    let frame = 1.0 / document.rate(view).fps;
    let apart = speeds / moments.max(1) as f64 * frame * sight.points_per_metre(bounds.center()).unwrap_or(1.0);
    let wanted = if apart > 0.0 { APART / apart } else { f64::INFINITY };
    let frames = motion.course.duration() / frame;
    let wanted = wanted.max(frames * nodes.len() as f64 / MOST_DOTS);
    let units = std::iter::successors(Some(1), |unit| Some(unit * 10)).take_while(|unit| *unit < 1_000_000);
    let every = units.flat_map(|unit| EVERY.map(|every| every * unit)).find(|&every| every as f64 >= wanted);
    every.filter(|&every| every as f64 <= frames + 0.5)
}
