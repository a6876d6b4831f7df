//! Tests the status bar.

use std::time::Instant;

use egui_kittest::kittest::Queryable;
use sinew::model::Model;
use sinew::model::finding::{Finding, Severity};
use sinew::ui::context::app_status::StatusMessage;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, painted_texts, window};

#[test]
fn the_frame_time_does_not_move_its_neighbors() {
    let mut window = window();
    let mut left = |ms: f32| {
        window.state_mut().state.status.statistics.frame_ms = ms;
        window.run();
        let status = window.state().areas.unwrap().status;
        let triangles = window.get_all_by_label_contains("triangle").find(|node| status.contains(node.rect().center())).unwrap();
        triangles.rect().left()
    };
    assert_eq!([left(4.5), left(16.6)], [left(123.4), left(123.4)]);
}

#[test]
fn the_number_of_findings_has_its_word() {
    let mut model = walker();
    model.findings =
        vec![Finding { code: "SOMETHING", severity: Severity::Warning, pointer: "/nodes/0".to_owned(), message: "A gap.".to_owned() }];
    let window = harness(1280.0, 720.0, 1.0, Window::new(model));
    let status = window.state().areas.unwrap().status;
    assert!(painted_texts(&window).any(|(text, _)| text.galley.text() == "Findings" && status.contains(text.pos)));
}

/// Returns the text of the hint, if it is complete and lies in the status bar.
fn hint(window: &Ui) -> Option<String> {
    let status = window.state().areas.unwrap().status;
    let complete = painted_texts(window).filter(|(text, _)| status.contains_rect(text.visual_bounding_rect()) && !text.galley.elided);
    complete.map(|(text, _)| text.galley.text().to_owned()).find(|text| text.contains("to orbit") || text.contains(".glb"))
}

#[test]
fn hints_for_new_users_are_in_the_status_bar_and_cover_nothing_of_the_picture() {
    for (width, height) in [(640.0, 360.0), (900.0, 600.0), (1280.0, 800.0)] {
        for (is_sample, text) in [
            (true, "Drop a .glb, .gltf, .vrm, .zip or folder here, or press Ctrl+O"),
            (false, "Drag to orbit, right-drag to pan, scroll to zoom"),
        ] {
            let mut opened = Window::new(Model { findings: Vec::new(), ..walker() });
            opened.state.status.can_drop = true;
            if is_sample {
                opened.document.path = None;
            }
            let mut window = harness(width, height, 1.0, opened);
            assert_eq!(hint(&window).as_deref(), Some(text), "{width} x {height}");
            let viewport = window.state().areas.unwrap().viewport;
            let label = window.get_by_label(text).rect();
            assert!(!viewport.intersects(label), "{label:?} covers {viewport:?}");
            // A message has priority.
            window.state_mut().state.status.message = Some(StatusMessage { text: "Reloaded".into(), saved: None, until: Instant::now() });
            window.run();
            assert_eq!(hint(&window), None);
            window.state_mut().state.status.message = None;
            // The user has moved the camera.
            window.state_mut().state.preferences.hint_seen = true;
            window.run();
            assert_eq!(hint(&window).is_some(), is_sample, "only the hint about opening files stays");
        }
    }
}
