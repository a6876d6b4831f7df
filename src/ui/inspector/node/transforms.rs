//! Shows the active node's distances, its current local and global transforms, and its rest transform from the file.

use egui::{Modifiers, Ui};
use glam::{Affine3A, DAffine3, DVec3};

use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;
use crate::session::ground_grid;
use crate::session::pose::solve::Posed;
use crate::ui::actions::keys;
use crate::ui::context::Context;
use crate::ui::widgets::value_rows;
use crate::units::{self, DisplayedTrs, Units};

use crate::ui::inspector::bind_pose;
use crate::ui::inspector::groups::Group;

/// Letters above the columns.
const LETTERS: [char; 3] = ['X', 'Y', 'Z'];
const GLOBAL: Group = Group { title: "Global", state: |open| &mut open.global, letters: &LETTERS };
const REST: Group = Group { title: "Rest", state: |open| &mut open.rest, letters: &LETTERS };

/// Draws the local, global and rest transforms, and a note if they are not exact.
pub fn transforms_ui(ui: &mut Ui, context: &mut Context, posed: &Posed, node: NodeIndex) {
    let (model, i) = (&context.document.model, node.index());
    let (hierarchy, units) = (&model.hierarchy, context.preferences.units);
    let fixed = hierarchy.fixed_local[i].as_deref();
    let rest = fixed.map_or(hierarchy.rest[i], Trs::from_matrix);
    let global = &posed.globals[i];
    let affine = Affine3A { matrix3: global.matrix3.as_mat3().into(), translation: global.translation.as_vec3().into() };
    ui.add_space(4.0);
    value_rows::heads_ui(ui, "Local", &LETTERS);
    ui.push_id("Local", |ui| trs_ui(ui, units, &units.trs(&posed.local(model, i))));
    for (group, trs) in [(GLOBAL, Trs::from_matrix(&affine)), (REST, rest)] {
        group.show(ui, context, |ui, _| trs_ui(ui, units, &units.trs(&trs)));
    }
    if fixed.is_some() {
        value_rows::note_ui(ui, "The file stores a matrix. It is shown decomposed, without shear.");
    }
    if has_shear(&posed.local_matrix(model, i)) || has_shear(global) {
        value_rows::note_ui(ui, "The matrix has shear from a parent's scale: rotation and scale are approximate.");
    }
}

/// Draws translation, rotation and scale.
fn trs_ui(ui: &mut Ui, units: Units, trs: &DisplayedTrs) {
    value_rows::numbers_ui(ui, "Translation", &trs.translation.to_array(), units.decimals());
    value_rows::numbers_ui(ui, "Euler XYZ \u{00B0}", &units::euler_degrees(trs.rotation), 1);
    value_rows::numbers_ui(ui, "Scale", &trs.scale.to_array(), 3);
    value_rows::four_numbers_ui(ui, "Quaternion", &trs.rotation.to_array(), 3);
}

/// Returns whether a matrix has shear: its axes are not at right angles. Translation, rotation and scale cannot express shear.
fn has_shear(matrix: &DAffine3) -> bool {
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis].map(DVec3::normalize_or_zero);
    [x.dot(y), y.dot(z), z.dot(x)].into_iter().any(|cosine| cosine.abs() > 1e-3)
}

/// Draws the height above the ground, the difference between rest pose and bind pose, and the distance from the previously selected
/// node.
pub fn distances_ui(ui: &mut Ui, context: &Context, posed: &Posed, node: NodeIndex) {
    let (document, units) = (context.document, context.preferences.units);
    let position = posed.globals[node.index()].translation;
    let height = position.y - ground_grid::height(&context.analyses.crowd_bounds(context.view));
    value_rows::count_ui(ui, "Height", &units.length(height)).on_hover_text("Height above the ground grid");
    if let Some(difference) = context.analyses.rest_differences.iter().find(|difference| difference.joint == node) {
        value_rows::count_ui(ui, "Rest vs. bind pose", &bind_pose::difference_text(units, difference)).on_hover_text(bind_pose::HINT);
    }
    let previous = context.view.selection.iter().rev().filter_map(|&source| document.model.node_from_source(source)).nth(1);
    let Some(previous) = previous else {
        value_rows::text_ui(ui, "Distance", &format!("{}click a second node", keys::held(Modifiers::COMMAND)));
        return;
    };
    let offset = position - posed.globals[previous.index()].translation;
    let hint = format!("From {} to {}", document.model.node(previous).label(), document.model.node(node).label());
    value_rows::text_ui(ui, "From", context.node_name(previous)).on_hover_text(document.model.node(previous).label());
    value_rows::count_ui(ui, "Distance", &units.length(offset.length())).on_hover_text(&hint);
    value_rows::numbers_ui(ui, "Offset", &units.position(offset).to_array(), units.decimals()).on_hover_text(hint);
}
