//! Maps seconds to points. The ruler, the lanes, the rows and the playhead share one axis. The range strip has its own axis, which covers
//! the whole animation.

use egui::Rect;

/// The range of visible time and the range of x coordinates that shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeAxis {
    /// The x coordinate of the first visible time, and the width, in points.
    pub left: f32,
    pub width: f32,
    /// The time at the left end and the time at the right end, in seconds. Time runs to the left if the first one is later.
    pub span: [f64; 2],
}

impl TimeAxis {
    /// Padding at both ends, in points, so that handles and the playhead's head can be grabbed.
    pub const PADDING: f32 = 14.0;

    /// The axis across a rectangle, without the padding.
    pub fn new(rect: Rect, span: [f64; 2]) -> Self {
        Self { left: rect.left() + Self::PADDING, width: (rect.width() - 2.0 * Self::PADDING).max(1.0), span }
    }

    /// The x coordinate of a time.
    pub fn x(&self, time: f64) -> f32 {
        let length = self.span[1] - self.span[0];
        let fraction = if length != 0.0 { (time - self.span[0]) / length } else { 0.0 };
        // Clamping far outside the view keeps the cast to f32 precise inside the view.
        self.left + (fraction * f64::from(self.width)).clamp(-1e6, 1e6) as f32
    }

    /// The time at an x coordinate. It is not limited to the span.
    pub fn time(&self, x: f32) -> f64 {
        self.span[0] + f64::from((x - self.left) / self.width) * (self.span[1] - self.span[0])
    }

    /// The span after a zoom. A `factor` above 1 shows fewer seconds. The time at `x` stays there. The span stays within `whole`, and is at
    /// least `min_length` seconds long unless `whole` is shorter.
    pub fn zoomed(&self, factor: f64, x: f32, whole: [f64; 2], min_length: f64) -> [f64; 2] {
        let max_length = whole[1] - whole[0];
        let length = ((self.span[1] - self.span[0]) / factor).clamp(min_length.min(max_length), max_length);
        let anchor = f64::from((x - self.left) / self.width).clamp(0.0, 1.0);
        let start = self.time(x) - anchor * length;
        within([start, start + length], whole)
    }

    /// The span after moving it right by this many points. It stays within `whole`.
    pub fn panned(&self, points: f32, whole: [f64; 2]) -> [f64; 2] {
        let shift = f64::from(points / self.width) * (self.span[1] - self.span[0]);
        within([self.span[0] + shift, self.span[1] + shift], whole)
    }
}

/// Moves the span into `whole` without shortening it.
fn within([start, end]: [f64; 2], whole: [f64; 2]) -> [f64; 2] {
    let shift = (whole[0] - start).max(0.0) - (end - whole[1]).max(0.0);
    [(start + shift).max(whole[0]), (end + shift).min(whole[1])]
}
