//! The names of joints beside them, as many as fit without covering each other.

use egui::{Color32, FontId, Painter, Pos2, Rect, pos2, vec2};

use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::pick;
use crate::session::posing::Posed;
use crate::session::sight::Sight;
use crate::session::view::View;

use super::theme::Palette;

/// From a joint to its name.
const GAP: f32 = 7.0;
/// A name of more letters is cut in the middle.
const LONGEST: usize = 28;

/// Paints the names into a picture whose top left corner is at `origin`. Needs no panels: a context with the window's fonts is
/// enough, so that a saved picture shows the same.
pub fn paint(painter: &Painter, palette: &Palette, origin: Pos2, document: &Document, view: &View, posed: &Posed, sight: &Sight) {
    let picture = Rect::from_min_size(origin, vec2(sight.size.x as f32, sight.size.y as f32));
    let place = |order: usize, node: NodeIndex, at: glam::DVec2| {
        let selected = view.selection.iter().position(|source| *source == document.model.node(node).source);
        Candidate { node, at: origin + vec2(at.x as f32, at.y as f32), selected, depth: document.depths[node.index()], order }
    };
    let seen = pick::joints_seen(document, view, posed, sight);
    let mut candidates: Vec<_> = seen.enumerate().map(|(order, (node, at, _))| place(order, node, at)).collect();
    candidates.retain(|candidate| picture.contains(candidate.at));
    // The order does not depend on the pose, so that names do not flicker while it moves: the selected (the active one first),
    // then from the root down.
    candidates.sort_by_key(|c| (c.selected.map_or(usize::MAX, |place| usize::MAX - 1 - place), c.depth, c.order));
    let font = FontId::proportional(11.0);
    let mut taken: Vec<Rect> = Vec::new();
    for candidate in candidates {
        let name = shortened(&document.model.node(candidate.node).label());
        let galley = painter.layout_no_wrap(name, font.clone(), Color32::PLACEHOLDER);
        // Right of the joint, or left of it where the picture ends.
        let right = Rect::from_min_size(candidate.at + vec2(GAP, -galley.size().y / 2.0), galley.size());
        let left = right.translate(vec2(-2.0 * GAP - galley.size().x, 0.0));
        let free = |rect: &Rect| picture.contains_rect(*rect) && !taken.iter().any(|other| other.expand(1.0).intersects(*rect));
        let Some(rect) = [right, left].into_iter().find(free) else { continue };
        taken.push(rect);
        let color = if candidate.selected.is_some() { palette.accent } else { palette.joint };
        with_halo(painter, rect.min, &galley, color, palette.field);
    }
}

struct Candidate {
    node: NodeIndex,
    at: Pos2,
    /// Its place in the selection.
    selected: Option<usize>,
    depth: u32,
    order: usize,
}

/// Text that can be read over anything: with an outline of the opposite brightness.
fn with_halo(painter: &Painter, at: Pos2, galley: &std::sync::Arc<egui::Galley>, color: Color32, halo: Color32) {
    for (x, y) in [(-1.0, -1.0), (0.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (0.0, 1.0), (1.0, 1.0)] {
        painter.galley_with_override_text_color(pos2(at.x + x, at.y + y), galley.clone(), halo);
    }
    painter.galley_with_override_text_color(at, galley.clone(), color);
}

fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= LONGEST {
        return name.to_owned();
    }
    let kept = LONGEST / 2;
    name.chars().take(kept).chain(['\u{2026}']).chain(name.chars().skip(count - kept)).collect()
}
