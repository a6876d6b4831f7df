//! The curves: the values of the selected nodes over time.

use egui::{Align2, FontId, Rect, Ui};

use super::time_axis::TimeAxis;
use super::{Frame, theme};

pub fn curves_ui(ui: &mut Ui, _frame: &mut Frame, names: Rect, tracks: Rect, _axis: &TimeAxis) {
    let text = "Select a node to see its curves";
    ui.painter().text(
        names.union(tracks).center(),
        Align2::CENTER_CENTER,
        text,
        FontId::proportional(11.0),
        theme::palette(ui.ctx()).secondary,
    );
}
