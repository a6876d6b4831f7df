//! Draws the model's locomotion as lines on the ground: the path of the root node with an arrow, a dot at its present position, and
//! the footprints of contacts, colored by how far the feet slide.

use std::sync::Arc;

use glam::{DVec2, DVec3, Vec3Swizzles};

use crate::colors::Colors;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::ground_grid;
use crate::session::locomotion::Locomotion;
use crate::session::locomotion::foot_contact::Contact;
use crate::session::pose::solve::Posed;
use crate::session::time::moment::Moment;
use crate::session::view::View;

use super::PosedView;
use super::line::{Line, PATH_HALO, PATH_WIDTH, opaque};

/// Width of a footprint, in points.
const FOOTPRINT_WIDTH: f32 = 6.0;
/// Length of the arrow's barbs along the path, in points.
const ARROW_LENGTH: f64 = 14.0;
/// Upper limit of the length of the barbs, as a fraction of the greatest distance between the end of the path and any point of it.
const MAX_ARROW_SHARE: f64 = 0.4;
/// Height of the lines above the ground, as a fraction of the model's size.
const HEIGHT_SHARE: f64 = 0.002;
/// Maximum number of segments of a path.
const MAX_SEGMENTS: usize = 5000;

/// Returns the lines of the locomotion at the moment of the pose. Empty if the view hides them.
pub fn lines(posed_view: &PosedView, locomotion: &Arc<Locomotion>) -> Vec<Line> {
    let PosedView { document, analyses, view, posed, moment, theme, projection } = posed_view;
    let height = ground_grid::height(&analyses.bounds) + HEIGHT_SHARE * locomotion.size;
    let depth = view.display.path_depth;
    let (start, halo) = (DVec3::ZERO, opaque(theme.halo));
    let shape = Line { start, end: start, width: PATH_WIDTH, halo_width: PATH_HALO, color: opaque(theme.accent), halo, depth };
    let drawing = Drawing { shape, height, offset: in_place_offset(document, view, posed, moment, locomotion) };
    let mut lines = Vec::new();
    if view.display.ground_path {
        drawing.add_path(locomotion, projection, &mut lines);
    }
    if view.display.contacts {
        let contacts = analyses.locomotion.contacts(locomotion, view);
        drawing.add_footprints(locomotion, &contacts, theme, &mut lines);
    }
    if let Some(root) = locomotion.root.as_ref().filter(|_| view.display.ground_path) {
        lines.push(shape.present_dot(posed.globals[root.node].translation.with_y(height)));
    }
    lines
}

/// Returns the offset, x and z in meters, that keeps the path under the model while the animation is played in place.
fn in_place_offset(document: &Document, view: &View, posed: &Posed, moment: &Moment, locomotion: &Locomotion) -> DVec2 {
    let Some(root) = locomotion.root.as_ref().filter(|_| view.in_place) else { return DVec2::ZERO };
    let root_position = locomotion.position(moment.played_time(&document.model, view)).unwrap_or(root.start);
    (posed.globals[root.node].translation - root_position).xz()
}

/// The values that all lines share.
struct Drawing {
    /// Width, colors and depth of a line.
    shape: Line,
    /// Height of the lines in world space, in meters.
    height: f64,
    /// Offset of all lines, x and z in meters.
    offset: DVec2,
}

impl Drawing {
    /// Projects a position to the ground, where it is drawn.
    fn on_ground(&self, position: DVec3) -> DVec3 {
        DVec3::new(position.x + self.offset.x, self.height, position.z + self.offset.y)
    }

    /// Adds the path and its arrow.
    fn add_path(&self, locomotion: &Locomotion, projection: &ScreenProjection, lines: &mut Vec<Line>) {
        let step = locomotion.path.len().div_ceil(MAX_SEGMENTS).max(1);
        let last = locomotion.path.last().copied();
        let points: Vec<DVec3> = locomotion.path.iter().step_by(step).copied().chain(last).map(|point| self.on_ground(point)).collect();
        let segments = points.windows(2).filter(|ends| ends[0] != ends[1]).map(|ends| [ends[0], ends[1]]);
        let segments = segments.chain(arrow(&points, projection));
        let path: Vec<_> = segments.map(|[start, end]| Line { start, end, halo_width: 0.0, ..self.shape }).collect();
        lines.extend(path.iter().map(Line::path_halo));
        lines.extend(path);
    }

    /// Adds the footprints, unless the ground moves, because footprints would have to move along with it.
    fn add_footprints(&self, locomotion: &Locomotion, contacts: &[Vec<Contact>], theme: &Colors, lines: &mut Vec<Line>) {
        if locomotion.ground_velocity != DVec2::ZERO {
            return;
        }
        for contact in contacts.iter().flatten() {
            let color = opaque(theme.contacts[contact.severity(locomotion.size) as usize]);
            let prints = contact.parts.iter().map(|part| part.footprint.map(|point| self.on_ground(point)));
            lines.extend(prints.map(|[start, end]| Line { start, end, width: FOOTPRINT_WIDTH, color, ..self.shape }));
        }
    }
}

/// Returns the two barbs of the arrow at the end of the path. Empty if the path is too short for an arrow.
fn arrow(points: &[DVec3], projection: &ScreenProjection) -> impl Iterator<Item = [DVec3; 2]> + use<> {
    let barbs = points.last().and_then(|&tip| {
        let max_distance = points.iter().map(|point| point.distance(tip)).fold(0.0, f64::max);
        let length = (ARROW_LENGTH / projection.points_per_meter(tip)?).min(MAX_ARROW_SHARE * max_distance);
        let before = points.iter().rev().find(|point| point.distance(tip) >= length)?;
        let back = (before - tip).try_normalize()?;
        let side = DVec3::new(-back.z, 0.0, back.x);
        Some([1.0, -1.0].map(|sign| [tip, tip + (back + side * 0.6 * sign) * length]))
    });
    barbs.into_iter().flatten()
}
