//! Texts that are cut in the middle where room is short.

use egui::{Color32, Context, FontId};

/// The text, cut in the middle if it is wider than `width`. Names in a model often share their beginning.
pub fn elide_middle(egui: &Context, text: &str, font: &FontId, width: f32) -> String {
    let measure = |text: &str| egui.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x);
    // No glyph is narrower than a point, so only this much of a very long name needs measuring.
    let limit = width.max(0.0) as usize + 8;
    let short = text.chars().nth(limit).is_none();
    if short && measure(text) <= width {
        return text.to_owned();
    }
    // Finds the longest text that fits by bisection.
    let (mut fits, mut too_wide) = (0, text.chars().count().min(limit) + 1);
    while too_wide - fits > 1 {
        let middle = usize::midpoint(fits, too_wide);
        if measure(&without_middle(text, middle)) <= width { fits = middle } else { too_wide = middle }
    }
    without_middle(text, fits)
}

/// Keeps this many characters, two thirds of them from the end.
pub fn without_middle(text: &str, kept: usize) -> String {
    let head = kept.div_ceil(3);
    let tail = text.chars().count().saturating_sub(kept - head);
    text.chars().take(head).chain(['\u{2026}']).chain(text.chars().skip(tail)).collect()
}
