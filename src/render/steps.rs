//! Many triangles in steps, each handed over by itself: a program that draws on the processor keeps everything that it was handed
//! until it is drawn, a few hundred bytes for each triangle.

use std::ops::Range;

use super::Renderer;
use super::draws::Draw;
use super::gpu::Gpu;
use super::passes::{self, Target};
use super::pipelines::PipelineKey;
use super::timer::Timer;

/// Points, lines and triangles are all whole in it.
const WHOLE: u32 = 6;

/// Some indices of a draw.
type Part<'d, 'a> = (&'d Draw<'a>, Range<u32>);

impl Renderer {
    /// Draws them, if they are too many for once. Returns what is drawn over next: what was loaded means that they are drawn.
    pub(super) fn draw_in_steps(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        solid: &[Draw],
        behind: wgpu::LoadOp<wgpu::Color>,
    ) -> wgpu::LoadOp<wgpu::Color> {
        let Some(targets) = &self.targets else { return behind };
        let steps = steps(solid, self.indices_at_once);
        if steps.len() < 2 {
            return behind;
        }
        let view = targets.samples.as_ref().unwrap_or(&targets.scene);
        let mut load = behind;
        let mut under_way = None;
        for step in steps {
            let target = Target { view, resolve: None, load, depth: Some(&targets.depth), kept: true };
            let mut pass = passes::begin(encoder, "step", &target, self.timer.as_mut().and_then(Timer::begin));
            pass.set_bind_group(0, &self.frame_group, &[]);
            let mut bound = None;
            for (draw, indices) in step {
                let Some(pipeline) = self.pipelines.get(PipelineKey::Surface(draw.key)) else { continue };
                passes::bind_page(&mut pass, &self.pages, draw, &mut bound);
                pass.set_pipeline(pipeline);
                passes::draw_primitive(&mut pass, draw, (indices, draw.instances.clone()), &self.materials);
            }
            drop(pass);
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
}

fn steps<'d, 'a>(draws: &'d [Draw<'a>], at_once: u32) -> Vec<Vec<Part<'d, 'a>>> {
    let (mut steps, mut step, mut room) = (Vec::new(), Vec::new(), at_once);
    for draw in draws.iter().filter(|draw| !draw.instances.is_empty()) {
        let instances = draw.instances.len() as u32;
        let all = draw.indices();
        let mut start = all.start;
        while start < all.end {
            let fit = (room / instances.max(1) / WHOLE * WHOLE).max(WHOLE);
            let end = all.end.min(start.saturating_add(fit));
            step.push((draw, start..end));
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
