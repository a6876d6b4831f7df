//! The legend of a comparison: the name of a half or of the ghost, or the distances that the colors stand for.

use egui::{Align2, FontId, Painter, Rect, pos2, vec2};

use crate::captions::{color, text};
use crate::colors::{Colors, HEAT, Rgb};

use super::frame::{self, BAR, PAD};

/// Size of the square in the ghost's color, in points.
const SWATCH: f32 = 8.0;

/// The contents of the legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// The title, such as "A: fox.glb".
    pub title: String,
    /// The color of the ghost that the title names.
    pub swatch: Option<Rgb>,
    /// The texts at both ends of the color scale: no distance, and the largest distance.
    pub scale: Option<[String; 2]>,
}

impl Legend {
    /// The legend of a picture that has no room for colors.
    pub fn only_title(self) -> Self {
        Self { swatch: None, scale: None, ..self }
    }
}

/// Paints the legend at the top center of a picture and returns its rectangle.
pub fn paint(painter: &Painter, colors: &Colors, picture: Rect, legend: &Legend) -> Rect {
    let font = FontId::proportional(11.0);
    let most = BAR.x.max(picture.width() / 2.0).min(picture.width() - 4.0 * PAD);
    let short = text::elide_middle(painter.ctx(), &legend.title, &font, most);
    let line = painter.layout_no_wrap(short, font.clone(), color(colors.text));
    let beside = if legend.swatch.is_some() { SWATCH + 4.0 } else { 0.0 };
    let below = if legend.scale.is_some() { BAR.y + 20.0 } else { 0.0 };
    let width = (line.size().x + beside).max(if legend.scale.is_some() { BAR.x } else { 0.0 });
    let frame = frame::frame(picture, Align2::CENTER_TOP, vec2(width, line.size().y + below));
    frame::paint_legend_frame(painter, colors, frame);
    let at = frame::content(frame).min;
    let bottom = at.y + line.size().y + 4.0;
    if let Some(rgb) = legend.swatch {
        let swatch = Align2::LEFT_CENTER.anchor_size(at + vec2(0.0, line.size().y / 2.0), vec2(SWATCH, SWATCH));
        painter.rect_filled(swatch, 2.0, color(rgb));
    }
    painter.galley(at + vec2(beside, 0.0), line, color(colors.text));
    if let Some(scale) = &legend.scale {
        let bar = Rect::from_min_size(pos2(at.x, bottom), vec2(width, BAR.y));
        painter.add(frame::gradient(bar, &HEAT));
        for (words, x, align) in [(&scale[0], bar.left(), Align2::LEFT_TOP), (&scale[1], bar.right(), Align2::RIGHT_TOP)] {
            painter.text(pos2(x, bar.bottom() + 2.0), align, words, font.clone(), color(colors.secondary));
        }
    }
    frame
}
