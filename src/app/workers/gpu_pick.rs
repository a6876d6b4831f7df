//! Asks the GPU what lies under the pointer. The answer is read back a few milliseconds later, in another frame.

use std::time::Duration;

use crate::app::window::AppWindow;
use crate::render::actor::Actor;
use crate::render::picture::Picture;
use crate::ui::viewport::vertex_probe::ProbeState;

/// Delay between asking and checking for the answer.
const POLL_INTERVAL: Duration = Duration::from_millis(4);

/// Hands an answer that has arrived to the panels. Call before they run.
pub fn receive(probe: &mut ProbeState, window: &mut AppWindow) {
    probe.has_device = window.renderer.can_pick();
    probe.wanted = None;
    if let Some(vertex) = window.renderer.take_picked(&window.gpu) {
        probe.answer = probe.asked.take().map(|asked| (asked, vertex));
    }
}

/// Asks what the panels want to know about `picture`, which was drawn in this frame.
pub fn start(probe: &ProbeState, window: &mut AppWindow, picture: &Picture, actors: &[Actor]) {
    let Some(question) = probe.wanted else { return };
    // The pixel under the pointer, kept inside the picture.
    let last = picture.tile.picture.map(|side| f64::from(side.max(1) - 1));
    let at = question.point * f64::from(picture.pixels_per_point);
    let pixel = [at.x.clamp(0.0, last[0]) as u32, at.y.clamp(0.0, last[1]) as u32];
    window.renderer.pick(&window.gpu, picture, actors, pixel);
}

/// Records the question that is being answered. Returns when to check for the answer; `None` if there is no question.
pub fn poll(probe: &mut ProbeState, window: &AppWindow) -> Option<Duration> {
    if window.renderer.is_picking() {
        probe.asked = probe.asked.or(probe.wanted);
    }
    (window.renderer.is_picking() || probe.wanted.is_some()).then_some(POLL_INTERVAL)
}
