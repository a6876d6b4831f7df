//! Compiles an animation: decides which channels share blocks of eight, which are stored separately and which stay uncompiled, so that
//! the result stays small.
//!
//! A channel becomes one lane; a weights channel becomes one lane per morph weight. Lanes with the same key times form groups, which are
//! divided into blocks of eight. Partial blocks are dissolved if they waste too much memory. The remaining blocks are stored in
//! timelines ([`crate::animation::compiled`]).

use std::collections::HashMap;

use crate::animation::simd::F32x8;
use crate::animation::simd::lane_access::LaneIndices;
use crate::model::animation::{Animation, Interpolation, Target};

use super::{
    ChannelBlock, ChannelPath, CompiledAnimation, ConstantChannel, MAX_GROWTH, RotationSegment, SeparateChannel, Timeline, VectorSegment,
    coefficients, key_bytes,
};

/// Minimum number of lanes that share key times for blocks to be worthwhile.
const MIN_SHARED_LANES: usize = 4;

/// Returns the number of coefficients per lane and segment.
fn coefficient_count(path: ChannelPath, interpolation: Interpolation) -> usize {
    let components = match path {
        ChannelPath::Translation | ChannelPath::Scale => 3,
        ChannelPath::Rotation => 4,
        ChannelPath::Weights => 1,
    };
    components
        * match interpolation {
            Interpolation::Step => 1,
            Interpolation::Linear => 2,
            Interpolation::CubicSpline => 4,
        }
}

/// Returns the path of a target; `None` for pointers, which are too rare to be worth compiling.
fn channel_path(target: Target) -> Option<ChannelPath> {
    match target {
        Target::Translation(_) => Some(ChannelPath::Translation),
        Target::Rotation(_) => Some(ChannelPath::Rotation),
        Target::Scale(_) => Some(ChannelPath::Scale),
        Target::Weights(_) => Some(ChannelPath::Weights),
        Target::Pointer(_) => None,
    }
}

/// A lane of a block: a channel, or one morph weight of a weights channel.
#[derive(Debug, Clone, Copy)]
struct ChannelLane {
    /// Index in [`Animation::channels`].
    channel: usize,
    /// Index of the morph weight in its channel; 0 for transforms.
    component: usize,
    /// See [`ChannelBlock::targets`].
    target: u32,
}

/// Lanes that can share blocks, because key times, path and interpolation are the same.
struct LaneGroup {
    /// Index in [`Animation::key_times`].
    key_times: usize,
    path: ChannelPath,
    interpolation: Interpolation,
    lanes: Vec<ChannelLane>,
}

impl LaneGroup {
    /// Coefficients per lane and segment.
    fn width(&self) -> usize {
        coefficient_count(self.path, self.interpolation)
    }

    /// Number of lanes in the last block; 0 if it is full.
    fn partial_lanes(&self) -> usize {
        self.lanes.len() % 8
    }

    /// Bytes taken by the empty lanes of the last block.
    fn wasted_bytes(&self, animation: &Animation) -> usize {
        let empty_lanes = if self.partial_lanes() > 0 { 8 - self.partial_lanes() } else { 0 };
        empty_lanes * self.width() * size_of::<f32>() * animation.key_times[self.key_times].len()
    }

    /// Bytes saved by [`dissolve_partial_block`]; 0 if the lanes take as much memory outside of the block. Uncompiled lanes take none.
    fn saved_bytes(&self, animation: &Animation) -> usize {
        let partial = self.partial_lanes();
        let block = if partial > 0 { self.width() * size_of::<F32x8>() * animation.key_times[self.key_times].len() } else { 0 };
        let lanes = &self.lanes[self.lanes.len() - partial..];
        let separate = if self.is_separable() { lanes.iter().map(|lane| separate_bytes(animation, lane)).sum() } else { 0 };
        block.saturating_sub(separate)
    }

    /// Returns whether the lanes can be separate channels.
    fn is_separable(&self) -> bool {
        self.path != ChannelPath::Weights && self.interpolation == Interpolation::Linear
    }
}

/// Returns the maximum number of bytes that a compiled animation can take. Constant channels take less.
pub fn max_bytes(animation: &Animation) -> usize {
    let mut lanes: HashMap<(usize, ChannelPath, Interpolation), usize> = HashMap::new();
    let mut lane_counts = vec![0; animation.key_times.len()];
    for channel in &animation.channels {
        let Some(path) = channel_path(channel.target) else { continue };
        let count = if path == ChannelPath::Weights { channel.components } else { 1 };
        *lanes.entry((channel.key_times, path, channel.interpolation)).or_default() += count;
        lane_counts[channel.key_times] += count;
    }
    let bytes = |((key_times, path, interpolation), lanes): ((usize, ChannelPath, Interpolation), usize)| {
        let width = coefficient_count(path, interpolation);
        // The remaining lanes are stored either in a block with empty lanes, or separately with two key times in each segment.
        let separate = lanes % 8 * (width + 2);
        let is_block = lanes % 8 > 0 && lane_counts[key_times] >= MIN_SHARED_LANES;
        let last = if is_block { separate.max(8 * width) } else { separate };
        (lanes / 8 * 8 * width + last) * size_of::<f32>() * animation.key_times[key_times].len()
    };
    lanes.into_iter().map(bytes).sum::<usize>().min(key_bytes(animation) * MAX_GROWTH)
}

/// Compiles an animation. `first_weight` returns the index of the first morph weight of a target's node.
pub fn build(animation: &Animation, first_weight: impl Fn(Target) -> u32) -> CompiledAnimation {
    let mut compiled = CompiledAnimation::default();
    let mut groups = group_lanes(animation, &first_weight, &mut compiled);
    let mut lane_counts = vec![0; animation.key_times.len()];
    for group in &groups {
        lane_counts[group.key_times] += group.lanes.len();
    }
    // Fewer than MIN_SHARED_LANES lanes are not worth a search of their key times and a mostly empty block. It is faster to sample them as
    // separate channels, eight at a time together with channels of other key times.
    let mut separate = Vec::new();
    for group in groups.iter_mut().filter(|group| lane_counts[group.key_times] < MIN_SHARED_LANES) {
        dissolve_partial_block(group, &mut compiled, &mut separate);
    }
    dissolve_wasteful_blocks(animation, &mut groups, &mut compiled, &mut separate);
    add_separate(animation, separate, &mut compiled);
    compiled.uncompiled.sort_unstable();
    compiled.uncompiled.dedup();
    // If one lane of a weights channel is uncompiled, the whole channel is.
    for group in groups.iter_mut().filter(|group| group.path == ChannelPath::Weights) {
        group.lanes.retain(|lane| compiled.uncompiled.binary_search(&lane.channel).is_err());
    }
    groups.retain(|group| !group.lanes.is_empty());
    compiled.timelines = build_timelines(animation, &groups);
    compiled
}

/// Dissolves partial blocks, the most wasteful first, until the animation takes at most [`MAX_GROWTH`] times the bytes of its keys. Skips
/// blocks whose lanes would not take less memory outside of them.
fn dissolve_wasteful_blocks(
    animation: &Animation,
    groups: &mut [LaneGroup],
    compiled: &mut CompiledAnimation,
    separate: &mut Vec<ChannelLane>,
) {
    let bytes =
        |group: &LaneGroup| group.lanes.len().div_ceil(8) * group.width() * size_of::<F32x8>() * animation.key_times[group.key_times].len();
    let taken = groups.iter().map(bytes).sum::<usize>() + separate.iter().map(|lane| separate_bytes(animation, lane)).sum::<usize>();
    let mut excess = taken.saturating_sub(key_bytes(animation) * MAX_GROWTH);
    let mut by_waste: Vec<usize> = (0..groups.len()).collect();
    by_waste.sort_by_key(|&group| std::cmp::Reverse(groups[group].wasted_bytes(animation)));
    for group in by_waste {
        if excess == 0 {
            break;
        }
        // Separate channels can take more memory than their block, because each of their segments also stores two key times.
        let saved = groups[group].saved_bytes(animation);
        if saved > 0 {
            excess = excess.saturating_sub(saved);
            dissolve_partial_block(&mut groups[group], compiled, separate);
        }
    }
}

/// Removes the last block of a group if it is not full. Its LINEAR transforms become separate channels; its other channels stay uncompiled.
fn dissolve_partial_block(group: &mut LaneGroup, compiled: &mut CompiledAnimation, separate: &mut Vec<ChannelLane>) {
    let lanes = group.lanes.split_off(group.lanes.len() - group.partial_lanes());
    if group.is_separable() {
        separate.extend(lanes);
    } else {
        compiled.uncompiled.extend(lanes.iter().map(|lane| lane.channel));
    }
}

/// Bytes that a lane takes as a separate channel.
fn separate_bytes(animation: &Animation, lane: &ChannelLane) -> usize {
    let channel = &animation.channels[lane.channel];
    let is_rotation = matches!(channel.target, Target::Rotation(_));
    let segment = if is_rotation { size_of::<RotationSegment>() } else { size_of::<VectorSegment>() };
    segment * animation.key_times[channel.key_times].len()
}

/// Adds the separate channels, grouped by path and number of keys.
fn add_separate(animation: &Animation, mut lanes: Vec<ChannelLane>, compiled: &mut CompiledAnimation) {
    let key_count = |lane: &ChannelLane| animation.key_times[animation.channels[lane.channel].key_times].len();
    lanes.sort_by_key(key_count);
    for (index, path) in [ChannelPath::Translation, ChannelPath::Rotation, ChannelPath::Scale].into_iter().enumerate() {
        let has_path = |lane: &ChannelLane| channel_path(animation.channels[lane.channel].target) == Some(path);
        let lanes: Vec<ChannelLane> = lanes.iter().copied().filter(has_path).collect();
        for lanes in lanes.chunk_by(|a, b| key_count(a) == key_count(b)) {
            compiled.separate[index].extend(match path {
                ChannelPath::Rotation => separate_channels(animation, lanes, &mut compiled.rotation_segments),
                _ => separate_channels(animation, lanes, &mut compiled.vector_segments),
            });
        }
    }
}

/// Appends the interleaved segments of channels with the same number of keys.
fn separate_channels<const N: usize>(animation: &Animation, lanes: &[ChannelLane], segments: &mut Vec<[f32; N]>) -> Vec<SeparateChannel> {
    let (first_segment, stride) = (segments.len(), lanes.len());
    let times = |lane: &ChannelLane| &animation.key_times[animation.channels[lane.channel].key_times];
    let key_count = lanes.first().map_or(0, |lane| times(lane).len());
    // Interleave the channels key by key: the first key of every channel, then the second.
    let mut numbers = [0.0; 16];
    for key in 0..key_count {
        for lane in lanes {
            let times = times(lane);
            coefficients::coefficients(&animation.channels[lane.channel], times, key, 0, &mut numbers);
            let mut segment = [0.0; N];
            // The last segment ends at infinity, so that a step never goes past it.
            (segment[0], segment[1]) = (times[key], times.get(key + 1).copied().unwrap_or(f32::INFINITY));
            segment[2..].copy_from_slice(&numbers[..N - 2]);
            segments.push(segment);
        }
    }
    let channel =
        |(start, lane): (usize, &ChannelLane)| SeparateChannel { target: lane.target, key_count: key_count as u32, start, stride };
    (first_segment..).zip(lanes).map(channel).collect()
}

/// Groups the lanes of all changing channels. Constant channels go to `constants`. Pointers and channels that are not precise in `f32` stay
/// uncompiled.
fn group_lanes(animation: &Animation, first_weight: &impl Fn(Target) -> u32, compiled: &mut CompiledAnimation) -> Vec<LaneGroup> {
    let mut groups: Vec<LaneGroup> = Vec::new();
    let mut group_indices = HashMap::new();
    for (index, channel) in animation.channels.iter().enumerate() {
        if let Some(value) = coefficients::constant(channel) {
            compiled.constants.push(ConstantChannel { target: channel.target, value });
            continue;
        }
        let is_precise = || coefficients::are_precise(channel, &animation.key_times[channel.key_times]);
        let Some(path) = channel_path(channel.target).filter(|_| is_precise()) else {
            compiled.uncompiled.push(index);
            continue;
        };
        // Groups are in the order in which the file first uses them, so that compiling twice gives the same result.
        let group = *group_indices.entry((channel.key_times, path, channel.interpolation)).or_insert_with(|| {
            groups.push(LaneGroup { key_times: channel.key_times, path, interpolation: channel.interpolation, lanes: Vec::new() });
            groups.len() - 1
        });
        let lanes = &mut groups[group].lanes;
        match channel.target {
            Target::Weights(_) => {
                let first_target = first_weight(channel.target);
                let lane = |component| ChannelLane { channel: index, component, target: first_target + component as u32 };
                lanes.extend((0..channel.components).map(lane));
            }
            target => lanes.extend(target.node().map(|node| ChannelLane { channel: index, component: 0, target: node.0 })),
        }
    }
    groups
}

/// Builds one timeline per set of key times that the groups use.
fn build_timelines(animation: &Animation, groups: &[LaneGroup]) -> Vec<Timeline> {
    let mut used: Vec<usize> = groups.iter().map(|group| group.key_times).collect();
    used.sort_unstable();
    used.dedup();
    let timeline = |key_times| build_timeline(animation, key_times, groups.iter().filter(|group| group.key_times == key_times));
    used.into_iter().map(timeline).collect()
}

/// Builds the timeline of one set of key times: first the layout of its blocks, then the coefficients of each segment.
fn build_timeline<'a>(animation: &Animation, key_times: usize, groups: impl Iterator<Item = &'a LaneGroup>) -> Timeline {
    let times = &animation.key_times[key_times];
    let mut timeline = Timeline { key_times, ..Timeline::default() };
    // For each block, the index of its first coefficient in a segment, and its lanes.
    let mut block_lanes = Vec::new();
    for group in groups {
        for lanes in group.lanes.chunks(8) {
            let last = lanes.len() - 1;
            // Empty lanes repeat the last lane in use, so that they compute and write the same values.
            let lane = |i: usize| lanes[i.min(last)];
            block_lanes.push((timeline.stride, std::array::from_fn::<ChannelLane, 8, _>(lane)));
            let targets = std::array::from_fn(|i| lane(i).target);
            timeline.blocks.push(ChannelBlock {
                path: group.path,
                interpolation: group.interpolation,
                targets,
                locals: LaneIndices::new(if group.path == ChannelPath::Weights { [0; 8] } else { targets }),
                lanes: lanes.len(),
                width: group.width(),
            });
            timeline.stride += group.width();
        }
    }
    timeline.coefficients = vec![F32x8::default(); timeline.stride * times.len()];
    let mut numbers = [0.0; 16];
    // Fill one block after the other, because the keys of a channel are contiguous in memory.
    for (start, lanes) in &block_lanes {
        for (key, segment) in timeline.coefficients.chunks_exact_mut(timeline.stride.max(1)).enumerate() {
            for (index, lane) in lanes.iter().enumerate() {
                let count = coefficients::coefficients(&animation.channels[lane.channel], times, key, lane.component, &mut numbers);
                for (vector, number) in segment[*start..].iter_mut().zip(&numbers[..count]) {
                    vector.0[index] = *number;
                }
            }
        }
    }
    timeline
}
