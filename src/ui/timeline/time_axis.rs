//! Seconds against points: what the ruler, the range strip and the playhead share.

use egui::Rect;

/// The seconds that are seen, over the points where they are seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeAxis {
    pub left: f32,
    pub width: f32,
    pub span: [f64; 2],
}

impl TimeAxis {
    /// Room at both ends, so that handles and the playhead's head can be taken there.
    pub const PADDING: f32 = 14.0;

    pub fn new(rect: Rect, span: [f64; 2]) -> Self {
        Self { left: rect.left() + Self::PADDING, width: (rect.width() - 2.0 * Self::PADDING).max(1.0), span }
    }

    pub fn x(&self, time: f64) -> f32 {
        let length = self.span[1] - self.span[0];
        let fraction = if length > 0.0 { (time - self.span[0]) / length } else { 0.0 };
        // Far outside is outside: f32 points lose nothing that is seen.
        self.left + (fraction * f64::from(self.width)).clamp(-1e6, 1e6) as f32
    }

    /// Not clamped to the span.
    pub fn time(&self, x: f32) -> f64 {
        self.span[0] + f64::from((x - self.left) / self.width) * (self.span[1] - self.span[0])
    }

    /// `factor` above 1: fewer seconds over the same points. What is under `x` stays there. Never beyond `whole`.
    pub fn zoomed(&self, factor: f64, x: f32, whole: [f64; 2], least: f64) -> [f64; 2] {
        let most = whole[1] - whole[0];
        let length = ((self.span[1] - self.span[0]) / factor).clamp(least.min(most), most);
        let anchor = f64::from((x - self.left) / self.width).clamp(0.0, 1.0);
        let start = self.time(x) - anchor * length;
        within([start, start + length], whole)
    }

    pub fn panned(&self, points: f32, whole: [f64; 2]) -> [f64; 2] {
        let by = f64::from(points / self.width) * (self.span[1] - self.span[0]);
        within([self.span[0] + by, self.span[1] + by], whole)
    }
}

/// Moved, not cut, to lie within.
fn within([start, end]: [f64; 2], whole: [f64; 2]) -> [f64; 2] {
    let by = (whole[0] - start).max(0.0) - (end - whole[1]).max(0.0);
    [(start + by).max(whole[0]), (end + by).min(whole[1])]
}
