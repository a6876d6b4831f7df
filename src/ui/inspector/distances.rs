//! How high the active node is above the ground, how far from the one that was selected before it, and how it rests otherwise
//! than it was bound.

use egui::{Modifiers, Ui};

use crate::model::node::NodeIndex;
use crate::session::ground_grid;
use crate::session::pose::solve::Posed;
use crate::ui::actions::keys;
use crate::ui::context::Context;

use super::{bind_pose, value_rows};

pub fn distances_ui(ui: &mut Ui, context: &Context, posed: &Posed, node: NodeIndex) {
    let (document, units) = (context.document, context.preferences.units);
    let place = posed.globals[node.index()].translation;
    let height = place.y - ground_grid::height(&document.crowd_bounds(context.view));
    value_rows::count_ui(ui, "Height", &units.length(height)).on_hover_text("Above the ground, where the grid lies");
    if let Some(difference) = document.rest_differences.iter().find(|difference| difference.joint == node) {
        value_rows::count_ui(ui, "Rest to bind", &bind_pose::words_of(units, difference)).on_hover_text(bind_pose::HINT);
    }
    let before = context.view.selection.iter().rev().filter_map(|&source| document.model.node_from_source(source)).nth(1);
    let Some(before) = before else {
        value_rows::text_ui(ui, "Distance", &format!("{}click another node", keys::held(Modifiers::COMMAND)));
        return;
    };
    let offset = place - posed.globals[before.index()].translation;
    let from = format!("From {} to {}", document.model.node(before).label(), document.model.node(node).label());
    value_rows::text_ui(ui, "From", &document.model.node(before).label());
    value_rows::count_ui(ui, "Distance", &units.length(offset.length())).on_hover_text(&from);
    value_rows::numbers_ui(ui, "Offset", &units.place(offset).to_array(), units.decimals()).on_hover_text(from);
}
