//! Where the active node is, live: its local and global transforms, and the file's.

use egui::Ui;
use glam::{Affine3A, DAffine3, DVec3};

use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;
use crate::session::pose::solve::Posed;
use crate::ui::context::Context;
use crate::ui::style::units::{self, Parts, Units};

use super::value_rows;

pub fn transforms_ui(ui: &mut Ui, context: &Context, posed: &Posed, node: NodeIndex) {
    let (model, i) = (&context.document.model, node.index());
    let (hierarchy, units) = (&model.hierarchy, context.preferences.units);
    let fixed = hierarchy.fixed_local[i].as_ref();
    let rest = fixed.map_or(hierarchy.rest[i], Trs::from_matrix);
    let global = &posed.globals[i];
    let affine = Affine3A { matrix3: global.matrix3.as_mat3().into(), translation: global.translation.as_vec3().into() };
    let blocks = [("Local", posed.local(model, i)), ("Global", Trs::from_matrix(&affine)), ("Rest", rest)];
    for (head, trs) in blocks {
        parts_ui(ui, head, units, &units.trs(&trs));
    }
    if fixed.is_some() {
        value_rows::empty_ui(ui, "The file gives a matrix here; it is shown taken apart, without shear.");
    }
    if sheared(&posed.local_matrix(model, i)) || sheared(global) {
        value_rows::empty_ui(ui, "Its matrix is sheared by scale above it: rotation and scale only come near.");
    }
}

fn parts_ui(ui: &mut Ui, head: &str, units: Units, parts: &Parts) {
    ui.push_id(head, |ui| {
        ui.add_space(4.0);
        value_rows::heads_ui(ui, head, &['X', 'Y', 'Z']);
        value_rows::numbers_ui(ui, "Translation", &parts.translation.to_array(), units.decimals());
        value_rows::numbers_ui(ui, "Euler XYZ \u{00B0}", &units::degrees(parts.rotation), 1);
        value_rows::numbers_ui(ui, "Scale", &parts.scale.to_array(), 3);
        value_rows::four_numbers_ui(ui, "Quaternion", &parts.rotation.to_array(), 3);
    });
}

/// Whether the axes of a matrix are not at right angles.
fn sheared(matrix: &DAffine3) -> bool {
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis].map(DVec3::normalize_or_zero);
    [x.dot(y), y.dot(z), z.dot(x)].into_iter().any(|cosine| cosine.abs() > 1e-3)
}
