//! The visible part of the animation: the wheel zooms and pans it, and a command fits it to the range. It follows the playhead. After a
//! change of animation or file, the whole animation is visible.

use egui::{Rect, Ui};

use crate::session::document::Document;
use crate::session::time::transport::Transport;
use crate::session::view::playback_range;
use crate::ui::context::Context;
use crate::ui::context::per_document::{DocumentChange, LastAnimation, LastDocument};

use super::time_axis::TimeAxis;

/// Minimum number of frames that the timeline shows.
const MIN_SHOWN_FRAMES: f64 = 4.0;

/// The state of the zoom.
#[derive(Debug, Clone, Default)]
pub struct TimelineZoom {
    /// Visible span in seconds. `None` shows the whole animation.
    span: Option<[f64; 2]>,
    /// Time of the playhead in the last frame outside a scrub, in seconds.
    time: f64,
    document: LastDocument,
    animation: LastAnimation,
}

impl TimelineZoom {
    /// The visible span of an animation of this duration, in seconds.
    pub fn span(&self, duration: f64) -> [f64; 2] {
        let within = |[start, end]: [f64; 2]| (start < duration).then(|| [start, end.min(duration)]);
        self.span.and_then(within).unwrap_or([0.0, duration])
    }

    /// The visible span, if it is not the whole animation of this duration.
    pub fn zoomed_span(&self, duration: f64) -> Option<[f64; 2]> {
        Some(self.span(duration)).filter(|&span| span != [0.0, duration])
    }

    /// Moves the visible span by seconds, within an animation of this duration.
    pub fn scroll(&mut self, seconds: f64, duration: f64) {
        if let Some([start, end]) = self.zoomed_span(duration) {
            let shift = seconds.clamp(-start, (duration - end).max(-start));
            self.span = Some([start + shift, end + shift]);
        }
    }

    /// Centers the span at a playhead that has left it, within an animation of this duration. While playback runs, a playhead that was not
    /// visible before does not move the span, so that the user can look at another part. While the user drags the playhead, which
    /// `is_scrubbing` tells, the ruler rests; it follows at the release.
    pub fn follow_playhead(&mut self, transport: &Transport, duration: f64, is_scrubbing: bool) {
        if is_scrubbing {
            return;
        }
        let [start, end] = self.span(duration);
        let is_visible = |time: f64| (start..=end).contains(&time);
        let time = transport.time();
        let before = std::mem::replace(&mut self.time, time);
        let has_left = time != before && !is_visible(time) && (is_visible(before) || !transport.is_playing());
        if has_left {
            self.scroll(time - f64::midpoint(start, end), duration);
        }
    }

    /// Shows the whole animation after a change of file or animation. A reload keeps the span.
    pub fn update(&mut self, document: &Document, animation: Option<usize>) {
        let change = self.document.update(document);
        let is_other_animation = self.animation.update(&document.model, animation, change);
        if change == DocumentChange::Other || is_other_animation {
            self.span = None;
        }
    }
}

/// Shows the range, or the whole animation if there is no range or if the range is already shown.
pub fn fit(zoom: &mut TimelineZoom, context: &Context) {
    let model = &context.document.model;
    let (duration, range) = (playback_range::duration(model, context.view), playback_range::range(model, context.view));
    let zoom = &mut zoom.span;
    *zoom = (*zoom != Some(range) && range != [0.0, duration] && range[0] < range[1]).then_some(range);
}

/// Handles the wheel over `rect`: it zooms at the pointer, and pans with Shift. If `wheel_zooms` is false, because the wheel scrolls rows,
/// the wheel zooms only with Ctrl.
pub fn zoom_ui(ui: &Ui, zoom: &mut TimelineZoom, context: &Context, rect: Rect, axis: &TimeAxis, wheel_zooms: bool) {
    let Some(pointer) = ui.ctx().pointer_hover_pos().filter(|&pointer| ui.rect_contains_pointer(rect) && rect.contains(pointer)) else {
        return;
    };
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    let whole = [0.0, playback_range::duration(&context.document.model, context.view)];
    let min_length = MIN_SHOWN_FRAMES / context.document.rate(context.view).fps;
    let wheel = if wheel_zooms { scroll.y } else { 0.0 };
    let factor = f64::from(pinch) * f64::from(wheel / 200.0).exp();
    let span = if scroll.x != 0.0 {
        axis.panned(-scroll.x, whole)
    } else if factor != 1.0 {
        axis.zoomed(factor, pointer.x, whole, min_length)
    } else {
        return;
    };
    zoom.span = Some(span).filter(|span| *span != whole);
}
