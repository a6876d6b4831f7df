//! Poses the members of a crowd: many copies of one model, each at its own time. Eight are posed at once, one per lane.
//!
//! In a crowd of 1,000, a member of 24 joints takes about 70 % of the time that it takes when posed alone. Crowds of large rigs wait for
//! memory, so they gain nothing (docs/benchmarks.md, "Posing"). `--instances` accepts up to 100,000.
//!
//! `sample` gathers and transposes the coefficients of eight segments ([`super::compiled`]), so that each lane holds one member.
//! `globals` then transposes only once more, when it writes the palettes, in the order of `slots`. Threads pose parts of a large crowd.

mod globals;
mod sample;
mod slots;

use std::sync::{Mutex, PoisonError};

use glam::{Vec3, Vec4};

use crate::model::Model;
use crate::model::hierarchy::Trs;

use super::compiled::model::AnimationContext;
use super::compiled::sample::write_constants;
use super::hierarchy::globals::product;
use super::hierarchy::pose::Pose;
use super::hierarchy::schedule::Schedule;
use super::hierarchy::skinning::JointMatrix;
use super::simd::{self, F32x8, Kernel, Simd};

use globals::LanePalettes;
use slots::NodeSlot;

/// Minimum number of palette entries per thread, because starting a thread takes longer than posing a few members.
const MIN_ENTRIES_PER_THREAD: usize = 20_000;
/// Parts of a large crowd per thread.
const PARTS_PER_THREAD: usize = 8;

/// The members of a crowd and their state, allocated once.
#[derive(Debug, Clone, Default)]
pub struct CrowdMembers {
    /// The palettes of all members, of [`Model::palette_len`] matrices each.
    pub palettes: Vec<JointMatrix>,
    /// The morph weights of all members: all weights of the first member, then those of the next.
    pub weights: Vec<f32>,
    /// Offset of each member from the model's own position, in meters.
    positions: Vec<Vec3>,
    /// The same offsets, eight members each.
    offsets: Vec<LaneOffsets>,
    /// The cursors of all members ([`crate::animation::compiled::CompiledAnimation::cursor_count`] each).
    cursors: Vec<u32>,
    /// The slots of all nodes that move.
    slots: Vec<NodeSlot>,
    /// Buffers, one set per thread.
    scratches: Vec<LaneScratch>,
}

/// X, Y and Z of the offsets of eight members, in meters. Lanes without a member repeat the last one.
type LaneOffsets = [[f32; 8]; 3];

/// Eight 3x4 matrices by rows.
type LaneMatrix = [[F32x8; 4]; 3];

/// The buffers in which one thread poses eight members. Each [`F32x8`] holds one number per member.
#[derive(Debug, Clone)]
struct LaneScratch {
    /// Translation, rotation and scale of each node, in model order.
    locals: Vec<[F32x8; 10]>,
    /// The global matrix of each slot, base slots included.
    globals: Vec<LaneMatrix>,
    /// Pose of a single member, for uncompiled channels.
    pose: Pose,
}

impl CrowdMembers {
    /// Allocates a crowd and writes the values that the animation never changes.
    ///
    /// `context` is the animation that all members play. Without it, only palettes and weights are allocated, for a caller that writes
    /// them itself.
    /// `positions` has the offset of each member, in meters. `threads` is the maximum number of threads; small crowds use fewer.
    pub fn new(model: &Model, context: Option<AnimationContext>, positions: Vec<Vec3>, threads: usize) -> Self {
        let mut members = Self {
            palettes: vec![JointMatrix::IDENTITY; model.palette_len * positions.len()],
            weights: model.rest_weights.repeat(positions.len()),
            offsets: Vec::new(),
            cursors: Vec::new(),
            slots: Vec::new(),
            scratches: Vec::new(),
            positions,
        };
        if let Some(context) = context {
            members.prepare(context, threads);
        }
        members
    }

    /// Writes the values that the animation never changes, and allocates cursors and buffers.
    fn prepare(&mut self, context: AnimationContext, threads: usize) {
        let AnimationContext { model, schedule, compiled, .. } = context;
        let mut rest = Pose::rest(model);
        write_constants(model, compiled, &mut rest);
        let scratch = LaneScratch::new(context, &rest);
        for (position, palette) in self.positions.iter().zip(self.palettes.chunks_exact_mut(model.palette_len.max(1))) {
            scratch.write_static_entries(schedule, *position, palette);
        }
        self.offsets = self.positions.chunks(8).map(lane_offsets).collect();
        self.weights = rest.weights.repeat(self.positions.len());
        self.cursors = vec![0; compiled.cursor_count() * self.positions.len()];
        self.slots = slots::node_slots(schedule, schedule.static_blocks..schedule.blocks.len());
        let max_threads = (self.palettes.len() / MIN_ENTRIES_PER_THREAD).max(1).min(self.positions.len().div_ceil(8).max(1));
        self.scratches = vec![scratch; threads.clamp(1, max_threads)];
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Poses all members. `context` must be the one given to [`CrowdMembers::new`]. `times` has one entry per member, in seconds on the
    /// animation's time axis.
    pub fn pose(&mut self, context: AnimationContext, times: &[f64]) {
        let Self { palettes, weights, positions, offsets, cursors, slots, scratches } = self;
        let sizes = MemberSizes::new(context);
        let part_count = if scratches.len() > 1 { scratches.len() * PARTS_PER_THREAD } else { 1 };
        let part_len = positions.len().div_ceil(part_count).next_multiple_of(8).max(8);
        let mut parts = Vec::with_capacity(part_count);
        let (mut palettes, mut weights, mut cursors) = (&mut palettes[..], &mut weights[..], &mut cursors[..]);
        for (offsets, times) in offsets.chunks(part_len / 8).zip(times.chunks(part_len)) {
            let (own_palettes, own_weights, own_cursors);
            (own_palettes, palettes) = palettes.split_at_mut(sizes.palette * times.len());
            (own_weights, weights) = weights.split_at_mut(sizes.weights * times.len());
            (own_cursors, cursors) = cursors.split_at_mut(sizes.cursors * times.len());
            parts.push(Part { offsets, times, palettes: own_palettes, weights: own_weights, cursors: own_cursors });
        }
        // A thread takes the next part when it has posed one, so all threads end at about the same time, although some start later.
        let parts = Mutex::new(parts.into_iter());
        let pose_parts = |scratch: &mut LaneScratch| {
            let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some(part) = next() {
                simd::run(context.instructions, CrowdKernel { context, slots, part, scratch });
            }
        };
        let Some((own_scratch, scratches)) = scratches.split_first_mut() else { return };
        std::thread::scope(|scope| {
            for scratch in scratches {
                scope.spawn(|| pose_parts(scratch));
            }
            pose_parts(own_scratch);
        });
    }
}

/// The number of elements that one member has in each list.
#[derive(Clone, Copy)]
struct MemberSizes {
    /// Palette entries.
    palette: usize,
    /// Morph weights of all nodes.
    weights: usize,
    /// See [`crate::animation::compiled::CompiledAnimation::cursor_count`].
    cursors: usize,
}

impl MemberSizes {
    /// The sizes for the model and animation of `context`.
    #[inline(always)]
    fn new(context: AnimationContext) -> Self {
        let AnimationContext { model, compiled, .. } = context;
        Self { palette: model.palette_len, weights: model.rest_weights.len(), cursors: compiled.cursor_count() }
    }
}

impl LaneScratch {
    /// Allocates the buffers of a thread and computes the global matrices of nodes that never move. `rest` is the rest pose with the
    /// animation's constants.
    fn new(context: AnimationContext, rest: &Pose) -> Self {
        let AnimationContext { instructions, schedule, .. } = context;
        let splat = |x: f32| F32x8([x; 8]);
        let locals = rest.locals.iter().map(|local| trs_numbers(local).map(splat)).collect();
        // Members with far nodes are posed one by one, so here every base slot is global space.
        let identity = JointMatrix::IDENTITY.rows.map(|row| row.to_array().map(splat));
        let globals = vec![identity; schedule.base_slots + 2 * schedule.pairs.len()];
        let mut scratch = Self { locals, globals, pose: rest.clone() };
        let static_slots = slots::node_slots(schedule, 0..schedule.static_blocks);
        simd::run(instructions, StaticKernel { slots: &static_slots, scratch: &mut scratch });
        scratch
    }

    /// Writes the palette entries of nodes that never move.
    fn write_static_entries(&self, schedule: &Schedule, position: Vec3, palette: &mut [JointMatrix]) {
        let pairs = &schedule.pairs[..4 * schedule.static_blocks];
        for (pair, globals) in pairs.iter().zip(self.globals[schedule.base_slots..].as_chunks::<2>().0) {
            for (which, global) in globals.iter().enumerate() {
                let Some(entry) = palette.get_mut(pair.entries[which] as usize) else { continue };
                // All lanes are equal here, so the first one is enough.
                let row = |row: usize| Vec4::from_array(global[row].map(|column| column.0[0]));
                *entry = product(&JointMatrix { rows: [row(0), row(1), row(2)] }, &pair.inverse_bind_matrices.get(which));
                for (row, offset) in entry.rows.iter_mut().zip(position.to_array()) {
                    row.w += offset;
                }
            }
        }
    }
}

/// Computes the global matrices of nodes that never move. Writes no palette.
struct StaticKernel<'a> {
    slots: &'a [NodeSlot],
    scratch: &'a mut LaneScratch,
}

impl Kernel for StaticKernel<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let LaneScratch { locals, globals, .. } = self.scratch;
        globals::compute_eight(s, self.slots, locals, globals, &mut LanePalettes::<false>::new(&LaneOffsets::default(), 1, 0, &mut []));
    }
}

/// Returns the offsets of one to eight members.
fn lane_offsets(positions: &[Vec3]) -> LaneOffsets {
    let mut offsets = LaneOffsets::default();
    for lane in 0..8 {
        let [x, y, z] = positions[lane.min(positions.len() - 1)].to_array();
        (offsets[0][lane], offsets[1][lane], offsets[2][lane]) = (x, y, z);
    }
    offsets
}

/// Returns translation, rotation and scale as numbers.
fn trs_numbers(local: &Trs) -> [f32; 10] {
    let ([tx, ty, tz], [x, y, z, w], [sx, sy, sz]) = (local.translation.to_array(), local.rotation.to_array(), local.scale.to_array());
    [tx, ty, tz, x, y, z, w, sx, sy, sz]
}

/// Some members of a crowd: a multiple of eight, or the last ones.
struct Part<'a> {
    /// See [`CrowdMembers::offsets`].
    offsets: &'a [LaneOffsets],
    /// Time of each member, in seconds on the animation's time axis.
    times: &'a [f64],
    /// Palettes, weights and cursors of these members, one after the other.
    palettes: &'a mut [JointMatrix],
    weights: &'a mut [f32],
    cursors: &'a mut [u32],
}

/// Poses some of the members.
struct CrowdKernel<'a> {
    context: AnimationContext<'a>,
    /// See [`CrowdMembers::slots`].
    slots: &'a [NodeSlot],
    part: Part<'a>,
    scratch: &'a mut LaneScratch,
}

impl Kernel for CrowdKernel<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let sizes = MemberSizes::new(self.context);
        let Part { offsets, times, palettes, weights, cursors } = self.part;
        for (offsets, start) in offsets.iter().zip((0..).step_by(8)) {
            let end = (start + 8).min(times.len());
            let members = sample::EightMembers {
                times: &times[start..end],
                cursors: &mut cursors[start * sizes.cursors..end * sizes.cursors],
                weights: &mut weights[start * sizes.weights..end * sizes.weights],
                sizes,
            };
            sample::sample_eight(s, self.context, members, self.scratch);
            let (count, palettes) = (end - start, &mut palettes[start * sizes.palette..]);
            if count == 8 {
                let palettes = LanePalettes::<true>::new(offsets, count, sizes.palette, palettes);
                write_palettes(s, self.context, self.slots, self.scratch, palettes);
            } else {
                let palettes = LanePalettes::<false>::new(offsets, count, sizes.palette, palettes);
                write_palettes(s, self.context, self.slots, self.scratch, palettes);
            }
        }
    }
}

/// Computes global matrices and palettes from the local transforms in `scratch`.
#[inline(always)]
fn write_palettes<S: Simd, const FULL: bool>(
    s: S,
    context: AnimationContext,
    slots: &[NodeSlot],
    LaneScratch { locals, globals, .. }: &mut LaneScratch,
    mut palettes: LanePalettes<FULL>,
) {
    globals::compute_eight(s, slots, locals, globals, &mut palettes);
    globals::write_extra_entries(s, &context.schedule.extra_entries, globals, &mut palettes);
}
