//! Formats times, frames and frame rates.

use crate::animation::playback::frame_of;
use crate::ui::context::Context;

/// A frame rate with the decimals that it needs: "24", "29.97".
pub fn rate_text(fps: f64) -> String {
    format!("{fps:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A frame: "12", or "12.4" between two frames.
pub fn frame_text(frame: f64) -> String {
    // The time of a whole frame is rounded, so it may give 11.9999.
    let tenths = (frame * 10.0).round() / 10.0;
    if tenths.fract() == 0.0 { format!("{tenths:.0}") } else { format!("{tenths:.1}") }
}

/// A time with its frame: "0.500 s, frame 12".
pub fn time_text(context: &Context, time: f64) -> String {
    let fps = context.document.rate(context.view).fps;
    format!("{time:.3} s, frame {}", frame_text(frame_of(time, fps)))
}
