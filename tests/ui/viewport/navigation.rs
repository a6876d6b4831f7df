//! Tests the viewport: picking, navigation, the axes, and messages above it.

use std::f64::consts::TAU;

use egui::accesskit::Role;
use egui::{Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use glam::{DVec2, DVec3};

use sinew::camera::Orbit;
use sinew::camera::bounds::Bounds;
use sinew::session::camera::orbit_controls;
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::view::ViewCamera;
use sinew::ui::actions::navigation::{self, Gesture};
use sinew::ui::context::app_status::{CrashReport, Failure};
use sinew::ui::context::preferences::Navigation;
use sinew::ui::context::request::Request;

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{CTRL, Ui, click, drag, move_to, open, press, project, selected, source, wheel};

#[test]
fn a_click_selects_a_mesh_and_a_click_on_nothing_clears_the_selection() {
    let mut ui = open(hand_made::bending_box());
    let viewport = ui.state().areas.unwrap().viewport;
    let middle = viewport.center();
    press(&mut ui, middle, PointerButton::Primary, true);
    press(&mut ui, middle, PointerButton::Primary, false);
    assert_eq!(selected(&ui), ["Box"]);
    let empty = viewport.left_center() + vec2(20.0, 0.0);
    press(&mut ui, empty, PointerButton::Primary, true);
    press(&mut ui, empty, PointerButton::Primary, false);
    assert!(selected(&ui).is_empty());
}

/// Returns the screen position of a node.
fn seen(ui: &Ui, name: &str) -> Pos2 {
    let node = ui.state().document.model.node_from_source(source(ui, name)).expect("a node");
    project(ui, ui.state().posed.globals[node.index()].translation)
}

#[test]
fn a_second_click_on_a_joint_selects_the_object_behind_it() {
    let mut ui = open(hand_made::bending_box());
    ui.state_mut().view.display.skeleton = true;
    ui.run();
    let tip = seen(&ui, "Tip");
    for wanted in ["Tip", "Box", "Tip"] {
        press(&mut ui, tip, PointerButton::Primary, true);
        press(&mut ui, tip, PointerButton::Primary, false);
        assert_eq!(selected(&ui), [wanted]);
        // Wait, so that the next click is not part of a double click.
        ui.run_steps(4);
    }
}

#[test]
fn a_left_drag_orbits_and_a_right_drag_pans() {
    let mut ui = open(hand_made::bending_box());
    let at = ui.state().areas.unwrap().viewport.center();
    let before = sinew::ui::commands::camera::orbit(&ui.state_mut().context());
    drag(&mut ui, PointerButton::Primary, &[at, at + vec2(30.0, 0.0), at + vec2(90.0, 30.0)]);
    let ViewCamera::Orbit(turned) = ui.state().view.camera else { panic!("not an orbit") };
    // The eye moves to the left and up, so the model follows the pointer to the right and down.
    assert!((turned.yaw - before.yaw).sin() < 0.0 && turned.pitch > before.pitch, "{turned:?}");
    assert_eq!((turned.focus, turned.distance), (before.focus, before.distance));
    assert!(selected(&ui).is_empty(), "a drag is no click");
    assert!(ui.state().state.preferences.hint_seen);
    drag(&mut ui, PointerButton::Secondary, &[at, at + vec2(30.0, 0.0), at + vec2(90.0, 30.0)]);
    let ViewCamera::Orbit(panned) = ui.state().view.camera else { panic!("not an orbit") };
    assert_eq!((panned.yaw, panned.pitch, panned.distance), (turned.yaw, turned.pitch, turned.distance));
    assert!(panned.focus != turned.focus);
    assert!(ui.query_by_label("Frame selected").is_none(), "a drag opens no menu");
}

#[test]
fn a_preset_is_described_by_its_gestures() {
    let described = "Alt+left drag: orbit. Alt+middle drag: pan. Alt+right drag: zoom. Left drag: box select.";
    assert_eq!(navigation::buttons(Navigation::Maya), described);
    // Moves of the camera come first, in their simplest form.
    let described = "Left drag: orbit. Middle drag: pan. Right drag: pan. Shift+left drag: pan. Ctrl+left drag: box select.";
    assert_eq!(navigation::buttons(Navigation::Sinew), described);
}

#[test]
fn the_wheel_zooms_over_the_viewport_and_nowhere_else() {
    let mut ui = open(hand_made::bending_box());
    let viewport = ui.state().areas.unwrap().viewport;
    let wheel = wheel(MouseWheelUnit::Line, vec2(0.0, 1.0), Modifiers::NONE);
    move_to(&mut ui, viewport.left_center() - vec2(40.0, 0.0));
    ui.event(wheel.clone());
    ui.run();
    assert_eq!(ui.state().view.camera, ViewCamera::Fit);
    let before = sinew::ui::commands::camera::orbit(&ui.state_mut().context());
    move_to(&mut ui, viewport.center());
    ui.event(wheel);
    ui.run();
    let ViewCamera::Orbit(zoomed) = ui.state().view.camera else { panic!("not an orbit") };
    assert!((zoomed.distance - before.distance / 1.1).abs() < 1e-6);
}

#[test]
fn box_selection_selects_the_joints_in_the_box() {
    let mut ui = open(hand_made::bending_box());
    ui.state_mut().state.preferences.navigation = Navigation::Blender;
    ui.state_mut().view.display.skeleton = true;
    ui.run();
    let (base, tip) = (seen(&ui, "Base"), seen(&ui, "Tip"));
    let corners = [tip - vec2(40.0, 40.0), tip, base + vec2(40.0, 40.0)];
    drag(&mut ui, PointerButton::Primary, &corners);
    assert_eq!(selected(&ui), ["Base", "Tip"]);
    assert_eq!(ui.state().view.camera, ViewCamera::Fit);
}

#[test]
fn a_click_on_an_axis_turns_the_camera_and_a_second_click_turns_it_to_the_other_side() {
    let mut ui = open(hand_made::bending_box());
    click(&mut ui, "Front view");
    let ViewCamera::Orbit(front) = ui.state().view.camera else { panic!("not an orbit") };
    assert_eq!((front.yaw, front.pitch), (0.0, 0.0));
    click(&mut ui, "Front view");
    let ViewCamera::Orbit(back) = ui.state().view.camera else { panic!("not an orbit") };
    assert!((back.yaw - std::f64::consts::PI).abs() < 1e-12);
    assert!(selected(&ui).is_empty(), "the model behind the axes is not clicked");
}

#[test]
fn a_right_click_lists_the_joints_that_move_the_point() {
    let mut ui = open(hand_made::bending_box());
    let middle = ui.state().areas.unwrap().viewport.center();
    press(&mut ui, middle, PointerButton::Secondary, true);
    press(&mut ui, middle, PointerButton::Secondary, false);
    assert_eq!(selected(&ui), ["Box"]);
    ui.get_by_label("Joints here");
    ui.get_all_by_label("Base").find(|node| node.accesskit_node().role() == Role::MenuItemCheckBox).unwrap().click();
    ui.run();
    assert_eq!(selected(&ui), ["Base"]);
}

#[test]
fn a_failure_is_shown_above_the_viewport_until_it_is_closed() {
    let mut ui = open(walker());
    let before = ui.state().areas.unwrap().viewport;
    let message = "mesh 3 \"Hair\": POSITION accessor 12 reads 480 bytes past its buffer view";
    ui.state_mut().state.status.failure = Some(Failure { name: "hair.glb".into(), path: None, message: message.into() });
    ui.run();
    assert!(ui.state().areas.unwrap().viewport.top() > before.top());
    ui.get_by_label(&format!("M{}", &message[1..]));
    click(&mut ui, "Copy");
    click(&mut ui, "Open another file...");
    assert_eq!(ui.state().requests, [Request::CopyText(format!("hair.glb: {message}")), Request::OpenDialog]);
    click(&mut ui, "Close message");
    assert_eq!(ui.state().state.status.failure, None);
    assert_eq!(ui.state().areas.unwrap().viewport, before);
}

#[test]
fn the_report_of_a_crash_is_offered_above_the_viewport_until_it_is_closed() {
    let mut ui = open(walker());
    let before = ui.state().areas.unwrap().viewport;
    let report = CrashReport { path: "state/last-crash-report.txt".into(), text: "Sinew 0.1.0\npanicked at".into() };
    ui.state_mut().state.status.crash_report = Some(report.clone());
    ui.run();
    assert!(ui.state().areas.unwrap().viewport.top() > before.top());
    click(&mut ui, "Copy report");
    click(&mut ui, "Show in folder");
    assert_eq!(ui.state().requests, [Request::CopyText(report.text), Request::ShowInFolder(report.path)]);
    click(&mut ui, "Close crash report");
    assert_eq!(ui.state().areas.unwrap().viewport, before);
}

#[test]
fn a_viewport_too_narrow_for_the_axes_has_none() {
    let mut ui = harness(450.0, 300.0, 2.0, Window::new(hand_made::bending_box()));
    ui.get_by_label("Front view");
    ui.state_mut().state.window.inspector_when_narrow = true;
    ui.run();
    assert!(ui.state().areas.unwrap().viewport.width() < 60.0);
    assert!(ui.query_by_label("Front view").is_none(), "the axes would cover the panel beside the viewport");
}

// Gestures

fn orbit() -> Orbit {
    Orbit { focus: DVec3::new(0.3, 1.0, -0.2), yaw: 0.7, pitch: 0.3, distance: 4.0, ..Orbit::default() }
}

fn projection(orbit: &Orbit) -> ScreenProjection {
    let bounds = Bounds { min: DVec3::new(-1.0, 0.0, -1.0), max: DVec3::new(1.0, 2.0, 1.0) };
    ScreenProjection { camera: orbit.camera(&bounds), size: DVec2::new(800.0, 500.0) }
}

#[test]
fn a_pan_keeps_the_grabbed_point_under_the_pointer() {
    let before = projection(&orbit());
    let grabbed = orbit().focus;
    let from = before.project(grabbed).unwrap().point;
    let moved = navigation::drag(&orbit(), Gesture::Pan, vec2(120.0, -45.0), vec2(800.0, 500.0));
    let to = projection(&moved).project(grabbed).unwrap().point;
    assert!((to - from - DVec2::new(120.0, -45.0)).length() < 1e-6, "moved by {}", to - from);
}

#[test]
fn each_preset_has_its_buttons() {
    use PointerButton::{Middle, Primary, Secondary};
    let (none, shift, alt, ctrl) = (Modifiers::NONE, Modifiers::SHIFT, Modifiers::ALT, CTRL);
    let wanted = [
        (Navigation::Sinew, Primary, none, Some(Gesture::Orbit)),
        (Navigation::Sinew, Primary, shift, Some(Gesture::Pan)),
        (Navigation::Sinew, Primary, ctrl, Some(Gesture::Select)),
        (Navigation::Sinew, Middle, none, Some(Gesture::Pan)),
        (Navigation::Sinew, Secondary, none, Some(Gesture::Pan)),
        (Navigation::Blender, Primary, none, Some(Gesture::Select)),
        (Navigation::Blender, Middle, none, Some(Gesture::Orbit)),
        (Navigation::Blender, Middle, shift, Some(Gesture::Pan)),
        (Navigation::Blender, Middle, ctrl, Some(Gesture::Zoom)),
        (Navigation::Blender, Secondary, none, None),
        (Navigation::Maya, Primary, alt, Some(Gesture::Orbit)),
        (Navigation::Maya, Middle, alt, Some(Gesture::Pan)),
        (Navigation::Maya, Secondary, alt, Some(Gesture::Zoom)),
        (Navigation::Maya, Secondary, none, None),
    ];
    for (preset, button, modifiers, gesture) in wanted {
        assert_eq!(navigation::gesture(preset, button, modifiers), gesture, "{preset:?} {button:?} {modifiers:?}");
    }
}

#[test]
fn a_drag_across_the_viewport_is_a_full_turn_and_moves_the_model_with_it() {
    let turned = navigation::drag(&orbit(), Gesture::Orbit, vec2(800.0, 0.0), vec2(800.0, 500.0));
    assert!(((turned.yaw - orbit().yaw).rem_euclid(TAU)).min(TAU - (turned.yaw - orbit().yaw).rem_euclid(TAU)) < 1e-9);
    // Points in front of the focus follow the pointer to the right and down.
    let front = orbit().focus + orbit().back() * 0.5;
    let before = projection(&orbit()).project(front).unwrap().point;
    let after = projection(&navigation::drag(&orbit(), Gesture::Orbit, vec2(20.0, 10.0), vec2(800.0, 500.0))).project(front).unwrap().point;
    assert!(after.x > before.x && after.y > before.y, "from {before} to {after}");
}

#[test]
fn the_wheel_zooms_by_a_tenth_and_a_touchpad_orbits_pans_and_zooms() {
    let (viewport, middle) = (Rect::from_min_size(pos2(100.0, 50.0), vec2(800.0, 500.0)), pos2(500.0, 300.0));
    let scroll = |event: Event, at: Pos2| navigation::scroll(&orbit(), &event, at, viewport).unwrap();
    let (lines, points) = (MouseWheelUnit::Line, MouseWheelUnit::Point);

    let zoomed = scroll(wheel(lines, vec2(0.0, 1.0), Modifiers::NONE), middle);
    assert!((zoomed.distance - 4.0 / 1.1).abs() < 1e-9);
    assert!((zoomed.focus - orbit().focus).length() < 1e-6);

    let orbited = scroll(wheel(points, vec2(10.0, 0.0), Modifiers::NONE), middle);
    assert!(orbited.yaw != orbit().yaw && orbited.distance == 4.0);
    let panned = scroll(wheel(points, vec2(10.0, 0.0), Modifiers::SHIFT), middle);
    assert!(panned.yaw == orbit().yaw && panned.focus != orbit().focus);
    let pinched = scroll(wheel(points, vec2(0.0, 30.0), CTRL), middle);
    assert!(pinched.distance < 4.0 && pinched.yaw == orbit().yaw);
    assert!((scroll(Event::Zoom(2.0), middle).distance - 2.0).abs() < 1e-9);

    // The point under the pointer stays there.
    let at = pos2(700.0, 120.0);
    let under = orbit_controls::pan(&orbit(), DVec2::new(200.0, 180.0) / 500.0).focus;
    let zoomed = scroll(wheel(lines, vec2(0.0, 3.0), Modifiers::NONE), at);
    let seen = projection(&zoomed).project(under).unwrap().point;
    assert!((seen - DVec2::new(600.0, 70.0)).length() < 1e-4, "{seen}");
}
