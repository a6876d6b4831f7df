//! Cancels the drag of a field, a slider or a handle with Esc, while the pointer's button is held.

use egui::Ui;

use crate::session::view::{View, undo};

/// The pointer's button, from the press to the release.
#[derive(Debug, Clone, Default)]
pub struct HeldButton {
    /// The view at the press. `None` while no button is held.
    before: Option<Box<View>>,
    /// Whether egui must stop the drag.
    is_canceled: bool,
}

impl HeldButton {
    /// Remembers the view when a button is pressed, and ends a drag that was canceled. Call it before the panels run.
    pub fn update(&mut self, ui: &Ui, view: &View) {
        if !ui.input(|input| input.pointer.any_down()) {
            self.before = None;
        } else if self.before.is_none() {
            self.before = Some(Box::new(view.clone()));
        }
        if std::mem::take(&mut self.is_canceled) {
            ui.stop_dragging();
        }
    }

    /// Restores the choices of the view from before the press. Returns false if no button is held.
    pub fn cancel(&mut self, view: &mut View) -> bool {
        let Some(before) = &self.before else { return false };
        undo::restore(before, view);
        self.is_canceled = true;
        true
    }
}
