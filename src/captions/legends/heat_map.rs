//! The legend that explains the colors of skin weights.

use egui::{Align2, FontId, Painter, Rect, pos2, vec2};
use glam::DVec2;

use crate::captions::{color, text};
use crate::colors::{Colors, HEAT};
use crate::session::document::Document;
use crate::session::inspect::heat_map::{self, HeatMapMode};
use crate::session::names::NameStyle;
use crate::session::view::View;

use super::frame::{self, BAR};

/// The contents of the legend of skin weights.
#[derive(Debug, Clone)]
pub struct Legend {
    pub title: String,
    /// Whether the legend has a color scale for weights from 0 to 1. Colors that stand for joints need no scale.
    pub has_scale: bool,
}

impl Legend {
    /// Makes the legend with names in this style. `None` if no weights are shown or the picture is too small.
    pub fn new(document: &Document, view: &View, size: DVec2, names: NameStyle) -> Option<Self> {
        let mode = heat_map::mode(document, view).filter(|_| frame::fits(size))?;
        let title = match mode {
            HeatMapMode::Heat => format!("Skin weights of {}", selection_name(document, view, names)),
            HeatMapMode::Colors if document.joints.contains(&true) => "Skin weights: one color per joint".to_owned(),
            HeatMapMode::Colors => "No joints: one color per mesh".to_owned(),
        };
        Some(Self { title, has_scale: mode == HeatMapMode::Heat })
    }
}

/// Paints the legend into the upper left corner of a picture, below the rectangle `other` if the two would touch. Returns its rectangle.
pub fn paint(painter: &Painter, colors: &Colors, picture: Rect, legend: &Legend, other: Option<Rect>) -> Rect {
    let font = FontId::proportional(11.0);
    let short = text::elide_middle(painter.ctx(), &legend.title, &font, BAR.x.max(picture.width() / 3.0));
    let line = painter.layout_no_wrap(short, font.clone(), color(colors.text));
    let heat = legend.has_scale;
    let size = vec2(line.size().x.max(if heat { BAR.x } else { 0.0 }), line.size().y + if heat { BAR.y + 20.0 } else { 0.0 });
    let frame = frame::below(picture, Align2::LEFT_TOP, size, other);
    frame::paint_legend_frame(painter, colors, frame);
    let at = frame::content(frame).min;
    let bar_top = at.y + line.size().y + 4.0;
    painter.galley(at, line, color(colors.text));
    if heat {
        let bar = Rect::from_min_size(pos2(at.x, bar_top), vec2(size.x, BAR.y));
        painter.add(frame::gradient(bar, &HEAT));
        for (share, align) in [(0.0, Align2::LEFT_TOP), (0.5, Align2::CENTER_TOP), (1.0, Align2::RIGHT_TOP)] {
            let label_position = pos2(bar.left() + share * bar.width(), bar.bottom() + 2.0);
            painter.text(label_position, align, share.to_string(), font.clone(), color(colors.secondary));
        }
    }
    frame
}

/// The name of the joint or rigid mesh that was selected last, and the number of the others.
fn selection_name(document: &Document, view: &View, names: NameStyle) -> String {
    let nodes = heat_map::shown_nodes(document, view);
    let name = nodes.last().map(|&node| document.names.node(node, names)).unwrap_or_default();
    match nodes.len() {
        0 | 1 => name.to_owned(),
        count => format!("{name} and {} more", count - 1),
    }
}
