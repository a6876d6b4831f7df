//! Tests the menu View > Crowd, and the inspector's section of frame times.

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;

use sinew::session::view::undo::Undo;
use sinew::ui::actions::keys::Key;
use sinew::ui::actions::{Action, table};
use sinew::ui::context::app_status::Performance;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{click, open};

#[test]
fn the_crowd_menu_sets_the_number_of_members_and_undo_restores_it() {
    let mut ui = open(walker());
    let mut undo = Undo::new(&ui.state().view);
    click(&mut ui, "View");
    click(&mut ui, "Crowd");
    ui.get_by_role_and_label(Role::MenuItemCheckBox, "100").click();
    ui.run();
    assert_eq!(ui.state().view.display.crowd, 100);
    undo.settle(&ui.state().view);
    undo.undo(&mut ui.state_mut().view);
    assert_eq!(ui.state().view.display.crowd, 1);
}

#[test]
fn f3_shows_and_hides_frame_times() {
    let mut ui = open(walker());
    assert!(ui.query_by_label("Performance").is_none());
    assert_eq!(table::find(Key::F(3), egui::Modifiers::NONE), Some(Action::Performance));
    let state = ui.state_mut();
    let performance: &mut Performance = &mut state.state.status.performance;
    (performance.ui_ms, performance.pose_ms, performance.draw_ms) = (1.5, 0.25, 2.0);
    (performance.joints, performance.instances, performance.upload_bytes) = (500, 100, 24_000);
    performance.remember(0.0);
    state.state.status.statistics.adapter = "a graphics card".into();
    state.perform(Action::Performance);
    ui.run();
    for label in ["Panels: 1.50 ms", "Pose: 0.25 ms", "Per joint: 500.0 ns", "Draw: 2.00 ms", "GPU: Not available", "Upload: 24.0 kB"] {
        ui.get_by_label(label);
    }
    ui.get_by_label("Instances: 100");
    ui.get_by_label("Frame time: 3.75 ms");
    assert!(ui.get_all_by_label("Adapter: a graphics card").count() > 0);
    ui.state_mut().perform(Action::Performance);
    ui.run();
    assert!(ui.query_by_label("Pose: 0.25 ms").is_none());
}

#[test]
fn f3_opens_a_collapsed_inspector_in_a_narrow_window() {
    let mut ui = harness(900.0, 600.0, 1.0, Window::new(walker()));
    assert!(!ui.state().state.inspector_shown());
    ui.state_mut().perform(Action::Performance);
    ui.run();
    assert!(ui.state().state.performance_shown());
    ui.get_by_label_contains("Panels:");
    // With the inspector collapsed, the frame times are not shown.
    ui.state_mut().perform(Action::Inspector);
    ui.run();
    assert!(!ui.state().state.performance_shown());
}

#[test]
fn frame_times_do_not_request_frames_while_nothing_moves() {
    let mut ui = open(walker());
    ui.state_mut().perform(Action::Performance);
    // `run` fails if frames never stop.
    ui.run();
    assert!(ui.try_run().is_ok_and(|steps| steps <= 2));
}
