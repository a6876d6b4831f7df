//! Shortens text in the middle if it does not fit.

use egui::{Color32, Context, FontId};
use unicode_segmentation::UnicodeSegmentation;

use crate::model::label;
use crate::session::names::list::without_middle;

/// The text, shortened in the middle if it is wider than `width` points. Names in a model often share their beginning. Unsafe characters
/// are replaced by a visible mark, as in [`label::clean`].
pub fn elide_middle(egui: &Context, text: &str, font: &FontId, width: f32) -> String {
    let (text, fits) = (label::clean(text), fits(egui, font, width));
    if fits(&text) {
        return text.into_owned();
    }
    // Use bisection to find the longest text that fits. A glyph is at least one point wide, so the width limits the number of glyphs that
    // can fit.
    let graphemes: Vec<&str> = text.graphemes(true).collect();
    let (mut fitting, mut too_wide) = (0, graphemes.len().min(width.max(0.0) as usize + 8) + 1);
    while too_wide - fitting > 1 {
        let middle = usize::midpoint(fitting, too_wide);
        if fits(&without_middle(&graphemes, middle)) { fitting = middle } else { too_wide = middle }
    }
    without_middle(&graphemes, fitting)
}

/// Returns a function that tells whether a text is at most `width` points wide.
pub fn fits<'a>(egui: &'a Context, font: &'a FontId, width: f32) -> impl Fn(&str) -> bool + 'a {
    move |text| {
        let galley = egui.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER));
        galley.size().x <= width
    }
}
