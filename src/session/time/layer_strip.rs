//! Where on the view's time a layer's animation runs, and the layer that it becomes when that is moved or stretched. Reckoned from
//! the beginning, where the layers' clock and the time are one, as after every seek.

use crate::session::view::Repeat;
use crate::session::view::layers::Layer;

/// How slow a layer can be stretched, and how fast.
const SPEEDS: [f64; 2] = [0.05, 4.0];

/// One run through the layer's range and, where it repeats, the next ones. Seconds on the view's time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerStrip {
    /// Of the first run that does not end before 0.
    pub start: f64,
    pub length: f64,
    /// How many runs lie before it: negative, where the very first begins after it.
    run: f64,
    pub repeats: bool,
}

impl LayerStrip {
    /// None: the layer stands still.
    pub fn of(layer: &Layer, duration: f64) -> Option<Self> {
        let [start, end] = layer.range_within(duration);
        let length = (end - start) / layer.speed.abs();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let first = -layer.offset / layer.speed;
        let repeats = layer.repeat != Repeat::Once;
        // A run that ends at 0 is over.
        let run = if repeats { (-first / length + 1e-9).floor() } else { 0.0 };
        Some(Self { start: first + run * length, length, run, repeats })
    }

    pub fn end(&self) -> f64 {
        self.start + self.length
    }

    /// The beginnings of all runs seen within a span, at most so many; the lane's own is the one at `start`.
    pub fn runs(&self, [from, to]: [f64; 2], most: usize) -> impl Iterator<Item = f64> {
        let (first, last) = match self.repeats {
            true => (((from - self.start) / self.length).floor(), ((to - self.start) / self.length).ceil()),
            false => (0.0, 1.0),
        };
        let (start, length) = (self.start, self.length);
        (0..most).map(move |i| first + i as f64).take_while(move |&run| run < last).map(move |run| start + run * length)
    }
}

/// The layer, with this run of it beginning at `start`.
pub fn moved(layer: &Layer, lane: &LayerStrip, start: f64) -> Layer {
    Layer { offset: tidy((lane.run * lane.length - start) * layer.speed), ..layer.clone() }
}

/// The layer, with this run of it taking `length` seconds; its beginning stays.
pub fn stretched(layer: &Layer, lane: &LayerStrip, length: f64) -> Layer {
    let seconds = lane.length * layer.speed.abs();
    let speed = (seconds / length.max(1e-6)).clamp(SPEEDS[0], SPEEDS[1]).copysign(layer.speed);
    let length = seconds / speed.abs();
    Layer { speed: tidy(speed), offset: tidy((lane.run * length - lane.start) * speed), ..layer.clone() }
}

/// To the millionth: nobody wants to read the rest, or a zero below nothing.
fn tidy(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}
