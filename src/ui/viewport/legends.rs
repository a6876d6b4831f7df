//! Draws the legends over the viewport, with names for screen readers.

use egui::{Rect, Ui};
use glam::DVec2;

use crate::captions::legends::{LegendFrames, Legends, heat_map, motion_trail, onion_skin};
use crate::compare::counterpart::CompareView;
use crate::session::camera::screen::ScreenProjection;
use crate::session::motion::trail;
use crate::ui::context::Context;
use crate::ui::style::theme;
use crate::ui::widgets::named_area::name_area;

use super::other_half;

/// Draws the legends of weights, ghosts and trails. `comparison` is the rectangle of the comparison's legend. Returns the rectangles of the
/// drawn legends.
pub fn legends_ui(ui: &mut Ui, context: &Context, viewport: Rect, projection: &ScreenProjection, comparison: Option<Rect>) -> LegendFrames {
    let size = DVec2::new(viewport.width().into(), viewport.height().into());
    // Colors of distances take the place of the colors of weights.
    let shows_weights = !other_half::shows(context, CompareView::Difference);
    let (document, view, moment) = (context.document, &*context.view, context.transport.moment());
    let legends = Legends {
        heat_map: heat_map::Legend::new(document, view, size, context.preferences.names).filter(|_| shows_weights),
        onion_skin: onion_skin::Legend::new(document, view, &moment, size),
        motion_trail: motion_trail_legend(context, projection),
        comparison: None,
        note: None,
    };
    let frames = legends.paint(&ui.painter_at(viewport), theme::picture_colors(ui.ctx()), viewport, comparison);
    if let (Some(frame), Some(legend)) = (frames.heat_map, &legends.heat_map) {
        name_area(ui, frame, "weights legend", &legend.title);
    }
    if let (Some(frame), Some(legend)) = (frames.onion_skin, &legends.onion_skin) {
        let names = legend.kinds.iter().map(|kind| onion_skin::name(*kind).to_lowercase());
        let names: Vec<_> = names.chain(legend.steps.clone()).collect();
        name_area(ui, frame, "ghosts legend", &format!("Onion skin: {}", names.join(", ")));
    }
    if let (Some(frame), Some(legend)) = (frames.motion_trail, &legends.motion_trail) {
        let (unit, [.., top]) = (context.preferences.units.length.label().to_lowercase(), &legend.speeds);
        name_area(ui, frame, "speed legend", &format!("Speed from 0 to {top} {unit} per second, {}", legend.dots));
    }
    frames
}

/// The legend of the motion trail. `None` if there is no such legend, or if the motion is still being sampled.
fn motion_trail_legend(context: &Context, projection: &ScreenProjection) -> Option<motion_trail::Legend> {
    let request = trail::request(context.document, context.view, &context.transport.moment())?;
    let motion = context.analyses.motions.get_or_request(&request)?;
    motion_trail::Legend::new(context.document, context.view, &motion, projection, context.preferences.units)
}
