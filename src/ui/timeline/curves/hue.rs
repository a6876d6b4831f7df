//! Colors of curves that have no axis: morph weights and single numbers. Neighbors are easy to tell apart.

use egui::Color32;
use egui::ecolor::{Hsva, Rgba};

use crate::session::inspect::heat_map::HUE_STEP;

/// Minimum contrast with the background. It is slightly higher than the 4.5 that WCAG 2 requires for text.
const MIN_CONTRAST: f32 = 4.6;

/// The color of the curve with this number. It is readable on this background and distinct from the colors of neighboring curves.
pub fn numbered(number: usize, background: Color32) -> Color32 {
    let hue = (0.08 + number as f32 * HUE_STEP).fract();
    let is_dark = luminance(background) < 0.2;
    // Try shades from the pure color towards white on a dark background, or towards black on a light one.
    let shades = (0..=20).map(|step| {
        let amount = step as f32 / 20.0;
        Color32::from(match is_dark {
            true => Hsva::new(hue, 0.75 * (1.0 - amount), 1.0, 1.0),
            false => Hsva::new(hue, 0.9, 0.8 * (1.0 - amount), 1.0),
        })
    });
    let fallback = if is_dark { Color32::WHITE } else { Color32::BLACK };
    shades.into_iter().find(|&shade| contrast(shade, background) >= MIN_CONTRAST).unwrap_or(fallback)
}

/// The contrast ratio of two colors, from 1 to 21 (WCAG 2).
fn contrast(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The relative luminance of a color, from 0 to 1.
fn luminance(color: Color32) -> f32 {
    let linear = Rgba::from(color);
    0.2126 * linear.r() + 0.7152 * linear.g() + 0.0722 * linear.b()
}

#[cfg(test)]
mod tests {
    use super::{contrast, numbered};
    use crate::ui::style::theme::DARK;
    use crate::ui::style::theme::LIGHT;

    #[test]
    fn every_number_has_a_color_that_contrasts_with_both_themes() {
        for palette in [DARK, LIGHT] {
            for number in 0..64 {
                for background in [palette.panel, palette.field] {
                    let color = numbered(number, palette.panel);
                    assert!(contrast(color, background) >= 4.5, "{number}: {color:?} on {background:?}");
                }
            }
        }
    }

    #[test]
    fn colors_of_neighboring_numbers_differ() {
        for number in 0..8 {
            let [a, b] = [number, number + 1].map(|number| numbered(number, DARK.panel).to_array());
            let distance: i32 = a.iter().zip(b).map(|(a, b)| (i32::from(*a) - i32::from(b)).abs()).sum();
            assert!(distance > 120, "{number}: {a:?} {b:?}");
        }
    }
}
