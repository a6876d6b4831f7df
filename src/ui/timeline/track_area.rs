//! A part of the timeline with its names at the left and its tracks at the right.

use egui::Rect;

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
}
