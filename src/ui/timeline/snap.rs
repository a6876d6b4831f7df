//! What a dragged playhead, in or out point keeps to: whole frames, keys of the selection, or nothing.

use egui::Ui;
use serde::{Deserialize, Serialize};

use crate::session::view::playback_range;
use crate::ui::Context;
use crate::ui::commands::playback;
use crate::ui::style::icons;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Snap {
    #[default]
    Frames,
    Keys,
    Nothing,
}

impl Snap {
    pub const ALL: [Self; 3] = [Self::Frames, Self::Keys, Self::Nothing];

    pub fn label(self) -> &'static str {
        match self {
            Self::Frames => "Snap to frames",
            Self::Keys => "Snap to keys of the selection",
            Self::Nothing => "Snap to nothing",
        }
    }
}

/// As [`nearest`], within the animation: its end counts as a frame.
pub fn snapped(frame: &Context, time: f64, inverted: bool) -> f64 {
    nearest(frame, time, inverted).clamp(0.0, playback_range::duration(&frame.document.model, frame.view))
}

/// The nearest time of those it snaps to, or with Ctrl held (`inverted`) the time itself; where it snaps to nothing, Ctrl takes
/// the nearest frame.
pub fn nearest(frame: &Context, time: f64, inverted: bool) -> f64 {
    let fps = frame.document.rate(frame.view).fps;
    let on_frame = (time * fps).round() / fps;
    match (frame.state.preferences.snap, inverted) {
        (Snap::Frames, false) | (Snap::Nothing, true) => on_frame,
        (Snap::Keys, false) => playback::key_near(frame, time).unwrap_or(on_frame),
        (Snap::Nothing, false) | (Snap::Frames | Snap::Keys, true) => time,
    }
}

/// A button that goes round the three.
pub fn snap_ui(ui: &mut Ui, frame: &mut Context) {
    let snap = &mut frame.state.preferences.snap;
    let (icon, next) = match snap {
        Snap::Frames => (icons::SNAP_FRAMES, Snap::Keys),
        Snap::Keys => (icons::SNAP_KEYS, Snap::Nothing),
        Snap::Nothing => (icons::SNAP_NOTHING, Snap::Frames),
    };
    let hint = format!("{}; Ctrl held inverts it", snap.label());
    if icons::toggle(ui, icon, snap.label(), *snap != Snap::Nothing).on_hover_text(hint).clicked() {
        *snap = next;
    }
}
