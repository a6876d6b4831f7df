//! The legend that explains the colors of ghosts.

use egui::{Align2, Color32, FontId, Painter, Rect, Role, Sense, Ui, WidgetInfo, vec2};
use glam::DVec2;

use crate::session::document::Document;
use crate::session::pose::onion_skin::{self, GhostKind, STEPS};
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::ui::context::Context;
use crate::ui::style::numbers;
use crate::ui::style::theme::{self, Palette};

use super::plate;

const SWATCH: f32 = 8.0;
const GAP: f32 = 12.0;

/// Text of the legend.
pub struct Legend {
    kinds: Vec<GhostKind>,
    /// Frames from one ghost to the next. `None` if the ghosts do not show other times.
    frames: Option<u32>,
}

impl Legend {
    /// Makes the legend. `None` if there are no ghosts or the picture is too small.
    pub fn new(document: &Document, view: &View, moment: &Moment, size: DVec2) -> Option<Self> {
        if !plate::fits(size) {
            return None;
        }
        let ghosts = onion_skin::moments(&document.model, view, moment, document.rate(view).fps);
        let has = |kind: &GhostKind| ghosts.iter().any(|ghost| ghost.kind() == *kind);
        let kinds: Vec<_> = [GhostKind::Before, GhostKind::After, GhostKind::Rest, GhostKind::Bind].into_iter().filter(has).collect();
        let of_times = kinds.iter().any(|kind| matches!(kind, GhostKind::Before | GhostKind::After));
        (!kinds.is_empty()).then_some(Self { kinds, frames: of_times.then_some(view.display.ghosts.step.clamp(STEPS[0], STEPS[1])) })
    }

    /// "every frame", "every 4 frames".
    fn steps(&self) -> Option<String> {
        self.frames.map(|frames| {
            if frames <= 1 { "every frame".to_owned() } else { format!("every {}", numbers::counted(frames as usize, "frame")) }
        })
    }
}

fn name(kind: GhostKind) -> &'static str {
    match kind {
        GhostKind::Before => "Before",
        GhostKind::After => "After",
        GhostKind::Rest => "Rest pose",
        GhostKind::Bind => "Bind pose",
    }
}

/// Draws the legend over the viewport if there are ghosts. Returns its rectangle.
pub fn legend_ui(ui: &mut Ui, context: &Context, viewport: Rect) -> Option<Rect> {
    let size = DVec2::new(viewport.width().into(), viewport.height().into());
    let legend = Legend::new(context.document, context.view, &context.transport.moment(), size)?;
    let plate = paint(&ui.painter_at(viewport), theme::palette(ui.ctx()), viewport, &legend);
    let response = ui.interact(plate, ui.make_persistent_id("ghosts legend"), Sense::hover());
    let names: Vec<_> = legend.kinds.iter().map(|kind| name(*kind).to_lowercase()).chain(legend.steps()).collect();
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Onion skin: {}", names.join(", "))));
    Some(plate)
}

/// Paints the legend into the lower left corner of a picture and returns its rectangle. It needs no panels, so screenshots show the same.
pub fn paint(painter: &Painter, palette: &Palette, picture: Rect, legend: &Legend) -> Rect {
    let laid_out = |text: String, color: Color32| painter.layout_no_wrap(text, FontId::proportional(11.0), color);
    let names: Vec<_> = legend.kinds.iter().map(|kind| (*kind, laid_out(name(*kind).to_owned(), palette.text))).collect();
    let steps = legend.steps().map(|steps| laid_out(steps, palette.secondary));
    let height = names.iter().map(|(_, name)| name.size().y).fold(0.0, f32::max);
    let width: f32 = names.iter().map(|(_, name)| SWATCH + 4.0 + name.size().x + GAP).sum();
    let size = vec2(width - GAP + steps.as_ref().map_or(0.0, |steps| GAP + steps.size().x), height);
    let plate = plate::plate(picture, Align2::LEFT_BOTTOM, size);
    plate::paint_plate(painter, palette, plate);
    let mut at = plate::content(plate).min;
    for (kind, name) in names {
        let [r, g, b] = palette.ghosts[kind as usize];
        let swatch = Align2::LEFT_CENTER.anchor_size(at + vec2(0.0, height / 2.0), vec2(SWATCH, SWATCH));
        painter.rect_filled(swatch, 2.0, Color32::from_rgb(r, g, b));
        at.x += SWATCH + 4.0;
        let next = at.x + name.size().x + GAP;
        painter.galley(at, name, palette.text);
        at.x = next;
    }
    if let Some(steps) = steps {
        painter.galley(at, steps, palette.secondary);
    }
    plate
}
