//! Tests the headings of other files in the list of animations, and the binding report.

use std::sync::Arc;

use egui::{Key, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable;
use sinew::asset::LoadOptions;
use sinew::borrowed::{BorrowedFile, FileRequest, apply};
use sinew::model::Model;
use sinew::session::document::Document;
use sinew::session::view::retarget::{MAX_PAIRS, Retarget, RetargetMethod};
use sinew::ui::actions::Action;
use sinew::ui::context::request::Request;
use sinew::ui::context::window_state::Dialog;

use crate::common::hand_made::{add_skin, tree};
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::Ui;

/// Opens the walker with animations added from another file. That file is the walker itself, but its head is called "Skull".
fn window() -> Ui {
    window_with("Head", "Skull")
}

/// Opens the walker with its own animations added from another file, in which one node has another name.
fn window_with(name: &str, other_name: &str) -> Ui {
    harness(1280.0, 800.0, 1.0, borrowing(name, other_name))
}

/// Builds the window of [`window_with`].
fn borrowing(name: &str, other_name: &str) -> Window {
    let mut other = walker();
    let node = other.nodes.iter().position(|node| node.name.as_deref() == Some(name)).unwrap();
    other.nodes[node].name = Some(other_name.into());
    let file = BorrowedFile { path: "/motions/walks.glb".into(), model: Arc::new(other), files: Vec::new() };
    let wanted = vec![(FileRequest::Loaded(Arc::new(file)), Retarget::default())];
    let (model, borrowed) = apply(walker(), wanted, &LoadOptions::default());
    let mut window = Window::new(model);
    window.state.status.borrowed = Arc::new(borrowed.reports);
    window
}

#[test]
fn a_file_has_a_heading_over_its_animations_and_can_be_removed() {
    let mut harness = window();
    assert_eq!(harness.state().document.model.animations.len(), 4);
    assert_eq!(harness.get_all_by_label("Walk").count(), 2);
    harness.get_by_label("Remove the animations of walks.glb").click();
    harness.run();
    assert!(harness.state().requests.contains(&Request::RemoveAnimations(0)));
    harness.get_by_label("Binding report of walks.glb").click();
    harness.run();
    assert_eq!(harness.state().state.window.dialog, Some(Dialog::Binding(0)));
}

#[test]
fn the_binding_report_is_opened_by_its_action() {
    let mut alone = Window::new(walker());
    let reason = alone.perform_if_available(Action::BindingReport);
    assert_eq!(reason.as_deref(), Some("Binding report...: No animations of other files were added"));
    let mut harness = window();
    assert_eq!(harness.state_mut().perform_if_available(Action::BindingReport), None);
    assert_eq!(harness.state().state.window.dialog, Some(Dialog::Binding(0)));
}

#[test]
fn the_binding_report_fits_a_small_window() {
    for size in [vec2(480.0, 360.0), vec2(450.0, 300.0)] {
        let mut window = borrowing("Head", "Skull");
        window.state.window.dialog = Some(Dialog::Binding(0));
        let harness = harness(size.x, size.y, 1.0, window);
        for label in ["Close", "Search joints", "Pair... Skull", "Align rest poses"] {
            let rect = harness.get_by_label(label).rect();
            assert!(Rect::from_min_size(Pos2::ZERO, size).contains_rect(rect), "{label} at {rect:?} in a window of {size}");
        }
    }
}

#[test]
fn joints_are_paired_and_unpaired_by_hand() {
    let mut harness = window();
    harness.state_mut().state.window.dialog = Some(Dialog::Binding(0));
    harness.run();
    harness.get_by_label("Pair... Skull").click();
    harness.run();
    harness.get_by_label("Pair with Head").click();
    harness.run();
    harness.get_by_label("Unpair Hips").click();
    harness.run();
    let retarget = &harness.state().view.retarget[0];
    let pairs: Vec<_> = retarget.pairs.iter().map(|(from, to)| (from.as_str(), to.as_deref())).collect();
    assert_eq!(pairs, [("Hips", None), ("Skull", Some("Head"))]);
    assert_eq!(retarget.method, RetargetMethod::Auto);
}

#[test]
fn a_pair_beyond_the_limit_is_refused_with_a_message() {
    let mut harness = window();
    let pairs = (0..MAX_PAIRS).map(|i| (format!("Other {i}"), None)).collect();
    harness.state_mut().view.retarget = vec![Retarget { pairs, ..Retarget::default() }];
    harness.state_mut().state.window.dialog = Some(Dialog::Binding(0));
    harness.run();
    harness.get_by_label("Unpair Hips").click();
    harness.run();
    assert!(!harness.state().view.retarget[0].pairs.contains_key("Hips"));
    let message = "At most 1,000 nodes can be paired by hand";
    assert_eq!(harness.state().requests.last(), Some(&Request::ShowMessage(message.into())));
}

#[test]
fn the_joints_to_choose_from_come_first_and_nothing_moves_when_a_choice_begins() {
    let mut harness = window();
    harness.state_mut().state.window.dialog = Some(Dialog::Binding(0));
    harness.run();
    let rect = |harness: &Ui, label: &str| harness.get_by_label(label).rect();
    let [search, close] = ["Search joints", "Close"].map(|label| rect(&harness, label));
    harness.get_by_label("Pair... Skull").click();
    harness.run();
    assert_eq!(["Search joints", "Close"].map(|label| rect(&harness, label)), [search, close]);
    assert!(rect(&harness, "Pair with Head").bottom() < rect(&harness, "Unpair Hips").top());
    harness.get_by_label("Cancel Skull").click();
    harness.run();
    assert!(harness.query_by_label_contains("Choose the joint").is_none() && harness.query_by_label("Pair with Head").is_none());
}

#[test]
fn a_closed_report_forgets_the_search_and_the_joint_that_waits_for_a_counterpart() {
    let mut harness = window();
    let open = |harness: &mut Ui| {
        harness.state_mut().state.window.dialog = Some(Dialog::Binding(0));
        harness.run();
    };
    open(&mut harness);
    harness.get_by_label("Pair... Skull").click();
    harness.run();
    harness.get_by_label("Search joints").focus();
    harness.run();
    harness.get_by_label("Search joints").type_text("head");
    harness.run();
    assert!(harness.query_by_label("Unpair Hips").is_none());
    harness.state_mut().state.window.dialog = None;
    harness.run();
    open(&mut harness);
    assert!(harness.query_by_label("Unpair Hips").is_some() && harness.query_by_label_contains("Choose the joint").is_none());
}

#[test]
fn a_joint_that_was_unpaired_can_be_reset() {
    let mut harness = window();
    harness.state_mut().state.window.dialog = Some(Dialog::Binding(0));
    harness.run();
    harness.get_by_label("Unpair Hips").click();
    harness.run();
    // The application carries the animations over again.
    let file = Arc::clone(&harness.state().state.status.borrowed[0].file);
    let wanted = vec![(FileRequest::Loaded(file), harness.state().view.retarget[0].clone())];
    let (_, borrowed) = apply(walker(), wanted, &LoadOptions::default());
    harness.state_mut().state.status.borrowed = Arc::new(borrowed.reports);
    harness.run();
    assert!(harness.query_by_label("Pair... Hips").is_some(), "another counterpart can be chosen");
    assert!(harness.query_by_label("Reset Skull").is_none(), "the automatic rules find no counterpart for it");
    harness.get_by_label("Reset Hips").click();
    harness.run();
    assert!(harness.state().view.retarget.is_empty());
}

#[test]
fn the_report_says_what_has_no_counterpart_and_does_not_capitalize_the_file_name() {
    let mut harness = window_with("Hips", "Basin");
    harness.state_mut().state.window.dialog = Some(Dialog::Binding(0));
    harness.run();
    harness.get_by_label("walks.glb: counterparts for 0 of 1 animated node");
    harness.get_by_label("Its animated node has no counterpart in the model");
    assert!(harness.query_all_by_label_contains("Walks.glb").next().is_none());
}

#[test]
fn a_joint_that_waits_for_a_counterpart_is_forgotten_when_its_file_lacks_it() {
    let mut harness = window();
    harness.state_mut().state.window.dialog = Some(Dialog::Binding(0));
    harness.run();
    harness.get_by_label("Pair... Skull").click();
    harness.run();
    harness.get_by_label("Choose the joint of the model that Skull moves");
    // The file is read again, and has only one node now.
    let mut smaller = tree(&[("Root".into(), None)]);
    smaller.animations = Vec::new();
    let file = BorrowedFile { path: "/motions/walks.glb".into(), model: Arc::new(smaller), files: Vec::new() };
    let (model, borrowed) = apply(walker(), vec![(FileRequest::Loaded(Arc::new(file)), Retarget::default())], &LoadOptions::default());
    let window = harness.state_mut();
    window.open(Document::new(Arc::new(model), "walker.glb".into(), Some("/models/walker.glb".into())));
    window.state.status.borrowed = Arc::new(borrowed.reports);
    harness.run();
    harness.get_by_label("walks.glb: counterparts for 0 of 0 animated nodes");
    assert!(harness.query_by_label_contains("Choose the joint").is_none());
}

#[test]
fn two_thousand_joints_of_one_name_are_listed_as_ambiguous() {
    let names = || -> Vec<(String, Option<usize>)> { (0..2000).map(|joint: usize| ("Bone".to_owned(), joint.checked_sub(1))).collect() };
    let skinned = || {
        let mut model = tree(&names());
        add_skin(&mut model, &(0..2000).collect::<Vec<_>>());
        model
    };
    let file = BorrowedFile { path: "/motions/bones.glb".into(), model: Arc::new(skinned()), files: Vec::new() };
    let (model, borrowed) = apply(skinned(), vec![(FileRequest::Loaded(Arc::new(file)), Retarget::default())], &LoadOptions::default());
    let mut window = Window::new(model);
    window.state.status.borrowed = Arc::new(borrowed.reports);
    window.state.window.dialog = Some(Dialog::Binding(0));
    let mut harness = harness(1280.0, 800.0, 1.0, window);
    harness.get_by_label("Ambiguous names in the other file (2000)");
    // Each joint is identified by its index, because all have the same name.
    harness.get_all_by_label("Pair... Bone").next().unwrap().click();
    harness.run();
    harness.get_by_label("Choose the joint of the model that Bone moves");
    let rows = harness.query_all_by_label("Pair... Bone").count();
    assert!(rows < 40, "only visible rows are laid out, not {rows}");
}

#[test]
fn the_buttons_of_the_binding_report_are_at_its_right_edge() {
    let mut harness = window();
    harness.get_by_label("Binding report of walks.glb").click();
    harness.run();
    let (pair, search) = (harness.get_by_label("Pair... Skull").rect(), harness.get_by_label("Search joints").rect());
    assert_eq!(pair.height(), 24.0);
    // The space between is for the scroll bar.
    assert!((0.0..16.0).contains(&(search.right() - pair.right())), "{pair:?} {search:?}");
}

#[test]
fn pairing_by_keyboard_leads_to_the_next_joint_without_a_counterpart() {
    let (mut other, mut model) = (walker(), walker());
    let rename = |model: &mut Model, suffix: &str| {
        for node in &mut model.nodes[2..5] {
            node.name = node.name.as_ref().map(|name| format!("{name} {suffix}"));
        }
    };
    rename(&mut other, "Foreign");
    rename(&mut model, "Own");
    let file = BorrowedFile { path: "/motions/walks.glb".into(), model: Arc::new(other), files: Vec::new() };
    let wanted = vec![(FileRequest::Loaded(Arc::new(file)), Retarget::default())];
    let (model, borrowed) = apply(model, wanted, &LoadOptions::default());
    let mut window = Window::new(model);
    let sources = borrowed.reports[0].binding.unbound_sources.clone();
    let targets = borrowed.reports[0].binding.unbound_targets.clone();
    let source_name = |number: usize| format!("Pair... {}", borrowed.reports[0].file.model.node(sources[number]).label());
    let first_target = format!("Pair with {}", window.document.model.node(targets[0]).label());
    window.state.status.borrowed = Arc::new(borrowed.reports.clone());
    window.state.window.dialog = Some(Dialog::Binding(0));
    let mut harness = harness(1280.0, 800.0, 1.0, window);
    harness.get_by_label(&source_name(0)).focus();
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert!(harness.get_by_label(&first_target).is_focused());
    harness.key_press(Key::Enter);
    harness.run();
    assert!(harness.get_by_label(&source_name(1)).is_focused());
    assert_eq!(harness.state().view.retarget[0].pairs.len(), 1);
}
