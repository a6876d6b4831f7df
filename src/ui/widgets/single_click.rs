//! Clicks on a button that puts another button in its own place, such as the one that deletes a row.

use egui::{Event, Key, Response};

/// Returns whether the button was clicked, but not by the following click of a double click or by a held key, which would hit the button
/// that is now in its place.
pub fn clicked_once(button: &Response) -> bool {
    let is_repeat = |event: &Event| matches!(event, Event::Key { key: Key::Enter | Key::Space, repeat: true, pressed: true, .. });
    let is_held = || button.ctx.input(|input| input.events.iter().any(is_repeat));
    button.clicked() && !button.double_clicked() && !button.triple_clicked() && !is_held()
}
