//! Moves a playhead through a range, and converts between frames and seconds. All functions are pure; times are f64 seconds.

/// The state of playback.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playhead {
    /// Time in seconds.
    pub time: f64,
    /// Whether ping-pong playback runs backward at the moment.
    pub returning: bool,
    /// Whether the playhead moves.
    pub playing: bool,
}

/// The behavior of a playhead at the end of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtEnd {
    /// Continues at the other end.
    Wrap,
    /// Stops at the end.
    Stop,
    /// Ping-pong: continues in the other direction.
    PingPong,
}

/// Returns the in and out point within an animation of this duration, in seconds. Without a range, they are the whole animation, also if
/// the animation ends before the range begins: otherwise a shorter export of the file would stand still.
pub fn range_within(range: Option<[f64; 2]>, duration: f64) -> [f64; 2] {
    match range {
        Some([start, end]) if start < duration || end <= duration => {
            [start.clamp(0.0, duration), end.clamp(start.clamp(0.0, duration), duration)]
        }
        _ => [0.0, duration],
    }
}

/// Returns the playhead after `dt` seconds of real time at `speed` (negative: backward), within a range of seconds.
///
/// A playhead outside the range first moves to the nearer end of the range. With [`AtEnd::Wrap`], the result is always before the end of
/// the range.
///
/// # Example
///
/// ```
/// use sinew::animation::playback::{AtEnd, Playhead, advance};
///
/// let head = Playhead { time: 1.5, returning: false, playing: true };
/// assert_eq!(advance(head, 1.0, 1.0, AtEnd::Wrap, [0.0, 2.0]).time, 0.5);
/// ```
pub fn advance(head: Playhead, dt: f64, speed: f64, at_end: AtEnd, [start, end]: [f64; 2]) -> Playhead {
    // The way back of a ping-pong ends with the ping-pong.
    let head = Playhead { returning: head.returning && at_end == AtEnd::PingPong, ..head };
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
            let time = start + if wrapped < length { wrapped } else { 0.0 };
            // The sum may round up to `end`.
            Playhead { time: if time < end { time } else { start }, ..head }
        }
        AtEnd::Stop => {
            let moved = time + dt * speed;
            let stopped = if speed < 0.0 { moved <= 0.0 } else { moved >= length };
            // Return exactly `end`, because `start + length` is rounded.
            let time = if moved >= length { end } else { start + moved.max(0.0) };
            Playhead { time, playing: !stopped, ..head }
        }
        AtEnd::PingPong => {
            // Forward and backward together are one loop of twice the length.
            let phase = if head.returning { 2.0 * length - time } else { time };
            let phase = (phase + dt * speed).rem_euclid(2.0 * length);
            let returning = phase > length;
            Playhead { time: start + if returning { 2.0 * length - phase } else { phase }, returning, ..head }
        }
    }
}

/// Returns the time within a range that belongs to a time of a separate clock, by the rules of [`advance`].
///
/// `clock` is in seconds. `speed` is in range seconds per clock second; negative runs backward from the end. `offset` is added to the time
/// in the range, in seconds.
pub fn at_clock(clock: f64, speed: f64, offset: f64, at_end: AtEnd, [start, end]: [f64; 2]) -> f64 {
    let length = end - start;
    let phase = offset + clock * speed + if speed < 0.0 { length } else { 0.0 };
    if length <= 0.0 || !length.is_finite() || !phase.is_finite() {
        return start;
    }
    let folded = match at_end {
        AtEnd::Wrap => phase.rem_euclid(length),
        AtEnd::Stop => phase.clamp(0.0, length),
        // Forward and backward together are one loop of twice the length.
        AtEnd::PingPong => length - (phase.rem_euclid(2.0 * length) - length).abs(),
    };
    match at_end {
        // rem_euclid of a tiny negative number rounds up to the length itself.
        AtEnd::Wrap if folded >= length => start,
        // Return exactly `end`, because `start + length` is rounded.
        _ if folded >= length => end,
        _ => start + folded,
    }
}

/// Converts `time` in seconds to frames, counted from 0. Numbers that are almost whole are rounded, because key times have single
/// precision.
pub fn frame_of(time: f64, fps: f64) -> f64 {
    let frame = time * fps;
    let tolerance = f64::from(f32::EPSILON).mul_add(frame.abs(), 1e-4);
    if (frame - frame.round()).abs() < tolerance { frame.round() } else { frame }
}

/// The frame that shows at `time`, in seconds: the last one that has begun.
pub fn whole_frame(time: f64, fps: f64) -> f64 {
    frame_of(time, fps).floor()
}

/// Returns the time to show for a frame that begins at `time`, both in seconds: the nearest `f32` if it is later, otherwise `time`.
///
/// Key times are `f32`. The key of frame k has the time nearest to k / fps, which is often a little later than k / fps, so without this
/// rounding the frame would show the STEP key before.
pub fn frame_time(time: f64) -> f64 {
    time.max(f64::from(time as f32))
}

/// Returns the time `step` whole frames later, in seconds ([`frame_time`]). If `time` is between two frames, the first step goes to the
/// nearest frame in the direction of `step`.
pub fn step_frames(time: f64, step: i64, fps: f64) -> f64 {
    let frame = frame_of(time, fps);
    let base = if step > 0 { frame.floor() } else { frame.ceil() };
    frame_time((base + step as f64) / fps)
}
