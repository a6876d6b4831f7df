//! Compares the bind pose with the inverses of the inverse bind matrices, which are computed here by an independent method.

use glam::{Affine3A, DAffine3, EulerRot, Quat, Vec3, Vec3A};

use sinew::animation::hierarchy::bind_pose;
use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::model::Model;
use sinew::model::hierarchy::Trs;
use sinew::model::node::NodeIndex;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::transport::Transport;
use sinew::session::view::View;
use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::playback_range;

use crate::common::hand_made;
use crate::common::reference::{self, Matrix};

/// Inverts a matrix by Gauss-Jordan elimination with pivots.
fn inverse(matrix: &Matrix) -> Matrix {
    let (mut a, mut b) = (*matrix, reference::IDENTITY);
    for column in 0..4 {
        let pivot = (column..4).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs())).unwrap();
        a.swap(column, pivot);
        b.swap(column, pivot);
        let by = a[column][column];
        for k in 0..4 {
            a[column][k] /= by;
            b[column][k] /= by;
        }
        for row in (0..4).filter(|row| *row != column) {
            let by = a[row][column];
            for k in 0..4 {
                a[row][k] -= by * a[column][k];
                b[row][k] -= by * b[column][k];
            }
        }
    }
    b
}

fn of_f32(matrix: &Affine3A) -> Matrix {
    rows(&matrix.as_daffine3())
}

fn rows(matrix: &DAffine3) -> Matrix {
    let m = glam::DMat4::from(*matrix);
    [0, 1, 2, 3].map(|row| m.row(row).to_array())
}

fn assert_close(got: &Matrix, want: &Matrix, what: &str) {
    for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
        assert!((got - want).abs() < 1e-5 * want.abs().max(1.0), "{what}: {got} is not {want}");
    }
}

/// Builds a rig that is bound in one pose and rests in another, below a parent that is rotated and scaled. It has two skins; the second one
/// lists only the arm and the hand, in its own mesh space. "Twist" lies between joints but is not a joint, and neither is "Hat".
///
/// Armature 0 - Hips 1 - Spine 2 - Twist 3 - Arm 4 - Hand 5; Spine - Hat 6; Hips - Leg 7
fn rig() -> Model {
    let nodes = [
        ("Armature", None),
        ("Hips", Some(0)),
        ("Spine", Some(1)),
        ("Twist", Some(2)),
        ("Arm", Some(3)),
        ("Hand", Some(4)),
        ("Hat", Some(2)),
        ("Leg", Some(1)),
    ];
    let mut model = hand_made::tree(&nodes.map(|(name, parent)| (name.to_string(), parent)));
    model.hierarchy.rest[0] = Trs {
        translation: Vec3A::new(0.03, 0.0, -0.01),
        rotation: Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
        scale: Vec3A::splat(0.01),
    };
    for (i, rest) in model.hierarchy.rest.iter_mut().enumerate().skip(1) {
        rest.rotation = Quat::from_rotation_z(0.3 * i as f32) * Quat::from_rotation_y(0.2);
    }
    hand_made::add_skin(&mut model, &[1, 2, 4, 5, 7]);
    hand_made::add_skin(&mut model, &[4, 5]);
    // The joints are bound one meter apart along each limb, with a rotation that depends on their position. The second skin is in
    // centimeters.
    let place = |x: f32, y: f32| Affine3A::from_rotation_translation(Quat::from_euler(EulerRot::XYZ, x, y, 0.5), Vec3::new(x, y, 0.5));
    let bound = [place(0.0, 1.0), place(0.0, 2.0), place(1.0, 2.0), place(2.0, 2.0), place(0.0, 0.0)];
    model.skins[0].inverse_bind_matrices = bound.map(|at| at.inverse()).to_vec();
    let hundredfold = Affine3A::from_scale(Vec3::splat(100.0));
    model.skins[1].inverse_bind_matrices = [bound[2], bound[3]].map(|at| (hundredfold * at).inverse()).to_vec();
    model
}

fn bound_view() -> View {
    View { animation: Some(0), bind_pose: true, ..View::default() }
}

fn posed(model: &Model, view: &View) -> Posed {
    let mut posed = Posed::new(model);
    solve::solve(model, view, 0.3, &mut posed);
    posed
}

#[test]
fn relative_joint_transforms_match_the_inverse_bind_matrices() {
    let model = rig();
    let rest = reference::pose(&model, None, 0.0).globals;
    let posed = posed(&model, &bound_view());
    let bind = |entry: usize| inverse(&of_f32(&model.skins[0].inverse_bind_matrices[entry]));
    // The topmost joint keeps its rest transform, which determines where the mesh is.
    let world_from_mesh = reference::multiply(&rest[1], &of_f32(&model.skins[0].inverse_bind_matrices[0]));
    for (entry, joint) in [1, 2, 4, 5, 7].into_iter().enumerate() {
        let want = reference::multiply(&world_from_mesh, &bind(entry));
        assert_close(&rows(&posed.globals[joint]), &want, &format!("joint {joint}"));
        assert_close(&rows(&posed.joint_transforms[entry]), &world_from_mesh, "one matrix moves all of the mesh");
    }
    // A node that is not a joint keeps its rest transform relative to its parent.
    let hat_to_spine = reference::multiply(&inverse(&rest[2]), &rest[6]);
    let want = reference::multiply(&rows(&posed.globals[2]), &hat_to_spine);
    assert_close(&rows(&posed.globals[6]), &want, "the hat");
    // The first skin determines the poses of the joints that both skins have, so the mesh of the second skin moves as a whole.
    assert_close(&rows(&posed.joint_transforms[5]), &rows(&posed.joint_transforms[6]), "the second skin");
}

#[test]
fn local_transforms_are_those_of_the_bind_pose() {
    let mut model = rig();
    model.hierarchy.fixed_local[5] = Some(Box::new(Affine3A::from_translation(Vec3::X)));
    let posed = posed(&model, &bound_view());
    for node in 1..model.nodes.len() {
        let parent = model.hierarchy.parents[node].unwrap().index();
        let product = posed.globals[parent] * posed.local_matrix(&model, node);
        assert_close(&rows(&product), &rows(&posed.globals[node]), "parent times local");
        let taken_apart = posed.globals[parent] * posed.local(&model, node).to_matrix();
        assert_close(&rows(&taken_apart), &rows(&posed.globals[node]), "the product of translation, rotation and scale");
    }
}

#[test]
fn a_hand_that_rests_away_from_its_bind_pose_is_reported() {
    let mut model = hand_made::tree(&["Hips", "Arm", "Hand"].map(|name| (name.to_string(), None)));
    model.hierarchy.parents = vec![None, Some(NodeIndex(0)), Some(NodeIndex(1))];
    model.hierarchy.subtree_ends = vec![3, 3, 3];
    model.hierarchy.rest = vec![
        Trs { scale: Vec3A::splat(2.0), ..Trs::IDENTITY },
        Trs { translation: Vec3A::Y, ..Trs::IDENTITY },
        Trs { translation: Vec3A::new(0.25, 1.0, 0.0), rotation: Quat::from_rotation_x(40f32.to_radians()), scale: Vec3A::splat(1.5) },
    ];
    hand_made::add_skin(&mut model, &[0, 1, 2]);
    let up = |y: f32| Affine3A::from_translation(Vec3::new(0.0, -y, 0.0));
    model.skins[0].inverse_bind_matrices = vec![up(0.0), up(1.0), up(2.0)];
    let rest_globals = Posed::new(&model).globals;
    let differences = bind_pose::differences(&model, &rest_globals);
    assert_eq!(differences.iter().map(|difference| difference.joint.0).collect::<Vec<_>>(), [1, 2]);
    let [arm, hand] = [differences[0], differences[1]];
    assert!(arm.angle < 1e-6 && arm.distance < 1e-6 && (arm.scale - 1.0).abs() < 1e-6, "{arm:?}");
    assert!((hand.angle.to_degrees() - 40.0).abs() < 1e-4, "{hand:?}");
    assert!((hand.distance - 0.5).abs() < 1e-6, "a quarter of a meter, twice as large in the world: {hand:?}");
    assert!((hand.scale - 1.5).abs() < 1e-6, "{hand:?}");
}

#[test]
fn singular_inverse_bind_matrices_are_treated_as_missing() {
    let mut model = rig();
    model.skins[1].joints.clear();
    model.skins[0].inverse_bind_matrices[1] = Affine3A::ZERO;
    let posed = posed(&model, &bound_view());
    assert!(posed.globals.iter().all(DAffine3::is_finite));
    let spine_to_hips = posed.compiled.rest_globals[1].inverse() * posed.compiled.rest_globals[2];
    assert_close(&rows(&(posed.globals[1] * spine_to_hips)), &rows(&posed.globals[2]), "the spine follows the hips");
    let arm_to_hips = reference::multiply(&rows(&posed.globals[1].inverse()), &rows(&posed.globals[4]));
    let first = of_f32(&model.skins[0].inverse_bind_matrices[0]);
    let want = reference::multiply(&first, &inverse(&of_f32(&model.skins[0].inverse_bind_matrices[2])));
    assert_close(&arm_to_hips, &want, "the arm is bound to the hips");
    // One joint is listed twice, and another one is no longer in any skin.
    let mut model = rig();
    model.skins[0].joints[4] = model.skins[0].joints[3];
    posed_is_finite(&model);
}

fn posed_is_finite(model: &Model) {
    assert!(posed(model, &bound_view()).globals.iter().all(DAffine3::is_finite));
}

/// Asserts that a reused pose equals a fresh one.
fn assert_equals_fresh_pose(model: &Model, view: &View, posed: &mut Posed) {
    solve::solve(model, view, 0.3, posed);
    let mut fresh = Posed::new(model);
    solve::solve(model, view, 0.3, &mut fresh);
    assert_eq!(posed.palette, fresh.palette);
    assert_eq!(posed.globals, fresh.globals);
    assert_eq!(posed.pose, fresh.pose);
}

#[test]
fn a_pose_after_the_bind_pose_equals_a_fresh_one() {
    for model in [rig(), hand_made::bending_box()] {
        let mut posed = Posed::new(&model);
        for bind_pose in [false, true, false, true, false] {
            let view = View { bind_pose, animation: (!model.animations.is_empty()).then_some(0), ..View::default() };
            assert_equals_fresh_pose(&model, &view, &mut posed);
        }
    }
}

#[test]
fn unanimated_joints_regain_their_influence_when_it_is_switched_on() {
    let model = rig();
    let mut posed = Posed::new(&model);
    let mut view = View::default();
    assert_equals_fresh_pose(&model, &view, &mut posed);
    let before: Vec<JointMatrix> = posed.palette.clone();
    joint_switches::set(&mut view.switches, model.nodes[4].source, Column::Influence, |switch| switch.on = false);
    assert_equals_fresh_pose(&model, &view, &mut posed);
    assert_ne!(posed.palette, before);
    view.switches.clear();
    assert_equals_fresh_pose(&model, &view, &mut posed);
    assert_eq!(posed.palette, before);
}

#[test]
fn the_bind_pose_does_not_play_and_ends_when_an_animation_is_chosen() {
    let model = hand_made::bending_box();
    let mut view = bound_view();
    let mut transport = Transport::default();
    transport.seek(&model, &view, 0.4);
    transport.head.playing = true;
    transport.advance(&model, &view, 0.2);
    assert_eq!(transport.time(), 0.4);
    assert!(!playback_range::moves(&model, &view));
    view.choose_animation(Some(0));
    assert!(!view.bind_pose && playback_range::moves(&model, &view));
}
