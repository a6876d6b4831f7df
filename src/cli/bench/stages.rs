//! Measures the stages of a pose one by one.

use std::time::{Duration, Instant};

use crate::animation::compiled::model::CompiledModel;
use crate::animation::compiled::sample::Sampler;
use crate::animation::hierarchy::globals::{self, GlobalMatrices};
use crate::animation::hierarchy::pose::Pose;
use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::session::pose::crowd;
use crate::session::view::View;
use crate::session::view::playback_range;

/// Measures each stage over a block of members. Blocks are large enough that the time of reading the clock is negligible.
pub struct StageTimer {
    /// The buffers of one block's members.
    members: Vec<(Sampler, Pose, GlobalMatrices)>,
    /// The palette that all members write to in turn.
    palette: Vec<JointMatrix>,
}

/// Number of members per block.
const BLOCK_SIZE: usize = 32;

impl StageTimer {
    /// Prepares the buffers of one block.
    pub fn new(model: &Model, compiled: &CompiledModel) -> Self {
        let member = || (Sampler::default(), Pose::rest(model), GlobalMatrices::new(&compiled.schedule));
        Self { members: (0..BLOCK_SIZE).map(|_| member()).collect(), palette: vec![JointMatrix::IDENTITY; model.palette_len] }
    }

    /// Durations of sample, hierarchy and palette over all members.
    ///
    /// One loop computes hierarchy and palette. The duration of the hierarchy is that of the loop without a palette to write. The duration
    /// of the palette is the additional time of the loop with a palette.
    pub fn measure(&mut self, model: &Model, view: &View, time: f64, compiled: &CompiledModel) -> [Duration; 3] {
        let (mut times, count) = ([Duration::ZERO; 3], crowd::count(view));
        let range = playback_range::range(model, view);
        for first in (0..count).step_by(BLOCK_SIZE) {
            let members = &mut self.members[..BLOCK_SIZE.min(count - first)];
            let start = Instant::now();
            for (i, (sampler, pose, _)) in members.iter_mut().enumerate() {
                sampler.sample(compiled, model, view.animation, crowd::member_time(first + i, time, range), pose);
            }
            let sampled = Instant::now();
            for (_, pose, placed) in &mut *members {
                globals::compute(compiled.instructions, &compiled.schedule, &pose.locals, placed, &mut []);
            }
            // Run the same loop again, with a palette. The additional time is the cost of writing the palette.
            let walked = Instant::now();
            for (_, pose, placed) in &mut *members {
                globals::compute(compiled.instructions, &compiled.schedule, &pose.locals, placed, &mut self.palette);
                std::hint::black_box(&self.palette);
            }
            let (sample, hierarchy) = (sampled - start, walked - sampled);
            for (time, more) in times.iter_mut().zip([sample, hierarchy, walked.elapsed().saturating_sub(hierarchy)]) {
                *time += more;
            }
        }
        times
    }
}
