//! Lets the GPU find the vertex under the pointer. The answer is read back a few milliseconds later, in another frame.

use std::time::Duration;

use crate::app::window::AppWindow;
use crate::render::actor::Actor;
use crate::render::picture::Picture;
use crate::ui::viewport::pick_query::PickQueries;

/// Delay between a query and checking for its answer.
const POLL_INTERVAL: Duration = Duration::from_millis(4);

/// If an answer has arrived, passes it to the panels. This function is called before the panels run.
pub fn receive(picks: &mut PickQueries, window: &mut AppWindow) {
    picks.begin_frame(window.renderer.can_pick());
    if let Some(vertex) = window.renderer.take_picked(&window.gpu) {
        picks.receive(vertex);
    }
}

/// Starts the next query of the panels, about `picture`, which was drawn in this frame.
pub fn start(picks: &PickQueries, window: &mut AppWindow, picture: &Picture, actors: &[Actor]) {
    let Some(query) = picks.requested() else { return };
    // The pixel under the pointer, kept inside the picture.
    let last = picture.tile.picture.map(|side| f64::from(side.max(1) - 1));
    let point = query.point * f64::from(picture.pixels_per_point);
    let pixel = [point.x.clamp(0.0, last[0]) as u32, point.y.clamp(0.0, last[1]) as u32];
    window.renderer.pick(&window.gpu, picture, actors, pixel);
}

/// Records the query that the GPU is answering. Returns when to check for the answer. `None` if there is no query.
pub fn poll(picks: &mut PickQueries, window: &AppWindow) -> Option<Duration> {
    if window.renderer.is_picking() {
        picks.await_answer();
    }
    (window.renderer.is_picking() || picks.requested().is_some()).then_some(POLL_INTERVAL)
}
