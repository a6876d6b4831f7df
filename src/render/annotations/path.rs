//! Draws the model's locomotion as lines on the ground: the path of the root node with an arrow, a dot at its present position, and the
//! footprints of contacts, colored by how far the feet slide.

use std::sync::Arc;

use glam::{DVec2, DVec3, Vec3Swizzles};

use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::ground_grid;
use crate::session::locomotion::Locomotion;
use crate::session::locomotion::foot_contact::Contact;
use crate::session::pose::solve::Posed;
use crate::session::time::moment::Moment;
use crate::session::view::View;

use super::Seen;
use super::line::{Line, Theme, opaque};

/// Width of the path, in points.
const WIDTH: f32 = 2.5;
/// Width of its halo on each side, in points.
const HALO: f32 = 1.0;
/// Diameter of the dot at the present position, in points.
const NOW: f32 = 9.0;
/// Width of a footprint, in points.
const PRINT: f32 = 6.0;
/// Length of the arrow's barbs, in points.
const ARROW: f64 = 14.0;
/// Upper limit of that length, as a fraction of the path.
const ARROW_OF_WAY: f64 = 0.4;
/// Height above the ground, as a fraction of the model's size. It keeps the lines clear of the ground and the grid.
const LIFT: f64 = 0.002;
/// Maximum number of segments of a path.
const MAX_SEGMENTS: usize = 5000;

/// Returns the lines of a gait at a moment. Empty if the view hides them.
pub fn lines(seen: &Seen, gait: &Arc<Locomotion>) -> Vec<Line> {
    let Seen { document, analyses, view, posed, moment, theme, sight } = seen;
    let height = ground_grid::height(&analyses.bounds) + LIFT * gait.size;
    let depth = view.display.path_depth;
    let (start, halo) = (DVec3::ZERO, opaque(theme.halo));
    let shape = Line { start, end: start, width: WIDTH, halo_width: HALO, color: opaque(theme.accent), halo, depth };
    let drawing = Drawing { shape, height, moved: moved(document, view, posed, moment, gait) };
    let mut lines = Vec::new();
    if view.display.path {
        drawing.way(gait, sight, &mut lines);
    }
    if view.display.contacts {
        let contacts = analyses.locomotion.contacts(gait, view);
        drawing.prints(gait, &contacts, theme, &mut lines);
    }
    if let Some(root) = gait.root.as_ref().filter(|_| view.display.path) {
        let now = posed.globals[root.node].translation.with_y(height);
        lines.push(Line { start: now, end: now, width: NOW, halo_width: 1.5, ..shape });
    }
    lines
}

/// Returns how far the path is moved on the ground (x and z, in meters). It moves with a model that is played in place, and not otherwise.
fn moved(document: &Document, view: &View, posed: &Posed, moment: &Moment, gait: &Locomotion) -> DVec2 {
    let Some(root) = gait.root.as_ref().filter(|_| view.in_place) else { return DVec2::ZERO };
    let there = gait.position(moment.played_time(&document.model, view)).unwrap_or(root.start);
    (posed.globals[root.node].translation - there).xz()
}

/// The parts that all lines share.
struct Drawing {
    /// Width, colors and depth of a line.
    shape: Line,
    /// Height of the lines in world space, in meters.
    height: f64,
    /// Offset of all positions on the ground (x and z), in meters.
    moved: DVec2,
}

impl Drawing {
    /// Puts a position onto the ground, moved as the path is.
    fn at(&self, place: DVec3) -> DVec3 {
        DVec3::new(place.x + self.moved.x, self.height, place.z + self.moved.y)
    }

    /// Adds the path and its arrow.
    fn way(&self, gait: &Locomotion, sight: &ScreenProjection, lines: &mut Vec<Line>) {
        // Long paths are thinned out, but keep their last position.
        let every = gait.path.len().div_ceil(MAX_SEGMENTS).max(1);
        let last = gait.path.last().copied();
        let places: Vec<DVec3> = gait.path.iter().step_by(every).copied().chain(last).map(|place| self.at(place)).collect();
        let pieces = places.windows(2).filter(|ends| ends[0] != ends[1]).map(|ends| [ends[0], ends[1]]);
        let pieces: Vec<[DVec3; 2]> = pieces.chain(arrow(&places, sight)).collect();
        // Draw all halos before all lines, so that no halo covers a line.
        let Line { color, halo, .. } = self.shape;
        for (width, color) in [(WIDTH + 2.0 * HALO, halo), (WIDTH, color)] {
            lines.extend(pieces.iter().map(|&[start, end]| Line { start, end, width, halo_width: 0.0, color, ..self.shape }));
        }
    }

    /// Adds the footprints. There are none if the ground moves, because footprints would have to move with it.
    fn prints(&self, gait: &Locomotion, contacts: &[Vec<Contact>], theme: &Theme, lines: &mut Vec<Line>) {
        if gait.ground_velocity != DVec2::ZERO {
            return;
        }
        for contact in contacts.iter().flatten() {
            let color = opaque(theme.contacts[contact.severity(gait.size) as usize]);
            let prints = contact.parts.iter().map(|part| part.footprint.map(|place| self.at(place)));
            lines.extend(prints.map(|[start, end]| Line { start, end, width: PRINT, color, ..self.shape }));
        }
    }
}

/// Returns the barbs of the arrow at the end of the path, on the ground. There are none if the path is only a point.
fn arrow(places: &[DVec3], sight: &ScreenProjection) -> impl Iterator<Item = [DVec3; 2]> + use<> {
    let barbs = places.last().and_then(|&tip| {
        let longest = places.iter().map(|place| place.distance(tip)).fold(0.0, f64::max);
        let length = (ARROW / sight.points_per_metre(tip)?).min(ARROW_OF_WAY * longest);
        let before = places.iter().rev().find(|place| place.distance(tip) >= length)?;
        let back = (before - tip).try_normalize()?;
        let side = DVec3::new(-back.z, 0.0, back.x);
        Some([1.0, -1.0].map(|sign| [tip, tip + (back + side * 0.6 * sign) * length]))
    });
    barbs.into_iter().flatten()
}
