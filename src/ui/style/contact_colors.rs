//! The colors of foot contacts, by how far the foot slides, and their meanings.

use egui::Color32;

use crate::session::locomotion::foot_contact::{MAX_INVISIBLE_SLIDE, MAX_SLIGHT_SLIDE, Slide};
use crate::units::Units;

use super::theme::Palette;

/// The color of a contact.
pub fn color(palette: &Palette, slide: Slide) -> Color32 {
    match slide {
        Slide::None => palette.good,
        Slide::Slight => palette.warning,
        Slide::Severe => palette.error,
    }
}

/// The meaning of each contact color, for a model of this size in meters.
pub fn meanings(units: Units, size: f64) -> [(Slide, &'static str, String); 3] {
    let up_to = |share: f64| format!("slide up to {}", units.distance(share * size));
    [
        (Slide::None, "Green", up_to(MAX_INVISIBLE_SLIDE)),
        (Slide::Slight, "Amber", up_to(MAX_SLIGHT_SLIDE)),
        (Slide::Severe, "Red", "longer slide".to_owned()),
    ]
}

/// The slide limits as fractions of the model's size, as text.
pub fn shares() -> String {
    format!("Limits: green {} % of the model's size, amber {} %", MAX_INVISIBLE_SLIDE * 100.0, MAX_SLIGHT_SLIDE * 100.0)
}
