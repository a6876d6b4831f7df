//! The ruler: numbered frames or seconds, and marks where the animation has keys.

use egui::{Color32, FontId, Painter, Rangef, Rect, Stroke, pos2};

use crate::session::document::Document;
use crate::ui::context::per_document::PerDocument;
use crate::ui::context::preferences::RulerUnit;
use crate::ui::style::theme::Palette;
use crate::ui::widgets::tick_steps::decimal_steps;

use super::key_columns::{KeyColumns, KeyMark};
use super::time_axis::TimeAxis;

/// Height of the ruler, in points.
pub const HEIGHT: f32 = 24.0;
// Minimum distances between labels and between small ticks, in points.
const MIN_LABEL_GAP: f32 = 64.0;
const MIN_TICK_GAP: f32 = 6.0;
/// Space between a number and the playhead's head, in points.
const HEAD_GAP: f32 = 2.0;

/// Positions of the key marks for one animation on one axis. They are found again only if the animation or the axis changes.
#[derive(Debug, Clone, Default)]
pub struct KeyMarks {
    /// The animation and the axis that the marks are for.
    made_for: PerDocument<Option<(Option<usize>, TimeAxis)>>,
    marks: Vec<KeyMark>,
}

impl KeyMarks {
    /// Finds the marks again if the animation or the axis has changed.
    pub fn refresh(&mut self, document: &Document, animation: Option<usize>, axis: &TimeAxis) {
        let made_for = Some((animation, *axis));
        if std::mem::replace(self.made_for.get(document), made_for) == made_for {
            return;
        }
        let chosen = animation.and_then(|a| document.model.animations.get(a));
        let mut columns = KeyColumns::new(axis);
        for times in chosen.iter().flat_map(|animation| &animation.key_times) {
            columns.add(times, 0..times.len());
        }
        self.marks = columns.marks();
    }
}

/// Paints the marks at the bottom of the ruler.
pub fn paint_keys(painter: &Painter, rect: Rect, marks: &KeyMarks, palette: &Palette) {
    let bottom = rect.bottom() - 1.0;
    for &KeyMark { first, last } in &marks.marks {
        if first == last {
            painter.vline(first, bottom - 5.0..=bottom, Stroke::new(1.5, palette.secondary));
        } else {
            let bar = Rect::from_min_max(pos2(first - 0.75, bottom - 4.0), pos2(last + 0.75, bottom));
            painter.rect_filled(bar, 1.0, palette.outline);
        }
    }
}

/// A tick of the ruler.
pub struct Tick {
    pub x: f32,
    /// The number, if there is space for it.
    pub label: Option<String>,
}

/// The ticks at whole frames, or at seconds and fractions of them. Labels are as far apart as their text needs.
pub fn ticks(painter: &Painter, axis: &TimeAxis, unit: RulerUnit, fps: f64) -> Vec<Tick> {
    let per_second = if unit == RulerUnit::Frames { fps } else { 1.0 };
    let points_per_unit = f64::from(axis.width) / ((axis.span[1] - axis.span[0]) * per_second);
    if !points_per_unit.is_finite() || points_per_unit <= 0.0 {
        return Vec::new();
    }
    let text = |value: f64, step: f64| match unit {
        RulerUnit::Frames => format!("{value:.0}"),
        RulerUnit::Seconds => seconds_text(value, step),
    };
    let widest = painter.layout_no_wrap(text(axis.span[1] * per_second, 0.01), font(), Color32::PLACEHOLDER).size().x;
    // A label at the end moves inwards by up to half its width.
    let min_step = f64::from(MIN_LABEL_GAP.max(1.5 * widest + 8.0)) / points_per_unit;
    let (step, small) = if unit == RulerUnit::Frames { frame_steps(min_step) } else { second_steps(min_step) };
    let small = if small * points_per_unit >= f64::from(MIN_TICK_GAP) { small } else { step };
    let first = (axis.span[0] * per_second / small).ceil();
    let values = (0..=(axis.width / MIN_TICK_GAP) as usize).map(|tick| (first + tick as f64) * small);
    let tick = |value: f64| {
        let has_label = (value / step - (value / step).round()).abs() < 1e-6;
        Tick { x: axis.x(value / per_second), label: has_label.then(|| text(value, step)) }
    };
    // Key times are single precision, so the time of the last frame may be slightly after the end.
    values.take_while(|value| value / per_second <= axis.span[1] * (1.0 + 1e-6)).map(tick).collect()
}

/// Paints the ticks, below the numbers and above the keys.
pub fn paint_ticks(painter: &Painter, rect: Rect, ticks: &[Tick], palette: &Palette) {
    let bottom = rect.bottom() - 7.0;
    for Tick { x, label } in ticks {
        let (length, color) = if label.is_some() { (4.0, palette.outline) } else { (2.0, palette.divider) };
        painter.vline(*x, bottom - length..=bottom, Stroke::new(1.0, color));
    }
}

/// Paints the numbers at the top of the ruler. Numbers that touch `head`, the range of the playhead's head, are left out, because it would
/// cover parts of them. Numbers of ticks outside of `bright` are dim.
pub fn paint_numbers(painter: &Painter, rect: Rect, ticks: &[Tick], [head, bright]: [Rangef; 2], palette: &Palette) {
    for Tick { x, label } in ticks {
        let Some(label) = label else { continue };
        let label = painter.layout_no_wrap(label.clone(), font(), Color32::PLACEHOLDER);
        // A label at an end moves inwards, so that it is not cut off.
        let max_left = (rect.right() - label.size().x - 1.0).max(rect.left());
        let left = (*x - label.size().x / 2.0).clamp(rect.left().min(max_left), max_left);
        let color = if bright.contains(*x) { palette.secondary } else { palette.secondary.lerp_to_gamma(palette.field, 0.5) };
        if !head.intersects(Rangef::new(left, left + label.size().x).expand(HEAD_GAP)) {
            painter.galley(pos2(left, rect.top()), label, color);
        }
    }
}

/// The font of the numbers.
fn font() -> FontId {
    FontId::proportional(11.0)
}

/// Formats a time with as many decimals as the step needs: "0.05 s", "12 s", or, from one minute on, "1:15".
fn seconds_text(seconds: f64, step: f64) -> String {
    let decimals = if step < 1.0 { (-step.log10()).ceil() as usize } else { 0 };
    if seconds < 60.0 {
        return format!("{seconds:.decimals$} s");
    }
    let (minutes, seconds) = ((seconds / 60.0).floor(), seconds.rem_euclid(60.0));
    let width = if decimals > 0 { 3 + decimals } else { 2 };
    if minutes < 60.0 {
        return format!("{minutes:.0}:{seconds:0width$.decimals$}");
    }
    format!("{:.0}:{:02.0}:{seconds:0width$.decimals$}", (minutes / 60.0).floor(), minutes.rem_euclid(60.0))
}

/// The steps from label to label and from tick to tick, in frames. The label step is 1, 2, 5, 10 and so on, and at least `min`.
fn frame_steps(min: f64) -> (f64, f64) {
    let (step, small) = decimal_steps(min.max(1.0));
    (step, small.max(1.0))
}

/// The steps from label to label and from tick to tick, in seconds. The label step is at least `min`. Steps below a second are decimal;
/// longer ones divide minutes and hours evenly.
fn second_steps(min: f64) -> (f64, f64) {
    const STEPS: [(f64, f64); 11] = [
        (1.0, 0.2),
        (2.0, 1.0),
        (5.0, 1.0),
        (10.0, 2.0),
        (15.0, 5.0),
        (30.0, 5.0),
        (60.0, 10.0),
        (120.0, 60.0),
        (300.0, 60.0),
        (600.0, 120.0),
        (1800.0, 300.0),
    ];
    if min < 1.0 {
        return decimal_steps(min);
    }
    let hours = || ((min / 3600.0).ceil() * 3600.0, 3600.0);
    STEPS.into_iter().find(|&(step, _)| step >= min).unwrap_or_else(hours)
}

#[cfg(test)]
mod tests {
    use super::{second_steps, seconds_text};

    #[test]
    fn steps_of_seconds_divide_minutes_and_hours() {
        for (min, step) in [(0.3, 0.5), (1.0, 1.0), (11.0, 15.0), (61.0, 120.0), (4000.0, 7200.0)] {
            assert!((second_steps(min).0 - step).abs() < 1e-9, "{min}");
        }
    }

    #[test]
    fn seconds_have_as_many_decimals_as_their_step_needs() {
        assert_eq!(seconds_text(0.25, 0.05), "0.25 s");
        assert_eq!(seconds_text(12.0, 1.0), "12 s");
        assert_eq!(seconds_text(75.0, 15.0), "1:15");
        assert_eq!(seconds_text(61.5, 0.5), "1:01.5");
        assert_eq!(seconds_text(3725.0, 5.0), "1:02:05");
    }
}
