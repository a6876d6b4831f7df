//! Shortens text in the middle if it does not fit.

use egui::{Color32, Context, FontId};
use unicode_segmentation::UnicodeSegmentation;

use crate::model::label;
use crate::session::names::list::{most_that_fit, without_middle};

/// The text, shortened in the middle if it is wider than `width` points. Names in a model often share their beginning. Unsafe characters
/// are replaced by a visible mark, as in [`label::clean`].
pub fn elide_middle(egui: &Context, text: &str, font: &FontId, width: f32) -> String {
    let (text, fits) = (label::clean(text), fits(egui, font, width));
    if fits(&text) {
        return text.into_owned();
    }
    // A glyph is at least one point wide, so the width limits the number of glyphs that can fit.
    let graphemes: Vec<&str> = text.graphemes(true).collect();
    let too_many = graphemes.len().min(width.max(0.0) as usize + 8) + 1;
    without_middle(&graphemes, most_that_fit(too_many, |kept| fits(&without_middle(&graphemes, kept))))
}

/// Returns a function that tells whether a text is at most `width` points wide.
pub fn fits<'a>(egui: &'a Context, font: &'a FontId, width: f32) -> impl Fn(&str) -> bool + 'a {
    move |text| {
        let galley = egui.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER));
        galley.size().x <= width
    }
}
