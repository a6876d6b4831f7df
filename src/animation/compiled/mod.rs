//! Animations compiled to the form that the kernels read.
//!
//! The channels of a file usually share a few sets of key times. Each set becomes a [`Timeline`]. The part from one key to the
//! next is a *segment*; for every segment the timeline stores the coefficients of all its channels, in blocks of eight channels
//! (structure of arrays). With `u` the position in the segment, from 0 to 1, a channel stores (glTF 2.0, appendix C)
//!
//! - STEP: the value;
//! - LINEAR: the value and the difference to the next one. A rotation stores `q` and `turn`. The rotation at `u` is
//!   `q cos(u theta) + turn sin(u theta) / theta` with `theta = |turn|`, which equals the slerp. It needs no arc cosine. `cos x` and
//!   `sin x / x` are evaluated as polynomials in `x * x`, so it needs no division and no square root either;
//! - CUBICSPLINE: the four coefficients of the polynomial in `u`.
//!
//! Before the first key and from the last key on, `u` is 0. Three kinds of channels belong to no timeline: constant channels
//! ([`CompiledAnimation::constants`]), channels that share their key times with too few others ([`SeparateChannel`]), and channels that are
//! sampled from the file's keys ([`CompiledAnimation::uncompiled`]). This limits a compiled animation to [`MAX_GROWTH`] times the
//! memory of its keys.
//!
//! [`model::CompiledModel`] holds all compiled animations of a model; [`sample`] evaluates one for a character.

pub(crate) mod build;
pub mod coefficients;
pub mod evaluate;
mod keyed;
pub mod model;
pub mod sample;
mod write;

use crate::model::animation::{Animation, Interpolation, Target};
use crate::model::hierarchy::Trs;
use crate::model::node::NodeIndex;

use super::simd::F32x8;
use super::simd::lane_access::LaneIndices;

/// Maximum size of a compiled animation, as a multiple of the bytes of its keys.
pub const MAX_GROWTH: usize = 4;

/// The property that the lanes of a block animate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChannelPath {
    Translation,
    Rotation,
    Scale,
    /// Single morph weights.
    Weights,
}

/// Eight lanes over one set of key times. A lane is a channel, or one morph weight of a weights channel.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelBlock {
    /// The property that all lanes animate.
    pub path: ChannelPath,
    /// The interpolation of all lanes.
    pub interpolation: Interpolation,
    /// Index of each lane's node, or of its weight among all morph weights. Empty lanes repeat the last lane in use.
    pub targets: [u32; 8],
    /// The local transform of each lane's node; that of node 0 if the lanes animate weights.
    pub locals: LaneIndices<Trs>,
    /// Number of lanes in use, 1 to 8.
    pub lanes: usize,
    /// Coefficients per lane and segment, which is the number of [`F32x8`] that the block takes per segment.
    pub width: usize,
}

/// All blocks over one set of key times.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    /// Index into [`Animation::key_times`].
    pub key_times: usize,
    /// The blocks, in the order of their coefficients.
    pub blocks: Vec<ChannelBlock>,
    /// Sum of the blocks' widths.
    pub stride: usize,
    /// The coefficients of all blocks for the first segment, then for the next: `stride` vectors per key.
    pub coefficients: Vec<F32x8>,
}

/// A LINEAR channel that shares its key times with too few others to be in a block. Its segments are in
/// [`CompiledAnimation::rotation_segments`] or [`CompiledAnimation::vector_segments`].
#[derive(Debug, Clone, PartialEq)]
pub struct SeparateChannel {
    /// Index of the node.
    pub target: u32,
    /// Number of keys, which is the number of segments.
    pub key_count: u32,
    /// Index of the first segment.
    pub start: usize,
    /// Distance between two consecutive segments. Channels with the same number of keys are interleaved, so that the data for one time is
    /// close together.
    pub stride: usize,
}

/// A segment of a separate rotation: its key time, the next key time, `q` (4) and `turn` (4). The last segment ends at infinity.
pub type RotationSegment = [f32; 10];
/// A segment of a separate translation or scale: its key time, the next key time, value (3) and difference (3).
pub type VectorSegment = [f32; 8];

impl SeparateChannel {
    /// Returns the segment at the cursor, or the next one if `floor` has reached it. During playback this is the segment that holds the
    /// time.
    ///
    /// `floor` is the largest `f32` not above the time, so that key times can be compared without widening them.
    #[inline(always)]
    pub fn step<'a, const N: usize>(&self, segments: &'a [[f32; N]], floor: f32, cursor: &mut u32) -> &'a [f32; N] {
        let index = self.start + *cursor as usize * self.stride;
        // About half of all channels step in a frame, so a branch would be unpredictable.
        let step = usize::from(segments[index][1] <= floor);
        *cursor += step as u32;
        &segments[index + step * self.stride]
    }

    /// Returns the segment of the last key not after `floor`, or the first segment, by binary search.
    #[cold]
    #[inline(never)]
    pub fn seek<'a, const N: usize>(&self, segments: &'a [[f32; N]], floor: f32, cursor: &mut u32) -> &'a [f32; N] {
        let segment = |key: u32| &segments[self.start + key as usize * self.stride];
        let (mut low, mut high) = (0, self.key_count);
        while low < high {
            let middle = low.midpoint(high);
            if segment(middle)[0] <= floor { low = middle + 1 } else { high = middle }
        }
        *cursor = low.saturating_sub(1);
        segment(*cursor)
    }
}

/// Splits a time into the largest `f32` not above it and the remainder, both in seconds. A time outside the range of `f32` is clamped to
/// it, because no key is later.
pub fn split_time(time: f64) -> (f32, f32) {
    let time = time.clamp(f64::from(f32::MIN), f64::from(f32::MAX));
    let rounded = time as f32;
    let floor = if f64::from(rounded) > time { rounded.next_down() } else { rounded };
    (floor, (time - f64::from(floor)) as f32)
}

/// A channel whose value never changes.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstantChannel {
    /// The property that the channel animates.
    pub target: Target,
    /// One number per component. Rotations have unit length.
    pub value: Vec<f32>,
}

/// A compiled animation. Each channel is in exactly one of the first four fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompiledAnimation {
    /// Channels that are written once, when the animation starts.
    pub constants: Vec<ConstantChannel>,
    /// Channels in blocks of eight, by their key times.
    pub timelines: Vec<Timeline>,
    /// The separate channels: translations, rotations, scales. Eight are sampled at a time.
    pub separate: [Vec<SeparateChannel>; 3],
    /// Indices of channels that are sampled from the file's keys: first [`Self::keyed_rotations`], then all others.
    pub uncompiled: Vec<usize>,
    /// Number of LINEAR rotations at the start of `uncompiled` that are sampled eight at a time (`keyed.rs`).
    pub keyed_rotations: usize,
    /// Indices of translation channels that are sampled in f64 too ([`super::hierarchy::far_nodes`]), ordered by node.
    pub far: Vec<usize>,
    /// The nodes whose own morph weights the animation drives ([`super::keys::pointer_targets::own_weight_nodes`]).
    pub own_weights: Vec<NodeIndex>,
    /// Segments of the separate rotations.
    pub rotation_segments: Vec<RotationSegment>,
    /// Segments of the separate translations and scales.
    pub vector_segments: Vec<VectorSegment>,
}

/// The form in which an animation is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnimationLayout {
    /// Compiled.
    Compiled,
    /// The keys of the file, sampled channel by channel.
    Keys,
    /// The keys of the file, with LINEAR rotations sampled eight at a time.
    KeyedRotations,
}

impl CompiledAnimation {
    /// Leaves all channels uncompiled. They are sampled one by one.
    pub fn uncompiled(animation: &Animation) -> Self {
        Self { uncompiled: (0..animation.channels.len()).collect(), ..Self::default() }
    }

    /// Leaves all channels uncompiled. LINEAR rotations are sampled eight at a time.
    pub fn with_keyed_rotations(animation: &Animation) -> Self {
        let (rotations, others): (Vec<usize>, Vec<usize>) =
            (0..animation.channels.len()).partition(|&channel| keyed::is_keyed_rotation(animation, channel));
        Self { keyed_rotations: rotations.len(), uncompiled: [rotations, others].concat(), ..Self::default() }
    }

    /// Number of cursors that a character needs: one per timeline and separate channel, then one per uncompiled and far channel.
    pub fn cursor_count(&self) -> usize {
        self.compiled_cursor_count() + self.uncompiled.len() + self.far.len()
    }

    /// Number of cursors for timelines and separate channels.
    pub fn compiled_cursor_count(&self) -> usize {
        self.timelines.len() + self.separate_count()
    }

    /// Number of separate channels.
    pub fn separate_count(&self) -> usize {
        self.separate.iter().map(Vec::len).sum()
    }

    /// Describes in words how the channels are stored, for `sinew inspect` and `sinew bench`.
    pub fn layout(&self) -> String {
        let blocks: usize = self.timelines.iter().map(|timeline| timeline.blocks.len()).sum();
        let groups = [
            (blocks, "blocks of eight"),
            (self.separate_count(), "separate"),
            (self.uncompiled.len(), "uncompiled"),
            (self.constants.len(), "constant"),
        ];
        let groups: Vec<String> = groups.iter().filter(|(count, _)| *count > 0).map(|(count, form)| format!("{count} {form}")).collect();
        if groups.is_empty() { "nothing".to_owned() } else { groups.join(", ") }
    }

    /// Bytes of all coefficients.
    pub fn bytes(&self) -> usize {
        let timelines = self.timelines.iter().map(|timeline| timeline.coefficients.len() * size_of::<F32x8>());
        timelines.sum::<usize>() + size_of_val(&self.rotation_segments[..]) + size_of_val(&self.vector_segments[..])
    }
}

/// Bytes of an animation's decoded keys: times and values, as `f32`.
pub fn key_bytes(animation: &Animation) -> usize {
    let times = animation.key_times.iter().map(Vec::len).sum::<usize>();
    let values = animation.channels.iter().map(|channel| channel.output.len()).sum::<usize>();
    (times + values) * 4
}
