//! A text in the middle of a picture that shows nothing else, such as the reason why a file cannot be drawn.

use egui::{FontId, Painter, Rect};

use crate::captions::color;
use crate::colors::Colors;

use super::frame::PAD;

/// Paints the text, in as many lines as it needs.
pub fn paint(painter: &Painter, colors: &Colors, picture: Rect, text: &str) {
    let width = (picture.width() - 4.0 * PAD).max(0.0);
    let lines = painter.layout(text.to_owned(), FontId::proportional(11.0), color(colors.text), width);
    let rect = Rect::from_center_size(picture.center(), lines.size());
    painter.with_clip_rect(picture).galley(rect.min, lines, color(colors.text));
}
