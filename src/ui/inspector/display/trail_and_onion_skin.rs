//! The motion trail and onion skin section. The controls edit the view.

use egui::{Checkbox, Role, Ui, WidgetInfo};

use crate::session::motion::trail::{self, MIN_WINDOW};
use crate::session::pose::onion_skin::{MAX_GHOSTS_PER_SIDE, STEPS};
use crate::session::view::display::GhostSource;
use crate::ui::actions::Action;
use crate::ui::context::Context;
use crate::ui::widgets::{number_field, value_rows};

use crate::ui::inspector::display;
use crate::ui::inspector::list_rows::switch_row_ui;

/// The poses that ghosts can show, with their labels.
const GHOST_POSES: [(&str, GhostSource); 3] =
    [("Nearby frames", GhostSource::Times), ("Rest pose", GhostSource::Rest), ("Bind pose", GhostSource::Bind)];
/// Tooltip for a model whose ghosts are not all drawn during playback.
const REDUCED_HINT: &str = "This model is too heavy to draw all ghosts in every frame. Playback shows only the nearest ones. A paused \
                            view, screenshots and clips show all.";

/// Draws the section.
pub fn trail_and_onion_skin_ui(ui: &mut Ui, context: &mut Context) {
    switch_row_ui(ui, context, "Motion trail", Action::MotionTrail);
    if context.view.display.trail.shown {
        no_trail_reason_ui(ui, context);
        window_ui(ui, context);
        display::values_ui(ui, "Trail depth", &display::DEPTHS, &mut context.view.display.trail.depth);
    }
    switch_row_ui(ui, context, "Onion skin", Action::OnionSkin);
    if context.view.display.ghosts.shown {
        ghosts_ui(ui, context);
    }
}

/// Draws the onion skin controls.
fn ghosts_ui(ui: &mut Ui, context: &mut Context) {
    if let Some(drawn) = context.status.ghosts_drawn {
        let note = if drawn == 0 { "Drawn while paused".to_owned() } else { format!("{drawn} during playback") };
        value_rows::second_line_ui(ui, &note).on_hover_text(REDUCED_HINT);
    }
    if context.view.display.crowd > 1 {
        value_rows::second_line_ui(ui, "First instance only").on_hover_text("Skeleton, trail and path also show the first instance only");
    }
    let ghosts = &mut context.view.display.ghosts;
    let poses =
        if context.document.model.skins.is_empty() && ghosts.source != GhostSource::Bind { &GHOST_POSES[..2] } else { &GHOST_POSES[..] };
    display::values_ui(ui, "Ghost pose", poses, &mut ghosts.source);
    if ghosts.source == GhostSource::Times {
        number_ui(ui, "Ghosts before", "Ghosts before", &mut ghosts.before, [0, MAX_GHOSTS_PER_SIDE]);
        number_ui(ui, "Ghosts after", "Ghosts after", &mut ghosts.after, [0, MAX_GHOSTS_PER_SIDE]);
        number_ui(ui, "Frame step", "Frames between ghosts", &mut ghosts.step, STEPS);
    }
}

/// Picks the whole range, or a window of time around the playhead.
fn window_ui(ui: &mut Ui, context: &mut Context) {
    let mut on = context.view.display.trail.window.is_some();
    let changed = value_rows::control_ui(ui, "Near playhead only", |ui| {
        let changed = check_ui(ui, &mut on, Action::TrailWindow);
        if let Some(window) = &mut context.view.display.trail.window {
            let value = number_field::with_decimals(window, 2).range(MIN_WINDOW..=3600.0).speed(0.01).suffix(" s");
            ui.add(value).accessible_name("Trail window").on_hover_text("Seconds before and after the playhead");
        }
        changed
    });
    if changed {
        context.actions.push(Action::TrailWindow);
    }
}

/// If no trail is visible, shows the reason.
fn no_trail_reason_ui(ui: &mut Ui, context: &Context) {
    let request = trail::request(context.document, context.view, &context.transport.moment());
    let reason = match request {
        None if context.view.selection.is_empty() => "Select a joint to show its trail",
        None => "No motion to show",
        Some(request) if context.analyses.motions.get_or_request(&request).is_none() => "Calculating...",
        Some(_) => return,
    };
    value_rows::second_line_ui(ui, reason);
}

/// Draws a check box for an action. Returns whether the user switched it.
fn check_ui(ui: &mut Ui, on: &mut bool, action: Action) -> bool {
    let response = ui.add(Checkbox::without_text(on));
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, *on, action.label()));
    response.on_hover_text(action.tooltip()).changed()
}

/// Draws a row with a whole number. `name` describes it in the tooltip and for screen readers.
fn number_ui(ui: &mut Ui, label: &str, name: &str, number: &mut u32, [min, max]: [u32; 2]) {
    value_rows::control_ui(ui, label, |ui| {
        let value = number_field::with_decimals(number, 0).range(min..=max).speed(0.05);
        ui.add(value).accessible_name(name).on_hover_text(format!("{name} (drag to change, or click to type)"));
    });
}
