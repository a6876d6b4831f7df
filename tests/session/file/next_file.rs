//! Tests which parts of the view stay when another file is opened, or when the user steps to the next file of a list.

use std::path::{Path, PathBuf};

use glam::DVec3;
use sinew::camera::Orbit;
use sinew::camera::bounds::Bounds;
use sinew::model::Model;
use sinew::model::animation::Animation;
use sinew::session::file::file_list::distinct_name;
use sinew::session::file::next_file::{fit_unless_alike, opened, stepped, swapped};
use sinew::session::view::joint_switches::{NodeSwitches, Switch};
use sinew::session::view::{Repeat, View, ViewCamera};

use crate::common::hand_made;

/// Builds a model with these nodes, each with its parent, and animations of these names.
fn model(nodes: &[(&str, Option<usize>)], animations: &[&str]) -> Model {
    let nodes: Vec<_> = nodes.iter().map(|(name, parent)| (name.to_string(), *parent)).collect();
    let mut model = hand_made::tree(&nodes);
    model.animations =
        animations.iter().map(|name| Animation { name: Some(name.to_string()), duration: 2.0, ..Animation::default() }).collect();
    model
}

/// Returns the source indices of nodes, which differ from their indices in the model.
fn sources(model: &Model, nodes: &[usize]) -> Vec<usize> {
    nodes.iter().map(|&node| model.nodes[node].source).collect()
}

fn orbit() -> ViewCamera {
    ViewCamera::Orbit(Orbit { yaw: 1.25, distance: 7.0, ..Orbit::default() })
}

#[test]
fn stepping_keeps_the_camera_and_finds_the_selection_by_path_and_the_animation_by_name() {
    let before = model(&[("Root", None), ("Arm", Some(0)), ("Hand", Some(1)), ("Arm", Some(0))], &["Idle", "Walk"]);
    let after = model(&[("Root", None), ("Tail", Some(0)), ("Arm", Some(0)), ("Hand", Some(2))], &["Run", "Jump", "Walk"]);
    let from = View {
        animation: Some(1),
        selection: sources(&before, &[3, 2, 1]),
        camera: orbit(),
        follow: sources(&before, &[2]).pop(),
        speed: 0.5,
        repeat: Repeat::Once,
        range: Some([0.5, 1.0]),
        playlist: vec![0, 1],
        in_place: true,
        ..View::default()
    };
    let view = stepped(&from, &before, &after);
    assert_eq!(view.animation, Some(2), "by name");
    assert_eq!(view.selection, sources(&after, &[3, 2]), "the second Arm is not in this file");
    assert_eq!((view.camera, view.follow), (orbit(), sources(&after, &[3]).pop()));
    assert_eq!((view.speed, view.repeat), (0.5, Repeat::Once));
    assert_eq!((view.range, view.playlist.len(), view.in_place), (None, 0, false));
}

#[test]
fn stepping_finds_the_nth_animation_of_a_name() {
    let nodes = [("Root", None)];
    let mixamo = ["mixamo.com", "Idle", "mixamo.com", "mixamo.com"];
    let (before, after, fewer) = (model(&nodes, &mixamo), model(&nodes, &mixamo), model(&nodes, &["Idle", "mixamo.com"]));
    for animation in 0..4 {
        let from = View { animation: Some(animation), ..View::default() };
        assert_eq!(stepped(&from, &before, &after).animation, Some(animation));
    }
    let from = View { animation: Some(3), ..View::default() };
    assert_eq!(stepped(&from, &before, &fewer).animation, Some(1), "the first one if there are fewer");
}

#[test]
fn stepping_to_a_model_of_another_size_frames_it_anew() {
    let nodes = [("Root", None)];
    let (before, after) = (model(&nodes, &["Walk"]), model(&nodes, &["Swim"]));
    let from = View { animation: Some(0), selection: vec![0], camera: orbit(), follow: Some(0), ..View::default() };
    let view = stepped(&from, &before, &after);
    assert_eq!((view.selection.as_slice(), view.animation), (&[0][..], Some(0)));
    let fitted = |camera: ViewCamera, before: &Bounds, after: &Bounds| {
        let mut fitted = View { camera, ..view.clone() };
        fit_unless_alike(&mut fitted, before, after);
        (fitted.camera == ViewCamera::Fit, fitted.follow)
    };
    let tall = |height: f64| Bounds { min: DVec3::new(-1.0, -0.5, 0.0), max: DVec3::new(1.0, height - 0.5, 9.0) };
    for (before, after, alike) in [(1.8, 1.8, true), (1.8, 0.95, true), (1.0, 1.99, true), (1.0, 2.1, false), (180.0, 1.8, false)] {
        let expected = if alike { (false, Some(0)) } else { (true, None) };
        assert_eq!(fitted(orbit(), &tall(before), &tall(after)), expected, "{before} m and {after} m");
    }
    assert_eq!(fitted(orbit(), &tall(0.0), &tall(0.0)), (true, None), "flat models have no height to compare");
    assert_eq!(fitted(orbit(), &Bounds::EMPTY, &tall(1.0)), (true, None));
    assert_eq!(fitted(orbit(), &tall(1.0), &Bounds::EMPTY), (true, None));
    assert_eq!(fitted(ViewCamera::File(0), &tall(1.0), &tall(9.0)), (false, Some(0)), "a camera of the file stays");
}

#[test]
fn a_swapped_file_takes_over_everything_that_it_has() {
    let before = model(&[("Root", None), ("Arm", Some(0)), ("Hand", Some(1))], &["Idle", "Walk"]);
    let after = model(&[("Root", None), ("Tail", Some(0)), ("Arm", Some(0))], &["Walk", "Run"]);
    let off = NodeSwitches { influence: Switch { on: false, solo: false }, ..NodeSwitches::default() };
    let mut from = View { animation: Some(1), in_place: true, range: Some([0.5, 1.0]), camera: orbit(), ..View::default() };
    from.switches = sources(&before, &[1, 2]).into_iter().map(|node| (node, off)).collect();
    from.display.crowd = 9;
    let view = swapped(&from, &before, &after, Some(1));
    assert_eq!(view.animation, Some(1), "the animation that the file played while it was compared");
    assert_eq!(view.switches.into_iter().collect::<Vec<_>>(), [(sources(&after, &[2])[0], off)], "the file has no Hand");
    assert_eq!((view.in_place, view.range, view.camera, view.display.crowd), (true, Some([0.5, 1.0]), orbit(), 9));
}

#[test]
fn the_rest_pose_stays_when_stepping_unless_there_was_no_animation() {
    let nodes = [("Root", None)];
    let (animated, still) = (model(&nodes, &["Walk"]), model(&nodes, &[]));
    assert_eq!(stepped(&View::default(), &animated, &animated).animation, None);
    assert_eq!(stepped(&View::default(), &still, &animated).animation, Some(0));
    assert_eq!(stepped(&View { animation: Some(0), ..View::default() }, &animated, &still).animation, None);
}

#[test]
fn an_opened_file_starts_at_normal_speed_and_looping() {
    let after = model(&[("Root", None)], &["Walk"]);
    let mut from = View { speed: -2.0, repeat: Repeat::PingPong, selection: vec![0], camera: orbit(), cross_fade: 0.5, ..View::default() };
    from.display.skeleton = true;
    from.display.crowd = 100;
    let view = opened(&from, &after);
    assert_eq!((view.speed, view.repeat, view.animation), (1.0, Repeat::Loop, Some(0)));
    assert_eq!((view.camera, view.selection.len()), (ViewCamera::Fit, 0));
    assert_eq!((view.display.skeleton, view.display.crowd, view.cross_fade), (true, 1, 0.5), "display stays, but the crowd does not");
}

#[test]
fn files_of_one_name_are_told_apart_by_the_shortest_folder_suffix() {
    let others = ["/work/hero/v1/walk.glb", "/work/villain/v1/walk.glb", "/work/hero/v2/walk.glb", "/work/hero/v1/run.glb", "walk.glb"];
    let others: Vec<PathBuf> = others.iter().map(PathBuf::from).collect();
    let name = |path: &str| distinct_name(Path::new(path), &others);
    assert_eq!(name("/work/hero/v1/run.glb"), "run.glb");
    assert_eq!(name("/work/hero/v2/walk.glb"), "v2/walk.glb");
    assert_eq!(name("/work/hero/v1/walk.glb"), "hero/v1/walk.glb");
    assert_eq!(name("/work/villain/v1/walk.glb"), "villain/v1/walk.glb");
    assert_eq!(name("/elsewhere/walk.glb"), "elsewhere/walk.glb");
    assert_eq!(name("/walk.glb"), "/walk.glb");
    assert_eq!(name("walk.glb"), "walk.glb", "the path has no folders");
    assert_eq!(name(""), "");
    assert_eq!(distinct_name(Path::new("/a/walk.glb"), &[]), "walk.glb");
}
