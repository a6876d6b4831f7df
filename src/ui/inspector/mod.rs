//! The inspector: what the last frames took (when asked for), the active node with its live values, morph weights, the bind pose,
//! what is shown and how, what is odd about its weights, what the file holds, what was found in it.

pub mod binding;
pub mod display;
pub mod distances;
pub mod finding_row;
pub mod findings;
pub mod gait;
pub mod materials;
pub mod matrices;
pub mod morphs;
pub mod performance;
pub mod row_list;
pub mod rows;
pub mod selection;
pub mod statistics;
pub mod switch_row;
pub mod touching;
pub mod trails;
pub mod transforms;
pub mod way;
pub mod weights;

use egui::{Align, ScrollArea, Ui};

use crate::session::posing::Posed;

use super::{Frame, theme};

pub fn inspector_ui(ui: &mut Ui, frame: &mut Frame, posed: &Posed) {
    let reveal_findings = std::mem::take(&mut frame.state.reveal_findings);
    ScrollArea::vertical().id_salt("inspector").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        egui::Frame::new().inner_margin(theme::MARGIN).show(ui, |ui| {
            if frame.state.preferences.performance {
                rows::section_ui(ui, "Performance", None, |ui| performance::performance_ui(ui, frame));
            }
            rows::section_ui(ui, "Selection", None, |ui| selection::selection_ui(ui, frame, posed));
            if morphs::has_morphs(frame) {
                rows::section_ui(ui, "Morph targets", None, |ui| morphs::morphs_ui(ui, frame, posed));
            }
            touching_ui(ui, frame);
            rows::section_ui(ui, "Display", None, |ui| display::display_ui(ui, frame));
            rows::section_ui(ui, "Trail and onion skin", None, |ui| trails::trails_ui(ui, frame));
            if !frame.document.model.animations.is_empty() {
                rows::section_ui(ui, "Root motion", None, |ui| gait::gait_ui(ui, frame));
            }
            if !frame.document.model.skins.is_empty() {
                rows::section_ui(ui, "Bind pose", None, |ui| binding::binding_ui(ui, frame));
            }
            if weights::has_weights(frame) {
                rows::section_ui(ui, "Skinning", None, |ui| weights::weights_ui(ui, frame, posed));
            }
            rows::section_ui(ui, "Statistics", None, |ui| statistics::statistics_ui(ui, frame));
            let count = frame.document.findings.len();
            let title = if count == 0 { "Findings".to_owned() } else { format!("Findings {count}") };
            let head = rows::section_ui(ui, &title, reveal_findings.then_some(true), |ui| findings::findings_ui(ui, frame));
            if reveal_findings {
                head.scroll_to_me(Some(Align::TOP));
            }
        });
    });
}

/// Closed until a person opens it: there may be many.
fn touching_ui(ui: &mut Ui, frame: &mut Frame) {
    let active = frame.view.active().and_then(|source| frame.document.model.node_from_source(source));
    if let Some(node) = active.filter(|_| !frame.document.model.animations.is_empty()) {
        let title = format!("Animations {}", touching::count(frame, node));
        rows::closed_section_ui(ui, &title, |ui| touching::touching_ui(ui, frame));
    }
}
