//! The legend that explains the colors of motion trails.

use egui::{Align2, FontId, Painter, Rect, pos2, vec2};

use crate::captions::color;
use crate::colors::Colors;
use crate::numbers;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::motion::sampled::SampledMotion;
use crate::session::motion::{trail, trail_measures};
use crate::session::view::View;
use crate::units::Units;

use super::frame::{self, BAR};

/// Height of a line of text, in points.
const LINE_HEIGHT: f32 = 15.0;

/// The contents of the legend of speeds.
#[derive(Debug, Clone)]
pub struct Legend {
    pub title: String,
    /// The meaning of the dots of the trail, such as "one dot per 4 frames".
    pub dots: String,
    /// Speeds at the start, the middle and the end of the color scale, with three digits and without a unit.
    pub speeds: [String; 3],
}

impl Legend {
    /// Makes the legend. `None` if the picture is too small.
    pub fn new(document: &Document, view: &View, motion: &SampledMotion, projection: &ScreenProjection, units: Units) -> Option<Self> {
        if !frame::fits(projection.size) {
            return None;
        }
        let top = trail::top_speed(motion, &trail::nodes(&document.model, view));
        let dots = match trail_measures::frames_between(document, view, motion, projection) {
            None if top <= 0.0 => "no motion".to_owned(),
            None => "no dots".to_owned(),
            Some(1) => "one dot per frame".to_owned(),
            Some(frames) => format!("one dot per {frames} frames"),
        };
        let speeds = [0.0, 0.5, 1.0].map(|share| numbers::three_digits(top * share * units.per_meter()));
        Some(Self { title: format!("Speed, {}/s", units.length.symbol()), dots, speeds })
    }
}

/// Paints the legend.
pub fn paint(painter: &Painter, colors: &Colors, frame: Rect, legend: &Legend) {
    let font = FontId::proportional(11.0);
    frame::paint_legend_frame(painter, colors, frame);
    let inner = frame::content(frame);
    let text = |at, align: Align2, text: &str, rgb| painter.text(at, align, text, font.clone(), color(rgb));
    text(inner.left_top(), Align2::LEFT_TOP, &legend.title, colors.text);
    text(inner.right_top(), Align2::RIGHT_TOP, &legend.dots, colors.secondary);
    let bar = Rect::from_min_size(inner.min + vec2(0.0, LINE_HEIGHT + 2.0), vec2(inner.width(), BAR.y));
    painter.add(frame::gradient(bar, &colors.speeds));
    let marks = [(0.0, Align2::LEFT_BOTTOM), (0.5, Align2::CENTER_BOTTOM), (1.0, Align2::RIGHT_BOTTOM)];
    for ((share, align), speed) in marks.into_iter().zip(&legend.speeds) {
        text(pos2(bar.left() + share * bar.width(), inner.bottom()), align, speed, colors.secondary);
    }
}

/// The legend's rectangle in the lower right corner of a picture. It lies above `other` if the two would touch.
pub fn frame(picture: Rect, other: Option<Rect>) -> Rect {
    frame::above(picture, Align2::RIGHT_BOTTOM, vec2(BAR.x + 32.0, 2.0 * LINE_HEIGHT + BAR.y + 4.0), other)
}
