//! Maps values to y coordinates, and paints the scale at the left of the curves and the horizontal lines. Zooming and panning return a new
//! span.

use egui::{FontId, Painter, Rect, Stroke, pos2};

use crate::ui::style::theme::Palette;
use crate::ui::timeline::time_axis::TimeAxis;
use crate::ui::widgets::tick_steps::decimal_steps;

/// Minimum distance between labels, in points.
const LABEL_GAP: f32 = 32.0;
/// Space between a label and the line below it, in points.
const LINE_GAP: f32 = 1.0;
/// Opacity of the background of a label.
const BACKGROUND_OPACITY: f32 = 0.4;
/// Margin above and below the fitted values, as a fraction of their range.
const MARGIN: f64 = 0.1;
/// Minimum length of the span, relative to its largest magnitude. A shorter span would show only the rounding errors of f32.
const MIN_SPAN: f64 = 1e-6;
/// Maximum length and magnitude of the span. It exceeds every fitted span, so that every span can be zoomed and panned.
const MAX_SPAN: f64 = 1e31;

/// The range of visible values and the range of y coordinates that shows it. Greater values are further up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueAxis {
    /// Top edge and height, in points.
    pub top: f32,
    pub height: f32,
    /// The lowest and the highest value.
    pub span: [f64; 2],
}

/// Both axes of the plot.
#[derive(Debug, Clone, Copy)]
pub struct PlotAxes<'a> {
    pub time: &'a TimeAxis,
    pub values: &'a ValueAxis,
}

impl ValueAxis {
    /// The axis for a rectangle that shows these values.
    pub fn new(rect: Rect, span: [f64; 2]) -> Self {
        Self { top: rect.top(), height: rect.height().max(1.0), span }
    }

    /// The y coordinate of a value. It is limited, so that lines far outside can still be drawn.
    pub fn y(&self, value: f64) -> f32 {
        let fraction = (self.span[1] - value) / (self.span[1] - self.span[0]);
        self.top + (fraction * f64::from(self.height)).clamp(-1e5, 1e5) as f32
    }

    /// The value at a y coordinate.
    pub fn value(&self, y: f32) -> f64 {
        self.span[1] - f64::from((y - self.top) / self.height) * (self.span[1] - self.span[0])
    }

    /// The span after a zoom. A `factor` above 1 shows fewer values. The value at `y` stays there.
    pub fn zoomed(&self, factor: f64, y: f32) -> [f64; 2] {
        let value = self.value(y);
        let span = self.span.map(|end| value + (end - value) / factor);
        let (length, size) = (span[1] - span[0], span[0].abs().max(span[1].abs()));
        if length > MIN_SPAN * size.max(1e-6) && length < MAX_SPAN { span } else { self.span }
    }

    /// The span after moving the values down by this many points.
    pub fn panned(&self, points: f32) -> [f64; 2] {
        let shift = f64::from(points / self.height) * (self.span[1] - self.span[0]);
        let span = self.span.map(|end| end + shift);
        if span[0].abs().max(span[1].abs()) < MAX_SPAN { span } else { self.span }
    }
}

/// A span around these values with a margin. A single value gets a span around it. Values that are not finite get the span around 0.
pub fn fitted([low, high]: [f64; 2]) -> [f64; 2] {
    let length = high - low;
    if !length.is_finite() {
        return fitted([0.0, 0.0]);
    }
    let size = low.abs().max(high.abs());
    let margin = if length > MIN_SPAN * size.max(1e-3) { length * MARGIN } else { (size * 0.1).max(0.5) };
    [low - margin, high + margin]
}

/// Paints horizontal lines at round values. The line at 0 is brighter.
pub fn paint_lines(painter: &Painter, rect: Rect, axis: &ValueAxis, palette: &Palette) {
    for (value, y) in lines(axis).1 {
        let color = if value == 0.0 { palette.outline } else { palette.divider.gamma_multiply(0.6) };
        painter.hline(rect.x_range(), y, Stroke::new(1.0, color));
    }
}

/// Paints each line's number above the line, followed by the unit. If a number would be cut off at the top, it is below its line. `left` is
/// the left edge of the numbers.
pub fn paint_numbers(painter: &Painter, left: f32, axis: &ValueAxis, unit: &str, palette: &Palette) {
    let (step, lines) = lines(axis);
    for (value, y) in lines {
        let text = painter.layout_no_wrap(format!("{}{unit}", label(value, step)), FontId::proportional(11.0), palette.secondary);
        let place = Rect::from_min_size(pos2(left, number_top(axis, y, text.size().y)), text.size());
        // The background keeps the number readable over a curve, which stays visible behind it.
        painter.rect_filled(place, 0.0, palette.field.gamma_multiply(BACKGROUND_OPACITY));
        painter.galley(place.min, text, palette.secondary);
    }
}

/// The top edge of the number of a line at `y`.
fn number_top(axis: &ValueAxis, y: f32, height: f32) -> f32 {
    let above = y - LINE_GAP - height;
    if above < axis.top { y + LINE_GAP } else { above }
}

/// The step between round values, and the lines in view.
fn lines(axis: &ValueAxis) -> (f64, Vec<(f64, f32)>) {
    let (step, _) = decimal_steps(f64::from(LABEL_GAP / axis.height) * (axis.span[1] - axis.span[0]));
    let first = (axis.span[0] / step).ceil();
    let max_lines = (axis.height / LABEL_GAP) as usize + 1;
    let values = (0..=max_lines).map(|line| (first + line as f64) * step).filter(|&value| value <= axis.span[1]);
    (step, values.map(|value| (value, axis.y(value))).collect())
}

/// Formats a value with as many digits as the step needs.
fn label(value: f64, step: f64) -> String {
    let decimals = (-step.log10().floor()).max(0.0);
    if decimals > 6.0 || value.abs() >= 1e6 {
        return format!("{value:.1e}");
    }
    // This avoids "-0".
    let value = if value.abs() < step / 2.0 { 0.0 } else { value };
    format!("{value:.*}", decimals as usize)
}

#[cfg(test)]
mod tests {
    use egui::{Rect, pos2};

    use super::{ValueAxis, fitted, label, number_top};

    fn axis() -> ValueAxis {
        ValueAxis::new(Rect::from_min_max(pos2(0.0, 100.0), pos2(10.0, 300.0)), [-1.0, 3.0])
    }

    #[test]
    fn zooming_keeps_the_value_under_the_pointer_and_panning_moves_it() {
        let axis = axis();
        assert_eq!((axis.y(3.0), axis.y(-1.0), axis.value(200.0)), (100.0, 300.0, 1.0));
        let zoomed = ValueAxis { span: axis.zoomed(2.0, 150.0), ..axis };
        assert_eq!((zoomed.value(150.0), zoomed.span), (axis.value(150.0), [0.5, 2.5]));
        let panned = ValueAxis { span: axis.panned(50.0), ..axis };
        assert_eq!(panned.y(axis.value(150.0)), 200.0);
    }

    #[test]
    fn zooming_stops_before_noise_and_before_overflow() {
        let mut axis = axis();
        for _ in 0..200 {
            axis.span = axis.zoomed(4.0, 150.0);
        }
        assert!(axis.span[1] > axis.span[0] && axis.span[1] - axis.span[0] > 1e-7);
        for _ in 0..200 {
            axis.span = axis.zoomed(0.25, 150.0);
        }
        assert!(axis.span.iter().all(|end| end.is_finite()));
    }

    #[test]
    fn a_number_is_above_its_line_unless_it_would_be_cut_off() {
        let axis = axis();
        assert_eq!([110.0, 114.0, 115.0, 300.0].map(|y| number_top(&axis, y, 14.0)), [111.0, 115.0, 100.0, 285.0]);
    }

    #[test]
    fn a_single_value_gets_a_margin() {
        assert_eq!(fitted([0.0, 0.0]), [-0.5, 0.5]);
        assert_eq!(fitted([100.0, 100.0]), [90.0, 110.0]);
        assert_eq!(fitted([0.0, 10.0]), [-1.0, 11.0]);
    }

    #[test]
    fn infinite_values_are_not_fitted_and_the_widest_span_can_be_zoomed() {
        for ends in [[f64::NEG_INFINITY, f64::INFINITY], [0.0, f64::INFINITY], [f64::NAN, 1.0], [f64::MIN, f64::MAX]] {
            assert_eq!(fitted(ends), [-0.5, 0.5], "{ends:?}");
        }
        let axis = ValueAxis { span: fitted([-1e30, 1e30]), ..axis() };
        assert_ne!(axis.zoomed(1.5, 150.0), axis.span);
        assert_ne!(axis.panned(10.0), axis.span);
    }

    #[test]
    fn labels_have_as_many_digits_as_their_step_needs() {
        assert_eq!([label(0.5, 0.25), label(-0.0, 1.0), label(15.0, 5.0), label(2e7, 1e7)], ["0.5", "0", "15", "2.0e7"]);
    }
}
