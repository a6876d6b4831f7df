//! Shows one matrix of the active node. The user chooses the matrix.

use egui::Ui;

use crate::model::node::NodeIndex;
use crate::session::inspect::matrices::{self, Matrix};
use crate::session::pose::solve::Posed;
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::icons;
use crate::ui::widgets::{combo_box, value_rows};

/// Draws the picker and the chosen matrix.
pub fn matrices_ui(ui: &mut Ui, chosen: &mut Matrix, context: &mut Context, posed: &Posed, node: NodeIndex) {
    let (document, units) = (context.document, context.preferences.units);
    let all = matrices::of_node(&document.model, node);
    // If the node lacks the chosen matrix, its global matrix is shown. The choice is kept for the next node that has the chosen matrix.
    let shown = if all.contains(chosen) { *chosen } else { Matrix::Global };
    let Some(matrix) = shown.value(document, posed, node) else { return };
    let matrix = units.matrix(&matrix);
    value_rows::control_ui(ui, "Matrix", |ui| {
        let width = ui.available_width() - icons::BUTTON_SIDE - ui.spacing().item_spacing.x;
        combo_box::combo_ui(ui, "Matrix", width, &shown.label(), |ui| {
            for choice in &all {
                ui.selectable_value(chosen, *choice, choice.label());
            }
        });
        if icons::button(ui, icons::COPY, "Copy matrix").on_hover_text("Copy matrix (row by row)").clicked() {
            context.requests.push(Request::CopyText(matrices::text(units, &shown.label(), &matrix)));
        }
    });
    for (name, row) in ["first", "second", "third"].into_iter().zip(matrices::by_rows(&matrix)) {
        value_rows::wide_numbers_ui(ui, &format!("Matrix, {name} row"), &row, 3);
    }
}
