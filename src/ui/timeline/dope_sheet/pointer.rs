//! Handles the pointer over the keys of the dope sheet: hovering shows a tooltip, a click selects a key, and a drag selects all keys in a
//! box.

use std::ops::Range;

use egui::{Modifiers, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Tooltip, Ui, WidgetInfo, pos2};

use crate::model::animation::{Animation, Channel};
use crate::numbers::counted;
use crate::ui::actions::Action;
use crate::ui::commands::{copy_keys, playback};
use crate::ui::context::Context;
use crate::ui::style::time_text;
use crate::ui::style::{key_values, theme};
use crate::ui::timeline::time_axis::TimeAxis;
use crate::ui::widgets::list::List;
use crate::ui::widgets::menu_item;

use super::groups::GroupChannel;
use super::state::{BoxSelect, DopeSheetState, SheetRow};
use super::{focus, row};

/// Maximum horizontal distance at which a key is hit, in points.
const MAX_HIT_DISTANCE: f32 = 6.0;
/// Width reserved for the scroll bar, in points.
const SCROLL_BAR_WIDTH: f32 = 8.0;
/// Maximum number of channels listed in a tooltip.
const MAX_LISTED_CHANNELS: usize = 6;

/// The part of the dope sheet with the keys. It maps pointer positions to rows and times.
pub struct KeyArea<'a> {
    pub tracks: Rect,
    pub axis: &'a TimeAxis,
    /// Top of the first row, which may be scrolled out of view.
    pub top: f32,
    pub animation: &'a Animation,
}

/// The keys of a row at one time.
struct Hit {
    row: SheetRow,
    time: f32,
}

/// Handles the pointer over the keys.
pub fn keys_ui(ui: &Ui, context: &mut Context, sheet: &mut DopeSheetState, list: &List, area: &KeyArea) {
    let animation = area.animation;
    let place = area.tracks.with_max_x(area.tracks.right() - SCROLL_BAR_WIDTH);
    let response = ui.interact(place, list.id.with("keys"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Grid, true, "Keys"));
    let hit = |pointer: Pos2| area.row(sheet, pointer.y).and_then(|row| area.hit(sheet, row, pointer.x));
    let modifiers = ui.input(|input| input.modifiers);
    if response.clicked() || response.secondary_clicked() {
        focus(ui, list);
        if let Some(pointer) = response.interact_pointer_pos() {
            match hit(pointer) {
                Some(hit) if response.clicked() => click(context, sheet, animation, &hit, modifiers),
                Some(hit) => select_for_menu(context, sheet, animation, &hit),
                None if response.clicked() => click_row(context, sheet, area.row(sheet, pointer.y), modifiers),
                None => {}
            }
        }
    } else if let Some(hit) = response.hover_pos().filter(|_| !response.dragged()).and_then(hit) {
        hover_ui(context, sheet, area, &hit, &response);
    }
    box_ui(ui, context, sheet, area, &response);
    response.context_menu(|ui| menu_item::rows(ui, |ui| menu_ui(ui, context)));
}

impl KeyArea<'_> {
    /// The row at a y coordinate.
    fn row(&self, sheet: &DopeSheetState, y: f32) -> Option<SheetRow> {
        let number = ((y - self.top) / theme::TREE_ROW_HEIGHT).floor();
        (number >= 0.0).then(|| sheet.rows.get(number as usize).copied()).flatten()
    }

    /// The nearest key within reach.
    fn hit(&self, sheet: &DopeSheetState, row: SheetRow, x: f32) -> Option<Hit> {
        let (animation, time) = (self.animation, self.axis.time(x) as f32);
        let neighbors = sheet.channels(row).flat_map(|channel| {
            let times = times(animation, &animation.channels[channel.channel]);
            let next = times.partition_point(|&key| key < time);
            [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|key| times.get(key).copied())
        });
        let distance = |key: &f32| (self.axis.x((*key).into()) - x).abs();
        let nearest = neighbors.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest) <= MAX_HIT_DISTANCE).then_some(Hit { row, time: nearest })
    }
}

/// The key times of a channel, in seconds.
fn times<'a>(animation: &'a Animation, channel: &Channel) -> &'a [f32] {
    &animation.key_times[channel.key_times]
}

/// For each channel of a row that has keys from one time to another, both included, these keys.
fn keys<'a>(
    sheet: &'a DopeSheetState,
    animation: &Animation,
    row: SheetRow,
    [from, to]: [f32; 2],
) -> impl Iterator<Item = (&'a GroupChannel, Range<usize>)> {
    let keys_of = move |channel: &GroupChannel| {
        let times = times(animation, &animation.channels[channel.channel]);
        times.partition_point(|&key| key < from)..times.partition_point(|&key| key <= to)
    };
    sheet.channels(row).map(move |channel| (channel, keys_of(channel))).filter(|(_, keys)| !keys.is_empty())
}

/// Selects the key and moves the playhead to its exact time. Ctrl toggles the key. Shift selects all keys from the previously clicked
/// key to this key.
fn click(context: &mut Context, sheet: &mut DopeSheetState, animation: &Animation, hit: &Hit, modifiers: Modifiers) {
    sheet.cursor = Some(hit.row);
    let from = sheet.key_anchor.filter(|_| modifiers.shift).unwrap_or(hit.time);
    let clicked: Vec<_> = keys(sheet, animation, hit.row, [from.min(hit.time), from.max(hit.time)]).collect();
    let selected = clicked.iter().all(|(channel, keys)| context.keys.contains(channel.channel, keys.start));
    if !modifiers.command && !modifiers.shift {
        context.keys.clear();
    }
    for (channel, keys) in clicked {
        if modifiers.command && !modifiers.shift && selected {
            context.keys.remove(channel.channel, &keys);
        } else {
            context.keys.add(channel.channel, keys);
        }
    }
    sheet.key_anchor = Some(hit.time);
    context.transport.pause();
    playback::seek(context, hit.time.into());
}

/// Selects the key under a context menu, unless it is already selected.
fn select_for_menu(context: &mut Context, sheet: &DopeSheetState, animation: &Animation, hit: &Hit) {
    let clicked = || keys(sheet, animation, hit.row, [hit.time; 2]);
    if clicked().all(|(channel, keys)| context.keys.contains(channel.channel, keys.start)) {
        return;
    }
    context.keys.clear();
    for (channel, keys) in clicked() {
        context.keys.add(channel.channel, keys);
    }
}

/// Selects the clicked row, without its keys.
fn click_row(context: &mut Context, sheet: &mut DopeSheetState, row: Option<SheetRow>, modifiers: Modifiers) {
    if !modifiers.command && !modifiers.shift {
        context.keys.clear();
    }
    if let Some(row) = row {
        row::click(context, sheet, row, modifiers);
    }
}

/// Draws the selection box while the pointer is dragged, and selects the keys in it at the end.
fn box_ui(ui: &Ui, context: &mut Context, sheet: &mut DopeSheetState, area: &KeyArea, response: &Response) {
    if !response.dragged() && !response.drag_stopped() {
        sheet.boxed = None;
        return;
    }
    // The start is kept as a time and a distance from the first row, so that it stays at its keys while the list scrolls.
    if let Some(origin) = ui.input(|input| input.pointer.press_origin()).filter(|_| response.drag_started()) {
        sheet.boxed = Some(BoxSelect { time: area.axis.time(origin.x), y: origin.y - area.top });
    }
    let (Some(from), Some(pointer)) = (sheet.boxed, response.interact_pointer_pos()) else { return };
    let selected = Rect::from_two_pos(pos2(area.axis.x(from.time), from.y + area.top), pointer);
    let palette = theme::palette(ui.ctx());
    let painter = ui.painter_at(response.rect);
    painter.rect(selected, 0.0, palette.accent.gamma_multiply(0.15), Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    if !response.drag_stopped() {
        return;
    }
    sheet.boxed = None;
    if !ui.input(|input| input.modifiers.command || input.modifiers.shift) {
        context.keys.clear();
    }
    let number = |y: f32| ((y - area.top) / theme::TREE_ROW_HEIGHT).max(0.0) as usize;
    let times = [area.axis.time(selected.left()) as f32, area.axis.time(selected.right()) as f32];
    let last = (number(selected.bottom()) + 1).min(sheet.rows.len());
    for &row in sheet.rows.get(number(selected.top())..last).unwrap_or_default() {
        for (channel, keys) in keys(sheet, area.animation, row, times) {
            context.keys.add(channel.channel, keys);
        }
    }
}

/// Shows a tooltip with time, interpolation and value of the key.
fn hover_ui(context: &Context, sheet: &DopeSheetState, area: &KeyArea, hit: &Hit, response: &Response) {
    let animation = area.animation;
    let group = &sheet.groups[hit.row.group].label;
    let mut keys_at_pointer = keys(sheet, animation, hit.row, [hit.time; 2]);
    let mut lines = vec![time_text::time_text(context, hit.time.into())];
    lines.extend(keys_at_pointer.by_ref().take(MAX_LISTED_CHANNELS).map(|(channel, keys)| {
        let data = &animation.channels[channel.channel];
        let value = key_values::value_text(data, keys.start);
        let note = key_values::unit_note(context, data.target);
        format!("{group} {}, {}\n{value}{note}", channel.label, data.interpolation.name())
    }));
    let unlisted = keys_at_pointer.count();
    if unlisted > 0 {
        lines.push(format!("and {unlisted} more"));
    }
    response.ctx.set_cursor_icon(egui::CursorIcon::PointingHand);
    let x = area.axis.x(hit.time.into());
    let mut tooltip = Tooltip::for_enabled(response);
    let y = response.hover_pos().map_or(response.rect.top(), |pointer| pointer.y);
    tooltip.popup = tooltip.popup.anchor(Rect::from_center_size(pos2(x, y), egui::Vec2::splat(2.0 * MAX_HIT_DISTANCE)));
    tooltip.show(|ui| ui.add(egui::Label::new(lines.join("\n")).extend()));
}

/// Draws the context menu of the keys.
fn menu_ui(ui: &mut Ui, context: &mut Context) {
    menu_item::actions(ui, context, &[Action::SetIn, Action::SetOut, Action::ClearRange, Action::FitTimeline]);
    ui.separator();
    let count = context.keys.count();
    let label = if count == 1 { "Copy key".to_owned() } else { format!("Copy {}", counted(count, "key")) };
    let copy = |ui: &mut Ui| menu_item::item(ui, &label, &Action::CopyValues.shortcut(), None);
    if ui.add_enabled_ui(count > 0, copy).inner.on_disabled_hover_text("No key is selected").clicked() {
        copy_keys::copy_keys(context);
        ui.close();
    }
}
