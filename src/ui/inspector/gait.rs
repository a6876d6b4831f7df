//! How the model gets along: the node that carries it, how far and how fast, its feet, and what of this is shown.

use std::sync::Arc;

use egui::{Checkbox, Label, Role, Slider, Ui, WidgetInfo};

use crate::session::gait::Gait;
use crate::session::selection::{self, How};
use crate::ui::actions::Action;
use crate::ui::gait::{self, length, speed_text};
use crate::ui::{Frame, perform, theme};

use super::rows;

pub fn gait_ui(ui: &mut Ui, frame: &mut Frame) {
    action_ui(ui, frame, "In place", Action::InPlace);
    action_ui(ui, frame, "Ground path", Action::GroundPath);
    if frame.view.display.path {
        action_ui(ui, frame, "Seen through", Action::PathInFront);
    }
    action_ui(ui, frame, "Speed graph", Action::SpeedGraph);
    action_ui(ui, frame, "Foot contacts", Action::FootContacts);
    if frame.view.display.contacts {
        sensitivity_ui(ui, &mut frame.view.display.contact_sensitivity);
    }
    follow_ui(ui, frame);
    // Below what switches them on, which stays where it is.
    if gait::is_shown(frame.view) {
        match gait::gait(frame) {
            Some(gait) => figures_ui(ui, frame, &gait),
            None => drop(rows::text_ui(ui, "Root", "on its way...")),
        }
    }
}

fn figures_ui(ui: &mut Ui, frame: &mut Frame, gait: &Arc<Gait>) {
    let model = &frame.document.model;
    if let Some(root) = &gait.root {
        let (label, source) = (model.nodes[root.node].label(), model.nodes[root.node].source);
        if rows::row_ui(ui, "Root", |ui| rows::link_ui(ui, &label, theme::palette(ui.ctx()).accent).clicked()) {
            selection::select(&mut frame.view.selection, source, How::Only);
        }
        let travel = gait.travel;
        rows::text_ui(ui, "Travels", &format!("{}, a way of {}", length(frame, travel.distance), length(frame, travel.length)));
        rows::text_ui(ui, "Speed", &format!("{} on average", speed_text(frame, travel.mean)));
        rows::further_ui(ui, &format!("{} at most", speed_text(frame, travel.most)));
    } else {
        rows::text_ui(ui, "Root", "nothing travels");
        let drift = gait.drift.length();
        if drift > 0.0 {
            rows::text_ui(ui, "On the spot", &format!("its feet walk at {}", speed_text(frame, drift)));
        }
    }
}

fn sensitivity_ui(ui: &mut Ui, sensitivity: &mut f64) {
    rows::control_ui(ui, "Sensitivity", |ui| {
        ui.spacing_mut().slider_width = (ui.available_width() - 64.0).max(40.0);
        let about = "How high and how fast a foot may be that still stands";
        ui.add(Slider::new(sensitivity, 0.0..=1.0).fixed_decimals(2)).accessible_name("Contact sensitivity").on_hover_text(about);
    });
}

/// What the camera goes along with.
fn follow_ui(ui: &mut Ui, frame: &mut Frame) {
    let node = frame.view.follow.and_then(|source| frame.document.model.node_from_source(source));
    let followed = node.map(|node| frame.document.model.node(node).label());
    checked_ui(ui, frame, "Follow", Action::Follow, followed.as_deref().unwrap_or_default());
}

fn action_ui(ui: &mut Ui, frame: &mut Frame, label: &str, action: Action) {
    checked_ui(ui, frame, label, action, "");
}

/// `about`: beside the box.
fn checked_ui(ui: &mut Ui, frame: &mut Frame, label: &str, action: Action, about: &str) {
    let mut on = perform::is_on(action, frame).unwrap_or_default();
    let possible = perform::is_possible(action, frame);
    let changed = rows::row_ui(ui, label, |ui| {
        let response = ui.add_enabled(possible, Checkbox::without_text(&mut on));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, possible, on, action.label()));
        let changed = response.on_hover_text(action.tooltip()).changed();
        ui.add(Label::new(about).truncate());
        changed
    });
    if changed {
        perform::perform(action, frame);
    }
}
