//! Tests root motion in the panels: the inspector's section, the lanes of speed and feet, and the camera that follows.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, vec2};
use egui_kittest::kittest::Queryable;
use serde_json::json;

use sinew::session::time::moment::Moment;
use sinew::session::view::{Repeat, View, ViewCamera};
use sinew::ui::actions::Action;
use sinew::ui::context::request::Request;
use sinew::units::LengthUnit;

use crate::common::gltf_builder::{Gltf, hopper, walker};
use crate::common::ui_harness::{Window, harness};
use crate::gestures::{Ui, click, double_click, drag, move_to, selected, source, wheel};

/// Opens the walker in a window high enough for the whole inspector.
fn open() -> Ui {
    harness(1280.0, 2800.0, 1.0, Window::new(walker()))
}

/// Opens the walker, paused. Its hips travel 1.5 m in two seconds, and each of its two feet stands for half of that time.
fn walking(change: impl FnOnce(&mut View)) -> Ui {
    let mut ui = open();
    let state = ui.state_mut();
    state.transport.pause();
    change(&mut state.view);
    // Do the work of the application's background thread.
    let locomotion = state.analyses.compute_locomotion(&state.document, &state.view, &Moment::from(0.0));
    assert!(locomotion.is_some());
    ui.run();
    ui
}

#[test]
fn the_inspector_shows_the_root_its_distance_and_its_speed() {
    let mut ui = walking(|_| {});
    assert!(ui.query_by_label("Travel: 1.50 m, path length 1.50 m").is_none(), "nothing is worked out unasked");
    click(&mut ui, "In place");
    assert!(ui.state().view.in_place);
    ui.get_by_label("Travel: 1.50 m, path length 1.50 m");
    ui.get_by_label("Speed: average 0.750 m/s");
    ui.state_mut().state.preferences.units.length = LengthUnit::Centimeters;
    ui.run();
    ui.get_by_label("Speed: average 75.0 cm/s");
    ui.state_mut().state.preferences.units.length = LengthUnit::Meters;
    ui.run();
    ui.get_by_role_and_label(Role::Link, "Select Hips").click();
    ui.run();
    assert_eq!(selected(&ui), ["Hips"]);
    ui.state_mut().view.animation = Some(1);
    let state = ui.state_mut();
    state.analyses.compute_locomotion(&state.document, &state.view, &Moment::from(0.0));
    ui.run();
    ui.get_by_label("Root: None");
}

#[test]
fn pending_locomotion_is_shown_as_loading() {
    let mut ui = open();
    ui.state_mut().transport.pause();
    ui.state_mut().view.display.contacts = true;
    ui.run();
    ui.get_by_label("Root: Calculating...");
    assert!(!ui.state().analyses.motions.take_requests().is_empty());
}

#[test]
fn each_foot_has_a_lane_and_a_click_on_a_contact_goes_there() {
    let mut ui = walking(|view| view.display.contacts = true);
    ui.get_by_label("Foot Foot L: 1 contact, max slide 0.0 mm, total slide 0.0 mm");
    let (left, right) = ("Foot L: contact from 0.000 s, frame 0 to", "Foot R: contact from 1.000 s, frame 30 to");
    let bars =
        |ui: &Ui| ui.query_all_by(|node| node.label().is_some_and(|label| label.starts_with(left) || label.starts_with(right))).count();
    assert_eq!(bars(&ui), 2);
    let bar = ui.get_by(|node| node.label().is_some_and(|label| label.starts_with(right)));
    bar.click();
    ui.run();
    assert!((ui.state().transport.time() - 1.0).abs() < 1e-6);
    assert_eq!(selected(&ui), ["Foot R"]);
    // At the lowest sensitivity the slider is still shown.
    ui.state_mut().view.display.contact_sensitivity = 0.0;
    ui.run();
    ui.get_by_label("Contact sensitivity");
}

#[test]
fn a_contact_over_the_seam_of_a_loop_has_two_bars_with_one_label() {
    let mut ui = harness(1280.0, 2800.0, 1.0, Window::new(hopper(0.0)));
    let state = ui.state_mut();
    state.transport.pause();
    state.view.display.contacts = true;
    state.analyses.compute_locomotion(&state.document, &state.view, &Moment::from(0.0));
    ui.run();
    ui.get_by_label("Foot Foot: 1 contact, max slide 0.0 mm, total slide 0.0 mm");
    let label = "Foot: contact from 1.500 s, frame 45 to 0.500 s, frame 15 across the loop seam, slide 0.0 mm";
    let bars: Vec<_> = ui.query_all_by_label(label).map(|bar| bar.rect().left()).collect();
    assert_eq!(bars.len(), 2);
    // The bar at the end of the axis begins the contact. A click on either bar goes to its own time.
    ui.query_all_by_label(label).max_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).unwrap().click();
    ui.run();
    assert!((ui.state().transport.time() - 1.5).abs() < 1e-6);
    ui.query_all_by_label(label).min_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).unwrap().click();
    ui.run();
    assert!(ui.state().transport.time() < 1e-6);
    ui.state_mut().view.repeat = Repeat::Once;
    ui.run();
    ui.get_by_label("Foot Foot: 2 contacts, max slide 0.0 mm, total slide 0.0 mm");
}

#[test]
fn contact_rows_of_many_feet_leave_room_for_key_rows() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({ "name": "Hips", "children": [1, 2, 3, 4, 5, 6, 7], "translation": [0, 1, 0] }));
    for foot in 0..6 {
        gltf.push("nodes", json!({ "name": format!("Foot {foot}"), "translation": [foot, -1, 0] }));
    }
    gltf.push("nodes", json!({ "name": "Head", "translation": [0, 1, 0] }));
    gltf.push("skins", json!({ "joints": [0, 1, 2, 3, 4, 5, 6, 7] }));
    let still = gltf.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], still)]);
    let mut ui = harness(900.0, 600.0, 1.0, Window::new(gltf.model()));
    let state = ui.state_mut();
    state.transport.pause();
    (state.view.display.contacts, state.view.display.speed_graph) = (true, true);
    state.analyses.compute_locomotion(&state.document, &state.view, &Moment::from(0.0));
    ui.run();
    let lane = |ui: &Ui, foot: usize| {
        ui.query_by_label(&format!("Foot Foot {foot}: 1 contact, max slide 0.0 mm, total slide 0.0 mm")).map(|lane| lane.rect())
    };
    assert!(lane(&ui, 3).is_some() && lane(&ui, 4).is_none());
    let sheet = ui.get_by_role_and_label(Role::List, "Dope sheet").rect();
    assert!(sheet.top() >= lane(&ui, 3).unwrap().bottom() - 0.5 && sheet.height() >= 40.0, "{sheet:?}");
    // Scroll to the other lanes.
    let at = lane(&ui, 2).unwrap().center();
    ui.event(Event::PointerMoved(at));
    ui.run();
    ui.event(wheel(MouseWheelUnit::Point, vec2(0.0, -100.0), Modifiers::NONE));
    for _ in 0..30 {
        ui.step();
    }
    assert!(lane(&ui, 5).is_some() && lane(&ui, 0).is_none());
}

#[test]
fn the_speed_has_a_lane_with_its_current_value() {
    let mut ui = walking(|view| view.display.speed_graph = true);
    assert_eq!(ui.get_by_label("Speed of Hips: 0.750 m/s now, max 0.750 m/s").rect().height(), 44.0);
    ui.state_mut().view.display.speed_graph = false;
    ui.run();
    assert!(ui.query_by_label("Speed of Hips: 0.750 m/s now, max 0.750 m/s").is_none());
}

#[test]
fn the_camera_starts_and_stops_following_the_selection() {
    let mut ui = walking(|_| {});
    let node = source(&ui, "Hips");
    ui.state_mut().view.selection = vec![node];
    ui.run();
    ui.state_mut().perform(Action::Follow);
    ui.run();
    assert_eq!(ui.state().view.follow, Some(node));
    assert!(matches!(ui.state().view.camera, ViewCamera::Orbit(_)));
    ui.state_mut().perform(Action::Follow);
    assert_eq!(ui.state().view.follow, None);
    // Without a selection, the camera follows the root once it is known.
    ui.state_mut().view.selection.clear();
    ui.state_mut().view.in_place = true;
    ui.state_mut().perform(Action::FrameAndFollow);
    assert_eq!(ui.state().view.follow, Some(node));
    assert!(ui.state().requests.contains(&Request::Fit { nodes: vec![node] }));
}

#[test]
fn chips_show_camera_following_and_in_place_mode_and_a_click_ends_them() {
    let mut ui = walking(|_| {});
    assert!(ui.query_by_label_contains("Following").is_none());
    let node = ui.state().document.model.nodes.iter().find(|node| node.label() == "Hips").expect("hips").source;
    (ui.state_mut().view.follow, ui.state_mut().view.in_place) = (Some(node), true);
    ui.run();
    // A change of the selection does not change the followed node.
    ui.state_mut().view.selection = vec![0];
    click(&mut ui, "Following Hips: Stop following");
    assert_eq!(ui.state().view.follow, None);
    click(&mut ui, "In place: Restore root motion");
    assert!(!ui.state().view.in_place && ui.query_by_label_contains("Restore root motion").is_none());
    ui.state_mut().view.follow = Some(node);
    ui.state_mut().view.camera = ViewCamera::File(0);
    ui.run();
    assert!(ui.query_by_label_contains("Following").is_none(), "a camera of the file follows nothing");
}

#[test]
fn the_colors_of_contacts_are_explained_with_slide_limits_relative_to_the_models_size() {
    let mut ui = walking(|view| view.display.contacts = true);
    let state = ui.state();
    let size = state.analyses.locomotion.rig(&state.document, &state.view).size;
    let centimeters = |share: f64| format!("slide up to {:.1} cm", size * share * 100.0);
    ui.state_mut().state.preferences.units.length = LengthUnit::Centimeters;
    ui.run();
    let meanings = [format!("Green: {}", centimeters(0.005)), format!("Amber: {}", centimeters(0.02)), "Red: longer slide".to_owned()];
    for meaning in &meanings {
        ui.get_by_label(meaning);
    }
    for foot in ["Foot Foot L: ", "Foot L: contact from"] {
        let at = ui.get_by(|node| node.label().is_some_and(|label| label.starts_with(foot))).rect().center();
        move_to(&mut ui, at);
        ui.run_steps(8);
        ui.get_by_label_contains("green 0.5 % of the model's size, amber 2 %");
        for meaning in &meanings {
            assert_eq!(ui.get_all_by_label_contains(meaning).count(), 2, "in the inspector and in the tooltip");
        }
    }
}

#[test]
fn a_double_click_resets_the_sensitivity_to_the_middle() {
    let mut ui = walking(|view| (view.display.contacts, view.display.contact_sensitivity) = (true, 0.9));
    let at = ui.get_by_role_and_label(Role::Slider, "Contact sensitivity").rect().left_center() + vec2(4.0, 0.0);
    let sensitivity = |ui: &Ui| ui.state().view.display.contact_sensitivity;
    drag(&mut ui, PointerButton::Primary, &[at, at]);
    assert!(sensitivity(&ui) < 0.1);
    double_click(&mut ui, at);
    assert_eq!(sensitivity(&ui), 0.5);
    ui.get_by_role_and_label(Role::Slider, "Contact sensitivity").focus();
    ui.run();
    assert!(ui.state().state.window.list_focused, "arrows belong to the slider");
}

#[test]
fn the_arrow_keys_change_the_sensitivity_from_each_value() {
    let mut ui = walking(|view| view.display.contacts = true);
    ui.get_by_role_and_label(Role::SpinButton, "Contact sensitivity value").click();
    ui.run();
    for hundredths in [50, 47, 46, 29, 58, 7] {
        ui.state_mut().view.display.contact_sensitivity = f64::from(hundredths) / 100.0;
        ui.run();
        let text = |ui: &Ui| format!("{:.2}", ui.state().view.display.contact_sensitivity);
        for (key, expected) in [(Key::ArrowUp, hundredths + 1), (Key::ArrowDown, hundredths), (Key::ArrowDown, hundredths - 1)] {
            ui.key_press(key);
            ui.run();
            assert_eq!(text(&ui), format!("{:.2}", f64::from(expected) / 100.0), "{hundredths}, {key:?}");
        }
    }
}
