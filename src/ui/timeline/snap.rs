//! Snaps a dragged playhead, in or out point to whole frames, to keys of the selection, or to nothing.

use egui::Ui;

use crate::session::view::playback_range;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::preferences::Snap;
use crate::ui::style::icons;

/// Like [`nearest`], but within the animation. Its end counts as a frame.
pub fn snapped(context: &Context, time: f64, inverted: bool) -> f64 {
    nearest(context, time, inverted).clamp(0.0, playback_range::duration(&context.document.model, context.view))
}

/// The nearest time to snap to, in seconds. Holding Ctrl (`inverted`) switches snapping off, or to frames if it is off.
pub fn nearest(context: &Context, time: f64, inverted: bool) -> f64 {
    let fps = context.document.rate(context.view).fps;
    let on_frame = (time * fps).round() / fps;
    match (context.preferences.snap, inverted) {
        (Snap::Frames, false) | (Snap::Nothing, true) => on_frame,
        (Snap::Keys, false) => playback::key_near(context, time).unwrap_or(on_frame),
        (Snap::Nothing, false) | (Snap::Frames | Snap::Keys, true) => time,
    }
}

/// Draws a button that cycles through the three snap modes.
pub fn snap_ui(ui: &mut Ui, context: &mut Context) {
    let snap = &mut context.preferences.snap;
    let (icon, next) = match snap {
        Snap::Frames => (icons::SNAP_FRAMES, Snap::Keys),
        Snap::Keys => (icons::SNAP_KEYS, Snap::Nothing),
        Snap::Nothing => (icons::SNAP_NOTHING, Snap::Frames),
    };
    let hint = format!("{} (hold Ctrl to invert)", snap.label());
    if icons::toggle(ui, icon, snap.label(), *snap != Snap::Nothing).on_hover_text(hint).clicked() {
        *snap = next;
    }
}
