//! What is worth knowing of all keys of a channel before its curves are drawn: the unwrapped Euler angles at each of them, which
//! depend on all before it, and between which numbers the curves run. Made a piece at a time, so that an hour of keys stops nothing.

use std::ops::Range;

use crate::animation::keys::keyframe::{self, Segment};
use crate::model::animation::{Channel, Interpolation};

use super::{Reading, euler};

/// Keys whose least and greatest numbers are kept together.
pub const BLOCK: usize = 8;
/// Into so many pieces is what lies between two keys cut to be looked at for these, where it is not straight.
const PIECES: u32 = 8;
/// Numbers beyond this are taken for it: a curve that leaves all others behind still has ends.
const FURTHEST: f64 = 1e30;
/// The cosine of half the angle between two rotations, from which on the way from one to the other hardly bends.
const NEAR: f64 = 0.99;

/// Takes four bytes a part for each key at most, twelve more for Euler angles: no more than the keys themselves.
#[derive(Debug, Clone)]
pub struct Survey {
    reading: Reading,
    /// Of the channel's curves, the first so many.
    parts: usize,
    keys: usize,
    /// Of the keys that were seen, those in degrees. They tell turns apart and nothing else: f32 will do.
    angles: Vec<[f32; 3]>,
    /// How many keys were seen.
    seen: usize,
    /// Least and greatest number of each part, for each block of keys.
    blocks: Vec<[f32; 2]>,
    /// The same for all that was seen.
    ranges: Vec<[f32; 2]>,
}

const NOTHING: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

impl Survey {
    pub fn new(channel: &Channel, times: &[f32], reading: Reading, most: usize) -> Self {
        let parts = reading.parts(channel).min(most);
        Self { reading, parts, keys: times.len(), angles: Vec::new(), seen: 0, blocks: Vec::new(), ranges: vec![NOTHING; parts] }
    }

    pub fn reading(&self) -> Reading {
        self.reading
    }

    pub fn parts(&self) -> usize {
        self.parts
    }

    pub fn is_complete(&self) -> bool {
        self.seen == self.keys
    }

    /// Goes on until all keys were seen or `budget`, a count of numbers, is used up. What is used is taken off it: for angles those
    /// on the way to them, too.
    pub fn extend(&mut self, channel: &Channel, times: &[f32], budget: &mut usize) {
        let mut numbers = vec![0.0; self.parts];
        while self.seen < self.keys && *budget > 0 {
            let key = self.seen;
            let (mut places, mut angles) = (0, [0.0; 3]);
            if self.reading.is_euler(channel) {
                let (found, looked_at) = self.angles_at(channel, times, key);
                // As they are read again later.
                let found = found.map(|angle| angle as f32);
                self.angles.push(found);
                (places, angles) = (looked_at, found.map(f64::from));
            }
            self.seen += 1;
            if key.is_multiple_of(BLOCK) {
                self.blocks.resize(self.blocks.len() + self.parts, NOTHING);
            }
            let pieces = self.pieces(channel, times, key);
            for end in 0..=pieces {
                let segment = super::between(times, key, f64::from(end) / f64::from(pieces.max(1)));
                places += super::write(channel, self.reading, &segment, angles, &mut numbers);
                self.note(&numbers);
            }
            *budget = budget.saturating_sub(places * self.parts.max(1));
        }
    }

    fn pieces(&self, channel: &Channel, times: &[f32], key: usize) -> u32 {
        if self.reading.is_straight(channel) {
            return 0;
        }
        let [start, end] = [0.0, 1.0].map(|u| super::between(times, key, u));
        let is_near = || super::rotation(channel, &start).value.dot(super::rotation(channel, &end).value) > NEAR;
        if channel.interpolation == Interpolation::Linear && is_near() { 1 } else { PIECES }
    }

    /// And at how many places the channel was looked at for them.
    fn angles_at(&self, channel: &Channel, times: &[f32], key: usize) -> ([f64; 3], usize) {
        let (before, places) = match key.checked_sub(1) {
            Some(before) => euler::follow(channel, &super::between(times, before, 1.0), self.angles[before].map(f64::from)),
            None => ([0.0; 3], 0),
        };
        (euler::nearest(super::rotation(channel, &super::between(times, key, 0.0)).value, before), places + 1)
    }

    /// Widens the last block and the whole by these numbers.
    fn note(&mut self, numbers: &[f64]) {
        let block = self.blocks.len() - self.parts;
        for (part, number) in numbers.iter().enumerate() {
            let number = number.clamp(-FURTHEST, FURTHEST) as f32;
            for range in [&mut self.blocks[block + part], &mut self.ranges[part]] {
                *range = [range[0].min(number), range[1].max(number)];
            }
        }
    }

    /// The numbers at a place, as many as `out` takes; false where the survey has not come so far.
    pub fn write(&self, channel: &Channel, segment: &Segment, out: &mut [f64]) -> bool {
        self.write_as(self.reading, channel, segment, out)
    }

    /// The same by another reading that differs in nothing but the velocity.
    pub fn write_as(&self, reading: Reading, channel: &Channel, segment: &Segment, out: &mut [f64]) -> bool {
        let angles = match self.angles.get(segment.key) {
            Some(angles) => angles.map(f64::from),
            None if reading.is_euler(channel) => return false,
            None => [0.0; 3],
        };
        super::write(channel, reading, segment, angles, out);
        true
    }

    /// One curve's number at a time; none where the survey has not come so far.
    pub fn at(&self, channel: &Channel, times: &[f32], part: usize, time: f64) -> Option<f64> {
        let mut numbers = vec![0.0; self.parts];
        let segment = keyframe::find(times, time, &mut 0);
        self.write(channel, &segment, &mut numbers).then(|| numbers.get(part).copied()).flatten()
    }

    /// Least and greatest number of a curve on the whole; none where there is no number.
    pub fn range(&self, part: usize) -> Option<[f64; 2]> {
        self.ranges.get(part).and_then(|&range| some(range))
    }

    /// The same about these keys: up to the ends of their blocks.
    pub fn range_about(&self, part: usize, keys: Range<usize>) -> Option<[f64; 2]> {
        let blocks = keys.start / BLOCK..keys.end.div_ceil(BLOCK).min(self.blocks.len() / self.parts.max(1));
        let ranges = blocks.map(|block| self.blocks[block * self.parts + part]);
        some(ranges.fold(NOTHING, |all, range| [all[0].min(range[0]), all[1].max(range[1])]))
    }
}

fn some(range: [f32; 2]) -> Option<[f64; 2]> {
    (range[0] <= range[1]).then_some(range.map(f64::from))
}
