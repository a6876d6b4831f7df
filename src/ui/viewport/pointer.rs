//! Drags and scrolling over the viewport, or over a half of it: they move the camera or draw a selection box.

use egui::{CursorIcon, Event, Modifiers, PointerButton, Pos2, Rect, Response, Stroke, StrokeKind, Ui};
use glam::DVec2;

use crate::session::document::DocumentId;
use crate::session::view::ViewCamera;
use crate::session::view::selection::SelectMode;
use crate::ui::actions::navigation::{self, Gesture};
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::style::theme;

/// Maximum distance, in points, at which two clicks count as clicks at the same position.
pub const MAX_CLICK_DISTANCE: f64 = 4.0;

/// A drag in the viewport. `from` is the position at which it began, in points of the window.
#[derive(Debug, Clone, Copy)]
pub struct Drag {
    button: PointerButton,
    gesture: Gesture,
    from: Pos2,
    /// The camera before the drag, and the document that it belongs to.
    camera: ViewCamera,
    document: DocumentId,
}

impl Drag {
    /// Moves the camera back, unless the file was reloaded during the drag: a camera of the file may have another index then.
    pub fn restore_camera(&self, context: &mut Context) {
        if self.document == context.document.id {
            context.view.camera = self.camera;
        }
    }
}

/// Handles drags over the viewport, or a half of it. Drags that move the camera take effect immediately. When a selection box is released,
/// returns its corners in points from the corner of `rect`, and how it changes the selection.
pub fn drag_ui(
    ui: &Ui,
    context: &mut Context,
    drag: &mut Option<Drag>,
    response: &Response,
    rect: Rect,
) -> Option<([DVec2; 2], SelectMode)> {
    let modifiers = ui.input(|input| input.modifiers);
    for button in [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary] {
        if response.drag_started_by(button)
            && let Some(gesture) = navigation::gesture(context.preferences.navigation, button, modifiers)
        {
            let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(rect.center());
            *drag = Some(Drag { button, gesture, from, camera: context.view.camera, document: context.document.id });
        }
    }
    let Drag { button, gesture, from, .. } = (*drag)?;
    if response.dragged_by(button) && gesture != Gesture::Select {
        let delta = response.drag_delta();
        camera::change_orbit(context, |orbit| navigation::drag(orbit, gesture, delta, rect.size()));
        ui.ctx().set_cursor_icon(if gesture == Gesture::Orbit { CursorIcon::Grabbing } else { CursorIcon::Move });
    }
    if !response.drag_stopped_by(button) && response.dragged() {
        return None;
    }
    *drag = None;
    let to = response.interact_pointer_pos().filter(|_| gesture == Gesture::Select)?;
    let selected = Rect::from_two_pos(from, to);
    let mode = if modifiers.shift { SelectMode::Add } else { SelectMode::Only };
    Some(([point_in(rect, selected.min), point_in(rect, selected.max)], mode))
}

/// Draws the selection box of a drag.
pub fn selection_box_ui(ui: &Ui, drag: Option<Drag>, response: Option<&Response>, rect: Rect) {
    let Some(Drag { gesture: Gesture::Select, from, .. }) = drag else { return };
    let Some(to) = response.and_then(Response::interact_pointer_pos) else { return };
    let accent = theme::palette(ui.ctx()).accent;
    let selected = Rect::from_two_pos(from, to);
    ui.painter_at(rect).rect(selected, 0.0, accent.gamma_multiply(0.15), Stroke::new(1.0, accent), StrokeKind::Inside);
}

/// How a click changes the selection.
pub fn select_mode(modifiers: Modifiers) -> SelectMode {
    if modifiers.command {
        SelectMode::Toggle
    } else if modifiers.shift {
        SelectMode::Add
    } else {
        SelectMode::Only
    }
}

/// Applies the wheel and touchpad events of this frame to the camera.
pub fn apply_scroll(ui: &Ui, context: &mut Context, pointer: Pos2, rect: Rect) {
    let is_scroll = |event: &&Event| matches!(event, Event::MouseWheel { .. } | Event::Zoom(_));
    let events: Vec<_> = ui.input(|input| input.events.iter().filter(is_scroll).cloned().collect());
    for event in events {
        camera::change_orbit(context, |orbit| navigation::scroll(orbit, &event, pointer, rect).unwrap_or(*orbit));
    }
}

/// A position in points from the viewport's top left corner.
pub fn point_in(rect: Rect, position: Pos2) -> DVec2 {
    DVec2::new(f64::from(position.x - rect.left()), f64::from(position.y - rect.top()))
}
