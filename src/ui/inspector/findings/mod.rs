//! The findings section. It lists what was ignored or repaired in the file and what looks wrong in it, most severe first. A click on a
//! finding selects its node. Only visible rows are laid out.

pub mod checks;
mod finding_row;
pub mod severity_filter;

use std::collections::BTreeSet;
use std::fmt::Write;

use egui::{ProgressBar, Rect, Sense, Ui, vec2};

use crate::model::Model;
use crate::model::finding::{Finding, Severity};
use crate::model::mesh::Primitive;
use crate::model::node::Node;
use crate::ui::actions::Action;
use crate::ui::context::Context;
use crate::ui::context::check_status::JobState;
use crate::ui::context::per_document::PerDocument;
use crate::ui::context::request::Request;
use crate::ui::style::theme;
use crate::ui::widgets::value_rows;

use super::clicked_row::ClickedRow;

use finding_row::RowTexts;

/// State that the section keeps between frames.
#[derive(Debug, Clone, Default)]
pub struct FindingsState {
    /// Severities that the user has hidden.
    hidden: BTreeSet<Severity>,
    list: PerDocument<FindingList>,
    /// The row that was just clicked.
    clicked: Option<ClickedRow>,
    /// Whether a filter was just clicked. The filters stay in view while the list below changes its height.
    filter_clicked: bool,
}

/// The listed findings and their positions. The list is made again when a field of `key` changes.
#[derive(Debug, Clone, Default)]
struct FindingList {
    key: ListKey,
    /// Indices into the document's findings.
    order: Vec<usize>,
    /// Top edge of each row, and the bottom edge of the last row, in points below the top of the list.
    edges: Vec<f32>,
}

/// The inputs that the list was made from.
#[derive(Debug, Clone, Default, PartialEq)]
struct ListKey {
    /// Number of findings of the document.
    count: usize,
    /// Whether the full validation is done. It may change findings without adding any.
    is_validated: bool,
    hidden: BTreeSet<Severity>,
    /// Width of the section in points.
    width: f32,
    pixels_per_point: f32,
}

/// Draws the section: the severity filters, then the list.
pub fn findings_ui(ui: &mut Ui, state: &mut FindingsState, context: &mut Context) {
    if context.document.findings.is_empty() {
        value_rows::note_ui(ui, "No findings.");
        validation_ui(ui, context);
        return;
    }
    head_ui(ui, state, context);
    ui.add_space(4.0);
    let list = state.update(ui, context);
    if list.order.is_empty() {
        value_rows::note_ui(ui, "All findings are hidden. Use the filters above to show them.");
    }
    let clicked = list_ui(ui, context, &list, state.clicked.take());
    *state.list.get(context.document) = list;
    state.clicked = clicked.and_then(|clicked| clicked.next(ui));
    ui.add_space(4.0);
    validation_ui(ui, context);
}

/// Draws the button that runs the full validation, its progress, or a note that it is done.
fn validation_ui(ui: &mut Ui, context: &mut Context) {
    match context.status.checks.get(context.document).validation.clone() {
        JobState::Running(fraction) => progress_ui(ui, context, fraction, "Validating", Request::CancelValidation),
        JobState::Done(()) => value_rows::note_ui(ui, "The whole file was checked against the specification."),
        state => {
            if let JobState::Failed(message) = state {
                value_rows::note_ui(ui, &format!("The validation failed: {message}"));
            }
            if ui.button(Action::Validate.label()).on_hover_text("Check the whole file against the glTF specification").clicked() {
                context.actions.push(Action::Validate);
            }
        }
    }
}

/// Draws the progress of a job, with a button that cancels it.
fn progress_ui(ui: &mut Ui, context: &mut Context, fraction: f32, activity: &str, cancel: Request) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        if ui.button("Cancel").clicked() {
            context.requests.push(cancel);
        }
        let bar = ProgressBar::new(fraction).desired_width(ui.available_width()).text(format!("{activity}: {:.0} %", fraction * 100.0));
        ui.add(bar.corner_radius(theme::RADIUS));
    });
}

/// Draws one filter button per severity with its count, and a button that copies the list as text.
fn head_ui(ui: &mut Ui, state: &mut FindingsState, context: &mut Context) {
    let was_clicked = std::mem::take(&mut state.filter_clicked);
    let head = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for severity in Severity::ALL {
            let count = context.document.findings.iter().filter(|finding| finding.severity == severity).count();
            if count > 0 && severity_filter::button_ui(ui, &mut state.hidden, severity, count) {
                state.filter_clicked = true;
                ui.request_repaint();
            }
        }
        let copy = ui.button("Copy all").on_hover_text("Copy the listed findings as text");
        if copy.clicked() {
            let findings = &context.document.findings;
            context.requests.push(Request::CopyText(as_text(state.order(findings).into_iter().map(|i| &findings[i]))));
        }
    });
    if was_clicked {
        head.response.scroll_to_me(None);
    }
}

impl FindingsState {
    /// Indices of the listed findings, most severe first. Findings of the same severity stay in file order.
    fn order(&self, findings: &[Finding]) -> Vec<usize> {
        let mut order: Vec<_> = (0..findings.len()).filter(|&i| !self.hidden.contains(&findings[i].severity)).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(findings[i].severity));
        order
    }

    /// Takes the list out of the state and updates it.
    fn update(&mut self, ui: &Ui, context: &mut Context) -> FindingList {
        let findings = &context.document.findings;
        let key = ListKey {
            count: findings.len(),
            is_validated: context.status.checks.get(context.document).validation == JobState::Done(()),
            hidden: self.hidden.clone(),
            width: ui.available_width(),
            pixels_per_point: ui.pixels_per_point(),
        };
        let list = std::mem::take(self.list.get(context.document));
        if key == list.key {
            return list;
        }
        // Rows differ in height, so the position of each depends on all rows above it.
        let order = self.order(findings);
        let mut edges = vec![0.0];
        for &i in &order {
            let top = edges.last().copied().unwrap_or(0.0);
            let (finding, location) = (&findings[i], finding_row::location(&findings[i]));
            let row = RowTexts { severity: finding.severity, message: &finding.message, location: &location };
            edges.push(top + finding_row::height(ui, &row, key.width));
        }
        FindingList { key, order, edges }
    }
}

/// Draws the visible rows, and keeps the `clicked` one in its place. Returns the row that was clicked last.
fn list_ui(ui: &mut Ui, context: &mut Context, list: &FindingList, mut clicked: Option<ClickedRow>) -> Option<ClickedRow> {
    let height = list.edges.last().copied().unwrap_or(0.0);
    let (all, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let in_sight = ui.clip_rect().y_range();
    // Only rows between the upper and the lower edge of the visible part are drawn.
    let first = list.edges.partition_point(|edge| all.top() + edge < in_sight.min).saturating_sub(1);
    let rect = |row: usize| {
        let (top, bottom) = (list.edges.get(row)?, list.edges.get(row + 1)?);
        Some(Rect::from_x_y_ranges(all.x_range(), all.top() + top..=all.top() + bottom))
    };
    if let Some(clicked) = &mut clicked
        && let Some(rect) = rect(clicked.index)
    {
        clicked.keep_in_place(ui, rect.top());
    }
    for (row, &finding) in list.order.iter().enumerate().skip(first) {
        let Some(rect) = rect(row).filter(|rect| rect.top() <= in_sight.max) else { break };
        if finding_row::row_ui(ui, context, finding, rect) {
            clicked = Some(ClickedRow::new(row, rect.top()));
        }
    }
    clicked
}

/// Returns the source index of the node that belongs to a JSON pointer. This is the node that the pointer names, the target of a channel,
/// the first node with the mesh, camera or material, or the first joint of a skin. `None` if no node belongs to the pointer.
pub fn node_of(model: &Model, pointer: &str) -> Option<usize> {
    let mut parts = pointer.split('/').skip(1);
    let (kind, index) = (parts.next()?, parts.next()?.parse::<usize>().ok()?);
    let first = |is_match: &dyn Fn(&Node) -> bool| model.nodes.iter().find(|node| is_match(node)).map(|node| node.source);
    match kind {
        "nodes" => model.node_from_source(index).map(|_| index),
        "meshes" => first(&|node| node.mesh == Some(index)),
        "cameras" => first(&|node| node.camera == Some(index)),
        "materials" => first(&|node| {
            let mesh = node.mesh.and_then(|mesh| model.meshes.get(mesh));
            mesh.is_some_and(|mesh| mesh.primitives.iter().flat_map(Primitive::materials).any(|material| material == index))
        }),
        "skins" => model.skins.get(index)?.joints.first().map(|joint| model.node(*joint).source),
        "animations" => {
            let channel = parts.next().filter(|part| *part == "channels").and(parts.next())?.parse::<usize>().ok()?;
            let channel = model.animations.get(index)?.channels.iter().find(|other| other.source == channel)?;
            channel.target.node().map(|node| model.node(node).source)
        }
        _ => None,
    }
}

/// Formats the findings as text, one line each.
pub fn as_text<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> String {
    findings.into_iter().fold(String::new(), |mut text, finding| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {} {} {}", finding.severity.name(), finding.code, finding.pointer, finding.message);
        text
    })
}
