//! Cancels the drag of a field, a slider or a handle with Esc, while the pointer's button is held.

use egui::Ui;

use crate::session::document::DocumentId;
use crate::session::view::{View, undo};

/// The pointer's button, from the press to the release.
#[derive(Debug, Clone, Default)]
pub struct HeldButton {
    /// The view at the press, and its document. `None` while no button is held.
    before: Option<(DocumentId, Box<View>)>,
    /// Whether Esc was pressed. The choices of the view then do not change until the button is released.
    is_canceled: bool,
}

impl HeldButton {
    /// Remembers the view when a button is pressed, and ends a drag that was canceled. A reload during the drag may change the indices in
    /// the view, so the view is then remembered again. Call it before the panels run.
    pub fn update(&mut self, ui: &Ui, document: DocumentId, view: &View) {
        if !ui.input(|input| input.pointer.any_down()) {
            *self = Self::default();
        } else if self.before.as_ref().is_none_or(|(before, _)| *before != document) {
            self.before = Some((document, Box::new(view.clone())));
        }
        if self.is_canceled {
            ui.stop_dragging();
        }
    }

    /// Cancels the drag. Returns false if no button is held.
    pub fn cancel(&mut self, view: &mut View) -> bool {
        self.is_canceled = self.before.is_some();
        self.restore(view);
        self.is_canceled
    }

    /// Restores the choices of the view from before the press if the drag is canceled. Call it after the panels have run: a slider takes
    /// the value at the pointer even in the run that ends its drag.
    pub fn restore(&self, view: &mut View) {
        if let Some((_, before)) = self.before.as_ref().filter(|_| self.is_canceled) {
            undo::restore(before, view);
        }
    }
}
