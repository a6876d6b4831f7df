//! Lays out a clip: a view and a frame rate give the list of moments that its frames show.
//!
//! Frame k of each loop is at `start + k / fps` on the animation's time axis, whatever the speed of the view. If a range ends on a whole
//! frame, that frame is included, except in a loop over the whole animation, where the end equals the start. Such a loop has the number of
//! frames that comes closest to its length. A ping-pong plays forward and back, and shows neither end twice. A STEP key on frame k shows
//! in this frame, although its time is rounded ([`playback::frame_time`]).
//!
//! A turntable lasts one turn of the camera and never shows the start of the turn twice. The animation keeps playing in its range, with
//! its repeat mode. Other clips play the range as many times as the user chooses.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::animation::playback;
use crate::model::Model;
use crate::numbers::grouped;
use crate::session::document::Document;
use crate::session::time::moment::Moment;
use crate::session::view::playback_range;
use crate::session::view::{Repeat, View};

/// Maximum number of frames in a clip.
pub const MAX_CLIP_FRAMES: usize = 100_000;
/// Minimum and maximum frame rate, in frames per second.
pub const RATES: [f64; 2] = [0.1, 1000.0];
/// Minimum and maximum duration of a turntable, in seconds.
pub const TURNTABLE_DURATIONS: [f64; 2] = [0.1, 3600.0];
/// Maximum number of times that a clip plays its range.
pub const MAX_LOOPS: u32 = 1000;

/// The user's options for clips, remembered between runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClipOptions {
    /// The file format.
    pub format: ClipFormat,
    /// Width in pixels. 0 stands for the width of the viewport.
    pub width: u32,
    /// Height in pixels. 0 stands for the height of the viewport.
    pub height: u32,
    /// Frames per second. `None` stands for the animation's own rate.
    pub fps: Option<f64>,
    /// Number of times that the range is played, unless the camera turns.
    pub loops: u32,
    /// Seconds for one turn of the camera. `None` if it does not turn.
    pub turntable: Option<f64>,
    /// Whether the background is transparent, if the format supports that.
    pub transparent: bool,
    /// Whether the clip includes the overlays that the view shows, such as skeleton, names, trails and grid.
    pub overlays: bool,
    /// Loop mode of the clip. `None` stands for the view's loop mode. Not remembered between runs.
    #[serde(skip)]
    pub repeat: Option<Repeat>,
}

impl Default for ClipOptions {
    fn default() -> Self {
        Self {
            format: ClipFormat::Gif,
            width: 0,
            height: 0,
            fps: None,
            loops: 1,
            turntable: None,
            transparent: false,
            overlays: true,
            repeat: None,
        }
    }
}

impl ClipOptions {
    /// Returns whether the background will be transparent: the option is chosen and the format supports it.
    pub fn is_transparent(&self) -> bool {
        self.transparent && self.format.can_be_transparent()
    }

    /// The view with the clip's own loop mode.
    pub fn view(&self, view: &View) -> View {
        View { repeat: self.repeat.unwrap_or(view.repeat), ..view.clone() }
    }

    /// The choice that decides the length of the clip.
    pub fn length(&self) -> ClipLength {
        self.turntable.map_or(ClipLength::Loops(self.loops), ClipLength::Turntable)
    }

    /// Frames per second: the chosen rate within the format's limits or, if none is chosen, the usual rate for the animation.
    pub fn rate(&self, document: &Document, view: &View) -> f64 {
        match self.fps {
            Some(fps) if fps.is_finite() => fps.clamp(RATES[0], self.format.max_rate()),
            _ => usual_rate(document.rate(view).fps, self.format),
        }
    }
}

/// A clip lasts for a number of loops, or for one turn of the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ClipLength {
    /// The number of times that the range is played, from 1 to [`MAX_LOOPS`]. A ping-pong plays forward and back each time.
    Loops(u32),
    /// The duration of one turn of the camera, in seconds.
    Turntable(f64),
}

/// A format that clips can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClipFormat {
    /// A folder of PNG pictures.
    Sequence,
    /// An animated GIF.
    Gif,
    /// An animated PNG.
    Apng,
    /// H.264 in MP4, written by ffmpeg.
    Mp4,
    /// VP9 in WebM, written by ffmpeg.
    Webm,
}

impl ClipFormat {
    /// Every format, in the order of declaration.
    pub const ALL: [Self; 5] = [Self::Sequence, Self::Gif, Self::Apng, Self::Mp4, Self::Webm];

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Sequence => "PNG sequence",
            Self::Gif => "GIF",
            Self::Apng => "Animated PNG",
            Self::Mp4 => "MP4 (H.264)",
            Self::Webm => "WebM (VP9)",
        }
    }

    /// The extension of its file; empty for a sequence, which is a folder.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Sequence => "",
            Self::Gif => "gif",
            Self::Apng => "png",
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
        }
    }

    /// Returns whether ffmpeg writes it.
    pub fn is_video(self) -> bool {
        matches!(self, Self::Mp4 | Self::Webm)
    }

    /// Returns whether it supports a transparent background.
    pub fn can_be_transparent(self) -> bool {
        self != Self::Mp4
    }

    /// The maximum frame rate, in frames per second. GIF stores delays in hundredths of a second, and players treat a delay of one
    /// hundredth as a mistake.
    pub fn max_rate(self) -> f64 {
        if self == Self::Gif { 50.0 } else { RATES[1] }
    }

    /// The smallest size that the format supports and that is not below `size`, in pixels. Videos need even sides.
    pub fn size(self, size: [u32; 2]) -> [u32; 2] {
        if self.is_video() { size.map(|side| side.next_multiple_of(2)) } else { size }
    }
}

/// The frames of a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// Frames in the order of playback.
    pub frames: Vec<Frame>,
    /// Frames per second.
    pub fps: f64,
    /// Whether the clip restarts when it ends, if its format supports that.
    pub is_endless: bool,
}

/// The times that one frame of a clip shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Seconds on the animation's time axis.
    pub time: f64,
    /// The layers' clock, in seconds. It never goes back, except at the start of each loop of an animation that
    /// plays once.
    pub clock: f64,
    /// Whether ping-pong playback is returning.
    pub returning: bool,
    /// Fraction of the turn that the camera has made, from 0 to 1.
    pub turn: f64,
}

impl Frame {
    /// The moment that the frame shows.
    pub fn moment(&self) -> Moment {
        Moment { time: self.time, clock: self.clock, returning: self.returning, is_frame: true, fade: None }
    }
}

/// Reasons why a clip cannot be made.
#[derive(Debug, Error, PartialEq)]
pub enum ClipLayoutError {
    #[error("nothing moves in this clip: select an animation and a range longer than 0 s, or a turntable")]
    Still,
    #[error("the view shows the bind pose, which does not move: leave it, or make a turntable")]
    BindPose,
    #[error("{0} frames per second are out of range ({min} to {max})", min = RATES[0], max = RATES[1])]
    Rate(f64),
    #[error("one turn in {0} s is out of range ({min} to {max} s)", min = TURNTABLE_DURATIONS[0], max = TURNTABLE_DURATIONS[1])]
    Turntable(f64),
    #[error("{} loops are too few or too many (1 to {max})", grouped(*.0), max = grouped(MAX_LOOPS))]
    Loops(u32),
    #[error("the clip would have {} frames, more than the limit of {max}: choose a shorter range, fewer loops or a lower frame rate",
        grouped(.0), max = grouped(MAX_CLIP_FRAMES))]
    Frames(u64),
}

impl Clip {
    /// The clip of a view's range, or of a turntable. Returns an error if the clip has no frames or too many frames, or if an option is
    /// outside its limits.
    pub fn new(model: &Model, view: &View, fps: f64, length: ClipLength) -> Result<Self, ClipLayoutError> {
        let count = frame_count(model, view, fps, length)?;
        let (frames, is_turntable) = match length {
            ClipLength::Loops(loops) => (range_frames(model, view, fps, count / loops as usize, count), false),
            ClipLength::Turntable(_) => (turntable_frames(model, view, fps, count), true),
        };
        Ok(Self { frames, fps, is_endless: is_turntable || view.repeat != Repeat::Once })
    }
}

/// The default frame rate for a format: the rate of the animation, divided by the smallest whole number that brings it within the limit of
/// the format.
pub fn usual_rate(fps: f64, format: ClipFormat) -> f64 {
    let fps = fps.clamp(RATES[0], RATES[1]);
    fps / (fps / format.max_rate()).ceil().max(1.0)
}

/// The number of frames that [`Clip::new`] makes. Returns the same errors as that function.
pub fn frame_count(model: &Model, view: &View, fps: f64, length: ClipLength) -> Result<usize, ClipLayoutError> {
    if !(RATES[0]..=RATES[1]).contains(&fps) {
        return Err(ClipLayoutError::Rate(fps));
    }
    match length {
        ClipLength::Turntable(seconds) if !(TURNTABLE_DURATIONS[0]..=TURNTABLE_DURATIONS[1]).contains(&seconds) => {
            Err(ClipLayoutError::Turntable(seconds))
        }
        ClipLength::Turntable(seconds) => checked_count((seconds * fps).round().max(1.0)),
        ClipLength::Loops(loops) if !(1..=MAX_LOOPS).contains(&loops) => Err(ClipLayoutError::Loops(loops)),
        ClipLength::Loops(loops) => checked_count(range_frame_count(model, view, fps)? * f64::from(loops)),
    }
}

/// The number of frames in which a clip without a turntable plays its range once.
fn range_frame_count(model: &Model, view: &View, fps: f64) -> Result<f64, ClipLayoutError> {
    if view.bind_pose {
        return Err(ClipLayoutError::BindPose);
    }
    let [start, end] = range(model, view);
    let length = (end - start) * fps;
    if length.is_nan() || length <= 0.0 {
        return Err(ClipLayoutError::Still);
    }
    let whole_loop = view.repeat == Repeat::Loop && [start, end] == [0.0, playback_range::duration(model, view)];
    Ok(match view.repeat {
        _ if whole_loop => length.round().max(1.0),
        Repeat::PingPong => (2.0 * steps(end - start, fps)).max(1.0),
        Repeat::Loop | Repeat::Once => steps(end - start, fps) + 1.0,
    })
}

/// The number of whole frames in a duration.
fn steps(seconds: f64, fps: f64) -> f64 {
    playback::whole_frame(seconds, fps)
}

/// The frames of a clip whose camera does not turn. It plays the range again after each `loop_count` frames.
fn range_frames(model: &Model, view: &View, fps: f64, loop_count: usize, count: usize) -> Vec<Frame> {
    let [start, end] = range(model, view);
    // After frame `turning` of each loop, a ping-pong plays backward.
    let turning = if view.repeat == Repeat::PingPong { steps(end - start, fps) as usize } else { loop_count };
    let frame = |k: usize| {
        let step = k % loop_count;
        let returning = step > turning;
        let forward_step = if returning { 2 * turning - step } else { step };
        let time = playback::frame_time(start + forward_step as f64 / fps).min(end);
        // An animation that plays once begins again together with its layers.
        let clock_step = if view.repeat == Repeat::Once { step } else { k };
        let clock = start + clock_step as f64 / fps;
        Frame { time, clock, returning, turn: 0.0 }
    };
    (0..count).map(frame).collect()
}

/// The frames of a turntable.
fn turntable_frames(model: &Model, view: &View, fps: f64, count: usize) -> Vec<Frame> {
    let [start, end] = range(model, view);
    // The animation repeats after this many frames. Counted in seconds, each repetition would be a little off, because the last key is f32.
    let length = playback::frame_of(end - start, fps);
    let frame = |k: usize| {
        let (played, turn) = (k as f64, k as f64 / count as f64);
        if view.animation.is_none() {
            // Layers over the rest pose have no end.
            let clock = played / fps;
            return Frame { time: playback::frame_time(clock), clock, returning: false, turn };
        }
        let folded = playback::at_clock(played, 1.0, 0.0, view.repeat.at_end(), [0.0, length]);
        let time = playback::frame_time(start + folded / fps).min(end);
        let returning = view.repeat == Repeat::PingPong && played.rem_euclid(2.0 * length) > length;
        // An animation that plays once stops the layers at its end.
        let clock = if view.repeat == Repeat::Once { time } else { start + played / fps };
        Frame { time, clock, returning, turn }
    };
    (0..count).map(frame).collect()
}

/// The range of a clip without a turntable, in seconds. Layers over the rest pose have no end, so they need a chosen range.
pub fn range(model: &Model, view: &View) -> [f64; 2] {
    match view.animation {
        Some(_) => playback_range::range(model, view),
        None if view.layers.is_empty() => [0.0; 2],
        None => view.range.unwrap_or_default(),
    }
}

/// The count as an integer. Returns an error if it exceeds [`MAX_CLIP_FRAMES`].
fn checked_count(count: f64) -> Result<usize, ClipLayoutError> {
    if count <= MAX_CLIP_FRAMES as f64 { Ok(count as usize) } else { Err(ClipLayoutError::Frames(count as u64)) }
}
