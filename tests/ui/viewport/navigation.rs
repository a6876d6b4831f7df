//! Tests the viewport: picking, navigation, the axes, and messages above it.

use egui::accesskit::Role;
use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::session::view::ViewCamera;
use sinew::ui::actions::navigation;
use sinew::ui::context::app_status::{CrashReport, Failure};
use sinew::ui::context::preferences::Navigation;
use sinew::ui::context::request::Request;

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, drag, move_to, open, press, selected, source};

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
    let window = ui.state();
    let viewport = window.areas.expect("a frame was laid out").viewport;
    let node = window.document.model.node_from_source(source(ui, name)).expect("a node");
    let aspect = f64::from(viewport.aspect_ratio());
    let camera = sinew::session::camera::view_camera::camera(window.subject(), &window.posed, aspect);
    let clip = camera.clip_from_anchored(glam::DVec3::ZERO, aspect) * window.posed.globals[node.index()].translation.as_vec3().extend(1.0);
    viewport.center() + vec2(clip.x / clip.w, -clip.y / clip.w) * viewport.size() / 2.0
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
}

#[test]
fn the_wheel_zooms_over_the_viewport_and_nowhere_else() {
    let mut ui = open(hand_made::bending_box());
    let viewport = ui.state().areas.unwrap().viewport;
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, 1.0),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
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
    assert_eq!(ui.state().commands, [Request::CopyText(format!("hair.glb: {message}")), Request::OpenDialog]);
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
    assert_eq!(ui.state().commands, [Request::CopyText(report.text), Request::ShowInFolder(report.path)]);
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
