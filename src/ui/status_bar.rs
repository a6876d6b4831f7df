//! The status bar: messages and progress at the left, facts about the document at the right.

use egui::{Align, Atoms, Button, Layout, Response, RichText, TextStyle, TextWrapMode, Ui, WidgetText, vec2};

use crate::camera::Camera;
use crate::model::finding::Severity;
use crate::numbers::counted;
use crate::session::document::Document;
use crate::session::ground_grid;
use crate::session::pose::crowd;
use crate::session::pose::solve::Posed;

use super::actions::Action;
use super::actions::navigation;
use super::commands::checks;
use super::context::Context;
use super::context::app_status::{Exporting, Loading};
use super::context::request::Request;
use super::context::window_state::RevealedSection;
use super::style::{icons, text, theme};

/// Height of the bar, in points.
pub const HEIGHT: f32 = 24.0;
/// A long frame time, in milliseconds. Its width is kept free.
const LONG_FRAME_MS: f32 = 999.9;

/// Space between the icon and the text of a hint, in points.
const HINT_GAP: f32 = 4.0;
/// Duration of the navigation hint, in seconds.
const HINT_DURATION: f64 = 10.0;

/// State that the status bar keeps between frames.
#[derive(Debug, Clone, Default)]
pub struct StatusBarState {
    /// When the navigation hint appeared, in seconds.
    hint_since: Option<f64>,
}

/// Draws the bar. The left side shows the progress of loading. If no file is loading, it shows the progress of an export, followed by the
/// message or, if there is no message, the number of selected keys or a hint for new users.
pub fn status_ui(ui: &mut Ui, state: &mut StatusBarState, context: &mut Context, posed: &Posed, camera: &Camera) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme::SECTION_GAP;
        ui.add_space(theme::MARGIN);
        frame_time_ui(ui, context.status.statistics.frame_ms).on_hover_text("CPU time of the last frame");
        ui.label(text::number(counted(triangles(context.document, posed) * crowd::count(context.view), "triangle")).small().weak());
        if context.view.display.grid {
            let cells = ground_grid::cells(camera, &context.analyses.crowd_bounds(context.view));
            let side = context.preferences.units.cell(cells.visible_cell());
            let label = ui.label(text::number(format!("grid {side}")).small().weak());
            label.on_hover_text("Size of the smallest grid cells that are clearly visible");
        }
        findings_button(ui, context);
        checks_button(ui, context);
        // The left side gets the remaining space.
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme::MARGIN;
            ui.add_space(theme::MARGIN);
            if let (Some(exporting), None) = (&context.status.exporting, &context.status.loading)
                && !exporting.is_new
                && exporting_ui(ui, exporting)
            {
                context.requests.push(Request::CancelExport);
            }
            match (&context.status.loading, &context.status.message) {
                (Some(loading), _) => {
                    if loading_ui(ui, loading) {
                        context.requests.push(Request::CancelLoading);
                    }
                }
                (None, Some(message)) => {
                    if let Some(path) = &message.saved
                        && ui.small_button("Show in folder").clicked()
                    {
                        context.requests.push(Request::ShowInFolder(path.clone()));
                    }
                    let text = RichText::new(&message.text).text_style(TextStyle::Small);
                    ui.add(egui::Label::new(text).truncate()).on_hover_text(&message.text);
                }
                (None, None) if !context.keys.is_empty() => {
                    let keys = format!("{} selected", counted(context.keys.count(), "key"));
                    ui.label(RichText::new(keys).text_style(TextStyle::Small).weak());
                }
                (None, None) => hint_ui(ui, state, context),
            }
        });
    });
}

/// Draws a hint for new users: how to open a file while the sample model is open, then how to move the camera.
fn hint_ui(ui: &mut Ui, state: &mut StatusBarState, context: &Context) {
    let hint = if context.document.path.is_none() {
        welcome(context.status.can_drop)
    } else if !context.preferences.hint_seen && is_hint_shown(ui, state) {
        navigation::hint(context.preferences.navigation).to_owned()
    } else {
        return;
    };
    ui.spacing_mut().item_spacing.x = HINT_GAP;
    ui.label(RichText::new(icons::INFO).font(icons::font(icons::ICON_SIZE)).color(theme::palette(ui.ctx()).accent));
    ui.add(egui::Label::new(RichText::new(&hint).text_style(TextStyle::Small)).truncate()).on_hover_text(&hint);
}

/// Tells how to open a file.
fn welcome(can_drop: bool) -> String {
    let open = Action::Open.shortcut();
    match can_drop {
        true => format!("Drop a .glb, .gltf, .vrm, .zip or folder here, or press {open}"),
        false => format!("Press {open} to open a .glb, .gltf, .vrm or .zip"),
    }
}

/// Returns whether the navigation hint is still shown. It disappears [`HINT_DURATION`] after it appeared.
fn is_hint_shown(ui: &Ui, state: &mut StatusBarState) -> bool {
    let time = ui.input(|input| input.time);
    let remaining = HINT_DURATION - (time - *state.hint_since.get_or_insert(time));
    if remaining > 0.0 {
        ui.ctx().request_repaint_after_secs(remaining as f32);
    }
    remaining > 0.0
}

/// Draws the frame time at the right of a space of fixed width, so that the entries beside it do not move when it gains or loses a digit.
fn frame_time_ui(ui: &mut Ui, frame_ms: f32) -> Response {
    let text = |ms: f32| text::number(format!("{ms:.1} ms/frame")).small().weak();
    let longest = WidgetText::from(text(LONG_FRAME_MS)).into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Small);
    let size = vec2(longest.size().x, HEIGHT);
    let label = |ui: &mut Ui| {
        ui.set_min_width(size.x);
        ui.label(text(frame_ms))
    };
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), label).inner
}

/// Draws the progress of loading a file. Returns whether the user cancels.
fn loading_ui(ui: &mut Ui, loading: &Loading) -> bool {
    let cancel = ui.small_button("Cancel").clicked();
    let text = format!("{}: {}", loading.name, loading.stage);
    ui.add(egui::Label::new(RichText::new(text).text_style(TextStyle::Small)).truncate());
    cancel
}

/// Draws the progress of an export. Returns whether the user cancels.
fn exporting_ui(ui: &mut Ui, exporting: &Exporting) -> bool {
    let cancel = ui.small_button("Cancel").on_hover_text("Cancel the export and delete its files").clicked();
    let text = text::number(exporting.to_string()).small();
    ui.add(egui::Label::new(text).truncate());
    cancel
}

/// Draws the number of findings by severity. A click shows them in the inspector.
fn findings_button(ui: &mut Ui, context: &mut Context) {
    let findings = &context.document.findings;
    let label = counted(findings.len(), "finding");
    let hint = format!("{label} about parts of the file that are invalid, were repaired or were ignored. Click to list them.");
    let counts = Severity::ALL.map(|severity| (severity, findings.iter().filter(|finding| finding.severity == severity).count()));
    if counts_ui(ui, "Findings", &counts, &label, &hint) {
        checks::reveal(context, RevealedSection::Findings);
    }
}

/// Draws the number of errors and warnings of the checks. Notes are not counted, because they need no attention.
fn checks_button(ui: &mut Ui, context: &mut Context) {
    let found = context.status.checks.get(context.document).findings();
    let counts = [Severity::Error, Severity::Warning]
        .map(|severity| (severity, found.iter().filter(|finding| finding.severity == severity).count()));
    let label = format!("Checks: {}", counted(counts.iter().map(|(_, count)| count).sum(), "problem"));
    let hint = format!("{label}. The checks look for valid glTF that may not look right in an engine. Click to list them.");
    if counts_ui(ui, "Checks", &counts, &label, &hint) {
        checks::reveal(context, RevealedSection::Checks);
    }
}

/// Draws a button with the counts by severity. Draws nothing if all are 0. Returns whether the button was clicked.
fn counts_ui(ui: &mut Ui, name: &str, counts: &[(Severity, usize)], label: &str, hint: &str) -> bool {
    if counts.iter().all(|(_, count)| *count == 0) {
        return false;
    }
    let mut atoms = Atoms::default();
    atoms.push_right(RichText::new(name).text_style(TextStyle::Small));
    for &(severity, count) in counts {
        if count > 0 {
            let (icon, color) = icons::severity_mark(ui, severity);
            // The space keeps each number closer to its own icon than to the next one.
            atoms.push_right(RichText::new(" ").text_style(TextStyle::Small));
            atoms.push_right(RichText::new(icon).font(icons::font(icons::ICON_SIZE)).color(color));
            atoms.push_right(RichText::new(counted(count, severity.noun())).text_style(TextStyle::Small).color(color));
        }
    }
    ui.spacing_mut().icon_spacing = 4.0;
    let response = ui.add(Button::new(atoms).frame_when_inactive(false));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, label));
    response.on_hover_text(hint).clicked()
}

/// Number of triangles of the visible nodes.
fn triangles(document: &Document, posed: &Posed) -> usize {
    let shown = document.triangle_counts.iter().zip(&posed.effective.visible).filter(|(_, visible)| **visible);
    shown.map(|(count, _)| count).sum()
}
