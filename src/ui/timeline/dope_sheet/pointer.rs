//! The pointer over the keys of the dope sheet: hovering describes a key, a click selects it, a drag selects all keys in a box.

use std::ops::Range;

use egui::{Modifiers, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Tooltip, Ui, WidgetInfo, pos2};

use crate::model::animation::{Animation, Channel};
use crate::ui::actions::action::Action;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::style::theme;
use crate::ui::timeline::time_axis::TimeAxis;
use crate::ui::timeline::time_text;
use crate::ui::widgets::list::List;
use crate::ui::widgets::menu_item;

use super::state::{SheetRow, SheetState};
use super::{row, take_focus, values};

/// Largest distance from the center at which a key is hit, in points.
const REACH: f32 = 6.0;
/// Width reserved for the scroll bar, in points.
const SCROLL_BAR: f32 = 8.0;
/// Most channels listed in a tooltip.
const MAX_LISTED_CHANNELS: usize = 6;

/// A box selection in progress: its start in seconds, and in points below the top of the first row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxSelect {
    time: f64,
    y: f32,
}

/// Maps pointer positions to rows. `top` is the y coordinate of the first row, which may be scrolled out of view.
struct Rows<'a> {
    axis: &'a TimeAxis,
    top: f32,
}

/// The keys of a row at one time.
struct Hit {
    row: SheetRow,
    time: f32,
}

/// Handles the pointer over the keys.
pub fn keys_ui(ui: &Ui, context: &mut Context, sheet: &mut SheetState, list: &List, area: Rect, axis: &TimeAxis, top: f32) {
    let rows = Rows { axis, top };
    let place = area.with_max_x(area.right() - SCROLL_BAR);
    let response = ui.interact(place, list.id.with("keys"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Grid, true, "Keys"));
    let Some(animation) = context.view.animation.and_then(|a| context.document.model.animations.get(a)) else { return };
    let hit = |pointer: Pos2| rows.row(sheet, pointer.y).and_then(|row| rows.hit(sheet, animation, row, pointer.x));
    let modifiers = ui.input(|input| input.modifiers);
    if response.clicked() || response.secondary_clicked() {
        take_focus(ui, list);
        if let Some(pointer) = response.interact_pointer_pos() {
            match hit(pointer) {
                Some(hit) if response.clicked() => click(context, sheet, animation, &hit, modifiers),
                Some(hit) => take_up(context, sheet, animation, &hit),
                None if response.clicked() => click_beside(context, sheet, rows.row(sheet, pointer.y), modifiers),
                None => {}
            }
        }
    } else if let Some(hit) = response.hover_pos().filter(|_| !response.dragged()).and_then(hit) {
        hover_ui(ui, context, sheet, animation, &hit, &response, &rows);
    }
    box_ui(ui, context, sheet, animation, &response, &rows);
    response.context_menu(|ui| menu_item::rows(ui, |ui| menu_ui(ui, context)));
}

impl Rows<'_> {
    fn row(&self, sheet: &SheetState, y: f32) -> Option<SheetRow> {
        let number = ((y - self.top) / theme::TREE_ROW).floor();
        (number >= 0.0).then(|| sheet.rows.get(number as usize).copied()).flatten()
    }

    /// The nearest key within reach.
    fn hit(&self, sheet: &SheetState, animation: &Animation, row: SheetRow, x: f32) -> Option<Hit> {
        let time = self.axis.time(x) as f32;
        let near = sheet.channels(row).flat_map(|channel| {
            let times = times(animation, &animation.channels[channel.channel]);
            let next = times.partition_point(|&key| key < time);
            [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|key| times.get(key).copied())
        });
        let distance = |key: &f32| (self.axis.x((*key).into()) - x).abs();
        let nearest = near.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest) <= REACH).then_some(Hit { row, time: nearest })
    }
}

fn times<'a>(animation: &'a Animation, channel: &Channel) -> &'a [f32] {
    &animation.key_times[channel.key_times]
}

/// For each channel of a row, the keys from one time to another.
fn keys(sheet: &SheetState, animation: &Animation, row: SheetRow, [from, to]: [f32; 2]) -> Vec<(usize, Range<usize>)> {
    let within = |number: usize| {
        let times = times(animation, &animation.channels[number]);
        (number, times.partition_point(|&key| key < from)..times.partition_point(|&key| key <= to))
    };
    sheet.channels(row).map(|channel| within(channel.channel)).filter(|(_, keys)| !keys.is_empty()).collect()
}

/// Selects the key and moves the playhead to its exact time. Ctrl toggles; Shift selects from the previous key to this one.
fn click(context: &mut Context, sheet: &mut SheetState, animation: &Animation, hit: &Hit, modifiers: Modifiers) {
    sheet.cursor = Some(hit.row);
    let from = sheet.key_anchor.filter(|_| modifiers.shift).unwrap_or(hit.time);
    let clicked = keys(sheet, animation, hit.row, [from.min(hit.time), from.max(hit.time)]);
    let selected = clicked.iter().all(|(channel, keys)| context.keys.contains(*channel, keys.start));
    if !modifiers.command && !modifiers.shift {
        context.keys.clear();
    }
    for (channel, keys) in clicked {
        if modifiers.command && !modifiers.shift && selected {
            context.keys.remove(channel, &keys);
        } else {
            context.keys.add(channel, keys);
        }
    }
    sheet.key_anchor = Some(hit.time);
    context.transport.pause();
    playback::seek(context, hit.time.into());
}

/// Selects the key under a context menu, unless it is already selected.
fn take_up(context: &mut Context, sheet: &SheetState, animation: &Animation, hit: &Hit) {
    let clicked = keys(sheet, animation, hit.row, [hit.time; 2]);
    if clicked.iter().all(|(channel, keys)| context.keys.contains(*channel, keys.start)) {
        return;
    }
    context.keys.clear();
    for (channel, keys) in clicked {
        context.keys.add(channel, keys);
    }
}

/// Selects the row without its keys.
fn click_beside(context: &mut Context, sheet: &mut SheetState, row: Option<SheetRow>, modifiers: Modifiers) {
    if !modifiers.command && !modifiers.shift {
        context.keys.clear();
    }
    if let Some(row) = row {
        row::click(context, sheet, row, modifiers);
    }
}

fn box_ui(ui: &Ui, context: &mut Context, sheet: &mut SheetState, animation: &Animation, response: &Response, rows: &Rows) {
    if !response.dragged() && !response.drag_stopped() {
        sheet.boxed = None;
        return;
    }
    if let Some(origin) = ui.input(|input| input.pointer.press_origin()).filter(|_| response.drag_started()) {
        sheet.boxed = Some(BoxSelect { time: rows.axis.time(origin.x), y: origin.y - rows.top });
    }
    let (Some(from), Some(pointer)) = (sheet.boxed, response.interact_pointer_pos()) else { return };
    let area = Rect::from_two_pos(pos2(rows.axis.x(from.time), from.y + rows.top), pointer);
    let palette = theme::palette(ui.ctx());
    let painter = ui.painter_at(response.rect);
    painter.rect(area, 0.0, palette.accent.gamma_multiply(0.15), Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    if !response.drag_stopped() {
        return;
    }
    sheet.boxed = None;
    if !ui.input(|input| input.modifiers.command || input.modifiers.shift) {
        context.keys.clear();
    }
    let number = |y: f32| ((y - rows.top) / theme::TREE_ROW).max(0.0) as usize;
    let between = [rows.axis.time(area.left()) as f32, rows.axis.time(area.right()) as f32];
    let last = (number(area.bottom()) + 1).min(sheet.rows.len());
    for &row in sheet.rows.get(number(area.top())..last).unwrap_or_default() {
        for (channel, keys) in keys(sheet, animation, row, between) {
            context.keys.add(channel, keys);
        }
    }
}

fn hover_ui(ui: &Ui, context: &Context, sheet: &SheetState, animation: &Animation, hit: &Hit, response: &Response, rows: &Rows) {
    let group = &sheet.groups[hit.row.group].label;
    let told = keys(sheet, animation, hit.row, [hit.time; 2]);
    let mut lines = vec![time_text::time_text(context, hit.time.into())];
    for channel in sheet.channels(hit.row) {
        let Some((number, keys)) = told.iter().find(|(number, _)| *number == channel.channel) else { continue };
        let data = &animation.channels[*number];
        let value = values::value_text(data, keys.start);
        lines.push(format!("{group} {}, {}\n{value}", channel.label, data.interpolation.name()));
    }
    let more = lines.len().saturating_sub(1 + MAX_LISTED_CHANNELS);
    lines.truncate(1 + MAX_LISTED_CHANNELS);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    let x = rows.axis.x(hit.time.into());
    let mut tooltip = Tooltip::for_enabled(response);
    let y = response.hover_pos().map_or(response.rect.top(), |pointer| pointer.y);
    tooltip.popup = tooltip.popup.anchor(Rect::from_center_size(pos2(x, y), egui::Vec2::splat(2.0 * REACH)));
    tooltip.show(|ui| ui.add(egui::Label::new(lines.join("\n")).extend()));
}

fn menu_ui(ui: &mut Ui, context: &mut Context) {
    menu_item::actions(ui, context, &[Action::SetIn, Action::SetOut, Action::ClearRange, Action::FitTimeline]);
    ui.separator();
    let count = context.keys.count();
    let label = if count == 1 { "Copy key".to_owned() } else { format!("Copy {count} keys") };
    let copy = |ui: &mut Ui| menu_item::item(ui, &label, &Action::CopyValues.shortcut(), None);
    if ui.add_enabled_ui(count > 0, copy).inner.on_disabled_hover_text("No key is selected").clicked() {
        context.requests.push(crate::ui::request::Request::CopyText(values::selected_text(context)));
        ui.close();
    }
}
