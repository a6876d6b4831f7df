//! Where the active node is, live: its local and global transforms, and the file's.

use egui::Ui;
use glam::{Affine3A, DVec3, EulerRot, Quat};

use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;
use crate::session::posing::Posed;
use crate::ui::actions::Action;
use crate::ui::{Frame, copying};

use super::rows;

pub fn transforms_ui(ui: &mut Ui, frame: &mut Frame, posed: &Posed, node: NodeIndex) {
    let (model, i) = (&frame.document.model, node.index());
    let hierarchy = &model.hierarchy;
    let fixed = hierarchy.fixed_local[i].as_ref();
    let local = posed.local(model, i);
    let rest = fixed.map_or(hierarchy.rest[i], Trs::from_matrix);
    let global = &posed.globals[i];
    let affine = Affine3A { matrix3: global.matrix3.as_mat3().into(), translation: global.translation.as_vec3().into() };
    trs_ui(ui, "Local", &local);
    trs_ui(ui, "Global", &Trs::from_matrix(&affine));
    trs_ui(ui, "Rest", &rest);
    if fixed.is_some() {
        rows::empty_ui(ui, "The file gives a matrix here; it is shown taken apart, without shear.");
    }
    if sheared(&posed.local_matrix(model, i)) || sheared(global) {
        rows::empty_ui(ui, "Its matrix is sheared by scale above it: rotation and scale only come near.");
    }
    rows::control_ui(ui, "", |ui| {
        if ui.button("Copy transforms").on_hover_text(Action::CopyValues.tooltip()).clicked() {
            copying::copy_values(frame);
        }
    });
}

fn trs_ui(ui: &mut Ui, head: &str, trs: &Trs) {
    ui.push_id(head, |ui| {
        ui.add_space(4.0);
        rows::heads_ui(ui, head, &['X', 'Y', 'Z']);
        rows::numbers_ui(ui, "Translation", &trs.translation.as_dvec3().to_array(), 3);
        rows::numbers_ui(ui, "Rotation \u{00B0}", &degrees(trs.rotation), 1);
        rows::numbers_ui(ui, "Scale", &trs.scale.as_dvec3().to_array(), 3);
        let q = trs.rotation.as_dquat();
        rows::numbers_ui(ui, "Quaternion", &[q.x, q.y, q.z, q.w], 3);
    });
}

/// About the fixed axes X, then Y, then Z: what Blender calls XYZ.
pub fn degrees(rotation: Quat) -> [f64; 3] {
    let (z, y, x) = rotation.as_dquat().to_euler(EulerRot::ZYX);
    [x, y, z].map(f64::to_degrees)
}

/// Whether the axes of a matrix are not at right angles.
fn sheared(matrix: &glam::DAffine3) -> bool {
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis].map(DVec3::normalize_or_zero);
    [x.dot(y), y.dot(z), z.dot(x)].into_iter().any(|cosine| cosine.abs() > 1e-3)
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::degrees;

    #[test]
    fn angles_turn_about_x_then_y_then_z() {
        let [x, y, z] = [20f32, -35.0, 110.0].map(f32::to_radians);
        // As a composition, not by the function under test: the rotation about Z is applied last.
        let rotation = Quat::from_axis_angle(Vec3::Z, z) * Quat::from_axis_angle(Vec3::Y, y) * Quat::from_axis_angle(Vec3::X, x);
        for (got, wanted) in degrees(rotation).into_iter().zip([20.0, -35.0, 110.0]) {
            assert!((got - wanted).abs() < 1e-3, "{got} is not {wanted}");
        }
    }
}
