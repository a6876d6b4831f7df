//! Draws keys as the caps of a keyboard.

use std::sync::Arc;

use egui::{Galley, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::ui::style::theme;

// Height and minimum width of a cap, and the height of its front edge, in points.
const HEIGHT: f32 = 19.0;
const MIN_WIDTH: f32 = 20.0;
const FRONT_HEIGHT: f32 = 2.0;
// Space beside the text of a cap, and between caps, in points.
const PADDING: f32 = 5.0;
const GAP: f32 = 3.0;

/// A part of a chord: a key or a mouse gesture.
struct Part {
    text: Arc<Galley>,
    is_key: bool,
}

impl Part {
    /// The width, in points.
    fn width(&self) -> f32 {
        if self.is_key { (self.text.size().x + 2.0 * PADDING).max(MIN_WIDTH) } else { self.text.size().x }
    }
}

/// Draws a chord: keys that are held together, such as "Ctrl+Shift+Z". Mouse gestures ("Ctrl+click") are plain text.
pub fn chord_ui(ui: &mut Ui, chord: &str) {
    let (palette, font) = (theme::palette(ui.ctx()), TextStyle::Small.resolve(ui.style()));
    let names = parts(chord);
    let parts: Vec<Part> = names
        .iter()
        .map(|name| Part { text: ui.painter().layout_no_wrap((*name).to_owned(), font.clone(), palette.text), is_key: is_key(name) })
        .collect();
    let width = parts.iter().map(Part::width).sum::<f32>() + GAP * parts.len().saturating_sub(1) as f32;
    // The face of a cap, which holds the text, is in the middle of the rectangle. The front edge is below it.
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT + FRONT_HEIGHT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, chord));
    let mut left = rect.left();
    for part in parts {
        let place = Rect::from_min_size(pos2(left, rect.top() + FRONT_HEIGHT), vec2(part.width(), HEIGHT));
        left = place.right() + GAP;
        let middle = pos2(place.center().x, rect.center().y);
        if part.is_key {
            let face = place.with_max_y(place.bottom() - FRONT_HEIGHT);
            ui.painter().rect(place, theme::RADIUS, palette.divider, Stroke::new(1.0, palette.outline), StrokeKind::Inside);
            ui.painter().rect(face, theme::RADIUS, palette.hover, Stroke::new(1.0, palette.outline), StrokeKind::Inside);
        }
        ui.painter().galley(middle - part.text.size() / 2.0, part.text, palette.text);
    }
}

/// The names in a chord. The last name may be the plus sign itself: "Ctrl++".
fn parts(chord: &str) -> Vec<&str> {
    let (held, plus) = match chord.strip_suffix('+') {
        Some(held) => (held.strip_suffix('+').unwrap_or(held), Some("+")),
        None => (chord, None),
    };
    held.split('+').filter(|name| !name.is_empty()).chain(plus).collect()
}

/// Returns whether a part of a chord is a key. The text of a gesture contains one of the words in `GESTURES`.
fn is_key(name: &str) -> bool {
    const GESTURES: [&str; 4] = ["click", "drag", "wheel", "scroll"];
    let lower = name.to_lowercase();
    !GESTURES.iter().any(|gesture| lower.contains(gesture))
}

#[cfg(test)]
mod tests {
    use super::{is_key, parts};

    #[test]
    fn a_chord_is_split_at_its_plus_signs() {
        for (chord, names) in [
            ("Ctrl+Shift+Z", &["Ctrl", "Shift", "Z"][..]),
            ("F1", &["F1"]),
            ("+", &["+"]),
            ("Ctrl++", &["Ctrl", "+"]),
            ("Ctrl+click animations", &["Ctrl", "click animations"]),
        ] {
            assert_eq!(parts(chord), names);
        }
    }

    #[test]
    fn mouse_gestures_are_not_keys() {
        assert!(["Left", "Shift", "Space", "+"].into_iter().all(is_key));
        assert!(!["left drag", "Wheel", "Right click", "Ctrl while dragging"].into_iter().any(is_key));
    }
}
