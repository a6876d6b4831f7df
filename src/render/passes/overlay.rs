//! The passes that draw what lies over the picture: the mask of what is selected, the line around it, the skeleton; and the edges
//! of triangles over what is shaded.

use crate::render::Renderer;
use crate::render::annotations::joints::GpuSolidJoint;
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::draw::Draw;
use crate::render::frame::chunks::Part;
use crate::render::frame::plan::Plan;
use crate::render::passes::{self, Target};
use crate::render::picture::Picture;
use crate::render::pipelines::{PipelineKey, Role, SceneTarget};

use super::outline::{self, Outline};
use super::timer::Timer;

/// Of what is nearest; of everything else it is 1. What is nothing has 0.
const GHOSTS_DEPTH: f32 = 1e-4;

/// How much there is over a picture.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Over {
    pub lines: u32,
    pub solids: u32,
    pub outline: bool,
}

impl Over {
    pub fn any(&self) -> bool {
        self.lines > 0 || self.solids > 0 || self.outline
    }
}

impl Renderer {
    pub(crate) fn draw_over(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, picture: &Picture, plan: &Plan) {
        let over = plan.over();
        if over.outline {
            self.draw_mask(gpu, encoder, picture, plan);
        }
        let format = SceneTarget { format: self.target_format, ..self.scene };
        let Some(targets) = self.targets.as_mut().filter(|_| over.any()) else { return };
        let overlay = targets.overlay(gpu, format);
        let (view, resolve) = match &overlay.samples {
            Some(samples) => (samples, Some(&overlay.resolved)),
            None => (&overlay.resolved, None),
        };
        let target = Target { resolve, depth: Some(&targets.depth), ..Target::cleared(view) };
        let mut pass = passes::begin(encoder, "overlay", &target, self.timer.as_mut().and_then(Timer::begin));
        pass.set_bind_group(0, &self.frame_group, &[]);
        let outline = self.outline.as_ref().filter(|_| over.outline);
        if let (Some(outline), Some(pipeline)) = (outline, self.pipelines.get(PipelineKey::Outline)) {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(1, &outline.group, &[]);
            pass.draw(0..3, 0..1);
        }
        self.draw_solids(&mut pass, false, over.solids);
        if let Some(pipeline) = self.pipelines.get(PipelineKey::OverlayLines).filter(|_| over.lines > 0) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.overlay_lines.buffer().slice(..));
            pass.draw(0..4, 0..over.lines);
        }
    }

    /// The body is before all of them, however near they are: it is seen as it is without them.
    pub(crate) fn draw_ghosts(&self, pass: &mut wgpu::RenderPass, ghosts: &[Part]) {
        let Some([width, height]) = self.targets.as_ref().map(|targets| targets.size).filter(|_| !ghosts.is_empty()) else { return };
        // Depth is a floating-point number: as fine as before.
        pass.set_viewport(0.0, 0.0, width as f32, height as f32, 0.0, GHOSTS_DEPTH);
        self.draw_parts(pass, ghosts);
        pass.set_viewport(0.0, 0.0, width as f32, height as f32, 0.0, 1.0);
    }

    /// Those that the body hides, after all surfaces.
    pub(crate) fn draw_hidden(&self, pass: &mut wgpu::RenderPass, plan: &Plan) {
        if plan.solids_in_scene() {
            self.draw_solids(pass, true, plan.solids.len() as u32);
        }
        let lines = plan.axes as u32..plan.scene_lines.len() as u32;
        if let Some(pipeline) = self.pipelines.get(PipelineKey::SceneLines { behind: false }).filter(|_| !lines.is_empty()) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.scene_lines.buffer().slice(..));
            pass.draw(0..4, lines);
        }
    }

    fn draw_solids(&self, pass: &mut wgpu::RenderPass, in_scene: bool, count: u32) {
        if let Some(pipeline) = self.pipelines.get(PipelineKey::Solids { in_scene }).filter(|_| count > 0) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.solids.buffer().slice(..));
            pass.draw(0..GpuSolidJoint::VERTICES, 0..count);
        }
    }

    fn draw_mask(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, picture: &Picture, plan: &Plan) {
        let Some(size) = self.targets.as_ref().map(|targets| targets.size) else { return };
        let margin = outline::margin(gpu, picture, size);
        if !self.outline.as_ref().is_some_and(|outline| outline.fits(size, margin)) {
            self.outline = Some(Outline::new(gpu, &self.layouts, size, margin, self.scene.samples));
        }
        let Some(outline) = &self.outline else { return };
        let (view, resolve) = match &outline.samples {
            Some(samples) => (samples, Some(&outline.mask)),
            None => (&outline.mask, None),
        };
        let target = Target { resolve, ..Target::cleared(view) };
        let mut pass = passes::begin(encoder, "mask", &target, self.timer.as_mut().and_then(Timer::begin));
        pass.set_bind_group(0, &self.frame_group, &[]);
        let mut bound = None;
        for draw in &plan.draws.marked {
            let Some(pipeline) = self.pipelines.get(PipelineKey::Surface(draw.playing(Role::Mark))) else { continue };
            passes::bind_page(&mut pass, &self.pages, draw, &mut bound);
            pass.set_pipeline(pipeline);
            passes::draw_primitive(&mut pass, draw, (draw.indices(), draw.instances.clone()), &self.materials);
        }
        drop(pass);
        let target = Target::cleared(&outline.blocks);
        let mut pass = passes::begin(encoder, "mask blocks", &target, self.timer.as_mut().and_then(Timer::begin));
        let Some(pipeline) = self.pipelines.get(PipelineKey::OutlineBlocks) else { return };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(1, &outline.mask_group, &[]);
        pass.draw(0..3, 0..1);
    }

    /// After everything else in the scene.
    pub(crate) fn draw_wires<'a>(&self, pass: &mut wgpu::RenderPass, draws: impl Iterator<Item = &'a Draw<'a>>) {
        let mut bound = None;
        for draw in draws.filter(|draw| draw.key.points_or_lines.is_none() && !draw.instances.is_empty()) {
            let Some(pipeline) = self.pipelines.get(PipelineKey::Surface(draw.playing(Role::Wire))) else { continue };
            let Some(corners) = draw.primitive.vertices.corners.get() else { continue };
            passes::bind_page(pass, &self.pages, draw, &mut bound);
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(3, corners.slice(..));
            passes::draw_primitive(pass, draw, (draw.indices(), draw.instances.clone()), &self.materials);
        }
    }
}
