//! The root motion section: switches for root motion and foot contacts, the root node with its distance and speed, and the colors of foot
//! contacts. The numbers come from an analysis that runs in the background.

use std::sync::Arc;

use egui::{Slider, Ui, pos2};

use crate::model::node::NodeIndex;
use crate::session::locomotion::Locomotion;
use crate::session::view::display::Display;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::actions::Action;
use crate::ui::commands::locomotion;
use crate::ui::context::Context;
use crate::ui::style::{contact_colors, theme};
use crate::ui::widgets::slider::{self, slider_ui};
use crate::ui::widgets::{number_field, value_rows};
use crate::units::Units;

use super::list_rows::{self, switch_row_ui};
use super::node::node_link_ui;

/// Radius of a color swatch, in points.
const SWATCH_RADIUS: f32 = 4.0;
/// Distance of a swatch's center from the left edge of the row, in points.
const SWATCH_X: f32 = 84.0;

/// Draws the switches and, if locomotion is shown, its numbers.
pub fn root_motion_ui(ui: &mut Ui, context: &mut Context) {
    switch_row_ui(ui, context, "In place", Action::InPlace);
    switch_row_ui(ui, context, "Root path", Action::GroundPath);
    if context.view.display.ground_path {
        switch_row_ui(ui, context, "Path always on top", Action::PathInFront);
    }
    switch_row_ui(ui, context, "Speed graph", Action::SpeedGraph);
    switch_row_ui(ui, context, "Foot contacts", Action::FootContacts);
    if context.view.display.contacts {
        sensitivity_ui(ui, context);
    }
    follow_ui(ui, context);
    // The numbers are below the switches, so that the switches do not move when the numbers appear.
    if locomotion::is_shown(context.view) {
        match locomotion::locomotion(context) {
            Some(locomotion) => figures_ui(ui, context, &locomotion),
            None => drop(value_rows::text_ui(ui, "Root", "Calculating...")),
        }
    }
}

/// Draws the root's distance and speed, and the colors of foot contacts.
fn figures_ui(ui: &mut Ui, context: &mut Context, locomotion: &Arc<Locomotion>) {
    let (model, units) = (&context.document.model, context.preferences.units);
    if let Some(root) = &locomotion.root {
        let (node, source) = (NodeIndex(root.node as u32), model.nodes[root.node].source);
        if value_rows::row_ui(ui, "Root", |ui| node_link_ui(ui, context, node).clicked()) {
            selection::select(&mut context.view.selection, source, SelectMode::Only);
        }
        let travel = locomotion.travel;
        value_rows::text_ui(ui, "Travel", &format!("{}, path length {}", units.distance(travel.distance), units.distance(travel.length)));
        value_rows::text_ui(ui, "Speed", &format!("average {}", units.speed(travel.mean)));
        value_rows::second_line_ui(ui, &format!("max {}", units.speed(travel.top)));
    } else {
        value_rows::text_ui(ui, "Root", "None");
        let drift = locomotion.ground_velocity.length();
        if drift > 0.0 {
            value_rows::text_ui(ui, "Speed", &format!("feet imply {}", units.speed(drift)));
        }
    }
    if context.view.display.contacts {
        colors_ui(ui, units, locomotion.size);
    }
}

/// Explains the colors of foot contacts: a colored disc and the meaning of the color. `size` is the size of the model, in meters.
fn colors_ui(ui: &mut Ui, units: Units, size: f64) {
    for (slide, name, meaning) in contact_colors::meanings(units, size) {
        let row = value_rows::text_ui(ui, name, &meaning);
        let center = pos2(row.rect.left() + SWATCH_X, row.rect.center().y);
        ui.painter().circle_filled(center, SWATCH_RADIUS, contact_colors::color(theme::palette(ui.ctx()), slide));
        row.on_hover_text(contact_colors::shares());
    }
}

/// Draws the slider for the sensitivity of contact detection.
fn sensitivity_ui(ui: &mut Ui, context: &mut Context) {
    let sensitivity = &mut context.view.display.contact_sensitivity;
    value_rows::control_ui(ui, "Sensitivity", |ui| {
        ui.spacing_mut().slider_width = (ui.available_width() - 64.0).max(40.0);
        let hint = "Higher values accept higher and faster feet as contacts\nDouble-click to reset to 0.5";
        let slider = slider_ui(ui, &mut context.window.list_focused, Slider::new(sensitivity, 0.0..=1.0).show_value(false));
        if slider::handle_double_click(ui, context.window, &slider) {
            *sensitivity = Display::default().contact_sensitivity;
        }
        slider.accessible_name("Contact sensitivity").on_hover_text(hint);
        let number = number_field::with_decimals(sensitivity, 2).range(0.0..=1.0).speed(0.005);
        ui.add(number).accessible_name("Contact sensitivity value").on_hover_text(hint);
    });
}

/// Draws the switch that makes the camera follow a node, and the name of the followed node.
fn follow_ui(ui: &mut Ui, context: &mut Context) {
    let node = context.view.follow.and_then(|source| context.document.model.node_from_source(source));
    let followed = node.map_or("", |node| context.node_name(node)).to_owned();
    if list_rows::described_switch_row_ui(ui, context, "Follow", Action::Follow, &followed) {
        // If another node is active, the action would follow that node and not end.
        if context.view.follow.is_some() {
            locomotion::set_followed(context, None);
        } else {
            context.actions.push(Action::Follow);
        }
    }
}
