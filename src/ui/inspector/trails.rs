//! Motion trail and onion skin, and what the body hides of the lines that are no part of it.

use egui::{Checkbox, DragValue, Role, Ui, WidgetInfo};

use crate::session::ghosts::{MOST, STEPS};
use crate::session::trail::{self, LEAST_WINDOW};
use crate::ui::actions::Action;
use crate::ui::{Frame, perform};

use super::rows;

pub fn trails_ui(ui: &mut Ui, frame: &mut Frame) {
    action_ui(ui, frame, "Motion trail", Action::MotionTrail);
    if frame.view.display.trail.shown {
        state_ui(ui, frame);
        action_ui(ui, frame, "Near playhead", Action::TrailWindow);
        if let Some(window) = &mut frame.view.display.trail.window {
            rows::control_ui(ui, "Seconds", |ui| {
                let value = DragValue::new(window).range(LEAST_WINDOW..=3600.0).speed(0.01).fixed_decimals(2).suffix(" s");
                ui.add(value).accessible_name("Trail seconds").on_hover_text("Before and after the playhead: drag, or click and type");
            });
        }
        action_ui(ui, frame, "Hidden by body", Action::TrailHidden);
    }
    action_ui(ui, frame, "Onion skin", Action::OnionSkin);
    let ghosts = &mut frame.view.display.ghosts;
    if ghosts.shown {
        number_ui(ui, "Before", "Ghosts before", &mut ghosts.before, [0, MOST]);
        number_ui(ui, "After", "Ghosts after", &mut ghosts.after, [0, MOST]);
        number_ui(ui, "Step, frames", "Frames from one ghost to the next", &mut ghosts.step, STEPS);
    }
    action_ui(ui, frame, "Hide skeleton", Action::SkeletonHidden);
}

/// Why there is no trail to see, if there is none.
fn state_ui(ui: &mut Ui, frame: &Frame) {
    let course = trail::course(frame.document, frame.view, &frame.transport.moment());
    match course {
        None if frame.view.selection.is_empty() => drop(rows::further_ui(ui, "select what is to have one")),
        None => drop(rows::further_ui(ui, "nothing plays")),
        Some(course) if frame.document.motions.get(&course).is_none() => drop(rows::further_ui(ui, "on its way...")),
        Some(_) => {}
    }
}

fn action_ui(ui: &mut Ui, frame: &mut Frame, label: &str, action: Action) {
    let mut on = perform::is_on(action, frame).unwrap_or_default();
    let changed = rows::row_ui(ui, label, |ui| {
        let response = ui.add(Checkbox::without_text(&mut on));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, action.label()));
        response.on_hover_text(action.tooltip()).changed()
    });
    if changed {
        perform::perform(action, frame);
    }
}

fn number_ui(ui: &mut Ui, label: &str, name: &str, number: &mut u32, [least, most]: [u32; 2]) {
    rows::control_ui(ui, label, |ui| {
        let value = DragValue::new(number).range(least..=most).speed(0.05);
        ui.add(value).accessible_name(name).on_hover_text(format!("{name}: drag, or click and type"));
    });
}
