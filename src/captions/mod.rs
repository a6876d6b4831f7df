//! Captions, the text that is painted over a picture of the model, in the window and in exported pictures. A caption is first made
//! from the document and the view as plain data, and then painted with egui.

pub mod fonts;
pub mod joint_names;
pub mod legends;
pub mod text;

use egui::Color32;

use crate::colors::Rgb;

/// Converts a color to an opaque color of egui.
pub fn color([r, g, b]: Rgb) -> Color32 {
    Color32::from_rgb(r, g, b)
}
