//! The transport: the only clock of the session. It is not part of the view, so that undo does not change the time.

use crate::animation::playback::{self, AtEnd, Playhead};
use crate::model::Model;
use crate::session::view::playback_range::{self, duration, range};
use crate::session::view::{Repeat, View};

use super::moment::{Fade, FadeSource, Moment};

/// Playback advances by at most this many seconds per frame. Longer gaps are stalls, such as a suspended laptop.
pub const MAX_FRAME_GAP: f64 = 1.0;
/// Maximum length of a cross-fade, in seconds. A view file may ask for a longer one.
pub const MAX_FADE: f64 = 60.0;

/// The state of playback.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transport {
    /// Time and direction of the view's animation, and whether it plays.
    pub head: Playhead,
    /// The layers' clock, in seconds. It runs like `head`, but never wraps or turns around.
    pub clock: f64,
    /// The cross-fade in progress, if any.
    pub fade: Option<Fade>,
}

impl Default for Transport {
    fn default() -> Self {
        Self { head: Playhead { time: 0.0, returning: false, playing: true }, clock: 0.0, fade: None }
    }
}

impl Transport {
    /// The time of the view's animation, in seconds.
    pub fn time(&self) -> f64 {
        self.head.time
    }

    /// The moment to pose.
    pub fn moment(&self) -> Moment {
        Moment { time: self.head.time, clock: self.clock, returning: self.head.returning, is_frame: true, fade: self.fade }
    }

    /// Returns whether time advances.
    pub fn is_playing(&self) -> bool {
        self.head.playing
    }

    /// Moves to a time within the animation, in seconds, without stopping playback. The pose then depends on that time alone.
    pub fn seek(&mut self, model: &Model, view: &View, time: f64) {
        self.head.time = time.clamp(0.0, duration(model, view));
        self.head.returning = false;
        self.clock = self.head.time;
        self.fade = None;
    }

    /// Moves to a moment of the view's animation, without stopping playback. Drops any cross-fade.
    pub fn jump(&mut self, model: &Model, view: &View, moment: &Moment) {
        self.head.time = moment.time.clamp(0.0, duration(model, view));
        self.head.returning = moment.returning;
        self.clock = moment.clock;
        self.fade = None;
    }

    /// Keeps the time within an animation that has changed. Playback continues, with layers and cross-fade, unless the time is after the
    /// end.
    pub fn keep_within(&mut self, model: &Model, view: &View) {
        if self.head.time > duration(model, view) {
            self.seek(model, view, self.head.time);
        }
    }

    /// Plays from the current time. If playback has finished, or the time is outside the range, it restarts at the start of the range, or
    /// at the end if the speed is negative.
    pub fn play(&mut self, model: &Model, view: &View) {
        let [start, end] = range(model, view);
        let finished = if view.speed < 0.0 { self.head.time <= start } else { self.head.time >= end };
        // In an empty range, such as that of the rest pose, nothing ends. Layers continue from their clock.
        if end > start && (self.head.time < start || self.head.time > end || finished) {
            self.head.time = beginning(model, view);
            if !self.head.playing {
                self.clock = self.head.time;
            }
        }
        self.head.playing = true;
    }

    /// Stops at the current time.
    pub fn pause(&mut self) {
        self.head.playing = false;
    }

    /// Moves to the start of a new animation, and drops any cross-fade.
    pub fn restart(&mut self) {
        self.head.time = 0.0;
        self.head.returning = false;
        self.clock = 0.0;
        self.fade = None;
    }

    /// Changes the view's animation. The new one starts at 0. During playback it starts at the end if the speed is negative; the old one
    /// keeps playing while it fades out, together with what a cross-fade in progress still shows, and the layers keep their time.
    pub fn change_animation(&mut self, model: &Model, view: &mut View, animation: Option<usize>) {
        let before = *self;
        self.restart();
        if before.is_playing() {
            self.clock = before.clock;
            let length = view.cross_fade.min(MAX_FADE);
            let from = FadeSource { animation: view.animation, head: before.head, range: range(model, view), share: 1.0 };
            self.fade = (length > 0.0).then(|| Fade::new(from, before.fade, length));
        }
        view.choose_animation(animation);
        if before.is_playing() {
            self.head.time = beginning(model, view);
        }
    }

    /// Advances playback by `dt` seconds of wall-clock time. Nothing advances in the bind pose. The way back of a ping-pong ends with the
    /// ping-pong, also while playback is paused.
    pub fn advance(&mut self, model: &Model, view: &View, dt: f64) {
        self.head.returning &= view.repeat == Repeat::PingPong;
        if !self.head.playing || view.bind_pose {
            return;
        }
        let (dt, at_end) = (dt.min(MAX_FRAME_GAP), view.repeat.at_end());
        let [start, end] = range(model, view);
        let before = self.head.time;
        self.head = playback::advance(self.head, dt, view.speed, at_end, [start, end]);
        let stops = at_end == AtEnd::Stop && end > start;
        self.clock += if stops { self.head.time - before } else { dt * view.speed };
        self.advance_fade(view, dt);
        self.fade = self.fade.filter(|fade| fade.elapsed < fade.length);
        // A fade, or layers over the rest pose, keep playing even if the head has stopped at the end of its range.
        self.head.playing |= self.fade.is_some() || (end <= start && playback_range::layers_move(model, view));
    }

    /// Advances the cross-fade, if any, by `dt` seconds of wall-clock time.
    pub fn advance_fade(&mut self, view: &View, dt: f64) {
        let Some(fade) = &mut self.fade else { return };
        for source in fade.sources.iter_mut().flatten() {
            source.head = playback::advance(source.head, dt, view.speed, view.repeat.at_end(), source.range);
        }
        fade.elapsed += dt;
    }
}

/// The time at which playback of the view's animation begins: the start of the range, or its end if the speed is negative.
pub fn beginning(model: &Model, view: &View) -> f64 {
    let [start, end] = range(model, view);
    if view.speed < 0.0 { end } else { start }
}
