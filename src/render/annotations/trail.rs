//! Draws motion trails as lines: the path of each selected node colored by speed, with dots at regular times and a larger dot at the node's
//! present position.

use glam::DVec3;

use crate::session::motion::sampled::SampledMotion;
use crate::session::motion::trail;
use crate::session::motion::trail_measures::{self, TrailMark};

use super::Seen;
use super::line::{Line, Theme, opaque};

/// Width of a trail, in points.
const WIDTH: f32 = 2.5;
/// Width of a halo on each side, in points.
const HALO: f32 = 1.0;
/// Diameter of a dot, in points.
const DOT: f32 = 5.0;
/// Diameter of the dot at the present position, in points.
const NOW: f32 = 9.0;
/// Maximum number of segments of all trails together.
const MAX_SEGMENTS: usize = 20_000;

/// Returns the trails of the selected nodes. Dots are thinned out until they can be told apart in the picture.
pub fn lines(seen: &Seen, motion: &SampledMotion) -> Vec<Line> {
    let Seen { document, view, posed, moment, theme, sight, .. } = seen;
    let model = &document.model;
    let nodes = trail::nodes(model, view);
    let time = moment.played_time(model, view);
    let stretches = trail::segments(model, view, time);
    let drawing = Drawing {
        motion,
        theme,
        top: trail::top_speed(motion, &nodes),
        shape: Line {
            start: DVec3::ZERO,
            end: DVec3::ZERO,
            width: WIDTH,
            halo_width: 0.0,
            color: opaque(theme.halo),
            halo: opaque(theme.halo),
            depth: view.display.trail.depth,
        },
    };
    let mut ways = Vec::new();
    let most = MAX_SEGMENTS / (nodes.len() * stretches.len()).max(1);
    for &node in &nodes {
        for stretch in &stretches {
            drawing.way(node, *stretch, most, &mut ways);
        }
    }
    let dots: Vec<_> = trail_measures::trail_marks(document, view, motion, sight, time).iter().map(|dot| drawing.dot(dot)).collect();
    // Draw all halos before all lines, so that no halo covers a line.
    let dark = |lines: &[Line]| lines.iter().map(|line| drawing.around(line)).collect::<Vec<_>>();
    let now = nodes.iter().map(|&node| posed.globals[node].translation);
    let now = now.map(|at| Line { start: at, end: at, width: NOW, halo_width: 1.5, color: opaque(theme.accent), ..drawing.shape });
    [dark(&ways), ways, dark(&dots), dots, now.collect()].concat()
}

/// The parts that all trails share.
struct Drawing<'a> {
    motion: &'a SampledMotion,
    theme: &'a Theme,
    /// Greatest speed of all trails, in meters per second.
    top: f64,
    /// Width, halo and depth of a line.
    shape: Line,
}

impl Drawing<'_> {
    /// Adds the path of a node in a time range (seconds), in at most `most` segments.
    fn way(&self, node: usize, [from, to]: [f64; 2], most: usize, lines: &mut Vec<Line>) {
        let course = &self.motion.request;
        let (first, last) = (course.number(from).floor() as usize + 1, course.number(to).ceil() as usize);
        let every = last.saturating_sub(first).div_ceil(most.max(1)).max(1);
        // Segments end at samples of the motion, apart from the ends of the range.
        let inner = (first..last).step_by(every).map(|moment| course.time(moment));
        let mut before = from;
        for time in inner.chain([to]) {
            let ends = self.motion.position(node, before).zip(self.motion.position(node, time));
            if let Some((start, end)) = ends.filter(|(start, end)| start != end) {
                lines.push(Line { start, end, color: self.color(node, (before + time) / 2.0), ..self.shape });
            }
            before = time;
        }
    }

    /// Returns the dot of a mark, in the color that the trail has there.
    fn dot(&self, dot: &TrailMark) -> Line {
        Line { start: dot.place, end: dot.place, width: DOT, color: self.color(dot.node, dot.time), ..self.shape }
    }

    /// Returns the halo of a line, as a wider line.
    fn around(&self, line: &Line) -> Line {
        Line { width: line.width + 2.0 * HALO, color: opaque(self.theme.halo), ..*line }
    }

    /// Returns the trail's color at a time in seconds, by the node's speed.
    fn color(&self, node: usize, time: f64) -> [u8; 4] {
        let speed = trail_measures::speed(self.motion, node, time).unwrap_or_default();
        opaque(trail::speed_color(&self.theme.speeds, if self.top > 0.0 { speed / self.top } else { 0.0 }))
    }
}
