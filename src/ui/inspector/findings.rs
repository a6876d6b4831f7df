//! What was ignored, repaired or looks wrong in the file: each with its place, and a click that goes there.

use std::fmt::Write;

use egui::{Label, Response, RichText, Role, Sense, TextStyle, Ui, UiBuilder, WidgetInfo};

use crate::model::Model;
use crate::model::finding::{Finding, Severity};
use crate::session::selection::{self, How};
use crate::ui::{Command, Frame, icons, status, theme};

use super::rows;

/// Of more the rest is only copied.
const MOST: usize = 100;

pub fn findings_ui(ui: &mut Ui, frame: &mut Frame) {
    let findings = &frame.document.findings;
    if findings.is_empty() {
        rows::empty_ui(ui, "Nothing to say about this file.");
        return;
    }
    if ui.button("Copy all").clicked() {
        frame.commands.push(Command::CopyText(as_text(findings)));
    }
    ui.add_space(4.0);
    let mut worst_first: Vec<_> = findings.iter().collect();
    worst_first.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for (i, finding) in worst_first.iter().take(MOST).enumerate() {
        let node = node_of(&frame.document.model, &finding.pointer);
        let response = ui.push_id(i, |ui| finding_ui(ui, finding, node.is_some())).inner;
        if let Some(node) = node.filter(|_| response.clicked()) {
            selection::select(&mut frame.view.selection, node, How::Only);
        }
    }
    if findings.len() > MOST {
        rows::empty_ui(ui, &format!("and {} more: Copy all has them", findings.len() - MOST));
    }
}

fn finding_ui(ui: &mut Ui, finding: &Finding, leads_somewhere: bool) -> Response {
    let palette = theme::palette(ui.ctx());
    let (icon, color) = status::severity_mark(ui, finding.severity);
    let sense = if leads_somewhere { Sense::click() } else { Sense::hover() };
    let response = ui
        .scope_builder(UiBuilder::new().sense(sense), |ui| {
            ui.horizontal_top(|ui| {
                ui.label(RichText::new(icon).font(icons::font(icons::SIZE)).color(color));
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 2.0;
                    ui.add(Label::new(RichText::new(&finding.message)).wrap());
                    let place = if finding.pointer.is_empty() { "the whole file" } else { &finding.pointer };
                    let about = format!("{} in {place}", finding.code);
                    ui.add(Label::new(RichText::new(about).text_style(TextStyle::Small).color(palette.secondary)).wrap());
                });
            });
            ui.add_space(8.0);
        })
        .response;
    let said = format!("{}: {}", severity(finding.severity), finding.message);
    response.widget_info(|| WidgetInfo::labeled(if leads_somewhere { Role::Button } else { Role::Label }, true, &said));
    if leads_somewhere { response.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text("Select its node") } else { response }
}

/// The node (by the file's index) that a pointer leads to: itself, or the first that shows the mesh, skin, camera it names.
pub fn node_of(model: &Model, pointer: &str) -> Option<usize> {
    let mut parts = pointer.split('/').skip(1);
    let (kind, index) = (parts.next()?, parts.next()?.parse::<usize>().ok()?);
    let first = |named: fn(&crate::model::node::Node) -> Option<usize>| model.nodes.iter().find(|node| named(node) == Some(index));
    match kind {
        "nodes" => model.node_from_source(index).map(|_| index),
        "meshes" => first(|node| node.mesh).map(|node| node.source),
        "cameras" => first(|node| node.camera).map(|node| node.source),
        "skins" => model.skins.get(index)?.joints.first().map(|joint| model.node(*joint).source),
        _ => None,
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "info",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// A line for each.
fn as_text(findings: &[Finding]) -> String {
    findings.iter().fold(String::new(), |mut text, finding| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {} {} {}", severity(finding.severity), finding.code, finding.pointer, finding.message);
        text
    })
}
