//! A slider whose rail is visible in both themes. The part of the rail up to the value has the accent color.

use egui::{PointerButton, Response, Slider, Ui};

use crate::ui::context::window_state::WindowState;
use crate::ui::style::theme;

/// Draws the slider with the theme's colors. Sets `list_focused` while the slider has the keyboard focus, because it uses the arrow keys.
pub fn slider_ui(ui: &mut Ui, list_focused: &mut bool, slider: Slider) -> Response {
    let palette = theme::palette(ui.ctx());
    let slider = ui.scope(|ui| {
        ui.visuals_mut().widgets.inactive.bg_fill = palette.divider;
        ui.visuals_mut().selection.bg_fill = palette.accent;
        ui.add(slider.trailing_fill(true))
    });
    *list_focused |= slider.inner.has_focus();
    slider.inner
}

/// Returns whether the rail was double-clicked. Callers then reset the value. A double click on the number beside the rail does not count.
/// The first click sets the value, so this also sets [`WindowState::is_rail_clicked`].
pub fn handle_double_click(ui: &Ui, window: &mut WindowState, slider: &Response) -> bool {
    let rail = slider.rect.with_max_x(slider.rect.right().min(slider.rect.left() + ui.spacing().slider_width));
    let pointer = ui.input(|input| input.pointer.clone());
    let is_on_rail = slider.contains_pointer() && pointer.interact_pos().is_some_and(|pointer| rail.contains(pointer));
    let is_clicked = is_on_rail && pointer.button_clicked(PointerButton::Primary);
    let is_double_clicked = is_clicked && pointer.button_double_clicked(PointerButton::Primary);
    if is_clicked {
        window.is_rail_clicked = !is_double_clicked;
    }
    is_double_clicked
}
