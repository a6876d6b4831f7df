//! The curves: what the selected nodes' channels do over time, as values or as velocities. At the left their names, under the
//! ruler the lines themselves, on the ruler's axis.

pub mod channel;
pub mod header;
pub mod hit;
pub mod hue;
pub mod marks;
pub mod names;
pub mod plot;
pub mod samples;
pub mod state;
pub mod value_axis;

use egui::{Align, Label, Layout, Rect, RichText, TextStyle, Ui, UiBuilder, vec2};

use crate::ui::context::Context;
use crate::ui::style::theme;

use super::time_axis::TimeAxis;

use state::CurvesState;

pub fn curves_ui(ui: &mut Ui, state: &mut CurvesState, context: &mut Context, names: Rect, area: Rect, axis: &TimeAxis) {
    if !state.update(context.document, context.view, context.preferences.euler_curves) {
        ui.ctx().request_repaint();
    }
    if state.channels.is_empty() {
        let text = RichText::new(nothing(context)).text_style(TextStyle::Small).color(theme::palette(ui.ctx()).secondary);
        // Right of the playhead at 0, in the middle of what is there, in two lines where one has no room.
        let inner = area.shrink2(vec2(3.0 * theme::MARGIN, 0.0));
        let words = UiBuilder::new().id_salt("no curves").max_rect(inner).layout(Layout::top_down(Align::Center));
        let mut words = ui.new_child(words);
        words.add_space((area.height() / 2.0 - theme::INSPECTOR_ROW / 2.0).max(0.0));
        words.add(Label::new(text).wrap());
    } else {
        let mut list = ui.new_child(UiBuilder::new().id_salt("curve names").max_rect(names));
        list.set_clip_rect(list.max_rect().intersect(ui.clip_rect()));
        names::names_ui(&mut list, state, context);
        plot::plot_ui(ui, state, context, area, axis);
    }
    let pointed = state.pointed.take();
    if state.hovered != pointed {
        state.hovered = pointed;
        ui.ctx().request_repaint();
    }
}

/// Why there is nothing to see.
fn nothing(context: &Context) -> &'static str {
    match context.view.selection.as_slice() {
        [] => "Select a node, here at the left or in the view, to see its curves",
        [_] => "This animation does not move the selected node",
        _ => "This animation moves none of the selected nodes",
    }
}
