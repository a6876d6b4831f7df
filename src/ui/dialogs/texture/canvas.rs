//! The canvas of the texture dialog. It stores the zoom and position of the image, and paints the image.

use egui::{Align2, Color32, Rect, Response, Stroke, StrokeKind, TextStyle, Ui, Vec2, pos2, vec2};

use crate::ui::context::image_previews::EguiTexture;
use crate::ui::style::theme;

/// Largest magnification, in points per pixel of the image.
const MAX_SCALE: f32 = 64.0;
/// Smallest magnification, as a fraction of the magnification at which the image fits.
const MIN_SCALE_OF_FIT: f32 = 0.25;
/// Scroll distance, in points, that changes the magnification by the factor e.
const SCROLL_PER_E_FOLD: f32 = 200.0;
/// Opacity of the triangle edges over the image. It keeps the image visible behind dense edges.
const EDGE_OPACITY: f32 = 0.7;
/// Edges farther from the canvas than this, in points, are not painted. The texture coordinates of a file can be any number.
const MAX_EDGE_DISTANCE: f32 = 1e5;

/// The part of the image that is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct CanvasView {
    /// `None` fits the whole image into the canvas.
    zoomed: Option<Zoomed>,
    /// The scale of the last frame, in physical pixels per pixel of the image.
    last_scale: f32,
    /// Whether the next frame sets the scale to one physical pixel per pixel of the image.
    zooms_to_pixels: bool,
}

/// The scale and position of an image that the user has zoomed or moved.
#[derive(Debug, Clone, Copy)]
struct Zoomed {
    /// Points per pixel of the image.
    scale: f32,
    /// The point of the image at the center of the canvas, in pixels of the image.
    center: Vec2,
}

impl CanvasView {
    /// Draws the zoom buttons and the current zoom in percent.
    pub fn zoom_ui(&mut self, ui: &mut Ui) {
        if ui.button("Fit").on_hover_text("Show the whole image").clicked() {
            self.zoomed = None;
        }
        if ui.button("100 %").on_hover_text("One pixel of the image on one of the screen").clicked() {
            self.zooms_to_pixels = true;
        }
        ui.weak(format!("{:.0} %", self.last_scale * 100.0)).on_hover_text("Scroll to zoom, drag to move");
    }

    /// Handles the wheel, a pinch and a drag over the canvas. `size` is the size of the image, in pixels.
    pub fn take_input(&mut self, ui: &Ui, response: &Response, size: Vec2) {
        let rect = response.rect;
        let fit = fit(rect, size);
        let mut zoomed = self.zoomed.unwrap_or(Zoomed { scale: fit, center: size / 2.0 });
        if std::mem::take(&mut self.zooms_to_pixels) {
            zoomed.scale = 1.0 / ui.pixels_per_point();
            self.zoomed = Some(zoomed);
        }
        if response.dragged() {
            zoomed.center -= response.drag_delta() / zoomed.scale;
            self.zoomed = Some(zoomed);
        }
        if let Some(pointer) = response.hover_pos() {
            let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            let factor = pinch * (scroll / SCROLL_PER_E_FOLD).exp();
            if factor != 1.0 {
                // Keep the point of the image under the pointer where it is.
                let from_center = pointer - rect.center();
                let place = zoomed.center + from_center / zoomed.scale;
                zoomed.scale = (zoomed.scale * factor).clamp(fit * MIN_SCALE_OF_FIT, MAX_SCALE.max(fit));
                zoomed.center = place - from_center / zoomed.scale;
                self.zoomed = Some(zoomed);
            }
        }
        if let Some(zoomed) = &mut self.zoomed {
            // The user can look at texture coordinates outside the image, but cannot move the image far out of view.
            zoomed.center = zoomed.center.clamp(-size, 2.0 * size);
        }
        let scale = self.zoomed.map_or(fit, |zoomed| zoomed.scale) * ui.pixels_per_point();
        if std::mem::replace(&mut self.last_scale, scale) != scale {
            // The zoom in percent is above the canvas, so this frame has already drawn the old value.
            ui.ctx().request_repaint();
        }
    }

    /// The rectangle of the whole image on the screen, in points.
    pub fn image_rect(&self, rect: Rect, size: Vec2) -> Rect {
        let zoomed = self.zoomed.unwrap_or(Zoomed { scale: fit(rect, size), center: size / 2.0 });
        Rect::from_min_size(rect.center() - zoomed.center * zoomed.scale, size * zoomed.scale)
    }
}

/// The scale at which an image fits, in points per pixel of the image.
fn fit(rect: Rect, size: Vec2) -> f32 {
    let ratio = rect.size() / size.max(Vec2::splat(1.0));
    ratio.min_elem().max(f32::MIN_POSITIVE)
}

/// Paints the image, cut off at the edge of the canvas.
pub fn paint(ui: &Ui, rect: Rect, image: Rect, texture: &EguiTexture) {
    let palette = theme::palette(ui.ctx());
    ui.painter().rect_filled(rect, 0.0, palette.field);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter_at(rect).image(texture.sized().0, image, whole, Color32::WHITE);
    ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, palette.divider), StrokeKind::Inside);
}

/// Paints edges between texture coordinates. Their color is the same in both themes, because it must contrast with the image, not with the
/// theme.
pub fn paint_edges(ui: &Ui, rect: Rect, image: Rect, edges: &[[glam::Vec2; 2]]) {
    let painter = ui.painter_at(rect);
    let stroke = Stroke::new(1.0, theme::DARK.accent.gamma_multiply(EDGE_OPACITY));
    let near = rect.expand(MAX_EDGE_DISTANCE);
    for edge in edges {
        let [a, b] = edge.map(|uv| image.min + vec2(uv.x, uv.y) * image.size());
        if near.contains(a) && near.contains(b) && rect.intersects(Rect::from_two_pos(a, b)) {
            painter.line_segment([a, b], stroke);
        }
    }
}

/// Paints a message in place of the image.
pub fn paint_message(ui: &Ui, rect: Rect, text: &str) {
    let palette = theme::palette(ui.ctx());
    ui.painter().rect_filled(rect, 0.0, palette.field);
    let font = TextStyle::Body.resolve(ui.style());
    let galley = ui.painter().layout(text.to_owned(), font, palette.secondary, rect.width() - 2.0 * theme::MARGIN);
    let text_rect = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    ui.painter().galley(text_rect.min, galley, palette.secondary);
}
