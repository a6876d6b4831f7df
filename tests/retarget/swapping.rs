//! Tests that the user's choices stay when files of animations are added, removed or read again.

use glam::{Affine3A, Mat3, Vec3, vec3};
use sinew::model::Model;
use sinew::model::animation::{Animation, Interpolation, Target};
use sinew::model::node::NodeIndex;
use sinew::retarget::carry::{CarriedFile, with_animations};
use sinew::session::file::borrowed_memory::{BorrowedMemory, RememberedFile};
use sinew::session::file::remap::remap_view;
use sinew::session::view::View;
use sinew::session::view::layers::Layer;
use sinew::session::view::retarget::Retarget;

use crate::common::odd_rigs::MIXAMO;
use crate::rig::{animation, channel, figure, model};

/// Builds the figure with one animation of its own and the animations of `files`. An entry of `files` is the name of a file and the number
/// of its animations. All animations have the same name, like those of Mixamo.
fn with_files(files: &[(&str, usize)]) -> Model {
    let own = Model { animations: vec![animation("mixamo.com", Vec::new())], ..model(&figure(&MIXAMO)) };
    let animations = |count: usize| -> Vec<Animation> { (0..count).map(|_| animation("mixamo.com", Vec::new())).collect() };
    let file = |&(name, count): &(&str, usize)| CarriedFile {
        name: name.into(),
        path: name.into(),
        animations: animations(count),
        ..CarriedFile::default()
    };
    with_animations(own, files.iter().map(file).collect())
}

#[test]
fn animations_of_added_files_are_numbered_after_the_models_own_and_know_their_file() {
    let model = with_files(&[("a.glb", 2), ("b.glb", 0), ("c.glb", 1)]);
    assert_eq!((model.animations.len(), model.own_animation_count()), (4, 1));
    assert_eq!((0..4).map(|at| model.file_of_animation(at)).collect::<Vec<_>>(), [None, Some(0), Some(0), Some(2)]);
    let again = with_animations(model, Vec::new());
    assert_eq!((again.animations.len(), again.borrowed.len()), (1, 0));
}

#[test]
fn a_node_gets_its_matrix_back_when_the_animations_that_move_it_are_removed() {
    let sheared = Affine3A::from_mat3(Mat3::from_cols(Vec3::X, vec3(0.5, 1.0, 0.0), Vec3::Z));
    let mut own = model(&figure(&MIXAMO));
    own.hierarchy.fixed_local[1] = Some(Box::new(sheared));
    let turn = channel(Target::Rotation(NodeIndex(1)), Interpolation::Step, &[0.0], vec![0.0, 0.0, 0.0, 1.0]);
    let file = CarriedFile { animations: vec![animation("turn", vec![turn])], ..CarriedFile::default() };
    let matrix = |model: &Model| model.hierarchy.fixed_local[1].as_deref().copied();
    let moved = with_animations(own, vec![file.clone()]);
    assert_eq!(matrix(&moved), None);
    let moved = with_animations(moved, vec![file]);
    assert_eq!(matrix(&moved), None, "another file of animations moves the node, too");
    assert_eq!(matrix(&with_animations(moved, Vec::new())), Some(sheared));
}

#[test]
fn animations_of_equal_names_stay_chosen_when_an_earlier_file_is_removed() {
    let [before, after] = [with_files(&[("a.glb", 2), ("b.glb", 2)]), with_files(&[("b.glb", 2)])];
    let layer = |animation| Layer { animation, ..Layer::default() };
    let view = View { animation: Some(4), playlist: vec![0, 3], layers: vec![layer(2), layer(3)], ..View::default() };
    let view = remap_view(view, &before, &after);
    assert_eq!((view.animation, view.playlist, view.layers), (Some(2), vec![0, 1], vec![layer(1)]));
}

#[test]
fn files_are_remembered_for_each_model_within_limits() {
    let file = |name: &str| RememberedFile { file: name.into(), ..RememberedFile::default() };
    let mut memory = BorrowedMemory::default();
    memory.replace("a.glb", &[], vec![file("walk.glb")]);
    for number in 0..150 {
        memory.replace(&format!("{number}.glb"), &[], vec![file("run.glb"); 300]);
    }
    assert!(memory.for_model("a.glb").is_empty());
    assert_eq!(memory.for_model("149.glb").len(), 100);
    memory.replace("149.glb", &["run.glb".into()], Vec::new());
    let text = serde_json::to_string(&memory).unwrap();
    let read: BorrowedMemory = serde_json::from_str(&text).unwrap();
    assert_eq!(read, memory);
    assert!(read.for_model("149.glb").is_empty() && !read.for_model("148.glb").is_empty());
}

#[test]
fn a_file_that_could_not_be_read_stays_remembered_with_its_pairs() {
    let file = |name: &str, counterpart: &str| {
        let pairs = [("Hips".to_owned(), Some(counterpart.to_owned()))].into();
        RememberedFile { file: name.into(), retarget: Retarget { pairs, ..Retarget::default() } }
    };
    let mut memory = BorrowedMemory::default();
    memory.replace("model.glb", &[], vec![file("walk.glb", "a"), file("run.glb", "b")]);
    // Only walk.glb could be read. Its pairs change, then it is removed.
    memory.replace("model.glb", &["walk.glb".into()], vec![file("walk.glb", "c")]);
    assert_eq!(memory.for_model("model.glb"), [file("walk.glb", "c"), file("run.glb", "b")]);
    memory.replace("model.glb", &["walk.glb".into()], Vec::new());
    assert_eq!(memory.for_model("model.glb"), [file("run.glb", "b")]);
}
