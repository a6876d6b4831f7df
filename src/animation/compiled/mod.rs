//! An animation's keyframes as the kernels want them. For each distinct set of key times there is one row a key, which holds
//! all that its channels need from that key to the next, in blocks of eight channels (structure of arrays):
//!
//! - STEP: the value;
//! - LINEAR: the value and the difference to the next one; of a rotation `q` and `turn`, so that the rotation at `u` is
//!   `q cos(u theta) + turn sin(u theta) / theta` with `theta = |turn|`: true slerp without an arc cosine or a division;
//! - CUBICSPLINE: the four coefficients of the polynomial in `u`.
//!
//! Before the first key and from the last one on, `u` is 0. A channel that does not change is taken out ([`Rows::constants`]),
//! and one that shares its key times with too few others goes by rows of its own ([`Loose`]) or is read straight from the file's
//! keys (`plain`), so that rows never take more than [`MOST_GROWTH`] times the keys they are made of.

pub(crate) mod build;
pub mod coefficients;
pub mod evaluate;
pub mod model;
pub mod sample;

use crate::model::animation::{Animation, Interpolation, Target};

use super::simd::F32x8;
use super::simd::eight::LaneIndices;

/// Rows take at most so many times the bytes of the keys they are made of.
pub const MOST_GROWTH: usize = 4;

/// What a block's lanes drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Path {
    Translation,
    Rotation,
    Scale,
    /// Single numbers among all morph weights.
    Weights,
}

/// Eight lanes over one set of key times: eight channels, or of weights eight numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    pub path: Path,
    pub interpolation: Interpolation,
    /// Nodes, or places among the weights. Lanes that would be empty repeat the one before.
    pub targets: LaneIndices,
    /// How many lanes are not empty.
    pub lanes: usize,
    /// How many octs it takes in a row.
    pub octs: usize,
}

/// All blocks over one set of key times.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    /// Index into the animation's key times.
    pub key_times: usize,
    pub blocks: Vec<Block>,
    /// Octs a row.
    pub stride: usize,
    /// One row a key.
    pub rows: Vec<F32x8>,
}

/// A LINEAR channel with rows of its own, among [`Rows::loose_rotations`] or [`Rows::loose_vectors`].
#[derive(Debug, Clone, PartialEq)]
pub struct Loose {
    pub target: u32,
    pub keys: u32,
    /// Its first row.
    pub start: usize,
    /// How far apart its rows are. Channels of as many keys take turns, so that what is needed at one time is near.
    pub stride: usize,
}

/// A row of a loose rotation: its key time, the next one, `q` and `turn`. After the last key comes infinity.
pub type LooseRotation = [f32; 10];
/// The same of a translation or scale: two times, value and difference.
pub type LooseVector = [f32; 8];

impl Loose {
    /// The row that the cursor is at, or the next one if its time has come: while an animation plays, always the right one.
    /// `floor`: the largest `f32` that is not above the time, by which key times can be compared without widening them.
    #[inline(always)]
    pub fn step<'a, const N: usize>(&self, rows: &'a [[f32; N]], floor: f32, cursor: &mut u32) -> &'a [f32; N] {
        let at = self.start + *cursor as usize * self.stride;
        // Half of all channels step in a frame: no branch would be foreseen.
        let step = usize::from(rows[at][1] <= floor);
        *cursor += step as u32;
        &rows[at + step * self.stride]
    }

    /// The row of the last key that is not after `floor`, else the first.
    #[cold]
    #[inline(never)]
    pub fn seek<'a, const N: usize>(&self, rows: &'a [[f32; N]], floor: f32, cursor: &mut u32) -> &'a [f32; N] {
        let row = |key: u32| &rows[self.start + key as usize * self.stride];
        let (mut low, mut high) = (0, self.keys);
        while low < high {
            let middle = low.midpoint(high);
            if row(middle)[0] <= floor { low = middle + 1 } else { high = middle }
        }
        *cursor = low.saturating_sub(1);
        row(*cursor)
    }
}

/// The largest finite `f32` that is not above `time`.
pub fn floor(time: f64) -> f32 {
    let near = (time as f32).min(f32::MAX);
    if f64::from(near) > time { near.next_down() } else { near }
}

/// A value that never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    pub target: Target,
    pub value: Vec<f32>,
}

/// A compiled animation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    pub constants: Vec<Constant>,
    pub timelines: Vec<Timeline>,
    /// Loose channels by what they drive: translation, rotation, scale. Eight are sampled at a time.
    pub loose: [Vec<Loose>; 3],
    pub loose_rotations: Vec<LooseRotation>,
    pub loose_vectors: Vec<LooseVector>,
    /// Indices of channels that are sampled from the file's keys.
    pub plain: Vec<usize>,
    /// Indices of channels that are sampled in f64 besides ([`super::hierarchy::far_nodes`]).
    pub far: Vec<usize>,
}

/// How an animation is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// As rows.
    Rows,
    /// As the file's keys, for want of memory.
    Keys,
}

impl Rows {
    /// Everything straight from the file's keys.
    pub fn keys_only(animation: &Animation) -> Self {
        Self { plain: (0..animation.channels.len()).collect(), ..Self::default() }
    }

    /// How many searches a time takes: one for each timeline and loose channel, then one for each plain and far channel.
    pub fn cursors(&self) -> usize {
        self.fast_cursors() + self.plain.len() + self.far.len()
    }

    /// How many of them are for timelines and loose channels.
    pub fn fast_cursors(&self) -> usize {
        self.timelines.len() + self.loose_count()
    }

    pub fn loose_count(&self) -> usize {
        self.loose.iter().map(Vec::len).sum()
    }

    /// What it is made of, in words.
    pub fn layout(&self) -> String {
        let blocks: usize = self.timelines.iter().map(|timeline| timeline.blocks.len()).sum();
        let loose = self.loose_count();
        let parts = [
            (blocks, "blocks of eight"),
            (loose, "with rows of their own"),
            (self.plain.len(), "as in the file"),
            (self.constants.len(), "constant"),
        ];
        let parts: Vec<String> = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
    }

    /// Bytes that the rows take.
    pub fn bytes(&self) -> usize {
        let timelines = self.timelines.iter().map(|timeline| timeline.rows.len() * size_of::<F32x8>());
        timelines.sum::<usize>() + size_of_val(&self.loose_rotations[..]) + size_of_val(&self.loose_vectors[..])
    }
}

/// Bytes of the keys as the file has them: times and values.
pub fn key_bytes(animation: &Animation) -> usize {
    let times = animation.key_times.iter().map(Vec::len).sum::<usize>();
    let values = animation.channels.iter().map(|channel| channel.output.len()).sum::<usize>();
    (times + values) * 4
}
