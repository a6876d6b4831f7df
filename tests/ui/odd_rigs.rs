//! Tests odd characters in the panels. Each one is compared with another character, gets the animations of that character, and is checked.
//! The panels must show the results that the program computes.

use std::sync::Arc;

use egui_kittest::kittest::Queryable;
use sinew::asset::LoadOptions;
use sinew::borrowed::{Borrowed, BorrowedFile, FileRequest, apply};
use sinew::check::profile::Profile;
use sinew::check::{self, settings::Settings};
use sinew::model::Model;
use sinew::model::finding::Severity;
use sinew::numbers;
use sinew::session::view::retarget::Retarget;
use sinew::ui::context::check_status::{CheckResults, JobState};
use sinew::ui::context::window_state::{Dialog, RevealedSection};

use crate::common::odd_rigs::{Character, cesium_man_like, odd};
use crate::common::ui_harness::{Window, harness};
use crate::gestures::{Ui, click};

/// All rigs, by name. The first is the plain one.
fn rigs() -> Vec<(&'static str, Model)> {
    let odd = odd().map(|(what, character)| (what, character.gltf().model()));
    let others = [("plain", Character::default().gltf().model()), ("like CesiumMan", cesium_man_like().model())];
    others.into_iter().chain(odd).collect()
}

/// Adds the animations of another file to a model.
fn with_animations(model: Model, other: Model) -> (Model, Borrowed) {
    let file = BorrowedFile { path: "/motions/other.glb".into(), model: Arc::new(other), files: Vec::new() };
    apply(model, vec![(FileRequest::Loaded(Arc::new(file)), Retarget::default())], &LoadOptions::default())
}

/// Opens a model beside another one, with the animations of the other one and with the results of the checks.
fn open(model: Model, other: &Model) -> Ui {
    let (model, borrowed) = with_animations(model, other.clone());
    let mut window = Window::new(model);
    window.state.status.borrowed = Arc::new(borrowed.reports);
    let findings = check::check(&window.document, &Settings::default(), &|_| true).unwrap();
    let results = CheckResults { profile: Profile::default(), findings };
    window.state.status.checks.get(&window.document).checks = JobState::Done(results);

    window.compare_with(other.clone(), ["walker.glb", "other.glb"]);
    harness(1280.0, 3000.0, 1.0, window)
}

/// Asserts that the comparison shows its numbers in every layout.
fn assert_compared(ui: &mut Ui, what: &str) {
    let found = ui.state().comparison.clone().unwrap().found.unwrap();
    assert!(found.measured.joints.len() >= 16, "{what}: {}", found.measured.joints.len());
    ui.get_by_label(&format!("Matched nodes: {}", found.measured.joints.len()));
    for layout in ["Overlay", "Difference", "Side by side"] {
        click(ui, layout);
        assert!(ui.query_by_label_contains("Largest joint distance: ").is_some(), "{what}, {layout}");
        assert!(ui.query_by_label_contains("Largest joint angle: ").is_some(), "{what}, {layout}");
    }
}

/// Asserts that the list of animations has the added animation, and that the binding report shows how many
/// animated joints were paired.
fn assert_borrowed(ui: &mut Ui, what: &str) {
    let report = ui.state().state.status.borrowed[0].clone();
    assert_eq!(ui.get_all_by_label("walk").count(), 2, "{what}: its own animation, and the other's");
    assert!(report.binding.moved.bound >= 16, "{what}: {}", report.counterpart_text());
    click(ui, "Binding report of other.glb");
    assert_eq!(ui.state().state.window.dialog, Some(Dialog::Binding(0)));
    ui.get_by_label(&format!("other.glb: counterparts for {}", report.counterpart_text().replace("node", "animated node")));
    // Nodes without a counterpart are listed above the pairs. If there are none, the row of the first pair is visible.
    let first = report.file.model.node(report.binding.pairs[0].source).label();
    let searched = ui.query_by_label(&format!("Unpair {first}")).is_some() || !report.binding.unbound_sources.is_empty();
    assert!(searched, "{what}: no row for {first}");
    ui.state_mut().state.window.dialog = None;
    ui.run();
}

/// Asserts that the section of the checks lists each finding.
fn assert_checked(ui: &mut Ui, what: &str) {
    ui.state_mut().state.window.revealed_section = Some(RevealedSection::Checks);
    ui.run();
    let window = ui.state_mut();
    let found = window.state.status.checks.get(&window.document).findings().to_vec();
    assert!(found.len() < 20, "{what}: {} findings", found.len());
    for severity in Severity::ALL {
        let count = found.iter().filter(|finding| finding.severity == severity).count();
        assert!(count == 0 || ui.query_by_label(&numbers::counted(count, severity.noun())).is_some(), "{what}: {count} {severity:?}");
    }
    for finding in &found {
        assert!(ui.query_all_by_label_contains(&finding.message).next().is_some(), "{what}: {}", finding.message);
    }
}

#[test]
fn the_panels_show_the_comparison_the_added_animations_and_the_checks_of_every_rig() {
    let rigs = rigs();
    let plain = rigs[0].1.clone();
    for (what, model) in rigs {
        let mut ui = open(model.clone(), &plain);
        assert_compared(&mut ui, what);
        assert_borrowed(&mut ui, what);
        assert_checked(&mut ui, what);
        // Open the plain model beside the odd one.
        let mut ui = open(plain.clone(), &model);
        assert_compared(&mut ui, what);
        assert_borrowed(&mut ui, what);
    }
}
