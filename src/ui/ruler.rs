//! The ruler: frames with their numbers, and where the animation has keys.

use std::sync::{Arc, Weak};

use egui::{Align2, FontId, Painter, Rect, Stroke, pos2};

use crate::model::Model;
use crate::model::animation::Animation;
use crate::session::document::Document;

use super::theme::Palette;
use super::time_axis::TimeAxis;

pub const HEIGHT: f32 = 24.0;
/// Labels stand at least so far apart, small ticks at least so far.
const LABEL_GAP: f32 = 64.0;
const TICK_GAP: f32 = 6.0;
/// Key marks nearer than this become one bar.
const MARK_GAP: usize = 6;

/// Where marks stand, for one animation on one axis: not worked out again while nothing moves but the playhead.
#[derive(Debug, Clone, Default)]
pub struct KeyMarks {
    /// Held weakly, so that the address of a closed model is not taken for that of the next.
    model: Weak<Model>,
    animation: Option<usize>,
    axis: Option<TimeAxis>,
    /// First and last point of each mark, from the axis' left end.
    marks: Vec<[usize; 2]>,
}

impl KeyMarks {
    pub fn refresh(&mut self, document: &Document, animation: Option<usize>, axis: &TimeAxis) {
        let fresh = self.animation == animation && self.axis == Some(*axis) && self.model.as_ptr() == Arc::as_ptr(&document.model);
        if fresh {
            return;
        }
        let chosen = animation.and_then(|a| document.model.animations.get(a));
        self.marks = chosen.map(|animation| merged(&columns(animation, axis))).unwrap_or_default();
        (self.model, self.animation, self.axis) = (Arc::downgrade(&document.model), animation, Some(*axis));
    }
}

/// For each point of the axis: whether a key stands there. A million keys cost no more than there are points.
fn columns(animation: &Animation, axis: &TimeAxis) -> Vec<bool> {
    let mut columns = vec![false; axis.width as usize + 1];
    for times in &animation.key_times {
        let mut next = times.partition_point(|&time| f64::from(time) < axis.span[0]);
        while let Some(&time) = times.get(next) {
            let column = (axis.x(time.into()) - axis.left) as usize;
            let Some(marked) = columns.get_mut(column) else { break };
            *marked = true;
            let edge = axis.time(axis.left + (column + 1) as f32);
            next += times[next..].partition_point(|&time| f64::from(time) < edge).max(1);
        }
    }
    columns
}

fn merged(columns: &[bool]) -> Vec<[usize; 2]> {
    let mut marks: Vec<[usize; 2]> = Vec::new();
    for (column, _) in columns.iter().enumerate().filter(|&(_, &marked)| marked) {
        match marks.last_mut() {
            Some([_, end]) if column - *end < MARK_GAP => *end = column,
            _ => marks.push([column, column]),
        }
    }
    marks
}

pub fn paint_keys(painter: &Painter, rect: Rect, axis: &TimeAxis, marks: &KeyMarks, palette: &Palette) {
    let bottom = rect.bottom() - 1.0;
    for &[first, last] in &marks.marks {
        let (left, right) = (axis.left + first as f32, axis.left + last as f32);
        if first == last {
            painter.vline(left, bottom - 5.0..=bottom, Stroke::new(1.5, palette.secondary));
        } else {
            let bar = Rect::from_min_max(pos2(left - 0.75, bottom - 4.0), pos2(right + 0.75, bottom));
            painter.rect_filled(bar, 1.0, palette.outline);
        }
    }
}

/// Ticks on whole frames, numbered where there is room.
pub fn paint_frames(painter: &Painter, rect: Rect, axis: &TimeAxis, fps: f64, palette: &Palette) {
    let points_per_frame = f64::from(axis.width) / ((axis.span[1] - axis.span[0]) * fps);
    if !points_per_frame.is_finite() || points_per_frame <= 0.0 {
        return;
    }
    let font = FontId::monospace(11.0);
    let widest = painter.layout_no_wrap(format!("{:.0}", axis.span[1] * fps), font.clone(), palette.secondary).size().x;
    let (step, small) = steps(f64::from(LABEL_GAP.max(widest + 16.0)) / points_per_frame);
    let small = if small * points_per_frame >= f64::from(TICK_GAP) { small } else { step };
    // Numbers above, ticks under them, keys at the bottom.
    let middle = rect.bottom() - 7.0;
    let first = (axis.span[0] * fps / small).ceil();
    for tick in 0..=(axis.width / TICK_GAP) as usize {
        let frame = (first + tick as f64) * small;
        let time = frame / fps;
        if time > axis.span[1] {
            break;
        }
        let labelled = (frame / step - (frame / step).round()).abs() < 1e-6;
        let (x, length) = (axis.x(time), if labelled { 4.0 } else { 2.0 });
        painter.vline(x, middle - length..=middle, Stroke::new(1.0, if labelled { palette.outline } else { palette.divider }));
        if labelled {
            painter.text(pos2(x, rect.top()), Align2::CENTER_TOP, format!("{frame:.0}"), font.clone(), palette.secondary);
        }
    }
}

/// Frames from label to label: at least `least`, of the kind 1, 2, 5, 10...; and from tick to tick.
fn steps(least: f64) -> (f64, f64) {
    let decade = 10f64.powf(least.max(1.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * decade).find(|&step| step >= least).unwrap_or(decade * 10.0);
    let small = if step <= 1.0 {
        1.0
    } else if (step / decade - 2.0).abs() < 0.5 {
        step / 2.0
    } else {
        step / 5.0
    };
    (step, small.max(1.0))
}
