//! Defines a moment: the time that a pose is computed for.

use crate::animation::playback::Playhead;
use crate::model::Model;
use crate::session::view::View;
use crate::session::view::playback_range;

/// A moment of a view. The same model, view and moment give the same pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Seconds on the time axis of the view's animation.
    pub time: f64,
    /// The layers' clock, in seconds. It does not jump when the animation loops.
    pub clock: f64,
    /// Whether ping-pong playback is returning. The clock keeps running forward.
    pub returning: bool,
    /// The cross-fade from another animation to the view's animation, if one is in progress.
    pub fade: Option<Fade>,
}

/// The moment at a time in seconds. The layers have played for the same time, and no cross-fade is in progress.
impl From<f64> for Moment {
    fn from(time: f64) -> Self {
        Self { time, clock: time, returning: false, fade: None }
    }
}

impl Moment {
    /// Seconds within the played duration (see [`playback_range::played_duration`]): the animation's time, or the layers' clock if the
    /// view shows the rest pose.
    pub fn played_time(&self, model: &Model, view: &View) -> f64 {
        let duration = playback_range::played_duration(model, view);
        if playback_range::animation(model, view).is_some() || duration <= 0.0 { self.time } else { self.clock.rem_euclid(duration) }
    }
}

/// A cross-fade in progress.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fade {
    /// The animation that was chosen before; the rest pose if `None`.
    pub from: Option<usize>,
    /// The playhead of that animation, which keeps playing during the fade.
    pub head: Playhead,
    /// The in and out point of that animation, in seconds.
    pub range: [f64; 2],
    /// Seconds of wall-clock time since the fade began.
    pub elapsed: f64,
    /// Seconds of wall-clock time that the whole fade takes.
    pub length: f64,
}

impl Fade {
    /// The weight of the new animation: 0 at the beginning, 1 at the end.
    pub fn weight(&self) -> f64 {
        if self.elapsed < self.length { (self.elapsed / self.length).max(0.0) } else { 1.0 }
    }
}
