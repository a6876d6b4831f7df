//! Many triangles in steps, each handed over by itself: a program that draws on the processor keeps everything that it was handed
//! until it is drawn, a few hundred bytes for each triangle.

use std::ops::Range;

use crate::render::Renderer;
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::draw::Draw;
use crate::render::passes::timer::Timer;
use crate::render::passes::{self, Target};
use crate::render::pipelines::{PipelineKey, Role, SurfaceKey};

/// Points, lines and triangles are all whole in it.
const WHOLE: u32 = 6;

/// Some indices of a draw, with one of its pipelines.
pub(crate) type Part<'d, 'a> = (&'d Draw<'a>, SurfaceKey, Range<u32>);

impl Renderer {
    /// Draws them, if they are too many for once. Returns what is drawn over next: what was loaded means that they are drawn.
    pub(crate) fn draw_in_steps(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        steps: &[Vec<Part>],
        behind: wgpu::LoadOp<wgpu::Color>,
    ) -> wgpu::LoadOp<wgpu::Color> {
        if self.targets.is_none() || steps.len() < 2 {
            return behind;
        }
        let mut load = behind;
        let mut under_way = None;
        for step in steps {
            self.draw_step(encoder, step, load);
            let next = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("step") });
            let submitted = gpu.queue.submit([std::mem::replace(encoder, next).finish()]);
            if let Some(before) = under_way.replace(submitted) {
                // A device that is lost has nothing left to wait for; what is read back will say so.
                let _ = gpu.device.poll(wgpu::PollType::Wait { submission_index: Some(before), timeout: None });
            }
            load = wgpu::LoadOp::Load;
        }
        load
    }

    /// Into the samples, which are kept.
    pub(crate) fn draw_step(&mut self, encoder: &mut wgpu::CommandEncoder, step: &[Part], load: wgpu::LoadOp<wgpu::Color>) {
        let Some(targets) = &self.targets else { return };
        let target = Target { load, resolve: None, kept: true, ..targets.scene_target() };
        let mut pass = passes::begin(encoder, "step", &target, self.timer.as_mut().and_then(Timer::begin));
        pass.set_bind_group(0, &self.frame_group, &[]);
        match step.first() {
            Some((_, key, _)) if matches!(key.role, Role::GhostDepth | Role::Ghost) => self.draw_ghosts(&mut pass, step),
            _ => self.draw_parts(&mut pass, step),
        }
    }

    pub(crate) fn draw_parts(&self, pass: &mut wgpu::RenderPass, parts: &[Part]) {
        let mut bound = None;
        for (draw, key, indices) in parts {
            let Some(pipeline) = self.pipelines.get(PipelineKey::Surface(*key)) else { continue };
            passes::bind_page(pass, &self.pages, draw, &mut bound);
            pass.set_pipeline(pipeline);
            passes::draw_primitive(pass, draw, (indices.clone(), draw.instances.clone()), &self.materials);
        }
    }
}

/// As they are handed over, `at_once` indices in a step.
pub(crate) fn steps<'d, 'a: 'd>(draws: impl Iterator<Item = (&'d Draw<'a>, SurfaceKey)>, at_once: u32) -> Vec<Vec<Part<'d, 'a>>> {
    let (mut steps, mut step, mut room) = (Vec::new(), Vec::new(), at_once);
    for (draw, key) in draws.filter(|(draw, _)| !draw.instances.is_empty()) {
        let instances = draw.instances.len() as u32;
        let all = draw.indices();
        let mut start = all.start;
        while start < all.end {
            let fit = (room / instances.max(1) / WHOLE * WHOLE).max(WHOLE);
            let end = all.end.min(start.saturating_add(fit));
            step.push((draw, key, start..end));
            room = room.saturating_sub((end - start).saturating_mul(instances));
            if room < WHOLE {
                steps.push(std::mem::take(&mut step));
                room = at_once;
            }
            start = end;
        }
    }
    if !step.is_empty() {
        steps.push(step);
    }
    steps
}
