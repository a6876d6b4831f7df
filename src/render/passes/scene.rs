//! What a picture shows of the world, in the order it is drawn: solid surfaces, the light from all around behind them, the ground,
//! the axes, and blended surfaces from the back to the front.

use crate::render::Renderer;
use crate::render::draw_list::draw::Draw;
use crate::render::frame::chunks::Part;
use crate::render::frame::plan::Plan;
use crate::render::passes::{self, Target};
use crate::render::pipelines::{PipelineKey, tonemap_index};

use super::timer::Timer;

impl Renderer {
    /// `load`: what surfaces are drawn over; where that is what was drawn, the solid ones were. `ghosts`: in one step.
    pub(crate) fn draw_scene(&mut self, encoder: &mut wgpu::CommandEncoder, plan: &Plan, load: wgpu::LoadOp<wgpu::Color>, ghosts: &[Part]) {
        let Some(targets) = &self.targets else { return };
        let target = Target { load, ..targets.scene_target() };
        let mut pass = passes::begin(encoder, "scene", &target, self.timer.as_mut().and_then(Timer::begin));
        pass.set_bind_group(0, &self.frame_group, &[]);
        self.draw_before_ghosts(&mut pass, plan, load);
        self.draw_ghosts(&mut pass, ghosts);
        self.draw_after_ghosts(&mut pass, plan);
    }

    /// All before the ghosts, which are drawn into the same samples step by step.
    pub(crate) fn begin_scene(&mut self, encoder: &mut wgpu::CommandEncoder, plan: &Plan, load: wgpu::LoadOp<wgpu::Color>) {
        let Some(targets) = &self.targets else { return };
        let target = Target { load, resolve: None, kept: true, ..targets.scene_target() };
        let mut pass = passes::begin(encoder, "scene begins", &target, self.timer.as_mut().and_then(Timer::begin));
        pass.set_bind_group(0, &self.frame_group, &[]);
        self.draw_before_ghosts(&mut pass, plan, load);
    }

    /// All after them.
    pub(crate) fn end_scene(&mut self, encoder: &mut wgpu::CommandEncoder, plan: &Plan) {
        let Some(targets) = &self.targets else { return };
        let target = Target { load: wgpu::LoadOp::Load, ..targets.scene_target() };
        let mut pass = passes::begin(encoder, "scene ends", &target, self.timer.as_mut().and_then(Timer::begin));
        pass.set_bind_group(0, &self.frame_group, &[]);
        self.draw_after_ghosts(&mut pass, plan);
    }

    fn draw_before_ghosts(&self, pass: &mut wgpu::RenderPass, plan: &Plan, load: wgpu::LoadOp<wgpu::Color>) {
        if !matches!(load, wgpu::LoadOp::Load) {
            self.draw_solid(pass, plan.draws.solid.iter(), false);
        }
        self.draw_surroundings(pass, plan);
    }

    fn draw_after_ghosts(&self, pass: &mut wgpu::RenderPass, plan: &Plan) {
        let mut bound = None;
        for draw in plan.draws.blended.iter().filter(|draw| !draw.instances.is_empty()) {
            passes::bind_page(pass, &self.pages, draw, &mut bound);
            for pipeline in draw.keys().filter_map(|key| self.pipelines.get(PipelineKey::Surface(key))) {
                pass.set_pipeline(pipeline);
                passes::draw_primitive(pass, draw, (draw.indices(), draw.instances.clone()), &self.materials);
            }
        }
        if plan.display.wireframe {
            self.draw_wires(pass, plan.draws.solid.iter().chain(&plan.draws.blended));
        }
        self.draw_hidden(pass, plan);
    }

    /// `all`: what is not in the picture, too.
    pub(crate) fn draw_solid<'a>(&self, pass: &mut wgpu::RenderPass, draws: impl Iterator<Item = &'a Draw<'a>>, all: bool) {
        let mut bound = None;
        for draw in draws {
            let instances = if all { &draw.all } else { &draw.instances }.clone();
            if instances.is_empty() {
                continue;
            }
            let Some(pipeline) = self.pipelines.get(PipelineKey::Surface(draw.key)) else { continue };
            passes::bind_page(pass, &self.pages, draw, &mut bound);
            pass.set_pipeline(pipeline);
            passes::draw_primitive(pass, draw, (draw.indices(), instances), &self.materials);
        }
    }

    /// The light from all around behind the ground; in x-ray, where each goes behind what was drawn before it, the other way round.
    pub(crate) fn draw_surroundings(&self, pass: &mut wgpu::RenderPass, plan: &Plan) {
        if plan.display.xray {
            self.draw_ground(pass, plan);
            self.draw_background(pass, plan);
        } else {
            self.draw_background(pass, plan);
            self.draw_ground(pass, plan);
        }
    }

    fn draw_background(&self, pass: &mut wgpu::RenderPass, plan: &Plan) {
        let key = PipelineKey::Background { tonemap: tonemap_index(plan.display.tonemap), behind: plan.display.xray };
        if let Some(pipeline) = self.pipelines.get(key).filter(|_| plan.shows_environment) {
            pass.set_pipeline(pipeline);
            pass.draw(0..3, 0..1);
        }
    }

    fn draw_ground(&self, pass: &mut wgpu::RenderPass, plan: &Plan) {
        // What lets the skeleton through lets the ground through, too.
        let behind = plan.display.xray;
        if let Some(pipeline) = self.pipelines.get(PipelineKey::Ground).filter(|_| plan.draws.shadow) {
            pass.set_pipeline(pipeline);
            pass.draw(0..4, 0..1);
        }
        if let Some(pipeline) = self.pipelines.get(PipelineKey::Grid { behind }).filter(|_| plan.display.grid) {
            pass.set_pipeline(pipeline);
            pass.draw(0..4, 0..1);
        }
        if let Some(pipeline) = self.pipelines.get(PipelineKey::SceneLines { behind }).filter(|_| plan.axes > 0) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.scene_lines.buffer().slice(..));
            pass.draw(0..4, 0..plan.axes as u32);
        }
    }
}
