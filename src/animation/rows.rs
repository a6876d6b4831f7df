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

use crate::model::animation::{Animation, Interpolation, Target};

use super::compile;
use super::lanes::Oct;
use super::lanes::eight::Eight;

/// Rows take at most so many times the bytes of the keys they are made of.
pub const MOST_GROWTH: usize = 4;

/// Key times that fewer lanes share are not worth blocks.
const LEAST_LANES: usize = 4;

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
    pub targets: Eight,
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
    pub rows: Vec<Oct>,
}

/// A LINEAR channel with rows of its own, among [`Rows::loose_rotations`] or [`Rows::loose_vectors`].
#[derive(Debug, Clone, PartialEq)]
pub struct Loose {
    pub target: u32,
    pub keys: u32,
    /// Its first row.
    start: usize,
    /// How far apart its rows are. Channels of as many keys take turns, so that what is needed at one time is near.
    stride: usize,
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
    /// Indices of channels that are sampled in f64 besides ([`super::trunk`]).
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
        let timelines = self.timelines.iter().map(|timeline| timeline.rows.len() * size_of::<Oct>());
        timelines.sum::<usize>() + size_of_val(&self.loose_rotations[..]) + size_of_val(&self.loose_vectors[..])
    }
}

/// Bytes of the keys as the file has them: times and values.
pub fn key_bytes(animation: &Animation) -> usize {
    let times = animation.key_times.iter().map(Vec::len).sum::<usize>();
    let values = animation.channels.iter().map(|channel| channel.output.len()).sum::<usize>();
    (times + values) * 4
}

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
        |group: &Group| group.lanes.len().div_ceil(8) * group.octs() * size_of::<Oct>() * animation.key_times[group.key_times].len();
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
            compile::coefficients(&animation.channels[lane.channel], times, key, 0, &mut numbers);
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
    let mut found = std::collections::HashMap::new();
    for (index, channel) in animation.channels.iter().enumerate() {
        if let Some(value) = compile::constant(channel) {
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
            let targets = Eight::new(std::array::from_fn(|i| lane(i).target));
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
    timeline.rows = vec![Oct::default(); timeline.stride * times.len()];
    let mut numbers = [0.0; 16];
    for (key, row) in timeline.rows.chunks_exact_mut(timeline.stride.max(1)).enumerate() {
        for (start, lanes) in &places {
            for (at, lane) in lanes.iter().enumerate() {
                let count = compile::coefficients(&animation.channels[lane.channel], times, key, lane.component, &mut numbers);
                for (oct, number) in row[*start..].iter_mut().zip(&numbers[..count]) {
                    oct.0[at] = *number;
                }
            }
        }
    }
    timeline
}
