//! Tests the status bar.

use egui_kittest::kittest::Queryable;
use sinew::model::finding::{Finding, Severity};

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::window;

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
    let has_word = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
        egui::Shape::Text(text) => text.galley.text() == "Findings" && status.contains(text.pos),
        _ => false,
    };
    assert!(window.output().shapes.iter().any(has_word));
}
