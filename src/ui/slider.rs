//! A slider whose rail is seen on a panel of either theme, in the accent up to where it stands.

use egui::{Response, Slider, Ui};

use super::theme;

pub fn slider_ui(ui: &mut Ui, slider: Slider) -> Response {
    let palette = theme::palette(ui.ctx());
    ui.scope(|ui| {
        ui.visuals_mut().widgets.inactive.bg_fill = palette.divider;
        ui.visuals_mut().selection.bg_fill = palette.accent;
        ui.add(slider.trailing_fill(true))
    })
    .inner
}
