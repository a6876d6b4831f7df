//! Tests the checks section, the full validation, and their counts in the status bar.

use egui_kittest::kittest::Queryable;

use sinew::check::finding::{CheckFinding, Unit};
use sinew::check::profile::Profile;
use sinew::check::rule::Rule;
use sinew::model::AnimationFile;
use sinew::model::finding::{Finding, Severity};
use sinew::ui::actions::Action;
use sinew::ui::context::check_status::{CheckResults, CheckStatus, JobState};
use sinew::ui::context::request::Request;
use sinew::ui::context::window_state::RevealedSection;
use sinew::units::LengthUnit;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, move_to, open, send_button};
use egui::Modifiers;

/// Changes the state of the checks that the panels show, and shows their section.
fn report(ui: &mut Ui, change: impl FnOnce(&mut CheckStatus)) {
    let window = ui.state_mut();
    change(window.state.status.checks.get(&window.document));
    window.state.window.revealed_section = Some(RevealedSection::Checks);
    ui.run();
}

/// Returns a warning about the head in the second animation, a warning about the first animation, and a note about the file.
fn found() -> Vec<CheckFinding> {
    let gap = CheckFinding::new(Rule::LoopGap, "A gap.".to_owned());
    let pop = CheckFinding::new(Rule::VelocitySpike, "A pop.".to_owned());
    vec![
        CheckFinding { node: Some(3), animation: Some(1), time: Some(0.5), value: Some(0.2), threshold: Some(0.1), ..gap },
        CheckFinding { animation: Some(0), ..pop },
        CheckFinding::new(Rule::RedundantKeys, "Many keys.".to_owned()),
    ]
}

fn with_findings() -> Ui {
    let mut model = walker();
    model.findings.clear();
    let mut ui = open(model);
    report(&mut ui, |status| status.checks = JobState::Done(CheckResults { profile: Profile::Generic, findings: found() }));
    ui
}

#[test]
fn the_checks_can_be_started_and_canceled() {
    let mut ui = open(walker());
    report(&mut ui, |_| {});
    ui.get_by_label("The checks run when the playback pauses.");
    assert!(ui.state().state.window.shows_checks);
    click(&mut ui, "Run checks");
    assert_eq!(ui.state().requests, [Request::RunChecks]);
    report(&mut ui, |status| status.checks = JobState::Running(0.42));
    ui.get_by_label_contains("42 %");
    click(&mut ui, "Cancel");
    assert_eq!(ui.state().requests, [Request::RunChecks, Request::CancelChecks]);
    report(&mut ui, |status| status.checks = JobState::Done(CheckResults::default()));
    ui.get_by_label_contains("No problems found: loops close");
}

#[test]
fn the_checks_praise_only_what_a_file_has() {
    let mut model = walker();
    model.findings.clear();
    model.animations.clear();
    let mut ui = open(model);
    report(&mut ui, |status| status.checks = JobState::Done(CheckResults::default()));
    ui.get_by_label("No problems found.");
    // Animations of another file are not checked.
    let mut model = walker();
    model.findings.clear();
    model.borrowed = vec![AnimationFile { animations: 0..model.animations.len(), ..AnimationFile::default() }];
    let mut ui = open(model);
    report(&mut ui, |status| status.checks = JobState::Done(CheckResults::default()));
    ui.get_by_label("No problems found.");
}

#[test]
fn a_click_on_a_finding_shows_its_animation_time_and_joint() {
    let mut ui = with_findings();
    ui.state_mut().transport.head.playing = true;
    let before = ui.get_by_label("warning: A gap.").rect().top();
    click(&mut ui, "warning: A gap.");
    let after = ui.get_by_label("warning: A gap.").rect().top();
    assert!((before - after).abs() < 1.0, "the row moved from {before} to {after}, away from the pointer");
    let window = ui.state();
    assert_eq!((window.view.animation, window.transport.time(), window.transport.is_playing()), (Some(1), 0.5, false));
    assert_eq!(window.view.selection, [3]);
    assert!(window.requests.contains(&Request::FitAround { node: 3 }), "{:?}", window.requests);
    // A finding about an animation alone does not change the selection.
    click(&mut ui, "warning: A pop.");
    assert_eq!((ui.state().view.animation, &ui.state().view.selection[..]), (Some(0), &[3][..]));
}

#[test]
fn a_clicked_row_stays_under_the_pointer() {
    let mut model = walker();
    model.findings = (0..60)
        .map(|i| Finding { code: "CODE", severity: Severity::Warning, pointer: "/nodes/3".to_owned(), message: format!("Finding {i}.") })
        .collect();
    for row in ["warning: A gap.", "warning: Finding 2."] {
        let mut ui = open(model.clone());
        report(&mut ui, |status| status.checks = JobState::Done(CheckResults { profile: Profile::Generic, findings: found() }));
        ui.get_by_label(row).scroll_to_me();
        ui.run_steps(30);
        let before = ui.get_by_label(row).rect();
        send_button(&ui, before.center(), true, Modifiers::NONE);
        ui.step();
        send_button(&ui, before.center(), false, Modifiers::NONE);
        ui.run_steps(20);
        let after = ui.get_by_label(row).rect();
        assert_eq!(ui.state().view.selection.len(), 1, "{row}");
        assert!((before.top() - after.top()).abs() < 1.0, "{row} moved from {before:?} to {after:?}");
    }
}

#[test]
fn the_tooltip_of_a_finding_has_the_measured_number_with_its_unit() {
    let tooltip = |unit: Option<Unit>, length: LengthUnit, text: &str| {
        let mut ui = open(walker());
        ui.state_mut().state.preferences.units.length = length;
        let finding = CheckFinding::new(Rule::FootSlide, "A slide.".to_owned());
        let finding = CheckFinding { value: Some(13.409), threshold: Some(4.83), unit, ..finding };
        report(&mut ui, |status| status.checks = JobState::Done(CheckResults { profile: Profile::Generic, findings: vec![finding] }));
        let row = ui.get_by_label("warning: A slide.").rect().center();
        move_to(&mut ui, row);
        ui.run_steps(8);
        ui.get_by_label_contains(text);
    };
    tooltip(Some(Unit::Meters), LengthUnit::Meters, "Measured: 13.4 m, limit: 4.83 m.");
    tooltip(Some(Unit::Meters), LengthUnit::Centimeters, "Measured: 1341 cm, limit: 483 cm.");
    tooltip(Some(Unit::Degrees), LengthUnit::Meters, "Measured: 13.4\u{b0}, limit: 4.83\u{b0}.");
    tooltip(Some(Unit::Seconds), LengthUnit::Meters, "Measured: 13.4 s, limit: 4.83 s.");
    tooltip(Some(Unit::MetersPerSecond), LengthUnit::Centimeters, "Measured: 1341 cm/s, limit: 483 cm/s.");
    tooltip(None, LengthUnit::Meters, "Measured: 13.4, limit: 4.83.");
}

#[test]
fn a_click_on_a_finding_leaves_the_bind_pose() {
    let mut ui = with_findings();
    (ui.state_mut().view.animation, ui.state_mut().view.bind_pose) = (Some(1), true);
    ui.run();
    click(&mut ui, "warning: A gap.");
    let window = ui.state();
    assert_eq!((window.view.animation, window.view.bind_pose, window.transport.time()), (Some(1), false, 0.5));
}

#[test]
fn findings_can_be_filtered_by_severity_and_animation_and_copied() {
    let mut ui = with_findings();
    click(&mut ui, "Copy");
    let text = "warning: LOOP_GAP A gap.\nwarning: VELOCITY_SPIKE A pop.\ninfo: REDUNDANT_KEYS Many keys.\n";
    assert_eq!(ui.state().requests, [Request::CopyText(text.into())]);
    click(&mut ui, "This animation");
    assert!(ui.query_by_label("warning: A gap.").is_none(), "the first animation is shown");
    ui.get_by_label("warning: A pop.");
    ui.get_by_label("info: Many keys.");
    ui.state_mut().view.animation = Some(1);
    ui.run();
    ui.get_by_label("warning: A gap.");
    assert!(ui.query_by_label("warning: A pop.").is_none());
    click(&mut ui, "1 warning");
    assert!(ui.query_by_label("warning: A gap.").is_none());
    click(&mut ui, "1 info");
    ui.get_by_label("No finding matches the filters.");
}

#[test]
fn the_profile_is_a_preference() {
    let mut ui = open(walker());
    report(&mut ui, |_| {});
    click(&mut ui, "Profile: Generic");
    click(&mut ui, "Godot");
    assert_eq!(ui.state().state.preferences.check_profile, Profile::Godot);
    ui.get_by_label("Profile: Godot");
}

#[test]
fn the_count_of_problems_in_the_status_bar_opens_the_checks() {
    let mut ui = harness(900.0, 600.0, 2.0, Window::new(walker()));
    let window = ui.state_mut();
    window.state.status.checks.get(&window.document).checks = JobState::Done(CheckResults { profile: Profile::Generic, findings: found() });
    ui.run();
    assert!(ui.query_by_label("warning: A gap.").is_none(), "a narrow window has no inspector at first");
    click(&mut ui, "Checks: 2 problems");
    ui.get_by_label("warning: A gap.");
    // Notes alone are not counted.
    let window = ui.state_mut();
    let notes = found().into_iter().filter(|finding| finding.severity == Severity::Info).collect();
    window.state.status.checks.get(&window.document).checks = JobState::Done(CheckResults { profile: Profile::Generic, findings: notes });
    ui.run();
    assert!(ui.query_by_label_contains("Checks:").is_none());
}

#[test]
fn another_document_has_no_results_yet() {
    let mut ui = with_findings();
    ui.state_mut().open(Window::new(walker()).document);
    ui.run();
    assert!(ui.query_by_label("warning: A gap.").is_none());
}

#[test]
fn the_full_validation_runs_from_the_findings() {
    let mut ui = open(walker());
    ui.state_mut().state.window.revealed_section = Some(RevealedSection::Findings);
    ui.run();
    click(&mut ui, "Run full validation");
    assert_eq!(ui.state().requests, [Request::Validate]);
    report(&mut ui, |status| status.validation = JobState::Running(0.3));
    ui.state_mut().state.window.revealed_section = Some(RevealedSection::Findings);
    ui.run();
    ui.get_by_label_contains("30 %");
    click(&mut ui, "Cancel");
    assert_eq!(ui.state().requests.last(), Some(&Request::CancelValidation));
    report(&mut ui, |status| status.validation = JobState::Done(()));
    ui.get_by_label("The whole file was checked against the specification.");
    assert!(ui.query_by_label("Run full validation").is_none());
}

#[test]
fn the_actions_show_the_inspector_and_start_the_jobs() {
    let mut ui = harness(900.0, 600.0, 1.0, Window::new(walker()));
    ui.state_mut().perform(Action::CheckFile);
    ui.run();
    assert!(ui.state().state.window.shows_checks, "the section is in sight");
    ui.state_mut().perform(Action::Validate);
    ui.run();
    let requests: Vec<_> = ui.state().requests.iter().filter(|request| !matches!(request, Request::PreviewImage(_))).collect();
    assert_eq!(requests, [&Request::RunChecks, &Request::Validate]);
    assert!(!ui.state().state.window.shows_checks || ui.query_by_label("Run full validation").is_some());
}
