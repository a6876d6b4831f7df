//! Legends at the edges of a picture: heat map, onion skin, motion trail, comparison. Each legend is plain data made from the document and
//! the view.

pub mod comparison;
pub mod frame;
pub mod heat_map;
pub mod motion_trail;
pub mod onion_skin;

use egui::{FontId, Painter, Rect};

use crate::colors::Colors;

use super::color;

/// The legends of one picture. A legend is `None` if the picture is too small, or does not show what the legend explains.
#[derive(Debug, Clone, Default)]
pub struct Legends {
    pub heat_map: Option<heat_map::Legend>,
    pub onion_skin: Option<onion_skin::Legend>,
    pub motion_trail: Option<motion_trail::Legend>,
    pub comparison: Option<comparison::Legend>,
    /// A text in the middle of a picture that shows nothing else, such as the reason why a file cannot be drawn.
    pub note: Option<String>,
}

/// The rectangles of the painted legends in corners, in points.
#[derive(Debug, Clone, Copy, Default)]
pub struct LegendFrames {
    pub heat_map: Option<Rect>,
    pub onion_skin: Option<Rect>,
    pub motion_trail: Option<Rect>,
}

impl Legends {
    /// Returns whether the picture has no legend.
    pub fn is_empty(&self) -> bool {
        self.heat_map.is_none()
            && self.onion_skin.is_none()
            && self.motion_trail.is_none()
            && self.comparison.is_none()
            && self.note.is_none()
    }

    /// Paints the legends at the edges of `picture`. `comparison` is the rectangle of a comparison's legend that is painted separately.
    /// Returns the rectangles of the legends in corners: all but the comparison and the note.
    pub fn paint(&self, painter: &Painter, colors: &Colors, picture: Rect, comparison: Option<Rect>) -> LegendFrames {
        let painted = self.comparison.as_ref().map(|legend| comparison::paint(painter, colors, picture, legend));
        let top = painted.or(comparison);
        let heat_map = self.heat_map.as_ref().map(|legend| heat_map::paint(painter, colors, picture, legend, top));
        let onion_skin = self.onion_skin.as_ref().map(|legend| onion_skin::paint(painter, colors, picture, legend));
        let motion_trail = self.motion_trail.as_ref().map(|legend| {
            let frame = motion_trail::frame(picture, onion_skin);
            motion_trail::paint(painter, colors, frame, legend);
            frame
        });
        if let Some(text) = &self.note {
            paint_note(painter, colors, picture, text);
        }
        LegendFrames { heat_map, onion_skin, motion_trail }
    }
}

/// Paints a text in the middle of the picture, in as many lines as it needs.
fn paint_note(painter: &Painter, colors: &Colors, picture: Rect, text: &str) {
    let width = (picture.width() - 4.0 * frame::PAD).max(0.0);
    let lines = painter.layout(text.to_owned(), FontId::proportional(11.0), color(colors.text), width);
    let rect = Rect::from_center_size(picture.center(), lines.size());
    painter.with_clip_rect(picture).galley(rect.min, lines, color(colors.text));
}
