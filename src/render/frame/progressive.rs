//! A picture in which nothing moves, drawn over several frames: first all but its ghosts, then those step by step. What was seen
//! before stays until it is whole, and that then stays.

use crate::render::Renderer;
use crate::render::device::gpu::Gpu;
use crate::render::picture::{Actor, Picture};

use super::chunks;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Turn {
    /// Every picture is drawn whole.
    Moving,
    /// So many steps of its ghosts are drawn.
    Steps(usize),
    Whole,
}

impl Renderer {
    /// Goes on with what the last picture showed, and perhaps more ghosts of it. Tells whether it is whole. [`Renderer::draw`]
    /// begins another.
    pub fn draw_on(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        viewport: [u32; 4],
        picture: &Picture,
        actors: &[Actor],
    ) -> bool {
        let size = picture.samples(viewport);
        if self.targets.as_ref().is_none_or(|targets| targets.size != size) {
            self.draw(gpu, encoder, target, viewport, picture, actors);
            return true;
        }
        self.begin(gpu, picture, actors);
        if self.turn != Turn::Whole
            && let Some(plan) = self.plan(gpu, encoder, picture, actors, size).filter(|_| !self.late)
        {
            let ghosts = chunks::steps(plan.draws.of_ghosts(), self.indices_a_turn);
            let done = match self.turn {
                Turn::Steps(done) => done,
                _ => {
                    let behind = self.draw_before(gpu, encoder, picture, actors, &plan, size);
                    self.begin_scene(encoder, &plan, behind);
                    0
                }
            };
            self.turn = Turn::Steps(done + 1);
            if let Some(step) = done.checked_sub(1).and_then(|done| ghosts.get(done)) {
                self.draw_step(encoder, step, wgpu::LoadOp::Load);
            }
            if done >= ghosts.len() {
                self.end_scene(encoder, &plan);
                self.turn = Turn::Whole;
            }
        }
        self.show(gpu, encoder, target, viewport, picture);
        self.turn == Turn::Whole
    }
}
