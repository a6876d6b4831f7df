//! A part of the timeline with its names at the left and its tracks at the right.

use egui::{Rect, Ui};

use super::time_axis::TimeAxis;

/// The rectangles of names and tracks, and the time axis of the tracks.
#[derive(Debug, Clone, Copy)]
pub struct TrackArea<'a> {
    pub names: Rect,
    pub tracks: Rect,
    pub axis: &'a TimeAxis,
}

impl TrackArea<'_> {
    /// Names and tracks together.
    pub fn all(&self) -> Rect {
        self.names.union(self.tracks)
    }

    /// The parts above and below a y coordinate.
    pub fn split_at_y(&self, y: f32) -> (Self, Self) {
        let ((names, names_below), (tracks, tracks_below)) = (self.names.split_top_bottom_at_y(y), self.tracks.split_top_bottom_at_y(y));
        (Self { names, tracks, ..*self }, Self { names: names_below, tracks: tracks_below, ..*self })
    }

    /// Scrolls lanes that are higher than the area by the wheel while the pointer is over it. `scrolled` is the distance that the lanes are
    /// scrolled, and `height` is the height of all lanes, both in points.
    pub fn scroll(&self, ui: &Ui, scrolled: &mut f32, height: f32) {
        let area = self.all();
        let delta = if ui.rect_contains_pointer(area) { ui.input(|input| input.smooth_scroll_delta().y) } else { 0.0 };
        *scrolled = (*scrolled - delta).clamp(0.0, (height - area.height()).max(0.0));
    }
}
