//! Paints the key marks of the visible rows in one mesh, with at most one mark per point of width. Keys that are close together become
//! a bar.

use egui::{Rect, Ui, pos2};

use crate::model::animation::Animation;
use crate::ui::context::Context;
use crate::ui::style::theme::{self, Palette};
use crate::ui::timeline::key_columns::{KeyColumns, KeyMark};
use crate::ui::timeline::time_axis::TimeAxis;

use super::VisibleRow;
use super::marks::{Mark, Marks};
use super::state::{DopeSheetState, SheetRow};

// Heights of the bars of channels and of summary rows, in points.
const BAR_HEIGHT: f32 = 8.0;
const SUMMARY_BAR_HEIGHT: f32 = 5.0;
/// Opacity of constant channels.
const CONSTANT_OPACITY: f32 = 0.4;

/// Input that all painted rows share.
struct Sheet<'a> {
    context: &'a Context<'a>,
    state: &'a DopeSheetState,
    animation: &'a Animation,
    axis: &'a TimeAxis,
    palette: &'a Palette,
}

/// Paints the keys of these rows into `area`.
pub fn paint(ui: &Ui, context: &Context, state: &DopeSheetState, rows: &[VisibleRow], area: Rect, axis: &TimeAxis) {
    let Some(animation) = context.view.animation.and_then(|a| context.document.model.animations.get(a)) else { return };
    let sheet = Sheet { context, state, animation, axis, palette: theme::palette(ui.ctx()) };
    let mut marks = Marks::new(ui.pixels_per_point());
    for &(row, rect) in rows {
        paint_row(&mut marks, &sheet, row, rect.center().y.round());
    }
    ui.painter_at(area).add(marks.mesh);
}

/// Paints the keys of a row. `middle` is the y coordinate of its center.
fn paint_row(marks: &mut Marks, sheet: &Sheet, row: SheetRow, middle: f32) {
    let Sheet { state, animation, axis, palette, .. } = *sheet;
    let mut columns = KeyColumns::new(axis);
    // A summary row shows the keys of all channels of its group.
    let times = match row.channel {
        Some(channel) => std::slice::from_ref(&animation.channels[channel].key_times),
        None => &state.groups[row.group].key_times,
    };
    for times in times.iter().map(|&times| &animation.key_times[times]) {
        columns.add(times, 0..times.len());
    }
    let mark = row.channel.map_or(Mark::Summary, |channel| Mark::Key(animation.channels[channel].interpolation));
    let (height, color) = if row.channel.is_some() { (BAR_HEIGHT, palette.joint) } else { (SUMMARY_BAR_HEIGHT, palette.secondary) };
    let constant = state.channels(row).all(|channel| channel.constant);
    let color = if constant { color.gamma_multiply(CONSTANT_OPACITY) } else { color };
    for KeyMark { first, last } in columns.marks() {
        if first == last {
            marks.mark(mark, pos2(first, middle), color, false);
        } else {
            marks.bar(first, last, middle, height, color.gamma_multiply(0.6));
        }
    }
    paint_selected(marks, sheet, row, mark, middle);
}

/// Paints the selected marks above the others, larger and in the accent color.
fn paint_selected(marks: &mut Marks, sheet: &Sheet, row: SheetRow, mark: Mark, middle: f32) {
    let keys = &*sheet.context.keys;
    if keys.is_empty() {
        return;
    }
    let mut columns = KeyColumns::new(sheet.axis);
    for channel in sheet.state.channels(row).map(|channel| channel.channel) {
        let times = &sheet.animation.key_times[sheet.animation.channels[channel].key_times];
        for range in keys.ranges(channel) {
            columns.add(times, range.clone());
        }
    }
    let height = if row.channel.is_some() { BAR_HEIGHT } else { SUMMARY_BAR_HEIGHT } + 2.0;
    for KeyMark { first, last } in columns.marks() {
        if first == last {
            marks.mark(mark, pos2(first, middle), sheet.palette.accent, true);
        } else {
            marks.bar(first, last, middle, height, sheet.palette.accent);
        }
    }
}
