//! Tests that Esc during a drag cancels the drag, and nothing else.

use std::fmt::Debug;
use std::path::Path;

use egui::accesskit::Role;
use egui::{PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;

use sinew::model::node::NodeIndex;
use sinew::session::document::Document;
use sinew::session::file::file_list::FileList;
use sinew::session::pick::vertex::Vertex;
use sinew::session::view::ViewCamera;
use sinew::session::view::layers::Layer;
use sinew::ui::actions::Action;
use sinew::ui::context::preferences::Navigation;
use sinew::ui::context::request::Request;

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click_row, move_to, open, press, rig, selected};

/// Drags from the first point to the second, presses Esc there, goes on to the third and releases the button there. Returns the result of
/// `read` before Esc, and after it.
fn canceled<T: Debug + PartialEq>(ui: &mut Ui, [from, to, end]: [Pos2; 3], read: impl Fn(&Ui) -> T) -> [T; 2] {
    move_to(ui, from);
    press(ui, from, PointerButton::Primary, true);
    move_to(ui, from + (to - from) / 2.0);
    move_to(ui, to);
    let dragged = read(ui);
    let mut escape = || {
        ui.state_mut().perform(Action::CloseOrDeselect);
        ui.run();
        read(ui)
    };
    let canceled = escape();
    assert_eq!(escape(), canceled, "a second Esc does nothing while the button is held");
    move_to(ui, end);
    press(ui, end, PointerButton::Primary, false);
    assert_eq!(read(ui), canceled, "the rest of the drag has no effect");
    [dragged, canceled]
}

#[test]
fn escape_cancels_a_selection_box_and_keeps_the_selection() {
    let mut ui = open(hand_made::bending_box());
    ui.state_mut().state.preferences.navigation = Navigation::Blender;
    click_row(&mut ui, "Tip", egui::Modifiers::NONE);
    let viewport = ui.state().areas.expect("areas").viewport.shrink(40.0);
    let corners = [viewport.left_top(), viewport.center(), viewport.right_bottom()];
    assert_eq!(canceled(&mut ui, corners, selected), [["Tip"], ["Tip"]]);
    ui.state_mut().perform(Action::CloseOrDeselect);
    assert!(selected(&ui).is_empty(), "after the release, Esc clears the selection");
}

#[test]
fn escape_turns_the_camera_back() {
    let mut ui = open(hand_made::bending_box());
    let center = ui.state().areas.expect("areas").viewport.center();
    let before = ui.state().view.camera;
    let [dragged, after] = canceled(&mut ui, [0.0, 90.0, 200.0].map(|x| center + vec2(x, 30.0)), |ui| ui.state().view.camera);
    assert!(dragged != before && after == before, "{dragged:?}, {after:?}");
}

#[test]
fn escape_returns_the_range_and_the_value_of_a_field_to_before_the_drag() {
    // The window is high enough for the whole inspector.
    let mut ui = harness(1280.0, 2800.0, 1.0, Window::new(walker()));
    ui.state_mut().view.display.contacts = true;
    ui.state_mut().view.layers = vec![Layer { animation: 1, weight: 0.5, ..Layer::default() }];
    ui.state_mut().view.range = Some([0.5, 2.0]);
    ui.state_mut().view.selection = vec![1];
    ui.run();
    let read = |ui: &Ui| {
        let view = &ui.state().view;
        (view.range, view.layers[0].weight, view.display.contact_sensitivity, view.selection.clone())
    };
    let before = read(&ui);
    let in_point = ui.get_by_label("In point").rect().center();
    let weight = ui.get_by_role_and_label(Role::SpinButton, "Weight in strip of layer 1, Wave").rect().center();
    let sliders = ["Weight of layer 1, Wave", "Contact sensitivity"].map(|label| ui.get_by_role_and_label(Role::Slider, label).rect());
    for from in [in_point, weight, sliders[0].center(), sliders[1].left_center() + vec2(5.0, 0.0)] {
        let [dragged, after] = canceled(&mut ui, [0.0, 40.0, 90.0].map(|x| from + vec2(x, 0.0)), read);
        assert_ne!(dragged, before);
        assert_eq!(after, before);
    }
}

#[test]
fn escape_cancels_a_drag_down_a_switch_column() {
    let mut ui = open(rig());
    let [from, to, end] = ["LeftLeg", "RightLeg", "RightFoot"].map(|name| ui.get_by_label(&format!("Skin influence: {name}")).rect());
    let rows = [from, to, end].map(|rect| rect.center());
    let [dragged, after] = canceled(&mut ui, rows, |ui| ui.state().view.switches.len());
    assert_eq!((dragged, after), (3, 0), "the rows from LeftLeg to RightLeg");
}

#[test]
fn escape_cancels_a_drag_over_the_half_of_b() {
    // A drag turns the camera or draws a selection box.
    for (navigation, turns) in [(Navigation::default(), true), (Navigation::Blender, false)] {
        let mut window = Window::new(walker());
        window.compare_with(walker(), ["walker.glb", "other.glb"]);
        window.state.preferences.navigation = navigation;
        let mut ui = harness(1280.0, 900.0, 1.0, window);
        let half = ui.state().areas.expect("areas").other.expect("the half of B").shrink(40.0);
        let before = ui.state().view.camera;
        let [dragged, after] = canceled(&mut ui, [half.left_top(), half.center(), half.right_bottom()], |ui| ui.state().view.camera);
        assert_eq!((dragged != before, after), (turns, before));
        assert!(!ui.state().requests.iter().any(|request| matches!(request, Request::PickOther(_))), "{:?}", ui.state().requests);
    }
}

#[test]
fn escape_restores_nothing_from_before_a_reload() {
    let mut ui = open(walker());
    let reload = |ui: &mut Ui| {
        ui.state_mut().open(Document::new(walker().into(), "walker.glb".into(), Some("/models/walker.glb".into())));
        ui.run();
    };
    let reset = |ui: &mut Ui| {
        ui.state_mut().perform(Action::CloseOrDeselect);
        ui.run();
    };
    // The application carries the selection over to the new file, in which the node has another index.
    click_row(&mut ui, "Spine", egui::Modifiers::NONE);
    let at = ui.state().areas.expect("areas").status.center();
    press(&mut ui, at, PointerButton::Primary, true);
    ui.state_mut().view.selection = vec![4];
    reload(&mut ui);
    reset(&mut ui);
    press(&mut ui, at, PointerButton::Primary, false);
    assert_eq!(ui.state().view.selection, [4]);
    // A camera of the file may have another index, too.
    ui.state_mut().view.camera = ViewCamera::File(0);
    let center = ui.state().areas.expect("areas").viewport.center();
    move_to(&mut ui, center);
    press(&mut ui, center, PointerButton::Primary, true);
    move_to(&mut ui, center + vec2(90.0, 0.0));
    let dragged = ui.state().view.camera;
    assert!(matches!(dragged, ViewCamera::Orbit(_)), "{dragged:?}");
    reload(&mut ui);
    reset(&mut ui);
    assert_eq!(ui.state().view.camera, dragged);
}

/// Presses Esc and returns how many nodes are selected then.
fn escape(ui: &mut Ui) -> usize {
    ui.state_mut().perform(Action::CloseOrDeselect);
    ui.run();
    selected(ui).len()
}

#[test]
fn escape_clears_each_search_that_is_shown_before_the_selection() {
    let list = FileList::in_folder(Path::new("/models/a.glb"), vec!["/models/a.glb".into(), "/models/b.glb".into()], Vec::new());
    let mut model = walker();
    model.animations = (0..12).map(|_| model.animations[0].clone()).collect();
    (model.rest_weights, model.nodes[5].weights) = (vec![0.0; 20], 0..20);
    model.meshes[0].target_count = 20;
    let mut window = Window::new(model);
    window.view.selection = vec![5];
    window.state.preferences.file_strip = true;
    window.state.status.files = list.models;
    let mut ui = harness(1280.0, 2800.0, 1.0, window);
    for label in ["Search animations", "Search files", "Search morph targets"] {
        ui.get_by_role_and_label(Role::TextInput, label).focus();
        ui.run();
        ui.get_by_role_and_label(Role::TextInput, label).type_text("a");
        ui.run();
        ui.get_by_label(&format!("Clear: {label}"));
        assert_eq!(escape(&mut ui), 1);
        assert!(ui.query_by_label(&format!("Clear: {label}")).is_none(), "{label}");
    }
    // A text in a panel that is hidden does not count.
    ui.state_mut().state.panels.animations.search = "a".into();
    ui.state_mut().perform(Action::LeftPanel);
    ui.run();
    assert_eq!(escape(&mut ui), 0);
}

#[test]
fn escape_closes_the_card_of_a_vertex_first() {
    let mut ui = open(hand_made::bending_box());
    click_row(&mut ui, "Tip", egui::Modifiers::NONE);
    ui.state_mut().state.window.marked_vertex = Some(Vertex { node: NodeIndex(0), primitive: 0, vertex: 0 });
    ui.state_mut().state.panels.tree.search = "tip".into();
    ui.run();
    ui.get_by_label_contains("Vertex 0 of");
    assert_eq!(escape(&mut ui), 1);
    assert!(ui.query_by_label_contains("Vertex 0 of").is_none());
    assert_eq!(ui.state().state.panels.tree.search, "tip");
}
