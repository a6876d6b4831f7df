//! Computes at which times of the layers' clock a layer plays, and how the layer changes when its strip is moved or stretched.
//!
//! The clock equals the time of the view only in the first pass through the animation, because it does not go back when the animation
//! loops.

use crate::session::view::Repeat;
use crate::session::view::layers::Layer;

/// Minimum and maximum speed that stretching can set.
const SPEEDS: [f64; 2] = [0.05, 4.0];

/// The runs of a layer through its range, in seconds of the layers' clock. A layer that repeats also has runs before and after the run at
/// `start`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerStrip {
    /// Start of the run that the strip is drawn for, in seconds: the first run with at least half of its length in the pass that the strip
    /// is for, or the only run of a layer that does not repeat.
    pub start: f64,
    /// Duration of one run, in seconds.
    pub length: f64,
    /// Index of the run at `start`. Run 0 starts at `-offset / speed`; the runs before it have negative indices.
    run: f64,
    /// Whether the runs repeat.
    pub repeats: bool,
}

impl LayerStrip {
    /// The strip of a layer whose animation has this duration, for a pass through the view's animation that begins at `pass` on the clock.
    /// Both are in seconds. `None` if the layer's time does not advance.
    pub fn new(layer: &Layer, duration: f64, pass: f64) -> Option<Self> {
        let [start, end] = layer.range_within(duration);
        let length = (end - start) / layer.speed.abs();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let first = -layer.offset / layer.speed;
        let repeats = layer.repeat != Repeat::Once;
        let run = if repeats { ((pass - first) / length - 0.5).ceil() } else { 0.0 };
        Some(Self { start: first + run * length, length, run, repeats })
    }

    /// The same strip, with the run that has the index of `other`'s run at its `start`.
    pub fn at_run_of(self, other: &Self) -> Self {
        Self { start: self.start + (other.run - self.run) * self.length, run: other.run, ..self }
    }

    /// End of the run at `start`.
    pub fn end(&self) -> f64 {
        self.start + self.length
    }

    /// The starts of all runs that overlap a span, at most `max_count` of them. If the layer does not repeat, only the run at `start`,
    /// whatever the span.
    pub fn runs(&self, [from, to]: [f64; 2], max_count: usize) -> impl Iterator<Item = f64> {
        let (first, last) = match self.repeats {
            true => (((from - self.start) / self.length).floor(), ((to - self.start) / self.length).ceil()),
            false => (0.0, 1.0),
        };
        let (start, length) = (self.start, self.length);
        (0..max_count).map(move |i| first + i as f64).take_while(move |&run| run < last).map(move |run| start + run * length)
    }
}

/// The layer after its strip is moved so that the run at `strip.start` begins at `start` seconds.
pub fn moved(layer: &Layer, strip: &LayerStrip, start: f64) -> Layer {
    Layer { offset: rounded((strip.run * strip.length - start) * layer.speed), ..layer.clone() }
}

/// The layer after its strip is stretched so that the run at `strip.start` keeps its start and takes `length` seconds.
pub fn stretched(layer: &Layer, strip: &LayerStrip, length: f64) -> Layer {
    let seconds = strip.length * layer.speed.abs();
    let speed = (seconds / length.max(1e-6)).clamp(SPEEDS[0], SPEEDS[1]).copysign(layer.speed);
    let length = seconds / speed.abs();
    Layer { speed: rounded(speed), offset: rounded((strip.run * length - strip.start) * speed), ..layer.clone() }
}

/// The value rounded to a millionth and without a negative zero, so that it reads well.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}
