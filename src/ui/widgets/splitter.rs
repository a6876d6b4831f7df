//! Moves dividers with the keyboard.

use egui::{EventFilter, Id, Key, Ui};

use super::list;

/// Distance that an arrow key moves a divider, in points.
const KEY_STEP: f32 = 8.0;

/// The axis along which a divider moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Horizontal,
    Vertical,
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
