//! Dividers between areas, and how the keyboard moves them.

use egui::{CursorIcon, EventFilter, Id, Key, Rect, Role, Sense, Ui, WidgetInfo};

use super::list;

/// Distance that an arrow key moves a divider, in points.
const KEY_STEP: f32 = 8.0;

/// The axis along which a divider moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Horizontal,
    Vertical,
}

/// A line between two areas. It is moved by a drag or, while it has the keyboard focus, by the arrow keys.
pub struct Divider<'a> {
    /// The name for screen readers.
    pub label: &'a str,
    pub axis: Axis,
    /// Where the line can be grabbed.
    pub grip: Rect,
    /// The coordinate that the line is drawn at, along the axis.
    pub line: f32,
    /// The coordinate that moves, along the axis.
    pub at: f32,
}

impl Divider<'_> {
    /// Draws the line across its grip. Returns the new coordinate while the line is moved.
    pub fn show(&self, ui: &Ui, list_focused: &mut bool) -> Option<f32> {
        let cursor = if self.axis == Axis::Horizontal { CursorIcon::ResizeHorizontal } else { CursorIcon::ResizeVertical };
        let response = ui.interact(self.grip, ui.scope_id().with(self.label), Sense::drag()).on_hover_cursor(cursor);
        response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, self.label));
        let is_highlighted = response.hovered() || response.dragged();
        let stroke = if is_highlighted { ui.visuals().widgets.hovered } else { ui.visuals().widgets.noninteractive }.bg_stroke;
        match self.axis {
            Axis::Horizontal => ui.painter().vline(self.line, self.grip.y_range(), stroke),
            Axis::Vertical => ui.painter().hline(self.grip.x_range(), self.line, stroke),
        };
        let key_move = key_move(ui, list_focused, response.id, self.axis);
        let pointer = response.interact_pointer_pos().filter(|_| response.dragged());
        let pointer = pointer.map(|pointer| if self.axis == Axis::Horizontal { pointer.x } else { pointer.y });
        pointer.or((key_move != 0.0).then_some(self.at + key_move))
    }
}

/// The distance that the arrow keys move the divider `id`, in points: to the right or down if positive. It is 0 unless the divider has the
/// keyboard focus, in which case it also receives the arrow keys of the next frame (`list_focused`).
pub fn key_move(ui: &Ui, list_focused: &mut bool, id: Id, axis: Axis) -> f32 {
    if !ui.memory(|memory| memory.has_focus(id)) {
        return 0.0;
    }
    *list_focused = true;
    let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
    let [back, forth] = match axis {
        Axis::Horizontal => [Key::ArrowLeft, Key::ArrowRight],
        Axis::Vertical => [Key::ArrowUp, Key::ArrowDown],
    };
    let step = |key: Key| match key {
        _ if key == back => -KEY_STEP,
        _ if key == forth => KEY_STEP,
        _ => 0.0,
    };
    list::arrows(ui).into_iter().map(|(key, _)| step(key)).sum()
}
