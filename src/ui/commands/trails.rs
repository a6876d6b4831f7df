//! Commands for motion trails and onion skins.

use crate::session::view::display::Depth;
use crate::session::view::display::GhostSource;
use crate::ui::context::Context;

/// Length of a new trail window before and after the playhead, in seconds.
const TRAIL_WINDOW: f64 = 0.5;

/// Switches the trail between the whole range and a window around the playhead.
pub fn toggle_window(context: &mut Context) {
    let window = &mut context.view.display.trail.window;
    *window = window.is_none().then_some(TRAIL_WINDOW);
}

/// Shows a single ghost of this source, or hides it if it is shown.
pub fn toggle_ghost(context: &mut Context, source: GhostSource) {
    let shown = !is_ghost(context, source);
    let ghosts = &mut context.view.display.ghosts;
    ghosts.shown = shown;
    ghosts.source = if shown { source } else { GhostSource::Times };
}

/// Returns whether ghosts of this source are shown.
pub fn is_ghost(context: &Context, source: GhostSource) -> bool {
    let ghosts = &context.view.display.ghosts;
    ghosts.shown && ghosts.source == source
}

/// Switches between lines that are always on top and lines that the mesh occludes.
pub fn toggle_depth(depth: &mut Depth) {
    *depth = match depth {
        Depth::InFront => Depth::Occluded,
        Depth::Occluded => Depth::InFront,
    };
}
