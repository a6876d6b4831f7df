//! Draws the ground speed of the root as a graph on the time axis.

use std::sync::Arc;

use egui::{Align2, FontId, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, pos2};

use crate::session::locomotion::Locomotion;
use crate::ui::context::Context;
use crate::ui::style::{text, theme, time_text};
use crate::ui::timeline::graph::Graph;
use crate::ui::timeline::message_ui;
use crate::ui::timeline::track_area::TrackArea;

/// Draws the lane. At the left are the speed at the playhead and the average speed. At the right is the graph. A tooltip shows the speed at
/// the time under the pointer.
pub fn speed_ui(ui: &mut Ui, context: &Context, locomotion: Option<&Arc<Locomotion>>, area: &TrackArea) {
    let &TrackArea { names, tracks: track, axis } = area;
    let (palette, units) = (theme::palette(ui.ctx()), context.preferences.units);
    let left = pos2(names.left() + theme::MARGIN, names.top() + 12.0);
    let painter = ui.painter_at(names);
    painter.text(left, Align2::LEFT_CENTER, "Speed", TextStyle::Body.resolve(ui.style()), palette.text);
    ui.painter_at(area.all()).hline(names.left()..=track.right(), names.bottom(), ui.visuals().widgets.noninteractive.bg_stroke);
    let Some(locomotion) = locomotion else { return message_ui(ui, track, "Calculating...") };
    let Some(root) = &locomotion.root else { return no_travel_ui(ui, context, locomotion, track) };
    let time = context.transport.moment().played_time(&context.document.model, context.view);
    let (current, max) = (locomotion.speed(time).unwrap_or_default(), locomotion.travel.top);
    let right = pos2(names.right() - theme::MARGIN, left.y);
    painter.text(right, Align2::RIGHT_CENTER, units.speed(current), theme::number_font(), palette.text);
    let node = context.document.model.nodes[root.node].label();
    let font = FontId::proportional(11.0);
    let below = pos2(left.x, names.top() + 31.0);
    let average = format!("{node}, average {}", units.speed(locomotion.travel.mean));
    let short = text::elide_middle(ui, &average, &font, names.width() - 2.0 * theme::MARGIN);
    painter.text(below, Align2::LEFT_CENTER, short, font, palette.secondary);
    let (times, values, label) = (&locomotion.times, &locomotion.speeds, units.speed(max));
    Graph { times, values, max, label: &label, color: palette.accent }.ui(ui, track, axis);

    let response = ui.interact(track, ui.scope_id().with("speed"), Sense::hover());
    response.widget_info(|| {
        let label = format!("Speed of {node}: {} now, max {}", units.speed(current), units.speed(max));
        WidgetInfo { value: Some(current), ..WidgetInfo::labeled(Role::Label, true, label) }
    });
    let Some(pointer) = response.hover_pos() else { return };
    let time = axis.time(pointer.x).clamp(axis.span[0], axis.span[1]);
    let speed = locomotion.speed(time).unwrap_or_default();
    text::tooltip_at_pointer(&response, &format!("{}\n{}", units.speed(speed), time_text::time_text(context, time)));
}

/// Draws a message that the root does not travel. If the feet imply a speed of the ground, the message contains it.
fn no_travel_ui(ui: &Ui, context: &Context, locomotion: &Arc<Locomotion>, track: Rect) {
    let drift = locomotion.ground_velocity.length();
    let in_place = format!("In place: feet imply {}", context.preferences.units.speed(drift));
    message_ui(ui, track, if drift > 0.0 { &in_place } else { "This animation has no root motion" });
}
