//! Time: how a playhead moves through a range, and frames against seconds. Pure functions over `f64` seconds.

use crate::model::animation::Animation;

/// Where playback stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playhead {
    pub time: f64,
    /// Ping-pong: on the way back.
    pub returning: bool,
    pub playing: bool,
}

/// What happens at the end of the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtEnd {
    Wrap,
    Stop,
    TurnRound,
}

/// The playhead after `dt` seconds of the wall's clock at `speed` (negative: backwards) within `range`.
/// A playhead outside the range first goes to its near end. A looping one never shows the out point, only times before it.
pub fn advance(head: Playhead, dt: f64, speed: f64, at_end: AtEnd, [start, end]: [f64; 2]) -> Playhead {
    if !head.playing {
        return head;
    }
    let length = end - start;
    if length <= 0.0 || !length.is_finite() {
        return Playhead { time: start, playing: at_end != AtEnd::Stop, ..head };
    }
    let time = head.time.clamp(start, end) - start;
    match at_end {
        AtEnd::Wrap => {
            let wrapped = (time + dt * speed).rem_euclid(length);
            // rem_euclid of a tiny negative number rounds up to the length itself.
            Playhead { time: start + if wrapped < length { wrapped } else { 0.0 }, ..head }
        }
        AtEnd::Stop => {
            let moved = time + dt * speed;
            let stopped = if speed < 0.0 { moved <= 0.0 } else { moved >= length };
            // The ends exactly, not `start + length`.
            let time = if moved >= length { end } else { start + moved.max(0.0) };
            Playhead { time, playing: !stopped, ..head }
        }
        AtEnd::TurnRound => {
            // Unfolded, the way there and back is one loop of twice the length.
            let phase = if head.returning { 2.0 * length - time } else { time };
            let phase = (phase + dt * speed).rem_euclid(2.0 * length);
            let returning = phase > length;
            Playhead { time: start + if returning { 2.0 * length - phase } else { phase }, returning, ..head }
        }
    }
}

/// Where something stands in its range that runs on a clock of its own: `offset` seconds in when the clock says 0, `speed` times
/// as fast (negative: backwards from the end). The same rules as [`advance`], but from the clock alone.
pub fn at_clock(clock: f64, speed: f64, offset: f64, at_end: AtEnd, [start, end]: [f64; 2]) -> f64 {
    let length = end - start;
    let phase = offset + clock * speed + if speed < 0.0 { length } else { 0.0 };
    if length <= 0.0 || !length.is_finite() || !phase.is_finite() {
        return start;
    }
    let folded = match at_end {
        AtEnd::Wrap => phase.rem_euclid(length),
        AtEnd::Stop => phase.clamp(0.0, length),
        // Unfolded, the way there and back is one loop of twice the length.
        AtEnd::TurnRound => length - (phase.rem_euclid(2.0 * length) - length).abs(),
    };
    match at_end {
        // rem_euclid of a tiny negative number rounds up to the length itself.
        AtEnd::Wrap if folded >= length => start,
        // The end exactly, not `start + length`.
        _ if folded >= length => end,
        _ => start + folded,
    }
}

/// Frames a second, for counting in frames. glTF has no such number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    pub fps: f64,
    /// The keys do not tell: they are sparse or lie on no usual rate.
    pub guessed: bool,
}

/// Where nothing tells the rate.
pub const DEFAULT_RATE: Rate = Rate { fps: 30.0, guessed: true };

/// The rate at which the keys were laid: the first usual rate on whose frames all keys lie. It is only a guess where no two
/// keys are one frame apart.
pub fn infer_rate(animation: &Animation) -> Rate {
    const USUAL: [f64; 11] = [24.0, 25.0, 30.0, 60.0, 50.0, 48.0, 120.0, 15.0, 12.0, 10.0, 100.0];
    // Keys enough to tell; a long recording says no more with a million.
    let times = || animation.key_times.iter().flat_map(|times| times.iter().take(4096).copied().map(f64::from));
    let spacing = || animation.key_times.iter().flat_map(|times| times.windows(2).take(4096).map(|w| f64::from(w[1]) - f64::from(w[0])));
    let Some(least) = spacing().filter(|&dt| dt > 1e-4).min_by(f64::total_cmp) else { return DEFAULT_RATE };
    let on_frames = |fps: f64| {
        times().all(|time| {
            // Half a thousandth of a second is how far exporters round; f32 keys lose more when they are late.
            let slack = fps * (5e-4 + time.abs() * 1e-6);
            (time * fps - (time * fps).round()).abs() <= slack.min(0.1)
        })
    };
    let dense = USUAL.into_iter().find(|&fps| (least * fps).round() as i64 == 1 && on_frames(fps));
    match dense {
        Some(fps) => Rate { fps, guessed: false },
        None => [30.0, 24.0, 60.0, 25.0].into_iter().find(|&fps| on_frames(fps)).map_or(DEFAULT_RATE, |fps| Rate { fps, guessed: true }),
    }
}

/// `time` in frames, from 0; a whole number where it is one but for rounding.
pub fn frame_of(time: f64, fps: f64) -> f64 {
    let frame = time * fps;
    if (frame - frame.round()).abs() < 1e-4 { frame.round() } else { frame }
}

/// The time `step` whole frames on: from between two frames the first step lands on the next whole one.
pub fn step_frames(time: f64, step: i64, fps: f64) -> f64 {
    let frame = frame_of(time, fps);
    let base = if step > 0 { frame.floor() } else { frame.ceil() };
    (base + step as f64) / fps
}
