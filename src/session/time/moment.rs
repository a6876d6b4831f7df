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
    /// Whether this is a frame of a clip or of the window. Loops, speed and offset may put a layer just before the key of a frame, so the
    /// times of moving layers are then rounded ([`frame_time`](crate::animation::playback::frame_time)). Otherwise times are exact.
    pub is_frame: bool,
    /// The cross-fade from other animations to the view's animation, if one is in progress.
    pub fade: Option<Fade>,
}

/// The moment at an exact time in seconds. The layers have played for the same time, and no cross-fade is in progress.
impl From<f64> for Moment {
    fn from(time: f64) -> Self {
        Self { time, clock: time, returning: false, is_frame: false, fade: None }
    }
}

impl Moment {
    /// Seconds within the played duration (see [`playback_range::played_duration`]): the animation's time, or the layers' clock if the
    /// view shows the rest pose.
    pub fn played_time(&self, model: &Model, view: &View) -> f64 {
        let duration = playback_range::played_duration(model, view);
        if model.existing_animation(view.animation).is_some() || duration <= 0.0 { self.time } else { self.clock.rem_euclid(duration) }
    }
}

/// Maximum number of animations that fade out at the same time.
pub const MAX_FADE_SOURCES: usize = 4;

/// A cross-fade in progress.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fade {
    /// The animations that fade out, the most recent first: the one that was chosen before, and if it was still fading in, those that it
    /// had not replaced yet. So an interrupted cross-fade goes on from the pose on the screen.
    pub sources: [Option<FadeSource>; MAX_FADE_SOURCES],
    /// Seconds of wall-clock time since the fade began.
    pub elapsed: f64,
    /// Seconds of wall-clock time that the whole fade takes.
    pub length: f64,
}

/// An animation that fades out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FadeSource {
    /// The animation; the rest pose if `None`.
    pub animation: Option<usize>,
    /// The playhead of the animation, which keeps playing during the fade.
    pub head: Playhead,
    /// The in and out point of the animation, in seconds.
    pub range: [f64; 2],
    /// Its share of the pose that fades out, from 0 to 1. The shares of all sources add up to 1.
    pub share: f64,
}

impl Fade {
    /// A fade that begins now. It comes from one animation, whose share is computed here, and from the fade that it interrupts.
    pub fn new(from: FadeSource, interrupted: Option<Fade>, length: f64) -> Self {
        let weight = interrupted.map_or(1.0, |fade| fade.weight());
        let mut sources = vec![FadeSource { share: weight, ..from }];
        let earlier = interrupted.iter().flat_map(Fade::sources);
        sources.extend(earlier.map(|source| FadeSource { share: source.share * (1.0 - weight), ..*source }));
        sources.retain(|source| source.share > 0.0);
        while sources.len() > MAX_FADE_SOURCES {
            let smallest = (0..sources.len()).min_by(|&a, &b| sources[a].share.total_cmp(&sources[b].share));
            sources.remove(smallest.unwrap_or_default());
        }
        let total: f64 = sources.iter().map(|source| source.share).sum();
        let source = |index: usize| sources.get(index).map(|source| FadeSource { share: source.share / total, ..*source });
        Self { sources: std::array::from_fn(source), elapsed: 0.0, length }
    }

    /// The animations that fade out, the most recent first.
    pub fn sources(&self) -> impl Iterator<Item = &FadeSource> {
        self.sources.iter().flatten()
    }

    /// The weight of the new animation: 0 at the beginning, 1 at the end.
    pub fn weight(&self) -> f64 {
        if self.elapsed < self.length { (self.elapsed / self.length).max(0.0) } else { 1.0 }
    }
}
