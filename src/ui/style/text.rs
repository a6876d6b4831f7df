//! Text as the panels set it: section heads, numbers that stand still, names cut in the middle.

use egui::{FontId, RectAlign, Response, RichText, Tooltip, Ui};

use super::theme;

/// A tooltip beside a row is as narrow as the room there, but no narrower, points.
const MIN_WIDTH: f32 = 160.0;

/// The head of a section in a panel.
pub fn section(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).font(theme::section_font()).color(theme::palette(ui.ctx()).secondary)
}

/// A number that changes.
pub fn number(text: impl Into<String>) -> RichText {
    RichText::new(text).font(theme::number_font())
}

/// A tooltip at the right of a row: below it, it would lie on the next one.
pub fn tooltip_beside(response: Response, text: &str) -> Response {
    beside(Tooltip::for_enabled(&response), &response, text);
    response
}

/// The same, of a row that is disabled.
pub fn reason_beside(response: Response, text: &str) -> Response {
    beside(Tooltip::for_disabled(&response), &response, text);
    response
}

fn beside(mut tooltip: Tooltip, response: &Response, text: &str) {
    tooltip.popup = tooltip.popup.anchor(response.rect).align(RectAlign::RIGHT_START);
    let room = response.ctx.content_rect().right() - response.rect.right() - 2.0 * theme::MARGIN;
    tooltip.show(|ui| {
        ui.set_max_width(room.clamp(MIN_WIDTH, ui.available_width().max(MIN_WIDTH)));
        ui.label(text);
    });
}

/// A tooltip above a row of the timeline.
pub fn tooltip_above(response: &Response, text: &str) {
    let mut tooltip = Tooltip::for_enabled(response);
    tooltip.popup = tooltip.popup.align(RectAlign::TOP_START);
    tooltip.show(|ui| ui.label(text));
}

/// `text` where it fits in `width`, else with its middle left out: names of one model often begin the same.
pub fn elide_middle(ui: &Ui, text: &str, font: &FontId, width: f32) -> String {
    elide_middle_in(ui.ctx(), text, font, width)
}

/// The same where there are no panels.
pub fn elide_middle_in(egui: &egui::Context, text: &str, font: &FontId, width: f32) -> String {
    let measure =
        |text: &str| egui.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font.clone(), egui::Color32::PLACEHOLDER).size().x);
    // A name of a megabyte is measured as little as any other: no font sets more than one character a point.
    let limit = width.max(0.0) as usize + 8;
    let short = text.chars().nth(limit).is_none();
    if short && measure(text) <= width {
        return text.to_owned();
    }
    // The widest that fits, by halving.
    let (mut fits, mut too_wide) = (0, text.chars().count().min(limit) + 1);
    while too_wide - fits > 1 {
        let middle = usize::midpoint(fits, too_wide);
        if measure(&without_middle(text, middle)) <= width { fits = middle } else { too_wide = middle }
    }
    without_middle(text, fits)
}

/// So many of its characters, two thirds of them from its end.
pub fn without_middle(text: &str, kept: usize) -> String {
    let head = kept.div_ceil(3);
    let tail = text.chars().count().saturating_sub(kept - head);
    text.chars().take(head).chain(['\u{2026}']).chain(text.chars().skip(tail)).collect()
}
