//! The bind pose section: a switch that shows the bind pose, and the joints whose rest pose differs from it, largest rotation first.

use egui::Ui;

use crate::animation::hierarchy::bind_pose::Difference;
use crate::numbers;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::actions::Action;
use crate::ui::context::Context;
use crate::ui::widgets::value_rows;
use crate::units::Units;

use super::list_rows::switch_row_ui;
use super::list_rows::{self, Row};

/// Tooltip of a difference between rest pose and bind pose.
pub const HINT: &str = "Difference between rest pose and bind pose, relative to the parent joint";

/// Draws the section: the switch, then one clickable row for each joint whose rest pose differs.
pub fn bind_pose_ui(ui: &mut Ui, context: &mut Context) {
    switch_row_ui(ui, context, "Show", Action::BindPose);
    let document = context.document;
    let differences = &*context.analyses.rest_differences;
    if differences.is_empty() {
        value_rows::text_ui(ui, "Rest pose", "Matches bind pose");
        return;
    }
    let summary = format!("{} of {} joints differ", numbers::grouped(differences.len()), numbers::grouped(document.posed_joints()));
    value_rows::text_ui(ui, "Rest pose", &summary).on_hover_text(HINT);
    list_rows::rows_ui(ui, differences.len(), |ui, i, rect| {
        let (difference, node) = (&differences[i], document.model.node(differences[i].joint));
        let (name, whole) = (context.node_name(difference.joint).to_owned(), node.label());
        let value = difference_text(context.preferences.units, difference);
        let accessible_name = format!("{whole}: rest pose differs from bind pose by {value}");
        let row = Row {
            name: &name,
            value: &value,
            selected: context.view.selection.contains(&node.source),
            details: if name == whole { "" } else { &whole },
            accessible_name: &accessible_name,
        };
        if list_rows::row_ui(ui, rect, ("differs", i), &row).clicked() {
            selection::select(&mut context.view.selection, node.source, SelectMode::Only);
        }
    });
}

/// A difference as text: angle and distance ("12.3°, 0.010 m"), then the scale if it differs.
pub fn difference_text(units: Units, difference: &Difference) -> String {
    let moved = format!("{:.1}\u{00B0}, {}", difference.angle.to_degrees(), units.length(difference.distance));
    if (difference.scale - 1.0).abs() < 5e-4 { moved } else { format!("{moved}, x{:.3}", difference.scale) }
}
