//! The legend that explains the colors of ghosts.

use egui::{Align2, FontId, Painter, Rect, vec2};
use glam::DVec2;

use crate::captions::color;
use crate::colors::{Colors, Rgb};
use crate::numbers;
use crate::session::document::Document;
use crate::session::pose::onion_skin::{self, GhostKind, STEPS};
use crate::session::time::moment::Moment;
use crate::session::view::View;

use super::frame;

/// Side of the square with the color of a kind of ghosts, in points.
const SWATCH: f32 = 8.0;
/// Gap between two kinds, in points.
const GAP: f32 = 12.0;

/// The contents of the legend of ghosts.
#[derive(Debug, Clone)]
pub struct Legend {
    pub kinds: Vec<GhostKind>,
    /// "every frame" or "every 4 frames". `None` if no ghost shows another time.
    pub steps: Option<String>,
}

impl Legend {
    /// Makes the legend. `None` if there are no ghosts or the picture is too small.
    pub fn new(document: &Document, view: &View, moment: &Moment, size: DVec2) -> Option<Self> {
        if !frame::fits(size) {
            return None;
        }
        let ghosts = onion_skin::moments(&document.model, view, moment, document.rate(view).fps);
        let has = |kind: &GhostKind| ghosts.iter().any(|ghost| ghost.kind() == *kind);
        let kinds: Vec<_> = [GhostKind::Before, GhostKind::After, GhostKind::Rest, GhostKind::Bind].into_iter().filter(has).collect();
        let of_times = kinds.iter().any(|kind| matches!(kind, GhostKind::Before | GhostKind::After));
        let steps = of_times.then(|| every(view.display.ghosts.step.clamp(STEPS[0], STEPS[1])));
        (!kinds.is_empty()).then_some(Self { kinds, steps })
    }
}

/// "every frame" or "every 4 frames".
fn every(frames: u32) -> String {
    if frames <= 1 { "every frame".to_owned() } else { format!("every {}", numbers::counted(frames as usize, "frame")) }
}

/// The name of a kind of ghosts.
pub fn name(kind: GhostKind) -> &'static str {
    match kind {
        GhostKind::Before => "Before",
        GhostKind::After => "After",
        GhostKind::Rest => "Rest pose",
        GhostKind::Bind => "Bind pose",
    }
}

/// Paints the legend into the lower left corner of a picture and returns its rectangle.
pub fn paint(painter: &Painter, colors: &Colors, picture: Rect, legend: &Legend) -> Rect {
    let lay_out = |text: &str, rgb: Rgb| painter.layout_no_wrap(text.to_owned(), FontId::proportional(11.0), color(rgb));
    let names: Vec<_> = legend.kinds.iter().map(|kind| (*kind, lay_out(name(*kind), colors.text))).collect();
    let steps = legend.steps.as_ref().map(|steps| lay_out(steps, colors.secondary));
    let height = names.iter().map(|(_, name)| name.size().y).fold(0.0, f32::max);
    let width: f32 = names.iter().map(|(_, name)| SWATCH + 4.0 + name.size().x + GAP).sum();
    let size = vec2(width - GAP + steps.as_ref().map_or(0.0, |steps| GAP + steps.size().x), height);
    let frame = frame::frame(picture, Align2::LEFT_BOTTOM, size);
    frame::paint_legend_frame(painter, colors, frame);
    let mut at = frame::content(frame).min;
    for (kind, name) in names {
        let swatch = Align2::LEFT_CENTER.anchor_size(at + vec2(0.0, height / 2.0), vec2(SWATCH, SWATCH));
        painter.rect_filled(swatch, 2.0, color(colors.ghosts[kind as usize]));
        at.x += SWATCH + 4.0;
        let next = at.x + name.size().x + GAP;
        painter.galley(at, name, color(colors.text));
        at.x = next;
    }
    if let Some(steps) = steps {
        painter.galley(at, steps, color(colors.secondary));
    }
    frame
}
