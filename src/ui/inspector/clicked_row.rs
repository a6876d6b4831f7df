//! A row of a list that was just clicked. The sections above it may change their heights, because a click selects a node. The list scrolls
//! so that the row stays under the pointer.

use egui::style::ScrollAnimation;
use egui::{Ui, vec2};

/// Number of frames that the layout takes to settle after a click.
const SETTLING_FRAMES: u8 = 6;

/// A clicked row.
#[derive(Debug, Clone, Copy)]
pub struct ClickedRow {
    pub index: usize,
    /// The top edge of the row when it was clicked, in points.
    top: f32,
    /// Frames left until the layout has settled.
    frames: u8,
    /// Whether the last frame scrolled. Scrolling takes effect in the frame after the next one.
    is_scrolling: bool,
}

impl ClickedRow {
    /// The row with this index, which was clicked while its top edge was at `top`.
    pub fn new(index: usize, top: f32) -> Self {
        Self { index, top, frames: SETTLING_FRAMES, is_scrolling: false }
    }

    /// Scrolls the row back to its place. `top` is its top edge in this frame.
    pub fn keep_in_place(&mut self, ui: &Ui, top: f32) {
        let moved = top - self.top;
        self.is_scrolling = !self.is_scrolling && moved.abs() >= 1.0;
        if self.is_scrolling {
            ui.scroll_with_delta_animation(vec2(0.0, -moved), ScrollAnimation::none());
        }
    }

    /// The row in the next frame, which this requests. `None` if the layout has settled.
    pub fn next(self, ui: &Ui) -> Option<Self> {
        let next = (self.frames > 1).then(|| Self { frames: self.frames - 1, ..self });
        next.inspect(|_| ui.request_repaint())
    }
}
