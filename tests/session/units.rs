//! Compares centimeters and z up with Blender's conversion, which rotates the scene by 90 degrees about x.

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3A};

use sinew::model::hierarchy::Trs;
use sinew::units::{LengthUnit, Units, UpAxis};

const SHOWN: Units = Units { length: LengthUnit::Centimeters, up: UpAxis::Z };

fn shown_from_file() -> DAffine3 {
    DAffine3::from_rotation_x(std::f64::consts::FRAC_PI_2) * DAffine3::from_scale(DVec3::splat(100.0))
}

fn trs() -> Trs {
    Trs {
        translation: Vec3A::new(0.1, 2.0, -0.3),
        rotation: Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-1.1),
        scale: Vec3A::new(1.0, 2.0, 3.0),
    }
}

#[test]
fn a_displayed_matrix_transforms_displayed_vectors() {
    let file = trs().to_matrix();
    let want = shown_from_file() * file * shown_from_file().inverse();
    assert!(SHOWN.matrix(&file).abs_diff_eq(want, 1e-9), "{:?} for {want:?}", SHOWN.matrix(&file));
    assert_eq!(Units::default().matrix(&file), file);
}

#[test]
fn the_converted_transform_equals_the_converted_matrix() {
    let parts = SHOWN.trs(&trs());
    let together = DAffine3::from_scale_rotation_translation(parts.scale, parts.rotation, parts.translation);
    assert!(together.abs_diff_eq(SHOWN.matrix(&trs().to_matrix()), 1e-5), "{together:?}");
    let same = Units::default().trs(&trs());
    assert_eq!(same.rotation, DQuat::from_array(trs().rotation.to_array().map(f64::from)), "number by number as the file has it");
}

#[test]
fn y_becomes_z_and_z_becomes_minus_y() {
    assert_eq!(SHOWN.position(DVec3::Y), DVec3::Z * 100.0);
    assert_eq!(SHOWN.position(DVec3::Z), DVec3::NEG_Y * 100.0);
    assert_eq!(SHOWN.length(0.5321), "53.2 cm");
    assert_eq!(Units::default().length(0.5321), "0.532 m");
}
