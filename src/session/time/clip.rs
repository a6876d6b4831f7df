//! A clip: which moments its frames show, and what a person chose for it. From a view and a rate to a list of times.
//!
//! Frame k stands at `start + k / fps` on the animation's own time, at the speed of the file. A range that ends on a whole frame
//! shows that frame too, but where the clip loops over the whole animation: there the end is the beginning, and is left out. A
//! loop has as many frames as come nearest to its length. Ping-pong goes there and back, and shows neither end twice.
//!
//! A turntable lasts as long as the camera takes for once around, which it never shows twice; the animation plays on meanwhile,
//! in its range and as it repeats.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::animation::playback;
use crate::model::Model;
use crate::session::document::Document;
use crate::session::view::playback_range;
use crate::session::view::{Repeat, View};

use crate::session::time::moment::Moment;

/// No clip has more.
pub const MOST_FRAMES: usize = 100_000;
/// Frames a second, the least and the most.
pub const RATES: [f64; 2] = [0.1, 1000.0];
/// Seconds of a turntable.
pub const TURNS: [f64; 2] = [0.1, 3600.0];

/// As remembered between runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClipOptions {
    pub format: ClipFormat,
    /// Pixels; 0: the viewport's.
    pub width: u32,
    pub height: u32,
    /// Frames a second; none: the animation's own.
    pub fps: Option<f64>,
    /// Seconds that the camera takes for once around; none: it stays.
    pub turntable: Option<f64>,
    pub transparent: bool,
    /// Skeleton, names, grid and axes as the view shows them.
    pub overlays: bool,
}

impl Default for ClipOptions {
    fn default() -> Self {
        Self { format: ClipFormat::Gif, width: 0, height: 0, fps: None, turntable: None, transparent: false, overlays: true }
    }
}

impl ClipOptions {
    /// Where the format allows it.
    pub fn is_transparent(&self) -> bool {
        self.transparent && self.format.can_be_transparent()
    }

    /// Frames a second: as chosen, as far as the format goes, else the animation's.
    pub fn rate(&self, document: &Document, view: &View) -> f64 {
        match self.fps {
            Some(fps) if fps.is_finite() => fps.clamp(RATES[0], self.format.fastest()),
            _ => usual_rate(document.rate(view).fps, self.format),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClipFormat {
    /// A folder of PNG pictures.
    Sequence,
    Gif,
    Apng,
    Mp4,
    Webm,
}

impl ClipFormat {
    pub const ALL: [Self; 5] = [Self::Sequence, Self::Gif, Self::Apng, Self::Mp4, Self::Webm];

    pub fn label(self) -> &'static str {
        match self {
            Self::Sequence => "PNG sequence",
            Self::Gif => "GIF",
            Self::Apng => "Animated PNG",
            Self::Mp4 => "MP4 (H.264)",
            Self::Webm => "WebM (VP9)",
        }
    }

    /// The ending of its file; a sequence is a folder, and has none.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Sequence => "",
            Self::Gif => "gif",
            Self::Apng => "png",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
        }
    }

    /// Whether it is written by ffmpeg.
    pub fn is_video(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }

    pub fn can_be_transparent(self) -> bool {
        self != Self::Mp4
    }

    /// GIF counts in hundredths of a second, and players take a single one for a mistake.
    pub fn fastest(self) -> f64 {
        if self == Self::Gif { 50.0 } else { RATES[1] }
    }

    /// The size nearest to this that it can have, not smaller: videos halve the resolution of colour.
    pub fn size(self, size: [u32; 2]) -> [u32; 2] {
        if self.is_video() { size.map(|side| side.next_multiple_of(2)) } else { size }
    }
}

/// What is shown when, for how long.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    pub frames: Vec<Frame>,
    pub fps: f64,
    /// Begins anew when it has ended, where the format knows of that.
    pub loops: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Seconds on the animation's own key times.
    pub time: f64,
    /// Seconds that the layers have played: it goes on where the animation turns round or begins anew.
    pub clock: f64,
    /// Ping-pong: on the way back.
    pub returning: bool,
    /// How far the camera has gone around, from 0 to 1.
    pub turn: f64,
}

impl Frame {
    pub fn moment(&self) -> Moment {
        Moment { time: self.time, clock: self.clock, returning: self.returning, fade: None }
    }
}

#[derive(Debug, Error, PartialEq)]
pub enum ClipError {
    #[error("nothing moves in this clip: choose an animation and a range of some length, or a turntable")]
    Still,
    #[error("{0} frames a second are not possible: from {min} to {max}", min = RATES[0], max = RATES[1])]
    Rate(f64),
    #[error("once around in {0} s is not possible: from {min} to {max} s", min = TURNS[0], max = TURNS[1])]
    Turntable(f64),
    #[error("the clip would have {0} frames, and no clip has more than {MOST_FRAMES}: choose a shorter range or a lower rate")]
    Frames(u64),
}

impl Clip {
    /// Of the view's animation in its range.
    pub fn new(model: &Model, view: &View, fps: f64, turntable: Option<f64>) -> Result<Self, ClipError> {
        let count = frame_count(model, view, fps, turntable)?;
        let frames = if turntable.is_some() { around(model, view, fps, count) } else { along(model, view, fps, count) };
        Ok(Self { frames, fps, loops: turntable.is_some() || view.repeat != Repeat::Once })
    }
}

/// The rate that a clip of this format has by itself: the animation's, or the greatest part of it that the format can show.
pub fn usual_rate(fps: f64, format: ClipFormat) -> f64 {
    let fps = fps.clamp(RATES[0], RATES[1]);
    fps / (fps / format.fastest()).ceil().max(1.0)
}

/// How many frames [`Clip::new`] makes.
pub fn frame_count(model: &Model, view: &View, fps: f64, turntable: Option<f64>) -> Result<usize, ClipError> {
    if !(RATES[0]..=RATES[1]).contains(&fps) {
        return Err(ClipError::Rate(fps));
    }
    match turntable {
        Some(seconds) if !(TURNS[0]..=TURNS[1]).contains(&seconds) => Err(ClipError::Turntable(seconds)),
        Some(seconds) => bounded((seconds * fps).round().max(1.0)),
        None => count_along(model, view, fps),
    }
}

fn count_along(model: &Model, view: &View, fps: f64) -> Result<usize, ClipError> {
    let [start, end] = range(model, view);
    let length = (end - start) * fps;
    if length.is_nan() || length <= 0.0 {
        return Err(ClipError::Still);
    }
    let whole_loop = view.repeat == Repeat::Loop && [start, end] == [0.0, playback_range::duration(model, view)];
    bounded(match view.repeat {
        _ if whole_loop => length.round().max(1.0),
        Repeat::PingPong => (2.0 * steps(end - start, fps)).max(1.0),
        Repeat::Loop | Repeat::Once => steps(end - start, fps) + 1.0,
    })
}

/// Whole frames of a length.
fn steps(seconds: f64, fps: f64) -> f64 {
    playback::frame_of(seconds, fps).floor()
}

/// The camera stays, and time passes.
fn along(model: &Model, view: &View, fps: f64, count: usize) -> Vec<Frame> {
    let [start, end] = range(model, view);
    let turning = if view.repeat == Repeat::PingPong { steps(end - start, fps) as usize } else { count };
    let time = |step: usize| (start + step as f64 / fps).min(end);
    let frame = |k: usize| match k > turning {
        true => Frame { time: time(2 * turning - k), clock: start + k as f64 / fps, returning: true, turn: 0.0 },
        false => Frame { time: time(k), clock: time(k), returning: false, turn: 0.0 },
    };
    (0..count).map(frame).collect()
}

/// The camera goes once around.
fn around(model: &Model, view: &View, fps: f64, count: usize) -> Vec<Frame> {
    let frame = |k: usize| {
        let played = k as f64 / fps;
        let mut returning = false;
        let [time, clock] = match view.animation {
            Some(_) => {
                let range = range(model, view);
                let time = playback::at_clock(played, 1.0, 0.0, playback_range::at_end(view.repeat), range);
                returning = view.repeat == Repeat::PingPong && played.rem_euclid(2.0 * (range[1] - range[0])) > range[1] - range[0];
                // What plays once takes the layers with it to its end.
                [time, if view.repeat == Repeat::Once { time } else { range[0] + played }]
            }
            // What lies over the rest pose has no end.
            None => [played; 2],
        };
        Frame { time, clock, returning, turn: k as f64 / count as f64 }
    };
    (0..count).map(frame).collect()
}

/// Layers over the rest pose play for as long as they are asked to.
fn range(model: &Model, view: &View) -> [f64; 2] {
    match view.animation {
        Some(_) => playback_range::range(model, view),
        None if view.layers.is_empty() => [0.0; 2],
        None => view.range.unwrap_or_default(),
    }
}

fn bounded(count: f64) -> Result<usize, ClipError> {
    if count <= MOST_FRAMES as f64 { Ok(count as usize) } else { Err(ClipError::Frames(count as u64)) }
}
