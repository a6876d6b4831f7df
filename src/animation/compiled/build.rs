//! An animation's channels to rows ([`crate::animation::compiled`]): which of them share blocks of eight, which go by rows of their own, and which
//! are left as the file has them, so that the whole stays small.

use std::collections::HashMap;

use crate::animation::simd::F32x8;
use crate::animation::simd::eight::LaneIndices;
use crate::model::animation::{Animation, Interpolation, Target};

use super::{Block, Constant, Loose, LooseRotation, LooseVector, MOST_GROWTH, Path, Rows, Timeline, coefficients, key_bytes};

/// Key times that fewer lanes share are not worth blocks.
const LEAST_LANES: usize = 4;

/// Octs that a block takes in a row.
fn octs(path: Path, interpolation: Interpolation) -> usize {
    let components = match path {
        Path::Translation | Path::Scale => 3,
        Path::Rotation => 4,
        Path::Weights => 1,
    };
    components
        * match interpolation {
            Interpolation::Step => 1,
            Interpolation::Linear => 2,
            Interpolation::CubicSpline => 4,
        }
}

/// None for what a pointer drives: so few numbers are not worth rows.
fn path(target: Target) -> Option<Path> {
    match target {
        Target::Translation(_) => Some(Path::Translation),
        Target::Rotation(_) => Some(Path::Rotation),
        Target::Scale(_) => Some(Path::Scale),
        Target::Weights(_) => Some(Path::Weights),
        Target::Pointer(_) => None,
    }
}

/// One lane to be: a channel, or of a weights channel one of its numbers.
#[derive(Debug, Clone, Copy)]
struct Lane {
    channel: usize,
    component: usize,
    target: u32,
}

/// Lanes that can share blocks.
struct Group {
    key_times: usize,
    path: Path,
    interpolation: Interpolation,
    lanes: Vec<Lane>,
}

impl Group {
    fn octs(&self) -> usize {
        octs(self.path, self.interpolation)
    }

    /// Lanes of the last block, if that is not full.
    fn rest(&self) -> usize {
        self.lanes.len() % 8
    }

    /// Bytes that the empty lanes of the last block take.
    fn waste(&self, animation: &Animation) -> usize {
        let empty = if self.rest() > 0 { 8 - self.rest() } else { 0 };
        empty * self.octs() * 4 * animation.key_times[self.key_times].len()
    }
}

/// Makes the rows of an animation. `weights_start`: where the morph weights of a node begin.
pub fn rows(animation: &Animation, weights_start: impl Fn(Target) -> u32) -> Rows {
    let mut rows = Rows::default();
    let mut groups = groups(animation, &weights_start, &mut rows);
    let mut lanes_of = vec![0; animation.key_times.len()];
    for group in &groups {
        lanes_of[group.key_times] += group.lanes.len();
    }
    // A search and a block for a lane or two cost more than eight lanes from here and there.
    let mut loose = Vec::new();
    for group in groups.iter_mut().filter(|group| lanes_of[group.key_times] < LEAST_LANES) {
        dissolve_rest(animation, group, &mut rows, &mut loose);
    }
    // The most wasteful last blocks are dissolved until what is left is small enough.
    let bytes =
        |group: &Group| group.lanes.len().div_ceil(8) * group.octs() * size_of::<F32x8>() * animation.key_times[group.key_times].len();
    let taken = groups.iter().map(bytes).sum::<usize>() + loose.iter().map(|lane| loose_bytes(animation, lane)).sum::<usize>();
    let mut excess = taken.saturating_sub(key_bytes(animation) * MOST_GROWTH);
    let mut by_waste: Vec<usize> = (0..groups.len()).collect();
    by_waste.sort_by_key(|&g| std::cmp::Reverse(groups[g].waste(animation)));
    for g in by_waste {
        if excess == 0 {
            break;
        }
        excess = excess.saturating_sub(groups[g].waste(animation));
        dissolve_rest(animation, &mut groups[g], &mut rows, &mut loose);
    }
    add_loose(animation, loose, &mut rows);
    rows.plain.sort_unstable();
    rows.plain.dedup();
    // A weights channel of which one lane is plain is plain altogether.
    for group in groups.iter_mut().filter(|group| group.path == Path::Weights) {
        group.lanes.retain(|lane| rows.plain.binary_search(&lane.channel).is_err());
    }
    groups.retain(|group| !group.lanes.is_empty());
    rows.timelines = timelines(animation, &groups);
    rows
}

/// The last block, if it is not full: its lanes' channels go by rows of their own where they are LINEAR transforms, else by the
/// file's keys.
fn dissolve_rest(animation: &Animation, group: &mut Group, rows: &mut Rows, loose: &mut Vec<Lane>) {
    let kept = group.lanes.len() - group.rest();
    for lane in group.lanes.split_off(kept) {
        if group.path == Path::Weights || animation.channels[lane.channel].interpolation != Interpolation::Linear {
            rows.plain.push(lane.channel);
        } else {
            loose.push(lane);
        }
    }
}

fn loose_bytes(animation: &Animation, lane: &Lane) -> usize {
    let channel = &animation.channels[lane.channel];
    let row = if matches!(channel.target, Target::Rotation(_)) { size_of::<LooseRotation>() } else { size_of::<LooseVector>() };
    row * animation.key_times[channel.key_times].len()
}

/// Makes the rows of channels that have some of their own.
fn add_loose(animation: &Animation, mut lanes: Vec<Lane>, rows: &mut Rows) {
    let keys = |lane: &Lane| animation.key_times[animation.channels[lane.channel].key_times].len();
    lanes.sort_by_key(keys);
    let of_kind = |kind: Path| lanes.iter().copied().filter(move |lane| path(animation.channels[lane.channel].target) == Some(kind));
    for (place, kind) in [Path::Translation, Path::Rotation, Path::Scale].into_iter().enumerate() {
        for lanes in of_kind(kind).collect::<Vec<Lane>>().chunk_by(|a, b| keys(a) == keys(b)) {
            rows.loose[place].extend(match kind {
                Path::Rotation => loose(animation, lanes, &mut rows.loose_rotations),
                _ => loose(animation, lanes, &mut rows.loose_vectors),
            });
        }
    }
}

/// Channels of equally many keys.
fn loose<const N: usize>(animation: &Animation, lanes: &[Lane], rows: &mut Vec<[f32; N]>) -> Vec<Loose> {
    let (first, stride) = (rows.len(), lanes.len());
    let times = |lane: &Lane| &animation.key_times[animation.channels[lane.channel].key_times];
    let keys = lanes.first().map_or(0, |lane| times(lane).len());
    let mut numbers = [0.0; 16];
    for key in 0..keys {
        for lane in lanes {
            let times = times(lane);
            coefficients::coefficients(&animation.channels[lane.channel], times, key, 0, &mut numbers);
            let mut row = [0.0; N];
            (row[0], row[1]) = (times[key], times.get(key + 1).copied().unwrap_or(f32::INFINITY));
            row[2..].copy_from_slice(&numbers[..N - 2]);
            rows.push(row);
        }
    }
    let loose = |(i, lane): (usize, &Lane)| Loose { target: lane.target, keys: keys as u32, start: first + i, stride };
    lanes.iter().enumerate().map(loose).collect()
}

/// The lanes of all channels that change, grouped; those that do not become constants, those of pointers plain.
fn groups(animation: &Animation, weights_start: &impl Fn(Target) -> u32, rows: &mut Rows) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut found = HashMap::new();
    for (index, channel) in animation.channels.iter().enumerate() {
        if let Some(value) = coefficients::constant(channel) {
            rows.constants.push(Constant { target: channel.target, value });
            continue;
        }
        let Some(path) = path(channel.target) else {
            rows.plain.push(index);
            continue;
        };
        let group = *found.entry((channel.key_times, path, channel.interpolation)).or_insert_with(|| {
            groups.push(Group { key_times: channel.key_times, path, interpolation: channel.interpolation, lanes: Vec::new() });
            groups.len() - 1
        });
        let lanes = &mut groups[group].lanes;
        match channel.target {
            Target::Weights(_) => {
                let start = weights_start(channel.target);
                lanes.extend((0..channel.components).map(|component| Lane { channel: index, component, target: start + component as u32 }));
            }
            target => lanes.extend(target.node().map(|node| Lane { channel: index, component: 0, target: node.0 })),
        }
    }
    groups
}

fn timelines(animation: &Animation, groups: &[Group]) -> Vec<Timeline> {
    let mut used: Vec<usize> = groups.iter().map(|group| group.key_times).collect();
    used.sort_unstable();
    used.dedup();
    let timeline = |key_times| timeline(animation, key_times, groups.iter().filter(|group| group.key_times == key_times));
    used.into_iter().map(timeline).collect()
}

fn timeline<'a>(animation: &Animation, key_times: usize, groups: impl Iterator<Item = &'a Group>) -> Timeline {
    let times = &animation.key_times[key_times];
    let mut timeline = Timeline { key_times, ..Timeline::default() };
    let mut places = Vec::new();
    for group in groups {
        for lanes in group.lanes.chunks(8) {
            let last = lanes.len() - 1;
            let lane = |i: usize| lanes[i.min(last)];
            let targets = LaneIndices::new(std::array::from_fn(|i| lane(i).target));
            places.push((timeline.stride, std::array::from_fn::<Lane, 8, _>(lane)));
            timeline.blocks.push(Block {
                path: group.path,
                interpolation: group.interpolation,
                targets,
                lanes: lanes.len(),
                octs: group.octs(),
            });
            timeline.stride += group.octs();
        }
    }
    timeline.rows = vec![F32x8::default(); timeline.stride * times.len()];
    let mut numbers = [0.0; 16];
    for (key, row) in timeline.rows.chunks_exact_mut(timeline.stride.max(1)).enumerate() {
        for (start, lanes) in &places {
            for (at, lane) in lanes.iter().enumerate() {
                let count = coefficients::coefficients(&animation.channels[lane.channel], times, key, lane.component, &mut numbers);
                for (oct, number) in row[*start..].iter_mut().zip(&numbers[..count]) {
                    oct.0[at] = *number;
                }
            }
        }
    }
    timeline
}
