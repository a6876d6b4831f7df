//! The loading screen, which fills the window while no document is open.

use egui::Ui;

use super::actions::Action;
use super::context::app_status::{Failure, Loading};
use super::style::theme;

/// Draws the file that is being loaded, or the error if neither the file nor the sample model can be opened.
pub fn loading_screen_ui(ui: &mut Ui, loading: Option<&Loading>, failure: Option<&Failure>) {
    let palette = theme::palette(ui.ctx());
    ui.painter().rect_filled(ui.max_rect(), 0.0, palette.viewport);
    let (text, color) = match (loading, failure) {
        (Some(Loading { name, stage, .. }), _) => {
            (format!("{name}: {stage}... Press Esc to open the sample model instead"), palette.secondary)
        }
        (None, Some(Failure { name, message, .. })) => {
            let open = Action::Open.shortcut();
            (format!("{name}: {message}\nPress Esc to open the sample model, or {open} to open another file"), palette.error)
        }
        (None, None) => return,
    };
    ui.centered_and_justified(|ui| ui.colored_label(color, text));
}
