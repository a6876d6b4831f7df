//! Measures the stages of a pose one by one.

use std::time::Instant;

use crate::animation::compiled::model::CompiledModel;
use crate::animation::compiled::sample::Sampler;
use crate::animation::hierarchy::globals::{self, GlobalMatrices};
use crate::animation::hierarchy::pose::Pose;
use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::session::pose::crowd::{self, Phases};
use crate::session::time::moment::Moment;
use crate::session::view::View;

/// Measures each stage over a block of members. Blocks are large enough that the time of reading the clock is negligible.
pub struct StageTimer {
    /// The buffers of one block's members.
    members: Vec<Member>,
    /// The palette that all members write to in turn.
    palette: Vec<JointMatrix>,
}

/// The buffers of one member.
type Member = (Sampler, Pose, GlobalMatrices);

/// Number of members per block.
const BLOCK_SIZE: usize = 32;

/// The number of times that the hierarchy of each block is measured without the palette, and as often with it.
const WALKS: usize = 3;

impl StageTimer {
    /// Prepares the buffers of one block.
    pub fn new(model: &Model, compiled: &CompiledModel) -> Self {
        let member = || (Sampler::default(), Pose::rest(model), GlobalMatrices::new(&compiled.schedule));
        Self { members: (0..BLOCK_SIZE).map(|_| member()).collect(), palette: vec![JointMatrix::IDENTITY; model.palette_len] }
    }

    /// Times of sample, hierarchy and palette over all members, in milliseconds.
    ///
    /// One loop computes hierarchy and palette. The time of the hierarchy is that of the loop without a palette to write. The time of the
    /// palette is the additional time of the loop with a palette. It is negative if that is less than the two times vary. The shortest of
    /// several times counts, because other programs may interrupt a loop.
    pub fn measure(&mut self, model: &Model, view: &View, time: f64, compiled: &CompiledModel) -> [f64; 3] {
        let (mut times, count) = ([0.0; 3], crowd::count(view));
        let (phases, moment) = (Phases::new(model, view), Moment::from(time));
        for first in (0..count).step_by(BLOCK_SIZE) {
            let members = &mut self.members[..BLOCK_SIZE.min(count - first)];
            let start = Instant::now();
            for (i, (sampler, pose, _)) in members.iter_mut().enumerate() {
                sampler.sample(compiled, model, view.animation, phases.time(first + i, &moment), pose);
            }
            times[0] += start.elapsed().as_secs_f64() * 1e3;
            // The first walk is not measured: it loads the caches for all of the others.
            walk(compiled, members, &mut self.palette);
            let (mut hierarchy, mut both) = (f64::MAX, f64::MAX);
            for _ in 0..WALKS {
                hierarchy = hierarchy.min(walk(compiled, members, &mut []));
                both = both.min(walk(compiled, members, &mut self.palette));
            }
            times[1] += hierarchy;
            times[2] += both - hierarchy;
        }
        times
    }
}

/// Computes the hierarchy of each member, and its palette if there is one to write. A small block is walked several times. Returns the time
/// of one walk over the block, in milliseconds.
fn walk(compiled: &CompiledModel, members: &mut [Member], palette: &mut [JointMatrix]) -> f64 {
    let repetitions = BLOCK_SIZE / members.len();
    let start = Instant::now();
    for _ in 0..repetitions {
        for (_, pose, placed) in &mut *members {
            globals::compute(compiled.instructions, &compiled.schedule, &pose.locals, placed, palette);
            std::hint::black_box(&*palette);
        }
    }
    start.elapsed().as_secs_f64() * 1e3 / repetitions as f64
}
