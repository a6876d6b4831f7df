//! Infers the frame rates of animations from their keys. glTF stores no frame rate.

use std::collections::HashMap;

use crate::model::Model;
use crate::model::animation::{Animation, Rate, RateSource};

/// The rate of animations for which nothing indicates another rate.
pub const DEFAULT_RATE: Rate = Rate { fps: 30.0, source: RateSource::Assumed };

/// The slowest and the fastest rate that are accepted, in frames per second. Keys that are further apart are assumed to skip frames, and
/// keys that are closer together are assumed to be irregular.
const PLAUSIBLE_FPS: [f64; 2] = [9.99, 240.01];
/// Tolerances of key times, in seconds, in the order in which they are tried. The first allows for the rounding of f32 and of five
/// decimals, the second for exporters that round to half a millisecond.
const TOLERANCES_SECONDS: [f64; 2] = [2e-5, 5e-4];
/// Ratio of NTSC television rates to whole rates: 29.97 is 30 * NTSC_FACTOR.
const NTSC_FACTOR: f64 = 1000.0 / 1001.0;
/// Maximum number of keys that are examined per set. The later keys of a long recording do not change the result.
const MAX_EXAMINED_KEYS: usize = 4096;

/// Returns the rate of each animation of a model. Animations of other files keep the rate that they have there.
pub fn model_rates(model: &Model) -> Vec<Rate> {
    let mut rates = infer_rates(&model.animations[..model.own_animation_count()]);
    for file in &model.borrowed {
        let frame_rates = file.frame_rates.iter().copied().chain(std::iter::repeat(DEFAULT_RATE));
        rates.extend(frame_rates.take(file.animations.len()));
    }
    rates
}

/// Infers the rate of each animation of a file from the steady spacing of its keys. If there is none, the rate is the most common rate of
/// the other animations. If there is no such rate either, it is the first usual rate at which every key falls on a frame, or
/// [`DEFAULT_RATE`].
pub fn infer_rates(animations: &[Animation]) -> Vec<Rate> {
    let from_keys: Vec<Option<f64>> = animations.iter().map(rate_from_keys).collect();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    from_keys.iter().flatten().for_each(|fps| *counts.entry(fps.to_bits()).or_default() += 1);
    // The first of several equally common rates is used. `max_by_key` returns the last, so search backward.
    let most_common = from_keys.iter().flatten().copied().rev().max_by_key(|fps| counts.get(&fps.to_bits()).copied());
    let rate = |(animation, own_rate): (&Animation, &Option<f64>)| match (own_rate, most_common) {
        (Some(fps), _) => Rate { fps: *fps, source: RateSource::Keys },
        (None, Some(fps)) => Rate { fps, source: RateSource::OtherAnimations },
        (None, None) => assumed_rate(animation),
    };
    animations.iter().zip(&from_keys).map(rate).collect()
}

/// The rate of an animation whose keys have a steady spacing: the lowest rate at which every key lies on a frame. `None` if the keys
/// have no steady spacing, are too few, or are too far apart.
pub fn rate_from_keys(animation: &Animation) -> Option<f64> {
    // A single distance says nothing about whether the spacing is steady.
    if animation.key_times.iter().map(|times| times.len().saturating_sub(1)).sum::<usize>() < 2 {
        return None;
    }
    // A set of dense keys may begin between the frames of another set, so its times are relative to its own first key.
    let from_set = key_offsets(animation, Origin::FirstKeyOfSet);
    let from_animation = key_offsets(animation, Origin::FirstKeyOfAnimation);
    TOLERANCES_SECONDS
        .into_iter()
        .find_map(|tolerance| dense_rate(&from_set, tolerance).or_else(|| sparse_rate(&from_animation, tolerance)))
}

/// The key that times are relative to.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    FirstKeyOfSet,
    FirstKeyOfAnimation,
}

/// The times of each set of keys relative to an origin, in seconds.
fn key_offsets(animation: &Animation, origin: Origin) -> Vec<Vec<f64>> {
    let first_time = |times: &Vec<f32>| times.first().copied().map_or(0.0, f64::from);
    let first_of_all = animation.key_times.iter().map(first_time).min_by(f64::total_cmp).unwrap_or(0.0);
    let offsets = |times: &Vec<f32>| {
        let start = if origin == Origin::FirstKeyOfSet { first_time(times) } else { first_of_all };
        times.iter().take(MAX_EXAMINED_KEYS).map(|&time| f64::from(time) - start).collect()
    };
    animation.key_times.iter().map(offsets).collect()
}

/// The rate whose frames are as long as the shortest distance between two keys. `tolerance` is in seconds.
fn dense_rate(sets: &[Vec<f64>], tolerance: f64) -> Option<f64> {
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
    let ntsc = ntsc_rate(sets, (fps / NTSC_FACTOR).round() * NTSC_FACTOR);
    let half = (fps * 2.0).round() / 2.0;
    let precise = [whole, ntsc, half].into_iter().find(|&fps| is_on_frames(sets, fps, TOLERANCES_SECONDS[0]));
    let rate = precise.or_else(|| [whole, fps].into_iter().find(|&fps| is_on_frames(sets, fps, tolerance)));
    rate.filter(|fps| (PLAUSIBLE_FPS[0]..=PLAUSIBLE_FPS[1]).contains(fps))
}

/// An NTSC rate as exporters use it: exactly `fps`, or rounded to three decimals, as in 23.976. It is the one on whose frames the keys lie
/// more exactly, since otherwise later keys would be after their frames.
fn ntsc_rate(sets: &[Vec<f64>], fps: f64) -> f64 {
    let deviation = |fps: f64| sets.iter().flatten().map(|offset| (offset * fps - (offset * fps).round()).abs()).fold(0.0, f64::max);
    let rounded = (fps * 1000.0).round() / 1000.0;
    // If the keys are too coarse to tell, both deviate by about the same.
    if deviation(rounded) < deviation(fps) / 2.0 { rounded } else { fps }
}

/// The usual rate whose frame is the greatest common divisor of all distances between keys. `tolerance` is in seconds.
fn sparse_rate(sets: &[Vec<f64>], tolerance: f64) -> Option<f64> {
    let usual_rates = [24.0, 25.0, 30.0, 60.0, 48.0, 24.0 * NTSC_FACTOR, 30.0 * NTSC_FACTOR, 60.0 * NTSC_FACTOR];
    let divisor =
        |fps: f64| sets.iter().flatten().fold(0, |divisor, offset| greatest_common_divisor((offset * fps).round() as u64, divisor));
    usual_rates.into_iter().find(|&fps| is_on_frames(sets, fps, tolerance) && divisor(fps) == 1)
}

/// The first usual rate on whose frames all keys lie, or the default.
fn assumed_rate(animation: &Animation) -> Rate {
    let sets = key_offsets(animation, Origin::FirstKeyOfAnimation);
    let fitting = [DEFAULT_RATE.fps, 24.0, 60.0, 25.0].into_iter().find(|&fps| is_on_frames(&sets, fps, TOLERANCES_SECONDS[1]));
    Rate { fps: fitting.unwrap_or(DEFAULT_RATE.fps), ..DEFAULT_RATE }
}

/// Returns whether all keys lie on frames. `tolerance` is in seconds.
fn is_on_frames(sets: &[Vec<f64>], fps: f64, tolerance: f64) -> bool {
    sets.iter().flatten().all(|&offset| {
        // Later keys are less precise, because they are f32.
        let tolerance_frames = fps * (tolerance + offset * 1e-6);
        (offset * fps - (offset * fps).round()).abs() <= tolerance_frames.min(0.1)
    })
}

/// Euclid's algorithm.
fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
