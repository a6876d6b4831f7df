//! Scrolls lanes that are higher than their space in the timeline.

use egui::{Rect, Ui};

/// Scrolls by the wheel while the pointer is over the area. `scrolled` is the distance that the lanes are scrolled, and `height` is
/// the height of all lanes, both in points.
pub fn scroll(ui: &Ui, scrolled: &mut f32, height: f32, area: Rect) {
    let delta = if ui.rect_contains_pointer(area) { ui.input(|input| input.smooth_scroll_delta().y) } else { 0.0 };
    *scrolled = (*scrolled - delta).clamp(0.0, (height - area.height()).max(0.0));
}
