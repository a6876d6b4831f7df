//! The locomotion lanes between layer strips and rows: the speed of the root, and the contacts of each foot. They show the results of an
//! analysis that runs in the background.

pub mod contacts;
pub mod speed;

use egui::Ui;

use crate::ui::commands::locomotion;
use crate::ui::context::Context;
use crate::ui::style::theme;

use super::graph;
use super::track_area::TrackArea;

/// The height of all lanes, in points. 0 if there are none.
pub fn height(context: &Context) -> f32 {
    speed_height(context) + contacts::height(context)
}

/// The height of the speed graph, in points. 0 if it is not shown.
fn speed_height(context: &Context) -> f32 {
    if context.view.display.speed_graph { graph::HEIGHT } else { 0.0 }
}

/// Draws the speed graph and the contacts.
pub fn lanes_ui(ui: &mut Ui, contacts_scroll: &mut f32, context: &mut Context, area: &TrackArea) {
    let all = area.all();
    if all.height() <= 0.0 {
        return;
    }
    ui.painter().rect_filled(area.names, 0.0, theme::palette(ui.ctx()).panel);
    let locomotion = locomotion::locomotion(context);
    let split = all.top() + speed_height(context).min(all.height());
    let (speed_area, contacts_area) = area.split_at_y(split);
    if context.view.display.speed_graph {
        speed::speed_ui(ui, context, locomotion.as_ref(), &speed_area);
    }
    if context.view.display.contacts {
        contacts::contacts_ui(ui, contacts_scroll, context, locomotion.as_ref(), &contacts_area);
    }
}
