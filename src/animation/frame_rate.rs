//! Infers the frame rates of animations from their keys. glTF stores no frame rate.

use std::collections::HashMap;

use crate::model::animation::Animation;

/// Frames per second, for counting in frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    pub fps: f64,
    pub source: RateSource,
}

/// The source of a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateSource {
    /// The user has chosen it.
    Chosen,
    /// The steady spacing of the animation's keys.
    Keys,
    /// Another animation of the file, because the animation's own keys have no steady spacing.
    OtherAnimations,
    /// Nothing in the file indicates a rate.
    Assumed,
}

impl RateSource {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Keys => "keys",
            Self::OtherAnimations => "other_animations",
            Self::Assumed => "assumed",
        }
    }
}

/// The rate if nothing indicates one.
pub const DEFAULT_RATE: Rate = Rate { fps: 30.0, source: RateSource::Assumed };

/// Spacings of keys outside these rates are no frames: slow ones skip frames, fast ones are irregular.
const PLAUSIBLE_FPS: [f64; 2] = [9.99, 240.01];
/// Differences of key times from the frame grid, in seconds: the rounding of f32 and of five decimals, and of exporters that round to
/// half a millisecond.
const ROUNDING: [f64; 2] = [2e-5, 5e-4];
/// The slowdown of television rates: 29.97 is 30 * NTSC.
const NTSC: f64 = 1000.0 / 1001.0;
/// Keys of a set that are examined. More keys of a long recording add nothing.
const MAX_KEYS: usize = 4096;

/// Infers the rate of each animation of a file: the steady spacing of its keys, else the most common rate of the other animations, else
/// [`DEFAULT_RATE`], or another usual rate if only that has all keys on its frames.
pub fn infer_rates(animations: &[Animation]) -> Vec<Rate> {
    let from_keys: Vec<Option<f64>> = animations.iter().map(rate_from_keys).collect();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    from_keys.iter().flatten().for_each(|fps| *counts.entry(fps.to_bits()).or_default() += 1);
    // If several rates are equally common, the first of them is taken: `max_by_key` returns the last of equals.
    let common = from_keys.iter().flatten().copied().rev().max_by_key(|fps| counts.get(&fps.to_bits()).copied());
    let rate = |(animation, own): (&Animation, &Option<f64>)| match (own, common) {
        (Some(fps), _) => Rate { fps: *fps, source: RateSource::Keys },
        (None, Some(fps)) => Rate { fps, source: RateSource::OtherAnimations },
        (None, None) => assumed_rate(animation),
    };
    animations.iter().zip(&from_keys).map(rate).collect()
}

/// The rate of an animation whose keys have a steady spacing: every key lies on a frame, and the keys share no longer spacing. `None` if
/// the keys are unsteady, too few, or too far apart.
pub fn rate_from_keys(animation: &Animation) -> Option<f64> {
    // A single distance says nothing about whether the spacing is steady.
    if animation.key_times.iter().map(|times| times.len().saturating_sub(1)).sum::<usize>() < 2 {
        return None;
    }
    // Sets of dense keys may begin between each other's frames.
    let (own, common) = (key_offsets(animation, Origin::Own), key_offsets(animation, Origin::Common));
    ROUNDING.into_iter().find_map(|rounding| dense_rate(&own, rounding).or_else(|| sparse_rate(&common, rounding)))
}

/// The key at time 0 of a set of keys.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// The first of the set.
    Own,
    /// The first of all sets.
    Common,
}

/// The times of each set of keys since a first key, in seconds.
fn key_offsets(animation: &Animation, origin: Origin) -> Vec<Vec<f64>> {
    let first = |times: &Vec<f32>| times.first().copied().map_or(0.0, f64::from);
    let common = animation.key_times.iter().map(first).min_by(f64::total_cmp).unwrap_or(0.0);
    let offsets = |times: &Vec<f32>| {
        let start = if origin == Origin::Own { first(times) } else { common };
        times.iter().take(MAX_KEYS).map(|&time| f64::from(time) - start).collect()
    };
    animation.key_times.iter().map(offsets).collect()
}

/// The rate whose frame is the shortest distance of two keys.
fn dense_rate(sets: &[Vec<f64>], rounding: f64) -> Option<f64> {
    let distances = sets.iter().flat_map(|offsets| offsets.windows(2).map(|pair| pair[1] - pair[0]));
    let mut frame = distances.filter(|&distance| distance > 1e-4).min_by(f64::total_cmp)?;
    // The later a key, the less its rounding changes the length of a frame.
    for &offset in sets.iter().max_by_key(|offsets| offsets.len())? {
        let frames = (offset / frame).round();
        if frames >= 1.0 {
            frame = offset / frames;
        }
    }
    let fps = 1.0 / frame;
    let whole = fps.round();
    let ntsc = (fps / NTSC).round() * NTSC;
    let half = (fps * 2.0).round() / 2.0;
    let precise = [whole, ntsc, half].into_iter().find(|&fps| is_on_frames(sets, fps, ROUNDING[0]));
    let found = precise.or_else(|| [whole, fps].into_iter().find(|&fps| is_on_frames(sets, fps, rounding)));
    found.filter(|fps| (PLAUSIBLE_FPS[0]..=PLAUSIBLE_FPS[1]).contains(fps))
}

/// The usual rate of which one frame is the common divisor of all distances between keys.
fn sparse_rate(sets: &[Vec<f64>], rounding: f64) -> Option<f64> {
    let usual = [24.0, 25.0, 30.0, 60.0, 48.0, 24.0 * NTSC, 30.0 * NTSC, 60.0 * NTSC];
    let divisor = |fps: f64| sets.iter().flatten().fold(0, |divisor, offset| common_divisor((offset * fps).round() as u64, divisor));
    usual.into_iter().find(|&fps| is_on_frames(sets, fps, rounding) && divisor(fps) == 1)
}

/// The first usual rate on whose frames all keys lie, or the default.
fn assumed_rate(animation: &Animation) -> Rate {
    let sets = key_offsets(animation, Origin::Common);
    let fitting = [DEFAULT_RATE.fps, 24.0, 60.0, 25.0].into_iter().find(|&fps| is_on_frames(&sets, fps, ROUNDING[1]));
    Rate { fps: fitting.unwrap_or(DEFAULT_RATE.fps), ..DEFAULT_RATE }
}

/// Returns whether all keys lie on frames, apart from a rounding in seconds.
fn is_on_frames(sets: &[Vec<f64>], fps: f64, rounding: f64) -> bool {
    sets.iter().flatten().all(|&offset| {
        // Late f32 keys are less precise.
        let slack = fps * (rounding + offset * 1e-6);
        (offset * fps - (offset * fps).round()).abs() <= slack.min(0.1)
    })
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
