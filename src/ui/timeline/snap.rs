//! Snaps the playhead, the in point, the out point or a layer bar to whole frames or to keys while the user drags it.

use egui::{Shape, Stroke, Ui, vec2};

use crate::animation::playback::frame_time;
use crate::session::view::playback_range;
use crate::ui::actions::keys::COMMAND_NAME;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::preferences::Snap;
use crate::ui::style::{icons, theme};

/// Like [`nearest`], but limited to the animation.
pub fn snapped(context: &Context, time: f64, inverted: bool) -> f64 {
    nearest(context, time, inverted).clamp(0.0, playback_range::duration(&context.document.model, context.view))
}

/// The nearest time to snap to, in seconds. While Ctrl is held (`inverted`), snapping is off. If snapping is already off, Ctrl makes times
/// snap to frames.
pub fn nearest(context: &Context, time: f64, inverted: bool) -> f64 {
    let fps = context.document.rate(context.view).fps;
    let frame_time = frame_time((time * fps).round() / fps);
    match (context.preferences.snap, inverted) {
        (Snap::Frames, false) | (Snap::Nothing, true) => frame_time,
        (Snap::Keys, false) => playback::key_near(context, time).unwrap_or(frame_time),
        (Snap::Nothing, false) | (Snap::Frames | Snap::Keys, true) => time,
    }
}

/// Draws a button that cycles through the three snap modes. A diamond marks snapping to keys.
pub fn snap_ui(ui: &mut Ui, context: &mut Context) {
    let snap = context.preferences.snap;
    let hint = format!("{} (hold {COMMAND_NAME} to invert)", snap.label());
    let button = icons::toggle(ui, icons::SNAP, snap.label(), snap != Snap::Nothing);
    if snap == Snap::Keys {
        let (center, palette) = (button.rect.right_bottom() - vec2(6.0, 6.0), theme::palette(ui.ctx()));
        let corners = [vec2(0.0, -3.5), vec2(3.5, 0.0), vec2(0.0, 3.5), vec2(-3.5, 0.0)].map(|corner| center + corner);
        ui.painter().add(Shape::convex_polygon(corners.to_vec(), palette.accent, Stroke::new(1.0, palette.selection)));
    }
    if button.on_hover_text(hint).clicked() {
        context.preferences.snap = match snap {
            Snap::Frames => Snap::Keys,
            Snap::Keys => Snap::Nothing,
            Snap::Nothing => Snap::Frames,
        };
    }
}
