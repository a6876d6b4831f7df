//! Tests the layout of the left panel: the heights of its sections, the dividers between them, and the scroll positions of the lists.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{PointerButton, Rect, vec2};
use egui_kittest::kittest::Queryable;

use sinew::model::Model;
use sinew::session::document::Document;

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, drag, open, row_shown, source};

/// Builds the walker with `count` copies of its first animation.
fn with_animations(count: usize) -> Model {
    let mut model = walker();
    let walk = model.animations[0].clone();
    let named = |i| sinew::model::animation::Animation { name: Some(format!("take {i}")), ..walk.clone() };
    model.animations = (0..count).map(named).collect();
    model
}

fn list(ui: &Ui, label: &str) -> Rect {
    ui.get_by_role_and_label(Role::List, label).rect()
}

/// Returns the y coordinates of the left panel's top and bottom.
fn panel(ui: &Ui) -> [f32; 2] {
    [ui.get_by_label("Viewport").rect().top(), list(ui, "Nodes").bottom()]
}

#[test]
fn the_left_panel_is_300_wide_and_its_animations_are_as_high_as_their_rows() {
    let mut ui = open(with_animations(2));
    ui.run();
    assert!((ui.state().state.preferences.left_width - 300.0).abs() < 1.0);
    // Two poses and two animations.
    assert!((list(&ui, "Animations").height() - 4.0 * 26.0).abs() < 1.0, "{:?}", list(&ui, "Animations"));
    let mut ui = open(with_animations(60));
    ui.run();
    let [top, bottom] = panel(&ui);
    let share = (list(&ui, "Animations").bottom() - top) / (bottom - top);
    assert!((share - 0.35).abs() < 0.02, "{share}");
}

#[test]
fn dividers_are_dragged_and_remembered() {
    let mut ui = open(with_animations(60));
    ui.run();
    let before = list(&ui, "Animations").height();
    let grip = ui.get_by_role_and_label(Role::Splitter, "Height of the animations").rect().center();
    drag(&mut ui, PointerButton::Primary, &[grip, grip + vec2(0.0, 30.0), grip + vec2(0.0, 100.0)]);
    ui.run();
    let after = list(&ui, "Animations").height();
    assert!((after - before - 100.0).abs() < 2.0, "{before} to {after}");
    let preferences = ui.state().state.preferences.clone();
    assert!(preferences.animations_share > 0.4);
    let read: sinew::ui::context::preferences::Preferences = serde_json::from_str(&serde_json::to_string(&preferences).unwrap()).unwrap();
    assert_eq!(read.animations_share, preferences.animations_share);
    // The list of nodes keeps a minimum height.
    let grip = ui.get_by_role_and_label(Role::Splitter, "Height of the animations").rect().center();
    drag(&mut ui, PointerButton::Primary, &[grip, grip + vec2(0.0, 2000.0)]);
    ui.run();
    assert!(list(&ui, "Nodes").height() > 40.0, "{:?}", list(&ui, "Nodes"));
}

#[test]
fn a_file_without_animations_and_skins_shows_no_list_of_animations() {
    let mut ui = open(hand_made::tree(&[("Cube".to_owned(), None)]));
    ui.run();
    assert!(ui.query_by_role_and_label(Role::List, "Animations").is_none());
    assert!(ui.query_by_label("No animation").is_none());
    let hint = ui.get_by_label("None. File > Add animations from... adds some.").rect();
    let nodes = list(&ui, "Nodes");
    assert!(hint.bottom() < nodes.top() && nodes.top() < 175.0, "{hint:?} {nodes:?}");
}

/// Builds a root with 199 children.
fn siblings(name: &str) -> Model {
    hand_made::tree(&(0..200).map(|i: usize| (format!("{name}{i}"), i.checked_sub(1).map(|_| 0))).collect::<Vec<_>>())
}

#[test]
fn another_file_starts_at_the_top_of_the_tree() {
    let mut ui = open(siblings("a"));
    ui.state_mut().view.selection = vec![source(&ui, "a150")];
    ui.run();
    assert!(row_shown(&ui, "a150") && !row_shown(&ui, "a0"));
    ui.state_mut().view.selection.clear();
    ui.run();
    let other = Document::new(Arc::new(siblings("b")), "other.glb".into(), Some("/models/other.glb".into()));
    ui.state_mut().open(other);
    ui.run();
    assert!(row_shown(&ui, "b0") && row_shown(&ui, "b1"));
}

#[test]
fn a_node_that_is_selected_elsewhere_comes_to_the_middle_of_the_list() {
    let mut ui = open(siblings("a"));
    ui.state_mut().view.selection = vec![source(&ui, "a100")];
    ui.run();
    ui.run();
    let (row, list) = (ui.get_by_role_and_label(Role::TreeItem, "a100").rect(), list(&ui, "Nodes"));
    assert!((row.center().y - list.center().y).abs() < 24.0, "{row:?} in {list:?}");
    // A row that can be seen stays where it is.
    ui.state_mut().view.selection = vec![source(&ui, "a104")];
    ui.run();
    assert_eq!(ui.get_by_role_and_label(Role::TreeItem, "a100").rect(), row);
}

#[test]
fn dragging_the_edge_of_a_panel_resizes_it_and_leaves_the_camera_alone() {
    let mut ui = harness(1280.0, 800.0, 1.0, Window::new(with_animations(3)));
    ui.run();
    let orbit = ui.state().view.camera;
    let viewport = ui.state().areas.unwrap().viewport;
    let left = ui.state().state.preferences.left_width;
    for (from, by) in [
        (viewport.left_center() + vec2(3.0, 0.0), vec2(40.0, 0.0)),
        (viewport.right_center() + vec2(-3.0, 0.0), vec2(-40.0, 0.0)),
        (viewport.center_bottom() + vec2(0.0, -3.0), vec2(0.0, -40.0)),
    ] {
        drag(&mut ui, PointerButton::Primary, &[from, from + by / 2.0, from + by]);
        assert_eq!(ui.state().view.camera, orbit, "a drag from {from:?} steered the camera");
    }
    assert!(ui.state().state.preferences.left_width > left + 30.0, "{} to {}", left, ui.state().state.preferences.left_width);
    let narrower = ui.state().areas.unwrap().viewport;
    assert!(narrower.right() < viewport.right() - 30.0 && narrower.bottom() < viewport.bottom() - 30.0, "{viewport:?} to {narrower:?}");
}
