//! The clock: the one place where time is kept. Not part of the view: undo does not jump in time.

use crate::animation::playback::{self, AtEnd, Playhead, Rate};
use crate::model::Model;

use super::view::{Repeat, View};

/// A longer gap between two frames is a stall (a suspended laptop, a stopped process), not time that passed.
const LONGEST_GAP: f64 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transport {
    pub head: Playhead,
}

impl Default for Transport {
    fn default() -> Self {
        Self { head: Playhead { time: 0.0, returning: false, playing: true } }
    }
}

impl Transport {
    pub fn time(&self) -> f64 {
        self.head.time
    }

    pub fn playing(&self) -> bool {
        self.head.playing
    }

    /// Goes to a time within the animation; playing goes on.
    pub fn seek(&mut self, model: &Model, view: &View, time: f64) {
        self.head.time = time.clamp(0.0, duration(model, view));
    }

    /// Plays from where it stands; from the end of the range (or outside it) from its beginning.
    pub fn play(&mut self, model: &Model, view: &View) {
        let [start, end] = range(model, view);
        let finished = if view.speed < 0.0 { self.head.time <= start } else { self.head.time >= end };
        if self.head.time < start || self.head.time > end || finished {
            self.head.time = if view.speed < 0.0 { end } else { start };
        }
        self.head.playing = true;
    }

    pub fn pause(&mut self) {
        self.head.playing = false;
    }

    /// A new animation starts at 0.
    pub fn restart(&mut self) {
        self.head.time = 0.0;
        self.head.returning = false;
    }

    /// `dt` seconds of the wall's clock later.
    pub fn advance(&mut self, model: &Model, view: &View, dt: f64) {
        let at_end = match view.repeat {
            Repeat::Loop => AtEnd::Wrap,
            Repeat::Once => AtEnd::Stop,
            Repeat::PingPong => AtEnd::TurnRound,
        };
        self.head = playback::advance(self.head, dt.min(LONGEST_GAP), view.speed, at_end, range(model, view));
    }
}

/// Seconds of the chosen animation; 0 for the rest pose.
pub fn duration(model: &Model, view: &View) -> f64 {
    view.animation.and_then(|a| model.animations.get(a)).map_or(0.0, |animation| animation.duration)
}

/// In and out point, within the animation.
pub fn range(model: &Model, view: &View) -> [f64; 2] {
    let duration = duration(model, view);
    match view.range {
        Some([start, end]) => [start.clamp(0.0, duration), end.clamp(start.clamp(0.0, duration), duration)],
        None => [0.0, duration],
    }
}

/// Frames a second: as chosen, else inferred from the keys.
pub fn rate(model: &Model, view: &View) -> Rate {
    match view.rate {
        Some(fps) if fps > 0.0 => Rate { fps, guessed: false },
        _ => view.animation.and_then(|a| model.animations.get(a)).map_or(playback::DEFAULT_RATE, playback::infer_rate),
    }
}
