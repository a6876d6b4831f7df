//! Draws names in frames over the picture, and the ring around a hovered joint.

use egui::{Align2, Color32, Painter, Pos2, Rect, Stroke, TextStyle, Ui, vec2};

use crate::ui::style::text::elide_middle;
use crate::ui::style::theme::{self, Palette};
use crate::ui::widgets::hover_card;

/// Space that a name over the picture leaves to the edges of the viewport, in points.
const PILL_MARGIN: f32 = 48.0;

/// Draws a ring around a joint.
pub fn ring(painter: &Painter, center: Pos2, palette: &Palette) {
    painter.circle_stroke(center, 7.0, Stroke::new(3.0, palette.viewport));
    painter.circle_stroke(center, 7.0, Stroke::new(1.5, palette.accent));
}

/// Draws a name in a frame that stays within `inside`. A name that is too wide is shortened in the middle.
pub fn pill(ui: &Ui, inside: Rect, center: Pos2, text: &str, color: Color32) {
    let font = TextStyle::Body.resolve(ui.style());
    let text = elide_middle(ui, text, &font, inside.width() - PILL_MARGIN);
    let galley = ui.painter().layout_no_wrap(text, font, color);
    let palette = theme::palette(ui.ctx());
    let frame = Align2::CENTER_CENTER.anchor_size(center, galley.size() + vec2(16.0, 8.0));
    let room = inside.shrink(4.0);
    let shift = (room.min - frame.min).max(egui::Vec2::ZERO) + (room.max - frame.max).min(egui::Vec2::ZERO);
    let frame = frame.translate(shift);
    let painter = ui.painter_at(inside);
    hover_card::paint_frame(&painter, palette, frame, palette.panel.gamma_multiply(0.9));
    painter.galley(frame.min + vec2(8.0, 4.0), galley, color);
}
