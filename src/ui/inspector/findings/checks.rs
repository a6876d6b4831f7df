//! The checks section: a list of the problems that the file is likely to have in an engine. The application runs the checks in the
//! background. A click on a finding shows its animation at the time of the problem, and its joint.

use std::collections::BTreeSet;
use std::fmt::Write;

use egui::{Button, CursorIcon, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::check::finding::{CheckFinding, Unit};
use crate::check::profile::Profile;
use crate::model::finding::Severity;
use crate::numbers;
use crate::ui::actions::Action;
use crate::ui::commands::checks;
use crate::ui::context::Context;
use crate::ui::context::check_status::JobState;
use crate::ui::context::request::Request;
use crate::ui::inspector::clicked_row::ClickedRow;
use crate::ui::widgets::{combo_box, menu_item, value_rows};
use crate::units::Units;

use super::finding_row::{self, RowTexts};
use super::{progress_ui, severity_filter};

/// State that the section keeps between frames.
#[derive(Debug, Clone, Default)]
pub struct ChecksState {
    /// Severities that the user has hidden.
    hidden: BTreeSet<Severity>,
    /// Whether findings about other animations are hidden.
    only_this_animation: bool,
    /// The row that was just clicked.
    clicked: Option<ClickedRow>,
}

/// The number of findings of the checks.
pub fn count(context: &mut Context) -> usize {
    context.status.checks.get(context.document).findings().len()
}

/// Draws the section: the profile, then the progress or the list of findings.
pub fn checks_ui(ui: &mut Ui, state: &mut ChecksState, context: &mut Context) {
    let top = ui.cursor().min;
    profile_ui(ui, context);
    // The checks of a heavy model wait until playback pauses, unless the section is visible.
    context.window.shows_checks = ui.is_rect_visible(Rect::from_min_max(top, ui.cursor().min + vec2(1.0, 0.0)));
    let status = context.status.checks.get(context.document).checks.clone();
    match status {
        JobState::Running(fraction) => progress_ui(ui, context, fraction, "Checking", Request::CancelChecks),
        JobState::Waiting => start_ui(ui, context, "The checks run when the playback pauses."),
        JobState::Canceled => start_ui(ui, context, "The checks were canceled."),
        JobState::Failed(message) => start_ui(ui, context, &format!("The checks failed: {message}")),
        JobState::Done(results) if results.findings.is_empty() => {
            let model = &context.document.model;
            let has_all = model.own_animation_count() > 0 && !model.skins.is_empty();
            let what = if has_all { ": loops close, feet do not slide, weights and names are fine" } else { "" };
            value_rows::note_ui(ui, &format!("No problems found{what}."));
        }
        JobState::Done(results) => list_ui(ui, state, context, &results.findings),
    }
}

/// Draws the choice of the profile.
fn profile_ui(ui: &mut Ui, context: &mut Context) {
    value_rows::control_ui(ui, "Profile", |ui| {
        let shown = context.preferences.check_profile.entry().label;
        let combo = combo_box::combo_ui(ui, "Profile", ui.available_width(), shown, |ui| {
            for profile in Profile::ALL {
                menu_item::choice(ui, profile.entry().label, &mut context.preferences.check_profile, profile);
            }
        });
        combo.on_hover_text("The engine whose limits the file is compared with");
    });
    ui.add_space(4.0);
}

/// Draws the reason why there are no results, and a button that starts the checks.
fn start_ui(ui: &mut Ui, context: &mut Context, reason: &str) {
    value_rows::note_ui(ui, reason);
    if ui.button(Action::CheckFile.label()).clicked() {
        context.requests.push(Request::RunChecks);
    }
}

/// Draws the filters and the list.
fn list_ui(ui: &mut Ui, state: &mut ChecksState, context: &mut Context, all: &[CheckFinding]) {
    let shown_animation = context.view.animation;
    let is_about_shown = |finding: &CheckFinding, state: &ChecksState| {
        !state.only_this_animation || finding.animation.is_none() || finding.animation == shown_animation
    };
    let listed = |state: &ChecksState| -> Vec<&CheckFinding> {
        all.iter().filter(|finding| !state.hidden.contains(&finding.severity) && is_about_shown(finding, state)).collect()
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for severity in Severity::ALL {
            let same = || all.iter().filter(|finding| finding.severity == severity);
            if same().next().is_some() {
                let count = same().filter(|finding| is_about_shown(finding, state)).count();
                severity_filter::button_ui(ui, &mut state.hidden, severity, count);
            }
        }
        if context.document.model.animations.len() > 1 {
            let button = ui.add(Button::new("This animation").selected(state.only_this_animation));
            button.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, state.only_this_animation, "This animation"));
            if button.on_hover_text("List only findings about the animation that is shown, and about the whole file").clicked() {
                state.only_this_animation = !state.only_this_animation;
            }
        }
        if ui.button("Copy").on_hover_text("Copy the listed findings as text").clicked() {
            context.requests.push(Request::CopyText(as_text(&listed(state))));
        }
    });
    ui.add_space(4.0);
    let listed = listed(state);
    if listed.is_empty() {
        value_rows::note_ui(ui, "No finding matches the filters.");
    }
    let mut clicked = state.clicked.take();
    for (index, finding) in listed.into_iter().enumerate() {
        let top = ui.cursor().top();
        if let Some(clicked) = clicked.as_mut().filter(|clicked| clicked.index == index) {
            clicked.keep_in_place(ui, top);
        }
        if row_ui(ui, context, index, finding) {
            clicked = Some(ClickedRow::new(index, top));
        }
    }
    state.clicked = clicked.and_then(|clicked| clicked.next(ui));
}

/// Draws a finding. A click shows the problem. Returns whether the row was clicked. The number of findings is limited, so the heights of
/// the rows are not cached.
fn row_ui(ui: &mut Ui, context: &mut Context, index: usize, finding: &CheckFinding) -> bool {
    let location = location(context, finding);
    let texts = RowTexts { severity: finding.severity, message: &finding.message, location: &location };
    let size = vec2(ui.available_width(), finding_row::height(ui, &texts, ui.available_width()));
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    if !ui.is_rect_visible(rect) {
        return false;
    }
    let is_link = finding.node.is_some() || finding.animation.is_some();
    let (response, _) = finding_row::paint_ui(ui, ("check", index), &texts, is_link, rect);
    let response = if is_link { response.on_hover_cursor(CursorIcon::PointingHand) } else { response };
    let response = response.on_hover_text(hint(finding, context.preferences.units, is_link));
    let clicked = is_link && response.clicked();
    if clicked {
        checks::show(context, finding);
    }
    response.context_menu(|ui| {
        menu_item::rows(ui, |ui| {
            if is_link && menu_item::item(ui, "Show", "", None).clicked() {
                checks::show(context, finding);
                ui.close();
            }
            if menu_item::item(ui, "Copy finding", "", None).clicked() {
                context.requests.push(Request::CopyText(as_text(&[finding])));
                ui.close();
            }
        });
    });
    clicked
}

/// The code, and the joint, animation and time of a finding: "LOOP_GAP, LeftFoot, Walk, 1.250 s".
fn location(context: &Context, finding: &CheckFinding) -> String {
    let node = finding.node.and_then(|node| context.document.model.node_from_source(node));
    // The message has the whole name, too.
    let node = node.map(|node| context.document.model.node(node).label());
    let animations = context.document.model.animations.len();
    let animation = finding.animation.filter(|&animation| animation < animations);
    let animation = animation.map(|animation| context.document.names.animation(animation).to_owned());
    let time = finding.time.map(|time| format!("{time:.3} s"));
    let parts = [Some(finding.code.to_owned()), node, animation, time];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The tooltip: the meaning of the rule, the measured number, and what a click does.
fn hint(finding: &CheckFinding, units: Units, is_link: bool) -> String {
    let mut hint = finding.rule.entry().meaning.to_owned();
    if let (Some(value), Some(threshold)) = (finding.value, finding.threshold) {
        let [value, threshold] = [value, threshold].map(|value| measured_text(value, finding.unit, units));
        let _ = write!(hint, "\nMeasured: {value}, limit: {threshold}.");
    }
    if is_link {
        hint.push_str("\nClick to show it.");
    }
    hint
}

/// A measured number with its unit. Lengths and speeds, which are never negative, are in the user's units.
fn measured_text(value: f64, unit: Option<Unit>, units: Units) -> String {
    let number = |value: f64| match value < 0.0 {
        true => format!("-{}", numbers::three_digits(-value)),
        false => numbers::three_digits(value),
    };
    match unit {
        None => number(value),
        Some(Unit::Meters) => format!("{} {}", number(value * units.per_meter()), units.length.symbol()),
        Some(Unit::Seconds) => format!("{} s", number(value)),
        Some(Unit::Degrees) => format!("{}\u{b0}", number(value)),
        Some(Unit::MetersPerSecond) => units.speed(value),
    }
}

/// The findings as text, one line each.
fn as_text(found: &[&CheckFinding]) -> String {
    found.iter().fold(String::new(), |mut text, finding| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {} {}", finding.severity.name(), finding.code, finding.message);
        text
    })
}
