//! Text styles of the panels: section titles, fixed-width numbers, names shortened in the middle, and tooltips beside rows.

use egui::{FontId, RectAlign, Response, RichText, Tooltip, Ui};
use unicode_segmentation::UnicodeSegmentation;

use crate::model::label;
use crate::session::names::list::without_middle;

use super::theme;

/// Minimum width of a tooltip beside a row, in points. Otherwise it is as narrow as the space there.
const MIN_WIDTH: f32 = 160.0;

/// The title of a section.
pub fn section(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).font(theme::section_font()).color(theme::palette(ui.ctx()).secondary)
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

/// As [`tooltip_beside`], for a disabled row.
pub fn reason_beside(response: Response, text: &str) -> Response {
    beside(Tooltip::for_disabled(&response), &response, text);
    response
}

/// Shows a tooltip at the right of a response, as wide as the space there.
fn beside(mut tooltip: Tooltip, response: &Response, text: &str) {
    tooltip.popup = tooltip.popup.anchor(response.rect).align(RectAlign::RIGHT_START);
    let room = response.ctx.content_rect().right() - response.rect.right() - 2.0 * theme::MARGIN;
    tooltip.show(|ui| {
        ui.set_max_width(room.clamp(MIN_WIDTH, ui.available_width().max(MIN_WIDTH)));
        ui.label(text);
    });
}

/// Shows a tooltip above a row of the timeline.
pub fn tooltip_above(response: &Response, text: &str) {
    let mut tooltip = Tooltip::for_enabled(response);
    tooltip.popup = tooltip.popup.align(RectAlign::TOP_START);
    tooltip.show(|ui| ui.label(text));
}

/// The text, shortened in the middle if it is wider than `width` in points. Names in a model often share their beginning.
pub fn elide_middle(ui: &Ui, text: &str, font: &FontId, width: f32) -> String {
    elide_middle_in(ui.ctx(), text, font, width)
}

/// As [`elide_middle`], for a painter without panels.
pub fn elide_middle_in(egui: &egui::Context, text: &str, font: &FontId, width: f32) -> String {
    let (text, fits) = (label::clean(text), fits(egui, font, width));
    if fits(&text) {
        return text.into_owned();
    }
    // Find the longest text that fits by bisection. No glyph is narrower than a point, so no more of them can fit.
    let graphemes: Vec<&str> = text.graphemes(true).collect();
    let (mut fitting, mut too_wide) = (0, graphemes.len().min(width.max(0.0) as usize + 8) + 1);
    while too_wide - fitting > 1 {
        let middle = usize::midpoint(fitting, too_wide);
        if fits(&without_middle(&graphemes, middle)) { fitting = middle } else { too_wide = middle }
    }
    without_middle(&graphemes, fitting)
}

/// Whether a text is at most `width` points wide.
pub fn fits<'a>(egui: &'a egui::Context, font: &'a FontId, width: f32) -> impl Fn(&str) -> bool + 'a {
    move |text| {
        let galley = egui.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font.clone(), egui::Color32::PLACEHOLDER));
        galley.size().x <= width
    }
}
