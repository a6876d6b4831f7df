//! Tests the lanes of layers in the timeline.

use egui::accesskit::Role;
use egui::{Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable;

use sinew::session::view::Repeat;
use sinew::session::view::layers::Layer;
use sinew::ui::context::preferences::TimelineRows;

use crate::common::ui_harness::walker;
use crate::gestures::{Ui, click, drag, move_to, open, painted_texts, press, wheel};

/// Opens the walker with "Wave" (24 frames, one second) as a layer over "Walk" (82 frames at 24 per second).
fn waving(layer: Layer) -> Ui {
    let mut ui = open(walker());
    ui.state_mut().view.layers = vec![Layer { animation: 1, ..layer }];
    ui.run();
    ui
}

fn layer(ui: &Ui) -> &Layer {
    &ui.state().view.layers[0]
}

/// Returns the position of a time in the lane, which is 14 points longer than the time axis at both ends.
fn at(ui: &Ui, time: f64) -> Pos2 {
    let lane = ui.get_by_label("Strip of layer 1, Wave").rect();
    let share = time / (82.0 / 24.0);
    pos2(lane.left() + 14.0 + (lane.width() - 28.0) * share as f32, lane.center().y)
}

#[test]
fn dragging_a_lane_moves_it_by_whole_frames_and_dragging_its_end_changes_the_speed() {
    let mut ui = waving(Layer::default());
    let (from, to) = (at(&ui, 0.3), at(&ui, 0.3 + 6.2 / 24.0));
    drag(&mut ui, PointerButton::Primary, &[from, from + vec2(10.0, 0.0), to]);
    assert_eq!((layer(&ui).offset, layer(&ui).speed), (-0.25, 1.0), "six frames later");
    ui.state_mut().view.layers[0].offset = 0.0;
    ui.run();
    let (from, to) = (at(&ui, 1.0), at(&ui, 0.5));
    drag(&mut ui, PointerButton::Primary, &[from, from - vec2(10.0, 0.0), to]);
    assert_eq!((layer(&ui).offset, layer(&ui).speed), (0.0, 2.0), "in half the time");
}

#[test]
fn the_grabbed_run_of_a_looping_layer_stays_the_bright_one() {
    let mut ui = waving(Layer::default());
    // Beside the end of the bright run is the grip that stretches it.
    let grip = |ui: &Ui| ui.get_by_label("End of strip of layer 1, Wave").rect().center().x;
    let from = at(&ui, 0.5);
    press(&mut ui, from, PointerButton::Primary, true);
    for frame in [5.0, 20.0, 35.0] {
        let to = at(&ui, 0.5 + frame / 24.0);
        move_to(&mut ui, to);
        // The run takes one second.
        assert!((grip(&ui) - at(&ui, 1.0 + frame / 24.0).x).abs() < 1.0, "{frame} frames later");
    }
    let to = at(&ui, 0.5 + 5.0 / 24.0);
    move_to(&mut ui, to);
    press(&mut ui, to, PointerButton::Primary, false);
    assert!((grip(&ui) - at(&ui, 29.0 / 24.0).x).abs() < 1.0, "most of the run is visible");
}

#[test]
fn the_bars_show_when_layers_play_in_the_current_pass() {
    // At 0.5 s of the animation, the clock is at 1.75 s. The layer plays once, from 2 to 3 s on the clock, after a quarter of a second.
    let mut ui = waving(Layer { offset: -2.0, repeat: Repeat::Once, ..Layer::default() });
    let on_ruler = |ui: &Ui, time: f64| {
        let ruler = ui.get_by_label("Time ruler").rect();
        ruler.left() + 14.0 + (ruler.width() - 28.0) * (time / (82.0 / 24.0)) as f32
    };
    for (returning, start, end) in [(false, 0.75_f64, 1.75_f64), (true, 0.25, -0.75)] {
        let transport = &mut ui.state_mut().transport;
        (transport.head.time, transport.head.returning, transport.clock) = (0.5, returning, 1.75);
        ui.run();
        let lane = ui.get_by_label("Strip of layer 1, Wave").rect();
        let [left, right] = [start.min(end), start.max(end)].map(|time| on_ruler(&ui, time).max(on_ruler(&ui, 0.0) - 14.0));
        assert!((lane.left() - left).abs() < 1.0 && (lane.right() - right).abs() < 1.0, "{returning}: {lane:?}, {left} to {right}");
    }
    // A bar is dragged from where it is shown: to the left by six frames, which is later while a ping-pong returns.
    let from = pos2(on_ruler(&ui, 0.2), ui.get_by_label("Strip of layer 1, Wave").rect().center().y);
    let to = pos2(on_ruler(&ui, 0.2 - 6.0 / 24.0), from.y);
    drag(&mut ui, PointerButton::Primary, &[from, from - vec2(10.0, 0.0), to]);
    assert!((layer(&ui).offset + 2.25).abs() < 1e-6, "{}", layer(&ui).offset);
}

#[test]
fn the_tooltip_of_a_lane_does_not_wrap_and_is_hidden_during_a_drag() {
    let mut ui = waving(Layer::default());
    let from = at(&ui, 0.3);
    move_to(&mut ui, from);
    ui.run_steps(60);
    let height = ui.get_by_label_contains("offset 0.000 s").rect().height();
    ui.state_mut().view.layers[0].offset = 0.208;
    ui.run_steps(10);
    assert_eq!(ui.get_by_label_contains("offset 0.208 s").rect().height(), height, "the longer text has as many lines");
    press(&mut ui, from, PointerButton::Primary, true);
    move_to(&mut ui, from + egui::vec2(20.0, 0.0));
    ui.run_steps(60);
    assert!(ui.query_by_label_contains("offset").is_none());
}

#[test]
fn arrow_keys_move_a_lane_that_has_the_focus() {
    let mut ui = waving(Layer::default());
    ui.get_by_label("Strip of layer 1, Wave").focus();
    ui.run();
    ui.key_press(Key::ArrowRight);
    ui.run();
    assert!((layer(&ui).offset + 1.0 / 24.0).abs() < 1e-5);
    ui.key_press_modifiers(Modifiers::SHIFT, Key::ArrowLeft);
    ui.run();
    assert!((layer(&ui).offset - 9.0 / 24.0).abs() < 1e-5, "{}", layer(&ui).offset);
}

#[test]
fn a_lane_can_be_muted_and_weighted_and_opens_its_details() {
    let mut ui = waving(Layer { speed: 0.0, ..Layer::default() });
    click(&mut ui, "Mute strip of layer 1, Wave");
    assert!(layer(&ui).muted);
    assert!(ui.query_by_role_and_label(Role::SpinButton, "Weight in strip of layer 1, Wave").is_some());
    ui.state_mut().state.preferences.left_panel = false;
    ui.run();
    click(&mut ui, "Strip of layer 1, Wave");
    assert!(ui.query_by_label("Speed of layer 1, Wave").is_some(), "the left panel is shown with the details");
}

#[test]
fn layers_over_the_rest_pose_have_no_lanes_and_the_timeline_says_that_they_play() {
    let mut ui = waving(Layer { animation: 1, ..Layer::default() });
    ui.state_mut().state.preferences.timeline_rows = TimelineRows::None;
    ui.state_mut().view.animation = None;
    ui.run();
    let bottom = |ui: &Ui| ui.state().areas.unwrap().viewport.bottom();
    let says = |ui: &Ui, text: &str| painted_texts(ui).any(|(shape, _)| shape.galley.text() == text);
    let with_layer = bottom(&ui);
    assert!(says(&ui, "Layers over the rest pose. Select an animation to see them over time."));
    ui.state_mut().view.layers.clear();
    ui.run();
    assert_eq!(bottom(&ui), with_layer, "no empty lanes");
    assert!(says(&ui, "Rest pose. Select an animation to play."));
}

#[test]
fn at_most_five_lanes_are_visible_and_the_rest_scroll() {
    let mut ui = open(walker());
    assert!(ui.query_by_label("Strip of layer 1, Wave").is_none());
    let height = |ui: &Ui| ui.state().areas.expect("areas").viewport.height();
    ui.state_mut().state.preferences.timeline_rows = sinew::ui::context::preferences::TimelineRows::None;
    ui.run();
    let without = height(&ui);
    for (count, rows) in [(1, 1.0), (5, 5.0), (9, 5.0)] {
        ui.state_mut().view.layers = vec![Layer { animation: 1, ..Layer::default() }; count];
        ui.run();
        assert_eq!(without - height(&ui), rows * 22.0, "{count}");
    }
    assert!(ui.query_by_label("Strip of layer 9, Wave").is_none());
    ui.event(egui::Event::PointerMoved(ui.get_by_label("Strip of layer 1, Wave").rect().center()));
    ui.run();
    ui.event(wheel(MouseWheelUnit::Point, vec2(0.0, -500.0), Modifiers::NONE));
    for _ in 0..20 {
        ui.step();
    }
    assert!(ui.query_by_label("Strip of layer 9, Wave").is_some());
}
