//! Over the names: what is searched in the rows, and whether only those of the selection are shown.

use egui::{Align, Layout, Rect, Ui, UiBuilder};

use crate::ui::{Frame, icons, search_field, snapping, theme};

pub fn head_ui(ui: &mut Ui, frame: &mut Frame, rect: Rect, with_search: bool) {
    let row = UiBuilder::new().id_salt("rows").max_rect(rect.shrink2(egui::vec2(theme::MARGIN, 0.0)));
    let ui = &mut ui.new_child(row.layout(Layout::right_to_left(Align::Center)));
    ui.spacing_mut().item_spacing.x = 2.0;
    snapping::snap_ui(ui, frame);
    if !with_search {
        return;
    }
    let sheet = &mut frame.state.sheet;
    let label = "Only what is selected";
    if icons::toggle(ui, icons::FILTER, label, sheet.selected_only).on_hover_text("Only the rows of what is selected").clicked() {
        sheet.selected_only = !sheet.selected_only;
    }
    ui.add_space(4.0);
    search_field::search_ui(ui, &mut sheet.search, "Search rows");
}
