//! Paints the names of all joints, or of the selected ones, beside the joints: as many as fit without overlap.

use std::collections::HashMap;

use egui::{Color32, FontId, Painter, Pos2, Rect, Vec2, pos2, vec2};

use crate::colors::Colors;
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::names::NameStyle;
use crate::session::pick;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::session::view::display::JointNames;

use super::color;

/// Gap between a joint and its name, in points.
const GAP: f32 = 7.0;
/// Minimum distance between two names on the same line, in points. With less, they would read as one name.
const NAME_GAP: f32 = 4.0;
/// Minimum distance between a selected joint and a name, in points.
const JOINT_MARGIN: f32 = 5.0;
/// Approximate height of a name, in points.
const NAME_HEIGHT: f32 = 16.0;
/// Maximum number of characters of a name. Longer names are shortened.
const MAX_NAME_CHARS: usize = 28;

/// The input of [`paint`]: the model, the view, the pose and the projection.
pub struct JointLabels<'a> {
    pub document: &'a Document,
    pub view: &'a View,
    pub posed: &'a Posed,
    pub projection: &'a ScreenProjection,
    /// The joint under the mouse pointer.
    pub hovered: Option<NodeIndex>,
    pub style: NameStyle,
    /// A rectangle that names must not cover, in the coordinates of the painter.
    pub kept_free: Option<Rect>,
}

/// Paints the names into a picture whose top left corner is at `origin`. This needs only a context with the window's fonts, so
/// screenshots show the same names as the window.
pub fn paint(painter: &Painter, colors: &Colors, origin: Pos2, names: &JointLabels) {
    let (projection, model) = (names.projection, &names.document.model);
    let picture = Rect::from_min_size(origin, vec2(projection.size.x as f32, projection.size.y as f32));
    let selected: HashMap<usize, usize> = names.view.selection.iter().enumerate().map(|(rank, source)| (*source, rank)).collect();
    let all = names.view.display.names == JointNames::All;
    if !all && selected.is_empty() {
        return;
    }
    let make_candidate = |order: usize, node: NodeIndex, at: glam::DVec2| {
        let selected = selected.get(&model.node(node).source).copied();
        let (at, depth) = (origin + vec2(at.x as f32, at.y as f32), names.document.depths[node.index()]);
        Candidate { node, at, selected, hovered: names.hovered == Some(node), depth, order }
    };
    let joints = pick::named_joints(names.document, names.view, names.posed, projection);
    let mut candidates: Vec<_> = joints.enumerate().map(|(order, (node, at, _))| make_candidate(order, node, at)).collect();
    candidates.retain(|candidate| picture.contains(candidate.at) && (all || candidate.selected.is_some()));
    // The order does not depend on the pose, so that names do not flicker during playback: selected joints (the active one first), the
    // hovered joint, then the other joints from the root down.
    candidates.sort_by_key(|c| (c.selected.map_or(usize::MAX, |rank| usize::MAX - 1 - rank), !c.hovered, c.depth, c.order));
    let mut taken = TakenRects::new(picture);
    names.kept_free.into_iter().for_each(|rect| taken.take(rect));
    // Names must not cover the selected joints themselves.
    for candidate in candidates.iter().filter(|candidate| candidate.selected.is_some()) {
        taken.take(Rect::from_center_size(candidate.at, Vec2::splat(2.0 * JOINT_MARGIN)));
    }
    let font = FontId::proportional(11.0);
    for candidate in candidates {
        // Where joints are crowded, this test skips most of them before their names are laid out.
        if !SIDES.iter().any(|side| taken.may_begin(candidate.at, *side)) {
            continue;
        }
        let name = names.document.names.fit_node(candidate.node, names.style, &|name| name.chars().count() <= MAX_NAME_CHARS);
        let galley = painter.layout_no_wrap(name, font.clone(), Color32::PLACEHOLDER);
        let Some(rect) = taken.reserve(candidate.at, galley.size()) else { continue };
        let letters = match (candidate.selected, candidate.hovered) {
            (Some(_), _) => colors.accent,
            (None, true) => colors.text,
            (None, false) => colors.joint,
        };
        with_halo(painter, rect.min, &galley, color(letters), color(colors.halo));
    }
}

/// The sides of a joint where its name may be painted: right, or left if there is no room on the right.
const SIDES: [f32; 2] = [1.0, -1.0];

/// The rectangles that are taken already, grouped by rows of the picture to reduce the number of comparisons.
pub struct TakenRects {
    picture: Rect,
    rows: Vec<Vec<Rect>>,
}

impl TakenRects {
    /// A picture in which all space is free.
    pub fn new(picture: Rect) -> Self {
        let rows = (picture.height() / NAME_HEIGHT).ceil().clamp(0.0, 4096.0) as usize + 1;
        Self { picture, rows: vec![Vec::new(); rows] }
    }

    /// Takes a free rectangle for a name of `size` points beside `joint`, inside the picture. Returns `None` if both sides are taken or
    /// outside.
    pub fn reserve(&mut self, joint: Pos2, size: Vec2) -> Option<Rect> {
        let beside = |side: f32| Rect::from_center_size(joint + vec2(side * (GAP + size.x / 2.0), 0.0), size);
        let rect = SIDES.into_iter().map(beside).find(|rect| self.picture.contains_rect(*rect) && self.is_free(*rect))?;
        // `is_free` adds the remaining point.
        self.take(rect.expand2(vec2(NAME_GAP - 1.0, 0.0)));
        Some(rect)
    }

    /// Marks a rectangle as taken.
    pub fn take(&mut self, rect: Rect) {
        for row in self.rows_of(rect) {
            self.rows[row].push(rect);
        }
    }

    /// Returns whether a name on this side of a joint would begin in free space.
    fn may_begin(&self, joint: Pos2, side: f32) -> bool {
        self.is_free(Rect::from_center_size(joint + vec2(side * (GAP + 1.0), 0.0), Vec2::splat(1.0)))
    }

    /// Returns whether a rectangle, with a margin of one point, overlaps no taken rectangle.
    fn is_free(&self, rect: Rect) -> bool {
        let rect = rect.expand(1.0);
        self.rows_of(rect).all(|row| self.rows[row].iter().all(|other| !other.intersects(rect)))
    }

    /// The rows of the picture that a rectangle touches.
    fn rows_of(&self, rect: Rect) -> impl Iterator<Item = usize> + use<> {
        let row = |y: f32| (((y - self.picture.top()) / NAME_HEIGHT).max(0.0) as usize).min(self.rows.len() - 1);
        row(rect.top())..=row(rect.bottom())
    }
}

/// A joint whose name may be painted.
struct Candidate {
    node: NodeIndex,
    /// Position of the joint in the picture, in points.
    at: Pos2,
    /// Position in the selection.
    selected: Option<usize>,
    hovered: bool,
    /// Depth in the tree, and position among the joints.
    depth: u32,
    order: usize,
}

/// Paints text with an outline of contrasting brightness, so that it is readable over any background.
fn with_halo(painter: &Painter, at: Pos2, galley: &std::sync::Arc<egui::Galley>, color: Color32, halo: Color32) {
    for (x, y) in [(-1.0, -1.0), (0.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (0.0, 1.0), (1.0, 1.0)] {
        painter.galley_with_override_text_color(pos2(at.x + x, at.y + y), galley.clone(), halo);
    }
    painter.galley_with_override_text_color(at, galley.clone(), color);
}
