//! Text styles of the panels: section titles, fixed-width numbers, names shortened in the middle, and tooltips.

use egui::{FontId, Label, Pos2, Rect, RectAlign, Response, RichText, Tooltip, Ui, vec2};

use crate::captions;
use crate::numbers::grouped;

use super::theme;

/// Lower limit for the maximum width of a tooltip beside a row, in points. The maximum width is the space beside the row, unless that space
/// is narrower than this.
const MIN_TOOLTIP_WIDTH: f32 = 160.0;

/// The title of a section.
pub fn section(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).font(theme::section_font()).color(theme::palette(ui.ctx()).text)
}

/// The number of entries of a section, beside its title. If a search is active, `found` is the number of entries that it finds.
pub fn section_count(ui: &Ui, count: usize, found: Option<usize>) -> RichText {
    let count = grouped(count);
    let text = found.map_or(count.clone(), |found| format!("{} of {count}", grouped(found)));
    section(ui, &text).color(theme::palette(ui.ctx()).disabled)
}

/// A number that changes, in digits of equal width.
pub fn number(text: impl Into<String>) -> RichText {
    RichText::new(text).font(theme::number_font())
}

/// Shows a tooltip at the right of a row, where it does not cover the next row.
pub fn tooltip_beside(response: Response, text: &str) -> Response {
    beside(Tooltip::for_enabled(&response), &response, text);
    response
}

/// Like [`tooltip_beside`], for a disabled row. The text is the reason why it is disabled.
pub fn reason_beside(response: Response, text: &str) -> Response {
    beside(Tooltip::for_disabled(&response), &response, text);
    response
}

/// Shows a tooltip at the right of a row.
fn beside(mut tooltip: Tooltip, response: &Response, text: &str) {
    tooltip.popup = tooltip.popup.anchor(response.rect).align(RectAlign::RIGHT_START);
    let room = response.ctx.content_rect().right() - response.rect.right() - 2.0 * theme::MARGIN;
    tooltip.show(|ui| {
        ui.set_max_width(room.clamp(MIN_TOOLTIP_WIDTH, ui.available_width().max(MIN_TOOLTIP_WIDTH)));
        ui.label(text);
    });
}

/// Shows a tooltip above a row of the timeline.
pub fn tooltip_above(response: &Response, label: Label) {
    let mut tooltip = Tooltip::for_enabled(response);
    tooltip.popup = tooltip.popup.align(RectAlign::TOP_START);
    tooltip.show(|ui| ui.add(label));
}

/// Shows a tooltip over this point, such as one at the top of the timeline, where the tooltip covers neither time nor ruler.
pub fn tooltip_over(response: &Response, point: Pos2, text: &str) {
    let mut tooltip = Tooltip::for_enabled(response);
    tooltip.popup = tooltip.popup.anchor(Rect::from_min_max(point, point)).align(RectAlign::TOP);
    tooltip.show(|ui| ui.add(Label::new(text).extend()));
}

/// Shows a tooltip beside the pointer, where it does not cover what the pointer is at.
pub fn tooltip_at_pointer(response: &Response, text: &str) {
    let Some(pointer) = response.hover_pos() else { return };
    let mut tooltip = Tooltip::for_enabled(response);
    tooltip.popup = tooltip.popup.anchor(Rect::from_center_size(pointer, vec2(0.0, 24.0))).align(RectAlign::TOP_START);
    tooltip.show(|ui| ui.add(Label::new(text).extend()));
}

/// The text, shortened in the middle if it is wider than `width`. Names in a model often differ only at their ends.
pub fn elide_middle(ui: &Ui, text: &str, font: &FontId, width: f32) -> String {
    captions::text::elide_middle(ui.ctx(), text, font, width)
}
