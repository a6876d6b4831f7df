//! The frame behind each legend, and its position in a corner of the picture.

use egui::epaint::Mesh;
use egui::{Align2, Color32, Painter, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};
use glam::DVec2;

use crate::captions::color;
use crate::colors::{Colors, Rgb};

/// Size of a color gradient, in points.
pub const BAR: Vec2 = vec2(160.0, 8.0);
/// Space between the edge of a frame and its contents, in points.
pub const PAD: f32 = 8.0;
/// Corner radius of a frame, in points.
pub const RADIUS: f32 = 4.0;
/// Gap between two frames, in points.
pub const GAP: f32 = 4.0;
/// Minimum size of a picture with legends, in points. Legends would hide too much of a smaller picture.
const MIN_PICTURE_SIZE: DVec2 = DVec2::new(256.0, 240.0);

/// Returns whether a picture has room for legends.
pub fn fits(picture: DVec2) -> bool {
    picture.cmpge(MIN_PICTURE_SIZE).all()
}

/// Rectangle of a frame in a corner of the picture. `content` is the size of its contents.
pub fn frame(picture: Rect, corner: Align2, content: Vec2) -> Rect {
    corner.align_size_within_rect(content + vec2(2.0 * PAD, PAD), picture.shrink(PAD))
}

/// Like [`frame`], but the rectangle lies above `other` if the two would touch.
pub fn above(picture: Rect, corner: Align2, content: Vec2, other: Option<Rect>) -> Rect {
    let frame = frame(picture, corner, content);
    match other {
        Some(other) if frame.expand(GAP).intersects(other) => frame.translate(vec2(0.0, other.top() - GAP - frame.bottom())),
        _ => frame,
    }
}

/// Like [`frame`], but the rectangle lies below `other` if the two would touch.
pub fn below(picture: Rect, corner: Align2, content: Vec2, other: Option<Rect>) -> Rect {
    let frame = frame(picture, corner, content);
    match other {
        Some(other) if frame.expand(GAP).intersects(other) => frame.translate(vec2(0.0, other.bottom() + GAP - frame.top())),
        _ => frame,
    }
}

/// Paints a frame: filled, with a thin outline.
pub fn paint_frame(painter: &Painter, frame: Rect, fill: Color32, outline: Color32) {
    painter.rect(frame, RADIUS, fill, Stroke::new(1.0, outline), StrokeKind::Inside);
}

/// Paints the frame of a legend.
pub fn paint_legend_frame(painter: &Painter, colors: &Colors, frame: Rect) {
    paint_frame(painter, frame, color(colors.panel).gamma_multiply(0.9), color(colors.divider));
}

/// The rectangle inside the padding of a frame.
pub fn content(frame: Rect) -> Rect {
    frame.shrink2(vec2(PAD, PAD / 2.0))
}

/// A gradient of equally spaced colors, from left to right.
pub fn gradient(bar: Rect, colors: &[Rgb]) -> Shape {
    let mut mesh = Mesh::default();
    for (i, rgb) in (0u32..).zip(colors) {
        let x = bar.left() + i as f32 / (colors.len() - 1) as f32 * bar.width();
        let color = color(*rgb);
        mesh.colored_vertex(pos2(x, bar.top()), color);
        mesh.colored_vertex(pos2(x, bar.bottom()), color);
        if i > 0 {
            mesh.add_triangle(2 * i - 2, 2 * i - 1, 2 * i);
            mesh.add_triangle(2 * i - 1, 2 * i, 2 * i + 1);
        }
    }
    Shape::mesh(mesh)
}
