//! Collects the data about all keys of a channel that is needed to draw its curves: the unwrapped Euler angles at each key, which depend
//! on all keys before it, and the ranges of the curves.
//!
//! A survey proceeds in steps with a budget, so that an hour of keys does not block a frame.

use std::ops::Range;

use crate::animation::keys::keyframe::Segment;
use crate::model::animation::{Channel, Interpolation};

use super::{CurveQuantity, euler};

/// Number of keys that share one range.
pub const KEYS_PER_BLOCK: usize = 8;
/// Number of intervals that a curved segment is divided into to find its range.
const SAMPLE_INTERVALS: u32 = 8;
/// Largest magnitude in a range. Larger values are clamped, so that every curve has finite limits.
const MAX_MAGNITUDE: f64 = 1e30;
/// The segment between two rotations is almost straight if the cosine of half the angle between them is larger than this.
const NEARLY_STRAIGHT_COS: f64 = 0.99;

/// The surveyed keys of a channel. They take about one byte per curve and key, plus twelve per key for Euler angles, which is less than the
/// keys themselves take.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The quantity that the curves show.
    quantity: CurveQuantity,
    /// Number of curves that are surveyed, counted from the first.
    parts: usize,
    /// Number of keys of the channel.
    keys: usize,
    /// Unwrapped Euler angles of the surveyed keys, in degrees. Later evaluations only take the number of whole turns from them, so f32
    /// suffices.
    angles: Vec<[f32; 3]>,
    /// Number of keys surveyed so far.
    surveyed: usize,
    /// Minimum and maximum per block of keys and curve: all curves of the first block, then those of the next.
    blocks: Vec<[f32; 2]>,
    /// Minimum and maximum per curve, over all surveyed keys.
    ranges: Vec<[f32; 2]>,
}

/// The range of an empty set of numbers.
const EMPTY_RANGE: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

impl Survey {
    /// Starts a survey of the first `max_parts` curves of a channel. `times` are its key times, in seconds.
    pub fn new(channel: &Channel, times: &[f32], quantity: CurveQuantity, max_parts: usize) -> Self {
        let parts = quantity.curve_count(channel).min(max_parts);
        Self { quantity, parts, keys: times.len(), angles: Vec::new(), surveyed: 0, blocks: Vec::new(), ranges: vec![EMPTY_RANGE; parts] }
    }

    /// The quantity that the curves show.
    pub fn quantity(&self) -> CurveQuantity {
        self.quantity
    }

    /// Number of curves that are surveyed.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Returns whether all keys are surveyed.
    pub fn is_complete(&self) -> bool {
        self.surveyed == self.keys
    }

    /// Continues until all keys are surveyed or the budget is used up. `budget` is the number of values to compute, including those for
    /// unwrapping angles. The number of computed values is subtracted from it.
    pub fn extend(&mut self, channel: &Channel, times: &[f32], budget: &mut usize) {
        let mut numbers = vec![0.0; self.parts];
        while self.surveyed < self.keys && *budget > 0 {
            let key = self.surveyed;
            let (mut samples, mut angles) = (0, [0.0; 3]);
            if self.quantity.is_euler(channel) {
                let (exact_angles, count) = self.angles_at(channel, times, key);
                // Round the angles here too, so that they equal those that are read from the survey later.
                let stored_angles = exact_angles.map(|angle| angle as f32);
                self.angles.push(stored_angles);
                (samples, angles) = (count, stored_angles.map(f64::from));
            }
            self.surveyed += 1;
            if key.is_multiple_of(KEYS_PER_BLOCK) {
                self.blocks.resize(self.blocks.len() + self.parts, EMPTY_RANGE);
            }
            let intervals = self.intervals(channel, times, key);
            for end in 0..=intervals {
                let segment = super::between(times, key, f64::from(end) / f64::from(intervals.max(1)));
                samples += super::write(channel, self.quantity, &segment, angles, &mut numbers);
                self.extend_ranges(&numbers);
            }
            *budget = budget.saturating_sub(samples * self.parts.max(1));
        }
    }

    /// Number of intervals to sample after a key; 0 if the segment is straight.
    fn intervals(&self, channel: &Channel, times: &[f32], key: usize) -> u32 {
        if self.quantity.is_straight(channel) {
            return 0;
        }
        let [start, end] = [0.0, 1.0].map(|u| super::between(times, key, u));
        let is_near = || super::rotation(channel, &start).value.dot(super::rotation(channel, &end).value) > NEARLY_STRAIGHT_COS;
        if channel.interpolation == Interpolation::Linear && is_near() { 1 } else { SAMPLE_INTERVALS }
    }

    /// Returns the unwrapped angles at a key, in degrees, and the number of samples taken.
    fn angles_at(&self, channel: &Channel, times: &[f32], key: usize) -> ([f64; 3], usize) {
        let (near, samples) = match key.checked_sub(1) {
            Some(previous) => euler::angles_at(channel, &super::between(times, previous, 1.0), self.angles[previous].map(f64::from)),
            None => ([0.0; 3], 0),
        };
        (euler::nearest(super::rotation(channel, &super::between(times, key, 0.0)).value, near), samples + 1)
    }

    /// Extends the ranges of the last block and of all keys by these numbers, one per curve.
    fn extend_ranges(&mut self, numbers: &[f64]) {
        let block = self.blocks.len() - self.parts;
        for (part, number) in numbers.iter().enumerate() {
            let number = number.clamp(-MAX_MAGNITUDE, MAX_MAGNITUDE) as f32;
            for range in [&mut self.blocks[block + part], &mut self.ranges[part]] {
                *range = [range[0].min(number), range[1].max(number)];
            }
        }
    }

    /// Writes the values of the curves at `segment`: as many as `out` has elements. Returns false if this needs the Euler
    /// angles of a key that is not surveyed yet.
    pub fn write(&self, channel: &Channel, segment: &Segment, out: &mut [f64]) -> bool {
        self.write_as(self.quantity, channel, segment, out)
    }

    /// Does the same as [`Self::write`] for another quantity, which may differ from that of the survey in `velocity` only.
    pub fn write_as(&self, quantity: CurveQuantity, channel: &Channel, segment: &Segment, out: &mut [f64]) -> bool {
        let angles = match self.angles.get(segment.key) {
            Some(angles) => angles.map(f64::from),
            None if quantity.is_euler(channel) => return false,
            None => [0.0; 3],
        };
        super::write(channel, quantity, segment, angles, out);
        true
    }

    /// Returns the value of one curve at `time`, in seconds. `None` if [`Self::write`] returns false, or if the curve is not surveyed.
    pub fn at(&self, channel: &Channel, times: &[f32], part: usize, time: f64) -> Option<f64> {
        let mut numbers = vec![0.0; self.parts];
        let segment = super::at(channel, times, time);
        self.write(channel, &segment, &mut numbers).then(|| numbers.get(part).copied()).flatten()
    }

    /// Returns minimum and maximum of a curve over all surveyed keys. `None` if there are none.
    pub fn range(&self, part: usize) -> Option<[f64; 2]> {
        self.ranges.get(part).and_then(|&range| non_empty(range))
    }

    /// Returns minimum and maximum of a curve around `keys`, extended to whole blocks. `None` if none of them is surveyed.
    pub fn range_around(&self, part: usize, keys: Range<usize>) -> Option<[f64; 2]> {
        let blocks = keys.start / KEYS_PER_BLOCK..keys.end.div_ceil(KEYS_PER_BLOCK).min(self.blocks.len() / self.parts.max(1));
        let ranges = blocks.map(|block| self.blocks[block * self.parts + part]);
        non_empty(ranges.fold(EMPTY_RANGE, |all, range| [all[0].min(range[0]), all[1].max(range[1])]))
    }
}

/// The range, or `None` if it contains no numbers.
fn non_empty(range: [f32; 2]) -> Option<[f64; 2]> {
    (range[0] <= range[1]).then_some(range.map(f64::from))
}
