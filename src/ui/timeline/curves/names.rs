//! The names beside the curves: nodes, their channels and the curves of each, with color, value at the playhead, and the eye and
//! solo buttons.

use egui::{Align2, Color32, Id, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, vec2};

use crate::captions;
use crate::model::Model;
use crate::numbers;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::list;

use super::channel::ShownChannel;
use super::state::{CurveId, CurvesState, MAX_CURVES};

// Widths of the eye button and of the solo button left of it, in points.
const EYE_WIDTH: f32 = 22.0;
const SOLO_WIDTH: f32 = 18.0;
/// Indentation of a level, in points.
const INDENT: f32 = 10.0;
/// Length of the line that shows a curve's color and style, in points.
const LINE_SAMPLE_LENGTH: f32 = 22.0;

/// A row of the list. Numbers are indices into the shown channels.
#[derive(Debug, Clone, Copy, PartialEq)]
enum CurveRow {
    /// A node's heading. The number is the index of the node's first channel.
    Node(usize),
    Channel(usize),
    /// A curve: its channel, and its number in the channel.
    Curve(usize, usize),
    /// A note that not all curves are shown.
    More,
}

/// Draws the visible rows.
pub fn names_ui(ui: &mut Ui, state: &mut CurvesState, context: &mut Context) {
    let rows = rows(state);
    let mut scroll = state.scroll;
    let list = ui.make_persistent_id("curve names");
    list::rows_ui(ui, &mut scroll, theme::TREE_ROW_HEIGHT, rows.len(), |ui, number, rect| match rows[number] {
        CurveRow::More => more_ui(ui, rect),
        row => row_ui(ui, context, state, row, list.with(number), rect),
    });
    state.scroll = scroll;
}

/// The rows: each node, its channels, and the curves of each.
fn rows(state: &CurvesState) -> Vec<CurveRow> {
    let mut rows = Vec::new();
    for (i, shown) in state.channels.iter().enumerate() {
        if i == 0 || state.channels[i - 1].node != shown.node {
            rows.push(CurveRow::Node(i));
        }
        rows.push(CurveRow::Channel(i));
        rows.extend((0..shown.curves.len()).map(|part| CurveRow::Curve(i, part)));
    }
    rows.extend(state.has_more.then_some(CurveRow::More));
    rows
}

/// The curves that a row covers.
fn curves(state: &CurvesState, row: CurveRow) -> Vec<CurveId> {
    let all = |shown: &ShownChannel| (0..shown.curves.len()).map(|part| (shown.target, part)).collect::<Vec<_>>();
    match row {
        CurveRow::Node(first) => {
            let node = state.channels[first].node;
            state.channels[first..].iter().take_while(|shown| shown.node == node).flat_map(all).collect()
        }
        CurveRow::Channel(i) => all(&state.channels[i]),
        CurveRow::Curve(i, part) => vec![(state.channels[i].target, part)],
        CurveRow::More => Vec::new(),
    }
}

/// The name of the node that a channel is shown for.
fn node_name(model: &Model, shown: &ShownChannel) -> String {
    shown.node.map_or_else(|| "File".to_owned(), |node| model.node(node).label())
}

/// The name of a row for tooltips and screen readers: "Translation X of Hips".
fn name(model: &Model, state: &CurvesState, row: CurveRow) -> String {
    match row {
        CurveRow::Node(i) => node_name(model, &state.channels[i]),
        CurveRow::Channel(i) => format!("{} of {}", state.channels[i].title, node_name(model, &state.channels[i])),
        CurveRow::Curve(i, part) => format!("{} of {}", state.channels[i].curve_title(part), node_name(model, &state.channels[i])),
        CurveRow::More => String::new(),
    }
}

/// Draws the note about curves that are not shown.
fn more_ui(ui: &Ui, rect: Rect) {
    let left = rect.left_center() + vec2(theme::MARGIN, 0.0);
    let font = TextStyle::Small.resolve(ui.style());
    let text = format!("Showing the first {MAX_CURVES} curves");
    ui.painter().text(left, Align2::LEFT_CENTER, text, font, theme::palette(ui.ctx()).secondary);
}

/// Draws a row and handles its pointer input.
fn row_ui(ui: &mut Ui, context: &mut Context, state: &mut CurvesState, row: CurveRow, id: Id, rect: Rect) {
    let palette = theme::palette(ui.ctx());
    let curves = curves(state, row);
    let node = if let CurveRow::Node(i) = row { state.channels[i].node } else { None };
    let response = ui.interact(rect, id, if node.is_some() { Sense::CLICK } else { Sense::hover() });
    let is_hovered = response.contains_pointer();
    if let (true, &[curve]) = (is_hovered, curves.as_slice()) {
        state.hovered_next = Some(curve);
    }
    if is_hovered || (curves.len() == 1 && state.hovered == curves.first().copied()) {
        ui.painter().rect_filled(rect, 0.0, palette.hover);
    }
    let name = name(&context.document.model, state, row);
    let (text, toggles) = rect.split_left_right_at_x(rect.right() - EYE_WIDTH - SOLO_WIDTH - 2.0);
    toggles_ui(ui, state, &Toggles { id, name: &name, curves: &curves, rect: toggles, is_hovered });
    let drawn = curves.iter().any(|&curve| state.is_drawn(curve));
    let accessible_name = match row {
        CurveRow::Curve(i, part) => curve_ui(ui, context, &state.channels[i], part, text, drawn).map(|value| format!("{name}: {value}")),
        _ => {
            head_ui(ui, context, state, row, text, drawn);
            None
        }
    };
    if let Some(node) = node.filter(|_| response.clicked()) {
        // Adding the node to the selection makes it the active one.
        selection::select(&mut context.view.selection, context.document.model.node(node).source, SelectMode::Add);
    }
    let accessible_name = accessible_name.unwrap_or(name);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &accessible_name));
    let second_line = match row {
        CurveRow::Channel(i) | CurveRow::Curve(i, _) => interpolation(context, &state.channels[i]),
        CurveRow::Node(i) => format!("\n{} lines", state.channels[i].dash.name),
        CurveRow::More => String::new(),
    };
    response.on_hover_text(accessible_name + &second_line);
}

/// Interpolation and number of keys, as the second line of the tooltip.
fn interpolation(context: &Context, shown: &ShownChannel) -> String {
    let animation = context.view.animation.and_then(|animation| context.document.model.animations.get(animation));
    animation.map_or(String::new(), |animation| {
        let (channel, times) = shown.data(animation);
        let keys = numbers::counted(times.len(), "key");
        format!("\n{}, {keys}", channel.interpolation.name())
    })
}

/// Draws a node's or channel's name, with the unit of its curves at the right.
fn head_ui(ui: &Ui, context: &Context, state: &CurvesState, row: CurveRow, rect: Rect, drawn: bool) {
    let palette = theme::palette(ui.ctx());
    let (name, unit, font, indent) = match row {
        CurveRow::Channel(i) => {
            let shown = &state.channels[i];
            (shown.title.clone(), shown.unit, TextStyle::Body.resolve(ui.style()), INDENT)
        }
        CurveRow::Node(i) => (node_name(&context.document.model, &state.channels[i]), "", theme::section_font(), 0.0),
        CurveRow::Curve(..) | CurveRow::More => return,
    };
    let color = if drawn { palette.text } else { palette.disabled };
    let right = rect.right_center() - vec2(4.0, 0.0);
    let unit = ui.painter().text(right, Align2::RIGHT_CENTER, unit, TextStyle::Small.resolve(ui.style()), palette.secondary);
    let left = rect.left_center() + vec2(theme::MARGIN + indent, 0.0);
    let room = unit.left() - left.x - 4.0;
    let node = if let CurveRow::Node(i) = row { state.channels[i].node } else { None };
    let short = match node {
        Some(node) => context.fit_node_name(node, &captions::text::fits(ui.ctx(), &font, room)),
        None => text::elide_middle(ui, &name, &font, room),
    };
    ui.painter().text(left, Align2::LEFT_CENTER, short, font, color);
}

/// Draws a curve's color, name and value at the playhead. Returns the value with its unit.
fn curve_ui(ui: &Ui, context: &Context, shown: &ShownChannel, part: usize, rect: Rect, drawn: bool) -> Option<String> {
    let palette = theme::palette(ui.ctx());
    let color = if drawn { shown.color(ui.ctx(), part) } else { palette.disabled };
    let left = rect.left_center() + vec2(theme::MARGIN + 2.0 * INDENT, 0.0);
    ui.painter()
        .extend(shown.dash.shapes(vec![left - vec2(LINE_SAMPLE_LENGTH - 8.0, 0.0), left + vec2(8.0, 0.0)], Stroke::new(3.0, color)));
    let animation = context.view.animation.and_then(|animation| context.document.model.animations.get(animation))?;
    let (channel, times) = shown.data(animation);
    let value = shown.survey.at(channel, times, part, context.transport.time());
    let (number, color) = (value.map_or(String::new(), |value| shown.number(value)), if drawn { palette.text } else { palette.disabled });
    let right = rect.right_center() - vec2(4.0, 0.0);
    let number = ui.painter().text(right, Align2::RIGHT_CENTER, number, theme::number_font(), color);
    let name_left = left + vec2(14.0, 0.0);
    let font = TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, &shown.curves[part].name, &font, number.left() - name_left.x - 4.0);
    ui.painter().text(name_left, Align2::LEFT_CENTER, short, font, color);
    value.map(|value| shown.number_with_unit(value))
}

/// The solo and eye buttons of a row.
struct Toggles<'a> {
    id: Id,
    name: &'a str,
    curves: &'a [CurveId],
    rect: Rect,
    /// Whether the pointer is over the row.
    is_hovered: bool,
}

/// Draws the solo and eye buttons. An eye in its default state is faint until the pointer is over the row. A solo button in its default
/// state is shown only while the pointer is over the row.
fn toggles_ui(ui: &mut Ui, state: &mut CurvesState, toggles: &Toggles) {
    let &Toggles { id, name, curves, rect, is_hovered } = toggles;
    let palette = theme::palette(ui.ctx());
    let (solo_rect, eye_rect) = rect.split_left_right_at_x(rect.left() + SOLO_WIDTH);
    let eye_rect = eye_rect.with_max_x(eye_rect.left() + EYE_WIDTH);
    let soloed = curves.iter().all(|curve| state.solo.contains(curve));
    let shown = !curves.iter().all(|curve| state.hidden.contains(curve));
    let solo = ui.interact(solo_rect, id.with("solo"), Sense::click());
    let eye = ui.interact(eye_rect, id.with("eye"), Sense::click());
    solo.widget_info(|| WidgetInfo::selected(Role::Switch, true, soloed, format!("Solo {name}")));
    eye.widget_info(|| WidgetInfo::selected(Role::Switch, true, shown, format!("Show {name}")));
    if soloed {
        let square = Rect::from_center_size(solo_rect.center(), vec2(16.0, 16.0));
        ui.painter().rect(square, theme::RADIUS, palette.selection, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    }
    if soloed || is_hovered || solo.has_focus() {
        let color = toggle_color(ui, solo.hovered(), soloed);
        ui.painter().text(solo_rect.center(), Align2::CENTER_CENTER, "S", TextStyle::Small.resolve(ui.style()), color);
    }
    // Curves are shown by default, so their eye is faint until the pointer is over the row.
    match shown {
        false => icons::paint(ui, eye_rect, icons::HIDDEN, 14.0, toggle_color(ui, eye.hovered(), false)),
        true if is_hovered || eye.has_focus() => icons::paint(ui, eye_rect, icons::VISIBLE, 14.0, toggle_color(ui, eye.hovered(), false)),
        true => icons::paint(ui, eye_rect, icons::VISIBLE, 14.0, palette.secondary.gamma_multiply(icons::IDLE_OPACITY)),
    }
    // Alt turns a click on the eye into a solo.
    let alt = ui.input(|input| input.modifiers.alt);
    if solo.clicked() || (eye.clicked() && alt) {
        state.toggle_solo(curves);
    } else if eye.clicked() {
        state.toggle_hidden(curves);
    }
    solo.on_hover_text("Solo: hide all other curves");
    eye.on_hover_text(if shown { "Hide (Alt: solo)" } else { "Show (Alt: solo)" });
}

/// The color of an eye or solo button.
fn toggle_color(ui: &Ui, hovered: bool, on: bool) -> Color32 {
    let palette = theme::palette(ui.ctx());
    if on {
        palette.accent
    } else if hovered {
        palette.text
    } else {
        palette.secondary
    }
}
