//! Tests focal lengths, camera bookmarks and view presets.

use glam::DVec3;
use serde_json::json;
use sinew::camera::Orbit;
use sinew::camera::bounds::Bounds;
use sinew::model::Model;
use sinew::session::camera::bookmarks::{Bookmark, Bookmarks, MAX_BOOKMARKS};
use sinew::session::camera::lens;
use sinew::session::camera::view_preset::{self, MAX_PRESETS, ViewPreset};
use sinew::session::saved_list::{MAX_NAME_CHARS, free_name};
use sinew::session::view::display::{Display, Shading};
use sinew::session::view::{View, ViewCamera};

use crate::common::hand_made;

fn orbit() -> Orbit {
    Orbit { focus: DVec3::new(0.1, 1.2, -0.3), yaw: 1.0, pitch: -0.2, distance: 4.0, ..Orbit::default() }
}

fn model(nodes: &[(&str, Option<usize>)]) -> Model {
    hand_made::tree(&nodes.iter().map(|(name, parent)| (name.to_string(), *parent)).collect::<Vec<_>>())
}

/// The expected values are vertical angles of view of a 36 x 24 mm sensor, from tables for photographers.
#[test]
fn focal_lengths_are_those_of_35_mm_film() {
    for (focal_length, degrees) in [(24.0, 53.13), (35.0, 37.85), (50.0, 26.99), (85.0, 16.07), (200.0, 6.87)] {
        assert!((lens::yfov(focal_length).to_degrees() - degrees).abs() < 0.006, "{focal_length} mm");
        assert!((lens::focal_length(lens::yfov(focal_length)) - focal_length).abs() < 1e-9);
        assert_eq!(lens::round_focal_length(lens::yfov(focal_length)), Some(focal_length));
    }
    assert_eq!(lens::round_focal_length(Orbit::default().yfov), None);
    for hostile in [0.0, -5.0, 1e300] {
        let yfov = lens::yfov(hostile);
        assert!(yfov > 0.02 && yfov < 2.5, "{hostile}: {yfov}");
    }
}

#[test]
fn with_a_longer_focal_length_the_camera_steps_back_and_the_size_at_the_focus_stays() {
    let before = orbit();
    let after = lens::with_focal_length(&before, 85.0);
    assert_eq!((after.focus, after.yaw, after.pitch), (before.focus, before.yaw, before.pitch));
    assert!((after.half_height() - before.half_height()).abs() < 1e-12);
    // tan(17.5 degrees) / (12 / 85) is 2.2334.
    assert!((after.distance / before.distance - 2.2334).abs() < 1e-4, "{}", after.distance / before.distance);
}

#[test]
fn a_bookmark_restores_the_camera_and_the_followed_node() {
    let before = model(&[("Root", None), ("Arm", Some(0)), ("Hand", Some(1)), ("Leg", Some(0)), ("Hand", Some(3))]);
    let hand = before.nodes[4].source;
    let bookmark = Bookmark::new("Close", orbit(), Some(hand), &before);
    assert_eq!(bookmark.follow, ["Root", "Leg", "Hand"]);
    let mut view = View::default();
    bookmark.apply(&before, &mut view);
    assert_eq!((view.camera, view.follow), (ViewCamera::Orbit(orbit()), Some(hand)));
    // In another export the nodes have other indices, or the followed node is missing.
    let renumbered = model(&[("Tail", None), ("Root", None), ("Leg", Some(1)), ("Hand", Some(2))]);
    bookmark.apply(&renumbered, &mut view);
    assert_eq!(view.follow, Some(renumbered.nodes[3].source));
    bookmark.apply(&model(&[("Root", None), ("Arm", Some(0)), ("Hand", Some(1))]), &mut view);
    assert_eq!((view.camera, view.follow), (ViewCamera::Orbit(orbit()), None));
    Bookmark::new("Free", orbit(), None, &before).apply(&before, &mut view);
    assert_eq!(view.follow, None);
}

#[test]
fn bookmarks_belong_to_a_file_and_their_number_is_limited() {
    let bookmark = |name: &str| Bookmark { name: name.into(), orbit: orbit(), ..Bookmark::default() };
    let mut bookmarks = Bookmarks::default();
    bookmarks.set("/a.glb", vec![bookmark("one"), bookmark("two")]);
    bookmarks.set("/b.glb", (0..100).map(|_| bookmark("many")).collect());
    assert_eq!(bookmarks.for_file("/a.glb").len(), 2);
    assert_eq!((bookmarks.for_file("/b.glb").len(), bookmarks.for_file("/c.glb").len()), (MAX_BOOKMARKS, 0));
    for file in 0..200 {
        bookmarks.set(&format!("/{file}.glb"), vec![bookmark("only")]);
    }
    assert_eq!((bookmarks.for_file("/a.glb").len(), bookmarks.for_file("/99.glb").len(), bookmarks.for_file("/199.glb").len()), (0, 0, 1));
    bookmarks.set("/199.glb", Vec::new());
    assert!(!serde_json::to_string(&bookmarks).unwrap().contains("/199.glb"), "a file without bookmarks is forgotten");
    assert_eq!(free_name("Bookmark", ["Bookmark 2", "x"].into_iter()), "Bookmark 3");
    assert_eq!(free_name("Bookmark", ["Bookmark 2"].into_iter()), "Bookmark 3");
}

#[test]
fn hostile_bookmarks_are_dropped_and_the_others_stay() {
    let good = json!({"focus": [0, 1, 0], "yaw": 1, "pitch": 0, "distance": 2, "yfov": 0.5, "orthographic": false});
    let bad = |field: &str, value: serde_json::Value| {
        let mut orbit = good.clone();
        orbit[field] = value;
        json!({"name": "bad", "orbit": orbit})
    };
    let long = "\u{1F9B4}\n".repeat(5000);
    let all = json!([
        {"file": "/a.glb", "bookmarks": [
            {"name": long, "orbit": good, "follow": vec!["x"; 100_000]},
            bad("distance", json!(0)), bad("distance", json!(-2)), bad("distance", json!(1e300)), bad("yfov", json!(9)),
            bad("yfov", json!(0)), bad("focus", json!([1e300, 0, 0])), bad("focus", json!([0, null, 0])), bad("yaw", json!("north")),
            7, null, {"name": 3}, {"name": "fine", "orbit": good},
        ]},
        "nothing", {"file": 3}, {"file": "/b.glb", "bookmarks": {"not": "a list"}},
        {"file": "/c.glb", "bookmarks": [{"name": "c", "orbit": good}]},
    ]);
    let mut bookmarks: Bookmarks = serde_json::from_value(all).unwrap();
    bookmarks.check();
    let names: Vec<_> = bookmarks.for_file("/a.glb").iter().map(|bookmark| bookmark.name.clone()).collect();
    assert_eq!((names.len(), names[1].as_str()), (2, "fine"));
    assert_eq!(names[0].chars().count(), MAX_NAME_CHARS);
    assert!(!names[0].chars().any(char::is_control));
    assert_eq!(bookmarks.for_file("/a.glb")[0].follow.len(), 0);
    assert_eq!((bookmarks.for_file("/b.glb").len(), bookmarks.for_file("/c.glb").len()), (0, 1));
}

#[test]
fn a_preset_shows_another_model_the_same_way_at_its_own_size() {
    let bounds = Bounds { min: DVec3::new(-1.0, 0.0, -1.0), max: DVec3::new(1.0, 2.0, 1.0) };
    let display = Display { shading: Shading::Clay, skeleton: true, crowd: 50, variant: Some(2), ..Display::default() };
    let saved = View { display, camera: ViewCamera::Orbit(orbit()), ..View::default() };
    let preset = ViewPreset::new("Clay", &saved, &orbit(), &bounds);
    let text = serde_json::to_string(&preset).unwrap();
    let preset: ViewPreset = serde_json::from_str(&text).unwrap();
    let mut view = View { follow: Some(1), selection: vec![1], animation: Some(0), ..View::default() };
    view.display.variant = Some(0);
    preset.apply(&mut view, &bounds);
    let ViewCamera::Orbit(same) = view.camera else { panic!("{:?}", view.camera) };
    assert!((same.focus - orbit().focus).length() < 1e-12 && (same.distance - 4.0).abs() < 1e-12);
    assert_eq!((view.display.shading, view.display.skeleton), (Shading::Clay, true));
    assert_eq!((view.display.crowd, view.display.variant), (1, Some(0)), "crowd and variant are not part of a preset");
    assert_eq!((view.follow, view.selection.len(), view.animation), (None, 1, Some(0)));
    // This model is a hundred times larger, and at another position.
    let large = Bounds { min: bounds.min * 100.0 + 7.0, max: bounds.max * 100.0 + 7.0 };
    preset.apply(&mut view, &large);
    let ViewCamera::Orbit(far) = view.camera else { panic!("{:?}", view.camera) };
    assert!((far.distance - 400.0).abs() < 1e-9 && (far.focus - (orbit().focus * 100.0 + 7.0)).length() < 1e-9, "{far:?}");
    assert_eq!((far.yaw, far.pitch, far.yfov), (1.0, -0.2, orbit().yfov));
    preset.apply(&mut view, &Bounds::EMPTY);
    assert!(matches!(view.camera, ViewCamera::Orbit(orbit) if orbit.distance.is_finite()));
}

#[test]
fn the_number_of_presets_is_limited_and_unusable_ones_are_dropped() {
    let preset = ViewPreset { name: "a\u{7}b".into(), orbit: orbit(), ..ViewPreset::default() };
    let broken = ViewPreset { orbit: Orbit { yfov: 4.0, ..orbit() }, ..preset.clone() };
    let mut presets = vec![preset; 100];
    presets.insert(0, broken);
    view_preset::check(&mut presets);
    assert_eq!((presets.len(), presets[0].name.as_str()), (MAX_PRESETS, "a b"));
}
