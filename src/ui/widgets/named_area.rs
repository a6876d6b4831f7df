//! Gives areas that are painted without widgets a name for screen readers.

use egui::{Rect, Role, Sense, Ui, WidgetInfo};

/// Names an area, such as that of a legend. `id` is unique within `ui`.
pub fn name_area(ui: &Ui, area: Rect, id: &str, accessible_name: &str) {
    let response = ui.interact(area, ui.make_persistent_id(id), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, accessible_name));
}
