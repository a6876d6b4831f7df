//! The legend that explains the colors of skin weights.

use egui::{Align2, FontId, Painter, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use glam::DVec2;

use crate::colors::HEAT;
use crate::session::document::Document;
use crate::session::inspect::heat_map::{self, Shown};
use crate::session::view::View;
use crate::ui::context::Context;
use crate::ui::style::text;
use crate::ui::style::theme::{self, Palette};

use super::plate::{self, BAR};

/// Text of the legend.
pub struct Legend {
    title: String,
    shown: Shown,
}

impl Legend {
    /// Makes the legend. `None` if no weights are shown or the picture is too small.
    pub fn new(document: &Document, view: &View, size: DVec2) -> Option<Self> {
        let shown = heat_map::shown(document, view).filter(|_| plate::fits(size))?;
        let title = match shown {
            Shown::Heat => format!("Skin weights of {}", selected(document, view)),
            Shown::Colors if document.joints.contains(&true) => "Skin weights: one colour per joint".to_owned(),
            Shown::Colors => "No joints: one colour per mesh".to_owned(),
        };
        Some(Self { title, shown })
    }
}

/// Draws the legend over the viewport if weights are shown. Returns its rectangle.
pub fn legend_ui(ui: &mut Ui, context: &Context, viewport: Rect) -> Option<Rect> {
    let size = DVec2::new(viewport.width().into(), viewport.height().into());
    let legend = Legend::new(context.document, context.view, size)?;
    let plate = paint(&ui.painter_at(viewport), theme::palette(ui.ctx()), viewport, &legend);
    let response = ui.interact(plate, ui.make_persistent_id("weights legend"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &legend.title));
    Some(plate)
}

/// Paints the legend into the upper left corner of a picture and returns its rectangle. It needs no panels, so screenshots show the same.
pub fn paint(painter: &Painter, palette: &Palette, picture: Rect, legend: &Legend) -> Rect {
    let font = FontId::proportional(11.0);
    let short = text::elide_middle_in(painter.ctx(), &legend.title, &font, BAR.x.max(picture.width() / 3.0));
    let line = painter.layout_no_wrap(short, font.clone(), palette.text);
    let heat = legend.shown == Shown::Heat;
    let size = vec2(line.size().x.max(if heat { BAR.x } else { 0.0 }), line.size().y + if heat { BAR.y + 20.0 } else { 0.0 });
    let plate = plate::plate(picture, Align2::LEFT_TOP, size);
    plate::paint_plate(painter, palette, plate);
    let at = plate::content(plate).min;
    let below = at.y + line.size().y + 4.0;
    painter.galley(at, line, palette.text);
    if heat {
        let bar = Rect::from_min_size(pos2(at.x, below), vec2(size.x, BAR.y));
        painter.add(plate::gradient(bar, &HEAT));
        for (share, align) in [(0.0, Align2::LEFT_TOP), (0.5, Align2::CENTER_TOP), (1.0, Align2::RIGHT_TOP)] {
            let under = pos2(bar.left() + share * bar.width(), bar.bottom() + 2.0);
            painter.text(under, align, share.to_string(), font.clone(), palette.secondary);
        }
    }
    plate
}

/// The name of the active joint, and the number of others.
fn selected(document: &Document, view: &View) -> String {
    let model = &document.model;
    let active = view.active().and_then(|source| model.node_from_source(source));
    let name = active.map(|node| model.node(node).label()).unwrap_or_default();
    match view.selection.len() {
        0 | 1 => name,
        count => format!("{name} and {} more", count - 1),
    }
}
