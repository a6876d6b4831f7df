//! The stages of a pose, measured one by one.

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

/// The stages of a pose one by one, one character after the other, over so many at once that the clock does not count.
pub struct Apart {
    members: Vec<(Sampler, Pose, GlobalMatrices)>,
    palette: Vec<JointMatrix>,
}

/// Members of a block.
const BLOCK: usize = 32;

impl Apart {
    pub fn new(model: &Model, prepared: &CompiledModel) -> Self {
        let member = || (Sampler::default(), Pose::rest(model), GlobalMatrices::new(&prepared.schedule));
        Self { members: (0..BLOCK).map(|_| member()).collect(), palette: vec![JointMatrix::IDENTITY; model.palette_len] }
    }

    /// How long sample, hierarchy and palette take for all members. The last two are one loop: the hierarchy is that loop without
    /// a palette to write, the palette what it takes longer with one.
    pub fn pose(&mut self, model: &Model, view: &View, time: f64, prepared: &CompiledModel) -> [Duration; 3] {
        let (mut took, count) = ([Duration::ZERO; 3], crowd::count(view));
        let range = playback_range::range(model, view);
        for first in (0..count).step_by(BLOCK) {
            let members = &mut self.members[..BLOCK.min(count - first)];
            let began = Instant::now();
            for (i, (sampler, pose, _)) in members.iter_mut().enumerate() {
                sampler.sample(prepared, model, view.animation, crowd::member_time(first + i, time, range), pose);
            }
            let sampled = Instant::now();
            for (_, pose, placed) in &mut *members {
                globals::compute(prepared.instructions, &prepared.schedule, &pose.locals, placed, &mut []);
            }
            let walked = Instant::now();
            for (_, pose, placed) in &mut *members {
                globals::compute(prepared.instructions, &prepared.schedule, &pose.locals, placed, &mut self.palette);
                std::hint::black_box(&self.palette);
            }
            let (sample, hierarchy) = (sampled - began, walked - sampled);
            for (took, more) in took.iter_mut().zip([sample, hierarchy, walked.elapsed().saturating_sub(hierarchy)]) {
                *took += more;
            }
        }
        took
    }
}
