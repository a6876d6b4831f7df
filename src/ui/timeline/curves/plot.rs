//! The plot of the curves: the value scale, the lines with their keys, and the pointer's actions.

use egui::{Align2, CursorIcon, Painter, Rect, Response, Role, Sense, Shape, TextStyle, Ui, WidgetInfo, vec2};

use crate::model::animation::Animation;
use crate::ui::actions::Action;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::key_selection::KeySelection;
use crate::ui::style::{key_values, text, theme, time_text};
use crate::ui::timeline::time_axis::TimeAxis;
use crate::ui::widgets::menu_item;

use super::hit::{self, Hit};
use super::state::CurvesState;
use super::value_axis::{self, PlotAxes, ValueAxis};
use super::{channel, marks};

// Widths of lines, in points. The lines of all nodes except the first are thinner.
const LINE_WIDTH: f32 = 1.5;
const HOVERED_LINE_WIDTH: f32 = 2.5;
const SECONDARY_LINE_WIDTH: f32 = 1.0;
/// Distance, in points, of a drag or scroll that zooms by a factor of e.
const ZOOM_E_FOLD_DISTANCE: f32 = 200.0;

/// Draws the plot and handles the pointer in it.
pub fn plot_ui(ui: &mut Ui, state: &mut CurvesState, context: &mut Context, rect: Rect, axis: &TimeAxis) {
    let Some(animation) = context.view.animation.and_then(|animation| context.document.model.animations.get(animation)) else { return };
    let response = ui.interact(rect, ui.scope_id().with("curves"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::GenericContainer, true, "Curves of selected nodes"));
    pan_and_zoom(ui, state, &response);
    let values = ValueAxis::new(rect, state.span);
    let axes = PlotAxes { time: axis, values: &values };
    let pointer = response.hover_pos().filter(|_| !response.dragged());
    let hit = pointer.and_then(|pointer| hit::under(state, animation, axes, pointer));
    let painter = ui.painter_at(rect);
    value_axis::paint_lines(&painter, rect, &values, theme::palette(ui.ctx()));
    paint(&painter, state, context.keys, animation, axes);
    value_axis::paint_numbers(&painter, axis.left + 4.0, &values, &channel::unit_suffix(unit(state)), theme::palette(ui.ctx()));
    if let Some(description) = context.preferences.units.file_description() {
        let corner = rect.right_top() + vec2(-theme::MARGIN, 4.0);
        let text = format!("As in the file: {description}");
        painter.text(corner, Align2::RIGHT_TOP, text, TextStyle::Small.resolve(ui.style()), theme::palette(ui.ctx()).secondary);
    }
    if response.double_clicked() && hit.is_none_or(|hit| hit.key.is_none()) {
        state.fit();
    }
    if let Some(hit) = hit {
        hit_ui(ui, context, state, animation, &response, hit);
    }
    response.context_menu(|ui| {
        menu_item::rows(ui, |ui| {
            menu_item::actions(ui, context, &[Action::SetIn, Action::SetOut, Action::ClearRange]);
            ui.separator();
            if menu_item::item(ui, "Fit visible curves", "", None).clicked() {
                state.fit();
                ui.close();
            }
        });
    });
}

/// Pans the visible values when the user drags or scrolls. With Alt, both zoom.
fn pan_and_zoom(ui: &Ui, state: &mut CurvesState, response: &Response) {
    let values = ValueAxis::new(response.rect, state.span);
    let (modifiers, scroll) = ui.input(|input| (input.modifiers, input.smooth_scroll_delta().y));
    let dragged = response.drag_delta().y;
    let pointer = response.hover_pos().filter(|_| !modifiers.command && !modifiers.shift);
    let span = match pointer {
        _ if dragged != 0.0 && modifiers.alt => values.zoomed(f64::from(-dragged / ZOOM_E_FOLD_DISTANCE).exp(), response.rect.center().y),
        _ if dragged != 0.0 => values.panned(dragged),
        Some(pointer) if scroll != 0.0 && modifiers.alt => values.zoomed(f64::from(scroll / ZOOM_E_FOLD_DISTANCE).exp(), pointer.y),
        Some(_) if scroll != 0.0 => values.panned(scroll),
        _ => return,
    };
    state.span = span;
    state.fits = false;
}

/// Highlights the key or curve under the pointer and shows its tooltip. A click on a key selects it and moves the playhead there;
/// Ctrl+click toggles the selection of the key.
fn hit_ui(ui: &Ui, context: &mut Context, state: &mut CurvesState, animation: &Animation, response: &Response, hit: Hit) {
    state.hovered_next = Some((state.channels[hit.channel].target, hit.part));
    tooltip(context, state, animation, response, hit);
    let Some(key) = hit.key else { return };
    ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    if response.clicked() {
        let (channel, keys) = (state.channels[hit.channel].index, &mut *context.keys);
        match ui.input(|input| input.modifiers.command) {
            true if keys.contains(channel, key) => keys.remove(channel, &(key..key + 1)),
            adds => {
                if !adds {
                    keys.clear();
                }
                keys.add(channel, key..key + 1);
            }
        }
        context.transport.pause();
        playback::seek(context, hit.time);
    }
}

/// The unit that all drawn curves share, or an empty string if their units differ.
fn unit(state: &CurvesState) -> &'static str {
    let mut units = state.channels.iter().filter(|shown| !state.drawn(shown).is_empty()).map(|shown| shown.unit);
    let first = units.next().unwrap_or_default();
    if units.all(|unit| unit == first) { first } else { "" }
}

/// Paints all curves: those of the first node above the others, and the hovered curve above all.
fn paint(painter: &Painter, state: &mut CurvesState, keys: &KeySelection, animation: &Animation, axes: PlotAxes) {
    let parts: Vec<Vec<usize>> = state.channels.iter().map(|shown| state.drawn(shown)).collect();
    let (hovered, shows_keys) = (state.hovered.filter(|&hovered| state.is_drawn(hovered)), !state.velocity);
    for (shown, parts) in state.channels.iter_mut().zip(&parts).rev() {
        let (channel, times) = shown.data(animation);
        shown.samples.refresh(channel, times, &shown.survey, axes.time, painter.clip_rect().x_range());
        let width = if shown.is_primary { LINE_WIDTH } else { SECONDARY_LINE_WIDTH };
        let target = shown.target;
        for &part in parts.iter().rev().filter(|&&part| hovered != Some((target, part))) {
            painter.add(Shape::Mesh(shown.line(painter.ctx(), part, *axes.values, width)));
        }
        if shows_keys && shown.is_primary {
            marks::paint_tangents(painter, shown, animation, axes, parts);
            marks::paint_keys(painter, shown, keys, animation, axes, parts);
        }
    }
    let Some((target, part)) = hovered else { return };
    if let Some(shown) = state.channels.iter_mut().find(|shown| shown.target == target && part < shown.curves.len()) {
        painter.add(Shape::Mesh(shown.line(painter.ctx(), part, *axes.values, HOVERED_LINE_WIDTH)));
        if shows_keys {
            marks::paint_tangents(painter, shown, animation, axes, &[part]);
            marks::paint_keys(painter, shown, keys, animation, axes, &[part]);
        }
    }
}

/// Shows a tooltip with the curve's name, the time and the value.
fn tooltip(context: &Context, state: &CurvesState, animation: &Animation, response: &Response, hit: Hit) {
    let shown = &state.channels[hit.channel];
    let (channel, times) = shown.data(animation);
    let Some(value) = shown.survey.at(channel, times, hit.part, hit.time) else { return };
    let model = &context.document.model;
    let node = shown.node.map_or(String::new(), |node| format!("{}\n", model.node(node).label()));
    let time = time_text::time_text(context, hit.time);
    let key = hit.key.map_or(String::new(), |key| format!("\nkey {key}, {}", channel.interpolation.name()));
    let note = key_values::unit_note(context, shown.target);
    let hint = format!("{node}{}: {}{note}\n{time}{key}", shown.curve_title(hit.part), shown.number_with_unit(value));
    text::tooltip_at_pointer(response, &hint);
}
