//! Formats times and frames.

use crate::animation::playback::frame_of;
use crate::numbers;
use crate::ui::context::Context;

/// The frame at a time: "12", or "12.4" between two frames.
pub fn frame_text(time: f64, fps: f64) -> String {
    numbers::frame(frame_of(time, fps), 1)
}

/// A time with its frame: "0.500 s, frame 12".
pub fn time_text(context: &Context, time: f64) -> String {
    let fps = context.document.rate(context.view).fps;
    format!("{time:.3} s, frame {}", frame_text(time, fps))
}
