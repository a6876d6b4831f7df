//! Tests drags and clicks whose press, moves and release all fall into one slow frame.

use egui::{Event, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;

use sinew::session::view::ViewCamera;
use sinew::ui::actions::Action;
use sinew::ui::input_steps::{self, InputStep, PlacedAction};

use crate::gestures::{Ui, window};

fn moved(at: Pos2) -> Event {
    Event::PointerMoved(at)
}

fn button(at: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// Returns the events of a drag: a press at the first point, moves over all points, and a release at the last.
fn dragged(points: &[Pos2]) -> Vec<Event> {
    let (first, last) = (points[0], points[points.len() - 1]);
    [moved(first), button(first, true)].into_iter().chain(points.iter().map(|at| moved(*at))).chain([button(last, false)]).collect()
}

/// Runs a frame as the application does: the panels run once for each step.
fn frame(ui: &mut Ui, events: Vec<Event>, actions: &[PlacedAction]) {
    for InputStep { actions, events } in input_steps::steps(events, actions) {
        actions.into_iter().for_each(|action| ui.state_mut().perform(action));
        ui.input_mut().events.extend(events);
        ui.step();
    }
    ui.run();
}

#[test]
fn the_out_point_is_dragged_within_one_frame_and_then_jumped_to() {
    let mut ui = window();
    let handle = ui.get_by_label("Out point").rect().center();
    let events = dragged(&[handle, handle - vec2(100.0, 0.0), handle - vec2(300.0, 0.0)]);
    let last = PlacedAction { action: Action::Last, events_before: events.len() };
    frame(&mut ui, events, &[last]);
    let [start, end] = ui.state().view.range.expect("an out point");
    assert!(start == 0.0 && end < 3.0, "{start} to {end}");
    assert_eq!(ui.state().transport.time(), end, "the key comes after the drag");
}

#[test]
fn the_ruler_is_scrubbed_within_one_frame() {
    let mut ui = window();
    let ruler = ui.get_by_label("Time ruler").rect();
    let middle = ruler.center();
    // The last move leaves the ruler.
    frame(&mut ui, dragged(&[ruler.left_center() + vec2(40.0, 0.0), middle, middle - vec2(0.0, 150.0)]), &[]);
    let time = ui.state().transport.time();
    assert!((time - 41.0 / 24.0).abs() < 1.1 / 24.0, "{time}");
}

#[test]
fn the_divider_of_the_names_is_dragged_within_one_frame() {
    let mut ui = window();
    let divider = ui.get_by_label("Name column width").rect().center();
    let before = ui.state().state.preferences.names_width;
    frame(&mut ui, dragged(&[divider, divider + vec2(60.0, 0.0)]), &[]);
    let after = ui.state().state.preferences.names_width;
    assert!((after - before - 60.0).abs() < 4.0, "{before} to {after}");
}

#[test]
fn the_divider_of_the_inspector_is_dragged_within_one_frame() {
    let mut ui = window();
    let viewport = ui.get_by_label("Viewport").rect();
    let edge = viewport.right_center() + vec2(2.0, 0.0);
    frame(&mut ui, dragged(&[edge, edge - vec2(30.0, 0.0), edge - vec2(60.0, 0.0)]), &[]);
    let after = ui.get_by_label("Viewport").rect();
    assert!((viewport.right() - after.right() - 60.0).abs() < 4.0, "{viewport} to {after}");
}

#[test]
fn the_view_is_orbited_within_one_frame() {
    let mut ui = window();
    let at = ui.get_by_label("Viewport").rect().center();
    frame(&mut ui, dragged(&[at, at + vec2(40.0, 0.0), at + vec2(90.0, 10.0)]), &[]);
    assert!(matches!(ui.state().view.camera, ViewCamera::Orbit(_)), "{:?}", ui.state().view.camera);
    assert!(ui.state().view.selection.is_empty(), "a drag is no click");
}

#[test]
fn each_of_several_clicks_within_one_frame_has_an_effect() {
    let mut ui = window();
    let [next, play] = ["Next frame", "Play"].map(|label| ui.get_by_label(label).rect().center());
    let click = |at: Pos2| [moved(at), button(at, true), button(at, false)];
    frame(&mut ui, [click(next), click(next), click(play)].concat(), &[]);
    assert!(ui.state().transport.time() > 1.5 / 24.0, "{}", ui.state().transport.time());
    assert!(ui.state().transport.is_playing());
}

#[test]
fn input_without_buttons_is_one_step() {
    let at = Pos2::ZERO;
    let typed = || Event::Text("a".into());
    assert_eq!(input_steps::steps(Vec::new(), &[]), [InputStep::default()]);
    let events = vec![moved(at), typed(), moved(at)];
    assert_eq!(input_steps::steps(events.clone(), &[]), [InputStep { actions: Vec::new(), events }]);
    let action = |action, events_before| PlacedAction { action, events_before };
    let steps = input_steps::steps(vec![typed()], &[action(Action::Last, 0), action(Action::First, 1)]);
    assert_eq!(steps, [InputStep { actions: vec![Action::Last, Action::First], events: vec![typed()] }]);
    // A key between two clicks is performed between them.
    let click = [button(at, true), button(at, false)];
    let steps = input_steps::steps([click.clone(), click].concat(), &[action(Action::Last, 2)]);
    let counts: Vec<_> = steps.iter().map(|step| (step.actions.len(), step.events.len())).collect();
    assert_eq!(counts, [(0, 1), (0, 1), (1, 1), (0, 1)]);
}
