//! The clock: the one place where time is kept. Not part of the view: undo does not jump in time.

use crate::animation::playback::{self, AtEnd, Playhead, Rate};
use crate::model::Model;
use crate::session::view::{Repeat, View};

/// A longer gap between two frames is a stall (a suspended laptop, a stopped process), not time that passed.
pub const LONGEST_GAP: f64 = 1.0;
/// A saved view may ask for any length.
const LONGEST_FADE: f64 = 60.0;

/// What time it is, for a pose: the same model, view and moment give the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Seconds on the key times of the view's animation.
    pub time: f64,
    /// Seconds that the layers have played. It does not jump where the animation loops.
    pub clock: f64,
    /// Ping-pong: on the way back, while the clock goes on.
    pub returning: bool,
    /// The animation that is giving way to the view's.
    pub fade: Option<Fade>,
}

/// A time alone: the layers have played as long, and nothing fades.
impl From<f64> for Moment {
    fn from(time: f64) -> Self {
        Self { time, clock: time, returning: false, fade: None }
    }
}

/// A cross-fade on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fade {
    /// The animation that was chosen before; none: the rest pose.
    pub from: Option<usize>,
    /// Where it stands: it plays on while it fades.
    pub head: Playhead,
    /// In and out point that it had.
    pub range: [f64; 2],
    /// Seconds on the wall's clock: since it began, and in all.
    pub elapsed: f64,
    pub length: f64,
}

impl Fade {
    /// How much the new animation counts: 0 at the beginning, 1 at the end.
    pub fn weight(&self) -> f64 {
        if self.elapsed < self.length { (self.elapsed / self.length).max(0.0) } else { 1.0 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transport {
    pub head: Playhead,
    /// What the layers play on: it moves as `head` does, but never wraps or turns round.
    pub clock: f64,
    pub fade: Option<Fade>,
}

impl Default for Transport {
    fn default() -> Self {
        Self { head: Playhead { time: 0.0, returning: false, playing: true }, clock: 0.0, fade: None }
    }
}

impl Transport {
    pub fn time(&self) -> f64 {
        self.head.time
    }

    pub fn moment(&self) -> Moment {
        Moment { time: self.head.time, clock: self.clock, returning: self.head.returning, fade: self.fade }
    }

    pub fn playing(&self) -> bool {
        self.head.playing
    }

    /// Goes to a time within the animation; playing goes on. What is then seen depends on that time alone.
    pub fn seek(&mut self, model: &Model, view: &View, time: f64) {
        self.head.time = time.clamp(0.0, duration(model, view));
        self.head.returning = false;
        self.clock = self.head.time;
        self.fade = None;
    }

    /// Plays from where it stands; from the end of the range (or outside it) from its beginning.
    pub fn play(&mut self, model: &Model, view: &View) {
        let [start, end] = range(model, view);
        let finished = if view.speed < 0.0 { self.head.time <= start } else { self.head.time >= end };
        // Layers over the rest pose have no end to begin anew from.
        if end > start && (self.head.time < start || self.head.time > end || finished) {
            self.head.time = if view.speed < 0.0 { end } else { start };
            if !self.head.playing {
                self.clock = self.head.time;
            }
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
        self.clock = 0.0;
        self.fade = None;
    }

    /// Before another animation is chosen than `view` has. That starts at 0; while playing, the old one fades out, playing on,
    /// and the layers do not jump.
    pub fn leave(&mut self, model: &Model, view: &View) {
        let before = *self;
        self.restart();
        if before.playing() {
            self.clock = before.clock;
            let length = view.cross_fade.min(LONGEST_FADE);
            let fade = Fade { from: view.animation, head: before.head, range: range(model, view), elapsed: 0.0, length };
            self.fade = Some(fade).filter(|fade| fade.length > 0.0);
        }
    }

    /// `dt` seconds of the wall's clock later. The bind pose stands still.
    pub fn advance(&mut self, model: &Model, view: &View, dt: f64) {
        if !self.head.playing || view.bind_pose {
            return;
        }
        let (dt, at_end) = (dt.min(LONGEST_GAP), at_end(view.repeat));
        let [start, end] = range(model, view);
        let before = self.head.time;
        self.head = playback::advance(self.head, dt, view.speed, at_end, [start, end]);
        let stops = at_end == AtEnd::Stop && end > start;
        self.clock += if stops { self.head.time - before } else { dt * view.speed };
        if let Some(fade) = &mut self.fade {
            fade.head = playback::advance(fade.head, dt, view.speed, at_end, fade.range);
            fade.elapsed += dt;
        }
        self.fade = self.fade.filter(|fade| fade.elapsed < fade.length);
        // An end is no end while a fade has not come to its own, and the rest pose under layers has none.
        self.head.playing |= self.fade.is_some() || (end <= start && layers_move(model, view));
    }
}

/// Whether anything is seen to move while it plays.
pub fn moves(model: &Model, view: &View) -> bool {
    !view.bind_pose && (duration(model, view) > 0.0 || layers_move(model, view))
}

fn layers_move(model: &Model, view: &View) -> bool {
    view.layers.iter().any(|layer| layer.moves(model))
}

pub fn at_end(repeat: Repeat) -> AtEnd {
    match repeat {
        Repeat::Loop => AtEnd::Wrap,
        Repeat::Once => AtEnd::Stop,
        Repeat::PingPong => AtEnd::TurnRound,
    }
}

/// Seconds of the chosen animation; 0 for the rest pose.
pub fn duration(model: &Model, view: &View) -> f64 {
    view.animation.and_then(|a| model.animations.get(a)).map_or(0.0, |animation| animation.duration)
}

/// In and out point, within the animation.
pub fn range(model: &Model, view: &View) -> [f64; 2] {
    range_within(view.range, duration(model, view))
}

/// In and out point within an animation of this duration.
pub fn range_within(range: Option<[f64; 2]>, duration: f64) -> [f64; 2] {
    match range {
        Some([start, end]) => [start.clamp(0.0, duration), end.clamp(start.clamp(0.0, duration), duration)],
        None => [0.0, duration],
    }
}

/// Frames a second, where a person chose them; else [`crate::session::document::Document::rate`] infers them from the keys.
pub fn chosen_rate(view: &View) -> Option<Rate> {
    view.rate.filter(|&fps| fps > 0.0).map(|fps| Rate { fps, guessed: false })
}
