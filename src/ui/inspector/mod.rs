//! The inspector panel. It reads the document, the current pose and the results of background jobs, and edits the view. Each section
//! has a file; [`inspector_ui`] draws them from top to bottom.

pub mod bind_pose;
mod clicked_row;
pub mod comparison;
pub mod display;
pub mod findings;
pub mod groups;
pub mod list_rows;
pub mod materials;
pub mod morphs;
pub mod node;
pub mod performance;
pub mod root_motion;
pub mod skinning;
pub mod statistics;

use egui::{ScrollArea, Ui};

use crate::session::pose::solve::Posed;

use super::context::Context;
use super::context::per_document::{DocumentChange, LastDocument, PerDocument};
use super::context::window_state::RevealedSection;
use super::style::theme;
use super::widgets::value_rows;

use display::trail_and_onion_skin;
use findings::FindingsState;
use findings::checks::{self, ChecksState};
use node::NodeState;
use node::driving_animations::{self, DrivingAnimations};
use skinning::SkinningState;
use statistics::Counts;

/// State of the inspector: one field for each section that keeps state.
#[derive(Debug, Clone, Default)]
pub struct InspectorState {
    node: NodeState,
    driving_animations: DrivingAnimations,
    skinning: SkinningState,
    /// The text in the search field of the morph targets.
    pub morph_search: String,
    counts: PerDocument<Option<Counts>>,
    checks: ChecksState,
    findings: FindingsState,
    /// The document that is shown. For another file, the inspector scrolls to the top and clears the search.
    document: LastDocument,
}

/// Draws all sections that apply to the document and the selection.
pub fn inspector_ui(ui: &mut Ui, state: &mut InspectorState, context: &mut Context, posed: &Posed) {
    let revealed = context.window.revealed_section.take();
    let is_revealed = |section| revealed == Some(section);
    // The checks section sets `shows_checks` if it is visible.
    context.window.shows_checks = false;
    let mut area = ScrollArea::vertical().id_salt("inspector").auto_shrink(false);
    if state.document.update(context.document) == DocumentChange::Other {
        state.morph_search.clear();
        area = area.vertical_scroll_offset(0.0);
    }
    area.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        egui::Frame::new().inner_margin(theme::MARGIN).show(ui, |ui| {
            if context.preferences.performance {
                value_rows::section_ui(ui, "Performance", None, |ui| performance::performance_ui(ui, context));
            }
            if context.comparison.is_some() {
                value_rows::revealed_section_ui(ui, "Comparison", None, is_revealed(RevealedSection::Comparison), |ui| {
                    comparison::comparison_ui(ui, context);
                });
            }
            value_rows::section_ui(ui, "Selection", None, |ui| node::node_ui(ui, &mut state.node, context, posed));
            if let Some(mesh) = materials::active_mesh(context) {
                let used = materials::used(context, mesh);
                let count = Some(used.len()).filter(|&count| count > 1);
                value_rows::section_ui(ui, "Materials", count, |ui| materials::materials_ui(ui, context, mesh, &used));
            }
            // Some sections appear only if the document has data for them.
            if morphs::has_morphs(context) {
                value_rows::section_ui(ui, "Morph targets", None, |ui| {
                    morphs::morphs_ui(ui, &mut state.morph_search, context, posed);
                });
            }
            driving_animations_ui(ui, &mut state.driving_animations, context);
            value_rows::section_ui(ui, "Display", None, |ui| display::display_ui(ui, context));
            value_rows::section_ui(ui, "Motion trail and onion skin", None, |ui| {
                trail_and_onion_skin::trail_and_onion_skin_ui(ui, context);
            });
            if !context.document.model.animations.is_empty() {
                value_rows::section_ui(ui, "Root motion", None, |ui| root_motion::root_motion_ui(ui, context));
            }
            if !context.document.model.skins.is_empty() {
                value_rows::section_ui(ui, "Bind pose", None, |ui| bind_pose::bind_pose_ui(ui, context));
            }
            if skinning::has_weights(context) {
                value_rows::section_ui(ui, "Skinning", None, |ui| skinning::skinning_ui(ui, &mut state.skinning, context, posed));
            }
            value_rows::section_ui(ui, "Statistics", None, |ui| statistics::statistics_ui(ui, &mut state.counts, context));
            let count = Some(checks::count(context)).filter(|&count| count > 0);
            value_rows::revealed_section_ui(ui, "Checks", count, is_revealed(RevealedSection::Checks), |ui| {
                checks::checks_ui(ui, &mut state.checks, context);
            });
            let count = Some(context.document.findings.len()).filter(|&count| count > 0);
            value_rows::revealed_section_ui(ui, "Findings", count, is_revealed(RevealedSection::Findings), |ui| {
                findings::findings_ui(ui, &mut state.findings, context);
            });
        });
    });
}

/// Draws the list of animations that drive the active node. It is closed at first, because it may be long.
fn driving_animations_ui(ui: &mut Ui, state: &mut DrivingAnimations, context: &mut Context) {
    let active = context.view.active().and_then(|source| context.document.model.node_from_source(source));
    if let Some(node) = active.filter(|_| !context.document.model.animations.is_empty()) {
        let count = state.count(context.document, node);
        value_rows::closed_section_ui(ui, "Animations", Some(count), |ui| driving_animations::driving_animations_ui(ui, state, context));
    }
}
