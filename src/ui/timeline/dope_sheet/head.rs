//! Over the names: what is searched in the rows, and whether only those of the selection are shown.

use egui::Ui;

use crate::ui::style::icons;
use crate::ui::widgets::search_field;

use super::state::SheetState;

/// From right to left.
pub fn head_ui(ui: &mut Ui, sheet: &mut SheetState) {
    let label = "Only what is selected";
    if icons::toggle(ui, icons::FILTER, label, sheet.selected_only).on_hover_text("Only the rows of what is selected").clicked() {
        sheet.selected_only = !sheet.selected_only;
    }
    ui.add_space(4.0);
    search_field::search_ui(ui, &mut sheet.search, "Search rows");
}
