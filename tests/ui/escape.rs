//! Tests that Esc during a drag cancels the drag, and nothing else.

use egui::accesskit::Role;
use egui::{PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;

use sinew::session::view::layers::Layer;
use sinew::ui::actions::Action;
use sinew::ui::context::preferences::Navigation;

use crate::common::hand_made;
use crate::gestures::{Ui, click_row, move_to, open, press, selected, window};

/// Drags from the first point to the second, presses Esc there, goes on to the third and releases the button there. Returns the result of
/// `read` before Esc, and after the release.
fn canceled<T>(ui: &mut Ui, [from, to, end]: [Pos2; 3], read: impl Fn(&Ui) -> T) -> [T; 2] {
    move_to(ui, from);
    press(ui, from, PointerButton::Primary, true);
    move_to(ui, from + (to - from) / 2.0);
    move_to(ui, to);
    let dragged = read(ui);
    // A second Esc does nothing while the button is held.
    for _ in 0..2 {
        ui.state_mut().perform(Action::Back);
        ui.run();
    }
    move_to(ui, end);
    press(ui, end, PointerButton::Primary, false);
    [dragged, read(ui)]
}

#[test]
fn escape_cancels_a_selection_box_and_keeps_the_selection() {
    let mut ui = open(hand_made::bending_box());
    ui.state_mut().state.preferences.navigation = Navigation::Blender;
    click_row(&mut ui, "Tip", egui::Modifiers::NONE);
    let viewport = ui.state().areas.expect("areas").viewport.shrink(40.0);
    let corners = [viewport.left_top(), viewport.center(), viewport.right_bottom()];
    assert_eq!(canceled(&mut ui, corners, selected), [["Tip"], ["Tip"]]);
    ui.state_mut().perform(Action::Back);
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
    let mut ui = window();
    ui.state_mut().view.layers = vec![Layer { animation: 1, weight: 0.5, ..Layer::default() }];
    ui.state_mut().view.range = Some([0.5, 2.0]);
    ui.state_mut().view.selection = vec![1];
    ui.run();
    let read = |ui: &Ui| (ui.state().view.range, ui.state().view.layers[0].weight, ui.state().view.selection.clone());
    let before = read(&ui);
    let in_point = ui.get_by_label("In point").rect().center();
    let weight = ui.get_by_role_and_label(Role::SpinButton, "Weight of lane 1, Wave").rect().center();
    for from in [in_point, weight] {
        let [dragged, after] = canceled(&mut ui, [0.0, 40.0, 90.0].map(|x| from + vec2(x, 0.0)), read);
        assert_ne!(dragged, before);
        assert_eq!(after, before);
    }
}
