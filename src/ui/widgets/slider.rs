//! A slider whose rail is seen on a panel of either theme, in the accent up to where it stands.

use egui::{PointerButton, Response, Slider, Ui};

use crate::ui::style::theme;

pub fn slider_ui(ui: &mut Ui, slider: Slider) -> Response {
    let palette = theme::palette(ui.ctx());
    ui.scope(|ui| {
        ui.visuals_mut().widgets.inactive.bg_fill = palette.divider;
        ui.visuals_mut().selection.bg_fill = palette.accent;
        ui.add(slider.trailing_fill(true))
    })
    .inner
}

/// Whether its rail was clicked twice, which goes back to what it is by itself. Its number is opened by a click.
pub fn double_clicked(ui: &Ui, slider: &Response) -> bool {
    let rail = slider.rect.with_max_x(slider.rect.right().min(slider.rect.left() + ui.spacing().slider_width));
    let pointer = ui.input(|input| input.pointer.clone());
    slider.contains_pointer()
        && pointer.button_double_clicked(PointerButton::Primary)
        && pointer.interact_pos().is_some_and(|at| rail.contains(at))
}
