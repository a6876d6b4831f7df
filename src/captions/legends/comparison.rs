//! The legend of a comparison: the name of the model in one half of the picture, the name of the ghost, or the distances that the colors
//! stand for.

use std::sync::Arc;

use egui::{Align2, FontId, Galley, Painter, Rect, pos2, vec2};

use crate::captions::{color, text};
use crate::colors::{Colors, HEAT, Rgb};

use super::frame::{self, BAR, GAP, PAD};

/// Size of the square in the ghost's color, in points.
const SWATCH: f32 = 8.0;
/// Height of the color scale with its texts, in points.
const SCALE_HEIGHT: f32 = BAR.y + 20.0;
/// Height of a line of text that is kept free in a band, in points.
const LINE_HEIGHT: f32 = 14.0;
/// Space above and below a legend in a band, in points.
const BAND_MARGIN: f32 = 3.0;
/// Minimum width of the space beside an obstacle in which a title can be placed, in points.
const MIN_TITLE_WIDTH: f32 = 80.0;

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

/// The positions of a legend and of an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrangement {
    /// The part of the picture at whose top center the legend is painted.
    pub legend: Rect,
    /// The rectangle of the legend.
    pub frame: Rect,
    /// Distance by which the obstacle moves down, in points.
    pub lowered_by: f32,
}

impl Legend {
    /// The legend of a picture that has no room for colors.
    pub fn only_title(self) -> Self {
        Self { swatch: None, scale: None, ..self }
    }
}

/// The laid-out title and the rectangle of the legend at the top center of a picture.
fn layout(painter: &Painter, colors: &Colors, picture: Rect, legend: &Legend) -> (Arc<Galley>, Rect) {
    let beside = beside(legend);
    let max_width = BAR.x.max(picture.width() / 2.0).min(picture.width() - 4.0 * PAD - beside);
    let short = text::elide_middle(painter.ctx(), &legend.title, &font(), max_width.max(0.0));
    let line = painter.layout_no_wrap(short, font(), color(colors.text));
    let below = if legend.scale.is_some() { SCALE_HEIGHT } else { 0.0 };
    let width = (line.size().x + beside).max(if legend.scale.is_some() { BAR.x } else { 0.0 });
    let frame = frame::frame(picture, Align2::CENTER_TOP, vec2(width, line.size().y + below));
    (line, frame)
}

/// Arranges the legend and an obstacle, which is in the upper right corner of the picture, so that neither covers the other.
pub fn arrange(painter: &Painter, colors: &Colors, picture: Rect, legend: &Legend, obstacle: Rect) -> Arrangement {
    let (_, frame) = layout(painter, colors, picture, legend);
    let beside = picture.with_max_x(obstacle.left());
    let min_width = if legend.scale.is_some() { BAR.x + 4.0 * PAD } else { MIN_TITLE_WIDTH };
    if !frame.expand(GAP).intersects(obstacle) {
        Arrangement { legend: picture, frame, lowered_by: 0.0 }
    } else if beside.width() >= min_width {
        Arrangement { legend: beside, frame: layout(painter, colors, beside, legend).1, lowered_by: 0.0 }
    } else {
        Arrangement { legend: picture, frame, lowered_by: frame.bottom() + GAP - obstacle.top() }
    }
}

/// Height of a band that holds a legend, in points.
pub fn band_height(has_scale: bool) -> f32 {
    let content = LINE_HEIGHT + if has_scale { SCALE_HEIGHT } else { 0.0 };
    content + PAD + 2.0 * BAND_MARGIN
}

/// Paints the legend into a band above the picture.
pub fn paint_in_band(painter: &Painter, colors: &Colors, band: Rect, legend: &Legend) {
    // A legend keeps a distance to the edges of its picture. In a band, this distance is smaller.
    let picture = band.with_min_y(band.top() + BAND_MARGIN - PAD);
    paint(&painter.with_clip_rect(band), colors, picture, legend);
}

/// Paints the legend at the top center of a picture and returns its rectangle.
pub fn paint(painter: &Painter, colors: &Colors, picture: Rect, legend: &Legend) -> Rect {
    let (line, frame) = layout(painter, colors, picture, legend);
    frame::paint_legend_frame(painter, colors, frame);
    let content = frame::content(frame);
    let (at, bottom) = (content.min, content.top() + line.size().y + 4.0);
    if let Some(rgb) = legend.swatch {
        let swatch = Align2::LEFT_CENTER.anchor_size(at + vec2(0.0, line.size().y / 2.0), vec2(SWATCH, SWATCH));
        painter.rect_filled(swatch, 2.0, color(rgb));
    }
    painter.galley(at + vec2(beside(legend), 0.0), line, color(colors.text));
    if let Some(scale) = &legend.scale {
        let bar = Rect::from_min_size(pos2(at.x, bottom), vec2(content.width(), BAR.y));
        painter.add(frame::gradient(bar, &HEAT));
        for (words, x, align) in [(&scale[0], bar.left(), Align2::LEFT_TOP), (&scale[1], bar.right(), Align2::RIGHT_TOP)] {
            painter.text(pos2(x, bar.bottom() + 2.0), align, words, font(), color(colors.secondary));
        }
    }
    frame
}

/// The font of all texts.
fn font() -> FontId {
    FontId::proportional(11.0)
}

/// Width of the square in the ghost's color and its gap, left of the title, in points. 0 if there is no square.
fn beside(legend: &Legend) -> f32 {
    if legend.swatch.is_some() { SWATCH + 4.0 } else { 0.0 }
}
