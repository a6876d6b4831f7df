//! Draws motion trails as lines: the path of each selected node colored by speed, with dots at regular times and a larger dot at the node's
//! present position.

use glam::DVec3;

use crate::colors::Colors;
use crate::session::motion::sampled::SampledMotion;
use crate::session::motion::trail;
use crate::session::motion::trail_measures::{self, TrailMark};

use super::PosedView;
use super::line::{Line, PATH_WIDTH, opaque};

/// Diameter of a dot, in points.
const DOT_WIDTH: f32 = 5.0;
/// Maximum number of segments of all trails together.
const MAX_SEGMENTS: usize = 20_000;

/// Returns the trails of the selected nodes. Dots that would be too close together in the picture are left out.
pub fn lines(posed_view: &PosedView, motion: &SampledMotion) -> Vec<Line> {
    let PosedView { document, view, posed, moment, theme, projection, .. } = posed_view;
    let model = &document.model;
    let nodes = trail::nodes(model, view);
    let time = moment.played_time(model, view);
    let segments = trail::segments(model, view, time);
    let drawing = Drawing {
        motion,
        theme,
        top_speed: trail::top_speed(motion, &nodes),
        shape: Line {
            start: DVec3::ZERO,
            end: DVec3::ZERO,
            width: PATH_WIDTH,
            halo_width: 0.0,
            color: opaque(theme.halo),
            halo: opaque(theme.halo),
            depth: view.display.trail.depth,
        },
    };
    let mut paths = Vec::new();
    let max_segments = MAX_SEGMENTS / (nodes.len() * segments.len()).max(1);
    for &node in &nodes {
        for segment in &segments {
            drawing.add_path(node, *segment, max_segments, &mut paths);
        }
    }
    let dots: Vec<_> = trail_measures::trail_marks(document, view, motion, projection, time).iter().map(|dot| drawing.dot(dot)).collect();
    let halos = |lines: &[Line]| lines.iter().map(Line::path_halo).collect::<Vec<_>>();
    let shape = Line { color: opaque(theme.accent), ..drawing.shape };
    let now = nodes.iter().map(|&node| shape.present_dot(posed.globals[node].translation));
    [halos(&paths), paths, halos(&dots), dots, now.collect()].concat()
}

/// The values that all trails share.
struct Drawing<'a> {
    motion: &'a SampledMotion,
    theme: &'a Colors,
    /// Greatest speed of all trails, in meters per second.
    top_speed: f64,
    /// Width, colors and depth of a line.
    shape: Line,
}

impl Drawing<'_> {
    /// Adds the path of a node in a time range, in seconds, with at most `max_segments` segments.
    fn add_path(&self, node: usize, [from, to]: [f64; 2], max_segments: usize, lines: &mut Vec<Line>) {
        let request = &self.motion.request;
        let (first, last) = (request.sample_number(from).floor() as usize + 1, request.sample_number(to).ceil() as usize);
        let step = last.saturating_sub(first).div_ceil(max_segments.max(1)).max(1);
        // Segments start and end at samples of the motion, except at the two ends of the range.
        let inner = (first..last).step_by(step).map(|sample| request.time(sample));
        let mut previous = from;
        for time in inner.chain([to]) {
            let ends = self.motion.position(node, previous).zip(self.motion.position(node, time));
            if let Some((start, end)) = ends.filter(|(start, end)| start != end) {
                lines.push(Line { start, end, color: self.color(node, (previous + time) / 2.0), ..self.shape });
            }
            previous = time;
        }
    }

    /// Returns the dot of a mark, in the color of the trail at that time.
    fn dot(&self, dot: &TrailMark) -> Line {
        Line { start: dot.position, end: dot.position, width: DOT_WIDTH, color: self.color(dot.node, dot.time), ..self.shape }
    }

    /// Returns the trail's color at a time in seconds, by the node's speed.
    fn color(&self, node: usize, time: f64) -> [u8; 4] {
        let speed = trail_measures::speed(self.motion, node, time).unwrap_or_default();
        opaque(trail::speed_color(&self.theme.speeds, if self.top_speed > 0.0 { speed / self.top_speed } else { 0.0 }))
    }
}
